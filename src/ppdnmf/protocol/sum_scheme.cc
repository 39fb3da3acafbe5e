#include <ppdnmf/protocol/sum_scheme.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/base/digest.h>

namespace ppdnmf::protocol {
namespace {

constexpr const char* kRequest = "request";

nmf::DescentOptions options_of(const RunSettings& s) {
  nmf::DescentOptions options;
  options.rounds = s.iterations;
  options.starts = s.starts;
  options.tolerance = s.tolerance;
  return options;
}

std::vector<double> flatten(const nmf::Moments& m) {
  std::vector<double> values(m.S.data(), m.S.data() + m.S.size());
  for (Index k = 0; k < m.T.cols(); ++k) values.insert(values.end(), m.T.col(k).data(), m.T.col(k).data() + k + 1);
  values.push_back(m.squared_error);
  return values;
}

nmf::Moments unflatten(std::span<const double> values, Index rows, Index rank) {
  nmf::Moments m{Matrix(rows, rank), Matrix(rank, rank), values.back()};
  std::copy_n(values.begin(), m.S.size(), m.S.data());
  auto next = values.begin() + m.S.size();
  for (Index k = 0; k < rank; ++k) {
    for (Index j = 0; j <= k; ++j) m.T(j, k) = m.T(k, j) = *next++;
  }
  return m;
}

}  // namespace

SumScheme::SumScheme(const RunSettings& settings, std::function<Matrix(int)> start, nmf::Holder& columns,
                     CommonSteps* steps)
    : settings_(settings),
      columns_(columns),
      steps_(steps),
      descent_(options_of(settings), std::move(start), columns.loss(), columns.executor()) {}

std::size_t SumScheme::words(const RunSettings& s) {
  return static_cast<std::size_t>(s.rows * s.rank + s.rank * (s.rank + 1) / 2 + 1);
}

Result<Ask> SumScheme::begin(const Opening& opening, Outbox& /*out*/) {
  opening_ = opening;
  begun_ = true;
  return ask();
}

Ask SumScheme::ask() {
  const nmf::Moments moments = columns_.answer(descent_.request());
  answered_ = moments.squared_error;
  asked_ = true;
  const Matrix* common = &descent_.request().X;
  if (descent_.measures_only()) return SumOf{{answered_}, stop_, common};
  return SumOf{flatten(moments), stop_, common};
}

Result<Ask> SumScheme::absorb(std::span<const double> totals, bool stop, Outbox& out) {
  asked_ = false;
  const bool first = descent_.rounds() == 0;
  const double best = first ? 0 : descent_.squared_error();
  PPDNMF_TRY_STATUS(step(totals));
  if (first || descent_.squared_error() < best) own_error_ = answered_;
  if (!first) {
    // The totals of round n + 1, or the measure, tell the error of what round n led to.
    const std::uint64_t known = descent_.rounds() - (descent_.done() ? 0 : 1);
    out.report({static_cast<std::uint32_t>(known),
                known,
                {own_error_, columns_.squared_norm()},
                {descent_.squared_error(), opening_.squared_norm},
                descent_.X(),
                false});
  }
  if (descent_.done()) {
    columns_.settle(descent_.last_accepted());
    const bool others = descent_.stopped_because() == kRequest && !stop_;
    return Ended{others ? "neighbour" : descent_.stopped_because()};
  }
  if (stop) descent_.stop(kRequest);
  return ask();
}

// The descent takes the totals, or what another agent of this process made of the same ones.
Status SumScheme::step(std::span<const double> totals) {
  const auto absorb = [&]() -> Status {
    if (descent_.measures_only()) return descent_.absorb({{}, {}, totals[0]});
    return descent_.absorb(unflatten(totals, settings_.rows, settings_.rank));
  };
  if (steps_ == nullptr) return absorb();
  const auto* const first = reinterpret_cast<const std::uint8_t*>(totals.data());
  totals_ = sha256({totals_, {first, totals.size_bytes()}});
  bool computed = false;
  PPDNMF_TRY(const Bytes state, steps_->find_or_compute(totals_, [&]() -> Result<Bytes> {
    computed = true;
    PPDNMF_TRY_STATUS(absorb());
    ByteWriter out;
    descent_.save(out);
    return out.take();
  }));
  if (computed) return {};
  ByteReader in(state);
  descent_.load(in);
  return in.status();
}

std::uint64_t SumScheme::rounds() const { return descent_.rounds() + (asked_ && !descent_.measures_only() ? 1 : 0); }

void SumScheme::save(ByteWriter& out) const {
  out.put<std::uint8_t>(begun_ ? 1 : 0);
  out.put<std::uint8_t>(stop_ ? 1 : 0);
  out.put<std::uint8_t>(asked_ ? 1 : 0);
  out.put(answered_);
  out.put(own_error_);
  out.put_array(totals_.data(), totals_.size());
  descent_.save(out);
}

Status SumScheme::load(ByteReader& in, const std::optional<Opening>& opening) {
  begun_ = in.get<std::uint8_t>() != 0;
  stop_ = in.get<std::uint8_t>() != 0;
  asked_ = in.get<std::uint8_t>() != 0;
  answered_ = in.get<double>();
  own_error_ = in.get<double>();
  in.get_array(totals_.data(), totals_.size());
  descent_.load(in);
  const bool numbers = std::isfinite(answered_) && std::isfinite(own_error_) && descent_.in_range();
  if (begun_ != opening.has_value() || !numbers || (!begun_ && descent_.rounds() > 0))
    return error(ErrorCode::kInvalidData, "its descent is damaged");
  if (opening) opening_ = *opening;
  return {};
}

}  // namespace ppdnmf::protocol
