// What the agents of one run compute with: the settings, completed for the rows and the graph. Public; nothing in it
// depends on anybody's data.
#ifndef PPDNMF_PROTOCOL_RUN_SETTINGS_H_
#define PPDNMF_PROTOCOL_RUN_SETTINGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/nmf/admm_x_step.h>
#include <ppdnmf/nmf/loss.h>
#include <ppdnmf/nmf/moments.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/privacy/plan.h>
#include <ppdnmf/protocol/graph.h>
#include <ppdnmf/protocol/neighbours/edge_factors.h>
#include <ppdnmf/protocol/settings.h>

namespace ppdnmf::protocol {

// A differentially private run of the scheme sum or moments (docs/privacy.md).
struct PrivacySettings {
  privacy::Budget budget;
  nmf::ColumnNorm normalise = nmf::ColumnNorm::kL2;
  privacy::NoisePlan noise;  // of the rounds; moments may have none
  double columns = 0;        // of all agents, about: a public number; the noise does not depend on it
  std::optional<privacy::OpeningPlan> opening{};  // moments only, and there always

  // Of one column in the whole run.
  [[nodiscard]] privacy::Cost cost() const {
    privacy::Cost all = noise.cost();
    if (opening) all += opening->cost();
    return all;
  }
};

// Where the weights of the hardened scheme come from. kCommon: one weight for all agents, which all know, from a sum
// over all of them. kSecret: each agent has its own, and the sum of its neighbours' travels in a slot of its own. An
// agent that deviates reads the neighbours' weights from that slot or sets them; kept to show that.
enum class WeightRule : std::uint8_t { kCommon, kSecret };

struct RunSettings {
  Settings said;  // what was asked for, with every number that could be chosen; the fields below follow from it

  Index rows = 0;
  Index rank = 0;        // the largest one, where the number of components is looked for
  Index least_rank = 0;  // and the smallest; 0: there is nothing to look for

  nmf::Updates updates = nmf::Updates::kCorrected;
  SchemeKind scheme = SchemeKind::kSum;
  nmf::LossKind loss = nmf::LossKind::kSquares;      // other than squares: scheme sum only
  nmf::Curvature curvature = nmf::Curvature::kFull;  // of the Poisson loss
  nmf::Penalties penalties{};                        // exact runs of the scheme sum only
  // The first columns of X, which stay as they are: exact runs of the scheme sum only. Null: all of X is found.
  std::shared_ptr<const nmf::KnownColumns> known;
  nmf::Start start = nmf::Start::kRandom;
  WeightRule weight_rule = WeightRule::kCommon;
  neighbours::FactorSeed factors;  // of the edges, hardened only
  double start_spread = 0;         // hardened only: each agent starts from its own X0 (1 + start_spread uniform(-1, 1))
  bool y_first = true;             // a Y step before the first round (the paper has none)
  bool blinding = true;            // of secret weights; off in tests of the conservation law
  bool closing = true;             // hardened with corrected updates only: all agents end with the mean of their X

  int iterations = 100;       // at most this many; in the scheme sum each is one round
  int starts = 1;             // scheme sum: number of short starts, the best of which is continued; moments: of starts;
                              // of each rank, where several are tried
  int admm_x = 3;             // rounds per iteration, at most
  int admm_y = 20;            // local iterations of a Y step
  int local_rounds = 10;      // local repetitions of the X update before each round; the paper's is 1
  double tolerance = 0;       // propose to end when X moves and differs by less than this fraction; 0: never
  double admm_tolerance = 0;  // the same within an X step

  // Power of two by which agents divide their data; empty: the agents find it out in the opening (`take_scale`).
  std::optional<double> data_scale;
  // In units of the data; automatic (docs/mathematics.md) when empty.
  std::optional<double> mu, eta, weight;
  // The weight in units of the scaled data, where it does not depend on the scale: the printed updates' own.
  std::optional<double> scaled_weight;

  std::int64_t n_max = 1'000'000;          // U is sent as round(n_max U)
  double u_bound = 1024;                   // |U| beyond this ends the run with a sentence
  int weight_bits = 24;                    // integer weights are below 2^weight_bits
  double g_scale = 4096;                   // a power of two; real weight (of scaled data) = integer weight / g_scale
  std::optional<PrivacySettings> privacy;  // schemes of sums only; nothing: totals are exact
  // Schemes of sums only, private or not; and what is done for a crowd where totals are exact (protocol/own_columns.h).
  std::optional<nmf::ColumnNorm> normalise;
  std::optional<double> cap;  // exact runs: the quantile of columns' totals that none may be above
  CrowdKind crowd = CrowdKind::kOff;
  // Whether rows may be dropped for all: one more sum of the opening says which.
  [[nodiscard]] bool drops_rows() const { return crowd == CrowdKind::kDrop; }
  bool missing = false;                // entries may be: scheme sum without privacy
  std::optional<double> site_effects;  // the weight of agents' own parts: scheme sum, squares, nothing missing

  std::uint32_t diameter = 0;
  std::uint32_t max_degree = 0;

  // Whether the number of components is looked for.
  [[nodiscard]] bool searches() const { return least_rank > 0; }
  // If nothing ends the run early: those of all ranks, where several are tried.
  [[nodiscard]] std::uint64_t most_rounds() const;
  // One weight for all agents, which all know.
  [[nodiscard]] bool common_weights() const {
    return scheme == SchemeKind::kHardened && weight_rule == WeightRule::kCommon;
  }
  // One weight per agent that nobody else knows.
  [[nodiscard]] bool secret_weights() const {
    return scheme == SchemeKind::kHardened && weight_rule == WeightRule::kSecret;
  }
  // Entries of one message: the factor, and the slot that carries the sum of secret weights.
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(rows * rank) + (secret_weights() ? 1 : 0);
  }
  // Bits of what a difference is multiplied with in a reply: the edge's factor, and a weight that is not common.
  [[nodiscard]] int multiplier_bits() const;
  // Bits of a signed sum of replies: bits(n_max u_bound) + 1 + multiplier_bits + bits(max_degree + 1) + 1.
  [[nodiscard]] int sum_bits() const;
  // The same at every agent of a run, and different whenever a setting or the graph differs.
  [[nodiscard]] Digest digest(const Graph& graph) const;
};

// What the agents of a graph run with: validated, chosen and completed. A private run needs `columns`. Fails with
// kUsage as validate, plan_noise and check_known do.
[[nodiscard]] Result<RunSettings> make_run_settings(const Settings& settings, Index rows, const Graph& graph,
                                                    std::shared_ptr<const nmf::KnownColumns> known = nullptr);

// Whether columns can be known in a run with these settings. Fails with kUsage as nmf::check_known does, and unless it
// is an exact one of the scheme sum.
[[nodiscard]] Status check_known(const nmf::KnownColumns& known, const Settings& settings, Index rows);

// For run.json, by name: the settings, and what a reader cannot work out from them.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> run_parameters(const RunSettings& settings);

// What members ought to know about what a loss opens beside the totals of squares; empty for these.
[[nodiscard]] std::vector<std::string> loss_notes(const RunSettings& settings);
// And about a search for the number of components; empty if there is none.
[[nodiscard]] std::vector<std::string> search_notes(const RunSettings& settings);

// Sets what follows from the graph and the other settings: diameter, max_degree, the edges' factors (common weights
// only; it takes part of a second for large graphs), start_spread, weight_bits (24, or what 63-bit sums leave),
// g_scale, u_bound (at least the number of rows), and for the printed updates a fixed weight of 0.05 in units of the
// scaled data.
void complete(RunSettings& settings, const Graph& graph);

// What the opening found, in settings that had no scale (checked): from now on g_scale, too, is for data so scaled.
void take_scale(RunSettings& settings, double scale);

// admm_x that suits a graph: enough rounds for news to cross two thirds of it, 3 to 10.
[[nodiscard]] int automatic_admm_x(const Graph& graph);

// Iterations that make 300 rounds, with admm_x of them in each.
[[nodiscard]] int automatic_iterations(int admm_x);

// Rounds of a sum run: those of one start, after those of each short start if there are several (DescentOptions).
[[nodiscard]] int automatic_rounds(int starts, int of_one_start = 50);

// The common X0 of start `number`: its known columns, and random numbers from this seed.
[[nodiscard]] Matrix start_of(const RunSettings& settings, const Seed& seed, int number);

// Which ranks such a run can have.
[[nodiscard]] data::Ranks ranks_of(const RunSettings& settings);

// What the holders of such a run minimise.
[[nodiscard]] std::shared_ptr<const nmf::Loss> loss_of(const RunSettings& settings);

// Fails with kUsage, naming the setting, unless every number is within the limits of its setting, the settings make
// sense together, and sums fit into 63 bits.
[[nodiscard]] Status validate(const RunSettings& settings);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_RUN_SETTINGS_H_
