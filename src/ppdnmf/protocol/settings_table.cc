#include <ppdnmf/protocol/settings_table.h>

#include <utility>

#include <ppdnmf/protocol/column_minimum.h>
#include <ppdnmf/protocol/internal/setting_row.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::protocol {
namespace {

using internal::get;
using internal::row;
using internal::set;

// A rank, or a range of them in which the number of components is looked for.
Value get_rank(const Settings& settings) {
  if (settings.least_rank > 0) return fmt::format("{}-{}", settings.least_rank, settings.rank);
  return get<&Settings::rank>(settings);
}

void set_rank(Settings& settings, const Value& value) {
  settings.least_rank = 0;
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return set<&Settings::rank>(settings, value);
  const auto range = parse_range(*text);
  PPDNMF_CHECK(range.has_value());
  settings.least_rank = range->first;
  settings.rank = range->second;
}

Setting rank_row(Setting setting) {
  setting = row<&Settings::rank>(std::move(setting));
  setting.get = &get_rank;
  setting.set = &set_rank;
  return setting;
}

constexpr double kMaxCount = 1e9;
constexpr double kFar = 1e200;  // beyond this the arithmetic of a run overflows, whatever the data are

template <auto kMember>
Setting penalty_row(std::string_view name, std::string_view meaning) {
  Setting setting{.name = name, .letter = "A", .max = kFar, .known_to = KnownTo::kSum, .section = "run", .later = true};
  setting.meaning = meaning;
  return row<kMember>(setting);
}

// In the order of the reference.
std::vector<Setting> first_rows() {
  return {
      rank_row({.name = "rank",
                .python = "n_components",
                .letter = "K",
                .min = 1,
                .max = 0x1p20,
                .required = true,
                .range = true,
                .section = "data",
                .meaning =
                    "number of columns of X; with `scheme=sum`, or moments with `epsilon`, a range such as 4-20, in "
                    "which it is looked for"}),
      row<&Settings::scheme>(
          {.name = "scheme",
           .section = "run",
           .automatic = "sum; in a private run sum or moments, whichever suits the budget",
           .meaning =
               "what is asked of the network. sum: masked sums over all agents, about 50 cheap rounds, one X for all. "
               "moments: one masked sum of all products of two rows, which nobody can steer, one X for all. "
               "hardened: the paper's sums over neighbours, corrected, 300 rounds under Paillier; it is the default "
               "beside a setting that only it has. as-printed: the paper's algorithm; not private"}),
      row<&Settings::loss>({.name = "loss",
                            .python = "beta_loss",
                            .known_to = KnownTo::kSum,
                            .section = "run",
                            .python_words = {"frobenius", "kullback-leibler"},
                            .meaning = "what is minimised: the squared error, or for counts the Poisson loss"}),
      row<&Settings::curvature>(
          {.name = "curvature",
           .known_to = KnownTo::kSum,
           .section = "run",
           .automatic =
               "full for ranks up to 30 and at most 524288 words of it, else scaled; scaled where a range of ranks is "
               "given",
           .meaning = "with `loss=poisson`: what totals hold beside X's gradient, a matrix per row or its diagonal"}),
      penalty_row<&Settings::l1_x>("l1_x", "penalty l1_x times the sum of X; if Y has none, its rows have length one"),
      penalty_row<&Settings::l1_y>("l1_y",
                                   "penalty l1_y times the sum of Y; if X has none, its columns have length one"),
      penalty_row<&Settings::l2_x>("l2_x", "penalty l2_x / 2 times the squares of X, as `l1_x`"),
      penalty_row<&Settings::l2_y>("l2_y", "penalty l2_y / 2 times the squares of Y, as `l1_y`"),
  };
}

std::vector<Setting> length_rows() {
  return {
      row<&Settings::iterations>(
          {.name = "iterations",
           .python = "max_iter",
           .letter = "N",
           .min = 1,
           .max = kMaxCount,
           .section = "run",
           .automatic =
               "50 (80 with `curvature=scaled`), and 20 more for each of several starts; 40 of each rank where a range "
               "is given; 60 in a private run; with "
               "`scheme=moments` 1, or what the budget's plan says; between neighbours as many as make 300 rounds",
           .meaning = "at most this many iterations; with `scheme=sum` each is one round, and rejected ones and those "
                      "of all starts count; with `scheme=moments` the first is the opening, and in a private run the "
                      "others are rounds in the span that it found"}),
      row<&Settings::starts>({.name = "starts",
                              .python = "n_init",
                              .letter = "R",
                              .min = 1,
                              .max = kMaxCount,
                              .known_to = KnownTo::kSum,
                              .section = "run",
                              .meaning = "number of short starts; the one with the smallest common error is continued. "
                                         "R starts open R times as much; with `scheme=moments` they open nothing, and "
                                         "there are three at least; where a range of ranks is given, so many of each "
                                         "rank on resampled data, and 10 if it is 1"}),
  };
}

std::vector<Setting> ending_rows() {
  return {
      row<&Settings::start>({.name = "start",
                             .python = "init",
                             .section = "run",
                             .meaning = "random: all begin with the same seeded X; ones: the paper's start"}),
      row<&Settings::tolerance>(
          {.name = "tolerance",
           .python = "tol",
           .letter = "T",
           .max = 1,
           .below_max = true,
           .section = "run",
           .meaning =
               "end when ten rounds lower the common error by less than this fraction (sum), or when X moves, and "
               "differs from the neighbours' X, by less than this fraction (hardened, as-printed); 0: never"}),
      row<&Settings::max_seconds>({.name = "max_seconds",
                                   .letter = "S",
                                   .section = "limits",
                                   .recorded = false,
                                   .meaning = "after about this time the agents agree to end; 0: no limit"}),
      row<&Settings::cipher>({.name = "cipher",
                              .section = "encryption",
                              .meaning = "paillier: Paillier between neighbours and masks on all sums (sum has only "
                                         "these); none: plain numbers, the same X and Y bit for bit"}),
  };
}

std::vector<Setting> private_rows() {
  return {
      row<&Settings::epsilon>({.name = "epsilon",
                               .letter = "E",
                               .private_run = true,
                               .known_to = KnownTo::kSum,
                               .section = "run",
                               .meaning =
                                   "a differentially private run, per column, with noise that keeps this budget; "
                                   "needs `delta` and `normalise`, and refuses `tolerance`, `cipher=none`, and "
                                   "`starts` unless `scheme=moments` is given"}),
      row<&Settings::delta>({.name = "delta",
                             .letter = "D",
                             .private_run = true,
                             .known_to = KnownTo::kSum,
                             .section = "run",
                             .meaning = "with `epsilon`: above 0 and well below 1/columns, such as 1e-6"}),
      row<&Settings::normalise>({.name = "normalise",
                                 .known_to = KnownTo::kSum,
                                 .section = "run",
                                 .meaning = "divide every column by its sum (l1) or its length (l2), so that only its "
                                            "shape counts; `epsilon` needs it"}),
      row<&Settings::cap>({.name = "cap",
                           .letter = "Q",
                           .min = 1e-6,
                           .max = 1,
                           .below_max = true,
                           .known_to = KnownTo::kSum,
                           .section = "run",
                           .later = true,
                           .meaning =
                               "scale columns whose total is above the Q-quantile of all agents' totals down to "
                               "it, as 0.75; found from counts of columns, and never beside `normalise`. A range of "
                               "ranks under `loss=poisson` has 0.75, unless another is given"}),
  };
}

std::vector<Setting> data_rows() {
  return {
      row<&Settings::missing>(
          {.name = "missing",
           .known_to = KnownTo::kSum,
           .section = "run",
           .later = true,
           .meaning = "what NaN and empty cells are. refuse: a mistake. nan: entries that are missing; X and "
                      "Y fit the others, and all errors are over the others. Under squares, coordinates of "
                      "columns with few entries are held back. With `scheme=sum` and no `epsilon`; how many "
                      "columns have each row is opened once"}),
      row<&Settings::site_effects>(
          {.name = "site_effects",
           .letter = "W",
           .min = 1e-6,
           .max = 1e6,
           .known_to = KnownTo::kSum,
           .section = "run",
           .later = true,
           .meaning = "fit each agent's columns with (X + V) Y, V its own, which never leaves it and is held small by "
                      "this weight of its squares, as 0.1: X then has what the agents share. With `scheme=sum` and "
                      "`loss=squares`"}),
      row<&Settings::crowd>(
          {.name = "crowd",
           .section = "run",
           .meaning =
               "exact totals: what an agent does if fewer than 10 of its columns have some row, "
               "or one is above 10 % of a row, 5 % of the squared norm or half of a leading direction. refuse to "
               "take part (simulations only say so); blank such rows and lower such columns; drop rows of few "
               "columns for all agents, who learn which rows these are; off"}),
      row<&Settings::assume_honest>(
          {.name = "assume_honest",
           .letter = "n",
           .min = 1,
           .max = 1000,
           .private_run = true,
           .known_to = KnownTo::kSum,
           .section = "run",
           .automatic = "all agents but one",
           .meaning = "with `epsilon`: at least this many agents add their noise and tell it to nobody"}),
      row<&Settings::columns>({.name = "columns",
                               .letter = "N",
                               .min = 1,
                               .max = static_cast<double>(kMaxColumns),
                               .private_run = true,
                               .known_to = KnownTo::kSum,
                               .offered = Offered::kConsortium,
                               .section = "run",
                               .recorded = false,
                               .meaning = "with `epsilon`: about how many columns all members have together; a public "
                                          "number, which no noise depends on"}),
  };
}

std::vector<Setting> step_rows() {
  return {
      row<&Settings::updates>({.name = "updates",
                               .known_to = KnownTo::kNeighbours,
                               .section = "run",
                               .meaning = "corrected, or as-printed: the paper's updates, for comparison"}),
      row<&Settings::admm_x>({.name = "admm_x",
                              .letter = "N",
                              .min = 1,
                              .max = kMaxCount,
                              .known_to = KnownTo::kNeighbours,
                              .section = "run",
                              .automatic = "two thirds of the diameter, 3 to 10",
                              .meaning = "rounds per iteration"}),
      row<&Settings::admm_y>({.name = "admm_y",
                              .letter = "N",
                              .min = 1,
                              .max = kMaxCount,
                              .known_to = KnownTo::kNeighbours,
                              .section = "run",
                              .fallback = std::int64_t{RunSettings{}.admm_y},
                              .meaning = "local iterations of a Y step"}),
      row<&Settings::local_rounds>({.name = "local_rounds",
                                    .letter = "N",
                                    .min = 1,
                                    .max = kMaxCount,
                                    .known_to = KnownTo::kNeighbours,
                                    .section = "run",
                                    .automatic = "10; 1 for `updates=as-printed`",
                                    .meaning = "X updates between two rounds"}),
      row<&Settings::admm_tolerance>(
          {.name = "admm_tolerance",
           .letter = "T",
           .max = 1,
           .below_max = true,
           .known_to = KnownTo::kNeighbours,
           .section = "run",
           .fallback = RunSettings{}.admm_tolerance,
           .meaning = "end an X step early when X moves by less than this fraction; 0: never"}),
  };
}

std::vector<Setting> penalty_rows() {
  return {
      row<&Settings::mu>({.name = "mu",
                          .letter = "M",
                          .min = 1 / kFar,
                          .max = kFar,
                          .known_to = KnownTo::kNeighbours,
                          .section = "run",
                          .automatic = "from the agent's curvature",
                          .meaning = "penalty of the X step"}),
      row<&Settings::eta>({.name = "eta",
                           .letter = "E",
                           .min = 1 / kFar,
                           .max = kFar,
                           .known_to = KnownTo::kNeighbours,
                           .section = "run",
                           .automatic = "from X",
                           .meaning = "penalty of the Y step"}),
      row<&Settings::weight>({.name = "weight",
                              .letter = "G",
                              .min = 1 / kFar,
                              .max = kFar,
                              .known_to = KnownTo::kNeighbours,
                              .section = "run",
                              .automatic = "from the agents' mean curvature and the graph's diameter",
                              .meaning = "the paper's g"}),
  };
}

std::vector<Setting> encryption_rows() {
  return {
      row<&Settings::key_bits>({.name = "key_bits",
                                .letter = "B",
                                .min = 1,
                                .max = 0x1p20,
                                .known_to = KnownTo::kNeighbours,
                                .section = "encryption",
                                .fallback = std::int64_t{3072},
                                .meaning = "length of the Paillier keys: a multiple of 256 from 2048 to 4096"}),
      row<&Settings::key_profile>(
          {.name = "key_profile",
           .known_to = KnownTo::kNeighbours,
           .section = "encryption",
           .fallback = "standard",
           .meaning =
               "standard, or fast: needs one more assumption, and trust in how peers made a part of their keys"}),
      row<&Settings::n_max>({.name = "n_max",
                             .letter = "N",
                             .min = 1,
                             .known_to = KnownTo::kNeighbours,
                             .section = "encryption",
                             .fallback = RunSettings{}.n_max,
                             .meaning = "factors travel as round(n_max U)"}),
      row<&Settings::u_bound>({.name = "u_bound",
                               .letter = "B",
                               .min = 1,
                               .max = 0x1p40,
                               .known_to = KnownTo::kNeighbours,
                               .section = "encryption",
                               .fallback = RunSettings{}.u_bound,
                               .meaning = "largest entry of a factor that can travel; it is raised to the number of "
                                          "rows, rounded up to a power of two, where that is larger"}),
  };
}

std::vector<Setting> member_rows() {
  return {row<&Settings::min_columns>({.name = "min_columns",
                                       .letter = "N",
                                       .max = kMaxCount,
                                       .offered = Offered::kConsortium,
                                       .section = "limits",
                                       .recorded = false,
                                       .meaning = "the fewest columns that a member may have"}),
          row<&Settings::trust_members>(
              {.name = "trust_members",
               .offered = Offered::kConsortium,
               .section = "run",
               .meaning = "open exact totals, without noise: for members who trust each other to run the program as it "
                          "is, since one that deviates can read columns of the others exactly"})};
}

}  // namespace

std::span<const Setting> settings_table() {
  static const std::vector<Setting> table = [] {
    std::vector<Setting> all;
    for (const auto& rows : {first_rows(), length_rows(), ending_rows(), private_rows(), data_rows(), step_rows(),
                             penalty_rows(), encryption_rows(), member_rows()})
      all.insert(all.end(), rows.begin(), rows.end());
    return all;
  }();
  return table;
}

const Setting* find_setting(std::string_view name) {
  for (const Setting& setting : settings_table()) {
    if (setting.name == name) return &setting;
  }
  return nullptr;
}

std::string_view word_of(SchemeKind scheme) { return internal::spell(scheme); }

}  // namespace ppdnmf::protocol
