#include <ppdnmf/protocol/early_sums.h>

#include <utility>

namespace ppdnmf::protocol {

std::uint32_t early_sums(const RunSettings& s) { return s.cap ? data::CapSearch::kSums : 0; }

std::size_t early_words(const RunSettings& s) { return s.cap ? data::CapSearch::kBins : 0; }

EarlySums::EarlySums(const AgentConfig& config) : config_(config) {
  if (config.settings.cap) cap_.emplace(*config.settings.cap);
}

std::vector<double> EarlySums::part() {
  if (totals_.empty()) totals_ = config_.columns->column_totals();
  return cap_->counts(totals_);
}

Status EarlySums::absorb(std::span<const double> totals, Index columns) {
  PPDNMF_TRY_STATUS(cap_->absorb(totals, columns));
  ++absorbed_;
  return apply();
}

Status EarlySums::apply() {
  if (!cap_ || !cap_->done()) return {};
  totals_ = {};
  PPDNMF_CHECK(config_.capped != nullptr);
  PPDNMF_TRY(data::SharedColumns columns, config_.capped(cap_->cap()));
  config_.columns->enter(std::move(columns));
  return {};
}

void EarlySums::save(ByteWriter& out) const {
  if (cap_) cap_->save(out);
}

Status EarlySums::load(ByteReader& in) {
  if (!cap_) return {};
  cap_->load(in);
  if (!in.status() || !cap_->in_range()) return error(ErrorCode::kInvalidData, "its search for the cap is damaged");
  absorbed_ = static_cast<std::uint32_t>(cap_->sums());
  return apply();
}

bool EarlySums::has_absorbed(std::uint32_t sums) const { return absorbed_ == sums; }

}  // namespace ppdnmf::protocol
