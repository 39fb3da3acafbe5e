// A member's log on its disk: lines are added, none is changed (logbook/entry.h).
//
// The file has mode 0600. It holds sizes, digests and signatures, and nothing secret: it may be shown to the other
// members and to whoever judges between them.
#ifndef PPDNMF_LOGBOOK_LOGBOOK_H_
#define PPDNMF_LOGBOOK_LOGBOOK_H_

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <ppdnmf/identity/private_identity.h>
#include <ppdnmf/io/descriptor.h>
#include <ppdnmf/logbook/entry.h>

namespace ppdnmf::logbook {

inline constexpr const char* kFileName = "run.log";
inline constexpr std::uint64_t kMaxLogBytes = std::uint64_t{1} << 34U;

// What a log is about; its first lines.
struct Subject {
  std::string version;  // of the program
  Digest consortium{};
  const identity::PublicIdentity* self = nullptr;
  std::vector<const identity::PublicIdentity*> members;  // all, in the file's order
};

class Logbook {
 public:
  // Begins a log, or goes on with the one that is there, whatever ended the process before: a torn last line is
  // removed, and a line says so. A log of another consortium or member is moved aside to a name of its own. The folder
  // is this process's alone (journal/journal.h). Fails with kFile: also if a line in the middle was changed, since
  // nothing that follows it would prove anything.
  [[nodiscard]] static Result<Logbook> open(const std::filesystem::path& folder, const Subject& subject,
                                            std::chrono::sys_seconds now);

  // All of them or none, by one write: a killed process leaves whole lines. Fails with kFile; then the file is as it
  // was, and the same call may be repeated.
  [[nodiscard]] Status append(std::span<const Entry> entries, std::chrono::sys_seconds now);
  // A line with the identity's signature on everything before it; durable when it returns. Fails as append does.
  [[nodiscard]] Status sign(const identity::PrivateIdentity& identity, std::chrono::sys_seconds now);

  // What open() did to the file, in sentences for the operator.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  Logbook(std::string name, io::Descriptor file) : name_(std::move(name)), file_(std::move(file)) {}
  [[nodiscard]] Status write(const std::string& lines, const Link& after);

  std::string name_;
  io::Descriptor file_;
  std::uint64_t bytes_ = 0;
  Link link_;
  std::vector<std::string> notes_;
};

// The text that a "signed" line's signature is on.
[[nodiscard]] Bytes signed_text(const Link& before);

}  // namespace ppdnmf::logbook

#endif  // PPDNMF_LOGBOOK_LOGBOOK_H_
