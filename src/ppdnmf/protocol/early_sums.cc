#include <ppdnmf/protocol/early_sums.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/data/gaps.h>

namespace ppdnmf::protocol {

std::uint32_t early_sums(const RunSettings& s) { return (s.cap ? data::CapSearch::kSums : 0) + (s.missing ? 1 : 0); }

std::size_t early_words(const RunSettings& s) {
  return std::max(s.cap ? data::CapSearch::kBins : 0, s.missing ? static_cast<std::size_t>(s.rows) : 0);
}

EarlySums::EarlySums(const AgentConfig& config) : config_(config) {
  if (config.settings.cap) cap_.emplace(*config.settings.cap);
}

std::vector<double> EarlySums::part() {
  if (!looks_for_cap()) return config_.columns->present_counts();
  if (totals_.empty()) totals_ = config_.columns->column_totals();
  return cap_->counts(totals_);
}

Status EarlySums::absorb(std::span<const double> totals, Index columns) {
  ++absorbed_;
  if (!looks_for_cap()) return take_present(totals, columns);
  PPDNMF_TRY_STATUS(cap_->absorb(totals, columns));
  return apply_cap();
}

Status EarlySums::apply_cap() {
  if (!cap_ || !cap_->done()) return {};
  totals_ = {};
  PPDNMF_CHECK(config_.capped != nullptr);
  PPDNMF_TRY(data::SharedColumns columns, config_.capped(cap_->cap()));
  config_.columns->enter(std::move(columns));
  return {};
}

Status EarlySums::take_present(std::span<const double> totals, Index columns) {
  const bool counts = std::all_of(totals.begin(), totals.end(), [&](double count) {
    return count >= 0 && count <= static_cast<double>(columns) && std::floor(count) == count;
  });
  if (!counts) {
    return error(ErrorCode::kPeer,
                 "the numbers of columns that have each row are not such numbers: somebody sent what is not so");
  }
  PPDNMF_TRY_STATUS(data::check_no_empty_row(totals));
  present_.assign(totals.begin(), totals.end());
  return {};
}

void EarlySums::save(ByteWriter& out) const {
  if (cap_) cap_->save(out);
  if (!config_.settings.missing) return;
  out.put<std::uint8_t>(present_.empty() ? 0 : 1);
  out.put_array(present_.data(), present_.size());
}

Status EarlySums::load(ByteReader& in) {
  if (cap_) {
    cap_->load(in);
    if (!cap_->in_range()) return error(ErrorCode::kInvalidData, "its search for the cap is damaged");
    absorbed_ = static_cast<std::uint32_t>(cap_->sums());
    PPDNMF_TRY_STATUS(apply_cap());
  }
  if (!config_.settings.missing || in.get<std::uint8_t>() == 0) return {};
  present_.resize(static_cast<std::size_t>(config_.settings.rows));
  in.get_array(present_.data(), present_.size());
  ++absorbed_;
  const bool counts = std::all_of(present_.begin(), present_.end(), [](double n) { return n >= 1 && n < 0x1p53; });
  return counts ? Status() : error(ErrorCode::kInvalidData, "its numbers of columns that have each row are damaged");
}

bool EarlySums::has_absorbed(std::uint32_t sums) const { return absorbed_ == sums; }

}  // namespace ppdnmf::protocol
