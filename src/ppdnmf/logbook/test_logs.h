// Members who keep logs, for tests: everything that really happens in a run is written by hand here, and some of it is
// a lie.
#ifndef PPDNMF_LOGBOOK_TEST_LOGS_H_
#define PPDNMF_LOGBOOK_TEST_LOGS_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/identity/test_identity.h>
#include <ppdnmf/io/test_folder.h>
#include <ppdnmf/logbook/letters.h>
#include <ppdnmf/logbook/logbook.h>
#include <ppdnmf/logbook/verify.h>

namespace ppdnmf::logbook {

inline constexpr Digest kTestConsortium = {7};
inline constexpr Digest kTestRun = {9};

// a is the root of the tree, b its child, c and d are b's.
class Logs : public io::FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    for (const char* name : {"a", "b", "c", "d"}) identities_.emplace(name, identity::test_identity(name));
    for (const auto& [name, identity] : identities_) {
      std::filesystem::create_directory(folder_ / name);
      auto book = Logbook::open(folder_ / name, subject(name), identity::kTestTime);
      ASSERT_TRUE(book) << book.error().message;
      books_.emplace(name, *std::move(book));
      note(name, Entry(kRun).with("digest", hex(kTestRun)));
    }
  }
  [[nodiscard]] Subject subject(const std::string& self, const Digest& consortium = kTestConsortium) const {
    Subject out{"1.0", consortium, &identities_.at(self).public_identity(), {}};
    for (const auto& [name, identity] : identities_) out.members.push_back(&identity.public_identity());
    return out;
  }
  void note(const std::string& who, const Entry& entry) {
    ASSERT_TRUE(books_.at(who).append({&entry, 1}, identity::kTestTime));
  }
  [[nodiscard]] static Digest digest(int content) {
    return salted(Digest{1}, Digest{static_cast<std::uint8_t>(content)});
  }
  [[nodiscard]] static Entry line(std::string_view what, std::string_view key, const std::string& peer,
                                  const std::string& kind, std::int64_t number, int content) {
    return Entry(what)
        .with(key, peer)
        .with("of", std::string("run"))
        .with("kind", kind)
        .with("number", number)
        .with("bytes", std::int64_t{100})
        .with("digest", hex(digest(content)));
  }
  void says_sent(const std::string& from, const std::string& to, const std::string& kind, std::int64_t number,
                 int content) {
    note(from, line(kSent, "to", to, kind, number, content));
  }
  void says_received(const std::string& from, const std::string& to, const std::string& kind, std::int64_t number,
                     int content, const std::string& signer) {
    Entry entry = line(kReceived, "from", from, kind, number, content);
    const Statement statement{kTestConsortium, kTestRun, from, to, kind, static_cast<std::uint64_t>(number),
                              digest(content)};
    if (is_signed(kind)) entry.with("signature", base64(identities_.at(signer).sign(text_of(statement))));
    note(to, entry);
  }
  // As it happens between honest logs.
  void tell(const std::string& from, const std::string& to, const std::string& kind, std::int64_t number, int content) {
    says_sent(from, to, kind, number, content);
    says_received(from, to, kind, number, content, from);
  }
  void opens(const std::string& who, std::int64_t totals, int content) {
    note(who, Entry(kOpened).with("totals", totals).with("digest", hex(digest(content))));
  }
  // One sum in which nothing is wrong.
  void one_sum(std::int64_t number) {
    tell("c", "b", "part", number, 1);
    tell("d", "b", "part", number, 2);
    tell("b", "a", "part", number, 3);
    tell("a", "b", "total", number, 4);
    tell("b", "c", "total", number, 4);
    tell("b", "d", "total", number, 4);
    for (const char* who : {"a", "b", "c", "d"}) opens(who, number + 1, 5);
  }
  [[nodiscard]] std::filesystem::path path(const std::string& who) const { return folder_ / who / kFileName; }
  [[nodiscard]] std::string text(const std::string& who) const { return io::file_text(path(who)); }
  void sign_all() {
    for (const auto& [name, identity] : identities_) {
      ASSERT_TRUE(books_.at(name).sign(identity, identity::kTestTime));
    }
  }
  // Signs, reads and compares; problems of single logs first.
  std::vector<std::string> verdict(const std::vector<std::string>& who) {
    std::vector<ParsedLog> logs;
    std::vector<std::string> all;
    for (const std::string& name : who) {
      Reading reading = read_log(text(name), name + ".log");
      all.insert(all.end(), reading.problems.begin(), reading.problems.end());
      if (reading.log) logs.push_back(*std::move(reading.log));
    }
    const std::vector<std::string> found = contradictions(logs);
    all.insert(all.end(), found.begin(), found.end());
    return all;
  }

  std::map<std::string, identity::PrivateIdentity> identities_;
  std::map<std::string, Logbook> books_;
};

}  // namespace ppdnmf::logbook

#endif  // PPDNMF_LOGBOOK_TEST_LOGS_H_
