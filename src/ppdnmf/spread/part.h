// What one process of a site has of a matrix that several processes share, and what it does with it when process 0
// says so. Process 0 has a part like all others.
#ifndef PPDNMF_SPREAD_PART_H_
#define PPDNMF_SPREAD_PART_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/part_holder.h>
#include <ppdnmf/spread/board.h>
#include <ppdnmf/spread/line.h>
#include <ppdnmf/spread/share.h>
#include <ppdnmf/spread/sources.h>
#include <ppdnmf/spread/tasks.h>

namespace ppdnmf::spread {

class Part {
 public:
  // The executor outlives it. `version`: of the program, which must be the same everywhere.
  // `at_work`: as Line::at_work().
  Part(int process, std::vector<std::uint8_t> at_work, Executor& executor, std::string version);

  // Does one task, which process 0 made of this process's own numbers. Fails, with one sentence, where files are bad.
  [[nodiscard]] Result<Bytes> carry_out(ByteSpan task);

  // Those with this number, which are there (checked).
  [[nodiscard]] const data::SharedColumns& columns(std::uint64_t number) const { return columns_.at(number); }

 private:
  [[nodiscard]] Result<Bytes> of_files(Task task, ByteReader& in);
  void of_columns(Task task, ByteReader& in, ByteWriter& out);
  void of_rows(ByteReader& in, ByteWriter& out);
  void of_holders(Task task, ByteReader& in, ByteWriter& out);
  void make_holder(ByteReader& in);
  void change_columns(Task task, ByteReader& in);
  [[nodiscard]] const data::SharedColumns& columns(ByteReader& in);

  struct Held {
    std::unique_ptr<nmf::PartHolder> holder;
    std::optional<Board> board;
    std::size_t first_branch = 0;
    Matrix X;  // the memory of the last one
  };
  void take_board(ByteReader& in, ByteWriter& out, Held& held);
  void answer_there(ByteReader& in, ByteWriter& out, Held& held);

  int process_;
  std::vector<std::uint8_t> at_work_;
  Executor& executor_;
  std::string version_;
  Sources sources_;
  Share share_;
  std::size_t usual_size_ = 0;  // of long answers: they need not grow
  std::map<std::uint64_t, data::SharedColumns> columns_;
  std::map<std::uint64_t, Held> holders_;
};

// The life of every process but the first: tasks, until kEnd. `set_threads` is called, before work begins, with what
// kThreads says, and gives the executor, which outlives the call.
void serve(Line& line, int process, const std::string& version,
           const std::function<Executor&(std::size_t threads)>& set_threads);

// How a carried out task travels back.
[[nodiscard]] Bytes encode_outcome(Result<Bytes> outcome);
[[nodiscard]] Result<Bytes> decode_outcome(Bytes bytes);

}  // namespace ppdnmf::spread

#endif  // PPDNMF_SPREAD_PART_H_
