#include <ppdnmf/protocol/crowd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <ppdnmf/data/gaps.h>
#include <ppdnmf/nmf/leverage.h>
#include <ppdnmf/protocol/internal/crowded_columns.h>
#include <ppdnmf/protocol/internal/entries.h>

namespace ppdnmf::protocol {
namespace {

constexpr int kMostPasses = 100;
constexpr double kRounding = 1e-9;  // a share of exactly the part is allowed, however it was rounded

double length_of(Entries& Z, Index column) {
  double squares = 0;
  Z.for_column(column, [&](double z) { squares += z * z; });
  return std::sqrt(squares);
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
  data::walk(columns, {0, columns.count()}, [&](const data::Block& block, const data::Range&) {
    for (Index m = 0; m < block.count; ++m) {
      double square = 0;
      data::for_entries(block, m, [&](Index /*row*/, double z) { square += z * z; });
      out.squares.push_back(square);
      const double length = std::sqrt(square);
      data::for_entries(block, m, [&](Index row, double z) {
        const auto l = static_cast<std::size_t>(row);
        out.there[l] += z > 0 ? 1 : 0;
        out.sum[l] += z * length;
        out.largest[l] = std::max(out.largest[l], z * length);
      });
    }
  });
  return out;
}

// Rows that some columns have, but fewer than `fewest`, where entries may be missing. One that is there and zero tells
// of its column, too: what is missing is filled in with X y, so that the row of the totals less X_l T is that of what
// is there less X y, and under the Poisson loss y itself.
std::vector<Index> seldom_there(const data::Columns& columns, Index fewest) {
  std::vector<Index> out;
  if (!data::has_gaps(columns)) return out;
  const std::vector<double> there = data::present_counts(columns);
  for (std::size_t l = 0; l < there.size(); ++l) {
    if (there[l] > 0 && there[l] < static_cast<double>(fewest)) out.push_back(static_cast<Index>(l));
  }
  return out;
}

struct Cell {
  Index there = 0;
  double sum = 0, largest = 0;
};

void add_to(Cell& cell, double product) {
  cell.there += product > 0 ? 1 : 0;
  cell.sum += product;
  cell.largest = std::max(cell.largest, product);
}

// Of two rows, over all columns.
Cell cell_of(Entries& Z, Index k, Index l) {
  Cell cell;
  Z.for_rows(k, l, [&](Index /*column*/, double a, double b) { add_to(cell, a * b); });
  return cell;
}

// The same of all pairs of rows in one walk, for columns that do not lie in memory: number k * rows + l, k < l.
std::vector<Cell> all_cells(const data::Columns& columns) {
  const auto rows = static_cast<std::size_t>(columns.rows());
  std::vector<Cell> cells(rows * rows);
  std::vector<double> space;
  data::walk(columns, {0, columns.count()}, [&](const data::Block& block, const data::Range&) {
    for (Index m = 0; m < block.count; ++m) {
      const double* const z = data::dense_column(block, m, space);
      for (std::size_t k = 0; k < rows; ++k) {
        for (std::size_t l = k + 1; l < rows && z[k] > 0; ++l) add_to(cells[k * rows + l], z[k] * z[l]);
      }
    }
  });
  return cells;
}

std::vector<std::pair<Index, Index>> cells_without(const data::Columns& columns, const CrowdRule& rule) {
  std::vector<std::pair<Index, Index>> out;
  std::optional<Entries> Z;  // or, of columns that do not lie in memory, all cells at once
  if (columns.in_memory()) Z.emplace(columns);
  const std::vector<Cell> cells = Z ? std::vector<Cell>() : all_cells(columns);
  const Index rows = columns.rows();
  for (Index k = 0; k < rows; ++k) {
    for (Index l = k + 1; l < rows; ++l) {
      const Cell cell = Z ? cell_of(*Z, k, l) : cells[static_cast<std::size_t>(k * rows + l)];
      const bool thin = cell.there > 0 && cell.there < rule.fewest;
      if (thin || leads(cell.largest, cell.sum, rule.part)) out.emplace_back(k, l);
    }
  }
  return out;
}

std::vector<std::pair<Index, double>> unlike_columns(const data::Columns& columns, const CrowdRule& rule) {
  std::vector<std::pair<Index, double>> out;
  constexpr Index kColumnsBehindOne = 5;
  const Index directions = std::min(rule.directions, columns.count() / kColumnsBehindOne);
  if (directions == 0 || nmf::surely_none_leads(columns, directions, rule.direction_part)) return out;
  const std::vector<double> parts = nmf::leverages(columns, directions);
  for (std::size_t m = 0; m < parts.size(); ++m) {
    if (leads(parts[m], 1, rule.direction_part)) out.emplace_back(static_cast<Index>(m), parts[m]);
  }
  return out;
}

// As level_of of as many numbers as there are columns, the others being zeros: it does not look beyond the first one.
double level_among(std::vector<double> values, const Entries& Z, double part) {
  if (static_cast<Index>(values.size()) < Z.count()) values.push_back(0);
  return level_of(std::move(values), part);
}

// The smaller of two entries goes where too few columns have both, and is lowered where one column leads.
void lower_cell(Entries& Z, const std::pair<Index, Index>& rows, const CrowdRule& rule) {
  const auto [k, l] = rows;
  std::vector<double> products;
  Z.for_rows(k, l, [&](Index /*column*/, double a, double b) { products.push_back(a * b); });
  const double level = cell_of(Z, k, l).there < rule.fewest ? 0 : level_among(std::move(products), Z, rule.part);
  Z.for_rows(k, l, [&](Index /*column*/, double& a, double& b) {
    const double product = a * b;
    if (product > level) (a < b ? a : b) *= level / product;
  });
}

void lower_row(Entries& Z, Index row, const CrowdRule& rule) {
  std::vector<double> lengths;
  std::vector<double> shares;
  Z.for_row(row, [&](Index m, double z) {
    lengths.push_back(length_of(Z, m));
    shares.push_back(z * lengths.back());
  });
  const double level = level_among(std::move(shares), Z, rule.part);
  auto length = lengths.begin();
  Z.for_row(row, [&](Index /*column*/, double& z) {
    if (z * *length > level) z = level / *length;
    ++length;
  });
}

void scale_columns(Entries& Z, const CrowdRule& rule, std::vector<double>& factors) {
  std::vector<double> squares;
  for (Index m = 0; m < Z.count(); ++m) {
    const double length = length_of(Z, m);
    squares.push_back(length * length);
  }
  const double level = level_of(squares, rule.norm_part);
  for (Index m = 0; m < Z.count(); ++m) {
    const double square = squares[static_cast<std::size_t>(m)];
    if (square <= level) continue;
    const double factor = std::sqrt(level / square);
    Z.for_column(m, [&](double& z) { z *= factor; });
    factors[static_cast<std::size_t>(m)] *= factor;
  }
}

// Each alone to nine tenths of what it may have: when it becomes smaller, others have more of their directions.
void lower_unlike(Entries& Z, const std::vector<std::pair<Index, double>>& unlike, const CrowdRule& rule,
                  std::vector<double>& factors) {
  constexpr double kBelow = 0.9;
  constexpr double kLeast = 0.01;  // of a column; below it goes
  const double part = kBelow * rule.direction_part;
  for (const auto& [m, has] : unlike) {
    const double squared = part / (1 - part) * std::max(0.0, 1 - has) / has;
    const double factor = squared < kLeast * kLeast ? 0 : std::sqrt(squared);
    Z.for_column(m, [&](double& z) { z *= factor; });
    factors[static_cast<std::size_t>(m)] *= factor;
  }
}

void clear_rows(Entries& Z, const std::vector<Index>& rows) {
  for (const Index l : rows) Z.for_row(l, [](Index /*column*/, double& z) { z = 0; });
}

Index nonzero_columns(Entries& Z) {
  Index count = 0;
  for (Index m = 0; m < Z.count(); ++m) {
    bool any = false;
    Z.for_column(m, [&](double z) { any = any || z > 0; });
    count += any ? 1 : 0;
  }
  return count;
}

// "none above 50 % of one of their leading directions, "
std::string of_directions(const CrowdRule& rule) {
  if (rule.directions == 0) return "";
  return fmt::format("none above {:g} % of one of their leading directions, ", 100 * rule.direction_part);
}

tl::unexpected<Error> too_little(const CrowdRule& rule) {
  return error(
      ErrorCode::kInvalidData,
      "too little of these data would be left with at least {} columns behind every row, none above {:g} % of it, "
      "{}and none above {:g} % of the squared norm: join with more columns, agree on fewer components, or take part in "
      "runs with `epsilon`",
      rule.fewest, 100 * rule.part, of_directions(rule), 100 * rule.norm_part);
}

tl::unexpected<Error> not_in_memory() {
  return error(
      ErrorCode::kUsage,
      "`crowd=blank` and `crowd=drop` change a copy of the columns, and these stay on disk: leave out the rows "
      "and columns in question before the run, or take a machine that holds the data in memory");
}

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
  const std::vector<Index> seldom = seldom_there(columns, rule.fewest);
  Crowd crowd;
  for (std::size_t l = 0; l < rows.there.size(); ++l) {
    const bool is_seldom = std::binary_search(seldom.begin(), seldom.end(), static_cast<Index>(l));
    if (rows.there[l] == 0 && !is_seldom) continue;
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
  if (rule.directions > 0 && crowd.enough()) crowd.unlike = unlike_columns(columns, rule);
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
  if (!crowd.unlike.empty()) {
    parts.push_back(
        fmt::format("{} column{} like hardly any other, having more than {:g} % of one of their leading directions",
                    crowd.unlike.size(), crowd.unlike.size() == 1 ? " is" : "s are", 100 * rule.direction_part));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<Index> rows_to_drop(const data::Columns& columns, const CrowdRule& rule) {
  CrowdRule rows_only = rule;
  rows_only.cells = false;
  rows_only.directions = 0;
  return look_at_crowd(columns, rows_only).thin;
}

Result<data::SharedColumns> without_rows(data::SharedColumns columns, const std::vector<Index>& rows,
                                         const CrowdRule& rule) {
  if (!rows.empty()) {
    if (!columns->in_memory()) return not_in_memory();
    Entries Z(*columns);
    clear_rows(Z, rows);
    if (nonzero_columns(Z) < rule.fewest) return too_little(rule);
    std::vector<double> factors(static_cast<std::size_t>(Z.count()), 1.0);
    columns =
        std::make_shared<CrowdedColumns>(std::move(Z), std::move(factors), std::vector<Index>(), std::move(columns));
  }
  return with_crowd(std::move(columns), rule);
}

Result<data::SharedColumns> with_crowd(data::SharedColumns columns, const CrowdRule& rule) {
  Crowd crowd = look_at_crowd(*columns, rule);
  if (crowd.enough()) return columns;
  if (!columns->in_memory()) return not_in_memory();
  Entries Z(*columns);
  std::vector<double> factors(static_cast<std::size_t>(Z.count()), 1.0);
  for (int pass = 0; pass < kMostPasses && !crowd.enough(); ++pass) {
    clear_rows(Z, crowd.thin);
    if (!crowd.large.empty()) {  // first, since a column that is scaled keeps its shape
      scale_columns(Z, rule, factors);
    } else {
      for (const Index l : crowd.led) lower_row(Z, l, rule);
    }
    for (const auto& cell : crowd.cells) lower_cell(Z, cell, rule);
    lower_unlike(Z, crowd.unlike, rule, factors);
    crowd = look_at_crowd(*Z.view(), rule);
  }
  if (!crowd.enough() || nonzero_columns(Z) < rule.fewest) return too_little(rule);
  return std::make_shared<CrowdedColumns>(std::move(Z), std::move(factors), seldom_there(*columns, rule.fewest),
                                          std::move(columns));
}

}  // namespace ppdnmf::protocol
