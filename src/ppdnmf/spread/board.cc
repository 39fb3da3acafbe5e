#include <ppdnmf/spread/board.h>

#include <algorithm>
#include <utility>

#include <ppdnmf/base/parts.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/nmf/prepared_x.h>
#include <ppdnmf/spread/coding.h>

namespace ppdnmf::spread {
namespace {

constexpr std::size_t kPage = 512;  // numbers

std::size_t in_pages(std::size_t numbers) { return (numbers + kPage - 1) / kPage * kPage; }
std::size_t size_of(const Matrix& matrix) { return static_cast<std::size_t>(matrix.size()); }

std::size_t of_X(const Board::Shape& shape) { return in_pages(static_cast<std::size_t>(shape.rows * shape.rank)); }
std::size_t of_grouped(const Board::Shape& shape) { return in_pages(nmf::numbers_of_prepared(shape.rows, shape.rank)); }
std::size_t of_gram(const Board::Shape& shape) { return in_pages(static_cast<std::size_t>(shape.rank * shape.rank)); }

}  // namespace

void copy_in_parts(const double* from, std::size_t count, double* to, Executor& executor) {
  constexpr std::size_t kPart = std::size_t{1} << 15U;
  for_each_part(executor, count, kPart,
                [&](std::size_t, std::size_t first, std::size_t some) { std::copy_n(from + first, some, to + first); });
}

std::size_t Board::Shape::bytes() const {
  return (of_X(*this) + of_grouped(*this) + of_gram(*this) + branches * in_pages(of_branch)) * sizeof(double);
}

Board::Board(host::CommonMemory memory, const Shape& shape) : memory_(std::move(memory)), shape_(shape) {
  PPDNMF_CHECK(memory_.bytes() == shape_.bytes());
}

double* Board::grouped() const { return X() + of_X(shape_); }
double* Board::gram() const { return grouped() + of_grouped(shape_); }
double* Board::branch(std::size_t number) const {
  PPDNMF_CHECK(number < shape_.branches);
  return gram() + of_gram(shape_) + number * in_pages(shape_.of_branch);
}

void Board::put_X(const Matrix& from, bool prepared, Executor& executor) {
  PPDNMF_CHECK(from.rows() == shape_.rows && from.cols() == shape_.rank);
  copy_in_parts(from.data(), size_of(from), X(), executor);
  if (!prepared) return;
  const Matrix product = nmf::prepare_X(from, grouped(), executor);
  std::copy_n(product.data(), product.size(), gram());
}

Board::Prepared Board::prepared() const {
  return {grouped(), Eigen::Map<const Matrix>(gram(), shape_.rank, shape_.rank)};
}

void Board::get_X(Matrix& to, Executor& executor) const {
  to.resize(shape_.rows, shape_.rank);
  copy_in_parts(X(), size_of(to), to.data(), executor);
}

void Board::put(std::size_t number, const nmf::Moments& moments, ByteWriter& out, Executor& executor) {
  const std::size_t S = size_of(moments.S);
  const bool fits = S + size_of(moments.T) <= shape_.of_branch;
  out.put<std::uint8_t>(fits ? 1 : 0);
  if (!fits) return spread::put(out, moments);
  for (const Matrix* const matrix : {&moments.S, &moments.T}) {
    out.put<std::int64_t>(matrix->rows());
    out.put<std::int64_t>(matrix->cols());
  }
  copy_in_parts(moments.S.data(), S, branch(number), executor);
  std::copy_n(moments.T.data(), moments.T.size(), branch(number) + S);
  spread::put(out, nmf::Moments{{}, {}, moments.squared_error, moments.divergence, moments.Y_sums});
}

Board::Lent Board::get(std::size_t number, ByteReader& in) {
  Lent out;
  const bool here = in.get<std::uint8_t>() != 0;
  if (here) {
    for (Index* const length : {&out.S_rows, &out.S_columns, &out.T_rows, &out.T_columns})
      *length = in.get<std::int64_t>();
    const Index S = out.S_rows * out.S_columns;
    PPDNMF_CHECK(S >= 0 && static_cast<std::size_t>(S + out.T_rows * out.T_columns) <= shape_.of_branch);
    out.S = branch(number);
    out.T = out.S + S;
  }
  out.rest = get_moments(in);
  return out;
}

}  // namespace ppdnmf::spread
