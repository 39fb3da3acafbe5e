#include <ppdnmf/io/validate.h>

#include <utility>

#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/data/views.h>
#include <ppdnmf/io/sparse.h>
#include <ppdnmf/io/survey.h>

namespace ppdnmf::io {
namespace {

// A matrix, or nonzero entries, behind one face.
struct DenseEntries {
  Eigen::Ref<Matrix>& values;
  [[nodiscard]] Index rows() const { return values.rows(); }
  [[nodiscard]] Index columns() const { return values.cols(); }
  void show(Survey& survey) const {
    for (Index column = 0; column < values.cols(); ++column) survey.see_column(column, values.col(column).data());
  }
  template <typename Change>
  void change(const Change& change) {
    for (Index column = 0; column < values.cols(); ++column) {
      for (Index row = 0; row < values.rows(); ++row) values(row, column) = change(values(row, column));
    }
  }
};

struct SparseEntries {
  data::Nonzeros& Z;
  [[nodiscard]] Index rows() const { return Z.rows; }
  [[nodiscard]] Index columns() const { return Z.count(); }
  void show(Survey& survey) const {
    for (Index column = 0; column < Z.count(); ++column) {
      const auto m = static_cast<std::size_t>(column);
      for (std::size_t i = Z.first[m]; i < Z.first[m + 1]; ++i) survey.see(Z.row[i], column, Z.value[i]);
    }
  }
  template <typename Change>
  void change(const Change& change) {
    for (double& value : Z.value) value = change(value);
  }
};

template <typename Entries>
Result<std::vector<std::string>> check_entries(Entries values, const TableNames& names, std::string_view name,
                                               bool clip, bool missing) {
  Survey survey(values.rows(), values.columns(), missing);
  values.show(survey);
  PPDNMF_TRY(std::vector<std::string> notes, survey.judge(names, name, clip));
  if (survey.unclean()) values.change([](double x) { return data::clipped(x); });
  return notes;
}

}  // namespace

Result<std::vector<std::string>> check_nonnegative(Eigen::Ref<Matrix> values, const TableNames& names,
                                                   std::string_view name, bool clip, bool missing) {
  return check_entries(DenseEntries{values}, names, name, clip, missing);
}

Result<std::vector<std::string>> check_nonnegative(data::Nonzeros& Z, const TableNames& names, std::string_view name,
                                                   bool clip, bool missing) {
  auto notes = check_entries(SparseEntries{Z}, names, name, clip, missing);
  tidy(Z);
  return notes;
}

Result<CheckedColumns> check_nonnegative(data::SharedColumns columns, const TableNames& names, std::string_view name,
                                         bool clip, bool missing) {
  Survey survey(columns->rows(), columns->count(), missing);
  data::walk(*columns, {0, columns->count()}, [&](const data::Block& block, const data::Range& range) {
    for (Index m = 0; m < block.count; ++m) {
      const Index column = range.first + m;
      if (block.dense()) {
        survey.see_column(column, block.values + m * block.rows);
      } else {
        data::for_entries(block, m, [&](Index row, double value) { survey.see(row, column, value); });
      }
    }
  });
  PPDNMF_TRY_STATUS(columns->unchanged());
  CheckedColumns out;
  PPDNMF_TRY(out.notes, survey.judge(names, name, clip));
  out.columns = survey.unclean() ? data::clipped(std::move(columns)) : std::move(columns);
  out.gaps = survey.gaps();
  return out;
}

Result<CheckedTable> check_nonnegative(Table table, std::string_view name, bool clip, bool missing) {
  if (table.far) return CheckedTable{std::move(table), {}};
  const TableNames names{table.row_names, table.column_names};
  if (table.on_disk) {
    PPDNMF_TRY(CheckedColumns checked, check_nonnegative(table.on_disk, names, name, clip, missing));
    table.on_disk = checked.gaps ? data::gappy(std::move(checked.columns)) : std::move(checked.columns);
    return CheckedTable{std::move(table), std::move(checked.notes)};
  }
  PPDNMF_TRY(std::vector<std::string> notes, table.nonzeros
                                                 ? check_nonnegative(*table.nonzeros, names, name, clip, missing)
                                                 : check_nonnegative(table.values, names, name, clip, missing));
  return CheckedTable{std::move(table), std::move(notes)};
}

}  // namespace ppdnmf::io
