#include <ppdnmf/launch/child.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <utility>

namespace ppdnmf::launch {
namespace {

struct Pipe {
  io::Descriptor reading{-1}, writing{-1};
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return error(ErrorCode::kFile, "no pipe can be made: {}", io::errno_text());
  Pipe out{io::Descriptor(ends[0]), io::Descriptor(ends[1])};
  if (::fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0)
    return error(ErrorCode::kFile, "no pipe can be made: {}", io::errno_text());
  return out;
}

// What happens between fork and exec. Each setting may fail for want of memory only.
class SpawnPlan {
 public:
  SpawnPlan(int progress, int errors) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    // Both pipes' numbers are above 3 where it matters: start() sees to it.
    ::posix_spawn_file_actions_adddup2(&actions_, errors, STDERR_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, progress, kProgressDescriptor);
    sigset_t none;
    sigset_t caught;
    sigemptyset(&none);
    sigemptyset(&caught);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) sigaddset(&caught, signal);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &caught);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  SpawnPlan(SpawnPlan&&) = delete;
  SpawnPlan& operator=(SpawnPlan&&) = delete;
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  // 0, or an error number.
  int run(pid_t& pid, char* const* arguments) const {
    return ::posix_spawn(&pid, arguments[0], &actions_, &attributes_, arguments, environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

// The same open file under a number above the ones that a child uses.
Result<io::Descriptor> moved_up(io::Descriptor file) {
  const int number = ::fcntl(file.get(), F_DUPFD_CLOEXEC, kProgressDescriptor + 1);
  if (number < 0) return error(ErrorCode::kFile, "no pipe can be made: {}", io::errno_text());
  return io::Descriptor(number);
}

bool read_all(int file, std::string& text) {
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t size = ::read(file, buffer.data(), buffer.size());
    if (size > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(size));
    } else if (size == 0) {
      return false;
    } else if (errno != EINTR) {
      return errno == EAGAIN;
    }
  }
}

}  // namespace

Result<Child> Child::start(const ChildCommand& command) {
  PPDNMF_CHECK(!command.arguments.empty());
  PPDNMF_TRY(Pipe progress, make_pipe());
  PPDNMF_TRY(Pipe errors, make_pipe());
  PPDNMF_TRY(const io::Descriptor progress_end, moved_up(std::move(progress.writing)));
  PPDNMF_TRY(const io::Descriptor error_end, moved_up(std::move(errors.writing)));
  std::vector<std::string> texts = command.arguments;
  std::vector<char*> arguments;
  arguments.reserve(texts.size() + 1);
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  pid_t pid = 0;
  const SpawnPlan plan(progress_end.get(), error_end.get());
  if (const int problem = plan.run(pid, arguments.data()); problem != 0) {
    return error(ErrorCode::kFile, "{}: {} cannot be started: {}", command.name, command.arguments[0],
                 io::errno_text(problem));
  }
  return Child(pid, std::move(progress.reading), std::move(errors.reading));
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      exit_code_(other.exit_code_),
      progress_(std::move(other.progress_)),
      errors_(std::move(other.errors_)) {}

Child::~Child() {
  if (pid_ == 0) return;
  send(SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
}

bool Child::read_progress(std::string& text) { return read_all(progress_.get(), text); }

bool Child::read_errors(std::string& text) { return read_all(errors_.get(), text); }

std::optional<int> Child::exit_code() {
  if (pid_ == 0) return exit_code_;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  pid_ = 0;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return exit_code_;
}

void Child::send(int signal) const {
  if (pid_ != 0) (void)::kill(pid_, signal);
}

}  // namespace ppdnmf::launch
