#include <ppdnmf/run/inputs.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include <ppdnmf/convert/h5_matrix.h>
#include <ppdnmf/data/persons.h>
#include <ppdnmf/data/weights.h>
#include <ppdnmf/io/known_columns.h>
#include <ppdnmf/io/persons.h>
#include <ppdnmf/io/row_names.h>
#include <ppdnmf/io/sparse.h>

namespace ppdnmf::run {
namespace {

Digest digest_of(const io::Table& table, const std::vector<std::string>& persons) {
  const Digest values = io::values_digest(table);
  if (persons.empty()) return values;
  ByteWriter out;
  for (const std::string& person : persons) out.put_string(person);
  return sha256({values, out.take()});
}

Status name_rows(const std::filesystem::path& file, io::Table& table) {
  PPDNMF_TRY(std::vector<std::string> names, io::read_row_names(file));
  if (static_cast<Index>(names.size()) != table.rows()) {
    return error(ErrorCode::kUsage, "{}: has {} names, but the data have {} rows", file.string(), names.size(),
                 table.rows());
  }
  if (!table.row_names.empty() && table.row_names != names) {
    return error(ErrorCode::kUsage, "{}: the rows of the data have other names already: leave out `row_names`",
                 file.string());
  }
  table.row_names = std::move(names);
  return {};
}

Result<io::JoinedTable> read_files(const DataOptions& options, bool missing) {
  PPDNMF_TRY(std::optional<io::JoinedTable> left,
             io::join_on_disk(options.files, options.on_disk, options.clip_negative, missing));
  if (left) return *std::move(left);
  io::ColumnJoiner joiner(options.clip_negative, missing);
  for (const std::string& file : options.files) {
    if (!convert::is_h5(file)) {
      PPDNMF_TRY_STATUS(joiner.read(file));
      continue;
    }
    io::ReadLimits limits;
    limits.keep_sparse = true;
    PPDNMF_TRY(io::Table table, convert::read_h5(file, limits));
    PPDNMF_TRY_STATUS(joiner.add(file, std::move(table)));
  }
  return std::move(joiner).take();
}

}  // namespace

Result<Inputs> load_inputs(const DataOptions& options, protocol::MissingKind missing_kind) {
  const bool missing = missing_kind == protocol::MissingKind::kNan;
  PPDNMF_TRY(io::JoinedTable joined, read_files(options, missing));
  return joined_inputs(std::move(joined), options);
}

Result<Inputs> joined_inputs(io::JoinedTable joined, const DataOptions& options) {
  Inputs inputs;
  inputs.table = std::move(joined.table);
  inputs.file_columns = std::move(joined.columns);
  inputs.notes = std::move(joined.notes);
  if (!options.row_names.empty()) PPDNMF_TRY_STATUS(name_rows(options.row_names, inputs.table));
  if (!options.persons.empty()) {
    PPDNMF_TRY(inputs.persons, io::read_persons(options.persons, inputs.table.column_names, inputs.table.columns()));
  }
  if (!options.known.empty()) {
    const io::RowOwner data{"the data file", "those of the data", "the data have"};
    PPDNMF_TRY(inputs.known,
               io::read_known_columns(options.known.string(), inputs.table.row_names, inputs.table.rows(), data));
  }
  inputs.digest = digest_of(inputs.table, inputs.persons);
  PPDNMF_TRY_STATUS(inputs.table.unchanged());
  return inputs;
}

Inputs made_inputs(io::Table table, std::vector<std::string> persons) {
  Inputs inputs;
  inputs.file_columns = {table.columns()};
  inputs.digest = digest_of(table, persons);
  inputs.table = std::move(table);
  inputs.persons = std::move(persons);
  return inputs;
}

std::vector<data::SharedColumns> split_columns(const Inputs& inputs, const std::vector<Index>& counts) {
  PPDNMF_CHECK(std::accumulate(counts.begin(), counts.end(), Index{0}) == inputs.table.columns());
  std::vector<data::SharedColumns> parts(counts.size());
  std::size_t first = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i] = inputs.table.view({static_cast<Index>(first), counts[i]});
    const auto count = static_cast<std::size_t>(counts[i]);
    const auto own = [&](const auto& all) {
      return std::span(all).subspan(all.empty() ? 0 : first, all.empty() ? 0 : count);
    };
    parts[i] = data::with_weights(data::of_persons(std::move(parts[i]), own(inputs.persons)), own(inputs.weights));
    first += count;
  }
  return parts;
}

Result<std::vector<Index>> columns_per_agent(const Inputs& inputs, std::uint32_t agents,
                                             const std::vector<Index>& split) {
  const Index columns = inputs.table.columns();
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
