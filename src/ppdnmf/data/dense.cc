#include <ppdnmf/data/dense.h>

#include <utility>

#include <ppdnmf/base/result.h>

namespace ppdnmf::data {
namespace {

class DenseColumns final : public Columns {
 public:
  explicit DenseColumns(Matrix Z) : Columns(Z.rows(), Z.cols()), own_(std::move(Z)), values_(own_.data()) {}
  DenseColumns(const Matrix& Z, const Range& range)
      : Columns(Z.rows(), range.count), values_(Z.data() + range.first * Z.rows()) {}

  [[nodiscard]] Block lend(const Range& range, Scratch& /*scratch*/) const override {
    Block block;
    block.rows = rows();
    block.count = range.count;
    block.values = values_ + range.first * rows();
    return block;
  }

 private:
  Matrix own_;  // empty: somebody else's
  const double* values_;
};

}  // namespace

SharedColumns own(Matrix Z) { return std::make_shared<DenseColumns>(std::move(Z)); }

SharedColumns view(const Matrix& Z) { return view(Z, {0, Z.cols()}); }

SharedColumns view(const Matrix& Z, const Range& range) {
  PPDNMF_CHECK(range.first >= 0 && range.count >= 0 && range.first + range.count <= Z.cols());
  return std::make_shared<DenseColumns>(Z, range);
}

std::vector<SharedColumns> split(const Matrix& Z, const std::vector<Index>& counts) {
  std::vector<SharedColumns> parts;
  Index first = 0;
  for (const Index count : counts) {
    parts.push_back(view(Z, {first, count}));
    first += count;
  }
  PPDNMF_CHECK(first == Z.cols());
  return parts;
}

}  // namespace ppdnmf::data
