#include <ppdnmf/journal/record.h>

#include <ppdnmf/journal/test_journal.h>

namespace ppdnmf::journal {
namespace {

Bytes record(std::string_view content, std::string_view label_end = "") {
  RecordParts parts = record_around(5, test_binding(), bytes_of(content));
  Bytes out = parts.before;
  if (!label_end.empty()) out[8 + 15] = static_cast<std::uint8_t>(label_end[0]);
  const Bytes text = bytes_of(content);
  out.insert(out.end(), text.begin(), text.end());
  const Digest digest = sha256(out);
  out.insert(out.end(), digest.begin(), digest.end());
  return out;
}

TEST(Record, ComesBack) {
  const Bytes bytes = record("content");
  const auto read = read_record(bytes, test_binding());
  ASSERT_TRUE(read && *read);
  EXPECT_EQ((*read)->number, 5U);
  EXPECT_EQ(std::string((*read)->content.begin(), (*read)->content.end()), "content");
  EXPECT_LE(bytes.size(), 7 + kMaxRecordOverhead);
}

TEST(Record, OfAnotherVersionIsRefusedAndNotTakenForDamage) {
  const auto read = read_record(record("content", "2"), test_binding());
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, ::testing::HasSubstr("another version"));
}

TEST(Record, AHeaderCutOffUnderARightDigestIsDamage) {
  const Bytes header = record_around(5, test_binding(), {}).before;
  for (std::size_t size = 24; size < header.size(); ++size) {
    Bytes bytes(header.begin(), header.begin() + static_cast<std::ptrdiff_t>(size));
    const Digest digest = sha256(bytes);
    bytes.insert(bytes.end(), digest.begin(), digest.end());
    const auto read = read_record(bytes, test_binding());
    ASSERT_TRUE(read) << size;
    EXPECT_FALSE(*read) << size;
  }
}

TEST(Record, NothingAtAllIsDamage) {
  const auto read = read_record({}, test_binding());
  ASSERT_TRUE(read);
  EXPECT_FALSE(*read);
}

}  // namespace
}  // namespace ppdnmf::journal
