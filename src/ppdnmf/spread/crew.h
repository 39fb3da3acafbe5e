// Process 0's way to tell all processes the same, itself included, and to hear what it came to.
#ifndef PPDNMF_SPREAD_CREW_H_
#define PPDNMF_SPREAD_CREW_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/spread/line.h>
#include <ppdnmf/spread/part.h>
#include <ppdnmf/spread/share.h>
#include <ppdnmf/spread/tasks.h>

namespace ppdnmf::spread {

// A task with what belongs to it.
class TaskWriter : public ByteWriter {
 public:
  explicit TaskWriter(Task task) { put(static_cast<std::uint8_t>(task)); }
  // Of these columns or this holder; so many bytes follow.
  TaskWriter(Task task, std::uint64_t number, std::size_t expected = 0) : ByteWriter(expected + 2 * sizeof number) {
    put(static_cast<std::uint8_t>(task));
    put(number);
  }
};

// May be used from several threads at the same time.
class Crew {
 public:
  // The line is one of process 0; both outlive it. `threads`: of every other process, 0: as it likes.
  Crew(Line& line, Executor& executor, const std::string& version, std::size_t threads);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  Crew(Crew&&) = delete;
  Crew& operator=(Crew&&) = delete;
  ~Crew();  // tells the others that it is over

  [[nodiscard]] int processes() const { return line_.processes(); }
  [[nodiscard]] bool one_machine() const { return line_.one_machine(); }
  [[nodiscard]] std::vector<std::uint8_t> at_work() const { return line_.at_work(); }
  // Whether all processes are of one version. Fails with kUsage.
  [[nodiscard]] Status greet();

  // A task that has no answer, for all.
  void tell(Bytes task);
  // What a task comes to in every process, in their order. Fails, saying where, if it failed in one of them.
  [[nodiscard]] Result<std::vector<Bytes>> try_all(Bytes task);
  // The same with a task of its own for each.
  [[nodiscard]] Result<std::vector<Bytes>> try_each(const std::vector<Bytes>& tasks);
  [[nodiscard]] Result<Bytes> try_one(int process, Bytes task);
  // The same of tasks that cannot fail.
  [[nodiscard]] std::vector<Bytes> all(Bytes task);
  [[nodiscard]] std::vector<Bytes> each(const std::vector<Bytes>& tasks);
  [[nodiscard]] Bytes one(int process, Bytes task);
  // What processes that have columns say, in their order.
  [[nodiscard]] std::vector<Bytes> ask(Bytes task, const std::vector<Share>& shares);

  // Process 0's own part of the columns with this number.
  [[nodiscard]] data::SharedColumns own_columns(std::uint64_t number);

  // For new columns and holders.
  [[nodiscard]] std::uint64_t new_number() { return ++last_number_; }

 private:
  [[nodiscard]] Result<std::vector<Bytes>> hear_all(Result<Bytes> own);

  Line& line_;
  Part own_;
  std::string version_;
  std::mutex one_at_a_time_;
  std::atomic<std::uint64_t> last_number_ = 0;  // 0: the columns that were read
};

}  // namespace ppdnmf::spread

#endif  // PPDNMF_SPREAD_CREW_H_
