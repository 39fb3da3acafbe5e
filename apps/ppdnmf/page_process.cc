#include "apps/ppdnmf/page_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <ppdnmf/identity/entropy.h>
#include <ppdnmf/page/server.h>

namespace ppdnmf::app {
namespace {

constexpr std::size_t kTokenBytes = 24;
constexpr std::chrono::milliseconds kPatience{3000}, kTurn{10};

// Nobody guesses it; it is shown to the operator, in an address.
std::string fresh_token() {
  const crypto::SecretBytes bytes = identity::draw_entropy(kTokenBytes);
  std::string out;
  for (const std::uint8_t byte : bytes.span()) out += fmt::format("{:02x}", byte);
  return out;
}

// This program again, with the feed as its standard input and nothing else of ours: every descriptor of a run is closed
// by exec.
int spawn(int feed, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, feed, STDIN_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawnattr_setpgroup(&attributes, 0);  // a Ctrl-C at the terminal is for the run
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::string program = "/proc/self/exe", command = "page";
  const std::array<char*, 3> arguments = {program.data(), command.data(), nullptr};
  const int problem = ::posix_spawn(&pid, program.c_str(), &actions, &attributes, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  return problem;
}

}  // namespace

Result<std::unique_ptr<PageProcess>> PageProcess::start(std::uint16_t port) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return error(ErrorCode::kFile, "no pipe can be made: {}", io::errno_text());
  const io::Descriptor reading(ends[0]);
  io::Descriptor writing(ends[1]);
  if (::fcntl(writing.get(), F_SETFL, O_NONBLOCK) != 0)
    return error(ErrorCode::kFile, "no pipe can be made: {}", io::errno_text());
  pid_t pid = 0;
  if (const int problem = spawn(reading.get(), pid); problem != 0)
    return error(ErrorCode::kFile, "the page cannot be started: {}", io::errno_text(problem));
  std::unique_ptr<PageProcess> out(new PageProcess(pid, std::move(writing)));
  out->tell(page::opening_line(fresh_token(), port));
  return out;
}

PageProcess::~PageProcess() {
  (void)feed_.close();
  int status = 0;
  const auto until = std::chrono::steady_clock::now() + kPatience;
  for (; std::chrono::steady_clock::now() < until; std::this_thread::sleep_for(kTurn)) {
    if (::waitpid(pid_, &status, WNOHANG) == pid_) return;
  }
  (void)::kill(pid_, SIGTERM);
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
}

void PageProcess::tell(std::string_view line) {
  // Lines stay whole: one that was begun is ended before another begins.
  const auto write = [this](std::string_view text) {
    const ssize_t size = ::write(feed_.get(), text.data(), text.size());
    return size > 0 ? static_cast<std::size_t>(size) : 0U;
  };
  if (!rest_.empty()) rest_.erase(0, write(rest_));
  if (!rest_.empty()) return;
  rest_ = line.substr(write(line));
  if (rest_.size() == line.size()) rest_.clear();
}

}  // namespace ppdnmf::app
