#include <ppdnmf/site/agent_run.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/consortium/approval.h>
#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/identity/files.h>
#include <ppdnmf/identity/test_identity.h>
#include <ppdnmf/io/descriptor.h>
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
    content_ = std::move(content);
  }

  // From here on c has a steward, and neighbours a and b that c dials are sockets of this test.
  void give_c_a_steward() {
    for (int i : {0, 1}) {
      listening_.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
      sockaddr_in at{};
      at.sin_family = AF_INET;
      at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      socklen_t size = sizeof at;
      ASSERT_EQ(::bind(listening_.back().get(), reinterpret_cast<sockaddr*>(&at), size), 0);
      ASSERT_EQ(::listen(listening_.back().get(), 5), 0);
      ASSERT_EQ(::getsockname(listening_.back().get(), reinterpret_cast<sockaddr*>(&at), &size), 0);
      content_.members[static_cast<std::size_t>(i)].address = identity::Address{"127.0.0.1", ntohs(at.sin_port)};
    }
    content_.members[2].address.reset();
    content_.members[2].steward = steward_.public_identity();
    write("trial.toml", consortium::write_consortium(content_));
    approval_.consortium = consortium::digest_of(content_);
    approval_.member = "c";
    approval_.steward = "keeper";
    approval_.data = consortium::approved_digest(approval_.salt, {Matrix::Ones(kRows, 50), {}, {}, {}}, {});
    approval_.columns = 50;
    approval_.until = std::chrono::floor<std::chrono::days>(today());
  }
  // Whether anybody connected.
  bool somebody_came() {
    return std::any_of(listening_.begin(), listening_.end(), [](const io::Descriptor& socket) {
      const io::Descriptor caller(::accept4(socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
      return caller.get() >= 0;
    });
  }
  // c with this approval, given long enough to connect.
  std::string outcome_with(const consortium::Approval& approval) {
    write("c.approval", consortium::sign_approval(approval, steward_));
    return outcome();
  }
  std::string outcome() {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    const auto ended = run(request("c"), [&] { return somebody_came() || std::chrono::steady_clock::now() > until; });
    EXPECT_FALSE(ended);
    if (ended.error().code == ErrorCode::kInterrupted) return "takes part";
    EXPECT_EQ(ended.error().code, ErrorCode::kUsage) << ended.error().message;
    EXPECT_FALSE(somebody_came()) << "something left";
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
    return ended.error().message;
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

  Result<AgentResult> run(
      const AgentRequest& request, const std::function<bool()>& interrupted = [] { return true; }) {
    DaemonListener listener;
    listener.log = [this](const std::string& sentence) { said_.push_back(sentence); };
    listener.progress = [](const ProgressLine&) {};
    listener.interrupted = interrupted;  // mostly at the first look: nothing here is to wait for neighbours
    SerialExecutor executor;
    return take_part(request, executor, listener);
  }

  int data_read_ = 0;
  Index rows_ = kRows;
  std::vector<std::string> said_;
  consortium::Consortium content_;
  std::vector<io::Descriptor> listening_;
  identity::PrivateIdentity steward_ = identity::test_identity("keeper", today());
  consortium::Approval approval_;
};

TEST_F(AgentRun, WithoutTheStewardsYesToExactlyThisNothingLeaves) {
  give_c_a_steward();
  EXPECT_THAT(outcome(), HasSubstr("c.approval: is not there, and this member's steward has to approve first"));
  consortium::Approval other = approval_;
  other.until -= std::chrono::days(1);
  EXPECT_THAT(outcome_with(other), HasSubstr("the approval ended on"));
  other = approval_;
  other.consortium[0] ^= 1U;
  EXPECT_THAT(outcome_with(other), HasSubstr("the approval is for another file"));
  other = approval_;
  other.data[0] ^= 1U;
  EXPECT_THAT(outcome_with(other), HasSubstr("the approval is for other data"));
  other = approval_;
  other.epsilon = 4;
  EXPECT_THAT(outcome_with(other), HasSubstr("the approval is for another budget"));
  write("c.approval", consortium::sign_approval(approval_, identity::test_identity("keeper", today())));
  EXPECT_THAT(outcome(), HasSubstr("the approval is not signed by keeper"));
  // The same socket does see who takes part.
  EXPECT_EQ(outcome_with(approval_), "takes part");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "run.log"));
  EXPECT_THAT(io::file_text(folder_ / "out" / "run.log"), HasSubstr(R"("what":"approved","by":"keeper")"));
}

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
