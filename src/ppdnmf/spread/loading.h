// From files to the columns that several processes have together.
#ifndef PPDNMF_SPREAD_LOADING_H_
#define PPDNMF_SPREAD_LOADING_H_

#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/spread/crew.h>

namespace ppdnmf::spread {

struct Loaded {
  io::Table table;  // its columns are SpreadColumns; row and column names as ColumnJoiner gives them
  std::vector<Index> file_columns;
  std::vector<std::string> notes;
};

// Reads the files, their columns side by side. A name may be a pattern, as "part-*.npy": its files come in the order of
// their numbers. A file may be on the machines of some processes only. Every process reads what it works on, of .npy
// files nothing else; a file of another format is read by one process, which hands out the others' columns.
// Fails as ColumnJoiner does: where the columns of a file do not begin in a process, the sentence says from which
// column on it counts.
[[nodiscard]] Result<Loaded> load(Crew& crew, const std::vector<std::string>& files, bool clip_negative);

}  // namespace ppdnmf::spread

#endif  // PPDNMF_SPREAD_LOADING_H_
