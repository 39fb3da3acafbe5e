#include <ppdnmf/report/reference.h>

#include <fmt/format.h>

#include <utility>

#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/io/row_order.h>
#include <ppdnmf/io/validate.h>
#include <ppdnmf/nmf/matching.h>

namespace ppdnmf::report {
namespace {

const io::RowOwner kData{"the data set", "those of the data", "the data have"};

struct Pairs {
  std::vector<Index> column;  // of the reference, for each component, or -1
  std::vector<ComponentMatch> matches;
};

Pairs pairs_of(const Matrix& X, const Reference& reference) {
  const Matrix cosine = nmf::cosines(X, reference.columns);
  Pairs pairs{nmf::best_pairs(cosine), {}};
  for (Index k = 0; k < X.cols(); ++k) {
    const Index column = pairs.column[static_cast<std::size_t>(k)];
    pairs.matches.push_back(column < 0
                                ? ComponentMatch{}
                                : ComponentMatch{reference.names[static_cast<std::size_t>(column)], cosine(k, column)});
  }
  return pairs;
}

// Both as the field spells its channels, if both are channels of one kind.
void spell_alike(std::vector<std::string>& a, std::vector<std::string>& b) {
  const auto channels_a = find_channels(a);
  const auto channels_b = find_channels(b);
  if (!channels_a || !channels_b || channels_a->kind != channels_b->kind) return;
  const std::vector<std::string>& names = channel_scheme(channels_a->kind).names;
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = names[static_cast<std::size_t>(channels_a->place[i])];
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = names[static_cast<std::size_t>(channels_b->place[i])];
}

}  // namespace

Result<Reference> arrange_reference(io::Table table, std::string_view file, const std::vector<std::string>& row_names,
                                    Index rows) {
  if (!row_names.empty() && !table.row_names.empty()) {
    std::vector<std::string> wanted = row_names;
    std::vector<std::string> found = table.row_names;
    spell_alike(wanted, found);
    PPDNMF_TRY(const std::vector<Index> order, io::row_order(wanted, found, file, kData));
    const Matrix as_they_stand = std::move(table.values);
    table.values = as_they_stand(order, Eigen::all);
    table.row_names = row_names;
  } else if (table.values.rows() != rows) {
    return error(ErrorCode::kInvalidData,
                 "{}: has {} rows, but the data have {}: a reference needs the rows of the data", file,
                 table.values.rows(), rows);
  }
  if (table.values.cols() == 0) return error(ErrorCode::kInvalidData, "{}: has no column to compare with", file);
  PPDNMF_TRY(io::CheckedTable checked, io::check_nonnegative(std::move(table), file, false));
  Reference reference{std::move(checked.table.column_names), std::move(checked.table.values)};
  for (auto k = static_cast<Index>(reference.names.size()); k < reference.columns.cols(); ++k)
    reference.names.push_back(fmt::format("{}", k + 1));
  return reference;
}

std::vector<ComponentMatch> match_components(const Matrix& X, const Reference& reference) {
  return pairs_of(X, reference).matches;
}

Result<Pictures> prepare_pictures(const PictureRequest& request, const RowsOfX& rows) {
  PPDNMF_TRY_STATUS(check_show(request.show, rows));
  Pictures pictures{request.show, rows.image, std::nullopt};
  if (request.reference.empty()) return pictures;
  PPDNMF_TRY(io::Table table, io::read_matrix(request.reference));
  PPDNMF_TRY(pictures.reference,
             arrange_reference(std::move(table), request.reference.string(), rows.names, rows.count));
  return pictures;
}

void apply_pictures(const Pictures& pictures, const Matrix& X, RunRecord& record, ReportOptions& options) {
  options.show = pictures.show;
  options.image = pictures.image;
  if (!pictures.reference) return;
  Pairs pairs = pairs_of(X, *pictures.reference);
  record.matches = std::move(pairs.matches);
  options.matched = Matrix::Zero(X.rows(), X.cols());
  for (Index k = 0; k < X.cols(); ++k) {
    const Index column = pairs.column[static_cast<std::size_t>(k)];
    if (column >= 0) options.matched.col(k) = pictures.reference->columns.col(column);
  }
}

}  // namespace ppdnmf::report
