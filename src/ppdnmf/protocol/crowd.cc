#include <ppdnmf/protocol/crowd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/data/dense.h>

namespace ppdnmf::protocol {
namespace {

constexpr int kMostPasses = 100;
constexpr double kRounding = 1e-9;  // a share of exactly the part is allowed, however it was rounded

Matrix dense_of(const data::Columns& columns) {
  Matrix Z(columns.rows(), columns.count());
  std::vector<double> space;
  data::walk(columns, {0, columns.count()}, [&](const data::Block& block, const data::Range& range) {
    for (Index m = 0; m < block.count; ++m) {
      std::copy_n(data::dense_column(block, m, space), block.rows, Z.data() + (range.first + m) * block.rows);
    }
  });
  return Z;
}

double length_of(const Matrix& Z, Index column) {
  double squares = 0;
  for (Index l = 0; l < Z.rows(); ++l) squares += Z(l, column) * Z(l, column);
  return std::sqrt(squares);
}

std::vector<double> lengths_of(const Matrix& Z) {
  std::vector<double> lengths;
  for (Index m = 0; m < Z.cols(); ++m) lengths.push_back(length_of(Z, m));
  return lengths;
}

// What each column has of the row.
std::vector<double> shares_of(const Matrix& Z, Index row, const std::vector<double>& lengths) {
  std::vector<double> shares;
  for (Index m = 0; m < Z.cols(); ++m) shares.push_back(Z(row, m) * lengths[static_cast<std::size_t>(m)]);
  return shares;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

bool leads(double share, double sum, double part) { return share > part * sum * (1 + kRounding); }

// The level to which numbers must be lowered so that none is more than this part of their sum; zero if there are too
// few for that.
double level_of(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end(), std::greater<>());
  double rest = sum_of(values);
  for (std::size_t above = 0; above < values.size(); ++above) {
    const double left = 1 - part * static_cast<double>(above);
    if (left <= kRounding) return values[above];  // as many as 1 / part of them, all alike
    const double level = part * rest / left;
    if (level >= values[above]) return above == 0 ? values[0] : level;
    rest -= values[above];
  }
  return 0;
}

// What the rule looks at, gathered in one walk.
struct Rows {
  std::vector<Index> there;          // nonzero columns of each row
  std::vector<double> sum, largest;  // of z_lj |z_j|
  std::vector<double> squares;       // |z_j|²
};

Rows gather(const data::Columns& columns) {
  const auto rows = static_cast<std::size_t>(columns.rows());
  Rows out{std::vector<Index>(rows), std::vector<double>(rows), std::vector<double>(rows), {}};
  std::vector<double> space;
  data::walk(columns, {0, columns.count()}, [&](const data::Block& block, const data::Range&) {
    for (Index m = 0; m < block.count; ++m) {
      const double* const z = data::dense_column(block, m, space);
      double square = 0;
      for (std::size_t l = 0; l < rows; ++l) square += z[l] * z[l];
      out.squares.push_back(square);
      const double length = std::sqrt(square);
      for (std::size_t l = 0; l < rows; ++l) {
        out.there[l] += z[l] > 0 ? 1 : 0;
        out.sum[l] += z[l] * length;
        out.largest[l] = std::max(out.largest[l], z[l] * length);
      }
    }
  });
  return out;
}

struct Cell {
  Index there = 0;
  double sum = 0, largest = 0;
};

// Of two rows, over all columns.
Cell cell_of(const Matrix& Z, Index k, Index l) {
  Cell cell;
  for (Index m = 0; m < Z.cols(); ++m) {
    const double product = Z(k, m) * Z(l, m);
    cell.there += product > 0 ? 1 : 0;
    cell.sum += product;
    cell.largest = std::max(cell.largest, product);
  }
  return cell;
}

std::vector<std::pair<Index, Index>> cells_without(const data::Columns& columns, const CrowdRule& rule) {
  std::vector<std::pair<Index, Index>> out;
  const Matrix Z = dense_of(columns);
  for (Index k = 0; k < Z.rows(); ++k) {
    for (Index l = k + 1; l < Z.rows(); ++l) {
      const Cell cell = cell_of(Z, k, l);
      const bool thin = cell.there > 0 && cell.there < rule.fewest;
      if (thin || leads(cell.largest, cell.sum, rule.part)) out.emplace_back(k, l);
    }
  }
  return out;
}

// The smaller of two entries goes where too few columns have both, and is lowered where one column leads.
void lower_cell(Matrix& Z, const std::pair<Index, Index>& rows, const CrowdRule& rule) {
  const auto [k, l] = rows;
  std::vector<double> products;
  for (Index m = 0; m < Z.cols(); ++m) products.push_back(Z(k, m) * Z(l, m));
  const double level = cell_of(Z, k, l).there < rule.fewest ? 0 : level_of(products, rule.part);
  for (Index m = 0; m < Z.cols(); ++m) {
    const double product = products[static_cast<std::size_t>(m)];
    if (product > level) Z(Z(k, m) < Z(l, m) ? k : l, m) *= level / product;
  }
}

void lower_row(Matrix& Z, Index row, const CrowdRule& rule) {
  const std::vector<double> lengths = lengths_of(Z);
  const double level = level_of(shares_of(Z, row, lengths), rule.part);
  for (Index m = 0; m < Z.cols(); ++m) {
    const double length = lengths[static_cast<std::size_t>(m)];
    if (Z(row, m) * length > level) Z(row, m) = level / length;
  }
}

void scale_columns(Matrix& Z, const CrowdRule& rule, std::vector<double>& factors) {
  std::vector<double> squares;
  for (const double length : lengths_of(Z)) squares.push_back(length * length);
  const double level = level_of(squares, rule.norm_part);
  for (Index m = 0; m < Z.cols(); ++m) {
    const double square = squares[static_cast<std::size_t>(m)];
    if (square <= level) continue;
    const double factor = std::sqrt(level / square);
    for (Index l = 0; l < Z.rows(); ++l) Z(l, m) *= factor;
    factors[static_cast<std::size_t>(m)] *= factor;
  }
}

Index nonzero_columns(const Matrix& Z) { return static_cast<Index>((Z.colwise().maxCoeff().array() > 0).count()); }

tl::unexpected<Error> too_little(const CrowdRule& rule) {
  return error(
      ErrorCode::kInvalidData,
      "too little of these data would be left with at least {} columns behind every row, none above {:g} % of it, "
      "and none above {:g} % of the squared norm: join with more columns, or take part in runs with `epsilon`",
      rule.fewest, 100 * rule.part, 100 * rule.norm_part);
}

// Columns that were changed, in front of those that they were made from.
class CrowdedColumns final : public data::ColumnsOver {
 public:
  CrowdedColumns(Matrix Z, std::vector<double> factors, data::SharedColumns source)
      : ColumnsOver(std::move(source)), Z_(std::move(Z)), factors_(std::move(factors)) {}

  [[nodiscard]] data::Block lend(const data::Range& range, data::Scratch& /*scratch*/) const override {
    data::Block block;
    block.rows = rows();
    block.count = range.count;
    block.values = Z_.data() + range.first * rows();
    return block;
  }
  void restore_units(Matrix& Y) const override {
    for (Index m = 0; m < Y.cols(); ++m) Y.col(m) /= factors_[static_cast<std::size_t>(m)];
    ColumnsOver::restore_units(Y);
  }

 private:
  Matrix Z_;
  std::vector<double> factors_;
};

}  // namespace

std::string list_rows(const std::vector<Index>& rows, const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> shown;
  for (const Index row : rows) {
    if (shown.size() == kShown) break;
    const auto n = static_cast<std::size_t>(row);
    shown.push_back(n < names.size() ? names[n] : fmt::format("{}", row + 1));
  }
  const std::string more = rows.size() > kShown ? fmt::format(" and {} more", rows.size() - kShown) : "";
  return fmt::format("row{} {}{}", rows.size() == 1 ? "" : "s", fmt::join(shown, ", "), more);
}

Crowd look_at_crowd(const data::Columns& columns, const CrowdRule& rule) {
  const Rows rows = gather(columns);
  Crowd crowd;
  for (std::size_t l = 0; l < rows.there.size(); ++l) {
    if (rows.there[l] == 0) continue;
    if (rows.there[l] < rule.fewest) {
      crowd.thin.push_back(static_cast<Index>(l));
    } else if (leads(rows.largest[l], rows.sum[l], rule.part)) {
      crowd.led.push_back(static_cast<Index>(l));
    }
  }
  const double all = sum_of(rows.squares);
  for (std::size_t m = 0; m < rows.squares.size(); ++m) {
    if (leads(rows.squares[m], all, rule.norm_part)) crowd.large.push_back(static_cast<Index>(m));
  }
  if (rule.cells && crowd.enough()) crowd.cells = cells_without(columns, rule);
  return crowd;
}

std::string describe(const Crowd& crowd, const CrowdRule& rule, const std::vector<std::string>& row_names) {
  std::vector<std::string> parts;
  if (!crowd.thin.empty())
    parts.push_back(fmt::format("fewer than {} columns have {}", rule.fewest, list_rows(crowd.thin, row_names)));
  if (!crowd.led.empty())
    parts.push_back(
        fmt::format("one column has more than {:g} % of {}", 100 * rule.part, list_rows(crowd.led, row_names)));
  if (!crowd.large.empty()) {
    parts.push_back(fmt::format("{} column{} more than {:g} % of the squared norm", crowd.large.size(),
                                crowd.large.size() == 1 ? " has" : "s have", 100 * rule.norm_part));
  }
  if (!crowd.cells.empty()) {
    const auto [k, l] = crowd.cells.front();
    parts.push_back(
        fmt::format("fewer than {} columns have both of {}, or one has more than {:g} % of their product, and "
                    "so for {} pairs of rows in all",
                    rule.fewest, list_rows({k, l}, row_names), 100 * rule.part, crowd.cells.size()));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<Index> rows_to_drop(const data::Columns& columns, const CrowdRule& rule) {
  CrowdRule rows_only = rule;
  rows_only.cells = false;
  return look_at_crowd(columns, rows_only).thin;
}

Result<data::SharedColumns> without_rows(data::SharedColumns columns, const std::vector<Index>& rows,
                                         const CrowdRule& rule) {
  if (!rows.empty()) {
    Matrix Z = dense_of(*columns);
    for (const Index l : rows) Z.row(l).setZero();
    if (nonzero_columns(Z) < rule.fewest) return too_little(rule);
    std::vector<double> factors(static_cast<std::size_t>(Z.cols()), 1.0);
    columns = std::make_shared<CrowdedColumns>(std::move(Z), std::move(factors), std::move(columns));
  }
  return with_crowd(std::move(columns), rule);
}

Result<data::SharedColumns> with_crowd(data::SharedColumns columns, const CrowdRule& rule) {
  Crowd crowd = look_at_crowd(*columns, rule);
  if (crowd.enough()) return columns;
  Matrix Z = dense_of(*columns);
  std::vector<double> factors(static_cast<std::size_t>(Z.cols()), 1.0);
  for (int pass = 0; pass < kMostPasses && !crowd.enough(); ++pass) {
    for (const Index l : crowd.thin) Z.row(l).setZero();
    if (!crowd.large.empty()) {  // first, since a column that is scaled keeps its shape
      scale_columns(Z, rule, factors);
    } else {
      for (const Index l : crowd.led) lower_row(Z, l, rule);
    }
    for (const auto& cell : crowd.cells) lower_cell(Z, cell, rule);
    crowd = look_at_crowd(*data::view(Z), rule);
  }
  if (!crowd.enough() || nonzero_columns(Z) < rule.fewest) return too_little(rule);
  return std::make_shared<CrowdedColumns>(std::move(Z), std::move(factors), std::move(columns));
}

}  // namespace ppdnmf::protocol
