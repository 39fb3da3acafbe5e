#include <ppdnmf/page/watched.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace ppdnmf::page {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxPoints = 1000;
constexpr std::size_t kMaxLines = 12;
constexpr std::size_t kMaxPeers = 1000;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

double number_in(const Json& json, const char* key) {
  const Json value = json.value(key, Json());
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::int64_t count_in(const Json& json, const char* key) {
  const Json value = json.value(key, Json());
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

std::string text_in(const Json& json, const char* key) {
  const Json value = json.value(key, Json());
  return value.is_string() ? value.get<std::string>() : std::string();
}

bool flag_in(const Json& json, const char* key) { return json.value(key, Json()) == Json(true); }

Snapshot snapshot_in(const Json& json) {
  Snapshot out;
  out.title = text_in(json, "title");
  out.phase = text_in(json, "phase");
  out.ended = flag_in(json, "ended");
  out.iterations = count_in(json, "iterations");
  out.planned = count_in(json, "planned");
  out.rounds = count_in(json, "rounds");
  out.own = number_in(json, "own");
  out.common = number_in(json, "common");
  out.bytes = static_cast<std::uint64_t>(count_in(json, "bytes"));
  out.seconds = number_in(json, "seconds");
  out.problem = text_in(json, "problem");
  const Json peers = json.value("peers", Json::array());
  for (std::size_t i = 0; peers.is_array() && i < peers.size() && i < kMaxPeers; ++i) {
    if (!peers[i].is_object()) continue;
    out.peers.push_back({text_in(peers[i], "name"), text_in(peers[i], "state"), flag_in(peers[i], "well"),
                         flag_in(peers[i], "waited_for")});
  }
  return out;
}

}  // namespace

std::string snapshot_line(const Snapshot& s) {
  Json peers = Json::array();
  for (const Snapshot::Peer& peer : s.peers) {
    peers.push_back({{"name", peer.name}, {"state", peer.state}, {"well", peer.well}, {"waited_for", peer.waited_for}});
  }
  return line_of({{"title", s.title},
                  {"phase", s.phase},
                  {"ended", s.ended},
                  {"iterations", s.iterations},
                  {"planned", s.planned},
                  {"rounds", s.rounds},
                  {"own", number(s.own)},
                  {"common", number(s.common)},
                  {"bytes", s.bytes},
                  {"seconds", number(s.seconds)},
                  {"problem", s.problem},
                  {"peers", peers}});
}

std::string text_line(std::string_view sentence) { return line_of({{"line", sentence}}); }

Status Watched::take(std::string_view line) {
  const Json json = line.size() <= kMaxFeedLine ? Json::parse(line, nullptr, false) : Json();
  if (!json.is_object()) return error(ErrorCode::kInvalidData, "is not a line of a run that is watched");
  if (json.contains("line")) {
    lines_.push_back(text_in(json, "line"));
    if (lines_.size() > kMaxLines) lines_.pop_front();
    return {};
  }
  now_ = snapshot_in(json);
  add_point();
  return {};
}

void Watched::add_point() {
  const double error = std::isfinite(now_.common) ? now_.common : now_.own;
  if (!std::isfinite(error) || now_.iterations < 1) return;
  if (!points_.empty() && points_.back().iteration >= now_.iterations) {
    if (points_.back().iteration == now_.iterations) points_.back().error = error;
    return;
  }
  // The last one always, so that the plot ends where the run is.
  if (points_.size() >= 2 && (points_.back().iteration - points_.front().iteration) % stride_ != 0) points_.pop_back();
  points_.push_back({now_.iterations, error, now_.seconds});
  if (points_.size() <= kMaxPoints) return;
  stride_ *= 2;
  std::vector<Point> kept;
  for (const Point& point : points_) {
    if ((point.iteration - points_.front().iteration) % stride_ == 0 || &point == &points_.back())
      kept.push_back(point);
  }
  points_ = std::move(kept);
}

double Watched::seconds_left() const {
  if (now_.ended || points_.size() < 2 || now_.planned <= now_.iterations)
    return now_.ended ? 0 : std::numeric_limits<double>::quiet_NaN();
  const Point& first = points_.front();
  const Point& last = points_.back();
  const double pace = (last.seconds - first.seconds) / static_cast<double>(last.iteration - first.iteration);
  return pace * static_cast<double>(now_.planned - now_.iterations);
}

}  // namespace ppdnmf::page
