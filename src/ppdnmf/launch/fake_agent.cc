// A child for the tests of src/launch: does what its arguments say, one after the other.
//
//   line TEXT       writes TEXT and a line end to the progress pipe
//   say TEXT        writes TEXT and a line end to standard error
//   report N        N progress lines of iterations 1 to N
//   port-taken      the line that says so
//   sleep MS        sleeps, also through signals
//   ignore          takes no notice of SIGINT
//   wait            waits for a signal
//   exit CODE       ends
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <ppdnmf/launch/child.h>
#include <ppdnmf/site/progress_line.h>

namespace {

void write_text(int file, const std::string& text) {
  if (::write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::_Exit(99);
}

int number(const std::string& text) { return static_cast<int>(std::strtol(text.c_str(), nullptr, 10)); }

void report(int count) {
  for (int n = 1; n <= count; ++n) {
    ppdnmf::site::ProgressLine line;
    line.phase = ppdnmf::site::AgentPhase::kIterating;
    line.iterations = n;
    line.rounds = 3L * n;
    line.error = line.common = 1.0 / n;
    line.bytes = 100UL * static_cast<unsigned long>(n);
    write_text(ppdnmf::launch::kProgressDescriptor, ppdnmf::site::progress_line(line));
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (word == "line") {
      write_text(ppdnmf::launch::kProgressDescriptor, next() + "\n");
    } else if (word == "say") {
      write_text(STDERR_FILENO, next() + "\n");
    } else if (word == "report") {
      report(number(next()));
    } else if (word == "port-taken") {
      ppdnmf::site::ProgressLine line;
      line.phase = ppdnmf::site::AgentPhase::kPortTaken;
      write_text(ppdnmf::launch::kProgressDescriptor, ppdnmf::site::progress_line(line));
    } else if (word == "sleep") {
      std::this_thread::sleep_for(std::chrono::milliseconds(number(next())));
    } else if (word == "ignore") {
      (void)::signal(SIGINT, SIG_IGN);
    } else if (word == "wait") {
      ::pause();
    } else if (word == "exit") {
      return number(next());
    } else {
      return 98;
    }
  }
  return 0;
}
