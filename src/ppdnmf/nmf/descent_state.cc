// A descent's state as bytes.
#include <algorithm>
#include <cmath>

#include <ppdnmf/nmf/descent.h>

namespace ppdnmf::nmf {

void Descent::save(ByteWriter& out) const {
  for (const Matrix* matrix : {&request_.X, &X_, &X_step_, &X_last_, &X_best_})
    out.put_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
  for (const double number : {request_.extrapolation, at_X_.value, at_X_.squared_error, best_.value,
                              best_.squared_error, b_, b_max_, damping_, earlier_error_})
    out.put(number);
  out.put(rounds_);
  out.put(in_start_);
  out.put(start_number_);
  out.put(static_cast<std::uint8_t>(asked_));
  for (const bool flag : {request_.restart, request_.take_back, request_.measure_only, request_.thorough,
                          request_.unhurried, request_.own_parts, request_.few, starting_, done_, last_accepted_})
    out.put<std::uint8_t>(flag ? 1 : 0);
  out.put_string(stopped_because_);
  if (loss_->options().few > 0) out.put(free_value_);
  if (loss_->options().penalties.any()) {
    for (const std::vector<double>* gauge : {&request_.gauge, &gauge_, &gauge_best_})
      out.put_array(gauge->data(), gauge->size());
    for (const double number : {common_.scale, at_X_.penalty, best_.penalty}) out.put(number);
  }
  if (loss_->wants_row_totals()) {
    out.put<std::uint8_t>(common_.row_totals.empty() ? 0 : 1);
    out.put_array(common_.row_totals.data(), common_.row_totals.size());
  }
  if (loss_->options().missing) {
    out.put<std::uint8_t>(common_.present.empty() ? 0 : 1);
    out.put_array(common_.present.data(), common_.present.size());
    out.put(common_.columns);
    out.put<std::uint8_t>(T_.size() > 0 ? 1 : 0);
    out.put_array(T_.data(), static_cast<std::size_t>(T_.size()));
    out.put<std::uint8_t>(request_.shrink.size() > 0 ? 1 : 0);
    out.put_array(request_.shrink.data(), static_cast<std::size_t>(request_.shrink.size()));
  }
  if (course_.repairs) return;
  out.put<std::uint8_t>(remembered_.S.size() > 0 ? 1 : 0);
  if (remembered_.S.size() == 0) return;
  const std::vector<double> numbers = loss_->to_numbers(remembered_, false);
  out.put_array(numbers.data(), numbers.size());
}

void Descent::load(ByteReader& in) {
  for (Matrix* matrix : {&request_.X, &X_, &X_step_, &X_last_, &X_best_})
    in.get_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
  for (double* number : {&request_.extrapolation, &at_X_.value, &at_X_.squared_error, &best_.value,
                         &best_.squared_error, &b_, &b_max_, &damping_, &earlier_error_})
    *number = in.get<double>();
  rounds_ = in.get<std::uint64_t>();
  in_start_ = in.get<std::int32_t>();
  start_number_ = in.get<std::int32_t>();
  asked_ = static_cast<Asked>(in.get<std::uint8_t>());
  for (bool* flag : {&request_.restart, &request_.take_back, &request_.measure_only, &request_.thorough,
                     &request_.unhurried, &request_.own_parts, &request_.few, &starting_, &done_, &last_accepted_})
    *flag = in.get<std::uint8_t>() != 0;
  stopped_because_ = in.get_string();
  if (loss_->options().few > 0) free_value_ = in.get<double>();
  if (loss_->options().penalties.any()) {
    for (std::vector<double>* gauge : {&request_.gauge, &gauge_, &gauge_best_}) {
      gauge->resize(static_cast<std::size_t>(X_.cols()));
      in.get_array(gauge->data(), gauge->size());
    }
    for (double* number : {&common_.scale, &at_X_.penalty, &best_.penalty}) *number = in.get<double>();
  }
  common_.row_totals.clear();
  if (loss_->wants_row_totals() && in.get<std::uint8_t>() != 0) {
    common_.row_totals.resize(static_cast<std::size_t>(X_.rows()));
    in.get_array(common_.row_totals.data(), common_.row_totals.size());
  }
  common_.present.clear();
  if (loss_->options().missing && in.get<std::uint8_t>() != 0) {
    common_.present.resize(static_cast<std::size_t>(X_.rows()));
    in.get_array(common_.present.data(), common_.present.size());
  }
  if (loss_->options().missing) {
    common_.columns = in.get<double>();
    for (Matrix* matrix : {&T_, &request_.shrink}) {
      const Index rank = in.get<std::uint8_t>() != 0 ? X_.cols() : 0;
      matrix->resize(rank, rank);
      in.get_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
    }
  }
  remembered_ = {};
  if (course_.repairs || in.get<std::uint8_t>() == 0) return;
  std::vector<double> numbers(loss_->words(X_.rows(), X_.cols()));
  in.get_array(numbers.data(), numbers.size());
  remembered_ = loss_->from_numbers(numbers, X_.rows(), X_.cols(), false);
}

bool Descent::in_range() const {
  for (const Matrix* matrix : {&request_.X, &X_, &X_step_, &X_last_, &X_best_}) {
    if (!matrix->allFinite() || (matrix->size() > 0 && matrix->minCoeff() < 0)) return false;
  }
  const auto part = [](double x) { return x >= 0 && x <= 1; };
  const auto possible = [](const Errors& e) { return e.value >= 0 && e.squared_error >= 0; };
  const auto total = [](double x) { return std::isfinite(x) && x >= 0; };
  const auto present = [](double x) { return x > 0 && x <= 1; };
  if (!std::all_of(common_.present.begin(), common_.present.end(), present)) return false;
  if (!(common_.columns >= 0) || !T_.allFinite() || !request_.shrink.allFinite()) return false;
  for (const std::vector<double>* gauge : {&request_.gauge, &gauge_, &gauge_best_}) {
    if (!Loss::possible_gauge(*gauge)) return false;
  }
  if (!(free_value_ >= 0) || !(common_.scale > 0) || !(at_X_.penalty >= 0) || !(best_.penalty >= 0)) return false;
  if (remembered_.S.size() > 0 && !loss_->plausible(remembered_, X_.rows(), X_.cols())) return false;
  return asked_ <= Asked::kSafe && possible(at_X_) && possible(best_) && part(b_) && part(b_max_) && damping_ >= 1 &&
         damping_ <= kMaxDamping && std::all_of(common_.row_totals.begin(), common_.row_totals.end(), total) &&
         (asked_ == Asked::kSafe) <= !course_.repairs && part(request_.extrapolation) &&
         std::isfinite(earlier_error_) && in_start_ >= 0 && start_number_ >= 0 && start_number_ <= options_.starts &&
         rounds_ <= static_cast<std::uint64_t>(options_.rounds) && done_ <= !stopped_because_.empty();
}

}  // namespace ppdnmf::nmf
