// The line between the processes of one site over MPI (spread/line.h), and what a process asks MPI besides. The only
// room that sees MPI's headers.
#ifndef PPDNMF_MPI_MPI_LINE_H_
#define PPDNMF_MPI_MPI_LINE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/host/common_memory.h>
#include <ppdnmf/spread/line.h>

namespace ppdnmf::mpi {

// MPI in this process, from its beginning to its end. Once in a process, and before it has threads.
//
// For tests of many machines on one: PPDNMF_MPI_ONE_MACHINE=0 in the environment says that every process is on another
// one, and PPDNMF_MPI_PROCESSORS that a machine has so many processors.
class Session {
 public:
  // Fails with kInternal if MPI cannot be started. It sets one variable of the environment: large messages between
  // processes of one machine go through shared memory, not through the other's memory, which an agent does not open.
  [[nodiscard]] static Result<Session> start(int& argc, char**& argv);
  Session(Session&& other) noexcept;
  Session& operator=(Session&&) = delete;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  [[nodiscard]] int process() const { return process_; }
  [[nodiscard]] int processes() const { return processes_; }
  // How many threads a process takes if nobody says: the processors of its machine that it may use, shared with the
  // other processes there.
  [[nodiscard]] std::size_t usual_threads() const { return usual_threads_; }
  // How many threads have work to do while all others on this machine wait, which have so many threads each: theirs as
  // well, but not more than there are processors.
  [[nodiscard]] std::size_t threads_beside(std::size_t of_each) const;
  // Threads that are started by `start` may use the processors of all processes on this machine, though MPI may have
  // bound this process to some of them.
  void on_all_processors(const std::function<void()>& start) const;
  // Whether all processes are on one machine.
  [[nodiscard]] bool one_machine() const { return bells_.has_value(); }
  // Which processes work on columns: on every machine as many as it gives processors to the run. Others would only take
  // turns with them, and keep sums of their own.
  [[nodiscard]] const std::vector<std::uint8_t>& at_work() const { return at_work_; }
  // Ends all processes of the run at once; `code` is what the whole run ends with.
  [[noreturn]] static void abort(int code);

 private:
  friend class MpiLine;
  Session() = default;
  void look_at_machine();
  void share_work();
  void hang_bells();
  int process_ = 0, processes_ = 1;
  int neighbours_ = 1;  // processes on this machine, this one included
  int place_ = 0;       // among these
  std::size_t usual_threads_ = 1;
  std::vector<int> processors_;  // of all of them
  std::vector<std::uint8_t> at_work_;
  std::optional<host::CommonMemory> bells_;  // one for every process, if all are on one machine
  bool open_ = true;
};

// How a line that breaks ends the process.
struct LineEnd {
  // Called with one sentence; does not return.
  std::function<void(const std::string& sentence)> lost;
  // Asked while somebody is waited for: whether this process was told to stop. May be empty.
  std::function<bool()> told_to_stop;
  // Called once, with one sentence, when somebody is still awaited half a second after that: whoever is lost never
  // answers, and then this process is about to be killed, too. Whoever works answers, as a checkpoint needs; after ten
  // minutes it is given up. May be empty if told_to_stop is.
  std::function<void(const std::string& sentence)> warn;
};

// Whoever waits sleeps: processes that wait for a network, or for each other on too few processors, leave these to
// whoever works. Processes of one machine wake each other; where there are several, sleep is short, up to a
// millisecond.
class MpiLine final : public spread::Line {
 public:
  // The session outlives it.
  MpiLine(const Session& session, LineEnd end);
  MpiLine(const MpiLine&) = delete;
  MpiLine& operator=(const MpiLine&) = delete;
  MpiLine(MpiLine&&) = delete;
  MpiLine& operator=(MpiLine&&) = delete;
  ~MpiLine() override;

  [[nodiscard]] int processes() const override { return processes_; }
  [[nodiscard]] bool one_machine() const override { return session_.one_machine(); }
  [[nodiscard]] std::vector<std::uint8_t> at_work() const override { return session_.at_work(); }
  void tell_all(ByteSpan task) override;
  void tell(int process, ByteSpan task) override;
  [[nodiscard]] Bytes hear(int process) override;
  [[nodiscard]] Bytes next_task() override;
  void answer(ByteSpan answer) override;

 private:
  struct Wait;  // MPI's types stay in the source
  void announce(int process, ByteSpan bytes, bool to_all);
  void wait_until_ready(int process);
  void say_ready(int process);
  void send(int process, ByteSpan bytes);
  void wake(int process) const;
  void along_the_tree(std::uint8_t* bytes, std::size_t size);
  [[nodiscard]] Bytes receive(int process);
  void check(int status);

  const Session& session_;
  int processes_;
  LineEnd end_;
  bool warned_ = false;
};

}  // namespace ppdnmf::mpi

#endif  // PPDNMF_MPI_MPI_LINE_H_
