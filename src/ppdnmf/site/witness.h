// What a session puts on record (logbook/logbook.h): what leaves and comes, what was opened, refused and how it ended.
// It signs parts and totals that leave, and holds those that come against their senders' signatures.
#ifndef PPDNMF_SITE_WITNESS_H_
#define PPDNMF_SITE_WITNESS_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <ppdnmf/logbook/letters.h>
#include <ppdnmf/logbook/logbook.h>
#include <ppdnmf/member/participant.h>
#include <ppdnmf/site/daemon.h>
#include <ppdnmf/site/run_log.h>
#include <ppdnmf/wire/envelope.h>

namespace ppdnmf::site {

class Witness {
 public:
  // Everything outlives it. The salt of the run is kept in `log`, since a farewell has no nonces any more.
  Witness(logbook::Logbook book, const DaemonConfig& config, const member::Participant& participant, RunLog& log);

  // Each fails with kFile as Logbook::append does, and may then be repeated.
  [[nodiscard]] Status began();
  [[nodiscard]] Status debited(double rho);
  // Whatever a step has made known: the run's digest.
  [[nodiscard]] Status stepped();
  // Before a message leaves. The signature that goes with it; empty: its kind has none.
  [[nodiscard]] Result<Bytes> leaves(AgentId to, const protocol::Message& message);
  // What came, as logs name it.
  struct Seen {
    logbook::Statement statement;
    std::string_view of;
    bool known = false;    // false: a message of a run that is not known here; the participant does not take it
    bool vouched = false;  // its sender has signed it, or its kind needs no signature
  };
  [[nodiscard]] Seen look_at(AgentId from, const wire::Letter& letter) const;
  // After a message came that is vouched for. A neighbour that talks too much is not put on record at once.
  [[nodiscard]] Status arrived(AgentId from, const wire::Letter& letter, const Seen& seen);
  // After that message brought the run further, which is on record however much was said before it: it may be a total,
  // which is known here now. (Who makes totals knows them when the first leaves.)
  [[nodiscard]] Status took(const Seen& seen);
  // Nobody: a stranger.
  [[nodiscard]] Status refused(std::optional<AgentId> who, std::string_view why);
  // `how`: the run's own words, or a kind of failure; no sentence, which could tell of data.
  [[nodiscard]] Status ended(std::string_view how);

 private:
  [[nodiscard]] Seen name(AgentId from, AgentId to, const protocol::Message& message) const;
  [[nodiscard]] bool is_new(AgentId peer, bool sent, const logbook::Statement& statement);
  [[nodiscard]] bool may_speak(AgentId peer);
  [[nodiscard]] Status put(AgentId from, logbook::Entry received);
  [[nodiscard]] Status opened(const Seen& seen);
  [[nodiscard]] Status add(std::vector<logbook::Entry> entries);
  [[nodiscard]] const identity::PublicIdentity& identity_of(AgentId id) const;

  logbook::Logbook book_;
  const DaemonConfig& config_;
  const member::Participant& participant_;
  RunLog& log_;
  RunId call_;
  bool run_said_ = false;
  std::uint64_t opened_ = 0;                                            // totals
  std::map<std::tuple<AgentId, bool, std::string_view>, Digest> last_;  // of each kind, to and from each peer
  struct Allowance {
    std::uint64_t progress = 0;
    int lines = 0;
    std::int64_t skipped = 0;
  };
  std::map<AgentId, Allowance> allowances_;
  std::optional<std::pair<AgentId, logbook::Entry>> unsaid_;  // what came last, if it is not on record
  int refusals_ = 0;
};

// What a log says of how a process ended with this error.
[[nodiscard]] std::string_view ending_words(ErrorCode code);

}  // namespace ppdnmf::site

#endif  // PPDNMF_SITE_WITNESS_H_
