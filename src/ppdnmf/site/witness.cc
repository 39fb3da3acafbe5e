#include <ppdnmf/site/witness.h>

#include <fmt/format.h>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/identity/day.h>
#include <ppdnmf/protocol/roll_call.h>
#include <ppdnmf/site/internal/today.h>

namespace ppdnmf::site {
namespace {

using logbook::Entry;

// Of one neighbour between two steps of the run: a hostile one must not fill the disk.
constexpr int kMaxLines = 16;
constexpr int kMaxRefusals = 100;
constexpr std::string_view kOfRun = "run";

}  // namespace

std::string_view ending_words(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "refused: the settings, the files or the state do not fit";
    case ErrorCode::kInvalidData:
      return "refused: the data do not fit";
    case ErrorCode::kFile:
      return "a file could not be read or written";
    case ErrorCode::kNumeric:
      return "numbers out of range";
    case ErrorCode::kPeer:
      return "a neighbour gave up or misbehaved";
    case ErrorCode::kInterrupted:
      return "interrupted";
    case ErrorCode::kUnheard:
    case ErrorCode::kInternal:
      break;
  }
  return "a defect";
}

Witness::Witness(logbook::Logbook book, const DaemonConfig& config, const member::Participant& participant, RunLog& log)
    : book_(std::move(book)),
      config_(config),
      participant_(participant),
      log_(log),
      call_(protocol::run_id(config.consortium->digest())) {}

const identity::PublicIdentity& Witness::identity_of(AgentId id) const {
  return config_.consortium->content().members[id.value].identity;
}

Status Witness::add(std::vector<Entry> entries) { return book_.append(entries, today()); }

Status Witness::began() {
  std::vector<Entry> entries = {Entry(logbook::kBegan)
                                    .with("version", config_.version)
                                    .with("restarts", static_cast<std::int64_t>(log_.restarts()))};
  if (const auto& approval = config_.approval) {
    // Its signature is on everything that it says, its salt included, so nobody can try out data.
    entries.push_back(Entry(logbook::kApproved)
                          .with("by", approval->steward)
                          .with("until", identity::day_text(approval->until))
                          .with("digest", hex(sha256(approval->signature))));
  }
  return add(std::move(entries));
}

Status Witness::debited(double rho) { return add({Entry(logbook::kDebited).with("rho", fmt::format("{:.6g}", rho))}); }

Status Witness::stepped() {
  const auto& digest = participant_.digest();
  if (!digest) return {};
  if (!log_.salt()) log_.keep_salt(logbook::salt_of(participant_.nonces()));
  if (run_said_) return {};
  PPDNMF_TRY_STATUS(add({Entry(logbook::kRun).with("digest", hex(*digest))}));
  log_.keep_run(*digest);
  run_said_ = true;
  return {};
}

Status Witness::took(const Seen& seen) {
  if (unsaid_) {
    PPDNMF_TRY_STATUS(put(unsaid_->first, unsaid_->second));
    unsaid_.reset();
  }
  return opened(seen);
}

Status Witness::opened(const Seen& seen) {
  const logbook::Statement& statement = seen.statement;
  if (!seen.known || seen.of != kOfRun || statement.kind != "total" || statement.number < opened_) return {};
  PPDNMF_TRY_STATUS(add({Entry(logbook::kOpened)
                             .with("totals", static_cast<std::int64_t>(statement.number + 1))
                             .with("digest", hex(statement.digest))}));
  opened_ = statement.number + 1;
  return {};
}

Witness::Seen Witness::name(AgentId from, AgentId to, const protocol::Message& message) const {
  Seen out;
  const bool in_call = message.run == call_;
  const protocol::Agent* agent = participant_.agent();
  if (!in_call && (!log_.salt() || !log_.run() || (agent != nullptr && message.run != agent->run()))) return out;
  out.known = true;
  out.of = in_call ? "roll call" : kOfRun;
  out.statement.consortium = config_.consortium->digest();
  if (!in_call) out.statement.run = *log_.run();
  out.statement.from = identity_of(from).name();
  out.statement.to = identity_of(to).name();
  out.statement.kind = logbook::kind_of(message);
  out.statement.number = logbook::number_of(message);
  // Nonces are all that the roll call says, and nobody guesses those.
  const Digest& salt = in_call ? config_.consortium->digest() : *log_.salt();
  out.statement.digest = logbook::salted(salt, logbook::content_digest(message));
  return out;
}

Witness::Seen Witness::look_at(AgentId from, const wire::Letter& letter) const {
  Seen out = name(from, config_.self, letter.message);
  out.vouched = !out.known || !logbook::is_signed(out.statement.kind) ||
                identity_of(from).verify(text_of(out.statement), letter.signature);
  return out;
}

bool Witness::is_new(AgentId peer, bool sent, const logbook::Statement& statement) {
  const auto [last, fresh] = last_.try_emplace({peer, sent, statement.kind}, statement.digest);
  if (!fresh && last->second == statement.digest) return false;
  last->second = statement.digest;
  return true;
}

bool Witness::may_speak(AgentId peer) {
  Allowance& allowance = allowances_[peer];
  if (allowance.progress != participant_.progress()) {
    allowance.progress = participant_.progress();
    allowance.lines = 0;
  }
  if (allowance.lines < kMaxLines) return ++allowance.lines, true;
  return false;
}

Result<Bytes> Witness::leaves(AgentId to, const protocol::Message& message) {
  const Seen named = name(config_.self, to, message);
  if (!named.known) return Bytes();
  const logbook::Statement& statement = named.statement;
  PPDNMF_TRY_STATUS(opened(named));
  if (is_new(to, true, statement)) {
    auto added = add({Entry(logbook::kSent)
                          .with("to", std::string(statement.to))
                          .with("of", std::string(named.of))
                          .with("kind", std::string(statement.kind))
                          .with("number", static_cast<std::int64_t>(statement.number))
                          .with("bytes", static_cast<std::int64_t>(protocol::content_size(message)))
                          .with("digest", hex(statement.digest))});
    if (!added) {
      last_.erase({to, true, statement.kind});
      return tl::unexpected(std::move(added).error());
    }
  }
  return logbook::is_signed(statement.kind) ? config_.identity->sign(text_of(statement)) : Bytes();
}

Status Witness::arrived(AgentId from, const wire::Letter& letter, const Seen& seen) {
  if (unsaid_) ++allowances_[unsaid_->first].skipped;
  unsaid_.reset();
  const logbook::Statement& statement = seen.statement;
  if (!seen.known || !is_new(from, false, statement)) return {};
  Entry received = Entry(logbook::kReceived)
                       .with("from", std::string(statement.from))
                       .with("of", std::string(seen.of))
                       .with("kind", std::string(statement.kind))
                       .with("number", static_cast<std::int64_t>(statement.number))
                       .with("bytes", static_cast<std::int64_t>(protocol::content_size(letter.message)))
                       .with("digest", hex(statement.digest));
  if (logbook::is_signed(statement.kind)) received.with("signature", base64(letter.signature));
  if (!may_speak(from)) {
    unsaid_.emplace(from, std::move(received));
    return {};
  }
  auto added = put(from, std::move(received));
  if (!added) last_.erase({from, false, statement.kind});
  return added;
}

Status Witness::put(AgentId from, Entry received) {
  std::vector<Entry> entries;
  std::int64_t& skipped = allowances_[from].skipped;
  if (skipped > 0) {
    entries.push_back(Entry(logbook::kSkipped).with("from", identity_of(from).name()).with("messages", skipped));
  }
  entries.push_back(std::move(received));
  PPDNMF_TRY_STATUS(add(std::move(entries)));
  skipped = 0;
  return {};
}

Status Witness::refused(std::optional<AgentId> who, std::string_view why) {
  if (refusals_ >= kMaxRefusals) return {};
  PPDNMF_TRY_STATUS(add({Entry(logbook::kRefused)
                             .with("who", who ? identity_of(*who).name() : std::string("a stranger"))
                             .with("why", std::string(why))}));
  ++refusals_;
  return {};
}

Status Witness::ended(std::string_view how) {
  PPDNMF_TRY_STATUS(add({Entry(logbook::kEnded).with("how", std::string(how))}));
  return book_.sign(*config_.identity, today());
}

}  // namespace ppdnmf::site
