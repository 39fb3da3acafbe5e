#include <ppdnmf/site/status.h>

#include <fcntl.h>
#include <sys/file.h>

#include <limits>
#include <nlohmann/json.hpp>

#include <ppdnmf/io/descriptor.h>
#include <ppdnmf/io/test_folder.h>

namespace ppdnmf::site {
namespace {

using std::chrono::minutes;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::chrono::sys_seconds kNow{std::chrono::sys_days{std::chrono::year{2026} / 11 / 16} +
                                        std::chrono::hours{3}};

AgentStatus example() {
  AgentStatus s;
  s.member = "hospital-a";
  s.digits = "12345 67890";
  s.phase = AgentPhase::kIterating;
  s.iterations = 12;
  s.planned_iterations = 100;
  s.rounds = 36;
  s.error = 0.05;
  s.common = 0.0812;
  s.peers = {{"hospital-b", true, kNow - minutes{50}, false, kNow},
             {"hospital-c", false, kNow - minutes{7}, true, kNow - minutes{6}}};
  s.problem = "hospital-c: the connection was lost";
  s.problem_at = kNow - minutes{7};
  s.pid = 4711;
  s.restarts = 2;
  s.began = kNow - minutes{51};
  s.written = kNow - std::chrono::seconds{3};
  return s;
}

class StatusFile : public io::FolderTest {};

TEST_F(StatusFile, ComesBackAsItWas) {
  for (const AgentStatus& status : {AgentStatus{}, example()}) {
    ASSERT_TRUE(write_status(folder_, status));
    const auto read = read_status(folder_);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(status_json(*read, true), status_json(status, true));
  }
  EXPECT_EQ(nlohmann::json::parse(status_json(example(), true))["running"], true);
  EXPECT_EQ(nlohmann::json::parse(status_json(example(), false))["peers"][1]["waited_since"], "2026-11-16T02:54:00Z");
}

TEST_F(StatusFile, AnythingElseIsRefusedWithItsPath) {
  EXPECT_THAT(io::message_of(read_status(folder_)), HasSubstr(": there is no status.json of an agent here"));
  ASSERT_TRUE(write_status(folder_, example()));
  const std::string good = io::file_text(folder_ / "status.json");
  for (const auto& [from, to] :
       {std::pair("\"iterations\": 12", "\"iterations\": -1"), std::pair("\"iterations\": 12,", ""),
        std::pair("iterating", "x"), std::pair("\"iterations\": 12", R"("iterations": 12, "more": 1)"),
        std::pair("\"connected\": true", "\"connected\": 1"), std::pair("2026-11-16T02:10:00Z", "today"),
        std::pair("journal/lock", "../lock"), std::pair("journal/lock", "/lock")}) {
    std::string text = good;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write("status.json", text.replace(at, std::string_view(from).size(), to));
    EXPECT_THAT(io::message_of(read_status(folder_)), HasSubstr("status.json: is not the status")) << to;
  }
  write("status.json", good.substr(0, good.size() / 2));
  EXPECT_FALSE(read_status(folder_));
}

TEST_F(StatusFile, WhoeverHoldsTheLockIsRunning) {
  AgentStatus status = example();
  EXPECT_FALSE(is_running(folder_, status)) << "there is no lock";
  status.lock = "lock";
  const io::Descriptor lock(::open((folder_ / "lock").c_str(), O_RDWR | O_CREAT, 0600));
  EXPECT_FALSE(is_running(folder_, status));
  ASSERT_EQ(::flock(lock.get(), LOCK_EX), 0);
  EXPECT_TRUE(is_running(folder_, status));
  ASSERT_EQ(::flock(lock.get(), LOCK_UN), 0);
  EXPECT_FALSE(is_running(folder_, status));
  EXPECT_EQ(::flock(lock.get(), LOCK_EX | LOCK_NB), 0) << "asking leaves no lock behind";
}

TEST(StatusText, SaysWhereTheRunStandsAndForWhomItWaits) {
  EXPECT_EQ(status_text(example(), true, kNow),
            "hospital-a is factorising.\n"
            "iteration 12 of at most 100, 36 rounds, common relative error 0.0812, own 0.05\n"
            "waiting for hospital-c since 2026-11-16 02:54:00 UTC (6 min 0 s ago)\n"
            "no connection to hospital-c since 2026-11-16 02:53:00 UTC (7 min 0 s ago)\n"
            "last problem, 2026-11-16 02:53:00 UTC (7 min 0 s ago): hospital-c: the connection was lost\n"
            "process 4711, started 2026-11-16 02:09:00 UTC (51 min 0 s ago), restarted 2 times\n"
            "status written 2026-11-16 02:59:57 UTC (3 s ago)\n");
}

TEST(StatusText, OfAPrivateRunThereIsTheAgentsOwnErrorAlone) {
  AgentStatus status = example();
  status.common = std::numeric_limits<double>::quiet_NaN();
  status.restarts = 1;
  EXPECT_THAT(status_text(status, true, kNow),
              AllOf(HasSubstr("36 rounds, own relative error 0.05\n"), HasSubstr(" ago), restarted once\n")));
}

TEST(StatusText, TellsAProcessThatIsGoneFromARunThatHasEnded) {
  AgentStatus status = example();
  EXPECT_THAT(status_text(status, false, kNow),
              HasSubstr("is not running; when it was last heard of, it had not ended"));
  EXPECT_THAT(status_text(status, false, kNow), Not(HasSubstr("waiting for")));
  status.phase = AgentPhase::kEnded;
  status.because = "tolerance";
  status.problem.clear();
  EXPECT_THAT(status_text(status, false, kNow), HasSubstr("hospital-a has ended its run (tolerance).\n"));
  EXPECT_THAT(status_text(status, false, kNow), Not(HasSubstr("last problem")));
  status.phase = AgentPhase::kGaveUp;
  EXPECT_THAT(status_text(status, false, kNow),
              HasSubstr("hospital-a is not running; it has given up waiting. The command that started it, typed again, "
                        "continues from there.\n"));
  EXPECT_THAT(status_text(status, true, kNow), HasSubstr("hospital-a has given up waiting.\n"));
  status.phase = AgentPhase::kFailed;
  EXPECT_THAT(status_text(status, false, kNow), HasSubstr("hospital-a has failed.\n"));
}

}  // namespace
}  // namespace ppdnmf::site
