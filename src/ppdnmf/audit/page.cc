#include <ppdnmf/audit/page.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <ppdnmf/audit/curves.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/privacy/meaning.h>
#include <ppdnmf/report/html.h>
#include <ppdnmf/report/png.h>

namespace ppdnmf::audit {
namespace {

std::string section(const std::string& title, const std::string& html) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", report::escape_html(title), html);
}

std::string table_html(const std::vector<AuditRow>& rows) {
  std::vector<std::vector<std::string>> cells;
  for (const AuditRow& row : rows) {
    const std::string interval = row.kind == Measure::kAuc || row.kind == Measure::kPromise
                                     ? fmt::format(" ({:.2f} to {:.2f})", row.low, row.high)
                                     : "";
    const std::string found = row.kind == Measure::kError && row.found > 0
                                  ? fmt::format(", found in {:.0f} %", 100 * row.found)
                                  : std::string();
    cells.push_back({report::escape_html(row.attack), report::escape_html(row.scheme),
                     report::escape_html(row.position), report::escape_html(row.measure),
                     fmt::format("{}{}{}", number_text(row.value), interval, found), number_text(row.baseline),
                     number_text(row.threshold), bound_text(row), fmt::format("{}", row.seeds),
                     row.accepted ? "yes" : "no", row.broken ? "<strong>broken</strong>" : "no"});
  }
  return report::html_table("numbers",
                            {"attack", "scheme", "attacker", "measure", "value", "best guess", "threshold", "bound",
                             "seeds", "a real run accepts it", "broken"},
                            cells);
}

// One sentence for every epsilon that was attacked.
std::string meanings(const std::vector<AuditRow>& rows) {
  std::map<double, double> rho_of;
  for (const AuditRow& row : rows) {
    if (row.epsilon > 0 && row.rho > 0) rho_of[row.epsilon] = std::max(rho_of[row.epsilon], row.rho);
  }
  std::string out;
  for (const auto& [epsilon, rho] : rho_of) {
    out += fmt::format("<p><strong>epsilon {:g}</strong> (delta {:g}): {}</p>\n", epsilon, kAuditDelta,
                       report::escape_html(privacy::meaning_of(rho)));
  }
  return out;
}

std::string face_html(const FacePicture& face) {
  // Each pixel eight times as large, so that browsers need not smooth.
  constexpr Index kZoom = 8;
  const io::ImageShape shape{face.shape.height * kZoom, face.shape.width * kZoom};
  Bytes pixels(static_cast<std::size_t>(shape.height * shape.width));
  for (Index r = 0; r < shape.height; ++r) {
    for (Index c = 0; c < shape.width; ++c) {
      const double value = face.pixels(c / kZoom * face.shape.height + r / kZoom);
      pixels[static_cast<std::size_t>(r * shape.width + c)] =
          static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
    }
  }
  const std::string error = face.error > 0 ? fmt::format("<br>error {}", number_text(face.error)) : "";
  return fmt::format(
      "<figure style=\"display:inline-block;width:11em;vertical-align:top\">{}<figcaption>{}{}"
      "</figcaption></figure>\n",
      report::inline_image("image/png", report::encode_png(shape, pixels), face.label, "picture"),
      report::escape_html(face.label), error);
}

constexpr const char* kHowToRead =
    "<p>Every attack is given only what its attacker saw: the public settings, its own data and secrets, the "
    "messages that reached it and what its keys open. Its claim is then compared with the truth. The best guess "
    "is what the same attacker would say without having taken part, from its own data alone. An error is the part "
    "of the thing that is wrong, a median over the seeds; it is broken below nine tenths of the best guess. A "
    "share is broken above one in a hundred, an AUC (the probability that a member scores higher than a stranger) "
    "above 0.6.</p>\n"
    "<p>'Epsilon' is a differentially private run. The bound is the largest AUC that its account allows anybody; "
    "the row of an attacker who knows all columns but one is broken if its 95 % interval lies above that. 'Noise "
    "off' is such a run without its noise.</p>\n"
    "<p>'Bare' is the hardened scheme without the countermeasures that this audit led to, 'broken replier' a "
    "program that was spoilt on purpose: they show that the attacks work.</p>\n";

}  // namespace

Result<std::vector<std::string>> write_audit(const std::filesystem::path& folder, const AuditRecord& record,
                                             const std::vector<FacePicture>& faces, const std::string& gnuplot) {
  const std::vector<experiment::Exhibit> exhibits = audit_curves(record.rows);
  std::vector<std::string> notes;
  std::vector<Bytes> pictures;
  std::vector<report::Plot> plots;
  plots.reserve(exhibits.size());
  for (const experiment::Exhibit& exhibit : exhibits) plots.push_back(exhibit.plot);
  auto drawn = report::draw_plots(plots, gnuplot, report::PlotFormat::kSvg);
  if (drawn) {
    pictures = *std::move(drawn);
  } else {
    notes.push_back(fmt::format("audit.html has no curves: {}", drawn.error().message));
  }
  std::string body = section("How to read this", kHowToRead);
  std::string row;
  for (const FacePicture& face : faces) row += face_html(face);
  if (!faces.empty()) body += section("A private image and what attackers make of it", row);
  for (std::size_t k = 0; k < pictures.size(); ++k) {
    body += section(exhibits[k].title,
                    fmt::format("<figure>{}</figure>\n",
                                report::inline_image("image/svg+xml", pictures[k], exhibits[k].alt, "plot")));
  }
  body += section("What epsilon means for one patient", meanings(record.rows));
  body += section("The table", table_html(record.rows));
  for (const std::string& note : notes) body += fmt::format("<p class=\"quiet\">{}</p>\n", report::escape_html(note));
  const bool warn =
      std::any_of(record.rows.begin(), record.rows.end(), [](const AuditRow& r) { return r.accepted && r.broken; });
  const std::string footer = fmt::format("ppdnmf {}, seed {}{}", record.version, record.seed,
                                         record.quick ? ", --quick: too few seeds to rely on" : "");
  PPDNMF_TRY_STATUS(io::write_file(folder / "audit.json", audit_json(record)));
  PPDNMF_TRY_STATUS(io::write_file(
      folder / "audit.html", report::html_page("What attacks recover", verdict(record.rows), warn, body, footer)));
  return notes;
}

}  // namespace ppdnmf::audit
