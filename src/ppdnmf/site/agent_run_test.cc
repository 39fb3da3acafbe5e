#include <ppdnmf/site/agent_run.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/identity/files.h>
#include <ppdnmf/identity/test_identity.h>
#include <ppdnmf/io/test_folder.h>
#include <ppdnmf/site/internal/today.h>

namespace ppdnmf::site {
namespace {

using testing::HasSubstr;

constexpr Index kRows = 6;

class AgentRun : public io::FolderTest {
 protected:
  // a.key to c.key belong to members of trial.toml, x.key does not.
  void SetUp() override {
    io::FolderTest::SetUp();
    consortium::Consortium content;
    int port = 7443;
    for (const char* name : {"a", "b", "c"}) {
      const identity::PrivateIdentity identity = make_identity(name);
      const std::string address = "127.0.0.1:" + std::to_string(port++);
      content.members.push_back({identity.public_identity(), identity::parse_address(address).value()});
    }
    make_identity("x");
    content.edges = {{"a", "b"}, {"b", "c"}, {"c", "a"}};
    content.rows = kRows;
    content.settings.rank = 2;
    content.settings.trust_members = true;
    write("trial.toml", consortium::write_consortium(content));
  }

  identity::PrivateIdentity make_identity(const std::string& name) {
    identity::PrivateIdentity identity = identity::test_identity(name, today());
    EXPECT_TRUE(identity::write_identity(identity::identity_paths(folder_, name), identity, nullptr, true));
    return identity;
  }

  AgentRequest request(const std::string& name) {
    AgentRequest request;
    request.consortium = folder_ / "trial.toml";
    request.identity = folder_ / (name + ".key");
    request.passphrase = []() -> Result<identity::Passphrase> { return error(ErrorCode::kUsage, "no passphrase"); };
    request.read_data = [this](const io::ReadLimits&) -> Result<io::Table> {
      ++data_read_;
      return io::Table{Matrix::Ones(rows_, 50), {}, {}, {}};
    };
    request.data_place = "the data";
    request.folder = folder_ / "out";
    return request;
  }

  Result<AgentResult> run(const AgentRequest& request) {
    DaemonListener listener;
    listener.log = [this](const std::string& sentence) { said_.push_back(sentence); };
    listener.progress = [](const ProgressLine&) {};
    listener.interrupted = [] { return true; };  // at the first look: nothing here is to wait for neighbours
    SerialExecutor executor;
    return take_part(request, executor, listener);
  }

  int data_read_ = 0;
  Index rows_ = kRows;
  std::vector<std::string> said_;
};

TEST_F(AgentRun, WhoIsNotAMemberIsToldSoBeforeDataAreRead) {
  const auto refused = run(request("x"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_THAT(refused.error().message, HasSubstr("x.key is not a member of"));
  EXPECT_EQ(data_read_, 0);
}

TEST_F(AgentRun, DataOfAnotherShapeLeaveNoFolder) {
  rows_ = kRows + 1;
  const auto refused = run(request("a"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidData);
  EXPECT_THAT(refused.error().message, HasSubstr("the data: has 7 rows"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(AgentRun, AFolderWithOtherResultsIsRefusedAndOneWithAJournalIsNot) {
  std::filesystem::create_directories(folder_ / "out");
  write("out/run.json", "{}");
  const auto refused = run(request("a"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kFile);
  EXPECT_THAT(refused.error().message, HasSubstr("holds earlier results"));
  EXPECT_TRUE(said_.empty());

  AgentRequest forced = request("a");
  forced.listen = identity::Address{"127.0.0.1", 0};
  forced.force = true;
  const auto interrupted = run(forced);
  ASSERT_FALSE(interrupted);
  EXPECT_EQ(interrupted.error().code, ErrorCode::kInterrupted) << interrupted.error().message;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "journal"));
  forced.force = false;
  const auto again = run(forced);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kInterrupted) << again.error().message;
}

TEST_F(AgentRun, WhatAllMembersMustSeeIsSaidFirst) {
  AgentRequest own = request("a");
  own.listen = identity::Address{"127.0.0.1", 0};
  int arranged = 0;
  own.arranged = [&](io::Table& data) -> Status {
    EXPECT_EQ(data.values.rows(), kRows);
    ++arranged;
    return {};
  };
  const auto interrupted = run(own);
  ASSERT_FALSE(interrupted);
  EXPECT_EQ(interrupted.error().code, ErrorCode::kInterrupted) << interrupted.error().message;
  ASSERT_FALSE(said_.empty());
  EXPECT_THAT(said_.front(), HasSubstr("a, one of 3 members; all must see the same digits: "));
  EXPECT_EQ(arranged, 1);
}

TEST_F(AgentRun, APassphraseIsAskedForOnlyIfTheKeyIsSealed) {
  int asked = 0;
  const PassphraseQuestion question = [&]() -> Result<identity::Passphrase> {
    ++asked;
    return identity::test_passphrase("not for others");
  };
  EXPECT_TRUE(open_keys(folder_ / "a.key", question));
  EXPECT_EQ(asked, 0);
  const identity::PrivateIdentity identity = identity::test_identity("s", today());
  const identity::Passphrase passphrase = identity::test_passphrase("not for others");
  ASSERT_TRUE(identity::write_identity(identity::identity_paths(folder_, "s"), identity, &passphrase, true));
  EXPECT_TRUE(open_keys(folder_ / "s.key", question));
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace ppdnmf::site
