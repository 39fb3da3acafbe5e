#include <ppdnmf/experiment/hospitals_page.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>
#include <utility>

#include <ppdnmf/experiment/page.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/csv.h>
#include <ppdnmf/report/html.h>

namespace ppdnmf::experiment {
namespace {

constexpr const char* kLead =
    "Three made-up hospitals count mutations in the tumours of their patients and look for the signatures that made "
    "them. They may not pool their data.";

std::string picture_html(const std::vector<Bytes>& svg) {
  if (svg.empty()) return "<p class=\"quiet\">A picture belongs here, but gnuplot could not draw it.</p>\n";
  return fmt::format(
      "<div class=\"bars\"><figure>{}<figcaption>A row for each signature, a bar for each of 96 kinds of mutation. On "
      "the left is what was "
      "put into the data; coloured is what was found (cosine {} or more), grey the component that remains for "
      "a signature that was missed.</figcaption></figure></div>\n",
      report::inline_image("image/svg+xml", svg.front(), "Signatures found alone, together, pooled and privately",
                           "plot"),
      kFound);
}

std::string sentences_html(const HospitalsOutcome& outcome) {
  std::string html = "<ol>\n";
  for (const std::string& sentence : hospital_sentences(outcome))
    html += "<li>" + report::escape_html(sentence) + "</li>\n";
  return html + "</ol>\n";
}

std::string making_html(const HospitalsOutcome& outcome) {
  return fmt::format(
      "<p>Seed {}. Each hospital has {} tumours with about {} mutations. The first signature is in {} of them "
      "everywhere; each hospital has a signature of its own, in {} of its tumours and in {} at either other hospital. "
      "Signatures, tumours and counts (Poisson) are made up by the program. Everybody looks for {} components; alone, "
      "together and pooled with the Poisson loss, the private run as its budget allows: epsilon {}, delta {}, columns "
      "of length one. Its promise holds as long as two of the three hospitals add their noise and tell it to "
      "nobody.</p>\n<p>A simulation protects nobody's data: one process held all of them here.</p>\n",
      outcome.seed, kTumours, kMutations, kTumoursCommon, kTumoursOwn, kTumoursSeldom, kSignatures, kDemoEpsilon,
      kDemoDelta);
}

std::string steps_html(const std::filesystem::path& folder) {
  std::string html;
  for (const NextStep& step : next_steps(folder)) {
    html += fmt::format("<p>{}</p>\n<pre class=\"scroll\">", report::escape_html(step.why));
    for (const std::string& line : step.lines) html += report::escape_html(line) + "\n";
    html += "</pre>\n";
  }
  return html;
}

std::string hospitals_html(const HospitalsOutcome& outcome, const std::filesystem::path& folder,
                           const std::vector<std::string>& notes, const std::vector<Bytes>& svg,
                           const std::string& version) {
  std::string body;
  for (const std::string& note : notes) body += page_section("Note", "<p>" + report::escape_html(note) + "</p>\n");
  body += page_section("What each finds", picture_html(svg) + sentences_html(outcome));
  body += page_section("How to do it between organisations", steps_html(folder));
  body += page_section("How this was made", making_html(outcome));
  return report::html_page("Why hospitals factorise together", kLead, false, body,
                           fmt::format("ppdnmf {} demo", version));
}

}  // namespace

std::vector<NextStep> next_steps(const std::filesystem::path& folder) {
  const std::string at = folder.string();
  return {
      {"A private run over the same data, with three processes that speak mutual TLS as machines would (after 'make "
       "demo' the program is build/ppdnmf):",
       {fmt::format("ppdnmf launch {0}/A.csv {0}/B.csv {0}/C.csv --rank {1} \\", at, kSignatures),
        fmt::format("  --epsilon {} --delta 1e-6 --normalise l2 --out {}/private", kDemoEpsilon, at)}},
      {"Between organisations everybody makes an identity once, and sends the file keys/a.pub to one of them:",
       {"ppdnmf identity new --name a --out keys"}},
      {"That one writes the file on which all agree; everybody checks it, and all compare its digits on the telephone:",
       {"ppdnmf consortium new --member a.pub@a.example:7443 --member b.pub@b.example:7443 --member c.pub \\",
        fmt::format("  --topology complete --rank {} --row-names channels.txt --columns {} --out trial.toml",
                    kSignatures, kHospitals * kTumours),
        "ppdnmf consortium check trial.toml"}},
      {"Everybody says what all runs over its data may spend, and takes part; the data stay where they are:",
       {"echo 'data tumours epsilon 4 delta 1e-6' >> keys/a.ledger",
        "ppdnmf agent --consortium trial.toml --identity keys/a.key --data A.csv --data-name tumours --out run1"}}};
}

Result<std::vector<std::string>> write_hospitals(const std::filesystem::path& folder, const HospitalData& data,
                                                 const HospitalsOutcome& outcome, const std::string& version,
                                                 const std::string& gnuplot) {
  for (Index hospital = 0; hospital < kHospitals; ++hospital)
    PPDNMF_TRY_STATUS(io::write_csv(folder / (hospital_name(hospital) + ".csv"), hospital_table(data, hospital)));
  const io::Table signatures = signature_table(data);
  PPDNMF_TRY_STATUS(io::write_csv(folder / "signatures.csv", signatures));
  PPDNMF_TRY_STATUS(
      io::write_file(folder / "channels.txt", fmt::format("{}\n", fmt::join(signatures.row_names, "\n"))));

  std::vector<std::string> notes;
  std::vector<Bytes> svg;
  const std::vector<report::Plot> plots = {hospitals_plot(outcome)};
  std::error_code ignored;
  std::filesystem::remove(folder / "demo.png", ignored);  // of an earlier demo
  auto drawn = report::draw_plots(plots, gnuplot);
  auto png = report::draw_plots(plots, gnuplot, report::PlotFormat::kPng);
  if (drawn && png) {
    svg = *std::move(drawn);
    PPDNMF_TRY_STATUS(io::write_file(folder / "demo.png", ByteSpan(png->front())));
  } else {
    notes.push_back(fmt::format("report.html has no picture: {}", (drawn ? png.error() : drawn.error()).message));
  }
  PPDNMF_TRY_STATUS(io::write_file(folder / "report.html", hospitals_html(outcome, folder, notes, svg, version)));
  return notes;
}

}  // namespace ppdnmf::experiment
