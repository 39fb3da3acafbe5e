// A member's process: a Participant with a network, a journal and a clock.
//
// One thread does everything but the network, whose threads stand beside it: while a step computes, streams stay open
// and take one message per neighbour. What a step asked to save is on the disk before anything of it leaves. If the
// disk is full nothing leaves, and it tries again.
//
// Memory: the transport's bound (net/transport.h) for messages of max_payload_bytes (member/agent_maker.h), the agent
// itself, and while a step is carried out, each message that leaves it once more.
#ifndef PPDNMF_SITE_DAEMON_H_
#define PPDNMF_SITE_DAEMON_H_

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/consortium/approval.h>
#include <ppdnmf/consortium/check.h>
#include <ppdnmf/identity/private_identity.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/net/transport.h>
#include <ppdnmf/nmf/exposures.h>
#include <ppdnmf/report/reference.h>
#include <ppdnmf/site/outcome.h>
#include <ppdnmf/site/progress_line.h>
#include <ppdnmf/site/status.h>

namespace ppdnmf::site {

struct DaemonConfig {
  const consortium::CheckedConsortium* consortium = nullptr;
  AgentId self;
  const identity::PrivateIdentity* identity = nullptr;
  io::Table data;                                  // arranged as the consortium says (consortium/member_data.h)
  report::Pictures pictures;                       // of the report
  nmf::ExposureOptions exposures;                  // what is worked out for Y
  std::optional<Matrix> start_from;                // the X from which the consortium continues, if it does
  std::shared_ptr<const nmf::KnownColumns> known;  // the columns of X that the consortium keeps, if it does
  std::filesystem::path folder;                    // there; results and the journal go into it
  std::optional<identity::Address> listen;         // nothing: the address in the consortium, if somebody dials us
  std::optional<net::Proxy> proxy;                 // neighbours and the relay are dialled through it
  std::string version;
  std::vector<std::string> warnings;             // for the report
  std::filesystem::path ledger;                  // private runs: the file of budgets (identity/ledger_file.h),
  std::string data_name;                         // and the owner's name for these data in it
  std::optional<consortium::Approval> approval;  // checked; nothing: the file names no steward for this member
  bool exact_anyway = false;                     // exact totals of columns that have been in private runs
  bool rows_have_names = false;                  // in the owner's file: the ledger knows columns by their order then
  std::vector<std::string> persons;  // private runs: whose each column is; empty: nobody said (data/persons.h)
  std::chrono::seconds linger{60};   // after the end, for neighbours that miss the last messages
  std::chrono::seconds max_wait{0};  // in which no message brings the run further; 0: for ever
  net::TransportTimes times;
};

// What the daemon says while it runs; called on its thread.
struct DaemonListener {
  std::function<void(int iterations)> begins;  // everything is read and checked; at most this many follow; may be empty
  std::function<void(const std::string& sentence)> log;
  std::function<void(const ProgressLine& progress)> progress;
  std::function<void(const AgentStatus& status)> status;  // with every progress, as status.json has it; may be empty
  std::function<bool()> interrupted;  // asked a few times a second; true: end now, the same command resumes
};

struct DaemonResult {
  std::vector<std::string> notes;    // for the operator
  std::vector<std::string> unheard;  // neighbours that did not say goodbye: they may have missed the end
};
// One sentence about such neighbours.
[[nodiscard]] std::string words_for_unheard(const std::vector<std::string>& names);

// Takes part until the run has ended and its results are in the folder. Takes a run up again that an earlier process
// left in the folder; in a folder whose run has ended it serves neighbours that did not hear the end, or returns at
// once. A run by sums that is left before its end leaves its common X so far as X_so_far.npy, for a consortium without
// a lost member. A private run is debited to its ledger once, before anything leaves.
// Fails with kUsage (settings, addresses, a folder of another run or an old copy, another X to continue from, no budget
// left), kFile, kPeer (a neighbour gave up or misbehaves), kInvalidData, kNumeric, kInterrupted.
[[nodiscard]] Result<DaemonResult> run_daemon(const DaemonConfig& config, Executor& executor,
                                              const DaemonListener& listener);

}  // namespace ppdnmf::site

#endif  // PPDNMF_SITE_DAEMON_H_
