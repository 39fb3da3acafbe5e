#include <ppdnmf/consortium/member_data.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include <ppdnmf/io/known_columns.h>
#include <ppdnmf/io/sparse.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::consortium {
namespace {

const io::RowOwner kConsortium{"the consortium", "those of the consortium file's row_names",
                               "the consortium agreed on"};

}  // namespace

Result<io::CheckedTable> arrange_rows(io::Table table, std::string_view file, bool clip_negative,
                                      const Consortium& consortium) {
  const bool missing = consortium.settings.missing == protocol::MissingKind::kNan;
  std::string note;
  const std::vector<std::string>& agreed = consortium.row_names;
  // By name first: a sentence that names a row is worth more than one with two numbers.
  if (!agreed.empty() && !table.row_names.empty()) {
    PPDNMF_TRY(const std::vector<Index> order, io::row_order(agreed, table.row_names, file, kConsortium));
    if (!std::is_sorted(order.begin(), order.end())) {
      if (table.far) {
        return error(ErrorCode::kInvalidData,
                     "{}: its rows are not in the consortium's order, and processes that share its columns cannot "
                     "change that: write the file anew with the rows in that order",
                     file);
      }
      if (table.on_disk) {
        return error(ErrorCode::kInvalidData,
                     "{}: its rows are in another order than the consortium's, and it stays on "
                     "disk: bring its rows into that order",
                     file);
      }
      if (table.nonzeros) io::reorder_rows(*table.nonzeros, order);
      Eigen::VectorXd column(table.values.rows());  // one at a time: all of them once more may not fit
      for (Index m = 0; m < table.values.cols(); ++m) {
        column = table.values.col(m)(order);
        table.values.col(m) = column;
      }
      note = fmt::format("{}: its rows were put into the consortium's order by their names", file);
      table.image.reset();
    }
    table.row_names = agreed;
  } else if (table.rows() != consortium.rows) {
    return error(ErrorCode::kInvalidData, "{}: has {} rows, but the consortium agreed on {}", file, table.rows(),
                 consortium.rows);
  } else if (!agreed.empty()) {
    note = fmt::format("{}: has no row names: its rows are taken to be in the consortium's order", file);
    table.row_names = agreed;
  } else if (!table.row_names.empty()) {
    note =
        fmt::format("{}: the consortium has no row names to compare its rows with: they are taken as they stand", file);
  }
  PPDNMF_TRY(io::CheckedTable checked, io::check_nonnegative(std::move(table), file, clip_negative, missing));
  if (!note.empty()) checked.notes.insert(checked.notes.begin(), std::move(note));
  const Index columns = checked.table.columns();
  if (const auto& counted_on = consortium.settings.columns; counted_on && columns > *counted_on) {
    checked.notes.push_back(
        fmt::format("{}: has {} columns alone, and the consortium counts on about {} from all members: a delta that is "
                    "small beside 1/{} may not be small beside 1 over the true number; have the file made again with "
                    "`columns`",
                    file, columns, *counted_on, *counted_on));
  }
  return checked;
}

Status check_start_matrix(const Matrix& X, const Consortium& consortium) {
  if (X.rows() != consortium.rows || X.cols() != consortium.settings.rank) {
    return error(ErrorCode::kUsage, "is {} by {}, but X is {} by {}", X.rows(), X.cols(), consortium.rows,
                 consortium.settings.rank);
  }
  if (X.allFinite() && (X.array() >= 0).all()) return {};
  return error(ErrorCode::kUsage, "has an entry that is negative or not a number: an X that a run ended with has none");
}

Status check_start_from(const std::optional<Matrix>& X, const Consortium& consortium) {
  if (!X && !consortium.start_from) return {};
  if (!X) {
    return error(ErrorCode::kUsage,
                 "the consortium file continues from the X of an earlier run: give that X.npy with `start_from`");
  }
  if (!consortium.start_from) {
    return error(ErrorCode::kUsage, "the run of this consortium file starts anew: leave out `start_from`");
  }
  PPDNMF_TRY_STATUS(check_start_matrix(*X, consortium));
  if (matrix_digest(*X) == *consortium.start_from) return {};
  return error(ErrorCode::kUsage,
               "is not the X from which the consortium file continues: take the one that its author gave to "
               "'ppdnmf consortium new'");
}

Result<std::shared_ptr<const nmf::KnownColumns>> read_known(const std::string& file, const Consortium& consortium) {
  PPDNMF_TRY(const std::shared_ptr<const nmf::KnownColumns> known,
             io::read_known_columns(file, consortium.row_names, consortium.rows, kConsortium));
  if (auto fits = protocol::check_known(*known, consortium.settings, consortium.rows); !fits)
    return at(file, std::move(fits).error());
  return known;
}

Status check_known(const nmf::KnownColumns* known, const Consortium& consortium) {
  if (known == nullptr && !consortium.known) return {};
  if (known == nullptr) {
    return error(ErrorCode::kUsage,
                 "the consortium file keeps known components of X: give the file that they are in with `known`");
  }
  if (!consortium.known)
    return error(ErrorCode::kUsage, "the run of this consortium file knows no components: leave out `known`");
  if (known_digest(*known) == *consortium.known) return {};
  return error(ErrorCode::kUsage,
               "has other components than the consortium file keeps: take the file that its author gave to "
               "'ppdnmf consortium new'");
}

}  // namespace ppdnmf::consortium
