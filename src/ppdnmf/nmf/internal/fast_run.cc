#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

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
  return descent;
}

// The descent over one holder of all columns. The answer to a request is taken at once, so that the error of the X of
// an iteration is known with that iteration.
class FastRun final : public SolverRun {
 public:
  FastRun(std::unique_ptr<Holder> holder, const FactorizeOptions& options, std::function<Matrix(int)> start)
      : holder_(std::move(holder)),
        descent_(descent_options(options), std::move(start), holder_->loss(), holder_->executor()) {}

  [[nodiscard]] Status step() override {
    if (!pending_) answer();
    PPDNMF_TRY_STATUS(descent_.absorb(*pending_));
    return go_on();
  }
  [[nodiscard]] Status stop(std::string because) override {
    const Matrix asked = descent_.request().X;
    descent_.stop(std::move(because));
    // What is pending is the measure, unless the descent goes back to a better start.
    if (!pending_ || descent_.request().X != asked) answer();
    return finish();
  }
  [[nodiscard]] const std::string& stopped_because() const override { return stopped_because_; }
  [[nodiscard]] int iterations() const override { return static_cast<int>(descent_.rounds()); }
  [[nodiscard]] const Matrix& X() const override { return accepted_ ? descent_.request().X : descent_.present_X(); }
  [[nodiscard]] Matrix Y() const override { return holder_->Y(); }
  [[nodiscard]] LocalFit fit() const override {
    const double norm = holder_->squared_norm();
    if (!pending_) return {norm, norm};
    // After a step was taken back the error is larger than before by round-off at most.
    const double present = descent_.present_squared_error();
    if (descent_.request().take_back) return {std::min(pending_->squared_error, present), norm};
    return {accepted_ ? pending_->squared_error : present, norm};
  }

  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;
  [[nodiscard]] bool in_range() const override;

 private:
  void answer() {
    pending_ = holder_->answer(descent_.request());
    accepted_ = descent_.accepts(pending_->squared_error);
    holder_->settle(accepted_);
  }
  Status go_on() {
    answer();
    return descent_.measures_only() ? finish() : Status();
  }
  Status finish() {
    PPDNMF_TRY_STATUS(descent_.absorb(*pending_));
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
  for (const Matrix* matrix : {&pending_->S, &pending_->T})
    out.put_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
  out.put(pending_->squared_error);
}

void FastRun::load(ByteReader& in) {
  pending_.reset();
  accepted_ = false;
  const bool pending = in.get<std::uint8_t>() != 0;
  descent_.load(in);
  holder_->load(in);
  if (!pending) return;
  const Index L = descent_.X().rows();
  const Index K = descent_.X().cols();
  pending_ = Moments{Matrix::Zero(L, K), Matrix::Zero(K, K), 0};
  for (Matrix* matrix : {&pending_->S, &pending_->T})
    in.get_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
  pending_->squared_error = in.get<double>();
  accepted_ = descent_.accepts(pending_->squared_error);
  if (descent_.done()) stopped_because_ = descent_.stopped_because();
}

bool FastRun::in_range() const {
  const bool moments =
      !pending_ || (pending_->S.allFinite() && pending_->T.allFinite() && pending_->squared_error >= 0);
  return moments && descent_.in_range() && holder_->in_range();
}

}  // namespace

std::unique_ptr<SolverRun> fast_run(data::SharedColumns columns, double scale, const FactorizeOptions& options,
                                    const Seed& seed, Executor& executor) {
  const Index rows = columns->rows();
  auto holder = std::make_unique<Holder>(std::move(columns), executor);
  holder->begin(options.rank, scale);
  const auto kept = std::make_shared<Seed>(Seed::from_bytes(seed.reveal_secret_bytes()));
  auto start = [kept, rows, rank = options.rank, kind = options.start, X0 = options.X0](int number) {
    return X0.size() != 0 ? X0 : common_start(kind, rows, rank, *kept, static_cast<std::uint64_t>(number));
  };
  return std::make_unique<FastRun>(std::move(holder), options, std::move(start));
}

}  // namespace ppdnmf::nmf::internal
