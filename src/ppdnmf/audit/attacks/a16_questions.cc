// What a steering member asks: half-space tests and trackers.
#include <algorithm>
#include <cmath>

#include <ppdnmf/audit/attacks/a16_steering.h>
#include <ppdnmf/audit/model/totals.h>

namespace ppdnmf::audit {
namespace {

// A pair of components on rows of its own; the second is swept after the first, so that y1 is not raised in vain.
struct RowPair {
  Index component = 0;      // x2; x1 is the next
  std::vector<Index> rows;  // the first `tested` ones in turn are e_a
  std::size_t tested = 0;

  [[nodiscard]] Index row() const { return rows[tested % rows.size()]; }
  // Of a column or a sum of columns: z_a / uᵀz, u being constant on the other rows and of length one.
  template <typename Column>
  [[nodiscard]] double ratio(const Column& z) const {
    double rest = 0;
    for (const Index l : rows) rest += l == row() ? 0 : z(l);
    return z(row()) / std::max(rest / std::sqrt(static_cast<double>(rows.size() - 1)), 1e-300);
  }
  void put(double threshold, Matrix& X) const {
    for (const Index l : rows) X(l, component) = 1 / std::sqrt(static_cast<double>(rows.size() - 1));
    X(row(), component) = threshold;
    X(row(), component + 1) = 1;
  }
};

// Rows dealt out to pairs of components; an odd component has rows of its own, too.
std::vector<RowPair> pairs_of(Index rows, Index rank) {
  const Index sets = (rank + 1) / 2;
  std::vector<RowPair> pairs(static_cast<std::size_t>(sets));
  for (Index p = 0; p < sets; ++p) pairs[static_cast<std::size_t>(p)].component = 2 * p;
  for (Index l = 0; l < rows; ++l) pairs[static_cast<std::size_t>(l % sets)].rows.push_back(l);
  return pairs;
}

// The ratio above which this part of one's own columns lies.
double own_ratio(const RowPair& pair, const Matrix& own, double part) {
  std::vector<double> ratios;
  for (Index m = 0; m < own.cols(); ++m) ratios.push_back(pair.ratio(own.col(m)));
  std::sort(ratios.begin(), ratios.end());
  return ratios[static_cast<std::size_t>((1 - part) * static_cast<double>(ratios.size() - 1))];
}

// An odd component's X: the same on its rows.
void put_alone(const RowPair& pair, Matrix& X) {
  for (const Index l : pair.rows) X(l, pair.component) = 1;
}

class HalfSpaces final : public Questions {
 public:
  HalfSpaces(Matrix own, Index rank) : own_(std::move(own)), rank_(rank) {
    for (const RowPair& pair : pairs_of(own_.rows(), rank)) {
      if (pair.component + 1 < rank) {
        tests_.push_back({pair, own_ratio(pair, own_, 0), 0});
      } else {
        alone_ = pair;
      }
    }
  }

  Matrix next(int /*round*/) override {
    Matrix X = Matrix::Zero(own_.rows(), rank_);
    for (const Test& test : tests_) test.pair.put(test.threshold, X);
    if (!alone_.rows.empty()) put_alone(alone_, X);
    return X;
  }

  void answered(const std::vector<nmf::DescentRequest>& requests, const nmf::Moments& others) override {
    if (requests.size() < 2) return;  // the common start
    for (Test& test : tests_) look(test, requests, others);
  }

  [[nodiscard]] std::vector<Vector> columns() const override { return found_; }

 private:
  struct Test {
    RowPair pair;
    double threshold;
    int tries;
  };

  void look(Test& test, const std::vector<nmf::DescentRequest>& requests, const nmf::Moments& others) {
    constexpr int kMostTries = 15;
    constexpr double kNobody = 1e-12;
    constexpr double kLower = 0.7;
    const Index k = test.pair.component + 1;
    const double squared = others.T(k, k);
    if (!(squared > kNobody * others.T(k - 1, k - 1))) {
      test.threshold *= kLower;
    } else if (const Vector column = others.S.col(k) / std::sqrt(squared); is_one(column, requests, others, k)) {
      found_.push_back(column);
      return begin_next(test);
    } else {
      test.threshold = std::max(test.pair.ratio(column), test.threshold);
    }
    if (++test.tries > kMostTries) begin_next(test);
  }

  // Whether this one column alone gives what was seen: its holder is simulated from the first round on.
  [[nodiscard]] bool is_one(const Vector& column, const std::vector<nmf::DescentRequest>& requests,
                            const nmf::Moments& others, Index k) const {
    constexpr double kSame = 1e-6;
    if (!column.allFinite() || column.minCoeff() < 0) return false;
    const auto holder = nmf::dense_holder(column);
    holder->begin(rank_, 1);
    nmf::Moments last;
    for (const nmf::DescentRequest& request : requests) last = holder->answer(request);
    return (last.S.col(k) - others.S.col(k)).norm() < kSame * others.S.col(k).norm();
  }

  void begin_next(Test& test) {
    ++test.pair.tested;
    test.threshold = own_ratio(test.pair, own_, 0);
    test.tries = 0;
  }

  Matrix own_;
  Index rank_;
  std::vector<Test> tests_;
  RowPair alone_;
  std::vector<Vector> found_;
};

class Trackers final : public Questions {
 public:
  Trackers(const Matrix& own, Index rank, Index others)
      : rows_(own.rows()), rank_(rank), pairs_(pairs_of(rows_, rank)) {
    constexpr double kMany = 0.4;  // of one's own columns that pass, as about of the others'
    constexpr double kFew = 0.3;
    constexpr double kApart = 0.2;  // columns that are expected to pass between two thresholds
    const RowPair& pair = pairs_.front();
    for (const RowPair& one : pairs_) {
      if (one.component + 1 < rank) fixed_.push_back(own_ratio(one, own, kMany));
    }
    first_ = own_ratio(pair, own, kFew);
    const double between = first_ - own_ratio(pair, own, kMany);
    step_ = kApart * between / (static_cast<double>(others) * (kMany - kFew));
  }

  Matrix next(int round) override {
    Matrix X = Matrix::Zero(rows_, rank_);
    for (std::size_t p = 0; p < fixed_.size(); ++p) pairs_[p].put(p == 0 ? threshold(round) : fixed_[p], X);
    if (fixed_.size() < pairs_.size()) put_alone(pairs_.back(), X);
    return X;
  }

  void answered(const std::vector<nmf::DescentRequest>& requests, const nmf::Moments& others) override {
    // The last answer at each threshold: Y steps go on from where they ended.
    const int round = static_cast<int>(requests.size()) - 1;
    if (round >= kBegin && (round - kBegin) % kRepeats == kRepeats - 1)
      sums_.emplace_back(others.S.col(pairs_.front().component + 1));
  }

  [[nodiscard]] std::vector<Vector> columns() const override {
    std::vector<Vector> out;
    for (std::size_t n = 1; n + 1 < sums_.size(); ++n) {
      const Vector difference = sums_[n + 1] - 2 * sums_[n] + sums_[n - 1];
      if (difference.norm() > 1e-9 * sums_[n].norm()) out.emplace_back(difference.cwiseMax(0));
    }
    return out;
  }

 private:
  static constexpr int kBegin = 2;
  static constexpr int kRepeats = 3;
  [[nodiscard]] double threshold(int round) const {
    const int steps = std::max(0, round - kBegin) / kRepeats;
    return first_ - step_ * steps;
  }

  Index rows_, rank_;
  std::vector<RowPair> pairs_;
  std::vector<double> fixed_;
  double first_ = 0, step_ = 0;
  std::vector<Vector> sums_;
};

}  // namespace

std::unique_ptr<Questions> half_space_tests(const Matrix& own, Index rank) {
  return std::make_unique<HalfSpaces>(own, rank);
}

std::unique_ptr<Questions> trackers(const Matrix& own, Index rank, Index others) {
  return std::make_unique<Trackers>(own, rank, others);
}

}  // namespace ppdnmf::audit
