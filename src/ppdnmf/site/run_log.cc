#include <ppdnmf/site/run_log.h>

#include <algorithm>
#include <cmath>

#include <ppdnmf/nmf/measures.h>

namespace ppdnmf::site {
namespace {

// A report keeps no more than so many outages of one neighbour; a line that comes and goes all day fills no memory.
constexpr std::size_t kMaxOutages = 200;

// What nobody knows (NaN, in a private run) stays so: max keeps its first argument unless the second is larger.
double error_of(const nmf::LocalFit& fit) { return std::sqrt(std::max(fit.squared_error, 0.0) / fit.squared_norm); }

std::int64_t number_of(std::chrono::sys_seconds time) { return time.time_since_epoch().count(); }
std::chrono::sys_seconds time_of(std::int64_t number) { return std::chrono::sys_seconds(std::chrono::seconds(number)); }

}  // namespace

RunLog::RunLog(const std::vector<AgentId>& neighbours, std::chrono::sys_seconds now) {
  for (const AgentId id : neighbours) {
    Peer& peer = peers_.emplace_back();
    peer.id = id;
    peer.since = now;
  }
}

void RunLog::note(const protocol::Report& report, double seconds, std::uint64_t bytes) {
  AgentOutcome::Iteration row;
  row.iteration = report.iteration;
  row.rounds = static_cast<std::int64_t>(report.rounds);
  row.error = error_of(report.fit);
  row.common = error_of(report.common);
  loss_kind_ = report.loss;
  row.loss = nmf::loss_value(report.loss, {&report.common, 1});
  row.seconds = seconds;
  row.bytes = bytes;
  if (report.closing && !history_.empty()) {
    // The errors are of the X that all end with; the iteration stays the one before.
    history_.back().error = row.error;
    history_.back().common = row.common;
    history_.back().loss = row.loss;
    closed_ = true;
  } else {
    history_.push_back(row);
  }
}

void RunLog::connected(AgentId id, std::chrono::sys_seconds now) {
  Peer& peer = at(id);
  if (!peer.up && peer.ever && !peer.outages.empty() && !peer.outages.back().to) peer.outages.back().to = now;
  peer.up = peer.ever = true;
  peer.since = now;
  ++peer.connections;
}

void RunLog::disconnected(AgentId id, std::chrono::sys_seconds now) {
  Peer& peer = at(id);
  if (!peer.up) return;
  peer.up = false;
  peer.since = now;
  if (peer.outages.size() < kMaxOutages) peer.outages.push_back({now, std::nullopt});
}

void RunLog::count(AgentId id, const net::TrafficCounters& traffic) {
  Peer& peer = at(id);
  peer.in = traffic.bytes_in;
  peer.out = traffic.bytes_out;
}

std::vector<report::PeerRecord> RunLog::peers() const {
  std::vector<report::PeerRecord> records;
  for (const Peer& peer : peers_) {
    report::PeerRecord& record = records.emplace_back();
    record.bytes_in = peer.in_before + peer.in;
    record.bytes_out = peer.out_before + peer.out;
    record.connections = peer.connections;
    record.outages = peer.outages;
  }
  return records;
}

std::uint64_t RunLog::bytes_sent() const {
  std::uint64_t bytes = 0;
  for (const Peer& peer : peers_) bytes += peer.out_before + peer.out;
  return bytes;
}

void RunLog::save(ByteWriter& out, double seconds) const {
  out.put(restarts_);
  out.put(seconds);
  out.put<std::uint8_t>(closed_ ? 1 : 0);
  out.put(static_cast<std::uint8_t>(loss_kind_));
  out.put<std::uint64_t>(history_.size());
  for (const AgentOutcome::Iteration& row : history_) {
    out.put(row.iteration);
    out.put(row.rounds);
    for (const double value : {row.error, row.common, row.loss, row.seconds}) out.put(value);
    out.put(row.bytes);
  }
  for (const Peer& peer : peers_) {
    out.put(peer.connections);
    out.put(peer.in_before + peer.in);
    out.put(peer.out_before + peer.out);
    out.put<std::uint64_t>(peer.outages.size());
    for (const report::PeerRecord::Outage& outage : peer.outages) {
      out.put(number_of(outage.from));
      out.put<std::uint8_t>(outage.to ? 1 : 0);
      out.put(outage.to ? number_of(*outage.to) : std::int64_t{0});
    }
  }
  for (const std::optional<Digest>& digest : {salt_, run_}) {
    out.put<std::uint8_t>(digest ? 1 : 0);
    out.put_array(digest.value_or(Digest{}).data(), sizeof(Digest));
  }
}

void RunLog::load(ByteReader& in) {
  restarts_ = in.get<std::uint64_t>() + 1;
  seconds_before_ = in.get<double>();
  closed_ = in.get<std::uint8_t>() != 0;
  loss_kind_ = in.get<std::uint8_t>() != 0 ? nmf::LossKind::kPoisson : nmf::LossKind::kSquares;
  const auto rows = in.get<std::uint64_t>();
  for (std::uint64_t n = 0; n < rows && !in.failed(); ++n) {
    AgentOutcome::Iteration& row = history_.emplace_back();
    row.iteration = in.get<std::int64_t>();
    row.rounds = in.get<std::int64_t>();
    for (double* value : {&row.error, &row.common, &row.loss, &row.seconds}) *value = in.get<double>();
    row.bytes = in.get<std::uint64_t>();
  }
  for (Peer& peer : peers_) {
    peer.connections = in.get<std::uint64_t>();
    peer.in_before = in.get<std::uint64_t>();
    peer.out_before = in.get<std::uint64_t>();
    peer.ever = peer.connections > 0;
    const auto outages = in.get<std::uint64_t>();
    for (std::uint64_t n = 0; n < outages && !in.failed(); ++n) {
      report::PeerRecord::Outage& outage = peer.outages.emplace_back();
      outage.from = time_of(in.get<std::int64_t>());
      const bool over = in.get<std::uint8_t>() != 0;
      const auto to = time_of(in.get<std::int64_t>());
      if (over) outage.to = to;
    }
  }
  for (std::optional<Digest>* digest : {&salt_, &run_}) {
    const bool known = in.get<std::uint8_t>() != 0;
    Digest value{};
    in.get_array(value.data(), value.size());
    if (known) *digest = value;
  }
}

const RunLog::Peer& RunLog::at(AgentId id) const {
  const auto found = std::find_if(peers_.begin(), peers_.end(), [&](const Peer& peer) { return peer.id == id; });
  PPDNMF_CHECK(found != peers_.end());
  return *found;
}

RunLog::Peer& RunLog::at(AgentId id) {
  return const_cast<Peer&>(static_cast<const RunLog*>(this)->at(id));  // NOLINT: one search for both
}

}  // namespace ppdnmf::site
