#include <ppdnmf/data/cap.h>

#include <bit>
#include <cmath>
#include <utility>

#include <ppdnmf/data/far.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/data/scaled.h>
#include <ppdnmf/data/sums.h>

namespace ppdnmf::data {
namespace {

constexpr int kDigitBits = 6;
static_assert(CapSearch::kBins == std::size_t{1} << kDigitBits);
constexpr int kKeyBits = CapSearch::kSums * kDigitBits;  // eleven of the exponent and seven of the fraction
constexpr int kBelowKey = 63 - kKeyBits;                 // bits of a positive double that are not looked at

// Positive doubles are in the order of their bits.
std::uint64_t key_of(double total) { return std::bit_cast<std::uint64_t>(total) >> kBelowKey; }

}  // namespace

std::vector<double> column_totals(const Columns& columns, Executor& executor) {
  if (const FarColumns* const far = as_far(columns)) return far->far_column_totals();
  std::vector<double> totals(static_cast<std::size_t>(columns.count()));
  for_each_leaf(leaves(columns.rows(), columns.count()), executor, [&](std::size_t /*leaf*/, const Range& leaf) {
    walk(columns, leaf, [&](const Block& block, const Range& range) {
      for (Index m = 0; m < block.count; ++m)
        totals[static_cast<std::size_t>(range.first + m)] = paired_column_sum(block, m, [](double z) { return z; });
    });
  });
  return totals;
}

CapSearch::CapSearch(double quantile) : quantile_(quantile) { PPDNMF_CHECK(quantile > 0 && quantile < 1); }

std::vector<double> CapSearch::counts(std::span<const double> totals) const {
  PPDNMF_CHECK(!done());
  std::vector<double> bins(kBins);
  const int below = kKeyBits - (sums_ + 1) * kDigitBits;
  for (const double total : totals) {
    if (!(total > 0)) continue;
    const std::uint64_t key = key_of(total) >> below;
    if (key >> kDigitBits == digits_) ++bins[key % kBins];
  }
  return bins;
}

Status CapSearch::absorb(std::span<const double> counts, Index columns) {
  PPDNMF_CHECK(!done() && counts.size() == kBins);
  double sum = 0;
  bool whole = true;
  for (const double count : counts) {
    whole = whole && count >= 0 && count <= static_cast<double>(columns) && std::floor(count) == count;
    sum += count;
  }
  const bool fits = sums_ == 0 ? sum <= static_cast<double>(columns) : sum == static_cast<double>(inside_);
  if (!whole || !fits) {
    return error(
        ErrorCode::kPeer,
        "the numbers of columns by the size of their totals are not such numbers: somebody sent what is not so");
  }
  if (sums_ == 0) {
    if (sum == 0) return error(ErrorCode::kInvalidData, "all entries are zero: there is nothing to factorise");
    inside_ = static_cast<std::uint64_t>(sum);
    position_ = static_cast<std::uint64_t>(std::ceil(quantile_ * sum));
  }
  std::uint64_t bin = 0;
  for (; position_ > static_cast<std::uint64_t>(counts[bin]); ++bin)
    position_ -= static_cast<std::uint64_t>(counts[bin]);
  inside_ = static_cast<std::uint64_t>(counts[bin]);
  digits_ = (digits_ << kDigitBits) + bin;
  ++sums_;
  return {};
}

double CapSearch::cap() const {
  PPDNMF_CHECK(done());
  return std::bit_cast<double>((digits_ + 1) << kBelowKey);
}

void CapSearch::save(ByteWriter& out) const {
  out.put(sums_);
  for (const std::uint64_t number : {digits_, inside_, position_}) out.put(number);
}

void CapSearch::load(ByteReader& in) {
  sums_ = in.get<std::int32_t>();
  for (std::uint64_t* number : {&digits_, &inside_, &position_}) *number = in.get<std::uint64_t>();
}

bool CapSearch::in_range() const {
  if (sums_ < 0 || sums_ > kSums || digits_ >> (sums_ * kDigitBits) != 0) return false;
  if (sums_ == 0) return inside_ == 0 && position_ == 0;
  return position_ >= 1 && position_ <= inside_ && (!done() || std::isfinite(cap()));
}

Result<double> cap_of(std::span<const SharedColumns> holders, double quantile, Executor& executor) {
  std::vector<double> totals;
  for (const SharedColumns& holder : holders) {
    const std::vector<double> own = column_totals(*holder, executor);
    totals.insert(totals.end(), own.begin(), own.end());
  }
  CapSearch search(quantile);
  while (!search.done()) {
    PPDNMF_TRY_STATUS(search.absorb(search.counts(totals), static_cast<Index>(totals.size())));
  }
  return search.cap();
}

SharedColumns capped_columns(SharedColumns columns, double cap, Executor& executor) {
  if (const FarColumns* const far = as_far(*columns)) return far->far_capped(cap);
  std::vector<double> factors = column_totals(*columns, executor);
  for (double& factor : factors) factor = factor > cap ? cap / factor : 1;
  return scaled_columns(std::move(columns), std::move(factors));
}

}  // namespace ppdnmf::data
