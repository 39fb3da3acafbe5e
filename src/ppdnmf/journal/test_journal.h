// Helpers for this folder's tests.
#ifndef PPDNMF_JOURNAL_TEST_JOURNAL_H_
#define PPDNMF_JOURNAL_TEST_JOURNAL_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include <ppdnmf/journal/journal.h>

namespace ppdnmf::journal {

inline constexpr std::uint64_t kTestBytes = 1 << 20;

inline JournalBinding test_binding() { return {Digest{1}, Digest{2}, Digest{3}, "numerics 1"}; }
inline Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }
inline std::string text_of(const SavedState& state) {
  return {state.content.span().begin(), state.content.span().end()};
}
inline Bytes file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}
inline void overwrite(const std::filesystem::path& path, ByteSpan bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// A folder of its own for each test, gone afterwards; the journal is in a folder below.
class JournalTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "ppdnmf_journal_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    above_ = pattern;
    folder_ = above_ / "journal";
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(above_, ignored);
  }
  [[nodiscard]] Result<Journal> open(const JournalBinding& binding = test_binding()) const {
    return Journal::open(folder_, binding, kTestBytes);
  }
  // Saves each text in turn and lets the folder go.
  void save_all(std::initializer_list<std::string_view> texts) const {
    auto journal = open();
    ASSERT_TRUE(journal) << journal.error().message;
    for (const auto text : texts) ASSERT_TRUE(journal->save(bytes_of(text)));
  }
  // "number: content" of what is found, or the sentence of the refusal.
  [[nodiscard]] std::string found(const JournalBinding& binding = test_binding()) const {
    auto journal = open(binding);
    if (!journal) return journal.error().message;
    const auto saved = journal->take_saved();
    return saved ? std::to_string(saved->number) + ": " + text_of(*saved) : "nothing";
  }
  std::filesystem::path above_, folder_;
};

}  // namespace ppdnmf::journal

#endif  // PPDNMF_JOURNAL_TEST_JOURNAL_H_
