// A watched run as HTML, JSON and Prometheus' text. Pure; everything that comes from a run is escaped.
#ifndef PPDNMF_PAGE_RENDER_H_
#define PPDNMF_PAGE_RENDER_H_

#include <string>
#include <string_view>

#include <ppdnmf/page/watched.h>

namespace ppdnmf::page {

// The whole page; its script asks for the fragment every second. It needs nothing from outside and no inline script or
// style.
[[nodiscard]] std::string page_html(const Watched& watched);
// What changes while the run goes on.
[[nodiscard]] std::string fragment_html(const Watched& watched);
[[nodiscard]] std::string plot_svg(const Watched& watched);
[[nodiscard]] std::string state_json(const Watched& watched);
[[nodiscard]] std::string metrics_text(const Watched& watched);

[[nodiscard]] std::string_view page_script();
[[nodiscard]] std::string_view page_style();

// "1 h 5 min", "12 s"; "?" for NaN.
[[nodiscard]] std::string time_words(double seconds);
// "1.2 MB".
[[nodiscard]] std::string size_words(std::uint64_t bytes);

}  // namespace ppdnmf::page

#endif  // PPDNMF_PAGE_RENDER_H_
