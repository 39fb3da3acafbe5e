#include "apps/ppdnmf/run_status.h"

#include <fmt/format.h>

#include "apps/ppdnmf/clock.h"
#include "apps/ppdnmf/options.h"
#include <ppdnmf/site/status.h>

namespace ppdnmf::app {

Status run_status(const StatusOptions& options) {
  PPDNMF_TRY(const site::AgentStatus status, site::read_status(options.folder));
  const bool running = site::is_running(options.folder, status);
  fmt::print("{}",
             in_flags(options.json ? site::status_json(status, running) : site::status_text(status, running, now())));
  return {};
}

}  // namespace ppdnmf::app
