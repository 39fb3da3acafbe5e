#include "io/report.h"

#include <iterator>
#include <utility>

#include "io/atomic_file.h"
#include "io/html.h"
#include "io/report_parts.h"

namespace ppdnmf {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #f4f5f6; color: #1c2430; font: 16px/1.5 system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
header { border-left: 5px solid #1f4e79; padding-left: 1rem; margin-bottom: 1.5rem; }
header.warn { border-left-color: #a33a00; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0 0 .6rem; }
.verdict { font-size: 1.15rem; margin: 0; }
section { background: #fff; border: 1px solid #dfe3e8; border-radius: 8px; padding: 1rem 1.2rem; margin: 0 0 1rem; }
section p { margin: .2rem 0 .8rem; }
ul { margin: 0; padding-left: 1.2rem; }
.quiet, footer, figcaption { color: #5a6675; font-size: .88rem; }
.warn-text { color: #8a2f00; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .95rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem 1.2rem .3rem 0; border-bottom: 1px solid #e8ebee; vertical-align: top; overflow-wrap: anywhere; }
tr:last-child td { border-bottom: 0; }
th { font-weight: 600; color: #44505e; }
.summary td:last-child { color: #5a6675; }
.summary td:nth-child(2), .summary td:first-child, .parameters td:first-child, .words td:first-child { white-space: nowrap; }
.numbers th, .numbers td { text-align: right; }
.numbers { min-width: 18rem; }
.words i { color: #5a6675; font-style: normal; font-size: .85em; }
.nowrap { white-space: nowrap; }
figure { margin: 0; }
img.plot { display: block; width: 100%; height: auto; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; }
.pair.tables { align-items: start; gap: 0 1rem; }
.bars figure + figure { margin-top: .8rem; }
.bars figure { display: flex; flex-direction: column-reverse; overflow-x: auto; }
.bars img.plot { min-width: 44rem; }
.narrow { max-width: 34rem; }
.network svg { display: block; width: 100%; max-width: 26rem; margin: 0 auto; font-family: inherit; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(5.2rem, 1fr)); gap: .6rem; }
.grid figure { text-align: center; }
.pixels { width: 100%; image-rendering: pixelated; border: 1px solid #c9d0d7; display: block; }
@media (max-width: 40rem) { section { padding: .8rem; } td, th { padding-right: .7rem; } }
@media print { body { background: #fff; font-size: 11pt; } section { border-color: #999; break-inside: avoid-page; }
  section.long { break-inside: auto; } figure { break-inside: avoid; } .bars img.plot { min-width: 0; } }
)";

std::string figure_html(const Figure& figure, const Bytes* picture) {
  if (picture == nullptr) {
    return fmt::format("<p class=\"quiet\">A plot belongs here ({}), but gnuplot could not draw it.</p>\n",
                       escape_html(figure.alt));
  }
  return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n",
                     inline_image("image/svg+xml", *picture, figure.alt, "plot"), figure.caption);
}

// Puts the pictures, taken in order from `pictures` if there are any, into their places.
std::string section_html(const Section& section, const std::vector<Bytes>& pictures, std::size_t& next) {
  if (section.html.empty()) return "";
  std::string html;
  std::string_view rest = section.html;
  for (std::size_t i = 0; i < section.figures.size(); ++i) {
    const std::string place = figure_place(i);
    const std::size_t at = rest.find(place);
    PPDNMF_CHECK(at != std::string_view::npos);
    html += rest.substr(0, at);
    html += figure_html(section.figures[i], next < pictures.size() ? &pictures[next] : nullptr);
    ++next;
    rest.remove_prefix(at + place.size());
  }
  html += rest;
  const bool is_long = section.figures.size() > 2;
  return fmt::format("<section{}>\n<h2>{}</h2>\n{}</section>\n", is_long ? " class=\"long\"" : "", section.title, html);
}

Section notes_section(const std::vector<std::string>& notes) {
  Section section{"Notes", "", {}};
  if (notes.empty()) return section;
  section.html = "<ul>\n";
  for (const std::string& note : notes) section.html += "<li>" + escape_html(note) + "</li>\n";
  section.html += "</ul>\n";
  return section;
}

}  // namespace

std::string figure_place(std::size_t i) {
  // A comment cannot be forged by a name: names are escaped.
  return fmt::format("<!--figure {}-->", i);
}

Result<std::vector<std::string>> write_report(const std::filesystem::path& folder, const RunRecord& record,
                                              const Matrix& X, const ReportOptions& options) {
  const auto fits = [](const std::vector<std::string>& names, Index size) {
    return names.empty() || names.size() == static_cast<std::size_t>(size);
  };
  if (!fits(options.row_names, X.rows()) || !fits(options.component_names, X.cols())) {
    return error(ErrorCode::kUsage,
                 "the report was given {} row names and {} component names for {} rows and {} components",
                 options.row_names.size(), options.component_names.size(), X.rows(), X.cols());
  }
  std::vector<std::string> notes;
  // The last two stand side by side where there is room.
  const Section sections[] = {summary_section(record),    convergence_section(record), network_section(record),
                              factor_section(X, options), agents_section(record),      parameters_section(record)};
  std::vector<Plot> plots;
  for (const Section& section : sections) {
    for (const Figure& figure : section.figures) plots.push_back(figure.plot);
  }
  std::vector<Bytes> pictures;
  if (auto drawn = draw_plots(plots, options.gnuplot)) {
    pictures = *std::move(drawn);
  } else {
    notes.push_back(fmt::format("report.html has no plots: {}", drawn.error().message));
  }

  std::vector<std::string> all_notes = record.notes;
  all_notes.insert(all_notes.end(), notes.begin(), notes.end());
  const std::string title = escape_html(record.title.empty() ? "ppdnmf " + record.command : record.title);
  const bool warn = record.agents > 1 && !(record.disagreement <= 0.1);
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{}</style>\n"
      "</head>\n<body>\n<main>\n<header{}>\n<h1>{}</h1>\n<p class=\"verdict{}\">{}</p>\n</header>\n",
      title, kStyle, warn ? " class=\"warn\"" : "", title, warn ? " warn-text" : "", escape_html(verdict(record)));
  std::size_t next = 0;
  html += section_html(notes_section(all_notes), pictures, next);
  constexpr std::size_t kWide = std::size(sections) - 2;
  for (std::size_t i = 0; i < std::size(sections); ++i) {
    if (i == kWide) html += "<div class=\"pair tables\">\n";
    html += section_html(sections[i], pictures, next);
  }
  html += "</div>\n";
  html += fmt::format("<footer>ppdnmf {} {}</footer>\n</main>\n</body>\n</html>\n", escape_html(record.version),
                      escape_html(record.command));
  PPDNMF_TRY_STATUS(write_file(folder / "report.html", html));
  return notes;
}

}  // namespace ppdnmf
