// One line of a member's log: what happened and when, chained to the line before it.
//
// A line is 64 hexadecimal digits, a blank, an object of JSON and a line end. The digits are SHA-256 of the digits of
// the line before (zeros before the first) and of the object as it stands there, so whoever changes, leaves out or
// swaps lines has to write every later one anew, and a signature on the digits of the last line covers all of them.
#ifndef PPDNMF_LOGBOOK_ENTRY_H_
#define PPDNMF_LOGBOOK_ENTRY_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::logbook {

// What can happen. Every word stands here once, for writers and readers.
inline constexpr std::string_view kAgreed = "agreed";      // the first line: which file, which member
inline constexpr std::string_view kMember = "member";      // one for each, with its identity
inline constexpr std::string_view kApproved = "approved";  // by the member's steward
inline constexpr std::string_view kBegan = "began";        // a process
inline constexpr std::string_view kMended = "mended";      // the last line was torn, and is gone
inline constexpr std::string_view kRun = "run";            // the roll call is over: the run's digest
inline constexpr std::string_view kDebited = "debited";
inline constexpr std::string_view kSent = "sent";
inline constexpr std::string_view kReceived = "received";
inline constexpr std::string_view kOpened = "opened";  // a total is known here
inline constexpr std::string_view kRefused = "refused";
inline constexpr std::string_view kSkipped = "skipped";  // so many messages of a peer that babbles
inline constexpr std::string_view kEnded = "ended";
inline constexpr std::string_view kSigned = "signed";  // everything before it

using Value = std::variant<std::string, std::int64_t, bool>;

class Entry {
 public:
  explicit Entry(std::string_view what) : what_(what) {}
  // Keys are letters and '_', texts UTF-8; each key once.
  Entry& with(std::string_view key, Value value) {
    fields_.emplace_back(key, std::move(value));
    return *this;
  }

  [[nodiscard]] const std::string& what() const { return what_; }
  [[nodiscard]] const std::vector<std::pair<std::string, Value>>& fields() const { return fields_; }
  // Nothing if there is none of this kind.
  [[nodiscard]] std::optional<std::string> text(std::string_view key) const;
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view key) const;

 private:
  std::string what_;
  std::vector<std::pair<std::string, Value>> fields_;
};

// Where a chain stands.
struct Link {
  std::uint64_t lines = 0;
  Digest digest{};  // the last line's digits
};

// The line, with its end, and the link after it.
[[nodiscard]] std::string write_line(const Entry& entry, std::chrono::sys_seconds now, Link& link);

struct ReadLine {
  Entry entry;
  std::chrono::sys_seconds at;
};
// What write_line wrote after `link`, without the line end; moves the link on. Fails with kInvalidData on everything
// else: one sentence without a place.
[[nodiscard]] Result<ReadLine> read_line(std::string_view line, Link& link);

// No line is longer.
inline constexpr std::size_t kMaxLineBytes = std::size_t{1} << 14U;

}  // namespace ppdnmf::logbook

#endif  // PPDNMF_LOGBOOK_ENTRY_H_
