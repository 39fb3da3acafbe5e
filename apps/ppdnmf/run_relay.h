// What `relay` does, once its options are read.
#ifndef PPDNMF_APPS_RUN_RELAY_H_
#define PPDNMF_APPS_RUN_RELAY_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <ppdnmf/base/result.h>

namespace ppdnmf::app {

struct RelayOptions {
  std::filesystem::path consortium, identity;
  std::string listen;
  std::uint64_t max_rate = 0;
  std::optional<int> passphrase_fd;
  bool quiet = false;
};

// Passes bytes on until it is interrupted, which is how it ends in order.
[[nodiscard]] Status run_relay(const RelayOptions& options);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_RELAY_H_
