// One generation of a journal as bytes: label, number, binding, content with its length, and SHA-256 of all of these.
#ifndef PPDNMF_JOURNAL_RECORD_H_
#define PPDNMF_JOURNAL_RECORD_H_

#include <cstdint>
#include <optional>
#include <string>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::journal {

// What the saved states of a journal belong to. With any of these another, they must not be used: the same masks would
// hide other numbers.
struct JournalBinding {
  Digest data{};
  Digest consortium{};
  Digest identity{};
  std::string numerics;  // version of the numerics, at most 64 bytes
  friend bool operator==(const JournalBinding&, const JournalBinding&) = default;
};

struct RecordParts {
  Bytes before;  // the content
  Digest after{};
};
// What stands around the content in a file.
[[nodiscard]] RecordParts record_around(std::uint64_t number, const JournalBinding& binding, ByteSpan content);
// No record is longer than its content by more than this.
inline constexpr std::size_t kMaxRecordOverhead = 512;

struct Record {
  std::uint64_t number = 0;
  ByteSpan content;  // inside the bytes that were read
};
// Nothing if the bytes are torn or damaged. Fails with kUsage if they are whole and belong to anything other than
// `binding`: the sentence says to what.
[[nodiscard]] Result<std::optional<Record>> read_record(ByteSpan bytes, const JournalBinding& binding);

}  // namespace ppdnmf::journal

#endif  // PPDNMF_JOURNAL_RECORD_H_
