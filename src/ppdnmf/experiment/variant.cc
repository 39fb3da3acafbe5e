#include <ppdnmf/experiment/variant.h>

#include <fmt/format.h>

#include <algorithm>

namespace ppdnmf::experiment {
namespace {

// The exponent of a power of ten, -1 for any other number.
int power_of_ten(std::int64_t number) {
  int exponent = 0;
  for (; number >= 10 && number % 10 == 0; number /= 10) ++exponent;
  return number == 1 ? exponent : -1;
}

std::string resolution_name(std::int64_t n_max) {
  const int exponent = power_of_ten(n_max);
  return exponent >= 0 ? fmt::format("1e{}", exponent) : fmt::format("{}", n_max);
}

std::string resolution_label(std::int64_t n_max) {
  static constexpr const char* kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const int exponent = power_of_ten(n_max);
  if (exponent < 2 || exponent > 9) return fmt::format("{}", n_max);
  return fmt::format("10{}", kRaised[exponent]);
}

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::kCentralised:
      return "centralised";
    case Kind::kAsPrinted:
      return "as_printed";
    case Kind::kAsPrintedOnes:
      return "as_printed_ones";
    case Kind::kCorrected:
      return "corrected";
    case Kind::kDefaults:
      return "defaults";
    case Kind::kSum:
      return "sum";
  }
  return "";
}

}  // namespace

std::vector<Variant> all_variants(std::span<const std::int64_t> resolutions) {
  const std::int64_t largest = *std::max_element(resolutions.begin(), resolutions.end());
  std::vector<Variant> variants = {{Kind::kCentralised, largest}};
  for (const std::int64_t n_max : resolutions) variants.push_back({Kind::kAsPrinted, n_max});
  variants.push_back({Kind::kAsPrintedOnes, largest});
  for (const std::int64_t n_max : resolutions) variants.push_back({Kind::kCorrected, n_max});
  variants.push_back({Kind::kDefaults, largest});
  variants.push_back({Kind::kSum, largest});
  return variants;
}

bool has_resolution(const Variant& variant) { return variant.kind != Kind::kCentralised && variant.kind != Kind::kSum; }

std::string variant_name(const Variant& variant) {
  if (variant.kind != Kind::kAsPrinted && variant.kind != Kind::kCorrected) return kind_name(variant.kind);
  return fmt::format("{}_{}", kind_name(variant.kind), resolution_name(variant.n_max));
}

std::string variant_label(const Variant& variant) {
  switch (variant.kind) {
    case Kind::kCentralised:
      return "centralised";
    case Kind::kAsPrintedOnes:
      return "as printed, all-ones start";
    case Kind::kDefaults:
      return "corrected, product's defaults";
    case Kind::kSum:
      return "masked sums, --scheme sum";
    case Kind::kAsPrinted:
      return "as printed, N_max = " + resolution_label(variant.n_max);
    case Kind::kCorrected:
      return "corrected, N_max = " + resolution_label(variant.n_max);
  }
  return "";
}

Result<protocol::RunSettings> network_settings(const Variant& variant, const PaperParameters& paper, const Matrix& Z,
                                               Index rank, const protocol::Graph& graph) {
  PPDNMF_CHECK(variant.kind != Kind::kCentralised);
  protocol::RunSettings s;
  s.rows = Z.rows();
  s.rank = rank;
  s.n_max = variant.n_max;
  if (variant.kind == Kind::kDefaults) {
    s.scheme = protocol::SchemeKind::kHardened;
    s.admm_x = protocol::automatic_admm_x(graph);
    s.iterations = protocol::automatic_iterations(s.admm_x);
  } else if (variant.kind == Kind::kSum) {
    s.scheme = protocol::SchemeKind::kSum;
    s.iterations = protocol::automatic_rounds(s.starts);
  } else {
    const bool printed = variant.kind != Kind::kCorrected;
    s.updates = printed ? nmf::Updates::kAsPrinted : nmf::Updates::kCorrected;
    s.scheme = printed ? protocol::SchemeKind::kAsPrinted : protocol::SchemeKind::kHardened;
    s.start = variant.kind == Kind::kAsPrintedOnes ? nmf::Start::kOnes : nmf::Start::kRandom;
    s.y_first = false;
    s.local_rounds = 1;
    s.iterations = paper.iterations;
    s.admm_x = s.admm_y = paper.admm;
    s.mu = paper.mu;
    s.eta = paper.eta;
    s.weight = paper.weight;
    s.data_scale = 1;  // the paper's parameters are for the data as they are
  }
  protocol::complete(s, graph);
  PPDNMF_TRY_STATUS(protocol::validate(s));
  return s;
}

nmf::FactorizeOptions centralised_options(const PaperParameters& paper, Index rank) {
  nmf::FactorizeOptions options;
  options.rank = rank;
  options.solver = nmf::Solver::kAdmm;
  options.iterations = paper.iterations;
  options.admm_x = options.admm_y = paper.admm;
  options.tolerance = 0;
  options.mu = paper.mu;
  options.eta = paper.eta;
  options.y_first = false;
  return options;
}

}  // namespace ppdnmf::experiment
