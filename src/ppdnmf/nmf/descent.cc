#include <ppdnmf/nmf/descent.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <ppdnmf/nmf/shrinkage.h>

namespace ppdnmf::nmf {
namespace {

constexpr int kStoppingWindow = 10;
constexpr double kRepairedAtMost = 2;  // at the floor of arithmetic round-off is that large
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

Descent::Descent(const DescentOptions& options, std::function<Matrix(int)> start, std::shared_ptr<const Loss> loss,
                 Executor& executor)
    : options_(options),
      course_(loss->course()),
      start_(std::move(start)),
      loss_(std::move(loss)),
      executor_(executor),
      at_X_{kInfinity, kInfinity},
      best_{kInfinity, kInfinity},
      b_(course_.first_b),
      starting_(options.starts > 1) {
  PPDNMF_CHECK(options.rounds >= 1 && options.starts >= 1 && options.start_rounds >= 1);
  begin_start();
}

// The first of all.
void Descent::begin_start() {
  X_ = start_X(0);
  gauge_ = gauge_best_ = loss_->first_gauge(X_);
  X_step_ = X_last_ = request_.X = X_;
  ask(Asked::kFresh, gauge_);
  if (options_.starts > 1) X_best_ = X_;
  if (!all_known()) return;
  starting_ = false;  // every start would be the same
  request_.thorough = true;
  request_.unhurried = false;
}

// One at a time: the next call writes to the same place.
const Matrix& Descent::shown(const Matrix& X, const std::vector<double>& gauge) const {
  if (gauge.empty()) return X;
  return shown_ = Loss::shown_X(X, gauge);
}

// In these rows all columns have zeros, though a loss may raise X to its floor there.
void Descent::clear(Matrix& X) const {
  for (const Index row : cleared_) X.row(row).setZero();
}

void Descent::clear_rows(std::vector<Index> rows) {
  PPDNMF_CHECK(rounds_ == 0);
  cleared_ = std::move(rows);
  begin_start();
}

// Random numbers become a start when the loss has what it wants for that.
Matrix Descent::start_X(int number) const {
  Matrix X = start_(number);
  if (number == 0 && options_.first_start_given) {
    X = loss_->first_X(std::move(X), {});
  } else if (!loss_->wants_row_totals() || !common_.row_totals.empty()) {
    X = loss_->first_X(std::move(X), common_.row_totals);
  }
  clear(X);
  return X;
}

Status Descent::begin(Common common) {
  PPDNMF_CHECK(rounds_ == 0 && common.scale > 0);
  PPDNMF_CHECK(static_cast<Index>(common.row_totals.size()) == (loss_->wants_row_totals() ? X_.rows() : 0));
  PPDNMF_CHECK(static_cast<Index>(common.present.size()) == (loss_->options().missing ? X_.rows() : 0));
  double sum = 0;
  for (const double total : common.row_totals) {
    if (!std::isfinite(total) || total < 0)
      return error(ErrorCode::kNumeric, "the sum of a row over all columns is {}", total);
    sum += total;
  }
  if (loss_->wants_row_totals() && !(sum > 0))
    return error(ErrorCode::kNumeric, "the sums of all rows come to {}", sum);
  common_ = std::move(common);
  // A row of which less is there is not a smaller one.
  for (std::size_t l = 0; l < std::min(common_.present.size(), common_.row_totals.size()); ++l)
    common_.row_totals[l] /= common_.present[l];
  if (loss_->wants_row_totals()) begin_start();
  return {};
}

const DescentRequest& Descent::request() const { return request_; }
bool Descent::measures_only() const { return request_.measure_only; }
bool Descent::done() const { return done_; }
bool Descent::last_accepted() const { return last_accepted_; }
const std::string& Descent::stopped_because() const { return stopped_because_; }
std::uint64_t Descent::rounds() const { return rounds_; }
const Matrix& Descent::X() const { return better_start_known() ? shown(X_best_, gauge_best_) : shown(X_, gauge_); }
double Descent::value() const { return (better_start_known() ? best_ : at_X_).value; }
double Descent::free_value() const { return std::isfinite(free_value_) ? free_value_ : value(); }
double Descent::penalty() const { return (better_start_known() ? best_ : at_X_).penalty; }
double Descent::squared_error() const { return (better_start_known() ? best_ : at_X_).squared_error; }
// What is minimised has more in it than before: the values cannot be compared.
bool Descent::begins_few() const { return request_.few && !std::isfinite(free_value_); }
// Of a start; the best one goes on from an X that is no start any more.
bool Descent::opening() const { return in_start_ < course_.opening_rounds && (starting_ || options_.starts == 1); }

int Descent::start_length() const {
  return std::clamp(options_.rounds / (options_.starts + 1), 1, options_.start_rounds);
}

Status Descent::check(const Moments& totals) const {
  PPDNMF_CHECK(!done_);
  const auto possible = [](double x) { return std::isfinite(x) && x >= 0; };
  if (!possible(totals.squared_error))
    return error(ErrorCode::kNumeric, "the squared error over all columns is {}", totals.squared_error);
  const double value = errors_of(totals).value;
  if (!possible(value)) return error(ErrorCode::kNumeric, "the loss over all columns is {}", value);
  if (measures_only()) return {};
  if (!loss_->plausible(totals, X_.rows(), X_.cols(), executor_))
    return error(ErrorCode::kNumeric, "the sums over all columns hold a number that no data lead to");
  return {};
}

Descent::Errors Descent::errors_of(const Moments& totals) const {
  return {loss_->value(totals, request_, common_), totals.squared_error, loss_->penalty(totals, request_, common_)};
}

bool Descent::accepts(const Moments& totals) const {
  return asked_ != Asked::kStep || request_.unhurried || begins_few() || errors_of(totals).value <= at_X_.value;
}

Status Descent::absorb(const Moments& totals) {
  PPDNMF_TRY_STATUS(check(totals));
  if (measures_only()) {
    measure(totals);
    return {};
  }
  ++rounds_;
  ++in_start_;
  if (accepts(totals)) {
    accept(totals);
  } else {
    reject();
  }
  if (starting_ && in_start_ >= start_length()) end_start();
  look_whether_to_stop();
  return {};
}

// For the X that the request has been given.
void Descent::ask(Asked what, std::vector<double> gauge) {
  asked_ = what;
  const bool extrapolates = what == Asked::kStep && course_.repairs && in_start_ > course_.plain_steps;
  request_.gauge = std::move(gauge);
  request_.restart = what == Asked::kFresh;
  request_.take_back = what == Asked::kRepair || what == Asked::kSafe;
  request_.extrapolation = extrapolates ? b_ : 0;
  request_.measure_only = request_.thorough = false;
  request_.unhurried = opening();
  request_.own_parts = in_start_ >= course_.common_rounds && !starting_;
  request_.few = loss_->options().few > 0 && in_start_ >= course_.free_rounds && !starting_;
  clear(request_.X);
}

void Descent::accept(const Moments& totals) {
  gauge_ = asked_gauge(totals);
  // A repair goes on from the accepted Y: its error is larger by round-off at most. If it is larger by more, what was
  // said of this X before was not true, and no step could ever be compared with it.
  const Errors now = errors_of(totals);
  if (begins_few()) free_value_ = at_X_.value;
  const bool believed = asked_ == Asked::kRepair && now.value <= kRepairedAtMost * at_X_.value;
  if (!believed || now.value < at_X_.value) at_X_ = now;
  X_.swap(request_.X);  // the next request's is still to come
  if (asked_ == Asked::kStep) {
    X_last_.swap(X_step_);
    if (in_start_ > course_.opening_rounds) {
      b_ = std::min(b_max_, b_ * course_.raised + course_.added);
      b_max_ = std::min(1.0, b_max_ * course_.limit_raised);
      damping_ = std::max(1.0, damping_ * course_.undamped);
    }
  } else if (asked_ == Asked::kSafe) {
    X_last_ = X_;
  } else if (asked_ == Asked::kFresh) {
    X_last_ = X_;
    if (!starting_) best_ = {kInfinity, kInfinity};  // the best start has been found again
  }
  if (!course_.repairs) remembered_ = totals;
  if (shrinks()) T_ = totals.T;
  next_step(totals);
}

void Descent::next_step(const Moments& totals) {
  executor_.for_each(static_cast<std::size_t>(X_.cols()),
                     [&](std::size_t k) { X_step_.col(static_cast<Index>(k)) = X_.col(static_cast<Index>(k)); });
  loss_->next_X(totals, x_step(), X_step_, executor_);
  const double b = in_start_ > course_.plain_steps ? b_ : 0;
  loss_->further(X_step_, X_last_, X_, b, request_.X, executor_);
  ask(Asked::kStep, loss_->gauge(totals, request_.X, common_));
}

void Descent::reject() {
  b_max_ = std::max(course_.limit_part * b_, course_.least_limit);
  b_ *= course_.lowered;
  damping_ = std::min(kMaxDamping, damping_ * course_.damped);
  if (course_.repairs) {
    request_.X = X_;
    return ask(Asked::kRepair, gauge_);
  }
  X_step_ = X_;
  loss_->safe_X(remembered_, x_step(), X_step_);
  request_.X = X_step_;
  ask(Asked::kSafe, loss_->gauge(remembered_, X_step_, common_));
}

void Descent::end_start() {
  const bool best = at_X_.value < best_.value;
  if (best) {
    X_best_ = X_;
    gauge_best_ = gauge_;
    best_ = at_X_;
  }
  in_start_ = 0;
  ++start_number_;
  starting_ = start_number_ < options_.starts;
  if (!starting_ && best) {  // the last start goes on as if nothing had happened
    best_ = {kInfinity, kInfinity};
    return;
  }
  b_ = course_.first_b;
  b_max_ = 1;
  damping_ = 1;
  at_X_ = {kInfinity, kInfinity};
  if (starting_) {
    request_.X = start_X(start_number_);
    ask(Asked::kFresh, loss_->first_gauge(request_.X));
  } else {
    request_.X = X_best_;
    ask(Asked::kFresh, gauge_best_);
  }
  request_.thorough = !starting_;
  request_.unhurried = opening();
}

void Descent::look_whether_to_stop() {
  if (rounds_ >= static_cast<std::uint64_t>(options_.rounds)) {
    stop("iterations");
    return;
  }
  if (all_known()) return stop("known");
  if (starting_ || in_start_ == 0 || in_start_ % kStoppingWindow != 0) return;
  const double now = std::sqrt(at_X_.value);
  const bool slow = earlier_error_ - now < options_.tolerance * earlier_error_;
  if (options_.tolerance > 0 && in_start_ > kStoppingWindow && slow) stop("tolerance");
  earlier_error_ = now;
}

void Descent::stop(std::string because) {
  if (done_ || measures_only()) return;
  stopped_because_ = std::move(because);
  if (better_start_known()) {  // a start that is not the best one so far: back to that
    at_X_ = {kInfinity, kInfinity};
    T_.resize(0, 0);  // of another start
    request_.X = X_best_;
    ask(Asked::kFresh, gauge_best_);
    request_.thorough = true;
    request_.unhurried = false;
  }
  if (begins_few()) request_.few = false;
  request_.extrapolation = 0;
  request_.measure_only = true;
}

void Descent::measure(const Moments& totals) {
  const Errors now = errors_of(totals);
  last_accepted_ = accepts(totals);
  if (last_accepted_) {
    X_ = request_.X;
    gauge_ = asked_gauge(totals);
    if (asked_ != Asked::kRepair || now.value < at_X_.value) at_X_ = now;
  }
  best_ = {kInfinity, kInfinity};  // X is it
  done_ = !ask_shrunk();
}

bool Descent::shrinks() const {
  const LossOptions& options = loss_->options();
  return options.missing && options.kind == LossKind::kSquares && !options.penalties.any();
}

// After the measure: the Y that is kept, and its error.
bool Descent::ask_shrunk() {
  if (T_.size() == 0 || request_.shrink.size() > 0) return false;
  request_.shrink = shrinkage(X_, T_, at_X_.squared_error, common_);
  if (request_.shrink.size() == 0) return false;
  request_.X = X_;
  ask(Asked::kFresh, gauge_);
  request_.measure_only = request_.thorough = true;
  return true;
}

}  // namespace ppdnmf::nmf
