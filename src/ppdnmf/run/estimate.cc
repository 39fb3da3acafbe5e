#include <ppdnmf/run/estimate.h>

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include <ppdnmf/crypto/packing.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/nmf/admm_x_step.h>
#include <ppdnmf/nmf/admm_y_step.h>
#include <ppdnmf/nmf/descent.h>
#include <ppdnmf/nmf/penalties.h>
#include <ppdnmf/nmf/second_moments.h>
#include <ppdnmf/protocol/message.h>
#include <ppdnmf/protocol/moments_scheme.h>
#include <ppdnmf/protocol/sum_scheme.h>
#include <ppdnmf/run/timed_masks.h>
#include <ppdnmf/sim/ciphers.h>

namespace ppdnmf::run {
namespace {

std::uint64_t allocated_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// One agent's numerics: the X updates of a round, and what comes once per iteration.
struct Numerics {
  double round = 0;
  double iteration = 0;
};

Numerics time_numerics(const protocol::RunSettings& s, const DataSize& size) {
  const Matrix X = draw_matrix(1, s.rows, s.rank);
  nmf::AdmmXStep left(X, s.updates, 1);
  nmf::AdmmYStep right(s.rank, draw_columns(2, size));
  Numerics seconds;
  seconds.iteration = seconds_of([&] {
    right.solve(X, nmf::automatic_eta(X), s.admm_y);
    left.begin(right.moments(), nmf::automatic_mu(nmf::left_curvature(right.Y())));
  });
  seconds.round = seconds_of([&] { left.update(1, s.local_rounds); });
  return seconds;
}

// One agent's cipher on a sample of ciphertexts.
struct Crypto {
  double key = 0;    // key pair and tables for it
  double peer = 0;   // tables for one neighbour's key
  double query = 0;  // per round
  double reply = 0;  // per round and neighbour
  double open = 0;   // per round
  std::uint64_t payload = 0;
  std::uint64_t key_memory = 0;
  std::uint64_t peer_memory = 0;
};

// Three agents who all know each other, with as many entries as fill a sample of an agent's ciphertexts.
class CryptoSample {
 public:
  [[nodiscard]] static Result<CryptoSample> make(const protocol::RunSettings& settings,
                                                 const crypto::KeyOptions& keys) {
    PPDNMF_TRY(const crypto::Packing packing,
               crypto::Packing::create(keys.bits, static_cast<std::size_t>(settings.sum_bits())));
    CryptoSample sample;
    sample.settings_ = settings;
    sample.ciphertexts_ = packing.plaintexts_for(settings.entries());
    constexpr std::size_t kSample = 16;
    sample.sampled_ = std::min(sample.ciphertexts_, kSample);
    protocol::RunSettings small = settings;
    small.rank = 1;
    small.rows = static_cast<Index>(sample.sampled_ * packing.slots()) - (settings.secret_weights() ? 1 : 0);
    sample.numbers_.assign(small.entries(), 12345);
    PPDNMF_TRY(const protocol::Graph graph, protocol::Graph::create(kAgents, {{0, 1}, {0, 2}, {1, 2}}));
    PPDNMF_TRY(const sim::CipherFactory factory, sim::paillier_ciphers(small, graph, keys, 1, serial_executor()));
    for (std::uint32_t i = 0; i < kAgents; ++i) sample.agents_.push_back(factory(AgentId{i}));
    return sample;
  }

  [[nodiscard]] Result<Crypto> time() {
    Crypto c;
    PPDNMF_TRY_STATUS(time_keys(c));
    PPDNMF_TRY_STATUS(time_exchange(c));
    return c;
  }

 private:
  static constexpr std::uint32_t kAgents = 3;
  static constexpr std::uint32_t kPairs = kAgents * (kAgents - 1);

  CryptoSample() = default;

  // Ciphertexts are worked on eight at a time.
  [[nodiscard]] double scale() const {
    constexpr double kLanes = 8;
    const auto groups = [](std::size_t count) { return std::ceil(static_cast<double>(count) / kLanes); };
    return groups(ciphertexts_) / groups(sampled_);
  }

  [[nodiscard]] Status time_keys(Crypto& c) {
    const std::uint64_t before = allocated_bytes();
    const double keys = seconds_of([&] {
      for (const auto& agent : agents_) (void)agent->greeting(AgentId{agent == agents_[0] ? 1U : 0U});
    });
    c.key = keys / kAgents;
    const std::uint64_t between = std::max(before, allocated_bytes());
    c.key_memory = (between - before) / kAgents;
    Status accepted;
    const double tables = seconds_of([&] {
      for (std::uint32_t pair = 0; pair < kAgents * kAgents; ++pair) {
        const std::uint32_t from = pair / kAgents;
        const std::uint32_t to = pair % kAgents;
        if (from == to || !accepted) continue;
        accepted = agents_[to]->accept_greeting(AgentId{from}, agents_[from]->greeting(AgentId{to}));
      }
    });
    c.peer = tables / kPairs;
    c.peer_memory = (std::max(between, allocated_bytes()) - between) / kPairs;
    return accepted;
  }

  // Agent 0 asks, the others answer.
  [[nodiscard]] Status time_exchange(Crypto& c) {
    const protocol::Round round{1, 1};
    Result<Bytes> query = Bytes();
    c.query = scale() * seconds_of([&] { query = agents_[0]->make_query(round, numbers_); });
    PPDNMF_TRY(const Bytes asked, std::move(query));
    const std::int64_t weight = (std::int64_t{1} << settings_.multiplier_bits()) - 1;
    std::vector<Bytes> replies;
    for (std::uint32_t j = 1; j < kAgents; ++j) {
      Result<Bytes> reply = Bytes();
      c.reply += scale() / (kAgents - 1) * seconds_of([&] {
                   reply = agents_[j]->make_reply(round, AgentId{0}, asked, {weight, numbers_, {}});
                 });
      PPDNMF_TRY(Bytes answer, std::move(reply));
      replies.push_back(std::move(answer));
    }
    const protocol::neighbours::ReceivedReply received[] = {{AgentId{1}, replies[0]}, {AgentId{2}, replies[1]}};
    // As printed, each is opened alone.
    const std::size_t opened = settings_.scheme == protocol::SchemeKind::kHardened ? 2 : 1;
    c.open = scale() * seconds_of([&] { (void)agents_[0]->open(round, std::span(received).first(opened)); });
    c.payload = asked.size() / sampled_ * ciphertexts_;
    return {};
  }

  protocol::RunSettings settings_;
  std::size_t ciphertexts_ = 0;  // of a message
  std::size_t sampled_ = 0;
  std::vector<std::int64_t> numbers_;
  std::vector<std::unique_ptr<protocol::neighbours::Cipher>> agents_;
};

Result<RunEstimate> estimate_sums(const protocol::RunSettings& s, const protocol::Graph& graph, const DataSize& size,
                                  bool masks, std::size_t threads) {
  const auto agents = static_cast<double>(graph.agents());
  const std::uint64_t tree_edges = graph.agents() - 1;
  const std::size_t words = protocol::SumScheme::words(s);
  const Index all_columns = size.all_columns();
  Masks m;
  if (masks) {
    PPDNMF_TRY(m, time_masks(graph.agents(), words));
  }
  // Two iterations of the descent on data of an agent's size; the second is the one that counts.
  const Index own = size.columns_of_one();
  const std::shared_ptr<const nmf::Loss> loss = protocol::loss_of(s);
  const auto holder = std::make_unique<nmf::Holder>(draw_columns(2, size), serial_executor(), loss);
  holder->begin(s.rank, 1);
  nmf::Descent descent(
      {s.iterations, 1}, [&](int) { return draw_matrix(1, s.rows, s.rank); }, loss);
  PPDNMF_TRY_STATUS(descent.begin(holder->common()));
  nmf::Moments moments = holder->answer(descent.request());
  double common = seconds_of([&] { (void)descent.absorb(moments); });
  const double answer = seconds_of([&] { moments = holder->answer(descent.request()); });
  const Bytes bytes(words * sizeof(protocol::Word));
  common += agents * seconds_of([&] { (void)sha256(bytes); });

  RunEstimate e;
  e.rounds = static_cast<std::uint64_t>(s.iterations);
  const double stepping = std::min(static_cast<double>(threads), agents);
  const auto leaves = static_cast<double>(data::leaves(s.rows, own).size());
  const double solving = std::min(static_cast<double>(threads), agents * leaves);
  e.seconds_start_up = agents * m.agree / stepping;
  e.seconds_per_round = common + agents * (answer / solving + m.apply / stepping);
  e.seconds = e.seconds_start_up + static_cast<double>(e.rounds) * e.seconds_per_round;
  e.bytes_per_message = protocol::content_size({{}, protocol::Partial{0, false, {}, bytes}});
  e.bytes =
      e.rounds * tree_edges * (e.bytes_per_message + protocol::content_size({{}, protocol::Total{0, false, bytes}}));
  const auto factor = static_cast<std::uint64_t>(s.rows * s.rank) * sizeof(double);
  const auto coordinates = static_cast<std::uint64_t>(s.rank * all_columns) * sizeof(double);
  constexpr std::uint64_t kProgram = 16 << 20;
  // Per agent: about 8 matrices of the factor's size, its words, and messages on their way.
  e.memory_bytes = kProgram + size.bytes() + 4 * coordinates + graph.agents() * (8 * factor + 4 * bytes.size());
  return e;
}

// All starts of a rank of medium size stand for every rank: all ranks of the range, though most searches end early.
Result<RunEstimate> estimate_search(const protocol::RunSettings& s, const protocol::Graph& graph, const DataSize& size,
                                    bool masks, std::size_t threads) {
  protocol::RunSettings medium = s;
  medium.rank = (s.least_rank + s.rank + 1) / 2;
  medium.least_rank = 0;
  medium.starts = 1;
  PPDNMF_TRY(RunEstimate e, estimate_sums(medium, graph, size, masks, threads));
  const auto starts = static_cast<std::uint64_t>(s.starts);
  e.rounds = s.most_rounds();
  e.seconds_per_round *= static_cast<double>(starts);
  e.seconds = e.seconds_start_up + static_cast<double>(e.rounds) * e.seconds_per_round;
  e.bytes_per_message *= starts;
  e.bytes = 2 * e.rounds * (graph.agents() - 1) * e.bytes_per_message;
  e.opened = e.rounds * starts * protocol::SumScheme::words(medium);
  // Every start has columns of its own.
  e.memory_bytes = starts * (e.memory_bytes + size.bytes());
  return e;
}

// One opening of second moments, X from it once for all agents of a process, and rounds in the span, whose Y steps
// count.
Result<RunEstimate> estimate_moments(const protocol::RunSettings& s, const protocol::Graph& graph, const DataSize& size,
                                     bool masks, std::size_t threads) {
  const auto agents = static_cast<double>(graph.agents());
  const std::uint64_t tree_edges = graph.agents() - 1;
  const std::size_t words = protocol::MomentsScheme::words(s);
  const Index all_columns = size.all_columns();
  Masks m;
  if (masks) {
    PPDNMF_TRY(m, time_masks(graph.agents(), words));
  }
  const std::unique_ptr<nmf::Holder> holder = std::make_unique<nmf::Holder>(draw_columns(2, size));
  holder->begin(s.rank, 1);
  Matrix G;
  const double opening = seconds_of([&] { G = holder->second_moments(); });
  // Few rounds of a start stand for all of them: a fit to G takes the same time from any start.
  const Index medium = s.searches() ? (s.least_rank + s.rank + 1) / 2 : s.rank;
  const double factoring = seconds_of([&] {
    (void)nmf::factor_second_moments(G, {medium, 0, 1},
                                     [&](int n) { return draw_matrix(static_cast<std::uint64_t>(n), s.rows, medium); });
  });
  nmf::DescentRequest request;
  request.X = draw_matrix(1, s.rows, s.rank);
  request.restart = true;
  const double answer = seconds_of([&] { (void)holder->answer(request); });

  RunEstimate e;
  e.rounds = static_cast<std::uint64_t>(s.iterations);
  const double stepping = std::min(static_cast<double>(threads), agents);
  constexpr int kStarts = 3;
  const Bytes bytes(words * sizeof(protocol::Word));
  // Where the rank is looked for, starts of every rank, then those of the chosen one.
  const auto ranks = static_cast<double>(s.searches() ? s.rank - s.least_rank + 2 : 1);
  const double once = agents * (opening + m.apply) / stepping + ranks * std::max(kStarts, s.starts) * factoring;
  e.seconds_start_up = agents * m.agree / stepping + once;
  e.seconds_per_round = agents * answer / stepping;
  e.seconds = e.seconds_start_up + static_cast<double>(e.rounds) * e.seconds_per_round;
  e.bytes_per_message = protocol::content_size({{}, protocol::Partial{0, false, {}, bytes}});
  const auto of_a_round =
      static_cast<std::uint64_t>(s.rank * s.rank + s.rank * (s.rank + 1) / 2) * sizeof(protocol::Word);
  e.bytes = tree_edges * (e.bytes_per_message + protocol::content_size({{}, protocol::Total{0, false, bytes}}) +
                          2 * (e.rounds - 1) * of_a_round);
  if (s.searches()) {
    const auto triangle = static_cast<std::uint64_t>(s.rows * (s.rows + 1) / 2);
    e.opened = triangle + (e.rounds - 1) * of_a_round / sizeof(protocol::Word);
  }
  const auto coordinates = static_cast<std::uint64_t>(s.rank * all_columns) * sizeof(double);
  constexpr std::uint64_t kProgram = 16 << 20;
  // Per agent: its words, and messages on their way; the matrix of moments and what a factorisation keeps beside it.
  e.memory_bytes = kProgram + size.bytes() + 4 * coordinates + bytes.size() * 4 * graph.agents() +
                   4 * static_cast<std::uint64_t>(s.rows * s.rows) * sizeof(double);
  return e;
}

}  // namespace

Result<RunEstimate> estimate_run(const protocol::RunSettings& settings, const protocol::Graph& graph,
                                 const DataSize& size, const sim::Secrecy& secrecy, std::size_t threads) {
  if (settings.scheme == protocol::SchemeKind::kMoments)
    return estimate_moments(settings, graph, size, secrecy.masks, threads);
  if (settings.searches()) return estimate_search(settings, graph, size, secrecy.masks, threads);
  if (settings.scheme == protocol::SchemeKind::kSum)
    return estimate_sums(settings, graph, size, secrecy.masks, threads);
  const auto agents = static_cast<double>(graph.agents());
  const Index all_columns = size.all_columns();
  const auto directed_edges = 2 * graph.edges().size();
  const auto degrees = static_cast<double>(directed_edges);
  Crypto c;
  c.payload = settings.entries() * sizeof(std::int64_t);
  if (secrecy.keys) {
    PPDNMF_TRY(CryptoSample sample, CryptoSample::make(settings, *secrecy.keys));
    PPDNMF_TRY(c, sample.time());
  }
  const Numerics n = time_numerics(settings, size);

  RunEstimate e;
  e.rounds = static_cast<std::uint64_t>(settings.iterations) * static_cast<std::uint64_t>(settings.admm_x);
  // Threads without an agent to step help with ciphertexts, not with numerics.
  const auto all_threads = static_cast<double>(threads);
  const double stepping = std::min(all_threads, agents);
  const double opens = settings.scheme == protocol::SchemeKind::kHardened ? agents * c.open : degrees * c.open;
  e.seconds_start_up = (agents * c.key + degrees * c.peer) / stepping;
  e.seconds_per_round = (agents * c.query + degrees * c.reply + opens) / all_threads +
                        agents * (n.round + n.iteration / settings.admm_x) / stepping;
  e.seconds = e.seconds_start_up + static_cast<double>(e.rounds) * e.seconds_per_round;
  e.bytes_per_message = protocol::content_size({{}, protocol::Query{{}, protocol::kNever, Bytes(c.payload)}});
  e.bytes = e.rounds * directed_edges * 2 * e.bytes_per_message;
  const auto factor = static_cast<std::uint64_t>(settings.rows * settings.rank) * sizeof(double);
  const auto coordinates = static_cast<std::uint64_t>(settings.rank * all_columns) * sizeof(double);
  constexpr std::uint64_t kProgram = 16 << 20;
  // Per agent: about 12 matrices of the factor's size, and per neighbour the kept answer and messages on their way.
  e.memory_bytes = kProgram + 4 * size.bytes() + graph.agents() * (12 * factor + c.key_memory + c.payload) +
                   directed_edges * (c.peer_memory + 4 * c.payload);
  // A run of more than a minute writes checkpoints: all agents' states, gathered and copied.
  constexpr double kCheckpointAfterSeconds = 60;
  constexpr std::uint64_t kCopies = 3;
  if (e.seconds > kCheckpointAfterSeconds) {
    e.memory_bytes +=
        kCopies * (graph.agents() * (8 * factor + c.payload) + 3 * coordinates + directed_edges * c.payload);
  }
  return e;
}

std::string estimate_text(const RunEstimate& e) {
  constexpr std::uint64_t kMany = 100'000;
  const std::string count = e.opened < kMany ? fmt::format("{}", e.opened)
                                             : fmt::format("{:.1f} million", static_cast<double>(e.opened) / 1e6);
  const std::string opened =
      e.opened == 0 ? "" : fmt::format("  {:<20} {} numbers at most, about all columns together\n", "opened", count);
  return fmt::format(
             "  {:<20} {:.0f} s ({:.1f} s to start, then {} rounds of {:.3f} s)\n  {:<20} {:.1f} MB in all, {:.1f} KB "
             "a "
             "message\n"
             "  {:<20} {:.0f} MB\n",
             "time", e.seconds, e.seconds_start_up, e.rounds, e.seconds_per_round, "bytes sent",
             static_cast<double>(e.bytes) / 1e6, static_cast<double>(e.bytes_per_message) / 1e3, "memory",
             static_cast<double>(e.memory_bytes) / 1e6) +
         opened;
}

std::string estimate_json(const RunEstimate& e) {
  nlohmann::ordered_json json = {{"seconds", e.seconds},
                                 {"seconds_start_up", e.seconds_start_up},
                                 {"seconds_per_round", e.seconds_per_round},
                                 {"rounds", e.rounds},
                                 {"bytes_sent", e.bytes},
                                 {"bytes_per_message", e.bytes_per_message},
                                 {"memory_bytes", e.memory_bytes}};
  if (e.opened > 0) json["numbers_opened"] = e.opened;
  return json.dump(2) + "\n";
}

}  // namespace ppdnmf::run
