// A4, A5, A12 and A13 on the exchange sum.
#include <algorithm>
#include <cmath>

#include <ppdnmf/audit/attacks/a12_told_apart.h>
#include <ppdnmf/audit/attacks/a13_poisoning.h>
#include <ppdnmf/audit/attacks/a4_told_twice.h>
#include <ppdnmf/audit/attacks/a7_pooled_parts.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/totals.h>
#include <ppdnmf/protocol/spanning_tree.h>
#include <ppdnmf/protocol/sum_iteration.h>

namespace ppdnmf::audit {
namespace {

// The root of the tree that sums go along, and a leaf below it.
struct Places {
  AgentId root, leaf, leafs_parent;
};
Places places_in(const protocol::Graph& graph) {
  const std::vector<protocol::TreePlace> tree = protocol::spanning_tree(graph);
  Places places;
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    if (!tree[i].parent) {
      places.root = AgentId{i};
    } else if (tree[i].children.empty()) {
      places.leaf = AgentId{i};
      places.leafs_parent = *tree[i].parent;
    }
  }
  return places;
}

// S, T and error of the first exchange, as `columns` would answer.
Vector first_answer(const Recording& run, const Matrix& columns, Index rank) {
  nmf::DescentRequest first;
  first.X = run.X0();
  first.restart = true;
  return moments_of({first}, columns / run.scale(), rank);
}

double sine_between(const Vector& a, const Vector& b) {
  const double cosine = a.normalized().dot(b.normalized());
  return std::sqrt(std::max(0.0, 1 - cosine * cosine));
}

}  // namespace

Result<Trial> told_twice_trial(const AuditSetup& setup, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed, 6);
  problem.masks = true;
  const AgentId relay = places_in(problem.graph).root;
  problem.deviation = telling_twice(relay);
  PPDNMF_TRY(const Recording run, record(problem));
  const PartCount parts = count_parts(run.view(relay));
  if (parts.all == 0) return error(ErrorCode::kInternal, "no part reached the root");
  return Trial{static_cast<double>(parts.second) / static_cast<double>(parts.all), 0};
}

Result<Trial> careless_part_trial(std::uint64_t seed) {
  Stream stream(Seed::from_number(seed), 'c');
  constexpr std::size_t kNumbers = 24;
  std::vector<double> numbers(2 * kNumbers);
  for (double& number : numbers) number = static_cast<double>(stream.below(1'000'000)) / 1000;
  PPDNMF_TRY(protocol::Words first, protocol::to_words(std::span(numbers).first(kNumbers), 2));
  PPDNMF_TRY(protocol::Words second, protocol::to_words(std::span(numbers).last(kNumbers), 2));
  for (std::size_t k = 0; k < kNumbers; ++k) {
    const protocol::Word mask = (protocol::Word{stream.next()} << 64U) | stream.next();
    first[k] += mask;
    second[k] += mask;
  }
  const std::vector<double> apart = opened_difference(first, second);
  bool found = true;
  for (std::size_t k = 0; k < kNumbers; ++k)
    found = found && std::abs(apart[k] - (numbers[k] - numbers[kNumbers + k])) < 1e-9;
  return Trial{found ? 1.0 : 0.0, 0};
}

Result<Trial> part_direction_trial(const AuditSetup& setup, bool masked, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed, 2);
  problem.masks = masked;
  if (!masked) problem.deviation = [](AgentId, AgentId, const protocol::Message& m) { return std::vector{m}; };  // bytes are kept
  PPDNMF_TRY(const Recording run, record(problem));
  const Places places = places_in(problem.graph);
  const auto claim = pooled_part(run.view(places.leafs_parent), places.leaf);
  if (!claim) return error(ErrorCode::kInternal, "the leaf's part did not reach its parent");
  const Vector truth = first_answer(run, problem.Z[places.leaf.value], setup.rank);
  const Vector guess = first_answer(run, problem.Z[places.leafs_parent.value], setup.rank);
  return Trial{sine_between(truth, *claim), sine_between(truth, guess)};
}

Result<Trial> told_apart_trial(const AuditSetup& setup, bool masked, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed, 3);
  problem.masks = masked;
  problem.deviation = [](AgentId, AgentId, const protocol::Message& m) { return std::vector{m}; };  // bytes are kept
  PPDNMF_TRY(const Recording clean, record(problem));
  ToldApart attack;
  attack.relay = places_in(problem.graph).root;
  attack.child = protocol::spanning_tree(problem.graph)[attack.relay.value].children.front();
  const AttackerView view = clean.view(attack.relay);
  attack.number = first_exchange(view);
  attack.chain = chain_after(view, attack.number);
  problem.deviation = telling_apart(attack);
  const auto ended = record(problem);  // it may well end with a sentence: what counts is what the relay learned
  static_cast<void>(ended);
  if (attack.next->empty()) return Trial{0, 0};
  // A total that did not open is noise of 2^63; one that did is like the one that everybody expected.
  const std::vector<double> got = protocol::from_words(*attack.next);
  const std::vector<double> expected = protocol::from_words(protocol::words_of(view.alone().totals.at(attack.number + 1)));
  const Eigen::Map<const Vector> g(got.data(), static_cast<Index>(got.size()));
  const Eigen::Map<const Vector> e(expected.data(), static_cast<Index>(expected.size()));
  constexpr double kAlike = 10;
  return Trial{relative_error_of(e, g) < kAlike ? 1.0 : 0.0, 0};
}

Result<Trial> poisoned_part_trial(const AuditSetup& setup, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed);
  PPDNMF_TRY(const Recording clean, record(problem));
  const AgentId poisoner = places_in(problem.graph).leaf;
  const AttackerView view = clean.view(poisoner);
  const std::uint32_t first = first_exchange(view);
  // A lie that leaves a thousandth of the error that all agents have together, as a root could tell it.
  const auto nearly_all = [&](std::uint32_t number) {
    return 0.999 * protocol::from_word(protocol::words_of(view.alone().totals.at(number)).back());
  };
  Trial trial{0, 1};
  for (const PoisonedPart& poison : {PoisonedPart{first, 1e3, 0},
                                     {first + 2, 1e3, 0},
                                     {first + 5, 1e6, 0},
                                     {first, 0, nearly_all(first)},
                                     {first + 2, 0, nearly_all(first + 2)}}) {
    problem.deviation = poisoning_part(poisoner, problem.settings, poison);
    const auto poisoned = record(problem);
    if (poisoned) trial.value = std::max(trial.value, final_error(*poisoned, setup) / final_error(clean, setup));
  }
  return trial;
}

}  // namespace ppdnmf::audit
