#include <ppdnmf/data/nonzeros.h>

#include <algorithm>
#include <limits>
#include <utility>

#include <ppdnmf/base/result.h>

namespace ppdnmf::data {
namespace {

// In products a nonzero entry alone costs as much as three to four entries of a whole column; beyond this it saves
// little.
constexpr std::size_t kWorthOf = 5;

// Where entries lie. Those of column m are first[m] to first[m + 1] - 1.
struct Places {
  const std::size_t* first;
  const int* row;
  const double* value;

  [[nodiscard]] Block lend(Index rows, const Range& range) const {
    Block block;
    block.rows = rows;
    block.count = range.count;
    block.first = first + range.first;
    block.row = row + block.first[0];
    block.value = value + block.first[0];
    return block;
  }
};

Places places_of(const Nonzeros& Z) { return {Z.first.data(), Z.row.data(), Z.value.data()}; }

class NonzeroColumns final : public Columns {
 public:
  explicit NonzeroColumns(Nonzeros Z) : Columns(Z.rows, Z.count()), own_(std::move(Z)), places_(places_of(own_)) {}
  explicit NonzeroColumns(LentNonzeros Z)
      : Columns(Z.rows, static_cast<Index>(Z.first.size()) - 1),
        own_{Z.rows, std::move(Z.first), {}, {}},
        places_{own_.first.data(), Z.row, Z.value} {}
  NonzeroColumns(const Nonzeros& Z, const Range& range)
      : Columns(Z.rows, range.count), places_{Z.first.data() + range.first, Z.row.data(), Z.value.data()} {}

  [[nodiscard]] Block lend(const Range& range, Scratch& /*scratch*/) const override {
    return places_.lend(rows(), range);
  }

 private:
  Nonzeros own_;  // empty: somebody else's
  Places places_;
};

// Without the zeros of columns that lie dense.
class CondensedColumns final : public ColumnsOver {
 public:
  // `source` stays for what else it knows of its columns; they themselves are not asked for again.
  CondensedColumns(SharedColumns source, Nonzeros Z) : ColumnsOver(std::move(source)), Z_(std::move(Z)) {}

  [[nodiscard]] Block lend(const Range& range, Scratch& /*scratch*/) const override {
    return places_of(Z_).lend(rows(), range);
  }

 private:
  Nonzeros Z_;
};

}  // namespace

bool lie_dense(const Columns& columns) {
  Scratch scratch;
  return columns.count() > 0 && columns.lend({0, 1}, scratch).dense();
}

bool lie_as_lent(const Columns& columns) {
  Scratch scratch;
  for (Index m = 0; m < columns.count(); ++m) {
    const Block block = columns.lend({m, 1}, scratch);
    if (!block.dense() && block.entries_before(1) == 0) continue;  // nothing that could have been put together
    return scratch.values.empty();
  }
  return true;
}

SharedColumns own(Nonzeros Z) { return std::make_shared<NonzeroColumns>(std::move(Z)); }

SharedColumns lent(LentNonzeros Z) { return std::make_shared<NonzeroColumns>(std::move(Z)); }

SharedColumns view(const Nonzeros& Z) { return view(Z, {0, Z.count()}); }

SharedColumns view(const Nonzeros& Z, const Range& range) {
  PPDNMF_CHECK(range.first >= 0 && range.count >= 0 && range.first + range.count <= Z.count());
  return std::make_shared<NonzeroColumns>(Z, range);
}

bool are_few(std::size_t nonzeros, Index rows, Index columns) {
  return nonzeros <= static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) / kWorthOf;
}

std::size_t count_nonzeros(const Columns& columns, std::size_t enough) {
  std::size_t count = 0;
  walk(columns, {0, columns.count()}, [&](const Block& block, const Range&) {
    if (count > enough) return;
    for (Index m = 0; m < block.count; ++m)
      for_entries(block, m, [&](Index /*row*/, double z) { count += z != 0 ? 1 : 0; });
  });
  return count;
}

Nonzeros nonzeros_of(const Columns& columns) {
  PPDNMF_CHECK(columns.rows() <= std::numeric_limits<int>::max());
  Nonzeros found;
  found.rows = columns.rows();
  const std::size_t count = count_nonzeros(columns);
  found.first.reserve(static_cast<std::size_t>(columns.count() + 1));
  found.row.reserve(count);
  found.value.reserve(count);
  walk(columns, {0, columns.count()}, [&](const Block& block, const Range&) {
    for (Index m = 0; m < block.count; ++m) {
      for_entries(block, m, [&](Index l, double z) {
        if (z == 0) return;
        found.row.push_back(static_cast<int>(l));
        found.value.push_back(z);
      });
      found.first.push_back(found.row.size());
    }
  });
  return found;
}

void append(Nonzeros& Z, const Nonzeros& more) {
  PPDNMF_CHECK(Z.rows == more.rows);
  const std::size_t before = Z.row.size();
  for (std::size_t m = 1; m < more.first.size(); ++m) Z.first.push_back(before + more.first[m]);
  Z.row.insert(Z.row.end(), more.row.begin(), more.row.end());
  Z.value.insert(Z.value.end(), more.value.begin(), more.value.end());
}

Matrix dense_of(const Columns& columns) {
  Matrix Z = Matrix::Zero(columns.rows(), columns.count());
  walk(columns, {0, columns.count()}, [&](const Block& block, const Range& range) {
    for (Index m = 0; m < block.count; ++m)
      for_entries(block, m, [&](Index l, double z) { Z(l, range.first + m) = z; });
  });
  return Z;
}

SharedColumns without_zeros(const SharedColumns& columns) {
  if (columns->rows() > std::numeric_limits<int>::max() || !lie_dense(*columns)) return columns;
  const auto size = static_cast<std::size_t>(columns->rows()) * static_cast<std::size_t>(columns->count());
  if (!are_few(count_nonzeros(*columns, size / kWorthOf), columns->rows(), columns->count())) return columns;
  return std::make_shared<CondensedColumns>(columns, nonzeros_of(*columns));
}

}  // namespace ppdnmf::data
