#include <ppdnmf/run/site_estimate.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/nmf/descent.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/protocol/message.h>
#include <ppdnmf/protocol/words.h>
#include <ppdnmf/run/data_size.h>
#include <ppdnmf/run/network_plan.h>
#include <ppdnmf/run/timed_masks.h>

namespace ppdnmf::run {
namespace {

constexpr std::uint64_t kProgram = std::uint64_t{20} << 20U;

Status check(const SiteSize& size, const Network& network) {
  constexpr double kMostOfX = 0x1p29;  // numbers: 4 GiB
  constexpr std::uint32_t kMostAgents = 100'000;
  if (size.rows < 1 || size.columns < 1 || size.rank < 1 || size.iterations < 1)
    return error(ErrorCode::kUsage, "rows, columns, `rank` and `iterations` must be at least 1");
  if (size.agents < 1 || size.agents > kMostAgents)
    return error(ErrorCode::kUsage, "`agents` must be from 1 to {}", kMostAgents);
  if (size.processes < 1 || size.processes > size.columns || size.threads < 1)
    return error(ErrorCode::kUsage, "processes and threads must be at least 1, and no more processes than columns");
  if (static_cast<double>(size.rows) * static_cast<double>(size.rank) > kMostOfX)
    return error(ErrorCode::kUsage, "an X of {} x {} is more than can be timed here", size.rows, size.rank);
  const bool fits = !size.nonzeros || static_cast<double>(*size.nonzeros) <=
                                          static_cast<double>(size.rows) * static_cast<double>(size.columns);
  if (!fits || size.rows > std::numeric_limits<int>::max())
    return error(ErrorCode::kUsage, "{} x {} entries cannot have that many nonzeros", size.rows, size.columns);
  if (!(network.latency_ms >= 0) || !(network.megabits > 0))
    return error(ErrorCode::kUsage, "the latency cannot be negative, and the bandwidth must be above 0");
  return {};
}

// Seconds of a Y step and the sums after it, of so many columns.
double time_columns(const SiteSize& size, Index columns, const std::shared_ptr<const nmf::Loss>& loss,
                    nmf::Moments& moments) {
  DataSize sample{size.rows, {columns}, {}};
  if (size.nonzeros) {
    const double of_column = static_cast<double>(*size.nonzeros) / static_cast<double>(size.columns);
    sample.nonzeros = static_cast<std::uint64_t>(of_column * static_cast<double>(columns)) + 1;
  }
  nmf::Holder holder(draw_columns(2, sample), serial_executor(), loss);
  holder.begin(size.rank, 1);
  nmf::DescentRequest request;
  request.X = draw_matrix(1, size.rows, size.rank);
  request.restart = true;
  moments = holder.answer(request);
  request.restart = false;
  // An iteration in the middle of a run goes on from where the last one ended: X has moved a little.
  request.X *= 1.05;
  request.X.topRows((size.rows + 1) / 2) *= 0.9;
  return seconds_of([&] { moments = holder.answer(request); });
}

struct Timed {
  double of_column = 0;
  double common = 0;  // once, however many columns there are
};

// A line through two samples: what does not grow with the columns is what is as large as X.
Result<Timed> time_iteration(const SiteSize& size, const std::shared_ptr<const nmf::Loss>& loss) {
  constexpr double kSampled = 0x1p22;  // entries that are walked over
  constexpr Index kFewest = 1024;
  const double of_column = size.nonzeros ? static_cast<double>(*size.nonzeros) / static_cast<double>(size.columns)
                                         : static_cast<double>(size.rows);
  const Index own = std::max<Index>(1, size.columns / size.processes);
  const Index many = std::min(own, std::max(kFewest, static_cast<Index>(kSampled / std::max(of_column, 1.0))));
  const Index few = std::max<Index>(1, many / 4);
  nmf::Moments moments;
  const double short_time = time_columns(size, few, loss, moments);
  const double long_time = time_columns(size, many, loss, moments);
  Timed timed;
  if (many > few) timed.of_column = std::max(0.0, long_time - short_time) / static_cast<double>(many - few);
  timed.common = std::max(0.0, short_time - timed.of_column * static_cast<double>(few));
  nmf::Descent descent(
      {size.iterations, 1}, [&](int) { return draw_matrix(1, size.rows, size.rank); }, loss);
  PPDNMF_TRY_STATUS(descent.begin({}));
  Status absorbed;
  timed.common += seconds_of([&] { absorbed = descent.absorb(moments); });
  PPDNMF_TRY_STATUS(absorbed);
  return timed;
}

void add_memory(const SiteSize& size, std::size_t words, SiteEstimate& e) {
  const auto own = static_cast<std::uint64_t>(size.columns / size.processes);
  DataSize data{size.rows, {static_cast<Index>(own)}, {}};
  if (size.nonzeros) data.nonzeros = *size.nonzeros / size.processes;
  e.data_bytes = size.mapped ? 0 : data.bytes();
  const auto factor = static_cast<std::uint64_t>(size.rows * size.rank) * sizeof(double);
  const auto coordinates = static_cast<std::uint64_t>(size.rank) * own * sizeof(double);
  // Y, the one before, and the extrapolated one of nonzeros; while results are written one of them once more.
  e.coordinate_bytes = (size.nonzeros ? 3 : 2) * coordinates + coordinates / 2;
  // The descent's four, and either X as its products want it or the totals; of dense columns sums of leaves besides.
  e.factor_bytes = (size.nonzeros ? 5 : 10) * factor;
  e.result_bytes = factor + coordinates * size.processes;
  if (size.agents == 1) return;
  const std::uint64_t of_words = words * sizeof(protocol::Word);
  constexpr std::uint64_t kStates = 2;
  const std::uint64_t state = 4 * factor + 2 * coordinates * size.processes + of_words;
  // Words of the own part, of what came up, of the total, and as messages; a state, and what is being written of it.
  e.factor_bytes += 5 * of_words + 4 * factor;
  e.coordinate_bytes += kStates * 2 * coordinates;
  e.state_bytes = kStates * state;
}

Status add_network(const SiteSize& size, const Network& network, std::size_t words, SiteEstimate& e) {
  if (size.agents == 1) return {};
  PPDNMF_TRY(const Masks masks, time_masks(size.agents, words));
  e.seconds_start = masks.agree;
  e.seconds_masks = masks.apply;
  PPDNMF_TRY(const protocol::Graph graph, load_graph(network.topology, size.agents, 1));
  const std::vector<std::uint32_t> distances = graph.distances_from(graph.centre());
  e.depth = *std::max_element(distances.begin(), distances.end());
  e.message_bytes =
      protocol::content_size({{}, protocol::Partial{0, false, {}, Bytes(words * sizeof(protocol::Word))}});
  constexpr double kBitsPerMegabit = 8e-6;
  const double hop =
      network.latency_ms / 1e3 + kBitsPerMegabit * static_cast<double>(e.message_bytes) / network.megabits;
  e.seconds_network = 2 * e.depth * hop;
  return {};
}

double megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; }

}  // namespace

std::uint64_t SiteEstimate::memory_bytes() const { return kProgram + data_bytes + coordinate_bytes + factor_bytes; }

std::uint64_t SiteEstimate::bytes_all() const {
  return 2 * static_cast<std::uint64_t>(iterations) * (agents - 1) * message_bytes;
}

Result<SiteEstimate> estimate_site(const SiteSize& size, const Network& network) {
  PPDNMF_TRY_STATUS(check(size, network));
  const std::shared_ptr<const nmf::Loss> loss = nmf::loss_of({});
  PPDNMF_TRY(const Timed timed, time_iteration(size, loss));
  SiteEstimate e;
  e.agents = size.agents;
  e.iterations = size.iterations;
  const double own = static_cast<double>(size.columns) / size.processes;
  const auto threads = static_cast<double>(size.threads);
  e.seconds_columns = timed.of_column * own / threads;
  e.seconds_common = timed.common / threads;
  const std::size_t words = loss->words(size.rows, size.rank);
  add_memory(size, words, e);
  PPDNMF_TRY_STATUS(add_network(size, network, words, e));
  return e;
}

std::string estimate_text(const SiteEstimate& e) {
  std::string text = fmt::format("  {:<12} {:.0f} MB a process: data {:.0f}, coordinates {:.0f}, X and sums {:.0f}\n",
                                 "memory", megabytes(e.memory_bytes()), megabytes(e.data_bytes),
                                 megabytes(e.coordinate_bytes), megabytes(e.factor_bytes));
  text += fmt::format("  {:<12} {:.3g} s: {} iterations of {:.3g} s (columns {:.3g}, X {:.3g}", "time", e.seconds(),
                      e.iterations, e.seconds_iteration(), e.seconds_columns, e.seconds_common);
  if (e.agents > 1) text += fmt::format(", masks {:.3g}, network {:.3g}", e.seconds_masks, e.seconds_network);
  text += ")";
  if (e.agents > 1) text += fmt::format(", {:.3g} s to start", e.seconds_start);
  text += fmt::format("\n  {:<12} {:.1f} MB beside the data: results {:.1f}", "disk", megabytes(e.disk_bytes()),
                      megabytes(e.result_bytes));
  if (e.agents > 1) text += fmt::format(", states {:.1f}", megabytes(e.state_bytes));
  text += "\n";
  if (e.agents > 1) {
    text += fmt::format(
        "  {:<12} {:.1f} MB by each agent on average, {:.1f} MB by all; {:.1f} KB a message, {} steps up the tree\n",
        "bytes sent", megabytes(e.bytes_all()) / e.agents, megabytes(e.bytes_all()),
        static_cast<double>(e.message_bytes) / 1e3, e.depth);
  }
  return text;
}

std::string estimate_json(const SiteEstimate& e) {
  const nlohmann::ordered_json json = {{"memory_bytes", e.memory_bytes()},
                                       {"data_bytes", e.data_bytes},
                                       {"coordinate_bytes", e.coordinate_bytes},
                                       {"factor_bytes", e.factor_bytes},
                                       {"seconds", e.seconds()},
                                       {"seconds_start", e.seconds_start},
                                       {"seconds_iteration", e.seconds_iteration()},
                                       {"seconds_columns", e.seconds_columns},
                                       {"seconds_common", e.seconds_common},
                                       {"seconds_masks", e.seconds_masks},
                                       {"seconds_network", e.seconds_network},
                                       {"iterations", e.iterations},
                                       {"disk_bytes", e.disk_bytes()},
                                       {"result_bytes", e.result_bytes},
                                       {"state_bytes", e.state_bytes},
                                       {"message_bytes", e.message_bytes},
                                       {"bytes_sent_by_all", e.bytes_all()},
                                       {"tree_depth", e.depth}};
  return json.dump(2) + "\n";
}

}  // namespace ppdnmf::run
