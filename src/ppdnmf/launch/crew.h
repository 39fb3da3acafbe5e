// Several children that work together: what they report, how they end, and ending them all. Not safe to share between
// threads.
#ifndef PPDNMF_LAUNCH_CREW_H_
#define PPDNMF_LAUNCH_CREW_H_

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/launch/child.h>
#include <ppdnmf/site/progress_line.h>

namespace ppdnmf::launch {

class Crew {
 public:
  // All or none. Fails as Child::start does.
  [[nodiscard]] static Result<Crew> start(const std::vector<ChildCommand>& commands);

  struct News {
    std::size_t child = 0;
    site::ProgressLine line;
  };
  // The lines that came, waiting at most `patience` for the first or for a child's end; a signal may cut it short.
  // Fails with kInternal if a child writes what is no progress line.
  [[nodiscard]] Result<std::vector<News>> wait(std::chrono::milliseconds patience);

  // Of those that have ended and were seen to by wait() or end().
  [[nodiscard]] std::optional<int> exit_code(std::size_t child) const { return members_[child].exit_code; }
  [[nodiscard]] bool all_ended() const;
  // The last line that a child wrote to its standard error, printable; without "ppdnmf: ".
  [[nodiscard]] std::string last_words(std::size_t child) const;
  [[nodiscard]] const std::string& name(std::size_t child) const { return members_[child].name; }
  [[nodiscard]] std::size_t size() const { return members_.size(); }

  // Asks all that still run to end (SIGINT), and kills them after `grace`. All have ended when it returns.
  void end(std::chrono::milliseconds grace);

 private:
  struct Member {
    std::string name;
    Child child;
    std::string unread, errors;
    bool progress_open = true;
    bool errors_open = true;
    std::optional<int> exit_code;
  };
  Crew() = default;
  void poll_for(std::chrono::milliseconds patience);
  [[nodiscard]] Status take_lines(std::size_t child, std::vector<News>& news);
  static void read(Member& member);

  std::vector<Member> members_;
};

// One sentence about a crew of which somebody has failed: the first that has, but rather one that failed by itself than
// one that another told to end; the error's code follows from the exit code. Checked: somebody has failed.
[[nodiscard]] Error failure_of(const Crew& crew);

}  // namespace ppdnmf::launch

#endif  // PPDNMF_LAUNCH_CREW_H_
