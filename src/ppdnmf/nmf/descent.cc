#include <ppdnmf/nmf/descent.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ppdnmf::nmf {
namespace {

constexpr int kStoppingWindow = 10;
// The first steps go without extrapolation: a random start says nothing about where to go on to, and steps that are too
// long in the beginning end on plateaus.
constexpr int kPlainSteps = 4;
// How the extrapolation moves: up a little with every accepted step, down after a rejected one, which also sets a limit
// that recovers slowly.
constexpr double kFirstExtrapolation = 0.5;
constexpr double kLowered = 2.0 / 3;
constexpr double kRaised = 1.01;
constexpr double kLimitRaised = 1.005;
constexpr double kRepairedAtMost = 2;  // at the floor of arithmetic round-off is that large
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

Descent::Descent(const DescentOptions& options, std::function<Matrix(int)> start, const Loss& loss, Executor& executor)
    : options_(options),
      start_(std::move(start)),
      loss_(loss),
      executor_(executor),
      squared_error_(kInfinity),
      best_squared_error_(kInfinity),
      b_(kFirstExtrapolation),
      b_max_(1),
      starting_(options.starts > 1) {
  PPDNMF_CHECK(options.rounds >= 1 && options.starts >= 1 && options.start_rounds >= 1);
  ask(Asked::kFresh, start_(0));
  X_ = X_step_ = X_last_ = X_best_ = request_.X;
}

const DescentRequest& Descent::request() const { return request_; }
bool Descent::measures_only() const { return request_.measure_only; }
bool Descent::done() const { return done_; }
bool Descent::last_accepted() const { return last_accepted_; }
const std::string& Descent::stopped_because() const { return stopped_because_; }
std::uint64_t Descent::rounds() const { return rounds_; }
const Matrix& Descent::X() const { return best_squared_error_ < squared_error_ ? X_best_ : X_; }
double Descent::squared_error() const { return std::min(best_squared_error_, squared_error_); }

int Descent::start_length() const {
  return std::clamp(options_.rounds / (options_.starts + 1), 1, options_.start_rounds);
}

Status Descent::check(const Moments& totals) const {
  PPDNMF_CHECK(!done_);
  const bool error_possible = std::isfinite(totals.squared_error) && totals.squared_error >= 0;
  if (!error_possible)
    return error(ErrorCode::kNumeric, "the squared error over all columns is {}", totals.squared_error);
  if (measures_only()) return {};
  PPDNMF_CHECK(totals.S.rows() == X_.rows() && totals.S.cols() == X_.cols());
  PPDNMF_CHECK(totals.T.rows() == X_.cols() && totals.T.cols() == X_.cols());
  if (!totals.S.allFinite() || !totals.T.allFinite() || totals.T.diagonal().minCoeff() < 0)
    return error(ErrorCode::kNumeric, "the sums over all columns hold a number that no data lead to");
  return {};
}

bool Descent::accepts(double squared_error) const { return asked_ != Asked::kStep || squared_error <= squared_error_; }

Status Descent::absorb(const Moments& totals) {
  PPDNMF_TRY_STATUS(check(totals));
  if (measures_only()) {
    measure(totals);
    return {};
  }
  ++rounds_;
  ++in_start_;
  if (accepts(totals.squared_error)) {
    accept(totals);
  } else {
    reject();
  }
  if (starting_ && in_start_ >= start_length()) end_start();
  look_whether_to_stop();
  return {};
}

void Descent::ask(Asked what, const Matrix& X) {
  asked_ = what;
  request_ = {X,
              what == Asked::kFresh,
              what == Asked::kRepair,
              what == Asked::kStep && in_start_ > kPlainSteps ? b_ : 0,
              false,
              false};
}

void Descent::accept(const Moments& totals) {
  X_ = request_.X;
  // A repair goes on from the accepted Y: its error is larger by round-off at most. If it is larger by more, what was
  // said of this X before was not true, and no step could ever be compared with it.
  const bool believed = asked_ == Asked::kRepair && totals.squared_error <= kRepairedAtMost * squared_error_;
  squared_error_ = believed ? std::min(squared_error_, totals.squared_error) : totals.squared_error;
  if (asked_ == Asked::kStep) {
    X_last_ = X_step_;
    b_ = std::min(b_max_, b_ * kRaised);
    b_max_ = std::min(1.0, b_max_ * kLimitRaised);
  } else if (asked_ == Asked::kFresh) {
    X_last_ = X_;
    if (!starting_) best_squared_error_ = kInfinity;  // the best start has been found again
  }
  next_step(totals);
}

void Descent::next_step(const Moments& totals) {
  X_step_ = X_;
  loss_.next_X(totals, X_step_, executor_);
  const double b = in_start_ > kPlainSteps ? b_ : 0;
  ask(Asked::kStep, (X_step_ + b * (X_step_ - X_last_)).cwiseMax(0));
}

void Descent::reject() {
  b_max_ = b_;
  b_ *= kLowered;
  ask(Asked::kRepair, X_);
}

void Descent::end_start() {
  const bool best = squared_error_ < best_squared_error_;
  if (best) {
    X_best_ = X_;
    best_squared_error_ = squared_error_;
  }
  in_start_ = 0;
  ++start_number_;
  starting_ = start_number_ < options_.starts;
  if (!starting_ && best) {  // the last start goes on as if nothing had happened
    best_squared_error_ = kInfinity;
    return;
  }
  b_ = kFirstExtrapolation;
  b_max_ = 1;
  squared_error_ = kInfinity;
  ask(Asked::kFresh, starting_ ? start_(start_number_) : X_best_);
  request_.thorough = !starting_;
}

void Descent::look_whether_to_stop() {
  if (rounds_ >= static_cast<std::uint64_t>(options_.rounds)) {
    stop("iterations");
    return;
  }
  if (starting_ || in_start_ == 0 || in_start_ % kStoppingWindow != 0) return;
  const double now = std::sqrt(squared_error_);
  const bool slow = earlier_error_ - now < options_.tolerance * earlier_error_;
  if (options_.tolerance > 0 && in_start_ > kStoppingWindow && slow) stop("tolerance");
  earlier_error_ = now;
}

void Descent::stop(std::string because) {
  if (done_ || measures_only()) return;
  stopped_because_ = std::move(because);
  if (best_squared_error_ < squared_error_) {  // a start that is not the best one so far: back to that
    squared_error_ = kInfinity;
    ask(Asked::kFresh, X_best_);
    request_.thorough = true;
  }
  request_.extrapolation = 0;
  request_.measure_only = true;
}

void Descent::measure(const Moments& totals) {
  last_accepted_ = accepts(totals.squared_error);
  if (last_accepted_) {
    X_ = request_.X;
    squared_error_ = asked_ == Asked::kRepair ? std::min(squared_error_, totals.squared_error) : totals.squared_error;
  }
  best_squared_error_ = kInfinity;  // X is it
  done_ = true;
}

void Descent::save(ByteWriter& out) const {
  for (const Matrix* matrix : {&request_.X, &X_, &X_step_, &X_last_, &X_best_})
    out.put_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
  for (const double number : {request_.extrapolation, squared_error_, best_squared_error_, b_, b_max_, earlier_error_})
    out.put(number);
  out.put(rounds_);
  out.put(in_start_);
  out.put(start_number_);
  out.put(static_cast<std::uint8_t>(asked_));
  for (const bool flag : {request_.restart, request_.take_back, request_.measure_only, request_.thorough, starting_,
                          done_, last_accepted_})
    out.put<std::uint8_t>(flag ? 1 : 0);
  out.put_string(stopped_because_);
}

void Descent::load(ByteReader& in) {
  for (Matrix* matrix : {&request_.X, &X_, &X_step_, &X_last_, &X_best_})
    in.get_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
  for (double* number : {&request_.extrapolation, &squared_error_, &best_squared_error_, &b_, &b_max_, &earlier_error_})
    *number = in.get<double>();
  rounds_ = in.get<std::uint64_t>();
  in_start_ = in.get<std::int32_t>();
  start_number_ = in.get<std::int32_t>();
  asked_ = static_cast<Asked>(in.get<std::uint8_t>());
  for (bool* flag : {&request_.restart, &request_.take_back, &request_.measure_only, &request_.thorough, &starting_,
                     &done_, &last_accepted_})
    *flag = in.get<std::uint8_t>() != 0;
  stopped_because_ = in.get_string();
}

bool Descent::in_range() const {
  for (const Matrix* matrix : {&request_.X, &X_, &X_step_, &X_last_, &X_best_}) {
    if (!matrix->allFinite() || matrix->minCoeff() < 0) return false;
  }
  const auto part = [](double x) { return x >= 0 && x <= 1; };
  return asked_ <= Asked::kRepair && squared_error_ >= 0 && best_squared_error_ >= 0 && part(b_) && part(b_max_) &&
         part(request_.extrapolation) && std::isfinite(earlier_error_) && in_start_ >= 0 && start_number_ >= 0 &&
         start_number_ <= options_.starts && rounds_ <= static_cast<std::uint64_t>(options_.rounds) &&
         done_ <= !stopped_because_.empty();
}

}  // namespace ppdnmf::nmf
