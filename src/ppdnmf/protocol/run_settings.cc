#include <ppdnmf/protocol/run_settings.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include <ppdnmf/nmf/descent.h>
#include <ppdnmf/protocol/privacy_account.h>
#include <ppdnmf/protocol/rank_scheme.h>
#include <ppdnmf/protocol/settings_table.h>

namespace ppdnmf::protocol {
namespace {

constexpr int kLargestSumBits = 63;  // sums are opened as 64-bit integers
constexpr int kMaxWeightBits = 24;
// How far the agents' private starts are from the common one: far enough that the first round shows no plane of an
// agent's few columns, near enough that all find the same order of components.
constexpr double kStartSpread = 0.25;
// The paper's g for the faces, whose pixels are of size one as scaled data are. Weights from the agents' curvature make
// the printed updates diverge: their Q is multiplied by rho once too often.
constexpr double kPrintedWeight = 0.05;

int bits_of(double value) {
  if (!(value < 0x1p63)) return 64;  // more than any sum can hold
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::ceil(value))));
}

int bits_besides_weight(const RunSettings& settings) {
  return bits_of(static_cast<double>(settings.n_max) * settings.u_bound) + 1 +
         bits_of(static_cast<double>(settings.max_degree) + 1) + 1;
}

// Against the limits of the setting.
Status check_limits(const char* name, const Value& value) { return check_value(*find_setting(name), value); }

Value value_of(const std::optional<double>& number) { return number ? Value(*number) : Value(); }

Status check_private(const RunSettings& s) {
  if (!sums_only(s.scheme)) {
    return error(ErrorCode::kUsage, "`epsilon` needs `scheme=sum` or moments: no other scheme can add up the noise");
  }
  const bool moments = s.scheme == SchemeKind::kMoments;
  if ((s.starts > 1 && !moments) || s.tolerance > 0) {
    return error(ErrorCode::kUsage, "`{}` has no meaning in a private run: it opens no error",
                 s.tolerance > 0 ? "tolerance" : "starts");
  }
  PPDNMF_CHECK(s.privacy->opening.has_value() == moments);
  PPDNMF_CHECK(s.privacy->noise.rounds + (moments ? 1 : 0) == s.iterations);
  return {};
}

Status check_search(const RunSettings& s) {
  constexpr int kFewestStarts = 2;
  constexpr std::size_t kMostWords = std::size_t{1} << 24U;
  const bool way = s.privacy ? s.scheme == SchemeKind::kMoments : s.scheme == SchemeKind::kSum;
  if (!way || s.least_rank >= s.rank || s.starts < kFewestStarts) {
    return error(
        ErrorCode::kUsage,
        "a range of ranks needs exact sums or noisy second moments, a smaller and a larger rank, and 2 starts");
  }
  if (s.rank > s.rows) {
    return error(ErrorCode::kUsage, "`rank={}-{}` goes up to more than the data allow: they have {} rows", s.least_rank,
                 s.rank, s.rows);
  }
  if (s.known)
    return error(ErrorCode::kUsage,
                 "known components need a `rank`, not a range: how many are found is not looked for");
  if (s.privacy) return {};  // the words of one opening, whatever the ranks are
  if (static_cast<std::size_t>(s.starts) > kMostWords / loss_of(s)->words(s.rows, s.rank)) {
    return error(ErrorCode::kUsage,
                 "`starts={}` of rank {} make sums of more than {} numbers: choose fewer, or a smaller range of ranks",
                 s.starts, s.rank, kMostWords);
  }
  return {};
}

Status check_moments(const RunSettings& s) {
  if (s.rows > privacy::kMaxMomentRows) {
    return error(ErrorCode::kUsage,
                 "`scheme=moments` opens {0} x {0} numbers for {0} rows, where {1} rows are the most: choose "
                 "`scheme=sum`, or leave out rows",
                 s.rows, privacy::kMaxMomentRows);
  }
  if (s.rank > s.rows)
    return error(ErrorCode::kUsage, "`rank={}` is larger than the number of rows, {}", s.rank, s.rows);
  PPDNMF_CHECK(s.privacy || s.iterations == 1);
  return {};
}

// A number for each setting of a scheme between neighbours; sum keeps to what stands there.
void take_neighbour_settings(const Settings& said, RunSettings& s) {
  if (sums_only(s.scheme)) return;
  const bool printed = s.updates == nmf::Updates::kAsPrinted;
  s.y_first = !printed;  // the printed algorithm starts from Y = 0
  s.admm_x = *said.admm_x;
  s.admm_y = *said.admm_y;
  s.local_rounds = *said.local_rounds;
  s.admm_tolerance = *said.admm_tolerance;
  s.mu = said.mu;
  s.eta = said.eta;
  s.weight = said.weight;
  s.n_max = *said.n_max;
  s.u_bound = *said.u_bound;
  // The printed update weighs Q twice, so that scaling the data would change it: given the paper's g, data stay as they
  // are. Otherwise the agents find their scale in the opening.
  if (printed && s.weight) s.data_scale = 1;
}

}  // namespace

int RunSettings::multiplier_bits() const {
  return common_weights() ? neighbours::factor_bits(factors)
                          : weight_bits + (factors ? neighbours::factor_bits(factors) : 0);
}

int RunSettings::sum_bits() const { return bits_besides_weight(*this) + multiplier_bits(); }

std::uint64_t RunSettings::most_rounds() const {
  const auto count = static_cast<std::uint64_t>(iterations);
  if (scheme == SchemeKind::kMoments) return count;
  if (scheme == SchemeKind::kSum) return count * static_cast<std::uint64_t>(searches() ? rank - least_rank + 1 : 1);
  return count * static_cast<std::uint64_t>(admm_x);
}

Digest RunSettings::digest(const Graph& graph) const {
  ByteWriter out;
  out.put_string("ppdnmf settings 4");
  for (const Setting& setting : settings_table()) {
    if (setting.section.empty() || (setting.later && !is_given(setting, said))) continue;
    out.put_string(fmt::format("{}={}", setting.name, text_of(setting.get(said))));
  }
  for (const std::int64_t number : {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(rank), n_max})
    out.put(number);
  for (const int number :
       {static_cast<int>(updates), static_cast<int>(scheme), static_cast<int>(start), static_cast<int>(y_first),
        static_cast<int>(blinding), static_cast<int>(closing), static_cast<int>(weight_rule), factors ? 1 : 0,
        iterations, starts, admm_x, admm_y, local_rounds, weight_bits}) {
    out.put(number);
  }
  out.put(factors.value_or(0));
  if (loss != nmf::LossKind::kSquares) {
    out.put(static_cast<int>(loss));
    out.put(static_cast<int>(curvature));
  }
  for (const double number : {start_spread, tolerance, admm_tolerance, u_bound, g_scale}) out.put(number);
  for (const auto& number : {data_scale, mu, eta, weight, scaled_weight}) out.put(number.value_or(0));
  if (privacy) {
    const privacy::NoisePlan& noise = privacy->noise;
    out.put_string("private");
    out.put(static_cast<int>(privacy->normalise));
    for (const double number :
         {privacy->budget.epsilon, privacy->budget.delta, noise.bound, noise.t_weight, noise.unit})
      out.put(number);
    out.put(noise.share_variance);
    out.put(noise.rounds);
    out.put(noise.honest);
    if (privacy->opening) {
      out.put(privacy->opening->bits);
      out.put(privacy->opening->share_variance);
      out.put(privacy->columns);  // which the opening's trace is compared with
    }
  }
  if (known) {
    out.put_string("known");
    for (const std::string& name : known->names) out.put_string(name);
    out.put_array(known->values.data(), static_cast<std::size_t>(known->values.size()));
  }
  out.put(graph.agents());
  for (const auto& [a, b] : graph.edges()) {
    out.put(a);
    out.put(b);
  }
  const Bytes bytes = out.take();
  return sha256(bytes);
}

void complete(RunSettings& settings, const Graph& graph) {
  settings.diameter = graph.diameter();
  settings.max_degree = graph.max_degree();
  const auto rows = static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(settings.rows)));
  settings.u_bound = std::max(settings.u_bound, rows);
  settings.factors = settings.common_weights() ? neighbours::choose_factors(graph) : std::nullopt;
  const bool spreads = settings.common_weights() && settings.updates == nmf::Updates::kCorrected;
  settings.start_spread = spreads && settings.start == nmf::Start::kRandom ? kStartSpread : 0;
  const int left = kLargestSumBits - bits_besides_weight(settings);
  settings.weight_bits = settings.common_weights() ? kMaxWeightBits : std::min(kMaxWeightBits, left);
  if (settings.updates == nmf::Updates::kAsPrinted && !settings.weight) settings.scaled_weight = kPrintedWeight;
  if (settings.weight || settings.scaled_weight) {
    // Fifteen to sixteen bits of resolution for the paper's g, whatever its size.
    const double weight =
        settings.scaled_weight.value_or(settings.weight.value_or(0) / settings.data_scale.value_or(1));
    settings.g_scale = std::ldexp(1, std::min(15, settings.weight_bits - 1) - std::ilogb(weight));
  }
}

void take_scale(RunSettings& settings, double scale) {
  PPDNMF_CHECK(!settings.data_scale && scale > 0);
  settings.data_scale = scale;
  // A weight of the data as they are becomes smaller by the scale; the integers that stand for it stay the same.
  if (settings.weight) settings.g_scale *= scale;
}

int automatic_admm_x(const Graph& graph) {
  return static_cast<int>(std::clamp<std::uint32_t>((2 * graph.diameter() + 1) / 3, 3, 10));
}

int automatic_iterations(int admm_x) {
  constexpr int kDefaultRounds = 300;
  return std::max(1, kDefaultRounds / std::max(1, admm_x));
}

std::shared_ptr<const nmf::Loss> loss_of(const RunSettings& s) {
  nmf::LossOptions options{s.loss, s.curvature, s.penalties, s.known ? s.known->values.cols() : 0};
  options.missing = s.missing;
  options.site_effects = s.site_effects.value_or(0);
  return nmf::loss_of(options);
}

data::Ranks ranks_of(const RunSettings& s) {
  return s.scheme == SchemeKind::kSum && !s.privacy ? data::Ranks::kAny : data::Ranks::kUnique;
}

Matrix start_of(const RunSettings& s, const Seed& seed, int number) {
  Matrix X = nmf::common_start(s.start, s.rows, s.rank, seed, static_cast<std::uint64_t>(number));
  if (s.known) X.leftCols(s.known->values.cols()) = s.known->values;
  return X;
}

int automatic_rounds(int starts, int of_one_start) {
  return of_one_start + (starts > 1 && starts < 1'000'000 ? starts * nmf::DescentOptions{}.start_rounds : 0);
}

Status validate(const RunSettings& s) {
  for (const auto& [name, count] :
       {std::pair("rank", std::int64_t{s.rank}), std::pair("iterations", std::int64_t{s.iterations}),
        std::pair("starts", std::int64_t{s.starts}), std::pair("admm_x", std::int64_t{s.admm_x}),
        std::pair("admm_y", std::int64_t{s.admm_y}), std::pair("local_rounds", std::int64_t{s.local_rounds}),
        std::pair("n_max", s.n_max)}) {
    PPDNMF_TRY_STATUS(check_limits(name, count));
  }
  PPDNMF_TRY_STATUS(check_limits("mu", value_of(s.mu)));
  PPDNMF_TRY_STATUS(check_limits("eta", value_of(s.eta)));
  PPDNMF_TRY_STATUS(check_limits("weight", value_of(s.weight)));
  PPDNMF_TRY_STATUS(check_limits("tolerance", s.tolerance));
  PPDNMF_TRY_STATUS(check_limits("admm_tolerance", s.admm_tolerance));
  PPDNMF_TRY_STATUS(check_limits("u_bound", s.u_bound));
  if (sums_only(s.scheme) && s.updates == nmf::Updates::kAsPrinted) {
    return error(ErrorCode::kUsage,
                 "`scheme={}` has no `updates=as-printed`: it solves the X step of all agents at once",
                 word_of(s.scheme));
  }
  if (s.scheme == SchemeKind::kMoments) PPDNMF_TRY_STATUS(check_moments(s));
  if (s.starts > 1 && s.start == nmf::Start::kOnes) {
    return error(ErrorCode::kUsage, "`starts={}` with `start=ones` would repeat the same start", s.starts);
  }
  if (!sums_only(s.scheme) && s.starts > 1) {
    return error(ErrorCode::kUsage,
                 "`starts={}` needs `scheme=sum`: no other scheme knows the common error of its starts", s.starts);
  }
  if (s.loss != nmf::LossKind::kSquares && (s.scheme != SchemeKind::kSum || s.privacy)) {
    return error(ErrorCode::kUsage, "`loss=poisson` needs `scheme=sum` without `epsilon`");
  }
  if (s.missing && (s.scheme != SchemeKind::kSum || s.privacy))
    return error(ErrorCode::kUsage, "`missing=nan` needs `scheme=sum` without `epsilon`");
  if (s.site_effects && (s.scheme != SchemeKind::kSum || s.privacy || s.missing || s.loss != nmf::LossKind::kSquares)) {
    return error(ErrorCode::kUsage,
                 "`site_effects` needs `scheme=sum`, `loss=squares` and complete data, without `epsilon`");
  }
  if (s.cap && (!sums_only(s.scheme) || s.privacy || s.normalise))
    return error(ErrorCode::kUsage, "`cap` needs exact sums over all agents, and no `normalise`");
  if (s.privacy) PPDNMF_TRY_STATUS(check_private(s));
  if (s.searches()) PPDNMF_TRY_STATUS(check_search(s));
  constexpr int kFewestWeightBits = 8;
  if (s.weight_bits < kFewestWeightBits || s.sum_bits() > kLargestSumBits) {
    return error(
        ErrorCode::kUsage,
        "`n_max={}` times `u_bound={}` leaves no room for weights with {} neighbours in 63-bit sums: lower one "
        "of them",
        s.n_max, s.u_bound, s.max_degree);
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> run_parameters(const RunSettings& s) {
  auto out = recorded_parameters(s.said);
  if (s.known) out.emplace_back("known", fmt::format("{}", s.known->values.cols()));
  if (!sums_only(s.scheme)) out.emplace_back("loss", "squares");
  if (s.privacy) {
    for (auto& parameter : privacy_parameters(*s.privacy)) out.push_back(std::move(parameter));
  }
  if (!sums_only(s.scheme)) out.emplace_back("weight_bits", fmt::format("{}", s.weight_bits));
  return out;
}

std::vector<std::string> loss_notes(const RunSettings& s) {
  if (s.loss != nmf::LossKind::kPoisson) return {};
  return {fmt::format(
      "Under the Poisson loss everybody learns the sums of all rows, and in every round {} numbers about all columns "
      "together, {} the {} of squares. Attacks found no more in them than in those of squares: few columns, or one "
      "that "
      "alone has a row, are found out, and who is among the data is told about as well.",
      loss_of(s)->words(s.rows, s.rank), s.curvature == nmf::Curvature::kFull ? "many times" : "about twice",
      nmf::loss_of({})->words(s.rows, s.rank))};
}

std::vector<std::string> search_notes(const RunSettings& s) {
  if (!s.searches()) return {};
  if (s.privacy) {
    return {fmt::format(
        "The number of components is looked for from {} to {} in the numbers that are opened once, with their noise: "
        "that opens nothing else, and costs nothing of the budget.",
        s.least_rank, s.rank)};
  }
  const auto most = static_cast<double>(RankScheme::words(s)) * static_cast<double>(s.most_rounds());
  return {fmt::format(
      "The number of components is looked for from {} to {}: {} starts of each rank on resampled data open {} times as "
      "many totals as a run of one start of that rank, and every rank that is tried opens its own; fewer than {:.2g} "
      "million numbers in at most {} rounds. Each start resamples the columns, which thins the crowd that stands "
      "behind "
      "a row.",
      s.least_rank, s.rank, s.starts, s.starts, most / 1e6, s.most_rounds())};
}

Status check_known(const nmf::KnownColumns& known, const Settings& settings, Index rows) {
  if (scheme_of(settings) != SchemeKind::kSum || settings.epsilon)
    return error(ErrorCode::kUsage, "`known` needs `scheme=sum` without `epsilon`: no other run keeps columns of X");
  if (settings.crowd == CrowdKind::kDrop)
    return error(ErrorCode::kUsage, "`known` columns keep all rows, and `crowd=drop` takes rows out of X: use blank");
  return nmf::check_known(known, rows, settings.rank);
}

Result<RunSettings> make_run_settings(const Settings& settings, Index rows, const Graph& graph,
                                      std::shared_ptr<const nmf::KnownColumns> known) {
  PPDNMF_TRY_STATUS(validate(settings));
  if (known) PPDNMF_TRY_STATUS(check_known(*known, settings, rows));
  RunSettings s;
  s.said = chosen(settings, rows, graph);
  s.rows = rows;
  s.rank = s.said.rank;
  s.least_rank = s.said.least_rank;
  s.scheme = *s.said.scheme;
  s.updates = s.said.updates;
  s.loss = s.said.loss;
  s.curvature = s.said.curvature.value_or(s.curvature);
  s.penalties = penalties_of(s.said);
  s.known = std::move(known);
  s.start = s.said.start;
  s.starts = s.said.starts;
  s.iterations = *s.said.iterations;
  s.tolerance = s.said.tolerance;
  take_neighbour_settings(s.said, s);
  s.normalise = s.said.normalise;
  s.cap = s.said.cap;
  s.missing = s.said.missing == MissingKind::kNan;
  s.site_effects = s.said.site_effects;
  s.crowd = s.said.epsilon || s.scheme == SchemeKind::kAsPrinted ? CrowdKind::kOff : s.said.crowd;
  if (s.said.epsilon) {
    if (!s.said.columns) {
      return error(ErrorCode::kUsage,
                   "`epsilon` needs `columns`: about how many columns all members have together, a public number");
    }
    const PrivacyWish wish{{*s.said.epsilon, *s.said.delta},
                           *s.said.normalise,
                           s.said.assume_honest,
                           static_cast<double>(*s.said.columns)};
    PPDNMF_TRY(s.privacy, plan_privacy(wish, s, graph.agents()));
  }
  complete(s, graph);
  PPDNMF_TRY_STATUS(validate(s));
  return s;
}

}  // namespace ppdnmf::protocol
