#include <ppdnmf/nmf/internal/found_again.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace ppdnmf::nmf::internal {
namespace {

constexpr int kMoves = 3;

// All components of all runs, one beside the other.
class Crowd {
 public:
  Crowd(const std::vector<Matrix>& runs, double same, Executor& executor) : runs_(runs.size()), same_(same) {
    Index count = 0;
    for (const Matrix& run : runs) count += run.cols();
    columns_.resize(runs.empty() ? 0 : runs.front().rows(), count);
    Index at = 0;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      columns_.middleCols(at, runs[r].cols()) = runs[r];
      run_of_.insert(run_of_.end(), static_cast<std::size_t>(runs[r].cols()), r);
      at += runs[r].cols();
    }
    unit_ = columns_;
    for (Index i = 0; i < count; ++i) {
      const double length = columns_.col(i).stableNorm();
      if (length > 0) unit_.col(i) /= length;
      live_.push_back(length > 0);
    }
    near_.resize(static_cast<std::size_t>(count));
    executor.for_each(near_.size(), [&](std::size_t i) { look_around(i); });
  }

  // The living component that most runs have, and in how many of them; the first of several.
  [[nodiscard]] std::pair<std::size_t, std::size_t> most_common() const {
    std::pair<std::size_t, std::size_t> best{0, 0};
    std::vector<std::size_t> seen(runs_, near_.size());
    for (std::size_t i = 0; i < near_.size(); ++i) {
      if (!live_[i]) continue;
      std::size_t count = 0;
      for (const std::uint32_t j : near_[i]) {
        if (!live_[j] || std::exchange(seen[run_of_[j]], i) == i) continue;
        ++count;
      }
      if (count > best.second) best = {i, count};
    }
    return best;
  }

  [[nodiscard]] Eigen::VectorXd unit(std::size_t i) const { return unit_.col(static_cast<Index>(i)); }
  void drop(std::size_t i) { live_[i] = false; }

  // The living component of each run that is nearest to the centre, where it is near enough.
  [[nodiscard]] std::vector<std::size_t> members(const Eigen::VectorXd& centre) const {
    std::vector<std::pair<double, std::size_t>> best(runs_, {same_, near_.size()});
    for (std::size_t i = 0; i < near_.size(); ++i) {
      if (!live_[i]) continue;
      const double cosine = product(centre.data(), i);
      if (cosine > best[run_of_[i]].first) best[run_of_[i]] = {cosine, i};
    }
    std::vector<std::size_t> out;
    for (const auto& [cosine, i] : best) {
      if (i < near_.size()) out.push_back(i);
    }
    return out;
  }

  [[nodiscard]] FoundAgain describe(const std::vector<std::size_t>& members) const {
    FoundAgain out;
    out.mean = Eigen::VectorXd::Zero(columns_.rows());
    for (const std::size_t i : members) out.mean += columns_.col(static_cast<Index>(i));
    out.mean /= static_cast<double>(members.size());
    const Eigen::VectorXd centre = out.mean / out.mean.stableNorm();
    for (const std::size_t i : members) out.cosine += product(centre.data(), i) / static_cast<double>(members.size());
    out.part = static_cast<double>(members.size()) / static_cast<double>(runs_);
    return out;
  }

 private:
  // One after the other: how a product is blocked must not change a digit.
  [[nodiscard]] double product(const double* a, std::size_t i) const {
    const double* const b = unit_.col(static_cast<Index>(i)).data();
    double sum = 0;
    for (Index l = 0; l < unit_.rows(); ++l) sum += a[l] * b[l];
    return sum;
  }
  void look_around(std::size_t i) {
    if (!live_[i]) return;
    const double* const own = unit_.col(static_cast<Index>(i)).data();
    for (std::size_t j = 0; j < near_.size(); ++j) {
      if (live_[j] && product(own, j) > same_) near_[i].push_back(static_cast<std::uint32_t>(j));
    }
  }

  std::size_t runs_;
  double same_;
  Matrix columns_, unit_;
  std::vector<std::size_t> run_of_;
  std::vector<bool> live_;
  std::vector<std::vector<std::uint32_t>> near_;  // of each component, those above `same`, itself included
};

double cosine_of(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  double sum = 0;
  for (Index l = 0; l < a.size(); ++l) sum += a[l] * b[l];
  return sum / (a.stableNorm() * b.stableNorm());
}

}  // namespace

std::vector<FoundAgain> found_again(const std::vector<Matrix>& runs, double same, double copies, Index most,
                                    Executor& executor) {
  Crowd crowd(runs, same, executor);
  std::vector<FoundAgain> all;
  for (;;) {
    const auto [first, count] = crowd.most_common();
    if (count == 0) break;
    Eigen::VectorXd centre = crowd.unit(first);
    std::vector<std::size_t> members = crowd.members(centre);
    for (int n = 0; n < kMoves && !members.empty(); ++n) {
      centre = crowd.describe(members).mean;
      centre /= centre.stableNorm();
      members = crowd.members(centre);
    }
    crowd.drop(first);  // it may have been left behind
    if (members.empty()) continue;
    all.push_back(crowd.describe(members));
    for (const std::size_t i : members) crowd.drop(i);
    // What few runs have is of no use to anybody, and there can be very many of it.
    if (static_cast<Index>(all.size()) >= 2 * most) break;
  }
  std::stable_sort(all.begin(), all.end(), [](const FoundAgain& a, const FoundAgain& b) { return a.part > b.part; });
  std::vector<FoundAgain> out;
  for (FoundAgain& one : all) {
    const bool copy = std::any_of(out.begin(), out.end(),
                                  [&](const FoundAgain& kept) { return cosine_of(kept.mean, one.mean) > copies; });
    if (!copy && static_cast<Index>(out.size()) < most) out.push_back(std::move(one));
  }
  return out;
}

}  // namespace ppdnmf::nmf::internal
