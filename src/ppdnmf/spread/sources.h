// The files of a matrix as one process sees them: which there are, what is in them, and its pieces of them.
#ifndef PPDNMF_SPREAD_SOURCES_H_
#define PPDNMF_SPREAD_SOURCES_H_

#include <map>
#include <string>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/io/join.h>
#include <ppdnmf/io/npy.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/spread/tasks.h>

namespace ppdnmf::spread {

// Some columns of a file, and which piece of the whole matrix they are, from left to right.
struct Piece {
  std::uint64_t place = 0;
  std::string file;
  data::Range columns;
  Index of_file = 0;  // columns that the file has, and its rows: a machine may have another file of this name
  Index rows = 0;
};
void put(ByteWriter& out, const Piece& piece);
[[nodiscard]] Piece get_piece(ByteReader& in);

// Files of this name; of a pattern, as "data/part-*.npy", those that fit.
[[nodiscard]] std::vector<std::string> find_files(const std::string& name);
// Whether `a` comes before `b`: numbers in names count as numbers, so that part-9 comes before part-10.
[[nodiscard]] bool comes_before(const std::string& a, const std::string& b);

class Sources {
 public:
  // kFind to kGive, as tasks.h says. Fails with kFile, the file in front.
  [[nodiscard]] Status carry_out(Task task, ByteReader& in, ByteWriter& out);
  // All pieces that were taken or given, in the order of their places; files are closed. Fails as ColumnJoiner does.
  // Without pieces the table is empty.
  [[nodiscard]] Result<io::JoinedTable> join(bool clip_negative);

 private:
  struct Taken {
    std::string name;
    io::Table table;
  };
  [[nodiscard]] Status open(const std::string& file, ByteWriter& out);
  [[nodiscard]] Result<io::Table> read(const Piece& piece);

  std::map<std::string, io::Table> open_;  // files that can only be read as a whole
  std::map<std::uint64_t, Taken> taken_;   // by place
};

}  // namespace ppdnmf::spread

#endif  // PPDNMF_SPREAD_SOURCES_H_
