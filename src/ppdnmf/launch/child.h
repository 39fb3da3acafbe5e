// One process that another program runs for us.
#ifndef PPDNMF_LAUNCH_CHILD_H_
#define PPDNMF_LAUNCH_CHILD_H_

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/descriptor.h>

namespace ppdnmf::launch {

// The descriptor on which a child finds its pipe for progress lines.
inline constexpr int kProgressDescriptor = 3;

struct ChildCommand {
  std::string name;                    // for sentences
  std::vector<std::string> arguments;  // the program's path first
};

// Started by exec, never by fork alone: threads and libraries like gRPC do not survive that. It has a process group of
// its own, so that a Ctrl-C at the terminal reaches the parent only; its standard input and output are /dev/null. Not
// safe to share between threads.
class Child {
 public:
  // Fails with kFile if the program cannot be run.
  [[nodiscard]] static Result<Child> start(const ChildCommand& command);

  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  // Killed and waited for, if it is still there.
  ~Child();

  // What is new on its two pipes, without waiting. False: the pipe was closed at the other end.
  bool read_progress(std::string& text);
  bool read_errors(std::string& text);
  [[nodiscard]] int progress_descriptor() const { return progress_.get(); }
  [[nodiscard]] int error_descriptor() const { return errors_.get(); }

  // Its exit code, or 128 + the signal that ended it; nothing while it runs. Asks without waiting.
  [[nodiscard]] std::optional<int> exit_code();
  void send(int signal) const;  // nothing happens if it has ended

 private:
  Child(pid_t pid, io::Descriptor progress, io::Descriptor errors)
      : pid_(pid), progress_(std::move(progress)), errors_(std::move(errors)) {}

  pid_t pid_;  // 0 once it was waited for
  std::optional<int> exit_code_;
  io::Descriptor progress_, errors_;
};

}  // namespace ppdnmf::launch

#endif  // PPDNMF_LAUNCH_CHILD_H_
