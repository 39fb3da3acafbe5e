#include <ppdnmf/journal/journal.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <utility>

#include <ppdnmf/journal/internal/injection.h>

namespace ppdnmf::journal {
namespace {

constexpr std::array<const char*, 2> kStates = {"state.0", "state.1"};
constexpr const char* kNew = "state.new";
constexpr const char* kLock = "lock";
constexpr unsigned kForOthers = 0077;

// Every step of a save goes through here: false with errno set if the step failed or a test wants it to.
bool step(bool done, JournalPoint point) {
  if (!done) return false;
  if (const int wanted = inject(point); wanted != 0) {
    errno = wanted;
    return false;
  }
  return true;
}

Result<io::Descriptor> open_folder(const std::filesystem::path& folder) {
  const std::string name = folder.string();
  const bool made = ::mkdir(name.c_str(), 0700) == 0;
  io::Descriptor opened(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  struct stat about {};
  if (opened.get() < 0 || ::fstat(opened.get(), &about) != 0)
    return error(ErrorCode::kFile, "{}: cannot be a journal's folder: {}", name, io::errno_text());
  if (about.st_uid != ::geteuid() || (about.st_mode & kForOthers) != 0) {
    return error(ErrorCode::kFile, "{}: will hold secrets, but others may look into it: type chmod 700 {}", name, name);
  }
  if (made) {
    const std::filesystem::path parent = folder.parent_path();
    const io::Descriptor above(::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (above.get() < 0 || !io::sync_folder(above.get()))
      return error(ErrorCode::kFile, "{}: cannot be made durable: {}", name, io::errno_text());
  }
  return opened;
}

Result<io::Descriptor> take_lock(int folder, const std::string& name) {
  io::Descriptor lock(::openat(folder, kLock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (lock.get() < 0) return error(ErrorCode::kFile, "{}: cannot be locked: {}", name, io::errno_text());
  while (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK) {
      return error(ErrorCode::kFile, "{}: another process works in this folder: end that one, or choose another folder",
                   name);
    }
    return error(ErrorCode::kFile, "{}: cannot be locked: {}", name, io::errno_text());
  }
  return lock;
}

bool remove_if_there(int folder, const char* file) { return ::unlinkat(folder, file, 0) == 0 || errno == ENOENT; }

// False with errno set.
bool read_all(int file, std::span<std::uint8_t> out) {
  while (!out.empty()) {
    const ssize_t count = ::read(file, out.data(), out.size());
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = EIO;
    if (count <= 0) return false;
    out = out.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

Result<Journal> Journal::open(const std::filesystem::path& folder, const JournalBinding& binding,
                              std::uint64_t max_bytes) {
  PPDNMF_TRY(io::Descriptor opened, open_folder(folder));
  PPDNMF_TRY(io::Descriptor lock, take_lock(opened.get(), folder.string()));
  Journal journal(folder.string(), std::move(opened), std::move(lock), binding, max_bytes);
  if (!remove_if_there(journal.folder_.get(), kNew)) return journal.failure("cannot be cleaned");
  PPDNMF_TRY_STATUS(journal.load());
  return journal;
}

Status Journal::load() {
  bool damaged = false;
  for (unsigned generation = 0; generation < kStates.size(); ++generation) {
    PPDNMF_TRY(std::optional<SavedState> state, load_one(generation, damaged));
    if (state && (!saved_ || state->number > saved_->number)) saved_ = std::move(state);
  }
  if (!saved_ && damaged) {
    return error(ErrorCode::kFile,
                 "{}: no saved state in it is whole: the run cannot continue; start a new one in another folder",
                 name_);
  }
  if (saved_) {
    saved_->other_damaged = damaged;
    number_ = saved_->number;
  }
  return {};
}

Result<std::optional<SavedState>> Journal::load_one(unsigned generation, bool& damaged) const {
  const char* name = kStates.at(generation);
  const io::Descriptor file(::openat(folder_.get(), name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (file.get() < 0 && errno == ENOENT) return std::optional<SavedState>();
  struct stat about {};
  if (file.get() < 0 || ::fstat(file.get(), &about) != 0) return failure("cannot be read");
  if (!S_ISREG(about.st_mode) || static_cast<std::uint64_t>(about.st_size) > max_bytes_ + kMaxRecordOverhead)
    return error(ErrorCode::kFile, "{}/{}: is longer than any state of this run, or no file: it is not ours", name_,
                 name);
  crypto::SecretBytes bytes(static_cast<std::size_t>(about.st_size));
  if (!read_all(file.get(), bytes.span())) return failure("cannot be read");
  auto record = read_record(bytes.span(), binding_);
  if (!record) return at(name_, std::move(record).error());
  if (!*record || (*record)->number == 0 || (*record)->number % kStates.size() != generation) {
    damaged = true;
    return std::optional<SavedState>();
  }
  const ByteSpan content = (*record)->content;
  SavedState state;
  state.number = (*record)->number;
  state.content = crypto::SecretBytes(content.size());
  std::copy(content.begin(), content.end(), state.content.data());
  return std::optional(std::move(state));
}

bool Journal::write_new(std::uint64_t number, ByteSpan content) const {
  const RecordParts around = record_around(number, binding_, content);
  if (!remove_if_there(folder_.get(), kNew)) return false;
  io::Descriptor file(::openat(folder_.get(), kNew, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  return step(file.get() >= 0, JournalPoint::kOpened) &&
         step(io::write_all(file.get(), around.before), JournalPoint::kHalfWritten) &&
         io::write_all(file.get(), content) && step(io::write_all(file.get(), around.after), JournalPoint::kWritten) &&
         step(::fsync(file.get()) == 0, JournalPoint::kSynced) && file.close();
}

Status Journal::save(ByteSpan content) {
  if (content.size() > max_bytes_)
    return error(ErrorCode::kInternal, "a state of {} bytes is longer than the journal's {}", content.size(),
                 max_bytes_);
  const std::uint64_t next = number_ + 1;
  const char* name = kStates.at(next % kStates.size());
  if (!write_new(next, content)) {
    auto outcome = failure("cannot be written");
    (void)remove_if_there(folder_.get(), kNew);  // a full disk needs the room
    return outcome;
  }
  if (!step(::renameat(folder_.get(), kNew, folder_.get(), name) == 0, JournalPoint::kRenamed) ||
      !step(io::sync_folder(folder_.get()), JournalPoint::kFolderSynced)) {
    return failure("cannot be written");
  }
  number_ = next;
  return {};
}

Status Journal::save_alone(ByteSpan content) {
  PPDNMF_TRY_STATUS(save(content));
  if (!remove_if_there(folder_.get(), kStates.at((number_ + 1) % kStates.size())) || !io::sync_folder(folder_.get()))
    return failure("cannot be cleaned");
  return {};
}

tl::unexpected<Error> Journal::failure(const char* what) const {
  return error(ErrorCode::kFile, "{}: {}: {}", name_, what, io::errno_text());
}

}  // namespace ppdnmf::journal
