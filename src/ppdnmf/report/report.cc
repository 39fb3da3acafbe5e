#include <ppdnmf/report/report.h>

#include <iterator>
#include <utility>

#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/report/html.h>
#include <ppdnmf/report/report_parts.h>

namespace ppdnmf::report {
namespace {

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
  const auto fits = [](const auto& names, Index size) {
    return names.empty() || names.size() == static_cast<std::size_t>(size);
  };
  if (!fits(options.row_names, X.rows()) || !fits(record.components, X.cols())) {
    return error(ErrorCode::kUsage,
                 "the report was given {} row names and {} component names for {} rows and {} components",
                 options.row_names.size(), record.components.size(), X.rows(), X.cols());
  }
  PPDNMF_CHECK(fits(record.matches, X.cols()));
  PPDNMF_TRY_STATUS(check_show(options.show, {X.rows(), options.row_names, options.image}));
  std::vector<std::string> notes;
  // The last two stand side by side where there is room.
  const Section sections[] = {summary_section(record),   rank_section(record),   convergence_section(record),
                              network_section(record),   peers_section(record),  factor_section(record, X, options),
                              exposures_section(record), agents_section(record), parameters_section(record)};
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
  if (record.own && record.own->numbers) {
    const std::vector<std::string>& own = record.own->numbers->notes;
    all_notes.insert(all_notes.end(), own.begin(), own.end());
  }
  all_notes.insert(all_notes.end(), notes.begin(), notes.end());
  const std::string title = record.title.empty() ? "ppdnmf " + record.command : record.title;
  const bool apart = record.own ? !record.own->common_factor : !(record.disagreement <= 0.1);
  const bool warn = record.agents > 1 && apart;
  std::string html;
  std::size_t next = 0;
  html += section_html(notes_section(all_notes), pictures, next);
  constexpr std::size_t kWide = std::size(sections) - 2;
  for (std::size_t i = 0; i < std::size(sections); ++i) {
    if (i == kWide) html += "<div class=\"pair tables\">\n";
    html += section_html(sections[i], pictures, next);
  }
  html += "</div>\n";
  const std::string page =
      html_page(title, verdict(record), warn, html, fmt::format("ppdnmf {} {}", record.version, record.command));
  PPDNMF_TRY_STATUS(io::write_file(folder / "report.html", page, options.mode));
  return notes;
}

}  // namespace ppdnmf::report
