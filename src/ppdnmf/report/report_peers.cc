#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include <ppdnmf/io/time_text.h>
#include <ppdnmf/report/html.h>
#include <ppdnmf/report/report_parts.h>
#include <ppdnmf/report/report_words.h>

namespace ppdnmf::report {
namespace {

double seconds_of(const PeerRecord::Outage& outage) {
  return outage.to ? static_cast<double>((*outage.to - outage.from).count()) : 0;
}

std::string away(const PeerRecord& peer) {
  if (peer.outages.empty()) return "–";
  double seconds = 0;
  for (const PeerRecord::Outage& outage : peer.outages) seconds += seconds_of(outage);
  return fmt::format("{}, {}", grouped(static_cast<std::int64_t>(peer.outages.size())), duration(seconds));
}

std::string outage_list(const std::vector<PeerRecord>& peers) {
  constexpr std::size_t kShown = 100;
  std::vector<std::pair<const PeerRecord*, const PeerRecord::Outage*>> all;
  for (const PeerRecord& peer : peers) {
    for (const PeerRecord::Outage& outage : peer.outages) all.emplace_back(&peer, &outage);
  }
  if (all.empty()) return "<p>No neighbour was away.</p>\n";
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.second->from < b.second->from; });
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(all.size(), kShown); ++i) {
    const auto& [peer, outage] = all[i];
    rows.push_back({escape_html(peer->name), io::spoken_time(outage->from),
                    outage->to ? io::spoken_time(*outage->to) : "the end",
                    outage->to ? duration(seconds_of(*outage)) : "–"});
  }
  std::string out = html_table("numbers", {"Away", "From", "To", "For"}, rows);
  if (all.size() > kShown) out += fmt::format("<p>The first {} of {} outages are listed.</p>\n", kShown, all.size());
  return out;
}

}  // namespace

Section peers_section(const RunRecord& record) {
  Section section{"Neighbours", "", {}};
  if (!record.own || record.own->peers.empty()) return section;
  std::vector<std::vector<std::string>> rows;
  for (const PeerRecord& peer : record.own->peers) {
    rows.push_back({escape_html(peer.name), byte_size(peer.bytes_in), byte_size(peer.bytes_out),
                    grouped(static_cast<std::int64_t>(peer.connections)), away(peer)});
  }
  section.html =
      "<p>This agent's own view of the run: what it received from and sent to its neighbours, how often a "
      "connection was made, and when a neighbour was away.</p>\n" +
      html_table("numbers", {"Neighbour", "Received", "Sent", "Connections", "Outages"}, rows) +
      outage_list(record.own->peers);
  return section;
}

}  // namespace ppdnmf::report
