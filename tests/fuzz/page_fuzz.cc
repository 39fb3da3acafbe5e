// Lines of a watched run from arbitrary bytes: whatever they say can be shown.
#include <string>

#include <ppdnmf/page/render.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  ppdnmf::page::Watched watched;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    (void)watched.take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  PPDNMF_CHECK(ppdnmf::page::page_html(watched).find("<script>") == std::string::npos);
  (void)ppdnmf::page::state_json(watched);
  (void)ppdnmf::page::metrics_text(watched);
  return 0;
}
