// Entries of columns that are to be changed, for crowd.cc.
#ifndef PPDNMF_PROTOCOL_INTERNAL_ENTRIES_H_
#define PPDNMF_PROTOCOL_INTERNAL_ENTRIES_H_

#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include <ppdnmf/data/columns.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/nonzeros.h>

namespace ppdnmf::protocol {

// The entries of some columns, to be changed: dense, or by their nonzeros with a list of each row's. Zeros are passed
// over or not, which changes no sum.
class Entries {
 public:
  explicit Entries(const data::Columns& columns) : rows_(columns.rows()), count_(columns.count()) {
    if (data::lie_dense(columns)) {
      Z_ = data::dense_of(columns);
      return;
    }
    nonzeros_ = data::nonzeros_of(columns);
    row_first_.assign(static_cast<std::size_t>(rows_) + 1, 0);
    for (const int row : nonzeros_->row) ++row_first_[static_cast<std::size_t>(row) + 1];
    std::partial_sum(row_first_.begin(), row_first_.end(), row_first_.begin());
    std::vector<std::size_t> next(row_first_.begin(), row_first_.end() - 1);
    of_row_.resize(nonzeros_->row.size());
    for_columns([&](Index m, std::size_t i) { of_row_[next[static_cast<std::size_t>(nonzeros_->row[i])]++] = {m, i}; });
  }

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index count() const { return count_; }
  [[nodiscard]] data::SharedColumns view() const { return nonzeros_ ? data::view(*nonzeros_) : data::view(Z_); }

  // visit(entry) of a column, visit(column, entry) of a row, visit(column, entry, entry) where two rows meet; in order.
  template <typename Visit>
  void for_column(Index m, const Visit& visit) {
    if (!nonzeros_) {
      for (Index l = 0; l < rows_; ++l) visit(Z_(l, m));
      return;
    }
    const auto column = static_cast<std::size_t>(m);
    for (std::size_t i = nonzeros_->first[column]; i < nonzeros_->first[column + 1]; ++i) visit(nonzeros_->value[i]);
  }
  template <typename Visit>
  void for_row(Index l, const Visit& visit) {
    if (!nonzeros_) {
      for (Index m = 0; m < count_; ++m) visit(m, Z_(l, m));
      return;
    }
    for (const Place& place : of(l)) visit(place.column, nonzeros_->value[place.entry]);
  }
  template <typename Visit>
  void for_rows(Index k, Index l, const Visit& visit) {
    if (!nonzeros_) {
      for (Index m = 0; m < count_; ++m) visit(m, Z_(k, m), Z_(l, m));
      return;
    }
    const std::span<const Place> of_k = of(k);
    auto at = of_k.begin();
    for (const Place& place : of(l)) {
      while (at != of_k.end() && at->column < place.column) ++at;
      if (at == of_k.end()) return;
      if (at->column == place.column) visit(place.column, nonzeros_->value[at->entry], nonzeros_->value[place.entry]);
    }
  }

 private:
  struct Place {
    Index column;
    std::size_t entry;
  };
  [[nodiscard]] std::span<const Place> of(Index l) const {
    const auto row = static_cast<std::size_t>(l);
    return {of_row_.data() + row_first_[row], row_first_[row + 1] - row_first_[row]};
  }
  template <typename Visit>
  void for_columns(const Visit& visit) const {
    for (Index m = 0; m < count_; ++m) {
      const auto column = static_cast<std::size_t>(m);
      for (std::size_t i = nonzeros_->first[column]; i < nonzeros_->first[column + 1]; ++i) visit(m, i);
    }
  }

  Index rows_, count_;
  Matrix Z_;
  std::optional<data::Nonzeros> nonzeros_;
  std::vector<std::size_t> row_first_;
  std::vector<Place> of_row_;
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_INTERNAL_ENTRIES_H_
