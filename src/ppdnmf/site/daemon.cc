#include <ppdnmf/site/daemon.h>

#include <fmt/ranges.h>

#include <utility>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/columns.h>
#include <ppdnmf/consortium/dialling.h>
#include <ppdnmf/consortium/member_data.h>
#include <ppdnmf/consortium/run_settings.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/persons.h>
#include <ppdnmf/data/unit.h>
#include <ppdnmf/doctor/doctor.h>
#include <ppdnmf/identity/entropy.h>
#include <ppdnmf/io/npy.h>
#include <ppdnmf/io/sparse.h>
#include <ppdnmf/member/agent_maker.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/protocol/own_comparison.h>
#include <ppdnmf/site/debit.h>
#include <ppdnmf/site/internal/today.h>
#include <ppdnmf/site/session.h>
#include <ppdnmf/site/witness.h>

namespace ppdnmf::site {
namespace {

// Of the arithmetic and the form of a state: raised when the same messages would give other numbers, or a state of the
// version before cannot be read.
constexpr const char* kNumerics = "2";
// No state is longer; a run whose would be does not fit any machine of today.
constexpr std::uint64_t kMaxStateBytes = std::uint64_t{1} << 36U;

net::TransportConfig transport_config(const DaemonConfig& config, const std::vector<AgentId>& neighbours,
                                      std::size_t max_payload) {
  const consortium::Consortium& consortium = config.consortium->content();
  net::TransportConfig transport;
  transport.self = config.identity;
  transport.about = doctor::about_consortium(config.consortium->digest());
  transport.max_message_bytes = max_payload + wire::kMaxEnvelopeOverhead;
  transport.max_queued_bytes = 3 * transport.max_message_bytes;
  transport.times = config.times;
  transport.proxy = config.proxy;
  transport.relay = doctor::relay_of(*config.consortium);
  bool listens = false;
  for (const AgentId id : neighbours) {
    const consortium::Member& member = consortium.members[id.value];
    net::PeerConfig peer{id, member.identity};
    if (consortium::dials(consortium, config.self, id)) {
      peer.dial = member.address;
      peer.dial_at_relay = consortium.relay.has_value();
    } else {
      listens = true;
    }
    transport.peers.push_back(std::move(peer));
  }
  if (listens) transport.listen = config.listen ? config.listen : consortium.members[config.self.value].address;
  return transport;
}

std::function<Status(Index)> accept_columns(const DaemonConfig& config) {
  if (config.consortium->content().throw_away_seed) return nullptr;  // there is nothing to protect
  return [&consortium = *config.consortium, self = config.self, own = config.data.columns()](Index total) {
    return consortium::check_columns(consortium, self, own, total);
  };
}

std::function<Status(double)> accept_cap(const DaemonConfig& config) {
  return [&config](double cap) {
    return consortium::check_crowd(*config.consortium, config.self, config.data.view(), config.data.row_names, cap);
  };
}

Result<member::AgentParts> parts_of(const DaemonConfig& config) {
  const consortium::Consortium& content = config.consortium->content();
  auto members = std::make_shared<std::vector<crypto::IdentityBytes>>();
  for (const consortium::Member& member : content.members) members->push_back(member.identity.x25519());
  PPDNMF_TRY(const protocol::RunSettings settings, consortium::run_settings(*config.consortium, config.known));
  if (auto fits = consortium::check_start_from(config.start_from, content); !fits) {
    return config.start_from ? at("`start_from`", std::move(fits).error()) : tl::unexpected(std::move(fits).error());
  }
  if (auto fits = consortium::check_known(config.known.get(), content); !fits)
    return config.known ? at("`known`", std::move(fits).error()) : tl::unexpected(std::move(fits).error());
  return member::AgentParts{config.consortium->digest(),
                            settings,
                            protocol::key_options(content.settings),
                            config.consortium->graph(),
                            std::move(members),
                            config.self,
                            data::of_persons(config.data.view(), config.persons),
                            content.throw_away_seed,
                            config.start_from,
                            accept_columns(config),
                            accept_cap(config)};
}

// Of everything that a part of this member depends on.
Digest data_digest(const DaemonConfig& config) {
  const io::Table& data = config.data;
  const bool dense = !data.nonzeros && data.elsewhere() == nullptr;
  const Digest values = dense ? consortium::matrix_digest(data.values) : io::values_digest(data);
  if (config.persons.empty()) return values;
  ByteWriter persons;
  for (const std::string& person : config.persons) persons.put_string(person);
  return sha256({values, persons.take()});
}

AgentOutcome outcome_of(const DaemonConfig& config, const member::AgentParts& parts,
                        const member::Participant& participant, const RunLog& log,
                        const std::vector<std::string>& names, double seconds, const std::string& because) {
  const protocol::Agent& agent = *participant.agent();
  AgentOutcome outcome;
  outcome.version = config.version;
  outcome.self = config.self;
  outcome.members = names;
  outcome.edges = parts.graph.edges();
  outcome.settings = parts.settings;
  if (!outcome.settings.data_scale) protocol::take_scale(outcome.settings, agent.data_scale().value_or(1));
  outcome.consortium = parts.consortium;
  outcome.run = *participant.digest();
  outcome.throw_away_seed = parts.throw_away_seed;
  outcome.dropped = agent.dropped_rows();
  outcome.X = agent.X();
  outcome.Y = agent.Y();
  outcome.V = agent.V();
  if (const protocol::RankSearch* search = agent.scheme().search(); search != nullptr && search->choice) {
    outcome.search = report::make_rank_record(search->tried, *search->choice, parts.settings.loss,
                                              outcome.settings.data_scale.value_or(1));
  }
  outcome.row_names = config.data.row_names;
  outcome.column_names = config.data.column_names;
  outcome.pictures = config.pictures;
  outcome.history = log.history();
  outcome.because = because;
  outcome.seconds = seconds;
  outcome.restarts = log.restarts();
  outcome.peers = log.peers();
  for (std::size_t n = 0; n < outcome.peers.size(); ++n) {
    outcome.peers[n].name = names[parts.graph.neighbours(config.self)[n].value];
  }
  outcome.warnings = config.warnings;
  outcome.persons = !config.persons.empty();
  return outcome;
}

// What Y comes to, on this agent's own columns; its draws follow from nothing secret.
void work_out_exposures(const DaemonConfig& config, Executor& executor, AgentOutcome& outcome) {
  const Seed draws = Seed::from_number(outcome.throw_away_seed.value_or(1));
  const Matrix X = outcome.V.size() != 0 ? Matrix(outcome.X + outcome.V) : outcome.X;
  nmf::Exposures exposures =
      nmf::work_out(outcome.settings.loss, X, config.data.view(), outcome.Y, config.exposures, draws, executor);
  outcome.exposures = report::exposure_record(config.exposures, exposures.before, exposures.now);
  outcome.intervals = std::move(exposures.intervals);
}

// Whether the common X may have been planted, as far as this agent can tell from its own columns: for the log alone,
// since it tells of them.
void compare_with_own(const DaemonConfig& config, const protocol::RunSettings& s, const Matrix& X,
                      const DaemonListener& listener) {
  if (s.scheme != protocol::SchemeKind::kMoments || !s.privacy) return;
  const auto start = [&s, rank = X.cols()](int number) {
    return nmf::common_start(nmf::Start::kRandom, s.rows, rank, Seed::from_number(1),
                             static_cast<std::uint64_t>(number));
  };
  const data::SharedColumns own = data::unit_columns(config.data.view(), s.privacy->normalise);
  if (const auto ratio = protocol::error_beside_own(own, X, start)) listener.log(protocol::own_comparison_note(*ratio));
}

constexpr const char* kSoFar = "X_so_far.npy";

// For the case that the run never goes on: the others may agree to continue from here. Between neighbours everybody has
// an X of its own until the end.
void keep_X(const DaemonConfig& config, const protocol::RunSettings& settings, const protocol::Agent* agent,
            const DaemonListener& listener) {
  const bool common = settings.scheme == protocol::SchemeKind::kSum && !settings.privacy && !settings.searches();
  if (!common || agent == nullptr || !agent->iterating() || agent->rounds_completed() == 0) return;
  if (io::write_npy(config.folder / kSoFar, agent->X())) {
    listener.log(fmt::format("the common X so far is in {}", (config.folder / kSoFar).string()));
  }
}

ProgressLine port_taken() {
  ProgressLine line;
  line.phase = AgentPhase::kPortTaken;
  return line;
}

Status load(const journal::SavedState& saved, member::Participant& participant, RunLog& log) {
  ByteReader in(saved.content.span());
  log.load(in);
  const ByteSpan state = in.view_bytes();
  PPDNMF_TRY_STATUS(in.status());
  return participant.load(state, saved.number);
}

// What an earlier process left in the folder, if there is something.
Status take_up(const DaemonConfig& config, const DaemonListener& listener, journal::Journal& journal,
               member::Participant& participant, RunLog& log) {
  auto saved = journal.take_saved();
  if (!saved) return {};
  if (saved->other_damaged) listener.log("the last state was torn; the one before it is taken");
  if (auto loaded = load(*saved, participant, log); !loaded)
    return at((config.folder / "journal").string(), std::move(loaded).error());
  if (participant.done()) return {};
  listener.log(participant.leaving() ? "the run has ended; serving neighbours that did not hear the end"
                                     : "going on with the run in this folder");
  return {};
}

// Whoever chose the port may choose another one.
Result<std::unique_ptr<net::Transport>> open_transport(const net::TransportConfig& settings,
                                                       const DaemonListener& listener) {
  auto opened = net::Transport::open(settings);
  if (!opened && settings.listen) listener.progress(port_taken());
  return opened;
}

Result<Witness> open_witness(const DaemonConfig& config, const DaemonListener& listener,
                             const member::Participant& participant, RunLog& log) {
  logbook::Subject subject;
  subject.version = config.version;
  subject.consortium = config.consortium->digest();
  subject.self = &config.identity->public_identity();
  for (const consortium::Member& member : config.consortium->content().members) {
    subject.members.push_back(&member.identity);
  }
  PPDNMF_TRY(logbook::Logbook book, logbook::Logbook::open(config.folder, subject, today()));
  for (const std::string& note : book.notes()) listener.log(note);
  return Witness(std::move(book), config, participant, log);
}

}  // namespace

std::string words_for_unheard(const std::vector<std::string>& names) {
  return fmt::format(
      "the results are complete, but {} did not say goodbye: if it missed the end, the same command serves "
      "it again",
      fmt::join(names, ", "));
}

Result<DaemonResult> run_daemon(const DaemonConfig& config, Executor& executor, const DaemonListener& listener) {
  const consortium::CheckedConsortium& consortium = *config.consortium;
  const consortium::Consortium& content = consortium.content();
  PPDNMF_TRY(const member::AgentParts parts, parts_of(config));
  std::vector<std::string> names;
  for (const consortium::Member& member : content.members) names.push_back(member.identity.name());
  PPDNMF_TRY_STATUS(member::validate(parts));
  PPDNMF_TRY_STATUS(debit_of(config, parts.settings, {}).map([](const auto&) {}));  // before there is a journal

  const journal::JournalBinding binding{data_digest(config), parts.consortium,
                                        config.identity->public_identity().fingerprint(), kNumerics};
  PPDNMF_TRY(journal::Journal journal, journal::Journal::open(config.folder / "journal", binding, kMaxStateBytes));
  const std::vector<AgentId> neighbours = parts.graph.neighbours(config.self);
  member::Participant participant(member::participant_config(parts, config.identity->x25519(), executor),
                                  identity::draw_seed());
  RunLog log(neighbours, today());
  PPDNMF_TRY_STATUS(take_up(config, listener, journal, participant, log));
  DaemonResult result;
  if (participant.done()) {
    result.notes.emplace_back("the run in this folder has ended; its results are there");
    return result;
  }

  PPDNMF_TRY(const std::optional<Debit> debit, debit_of(config, parts.settings, participant.nonce()));
  if (debit && !participant.leaving()) PPDNMF_TRY_STATUS(debit->check());

  PPDNMF_TRY(const std::unique_ptr<net::Transport> transport,
             open_transport(transport_config(config, neighbours, member::max_payload_bytes(parts)), listener));
  PPDNMF_TRY(Witness witness, open_witness(config, listener, participant, log));
  SessionParts of_session{
      &journal, &participant, transport.get(), &log, &witness, names, neighbours, content.settings.max_seconds, {}, {}};
  if (debit) {
    of_session.before_first_message = [&]() -> Status {
      PPDNMF_TRY_STATUS(debit->take());
      PPDNMF_TRY_STATUS(witness.debited(debit->rho));
      listener.log(fmt::format("rho = {:.4g} of this run is debited to {} in {}", debit->rho, debit->data_name,
                               debit->ledger.string()));
      return {};
    };
  }
  Session* running = nullptr;
  of_session.write_results = [&](const std::string& because) -> Status {
    AgentOutcome outcome = outcome_of(config, parts, participant, log, names, running->seconds(), because);
    work_out_exposures(config, executor, outcome);
    PPDNMF_TRY_STATUS(config.data.unchanged());
    PPDNMF_TRY(std::vector<std::string> more, write_outcome(config.folder, outcome));
    result.notes.insert(result.notes.end(), more.begin(), more.end());
    compare_with_own(config, parts.settings, participant.agent()->X(), listener);
    std::error_code ignored;  // it may not be there
    std::filesystem::remove(config.folder / kSoFar, ignored);
    return {};
  };
  Session session(config, listener, std::move(of_session));
  running = &session;
  if (auto ended = session.run(); !ended) {
    keep_X(config, parts.settings, participant.agent(), listener);
    return tl::unexpected(std::move(ended).error());
  }
  for (const AgentId id : participant.waiting_for()) result.unheard.push_back(names[id.value]);
  return result;
}

}  // namespace ppdnmf::site
