#include <ppdnmf/page/render.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <ppdnmf/report/html.h>

namespace ppdnmf::page {
namespace {

using report::escape_html;

// In units of the picture, which is as wide as a telephone's.
constexpr double kWidth = 400, kHeight = 220, kLeft = 52, kRight = 10, kTop = 12, kBottom = 34;

std::string error_words(double error) { return std::isfinite(error) ? fmt::format("{:.5g}", error) : std::string("-"); }

std::string figure(std::string_view name, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, escape_html(value));
}

struct Frame {
  double low = 0, high = 1;
  std::int64_t first = 0, last = 1;
  [[nodiscard]] double x(std::int64_t iteration) const {
    return kLeft +
           (kWidth - kLeft - kRight) * static_cast<double>(iteration - first) / static_cast<double>(last - first);
  }
  [[nodiscard]] double y(double error) const {
    return kTop + (kHeight - kTop - kBottom) * (high - error) / (high - low);
  }
};

Frame frame_of(const std::vector<Watched::Point>& points) {
  Frame out;
  const auto [least, most] =
      std::minmax_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.error < b.error; });
  const double room = std::max((most->error - least->error) * 0.05, 1e-12 + 0.01 * std::abs(most->error));
  out.low = std::max(least->error - room, std::min(least->error, 0.0));  // no error is below nothing
  out.high = most->error + room;
  out.first = points.front().iteration;
  out.last = std::max(points.back().iteration, out.first + 1);
  return out;
}

std::string label(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '\\' || c == '"') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

void metric(std::string& out, std::string_view name, std::string_view help, std::string_view type) {
  out += fmt::format("# HELP ppdnmf_{} {}\n# TYPE ppdnmf_{} {}\n", name, help, name, type);
}

std::string peers_table(const Snapshot& now) {
  if (now.peers.empty()) return {};
  std::string out = "<h2>Peers</h2>\n<table>\n";
  for (const Snapshot::Peer& peer : now.peers) {
    out += fmt::format("<tr class=\"{}\"><th>{}</th><td>{}{}</td></tr>\n", peer.well ? "well" : "wrong",
                       escape_html(peer.name), escape_html(peer.state), peer.waited_for ? ", waited for" : "");
  }
  return out + "</table>\n";
}

}  // namespace

std::string time_words(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  const auto whole = static_cast<std::int64_t>(std::min(seconds + 0.5, 1e12));
  if (whole < 120) return fmt::format("{} s", whole);
  if (whole < 7200) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string size_words(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1000;
  for (const char* unit : {"kB", "MB", "GB"}) {
    if (value < 1000) return fmt::format("{:.3g} {}", value, unit);
    value /= 1000;
  }
  return fmt::format("{:.3g} TB", value);
}

std::string plot_svg(const Watched& watched) {
  const auto& points = watched.points();
  std::string out = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"relative error by iteration\">\n",
                                kWidth, kHeight);
  if (points.empty()) return out + "<text class=\"middle\" x=\"200\" y=\"110\">no iteration yet</text></svg>\n";
  const Frame frame = frame_of(points);
  for (int tick = 0; tick <= 3; ++tick) {
    const double error = frame.low + (frame.high - frame.low) * tick / 3;
    out += fmt::format(
        "<path class=\"grid\" d=\"M{} {:.1f}H{}\"/><text class=\"end\" x=\"{}\" y=\"{:.1f}\">{:.3g}</text>\n", kLeft,
        frame.y(error), kWidth - kRight, kLeft - 6, frame.y(error) + 4, error);
  }
  out += fmt::format("<text x=\"{}\" y=\"{}\">{}</text><text class=\"end\" x=\"{}\" y=\"{}\">{}</text>\n", kLeft,
                     kHeight - 16, frame.first, kWidth - kRight, kHeight - 16, points.back().iteration);
  out += fmt::format("<text class=\"middle\" x=\"{}\" y=\"{}\">iteration; error relative to the data</text>\n",
                     (kLeft + kWidth - kRight) / 2, kHeight - 3);
  std::string path;
  for (const Watched::Point& point : points)
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", frame.x(point.iteration), frame.y(point.error));
  out += fmt::format("<path class=\"line\" d=\"{}\"/>\n", path);
  return out + fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/></svg>\n",
                           frame.x(points.back().iteration), frame.y(points.back().error));
}

std::string fragment_html(const Watched& watched) {
  const Snapshot& now = watched.now();
  std::string out =
      fmt::format("<p class=\"phase\">{}</p>\n<dl>\n", escape_html(now.phase.empty() ? "starting" : now.phase));
  out += figure("iteration", now.planned > 0 ? fmt::format("{} of {}", now.iterations, now.planned)
                                             : fmt::format("{}", now.iterations));
  out += figure("error", error_words(std::isfinite(now.common) ? now.common : now.own));
  if (std::isfinite(now.own) && std::isfinite(now.common)) out += figure("own error", error_words(now.own));
  out += figure("sent", size_words(now.bytes));
  out += figure("time", time_words(now.seconds));
  out += figure("left, at most", now.ended ? "-" : time_words(watched.seconds_left()));
  out += "</dl>\n" + plot_svg(watched);
  if (!now.problem.empty()) out += "<p class=\"problem\">Last problem: " + escape_html(now.problem) + "</p>\n";
  out += peers_table(now);
  if (!watched.lines().empty()) {
    out += "<h2>Log</h2>\n<ol>\n";
    for (const std::string& line : watched.lines()) out += "<li>" + escape_html(line) + "</li>\n";
    out += "</ol>\n";
  }
  return out;
}

std::string page_html(const Watched& watched) {
  const std::string title = escape_html(watched.now().title.empty() ? "ppdnmf" : watched.now().title);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"page.css\">"
      "<script src=\"page.js\" defer></script></head>\n"
      "<body><h1>{0}</h1>\n<p id=\"gone\" hidden>The run's process has ended, or does not answer. Below is its last "
      "word.</p>\n"
      "<main id=\"run\">\n{1}</main>\n"
      "<footer><a href=\"state.json\">JSON</a> <a href=\"metrics\">metrics</a></footer></body></html>\n",
      title, fragment_html(watched));
}

std::string state_json(const Watched& watched) {
  using Json = nlohmann::ordered_json;
  Json json = Json::parse(snapshot_line(watched.now()));
  const double left = watched.seconds_left();
  json["seconds_left"] = std::isfinite(left) ? Json(left) : Json(nullptr);
  Json points = Json::array();
  for (const Watched::Point& point : watched.points()) points.push_back({point.iteration, point.error, point.seconds});
  json["points"] = points;
  json["lines"] = watched.lines();
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string metrics_text(const Watched& watched) {
  const Snapshot& now = watched.now();
  std::string out;
  const auto single = [&](std::string_view name, std::string_view help, std::string_view type, const auto& value) {
    metric(out, name, help, type);
    out += fmt::format("ppdnmf_{} {}\n", name, value);
  };
  single("iterations", "Iterations so far.", "gauge", now.iterations);
  single("planned_iterations", "At most so many.", "gauge", now.planned);
  single("rounds", "Rounds so far.", "gauge", now.rounds);
  single("sent_bytes_total", "Sent to peers.", "counter", now.bytes);
  single("seconds", "Since the process began.", "gauge", now.seconds);
  single("ended", "Whether the run has ended.", "gauge", now.ended ? 1 : 0);
  metric(out, "relative_error", "Error relative to the data.", "gauge");
  if (std::isfinite(now.own)) out += fmt::format("ppdnmf_relative_error{{of=\"own\"}} {}\n", now.own);
  if (std::isfinite(now.common)) out += fmt::format("ppdnmf_relative_error{{of=\"all\"}} {}\n", now.common);
  metric(out, "peer_well", "Whether a peer is there.", "gauge");
  for (const Snapshot::Peer& peer : now.peers)
    out += fmt::format("ppdnmf_peer_well{{peer=\"{}\"}} {}\n", label(peer.name), peer.well ? 1 : 0);
  metric(out, "peer_waited_for", "Whether the run waits for a peer.", "gauge");
  for (const Snapshot::Peer& peer : now.peers)
    out += fmt::format("ppdnmf_peer_waited_for{{peer=\"{}\"}} {}\n", label(peer.name), peer.waited_for ? 1 : 0);
  return out;
}

std::string_view page_script() {
  return R"js('use strict';
const run = document.getElementById('run');
const gone = document.getElementById('gone');
async function refresh() {
  try {
    const answer = await fetch('fragment', {cache: 'no-store'});
    if (!answer.ok) throw new Error(answer.statusText);
    run.innerHTML = await answer.text();
    gone.hidden = true;
  } catch (error) {
    gone.hidden = false;
  }
  setTimeout(refresh, gone.hidden ? 1000 : 5000);
}
setTimeout(refresh, 1000);
)js";
}

std::string_view page_style() {
  return R"css(body { font: 16px/1.4 system-ui, sans-serif; color: #222; background: #fff; margin: 0 auto; padding: 12px; max-width: 720px; }
h1 { font-size: 20px; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 16px 0 4px; }
.phase { margin: 0 0 8px; color: #555; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(110px, 1fr)); gap: 8px; margin: 0 0 8px; }
dt { font-size: 13px; color: #666; }
dd { margin: 0; font-size: 18px; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: auto; display: block; }
svg text { font: 11px system-ui, sans-serif; fill: #555; }
svg .end { text-anchor: end; }
svg .middle { text-anchor: middle; }
svg .grid { stroke: #ddd; fill: none; vector-effect: non-scaling-stroke; }
svg .line { stroke: #1b6ca8; stroke-width: 2; vector-effect: non-scaling-stroke; fill: none; stroke-linejoin: round; }
svg .dot { fill: #1b6ca8; }
@media (min-width: 600px) { svg text { font-size: 8px; } }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th, td { text-align: left; padding: 4px 8px 4px 0; border-bottom: 1px solid #eee; overflow-wrap: anywhere; font-weight: normal; }
th { width: 30%; }
tr.wrong { color: #a3200d; }
tr.wrong td, tr.wrong th { font-weight: bold; }
.problem, #gone { border-left: 4px solid #a3200d; padding: 4px 8px; background: #fdf1ef; overflow-wrap: anywhere; }
#gone { border-color: #b07d00; background: #fdf6e3; }
ol { padding: 0; margin: 0; list-style: none; font-size: 14px; }
li { padding: 2px 0; border-bottom: 1px solid #f2f2f2; overflow-wrap: anywhere; }
footer { margin-top: 16px; font-size: 14px; }
footer a { margin-right: 12px; color: #1b6ca8; }
)css";
}

}  // namespace ppdnmf::page
