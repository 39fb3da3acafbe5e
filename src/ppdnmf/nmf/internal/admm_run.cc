#include <utility>

#include <ppdnmf/nmf/admm_x_step.h>
#include <ppdnmf/nmf/admm_y_step.h>
#include <ppdnmf/nmf/internal/solver_run.h>
#include <ppdnmf/nmf/penalties.h>

namespace ppdnmf::nmf::internal {
namespace {

constexpr int kStoppingWindow = 10;

// The paper's: a few ADMM iterations in each factor, in turn.
class AdmmRun final : public SolverRun {
 public:
  AdmmRun(data::SharedColumns columns, double scale, const FactorizeOptions& options, const Matrix& X0,
          Executor& executor)
      : scale_(scale),
        options_(options),
        left_(X0, Updates::kCorrected, 0),
        right_(options.rank, std::move(columns), scale, executor) {
    fit_.squared_norm = right_.squared_norm();
    if (options_.y_first) right_.solve(X0, options_.eta.value_or(automatic_eta(X0)), options_.admm_y);
  }

  [[nodiscard]] Status step() override;
  [[nodiscard]] Status stop(std::string because) override {
    stopped_because_ = std::move(because);
    return {};
  }
  [[nodiscard]] const std::string& stopped_because() const override { return stopped_because_; }
  [[nodiscard]] int iterations() const override { return n_; }
  [[nodiscard]] const Matrix& X() const override { return left_.X(); }
  [[nodiscard]] Matrix Y() const override { return right_.coordinates(); }
  [[nodiscard]] LocalFit fit() const override { return fit_; }

  void save(ByteWriter& out) const override {
    out.put<std::int32_t>(n_);
    out.put(earlier_error_);
    out.put(fit_.squared_error);
    left_.save(out);
    right_.save(out);
  }
  void load(ByteReader& in) override {
    n_ = in.get<std::int32_t>();
    earlier_error_ = in.get<double>();
    fit_.squared_error = in.get<double>();
    left_.load(in);
    right_.load(in);
  }
  [[nodiscard]] bool in_range() const override { return n_ >= 0 && left_.in_range() && right_.in_range(); }

 private:
  double scale_;
  FactorizeOptions options_;
  AdmmXStep left_;
  AdmmYStep right_;
  int n_ = 0;
  LocalFit fit_;
  double earlier_error_ = 0;  // at the last multiple of the stopping window
  std::string stopped_because_;
};

Status AdmmRun::step() {
  left_.begin(right_.moments(),
              options_.mu ? *options_.mu / (scale_ * scale_) : automatic_mu(left_curvature(right_.Y())));
  for (int m = 0; m < options_.admm_x; ++m) left_.update(0);
  right_.solve(left_.X(), options_.eta.value_or(automatic_eta(left_.X())), options_.admm_y);
  ++n_;
  if (!left_.all_finite() || !right_.all_finite()) {
    return error(ErrorCode::kNumeric, "a number stopped being finite in iteration {}: try another `seed` or `mu`", n_);
  }
  fit_.squared_error = right_.squared_error();
  if (n_ % kStoppingWindow == 0) {
    const double now = relative_error({&fit_, 1});
    const bool slow = earlier_error_ - now < options_.tolerance * earlier_error_;
    if (options_.tolerance > 0 && n_ > kStoppingWindow && slow) stopped_because_ = "tolerance";
    earlier_error_ = now;
  }
  if (n_ >= options_.iterations) stopped_because_ = "iterations";
  return {};
}

}  // namespace

std::unique_ptr<SolverRun> admm_run(data::SharedColumns columns, double scale, const FactorizeOptions& options,
                                    const Seed& seed, Executor& executor) {
  const Matrix X0 =
      options.X0.size() != 0 ? options.X0 : common_start(options.start, columns->rows(), options.rank, seed);
  return std::make_unique<AdmmRun>(std::move(columns), scale, options, X0, executor);
}

}  // namespace ppdnmf::nmf::internal
