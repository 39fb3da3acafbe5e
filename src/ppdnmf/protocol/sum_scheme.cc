#include <ppdnmf/protocol/sum_scheme.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/base/parts.h>

namespace ppdnmf::protocol {
namespace {

constexpr const char* kRequest = "request";

nmf::DescentOptions options_of(const RunSettings& s, bool start_given) {
  nmf::DescentOptions options;
  options.first_start_given = start_given;
  options.rounds = s.iterations;
  options.starts = s.starts;
  options.tolerance = s.tolerance;
  return options;
}

}  // namespace

SumScheme::SumScheme(const RunSettings& settings, std::function<Matrix(int)> start, bool start_given,
                     nmf::Holder& columns, CommonSteps* steps)
    : settings_(settings),
      columns_(columns),
      loss_(columns.loss()),
      steps_(steps),
      descent_(options_of(settings, start_given), std::move(start), loss_, columns.executor()) {
  PPDNMF_CHECK(loss_->kind() == settings.loss);
}

std::size_t SumScheme::words(const RunSettings& s) { return loss_of(s)->words(s.rows, s.rank); }

double SumScheme::divergence() const {
  return settings_.loss == nmf::LossKind::kPoisson ? descent_.value() - descent_.penalty() : 0;
}

Result<Ask> SumScheme::begin(const Opening& opening, Outbox& /*out*/) {
  opening_ = opening;
  begun_ = true;
  if (!opening.dropped.empty()) descent_.clear_rows(opening.dropped);
  opens_rows_ = loss_->wants_row_totals();
  if (opens_rows_) return SumOf{columns_.common().row_totals, stop_, nullptr};
  PPDNMF_TRY_STATUS(descent_.begin({opening.scale, {}, opening.present, static_cast<double>(opening.columns)}));
  return ask();
}

Ask SumScheme::ask() {
  const nmf::Moments moments = columns_.answer(descent_.request());
  answered_ = {moments.squared_error, columns_.squared_norm(), moments.divergence};
  asked_ = true;
  return SumOf{loss_->to_numbers(moments, descent_.measures_only()), stop_, &descent_.request().X};
}

Result<Ask> SumScheme::absorb(std::span<const double> totals, bool stop, Outbox& out) {
  if (std::exchange(opens_rows_, false)) {
    PPDNMF_TRY_STATUS(step(totals, [&] {
      return descent_.begin(
          {opening_.scale, {totals.begin(), totals.end()}, opening_.present, static_cast<double>(opening_.columns)});
    }));
    return ask();  // who proposes to end says so again with the first round
  }
  asked_ = false;
  const bool first = descent_.rounds() == 0;
  const bool measured = descent_.measures_only();
  const bool shrunk = descent_.shrink().size() > 0;
  const double best = first ? 0 : descent_.value();
  PPDNMF_TRY_STATUS(step(totals, [&] {
    return descent_.absorb(loss_->from_numbers(totals, settings_.rows, settings_.rank, descent_.measures_only()));
  }));
  // Safe steps and those of the first rounds are accepted whatever they lead to.
  const bool taken = settings_.loss == nmf::LossKind::kSquares ? descent_.value() < best : descent_.value() != best;
  if (first || taken || shrunk) own_ = answered_;
  if (!first && (!measured || descent_.done())) {
    // The totals of round n + 1, or the measure, tell the error of what round n led to.
    const std::uint64_t known = descent_.rounds() - (descent_.done() ? 0 : 1);
    out.report({static_cast<std::uint32_t>(known),
                known,
                own_,
                {descent_.squared_error(), opening_.squared_norm, divergence(), descent_.penalty()},
                descent_.X(),
                false,
                settings_.loss});
  }
  if (descent_.done()) {
    columns_.settle(descent_.last_accepted());
    columns_.take_gauge(descent_.gauge());
    const bool others = descent_.stopped_because() == kRequest && !stop_;
    return Ended{others ? "neighbour" : descent_.stopped_because()};
  }
  if (stop) descent_.stop(kRequest);
  return ask();
}

// The descent takes the totals, or what another agent of this process made of the same ones.
Status SumScheme::step(std::span<const double> totals, const std::function<Status()>& absorb) {
  if (steps_ == nullptr) return absorb();
  const auto* const first = reinterpret_cast<const std::uint8_t*>(totals.data());
  Sha256 hash;
  hash.add(totals_);
  add_in_parts(hash, {first, totals.size_bytes()}, columns_.executor());
  totals_ = hash.finish();
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
  out.put<std::uint8_t>(opens_rows_ ? 1 : 0);
  for (const nmf::LocalFit& fit : {answered_, own_}) {
    for (const double number : {fit.squared_error, fit.squared_norm, fit.divergence}) out.put(number);
  }
  out.put_array(totals_.data(), totals_.size());
  descent_.save(out);
}

Status SumScheme::load(ByteReader& in, const std::optional<Opening>& opening) {
  begun_ = in.get<std::uint8_t>() != 0;
  stop_ = in.get<std::uint8_t>() != 0;
  asked_ = in.get<std::uint8_t>() != 0;
  opens_rows_ = in.get<std::uint8_t>() != 0;
  bool numbers = true;
  for (nmf::LocalFit* fit : {&answered_, &own_}) {
    for (double* number : {&fit->squared_error, &fit->squared_norm, &fit->divergence}) {
      *number = in.get<double>();
      numbers = numbers && std::isfinite(*number);
    }
  }
  in.get_array(totals_.data(), totals_.size());
  if (opening && !opening->dropped.empty()) descent_.clear_rows(opening->dropped);  // later starts need it
  descent_.load(in);
  numbers = numbers && descent_.in_range() && opens_rows_ <= (begun_ && loss_->wants_row_totals());
  if (begun_ != opening.has_value() || !numbers || (!begun_ && descent_.rounds() > 0))
    return error(ErrorCode::kInvalidData, "its descent is damaged");
  if (opening) opening_ = *opening;
  return {};
}

}  // namespace ppdnmf::protocol
