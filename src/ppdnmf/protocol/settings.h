// What users and members say about a run, before anything follows from it. settings_table.h has each setting's name,
// limits, default and meaning; what agents compute with is made from these in one function.
#ifndef PPDNMF_PROTOCOL_SETTINGS_H_
#define PPDNMF_PROTOCOL_SETTINGS_H_

#include <cstdint>
#include <optional>
#include <string>

#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/nmf/admm_x_step.h>
#include <ppdnmf/nmf/loss_options.h>
#include <ppdnmf/nmf/moments.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/protocol/graph.h>

namespace ppdnmf::protocol {

// What is asked of the network.
// kHardened: one weight for all agents, and only the neighbourhood's sum is opened (docs/protocol.md).
// kAsPrinted: one weight per edge, each neighbour's answer opened alone. Not private; kept to reproduce and attack.
// kSum: nothing between neighbours; everybody learns the sums over all agents that the X step needs.
// kMoments: nothing between neighbours; everybody learns the second moments of all columns, once.
enum class SchemeKind : std::uint8_t { kHardened, kAsPrinted, kSum, kMoments };

// Whether a scheme asks for nothing but sums over all agents.
[[nodiscard]] constexpr bool sums_only(SchemeKind scheme) {
  return scheme == SchemeKind::kSum || scheme == SchemeKind::kMoments;
}

// kPaillier: masks on all sums, and Paillier between neighbours. kNone: plain numbers, the same results.
enum class CipherKind : std::uint8_t { kPaillier, kNone };

// What an agent does with columns that have no crowd around them, where totals are exact (protocol/crowd.h).
// kRefuse: it does not take part. kBlank: it blanks and lowers until they have one. kDrop: the same, but rows of few
// columns at some agent go for all agents. kOff: nothing.
enum class CrowdKind : std::uint8_t { kRefuse, kBlank, kDrop, kOff };

// What NaN and an empty cell are. kRefuse: a mistake. kNan: entries that are missing (data/gaps.h).
enum class MissingKind : std::uint8_t { kRefuse, kNan };

// Every field has one row in the table. An empty one was not given: the table has what then holds, or it is chosen to
// suit the other settings and the graph.
struct Settings {
  Index rank = 0;
  Index least_rank = 0;              // `rank=4-20` is a least one of 4 and a rank of 20; 0: the rank is given
  std::optional<SchemeKind> scheme;  // sum, or hardened if a setting is given that sum has no use for; in a private run
                                     // sum or moments, as its plan says (`chosen`)
  nmf::LossKind loss = nmf::LossKind::kSquares;
  std::optional<nmf::Curvature> curvature;
  double l1_x = 0, l1_y = 0, l2_x = 0, l2_y = 0;
  std::optional<int> iterations;
  int starts = 1;
  nmf::Start start = nmf::Start::kRandom;
  double tolerance = 0;
  double max_seconds = 0;
  CipherKind cipher = CipherKind::kPaillier;
  CrowdKind crowd = CrowdKind::kRefuse;
  MissingKind missing = MissingKind::kRefuse;
  std::optional<double> site_effects;

  std::optional<double> epsilon, delta;
  std::optional<nmf::ColumnNorm> normalise;  // exact runs of sum, too
  std::optional<double> cap;                 // a quantile; exact runs of sums
  std::optional<std::uint32_t> assume_honest;
  std::optional<std::int64_t> columns;

  nmf::Updates updates = nmf::Updates::kCorrected;
  std::optional<int> admm_x, admm_y, local_rounds;
  std::optional<double> admm_tolerance;
  std::optional<double> mu, eta, weight;
  std::optional<int> key_bits;
  std::optional<crypto::KeyProfile> key_profile;
  std::optional<std::int64_t> n_max;
  std::optional<double> u_bound;

  int min_columns = 20;
  bool trust_members = false;  // exact totals between organisations: each trusts the others to run the program as it is

  friend bool operator==(const Settings&, const Settings&) = default;
};

// The scheme of a run with these settings.
[[nodiscard]] SchemeKind scheme_of(const Settings& settings);
// The setting from which it follows, as sentences name it; empty: the scheme was given, or is the default.
[[nodiscard]] std::string scheme_follows_from(const Settings& settings);

[[nodiscard]] nmf::Penalties penalties_of(const Settings& settings);

// Whether anything of a private run is given.
[[nodiscard]] bool is_private(const Settings& settings);

// The same settings with their scheme, and the table's defaults for what was not given and the scheme knows. What
// depends on the graph or the data stays empty.
[[nodiscard]] Settings with_defaults(Settings settings);

// with_defaults, and what suits the rows and the graph: iterations, admm_x, local_rounds, u_bound, and of a private run
// with `columns` the scheme and assume_honest. What remains empty agents find out from their data. This is what a
// consortium file and a record say.
[[nodiscard]] Settings chosen(Settings settings, Index rows, const Graph& graph);

// Fails with kUsage, naming the setting, unless every setting is within its limits, known to the scheme, and makes
// sense beside the others.
[[nodiscard]] Status validate(const Settings& settings);

// The keys of a scheme between neighbours; none without encryption, and none for sum.
[[nodiscard]] std::optional<crypto::KeyOptions> key_options(const Settings& settings);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_SETTINGS_H_
