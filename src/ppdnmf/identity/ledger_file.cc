#include <ppdnmf/identity/ledger_file.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/privacy/ledger.h>

namespace ppdnmf::identity {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 24;

// Held as long as it lives. A file of its own, since the ledger's is replaced while the lock is held.
class Lock {
 public:
  explicit Lock(const std::filesystem::path& path)
      : file_(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, io::kModeSecret)) {
    if (file_ < 0) return;
    int locked = 0;
    do {
      locked = ::flock(file_, LOCK_EX);
    } while (locked != 0 && errno == EINTR);
    held_ = locked == 0;
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  Lock(Lock&&) = delete;
  Lock& operator=(Lock&&) = delete;
  ~Lock() {
    if (file_ >= 0) ::close(file_);
  }
  [[nodiscard]] bool held() const { return held_; }

 private:
  int file_;
  bool held_ = false;
};

// The ledger as it would be afterwards.
Result<privacy::Ledger> debited(const std::filesystem::path& path, const std::string& name, const std::string& run, double rho) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return error(
        ErrorCode::kFile,
        "{}: is not there: make it, with a line 'data {} epsilon E delta D' that says what all runs over these "
        "data together may spend",
        path.string(), name);
  }
  PPDNMF_TRY(const Bytes bytes, io::read_file(path, kMaxBytes));
  auto ledger = privacy::Ledger::parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!ledger) return at(path.string(), std::move(ledger).error());
  if (auto taken = ledger->debit(name, run, rho); !taken) return at(path.string(), std::move(taken).error());
  return ledger;
}

}  // namespace

Status debit_ledger(const std::filesystem::path& path, const std::string& name, const std::string& run, double rho) {
  std::filesystem::path lock_path = path;
  lock_path += ".lock";
  const Lock lock(lock_path);
  if (!lock.held())
    return error(ErrorCode::kFile, "{}: cannot be locked: {}", lock_path.string(), std::strerror(errno));
  PPDNMF_TRY(const privacy::Ledger ledger, debited(path, name, run, rho));
  return io::write_file(path, ledger.text(), io::kModeSecret);
}

Status check_ledger(const std::filesystem::path& path, const std::string& name, const std::string& run, double rho) {
  return debited(path, name, run, rho).map([](const privacy::Ledger&) {});
}

}  // namespace ppdnmf::identity
