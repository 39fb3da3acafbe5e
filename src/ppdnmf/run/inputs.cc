#include <ppdnmf/run/inputs.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <utility>

#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/io/validate.h>

namespace ppdnmf::run {
namespace {

Digest digest_of(const Matrix& Z) {
  return sha256({reinterpret_cast<const std::uint8_t*>(Z.data()), static_cast<std::size_t>(Z.size()) * sizeof(double)});
}

}  // namespace

Result<Inputs> load_inputs(const DataOptions& options) {
  Inputs inputs;
  std::vector<io::NamedTable> tables;
  for (const std::string& file : options.files) {
    PPDNMF_TRY(io::Table table, io::read_matrix(file));
    PPDNMF_TRY(io::CheckedTable checked, io::check_nonnegative(std::move(table), file, options.clip_negative));
    for (std::string& note : checked.notes) inputs.notes.push_back(std::move(note));
    inputs.file_columns.push_back(checked.table.values.cols());
    tables.push_back({file, std::move(checked.table)});
  }
  PPDNMF_TRY(inputs.table, io::join_columns(std::move(tables)));
  inputs.digest = digest_of(inputs.table.values);
  return inputs;
}

Inputs made_inputs(io::Table table) {
  Inputs inputs;
  inputs.file_columns = {table.values.cols()};
  inputs.digest = digest_of(table.values);
  inputs.table = std::move(table);
  return inputs;
}

Result<std::vector<Index>> columns_per_agent(const Inputs& inputs, std::uint32_t agents,
                                             const std::vector<Index>& split) {
  const Index columns = inputs.table.values.cols();
  if (!split.empty()) {
    for (const Index share : split) {
      if (share < 1)
        return error(ErrorCode::kUsage, "`split={}` leaves an agent without columns", fmt::join(split, ","));
      if (share > columns) {
        return error(ErrorCode::kUsage, "`split={}` gives an agent {} columns, but the data have {}",
                     fmt::join(split, ","), share, columns);
      }
    }
    const Index sum = std::accumulate(split.begin(), split.end(), Index{0});
    if (sum != columns) {
      return error(ErrorCode::kUsage, "`split={}` adds up to {} columns, but the data have {}", fmt::join(split, ","),
                   sum, columns);
    }
    if (agents != 0 && agents != split.size()) {
      return error(ErrorCode::kUsage, "`split` is for {} agents, but `agents` says {}", split.size(), agents);
    }
    return split;
  }
  if (inputs.file_columns.size() > 1) {
    if (agents != 0 && agents != inputs.file_columns.size()) {
      return error(ErrorCode::kUsage, "{} files make {} agents, one each, which `agents={}` contradicts",
                   inputs.file_columns.size(), inputs.file_columns.size(), agents);
    }
    return inputs.file_columns;
  }
  constexpr std::uint32_t kDefaultAgents = 10;
  if (agents == 0) agents = kDefaultAgents;
  if (static_cast<Index>(agents) > columns) {
    return error(ErrorCode::kUsage, "{} agents cannot share {} columns: every agent needs one; lower `agents`", agents,
                 columns);
  }
  std::vector<Index> shares(agents, columns / agents);
  for (Index i = 0; i < columns % agents; ++i) ++shares[static_cast<std::size_t>(i)];
  return shares;
}

}  // namespace ppdnmf::run
