#include "apps/ppdnmf/passphrase.h"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include <ppdnmf/io/descriptor.h>
#include <ppdnmf/site/agent_run.h>

namespace ppdnmf::app {
namespace {

constexpr std::size_t kMaxPassphraseBytes = 1024;
constexpr std::uint8_t kCtrlC = 3;

// A terminal that shows nothing until this goes. Ctrl-C becomes a letter: it must not end the process with the terminal
// left blind.
class Blind {
 public:
  explicit Blind(int terminal) : terminal_(terminal), changed_(::tcgetattr(terminal, &before_) == 0) {
    termios now = before_;
    now.c_lflag &= ~static_cast<tcflag_t>(ECHO | ISIG);
    changed_ = changed_ && ::tcsetattr(terminal, TCSAFLUSH, &now) == 0;
  }
  Blind(const Blind&) = delete;
  Blind& operator=(const Blind&) = delete;
  Blind(Blind&&) = delete;
  Blind& operator=(Blind&&) = delete;
  ~Blind() {
    if (changed_) (void)::tcsetattr(terminal_, TCSAFLUSH, &before_);
  }
  [[nodiscard]] bool works() const { return changed_; }

 private:
  int terminal_;
  termios before_{};
  bool changed_;
};

// Byte by byte, so that nothing behind the line's end is taken from whoever reads next.
Result<identity::Passphrase> read_line(int descriptor) {
  crypto::SecretBytes line(kMaxPassphraseBytes);
  std::size_t size = 0;
  while (true) {
    std::uint8_t byte = 0;
    const ssize_t count = ::read(descriptor, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return error(ErrorCode::kUsage, "the passphrase cannot be read: {}", io::errno_text());
    if (count == 0 || byte == '\n') break;
    if (size == kMaxPassphraseBytes)
      return error(ErrorCode::kUsage, "the passphrase is longer than {} bytes", kMaxPassphraseBytes);
    line.data()[size++] = byte;
  }
  if (size == 0) return error(ErrorCode::kUsage, "the passphrase is empty");
  identity::Passphrase out{crypto::SecretBytes(size)};
  std::copy_n(line.data(), size, out.bytes.data());
  return out;
}

Result<identity::Passphrase> ask_once(int terminal, const std::string& question) {
  const Blind blind(terminal);
  if (!blind.works()) return error(ErrorCode::kUsage, "this terminal would show the passphrase: use --passphrase-fd N");
  (void)!::write(terminal, question.data(), question.size());
  auto line = read_line(terminal);
  (void)!::write(terminal, "\n", 1);
  if (line && std::ranges::count(line->bytes.span(), kCtrlC) > 0) return error(ErrorCode::kInterrupted, "interrupted");
  return line;
}

}  // namespace

Result<identity::Passphrase> ask_passphrase(const std::string& question, bool repeat) {
  const io::Descriptor terminal(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (terminal.get() < 0)
    return error(ErrorCode::kUsage, "there is no terminal on which to ask for the passphrase: use --passphrase-fd N");
  PPDNMF_TRY(identity::Passphrase first, ask_once(terminal.get(), question + ": "));
  if (!repeat) return first;
  PPDNMF_TRY(const identity::Passphrase second, ask_once(terminal.get(), question + ", once more: "));
  if (!std::ranges::equal(first.bytes.span(), second.bytes.span()))
    return error(ErrorCode::kUsage, "the two passphrases differ");
  return first;
}

Result<identity::Passphrase> read_passphrase(int descriptor) { return read_line(descriptor); }

Result<identity::Passphrase> passphrase_for(const std::filesystem::path& file, std::optional<int> descriptor) {
  return descriptor ? read_passphrase(*descriptor) : ask_passphrase("The passphrase of " + file.string(), false);
}

Result<identity::KeyRing> open_keys(const std::filesystem::path& file, std::optional<int> descriptor) {
  return site::open_keys(file, [&] { return passphrase_for(file, descriptor); });
}

}  // namespace ppdnmf::app
