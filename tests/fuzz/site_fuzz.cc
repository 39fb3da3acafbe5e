// An agent's progress line and its status from arbitrary bytes. What is accepted comes back the same when it is
// written.
#include <cstdint>
#include <string_view>

#include <ppdnmf/site/progress_line.h>
#include <ppdnmf/site/status.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppdnmf;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto line = site::parse_progress_line(text)) {
    const std::string written = site::progress_line(*line);
    const auto again = site::parse_progress_line(written);
    PPDNMF_CHECK(again && site::progress_line(*again) == written && written.find('\n') == written.size() - 1);
  }
  if (const auto status = site::parse_status(text)) {
    PPDNMF_CHECK(!site::status_json(*status, true).empty());
    PPDNMF_CHECK(!site::status_text(*status, true, status->written).empty());
  }
  return 0;
}
