// From files to the columns of each agent.
#ifndef PPDNMF_RUN_INPUTS_H_
#define PPDNMF_RUN_INPUTS_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/io/join.h>
#include <ppdnmf/io/on_disk.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/nmf/loss_options.h>
#include <ppdnmf/protocol/settings.h>

namespace ppdnmf::run {

// Where the data are, and what is done with them on the way in.
struct DataOptions {
  std::vector<std::string> files;
  bool clip_negative = false;
  std::string image;                // "HxW", or empty
  std::filesystem::path persons{};  // whose each column is (io/persons.h); empty: nobody says
  std::filesystem::path known{};    // columns of X that stay (io/known_columns.h); empty: none
  // Which files stay on disk; only for runs that can do without a copy of their data.
  io::OnDisk on_disk = io::OnDisk::kNever;
  std::filesystem::path row_names{};  // names of the rows, for files without any (io/row_names.h); empty: none
};

struct Inputs {
  io::Table table;                  // all columns, side by side, nonnegative, NaN where an entry is missing
  std::vector<Index> file_columns;  // of each file
  std::vector<std::string> notes;
  std::vector<std::string> persons;                // of each column; empty: nobody says
  std::vector<double> weights;                     // of each column (data/weights.h); empty: all count once
  std::shared_ptr<const nmf::KnownColumns> known;  // of X; null: none
  Digest digest{};                                 // of the values and the persons
};

// Reads, checks and joins the files, or leaves them on disk (join_on_disk, as which it fails then). Fails as
// ColumnJoiner, which is told whether NaN and empty cells are missing entries, read_known_columns and read_row_names
// do, and with kUsage if names are given for another number of rows, or for rows that have others.
[[nodiscard]] Result<Inputs> load_inputs(const DataOptions& options,
                                         protocol::MissingKind missing = protocol::MissingKind::kRefuse);
// The same for files that were joined.
[[nodiscard]] Result<Inputs> joined_inputs(io::JoinedTable joined, const DataOptions& options);
// The same checks and digest for data that were made, not read.
[[nodiscard]] Inputs made_inputs(io::Table table, std::vector<std::string> persons = {});

// Each agent's columns, with their weights and the persons that they belong to: an agent knows of its own columns
// alone, so a person at two agents counts twice. The inputs outlive them; `counts` add up (checked).
[[nodiscard]] std::vector<data::SharedColumns> split_columns(const Inputs& inputs, const std::vector<Index>& counts);

// How many columns each agent gets: `split` if it is given (it must add up), else each file's, else an even share of
// one file's. Fails with kUsage or kInvalidData (more agents than columns).
[[nodiscard]] Result<std::vector<Index>> columns_per_agent(const Inputs& inputs, std::uint32_t agents,
                                                           const std::vector<Index>& split);

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_INPUTS_H_
