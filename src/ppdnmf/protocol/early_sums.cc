#include <ppdnmf/protocol/early_sums.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/data/gaps.h>
#include <ppdnmf/protocol/own_columns.h>
#include <ppdnmf/protocol/purposes.h>

namespace ppdnmf::protocol {

std::uint32_t early_sums(const RunSettings& s) {
  return (s.cap ? data::CapSearch::kSums : 0) + (s.missing ? 1 : 0) + (s.drops_rows() ? 1 : 0);
}

std::size_t early_words(const RunSettings& s) {
  return std::max(s.cap ? data::CapSearch::kBins : 0,
                  s.missing || s.drops_rows() ? static_cast<std::size_t>(s.rows) : 0);
}

EarlySums::EarlySums(const AgentConfig& config, const Seed& secret)
    : config_(config), secret_(secret), entering_(config.entering) {
  if (config.settings.cap) cap_.emplace(*config.settings.cap);
}

// Rows go last: what is lowered then depends on the cap.
EarlySums::Kind EarlySums::next() const {
  if (cap_ && !cap_->done()) return Kind::kCap;
  return config_.settings.missing && present_.empty() ? Kind::kRows : Kind::kDrop;
}

Result<Words> EarlySums::part() {
  const Kind kind = next();
  if (kind == Kind::kDrop) return wishes_to_drop();
  if (kind == Kind::kRows) return to_words(config_.columns->present_counts(), config_.agents);
  if (totals_.empty()) totals_ = config_.columns->column_totals();
  return to_words(cap_->counts(totals_), config_.agents);
}

Status EarlySums::absorb(const Words& total, Index columns) {
  ++absorbed_;
  const Kind kind = next();
  if (kind == Kind::kDrop) return take_wishes(total);
  if (kind == Kind::kRows) return take_present(from_words(total), columns);
  PPDNMF_TRY_STATUS(cap_->absorb(from_words(total), columns));
  return apply_cap();
}

Status EarlySums::apply_cap() {
  if (!cap_ || !cap_->done()) return {};
  totals_ = {};
  PPDNMF_CHECK(config_.capped != nullptr);
  PPDNMF_TRY(data::SharedColumns columns, config_.capped(cap_->cap()));
  entering_ = columns;
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

// For a row that this agent wants to go, a random word other than zero, else zero: the sum is zero where nobody wants
// it, and otherwise as good as random however many do, but for a probability of 2^-128. So who gets the total learns
// one bit for each row, and not how many agents or which ones. The same words again after a restart.
Words EarlySums::wishes_to_drop() const {
  Words words(static_cast<std::size_t>(config_.settings.rows));
  Stream stream(secret_, kDropStream);
  for (const Index row : rows_to_drop(entering_, config_.settings)) {
    Word& word = words[static_cast<std::size_t>(row)];
    while (word == 0) word = (static_cast<Word>(stream.next()) << 64) | stream.next();
  }
  return words;
}

Status EarlySums::take_wishes(const Words& total) {
  std::vector<Index> rows;
  for (std::size_t l = 0; l < total.size(); ++l) {
    if (total[l] != 0) rows.push_back(static_cast<Index>(l));
  }
  return drop(std::move(rows));
}

Status EarlySums::drop(std::vector<Index> rows) {
  auto left = without_rows(entering_, rows, config_.settings);
  if (!left) {
    return error(ErrorCode::kInvalidData, "{} of {} rows were to be dropped for all, and {}", rows.size(),
                 config_.settings.rows, left.error().message);
  }
  config_.columns->enter(*std::move(left));
  dropped_ = std::move(rows);
  drop_known_ = true;
  return {};
}

void EarlySums::save(ByteWriter& out) const {
  if (cap_) cap_->save(out);
  if (config_.settings.missing) {
    out.put<std::uint8_t>(present_.empty() ? 0 : 1);
    out.put_array(present_.data(), present_.size());
  }
  if (!config_.settings.drops_rows()) return;
  out.put<std::uint8_t>(drop_known_ ? 1 : 0);
  out.put<std::int64_t>(static_cast<std::int64_t>(dropped_.size()));
  for (const Index row : dropped_) out.put<std::int64_t>(row);
}

Status EarlySums::load(ByteReader& in) {
  if (cap_) {
    cap_->load(in);
    if (!cap_->in_range()) return error(ErrorCode::kInvalidData, "its search for the cap is damaged");
    absorbed_ = static_cast<std::uint32_t>(cap_->sums());
    PPDNMF_TRY_STATUS(apply_cap());
  }
  if (config_.settings.missing) PPDNMF_TRY_STATUS(load_present(in));
  return config_.settings.drops_rows() ? load_dropped(in) : Status();
}

Status EarlySums::load_present(ByteReader& in) {
  if (in.get<std::uint8_t>() == 0) return {};
  present_.resize(static_cast<std::size_t>(config_.settings.rows));
  in.get_array(present_.data(), present_.size());
  ++absorbed_;
  const bool counts = std::all_of(present_.begin(), present_.end(), [](double n) { return n >= 1 && n < 0x1p53; });
  return counts ? Status() : error(ErrorCode::kInvalidData, "its numbers of columns that have each row are damaged");
}

// Even if no row went, columns may have been lowered.
Status EarlySums::load_dropped(ByteReader& in) {
  const bool known = in.get<std::uint8_t>() != 0;
  const auto count = in.get<std::int64_t>();
  const auto damaged = [] { return error(ErrorCode::kInvalidData, "its dropped rows are damaged"); };
  std::vector<Index> rows;
  for (std::int64_t n = 0; n < count && !in.failed(); ++n) {
    const auto row = in.get<std::int64_t>();
    if (row <= (rows.empty() ? -1 : rows.back()) || row >= config_.settings.rows) return damaged();
    rows.push_back(row);
  }
  if (!known) return rows.empty() ? Status() : damaged();
  if (++absorbed_ != early_sums(config_.settings)) return damaged();
  return drop(std::move(rows));
}

bool EarlySums::has_absorbed(std::uint32_t sums) const { return absorbed_ == sums; }

}  // namespace ppdnmf::protocol
