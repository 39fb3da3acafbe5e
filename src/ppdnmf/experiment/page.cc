#include <ppdnmf/experiment/page.h>

#include <fmt/format.h>

#include <utility>

#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/report/html.h>
#include <ppdnmf/report/report_words.h>

namespace ppdnmf::experiment {
namespace {

std::string notes_html(const std::vector<std::string>& notes) {
  std::string out = "<ul>\n";
  for (const std::string& note : notes) out += "<li>" + report::escape_html(note) + "</li>\n";
  return out + "</ul>\n";
}

std::string summary_html(const std::vector<VariantSummary>& summaries) {
  std::vector<std::vector<std::string>> rows;
  for (const VariantSummary& s : summaries) {
    const bool alone = s.variant.kind == Kind::kCentralised;  // nobody to disagree with
    rows.push_back({report::escape_html(variant_label(s.variant)), fmt::format("{:.0f}", s.end.rounds),
                    fmt::format("{:.4f}", s.end.nmse.mean), alone ? "–" : report::percent(s.end.disagreement.mean),
                    fmt::format("{:.4f}", s.end.worst_agent_error.mean), fmt::format("{:.4f}", s.ratio.mean),
                    fmt::format("{:.4f} to {:.4f}", s.ratio.low, s.ratio.high)});
  }
  return "<p>Means over the trials at the end of each run. The last column is the error before it divided by the "
         "centralised one of the "
         "same trial, 10 % to 90 % of the trials.</p>\n" +
         report::html_table("numbers",
                            {"algorithm", "rounds", "NMSE", "disagreement", "worst agent's X on all data",
                             "over centralised", "10 % to 90 %"},
                            rows);
}

std::string exhibit_html(const Exhibit& e, const Bytes* svg) {
  const std::string caption = fmt::format("{} {}", report::escape_html(e.claim), report::escape_html(e.found));
  const std::string files = fmt::format(
      R"(<a href="{0}.png">PNG</a> <a href="{0}.svg">SVG</a> <a href="{0}.csv">CSV</a>)", report::escape_html(e.name));
  if (svg == nullptr) {
    return fmt::format("<p class=\"quiet\">A plot belongs here ({}), but gnuplot could not draw it.</p>\n<p>{}</p>\n",
                       report::escape_html(e.alt), caption);
  }
  return fmt::format("<figure>{}<figcaption>{} {}</figcaption></figure>\n",
                     report::inline_image("image/svg+xml", *svg, e.alt, "plot"), caption, files);
}

}  // namespace

std::string page_section(const std::string& title, const std::string& html) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", report::escape_html(title), html);
}

std::string page_html(const ExperimentPage& page, const std::vector<Bytes>& svg) {
  std::string body;
  if (!page.notes.empty()) body += page_section("How this was made", notes_html(page.notes));
  if (!page.summaries.empty()) body += page_section("Where each algorithm ended", summary_html(page.summaries));
  for (std::size_t i = 0; i < page.exhibits.size(); ++i) {
    body += page_section(page.exhibits[i].title, exhibit_html(page.exhibits[i], i < svg.size() ? &svg[i] : nullptr));
  }
  return report::html_page(page.title, page.lead, page.warn, body, page.footer);
}

Result<std::vector<std::string>> write_page(const std::filesystem::path& folder, const ExperimentPage& page,
                                            const std::string& gnuplot) {
  std::vector<report::Plot> plots;
  for (const Exhibit& e : page.exhibits) {
    plots.push_back(e.plot);
    PPDNMF_TRY_STATUS(io::write_file(folder / (e.name + ".csv"), e.csv));
  }
  std::vector<std::string> notes;
  std::vector<Bytes> pictures;
  for (const auto& [format, extension] :
       {std::pair{report::PlotFormat::kPng, ".png"}, std::pair{report::PlotFormat::kSvg, ".svg"}}) {
    auto drawn = report::draw_plots(plots, gnuplot, format);
    if (!drawn) {
      notes.push_back(fmt::format("experiment.html has no pictures: {}", drawn.error().message));
      pictures.clear();
      break;
    }
    pictures = *std::move(drawn);
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      PPDNMF_TRY_STATUS(io::write_file(folder / (page.exhibits[i].name + extension), ByteSpan(pictures[i])));
    }
  }
  ExperimentPage with_notes = page;
  with_notes.notes.insert(with_notes.notes.end(), notes.begin(), notes.end());
  PPDNMF_TRY_STATUS(io::write_file(folder / "experiment.html", page_html(with_notes, pictures)));
  return notes;
}

}  // namespace ppdnmf::experiment
