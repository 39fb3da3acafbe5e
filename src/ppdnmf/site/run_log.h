// What a member's process remembers of its run for the report: errors, times, traffic, outages. Saved with the state,
// so that a restart loses nothing of it; holds no secret.
#ifndef PPDNMF_SITE_RUN_LOG_H_
#define PPDNMF_SITE_RUN_LOG_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/ids.h>
#include <ppdnmf/net/transport.h>
#include <ppdnmf/protocol/step.h>
#include <ppdnmf/report/run_record.h>
#include <ppdnmf/site/outcome.h>

namespace ppdnmf::site {

class RunLog {
 public:
  // Of the process that begins now; the neighbours in the order of `neighbours`, which load() expects again.
  RunLog(const std::vector<AgentId>& neighbours, std::chrono::sys_seconds now);

  void note(const protocol::Report& report, double seconds, std::uint64_t bytes);
  // The stream to a neighbour came or went.
  void connected(AgentId peer, std::chrono::sys_seconds now);
  void disconnected(AgentId peer, std::chrono::sys_seconds now);
  // Traffic of this process so far.
  void count(AgentId peer, const net::TrafficCounters& traffic);

  [[nodiscard]] const std::vector<AgentOutcome::Iteration>& history() const { return history_; }
  [[nodiscard]] bool closed() const { return closed_; }
  [[nodiscard]] nmf::LossKind loss_kind() const { return loss_kind_; }  // of the rows
  // The neighbours' records, without names.
  [[nodiscard]] std::vector<report::PeerRecord> peers() const;
  [[nodiscard]] std::uint64_t bytes_sent() const;
  [[nodiscard]] std::uint64_t restarts() const { return restarts_; }
  [[nodiscard]] double seconds_before() const { return seconds_before_; }
  [[nodiscard]] bool connected(AgentId peer) const { return at(peer).up; }
  [[nodiscard]] std::chrono::sys_seconds since(AgentId peer) const { return at(peer).since; }

  // The run's digest and the salt of its log (logbook/letters.h), from the end of the roll call on.
  void keep_salt(const Digest& salt) { salt_ = salt; }
  void keep_run(const Digest& run) { run_ = run; }
  [[nodiscard]] const std::optional<Digest>& salt() const { return salt_; }
  [[nodiscard]] const std::optional<Digest>& run() const { return run_; }

  // `seconds`: of the run so far.
  void save(ByteWriter& out, double seconds) const;
  // Into the log of a new process: one restart more.
  void load(ByteReader& in);

 private:
  struct Peer {
    AgentId id;
    bool up = false;
    bool ever = false;
    std::chrono::sys_seconds since;
    std::uint64_t connections = 0;
    std::uint64_t in_before = 0, out_before = 0;  // of earlier processes
    std::uint64_t in = 0, out = 0;
    std::vector<report::PeerRecord::Outage> outages;
  };
  [[nodiscard]] const Peer& at(AgentId id) const;
  [[nodiscard]] Peer& at(AgentId id);

  std::vector<Peer> peers_;
  std::vector<AgentOutcome::Iteration> history_;
  nmf::LossKind loss_kind_ = nmf::LossKind::kSquares;
  bool closed_ = false;
  std::uint64_t restarts_ = 0;
  double seconds_before_ = 0;
  std::optional<Digest> salt_, run_;
};

}  // namespace ppdnmf::site

#endif  // PPDNMF_SITE_RUN_LOG_H_
