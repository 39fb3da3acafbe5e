#include <ppdnmf/io/sparse.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/views.h>
#include <ppdnmf/io/on_disk.h>

namespace ppdnmf::io {
namespace {

struct Entry {
  int row;
  double value;
};

// A column's entries, sorted, added up, without zeros; where they begin in Z's lists stays free for what is written.
void tidy_column(data::Nonzeros& Z, std::size_t from, std::size_t end, std::size_t& to, std::vector<Entry>& space) {
  const bool rising = std::adjacent_find(Z.row.begin() + static_cast<std::ptrdiff_t>(from),
                                         Z.row.begin() + static_cast<std::ptrdiff_t>(end),
                                         std::greater_equal<>()) == Z.row.begin() + static_cast<std::ptrdiff_t>(end);
  if (rising) {
    for (std::size_t i = from; i < end; ++i) {
      if (Z.value[i] == 0) continue;
      Z.row[to] = Z.row[i];
      Z.value[to++] = Z.value[i];
    }
    return;
  }
  space.clear();
  for (std::size_t i = from; i < end; ++i) space.push_back({Z.row[i], Z.value[i]});
  std::stable_sort(space.begin(), space.end(), [](const Entry& a, const Entry& b) { return a.row < b.row; });
  for (std::size_t i = 0; i < space.size();) {
    const int row = space[i].row;
    double sum = 0;
    for (; i < space.size() && space[i].row == row; ++i) sum += space[i].value;
    if (sum == 0) continue;
    Z.row[to] = row;
    Z.value[to++] = sum;
  }
}

}  // namespace

data::SharedColumns Table::view(const data::Range& range) const {
  PPDNMF_CHECK(!far || range.count == far->count());
  if (far) return far;
  if (on_disk) return data::part(on_disk, range);
  return nonzeros ? data::gappy_view(*nonzeros, range) : data::gappy_view(values, range);
}

bool is_believed(std::uint64_t side, std::uint64_t entries) {
  constexpr std::uint64_t kAlways = std::uint64_t{1} << 20U;
  constexpr std::uint64_t kPerEntry = 64;
  return side <= kAlways + kPerEntry * entries && side <= static_cast<std::uint64_t>(std::numeric_limits<int>::max());
}

Status check_sparse_size(std::uint64_t rows, std::uint64_t columns, std::uint64_t entries, const ReadLimits& limits) {
  if (!limits.keep_sparse || rows == 0 || columns == 0) return check_size(rows, columns, limits);
  if (entries > limits.max_entries) {
    return error(ErrorCode::kFile, "it claims {} entries; at most {} can be read", entries, limits.max_entries);
  }
  if (!is_believed(std::max(rows, columns), entries)) {
    return error(ErrorCode::kFile, "it claims {} rows and {} columns with {} entries; that is too much to be read",
                 rows, columns, entries);
  }
  return {};
}

data::Nonzeros compress(Index rows, Index columns, Entries entries) {
  PPDNMF_CHECK(entries.value.size() < static_cast<std::size_t>(std::numeric_limits<int>::max()));
  data::Nonzeros Z;
  Z.rows = rows;
  Z.first.assign(static_cast<std::size_t>(columns) + 1, 0);
  for (const int column : entries.column) ++Z.first[static_cast<std::size_t>(column) + 1];
  std::partial_sum(Z.first.begin(), Z.first.end(), Z.first.begin());
  std::vector<std::size_t> next(Z.first.begin(), Z.first.end() - 1);
  Z.row = std::move(entries.row);
  Z.value = std::move(entries.value);
  // Where an entry goes takes the place of its column; each exchange brings one to where it stays.
  std::vector<int> place = std::move(entries.column);
  for (int& to : place) to = static_cast<int>(next[static_cast<std::size_t>(to)]++);
  for (std::size_t i = 0; i < place.size(); ++i) {
    while (place[i] != static_cast<int>(i)) {
      const auto to = static_cast<std::size_t>(place[i]);
      std::swap(Z.row[i], Z.row[to]);
      std::swap(Z.value[i], Z.value[to]);
      std::swap(place[i], place[to]);
    }
  }
  tidy(Z);
  return Z;
}

void tidy(data::Nonzeros& Z) {
  std::vector<Entry> space;
  std::size_t to = 0;
  std::size_t from = 0;
  for (std::size_t m = 1; m < Z.first.size(); ++m) {
    const std::size_t end = Z.first[m];
    tidy_column(Z, from, end, to, space);
    Z.first[m] = to;
    from = end;
  }
  Z.row.resize(to);
  Z.value.resize(to);
}

Result<Table> sparse_table(data::Nonzeros Z, const ReadLimits& limits) {
  Table table;
  const bool fits = static_cast<std::uint64_t>(Z.rows) <= limits.max_entries / static_cast<std::uint64_t>(Z.count());
  const bool keep = limits.keep_sparse && (!fits || data::are_few(Z.value.size(), Z.rows, Z.count()));
  table.nonzeros = std::move(Z);
  if (!keep) PPDNMF_TRY_STATUS(write_out(table, limits));
  return table;
}

Status write_out(Table& table, const ReadLimits& limits) {
  if (!table.nonzeros) return {};
  const data::Nonzeros& Z = *table.nonzeros;
  PPDNMF_TRY(table.values,
             make_matrix(static_cast<std::uint64_t>(Z.rows), static_cast<std::uint64_t>(Z.count()), limits));
  for (Index m = 0; m < Z.count(); ++m) {
    for (std::size_t i = Z.first[static_cast<std::size_t>(m)]; i < Z.first[static_cast<std::size_t>(m) + 1]; ++i)
      table.values(Z.row[i], m) = Z.value[i];
  }
  table.nonzeros.reset();
  return {};
}

Digest values_digest(const Table& table) {
  const auto bytes = [](const auto* data, std::size_t count) {
    return ByteSpan{reinterpret_cast<const std::uint8_t*>(data), count * sizeof *data};
  };
  if (table.far) return table.far->far_digest();
  if (table.on_disk) return columns_digest(*table.on_disk);
  if (!table.nonzeros) return sha256({bytes(table.values.data(), static_cast<std::size_t>(table.values.size()))});
  const data::Nonzeros& Z = *table.nonzeros;
  const auto rows = static_cast<std::uint64_t>(Z.rows);
  return sha256({bytes(&rows, 1), bytes(Z.first.data(), Z.first.size()), bytes(Z.row.data(), Z.row.size()),
                 bytes(Z.value.data(), Z.value.size())});
}

void reorder_rows(data::Nonzeros& Z, const std::vector<Index>& order) {
  std::vector<int> place(order.size());
  for (std::size_t l = 0; l < order.size(); ++l) place[static_cast<std::size_t>(order[l])] = static_cast<int>(l);
  for (int& row : Z.row) row = place[static_cast<std::size_t>(row)];
  Z.rows = static_cast<Index>(order.size());
  tidy(Z);
}

}  // namespace ppdnmf::io
