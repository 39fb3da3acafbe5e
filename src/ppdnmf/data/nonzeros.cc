#include <ppdnmf/data/nonzeros.h>

#include <limits>
#include <utility>

namespace ppdnmf::data {
namespace {

// In products a nonzero entry alone costs as much as three to four entries of a whole column; beyond this it saves
// little.
constexpr std::size_t kWorthOf = 5;

struct Entries {
  std::vector<std::size_t> first;  // of every column, and the end
  std::vector<int> row;
  std::vector<double> value;
};

class NonzeroColumns final : public ColumnsOver {
 public:
  // `source` stays for what else it knows of its columns; they themselves are not asked for again.
  NonzeroColumns(SharedColumns source, Entries entries)
      : ColumnsOver(std::move(source)), entries_(std::move(entries)) {}

  [[nodiscard]] Block lend(const Range& range, Scratch& /*scratch*/) const override {
    Block block;
    block.rows = rows();
    block.count = range.count;
    block.first = entries_.first.data() + range.first;
    block.row = entries_.row.data() + block.first[0];
    block.value = entries_.value.data() + block.first[0];
    return block;
  }

 private:
  Entries entries_;
};

// Whether few enough; counts no further than it takes to know.
bool are_few(const Columns& columns, std::size_t& count) {
  const auto most = static_cast<std::size_t>(columns.rows()) * static_cast<std::size_t>(columns.count()) / kWorthOf;
  bool all_lie_dense = true;
  count = 0;
  walk(columns, {0, columns.count()}, [&](const Block& block, const Range&) {
    all_lie_dense = all_lie_dense && block.dense();
    if (!all_lie_dense || count > most) return;
    for (const double* z = block.values; z != block.values + block.rows * block.count; ++z) count += *z != 0 ? 1 : 0;
  });
  return all_lie_dense && count <= most;
}

}  // namespace

SharedColumns without_zeros(const SharedColumns& columns) {
  std::size_t count = 0;
  if (columns->rows() > std::numeric_limits<int>::max() || !are_few(*columns, count)) return columns;
  Entries found;
  found.first.reserve(static_cast<std::size_t>(columns->count() + 1));
  found.row.reserve(count);
  found.value.reserve(count);
  found.first.push_back(0);
  walk(*columns, {0, columns->count()}, [&](const Block& block, const Range&) {
    for (Index m = 0; m < block.count; ++m) {
      const double* const column = block.values + m * block.rows;
      for (Index l = 0; l < block.rows; ++l) {
        if (column[l] == 0) continue;
        found.row.push_back(static_cast<int>(l));
        found.value.push_back(column[l]);
      }
      found.first.push_back(found.row.size());
    }
  });
  return std::make_shared<NonzeroColumns>(columns, std::move(found));
}

}  // namespace ppdnmf::data
