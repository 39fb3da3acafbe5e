// The way between the processes of one site that share one matrix. Process 0 leads: it tells the others what to do, and
// hears what that came to.
//
// Nothing here fails: a line that breaks ends the process in the way that whoever made it decided (mpi/mpi_line.h),
// since what has been begun in several processes cannot be gone on with in one.
#ifndef PPDNMF_SPREAD_LINE_H_
#define PPDNMF_SPREAD_LINE_H_

#include <cstdint>
#include <vector>

#include <ppdnmf/base/bytes.h>

namespace ppdnmf::spread {

class Line {
 public:
  Line() = default;
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  Line(Line&&) = delete;
  Line& operator=(Line&&) = delete;
  virtual ~Line() = default;

  [[nodiscard]] virtual int processes() const = 0;
  // Whether all of them are on one machine, so that they can have memory in common (host/common_memory.h).
  [[nodiscard]] virtual bool one_machine() const = 0;
  // In process 0: which processes work on columns, a flag for each; the first one does.
  [[nodiscard]] virtual std::vector<std::uint8_t> at_work() const = 0;

  // In process 0, from one thread at a time. Answers come in the order of the tasks.
  virtual void tell_all(ByteSpan task) = 0;
  virtual void tell(int process, ByteSpan task) = 0;
  [[nodiscard]] virtual Bytes hear(int process) = 0;

  // In the others.
  [[nodiscard]] virtual Bytes next_task() = 0;
  virtual void answer(ByteSpan answer) = 0;
};

}  // namespace ppdnmf::spread

#endif  // PPDNMF_SPREAD_LINE_H_
