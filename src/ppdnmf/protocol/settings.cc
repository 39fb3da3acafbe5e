#include <ppdnmf/protocol/settings.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include <ppdnmf/nmf/descent.h>

namespace ppdnmf::protocol {
namespace {

constexpr int kLargestSumBits = 63;  // sums are opened as 64-bit integers
constexpr int kMostWeightBits = 24;
// How far the agents' private starts are from the common one: far enough that the first exchange shows no plane of an
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

Status check_count(const char* option, std::int64_t value) {
  if (value < 1) return error(ErrorCode::kUsage, "{} must be at least 1, not {}", option, value);
  return {};
}

Status check_positive(const char* option, const std::optional<double>& value) {
  if (value && !(*value > 0 && std::isfinite(*value))) {
    return error(ErrorCode::kUsage, "{} must be 'auto' or a positive number, not {}", option, *value);
  }
  return {};
}

Status check_tolerance(const char* option, double value) {
  if (!(value >= 0 && value < 1)) return error(ErrorCode::kUsage, "{} must be in [0, 1), not {}", option, value);
  return {};
}

// What would tell of the data beside the account, or has no meaning in a private run.
Status check_private(const RunSettings& s) {
  if (s.exchange != ExchangeKind::kSum) {
    return error(ErrorCode::kUsage, "--epsilon needs --exchange sum: no other exchange can add its noise up");
  }
  if (s.starts > 1) {
    return error(ErrorCode::kUsage, "--starts {} means nothing to a private run: it opens no error to compare them by",
                 s.starts);
  }
  if (s.bcd_tolerance > 0) {
    return error(ErrorCode::kUsage, "--tolerance means nothing to a private run: it opens no error to stop by");
  }
  PPDNMF_CHECK(s.privacy->noise.exchanges == s.bcd);
  return {};
}

}  // namespace

int RunSettings::multiplier_bits() const {
  return common_weights() ? neighbours::factor_bits(factors) : weight_bits + (factors ? neighbours::factor_bits(factors) : 0);
}

int RunSettings::sum_bits() const { return bits_besides_weight(*this) + multiplier_bits(); }

Digest RunSettings::digest(const Graph& graph) const {
  ByteWriter out;
  out.put_string("ppdnmf settings 3");
  for (const std::int64_t number : {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(rank), n_max})
    out.put(number);
  for (const int number :
       {static_cast<int>(updates), static_cast<int>(exchange), /*a setting that is gone*/ 0, static_cast<int>(start),
        static_cast<int>(y_first), static_cast<int>(blinding), static_cast<int>(closing), static_cast<int>(weight_rule),
        factors ? 1 : 0, bcd, starts, admm_x, admm_y, local_rounds, weight_bits}) {
    out.put(number);
  }
  out.put(factors.value_or(0));
  for (const double number : {start_spread, bcd_tolerance, admm_tolerance, u_bound, g_scale}) out.put(number);
  for (const auto& number : {data_scale, mu, eta, weight, scaled_weight}) out.put(number.value_or(0));
  if (privacy) {
    const privacy::NoisePlan& noise = privacy->noise;
    out.put_string("private");
    out.put(static_cast<int>(privacy->normalise));
    for (const double number :
         {privacy->budget.epsilon, privacy->budget.delta, noise.bound, noise.t_weight, noise.unit})
      out.put(number);
    out.put(noise.share_variance);
    out.put(noise.exchanges);
    out.put(noise.honest);
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
  settings.weight_bits = settings.common_weights() ? kMostWeightBits : std::min(kMostWeightBits, left);
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

int automatic_bcd(int admm_x) {
  constexpr int kDefaultExchanges = 300;
  return std::max(1, kDefaultExchanges / std::max(1, admm_x));
}

int automatic_exchanges(int starts) {
  constexpr int kOfOneStart = 50;
  return kOfOneStart + (starts > 1 && starts < 1'000'000 ? starts * nmf::DescentOptions{}.start_exchanges : 0);
}

Status validate(const RunSettings& s) {
  PPDNMF_TRY_STATUS(check_count("--rank", s.rank));
  PPDNMF_TRY_STATUS(check_count("--bcd", s.bcd));
  PPDNMF_TRY_STATUS(check_count("--starts", s.starts));
  PPDNMF_TRY_STATUS(check_count("--admm-x", s.admm_x));
  PPDNMF_TRY_STATUS(check_count("--admm-y", s.admm_y));
  PPDNMF_TRY_STATUS(check_count("--local-rounds", s.local_rounds));
  PPDNMF_TRY_STATUS(check_count("--n-max", s.n_max));
  PPDNMF_TRY_STATUS(check_positive("--mu", s.mu));
  PPDNMF_TRY_STATUS(check_positive("--eta", s.eta));
  PPDNMF_TRY_STATUS(check_positive("--weight", s.weight));
  PPDNMF_TRY_STATUS(check_tolerance("--tolerance", s.bcd_tolerance));
  PPDNMF_TRY_STATUS(check_tolerance("--admm-tolerance", s.admm_tolerance));
  if (s.exchange == ExchangeKind::kSum && s.updates == nmf::Updates::kAsPrinted) {
    return error(ErrorCode::kUsage,
                 "--exchange sum has no --updates as-printed: it solves the X step of all agents at "
                 "once");
  }
  if (s.starts > 1 && s.start == nmf::Start::kOnes) {
    return error(ErrorCode::kUsage, "--starts {} with --start ones would be the same start again and again", s.starts);
  }
  if (s.exchange != ExchangeKind::kSum && s.starts > 1) {
    return error(ErrorCode::kUsage,
                 "--starts {} needs --exchange sum: no other exchange knows the common error of "
                 "its starts",
                 s.starts);
  }
  if (s.privacy) PPDNMF_TRY_STATUS(check_private(s));
  if (!(s.u_bound >= 1 && s.u_bound <= 0x1p40)) {
    return error(ErrorCode::kUsage, "--u-bound must be between 1 and 2^40, not {}", s.u_bound);
  }
  constexpr int kFewestWeightBits = 8;
  if (s.weight_bits < kFewestWeightBits || s.sum_bits() > kLargestSumBits) {
    return error(
        ErrorCode::kUsage,
        "--n-max {} times --u-bound {} leaves no room for weights with {} neighbours in 63-bit sums: lower one of them",
        s.n_max, s.u_bound, s.max_degree);
  }
  return {};
}

}  // namespace ppdnmf::protocol
