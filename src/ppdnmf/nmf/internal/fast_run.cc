#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <ppdnmf/data/gaps.h>
#include <ppdnmf/nmf/descent.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/internal/solver_run.h>

namespace ppdnmf::nmf::internal {
namespace {

DescentOptions descent_options(const FactorizeOptions& options) {
  DescentOptions descent;
  descent.rounds = options.iterations;
  descent.starts = options.starts;
  descent.tolerance = options.tolerance;
  descent.first_start_given = options.X0.size() != 0;
  return descent;
}

// The descent over one holder of all columns. The answer to a request is taken at once, so that the error of the X of
// an iteration is known with that iteration.
class FastRun final : public SolverRun {
 public:
  FastRun(std::unique_ptr<Holder> holder, const FactorizeOptions& options, std::function<Matrix(int)> start)
      : holder_(std::move(holder)),
        descent_(descent_options(options), std::move(start), holder_->loss(), holder_->executor()) {}

  [[nodiscard]] Status begin() { return descent_.begin(holder_->common()); }

  [[nodiscard]] Status step() override {
    if (!pending_) answer();
    PPDNMF_TRY_STATUS(descent_.absorb(*pending_));
    return go_on();
  }
  [[nodiscard]] Status stop(std::string because) override {
    // What is pending is the measure, unless the descent goes back to a better start.
    if (stops_elsewhere(std::move(because)) || !pending_) answer();
    return finish();
  }
  [[nodiscard]] const std::string& stopped_because() const override { return stopped_because_; }
  [[nodiscard]] int iterations() const override { return static_cast<int>(descent_.rounds()); }
  [[nodiscard]] const Matrix& X() const override {
    return accepted_ ? descent_.asked_X(*pending_) : descent_.present_X();
  }
  [[nodiscard]] Matrix Y() const override { return holder_->Y(); }
  [[nodiscard]] Matrix shrink() const override { return descent_.shrink(); }
  [[nodiscard]] LocalFit fit() const override {
    const double norm = holder_->squared_norm();
    if (!pending_) return {norm, norm};
    const LocalFit now{pending_->squared_error, norm, pending_->divergence, descent_.asked_penalty(*pending_)};
    LocalFit present{descent_.present_squared_error(), norm, 0, descent_.present_penalty()};
    if (holder_->loss()->kind() == LossKind::kPoisson) {
      present.divergence = descent_.present_value() - present.penalty;
      return accepted_ ? now : present;
    }
    // After a step was taken back the error is larger than before by round-off at most.
    const auto value = [](const LocalFit& fit) { return fit.squared_error + 2 * fit.penalty; };
    if (descent_.request().take_back) return value(now) < value(present) ? now : present;
    return accepted_ ? now : present;
  }

  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;
  [[nodiscard]] bool in_range() const override;

 private:
  [[nodiscard]] bool stops_elsewhere(std::string because) {
    const Matrix asked = descent_.request().X;
    descent_.stop(std::move(because));
    return descent_.request().X != asked;
  }
  void answer() {
    if (pending_) holder_->take_memory(std::move(*pending_));
    pending_.reset();
    pending_ = holder_->answer(descent_.request());
    accepted_ = descent_.accepts(*pending_);
    holder_->settle(accepted_);
    if (accepted_) holder_->take_gauge(descent_.asked_gauge(*pending_));
  }
  Status go_on() {
    answer();
    return descent_.measures_only() ? finish() : Status();
  }
  Status finish() {
    PPDNMF_TRY_STATUS(descent_.absorb(*pending_));
    if (!descent_.done()) {
      answer();
      PPDNMF_TRY_STATUS(descent_.absorb(*pending_));
    }
    pending_->S.resize(0, 0);  // nobody asks for it any more
    stopped_because_ = descent_.stopped_because();
    return {};
  }

  std::unique_ptr<Holder> holder_;
  Descent descent_;
  std::optional<Moments> pending_;  // the answer to the descent's request; nothing before the first step
  bool accepted_ = false;           // whether the descent will accept it
  std::string stopped_because_;
};

void FastRun::save(ByteWriter& out) const {
  out.put<std::uint8_t>(pending_ ? 1 : 0);
  descent_.save(out);
  holder_->save(out);
  if (!pending_) return;
  const bool measure = descent_.measures_only();
  out.put<std::uint8_t>(measure ? 1 : 0);
  const std::vector<double> numbers = holder_->loss()->to_numbers(*pending_, measure);
  out.put<std::uint64_t>(numbers.size());
  out.put_array(numbers.data(), numbers.size());
}

void FastRun::load(ByteReader& in) {
  pending_.reset();
  accepted_ = false;
  const bool pending = in.get<std::uint8_t>() != 0;
  descent_.load(in);
  holder_->load(in);
  if (!pending) return;
  const Loss& loss = *holder_->loss();
  const Index L = descent_.X().rows();
  const Index K = descent_.X().cols();
  const bool measure = in.get<std::uint8_t>() != 0;
  std::vector<double> numbers(loss.words(L, K, measure));
  if (in.get<std::uint64_t>() != numbers.size()) numbers.assign(numbers.size(), -1);  // damaged: out of range
  in.get_array(numbers.data(), numbers.size());
  pending_ = loss.from_numbers(numbers, L, K, measure);
  accepted_ = descent_.accepts(*pending_);
  if (descent_.done()) stopped_because_ = descent_.stopped_because();
}

bool FastRun::in_range() const {
  const bool moments = !pending_ || (pending_->S.allFinite() && pending_->T.allFinite() &&
                                     pending_->squared_error >= 0 && pending_->divergence >= 0);
  return moments && descent_.in_range() && holder_->in_range();
}

}  // namespace

std::unique_ptr<SolverRun> fast_run(data::SharedColumns columns, double scale, const FactorizeOptions& options,
                                    const Seed& seed, Executor& executor) {
  const Index rows = columns->rows();
  const Curvature curvature = options.curvature.value_or(automatic_curvature(rows, options.rank));
  LossOptions loss{options.loss, curvature, options.penalties, options.known ? options.known->values.cols() : 0};
  loss.missing = data::has_gaps(*columns);
  auto holder = make_holder(std::move(columns), executor, loss_of(loss));
  holder->begin(options.rank, scale);
  const auto kept = std::make_shared<Seed>(Seed::from_bytes(seed.reveal_secret_bytes()));
  auto start = [kept, rows, rank = options.rank, kind = options.start, X0 = options.X0,
                known = options.known](int number) {
    Matrix X = X0.size() != 0 ? X0 : common_start(kind, rows, rank, *kept, static_cast<std::uint64_t>(number));
    if (known) X.leftCols(known->values.cols()) = known->values;
    return X;
  };
  auto run = std::make_unique<FastRun>(std::move(holder), options, std::move(start));
  PPDNMF_CHECK(run->begin());  // columns that have been checked have such totals
  return run;
}

}  // namespace ppdnmf::nmf::internal
