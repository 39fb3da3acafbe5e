#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <ppdnmf/base/result.h>
#include <ppdnmf/nmf/columns.h>
#include <ppdnmf/nmf/internal/bounded_moments.h>
#include <ppdnmf/nmf/internal/column_descent.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/products.h>
#include <ppdnmf/nmf/admm_y_step.h>

namespace ppdnmf::nmf {
namespace {

// Sweeps per column, at most, and the part of the first sweep's change below which a column ends. More of both lower
// the number of iterations little (docs/mathematics.md); a start from nothing needs more.
struct Effort {
  int sweeps;
  double part;
};
constexpr Effort kUsual{20, 1e-3};
constexpr Effort kFromNothing{50, 1e-4};
constexpr Effort kThorough{10000, 1e-20};
constexpr Effort kBounded{50, 1e-6};

class DenseColumns final : public Columns {
 public:
  explicit DenseColumns(Matrix Z, Eigen::VectorXd lengths = {}) : Z_(std::move(Z)), lengths_(std::move(lengths)) {
    fix_product_blocking();
  }

  [[nodiscard]] Index rows() const override { return Z_.rows(); }
  [[nodiscard]] Index count() const override { return Z_.cols(); }
  [[nodiscard]] double entry_sum() const override { return scale_ * Z_.sum(); }

  void begin(Index rank, double scale) override {
    PPDNMF_CHECK(rank_ == 0 && rank >= 1 && scale > 0);
    rank_ = rank;
    scale_ = scale;
    const internal::ColumnLanes& lanes = automatic_lanes();
    squared_norms_.resize(Z_.cols());
    for (Index m = 0; m < Z_.cols(); ++m) {
      Z_.col(m) /= scale;
      squared_norms_[m] = lanes.residual(Z_.rows(), 0, nullptr, nullptr, Z_.data() + m * Z_.rows());
    }
    nonzeros_ = internal::find_nonzeros(Z_);
  }
  [[nodiscard]] double squared_norm() const override { return squared_norms_.sum(); }

  [[nodiscard]] Moments answer(const DescentRequest& request) override {
    PPDNMF_CHECK(rank_ > 0 && request.X.cols() == rank_ && request.X.rows() == Z_.rows());
    if (Y_.size() == 0 || request.restart) {
      Y_ = before_ = Matrix::Zero(rank_, Z_.cols());
      extrapolation_ = 0;
    }
    if (request.take_back) settle(false);
    Matrix next = (Y_ + extrapolation_ * (Y_ - before_)).cwiseMax(0);
    const Effort effort = request.restart ? (request.thorough ? kThorough : kFromNothing) : kUsual;
    const internal::ColumnStep step{request.X, effort.sweeps, effort.part, request.extrapolation,
                                    !request.measure_only};
    const internal::Nonzeros* nonzeros = nonzeros_ ? &*nonzeros_ : nullptr;
    const Moments moments =
        internal::ColumnDescent(automatic_lanes(), Z_, nonzeros, squared_norms_, step).run(next, Y_);
    before_ = std::exchange(Y_, std::move(next));
    extrapolation_ = request.extrapolation;
    return moments;
  }

  [[nodiscard]] BoundedMoments bounded_answer(const Matrix& X, const Bounds& bounds) override {
    PPDNMF_CHECK(rank_ > 0 && X.cols() == rank_ && X.rows() == Z_.rows());
    if (Y_.size() == 0) Y_ = before_ = Matrix::Zero(rank_, Z_.cols());
    Matrix next = Y_;
    const internal::ColumnStep step{X, kBounded.sweeps, kBounded.part, 0, false};
    const internal::Nonzeros* nonzeros = nonzeros_ ? &*nonzeros_ : nullptr;
    const Moments solved = internal::ColumnDescent(automatic_lanes(), Z_, nonzeros, squared_norms_, step).run(next, Y_);
    before_ = std::exchange(Y_, std::move(next));
    BoundedMoments moments = internal::bounded_moments(Z_, squared_norms_, Y_, bounds);
    moments.squared_error = solved.squared_error;
    return moments;
  }

  void settle(bool accepted) override {
    if (accepted) return;
    Y_ = before_;
    extrapolation_ = 0;
  }

  void solve_admm(const Matrix& X, double eta, int iterations) override {
    PPDNMF_CHECK(rank_ > 0);
    if (!right_) right_.emplace(rank_, Z_.cols());
    right_->solve(X, Z_, eta, iterations);
    admm_squared_error_ = right_->squared_error(X, Z_);
  }

  [[nodiscard]] Moments moments() const override {
    const Matrix& Y = present();
    if (Y.size() == 0) return {Matrix::Zero(Z_.rows(), rank_), Matrix::Zero(rank_, rank_), squared_norm()};
    return {Z_ * Y.transpose(), Y * Y.transpose(), admm_squared_error_};
  }

  [[nodiscard]] Matrix Y() const override {
    Matrix Y = scale_ * present();
    if (lengths_.size() > 0) Y = Y * lengths_.asDiagonal();
    return Y;
  }
  [[nodiscard]] bool all_finite() const override {
    return (right_ ? right_->all_finite() : Y_.allFinite() && before_.allFinite());
  }
  [[nodiscard]] bool in_range() const override {
    if (right_) return right_->in_range();
    return all_finite() && (Y_.array() >= 0).all() && (before_.array() >= 0).all() && extrapolation_ >= 0 &&
           extrapolation_ <= 1;
  }

  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;

 private:
  [[nodiscard]] const Matrix& present() const { return right_ ? right_->Y() : Y_; }

  Matrix Z_;                 // divided by scale_ after `begin`
  Eigen::VectorXd lengths_;  // what each column was divided by at first; empty: nothing
  Index rank_ = 0;
  double scale_ = 1;
  Eigen::VectorXd squared_norms_;
  std::optional<internal::Nonzeros> nonzeros_;  // of Z_ after `begin`, if that is mostly zero
  Matrix Y_, before_;                           // the descent's; empty before its first answer
  double extrapolation_ = 0;                    // of Y_, where the next sweeps begin
  std::optional<AdmmYStep> right_;            // the paper's Y step; empty unless solve_admm was called
  double admm_squared_error_ = 0;
};

void DenseColumns::save(ByteWriter& out) const {
  out.put<std::uint8_t>(right_ ? 2 : Y_.size() > 0 ? 1 : 0);
  if (right_) {
    right_->save(out);
    out.put(admm_squared_error_);
  } else if (Y_.size() > 0) {
    for (const Matrix* matrix : {&Y_, &before_})
      out.put_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
    out.put(extrapolation_);
  }
}

void DenseColumns::load(ByteReader& in) {
  const auto kind = in.get<std::uint8_t>();
  right_.reset();
  Y_ = before_ = Matrix();
  extrapolation_ = 0;
  if (kind == 2) {
    right_.emplace(rank_, Z_.cols());
    right_->load(in);
    admm_squared_error_ = in.get<double>();
  } else if (kind == 1) {
    Y_ = before_ = Matrix::Zero(rank_, Z_.cols());
    for (Matrix* matrix : {&Y_, &before_}) in.get_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
    extrapolation_ = in.get<double>();
  }
}

}  // namespace

std::unique_ptr<Columns> dense_columns(Matrix Z) { return std::make_unique<DenseColumns>(std::move(Z)); }

std::unique_ptr<Columns> unit_columns(Matrix Z, ColumnNorm norm) {
  Eigen::VectorXd lengths(Z.cols());
  for (Index m = 0; m < Z.cols(); ++m) {
    // The largest entry first, so that no square is too large or too small for a double.
    const double largest = Z.col(m).maxCoeff();
    lengths[m] = 1;
    if (!(largest > 0)) continue;
    Z.col(m) /= largest;
    const double length = norm == ColumnNorm::kL1 ? Z.col(m).sum() : Z.col(m).norm();
    Z.col(m) /= length;
    lengths[m] = largest * length;
  }
  return std::make_unique<DenseColumns>(std::move(Z), std::move(lengths));
}

}  // namespace ppdnmf::nmf
