// Three agents as processes for C++ tests: a triangle on this machine whose third member may be played by the test.
#ifndef PPDNMF_TESTS_SYSTEM_TEST_AGENTS_H_
#define PPDNMF_TESTS_SYSTEM_TEST_AGENTS_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <ppdnmf/identity/files.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/npy.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/launch/child.h>
#include <ppdnmf/launch/ports.h>
#include <ppdnmf/launch/throw_away.h>
#include <ppdnmf/logbook/letters.h>
#include <ppdnmf/protocol/roll_call.h>
#include <ppdnmf/protocol/seeded_secrets.h>
#include <ppdnmf/site/progress_line.h>
#include <ppdnmf/site/status.h>
#include <ppdnmf/wire/envelope.h>

namespace ppdnmf {

using namespace std::chrono_literals;

inline constexpr std::uint64_t kTestSeed = 7;

// A message as the transport sends it: its length in front.
inline Bytes framed(const Bytes& message) {
  ByteWriter frame;
  frame.put_bytes(message);
  return frame.take();
}

// One member's process and everything it said.
struct TestAgent {
  std::unique_ptr<launch::Child> process;
  std::string said, lines;
  std::filesystem::path out;

  void pump() {
    if (!process) return;
    (void)process->read_errors(said);
    (void)process->read_progress(lines);
  }
  [[nodiscard]] site::ProgressLine progress() const {
    const std::size_t end = lines.rfind('\n');
    if (end == std::string::npos) return {};
    const std::size_t begin = end == 0 ? std::string::npos : lines.rfind('\n', end - 1);
    const std::size_t first = begin == std::string::npos ? 0 : begin + 1;
    return site::parse_progress_line(lines.substr(first, end - first)).value_or(site::ProgressLine{});
  }
  // In KiB: "VmRSS" now, "VmHWM" at most so far. 0 if the process is gone.
  [[nodiscard]] std::size_t memory(const std::string& what) const {
    const auto status = site::read_status(out);
    if (!status) return 0;
    std::ifstream file("/proc/" + std::to_string(status->pid) + "/status");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with(what)) return std::stoul(line.substr(line.find_first_of("0123456789")));
    }
    return 0;
  }
};

class ThreeAgents : public ::testing::Test {
 protected:
  void SetUp() override { lay_out(20); }

  void lay_out(int iterations) {
    for (TestAgent& agent : agents_) agent = TestAgent();
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
    std::string pattern = (std::filesystem::temp_directory_path() / "ppdnmf_agents_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    auto identities = launch::throw_away_identities(3, kTestSeed, now);
    ASSERT_TRUE(identities) << identities.error().message;
    identities_ = *std::move(identities);
    ports_ = *launch::free_ports(3);
    protocol::Settings settings;
    settings.rank = 2;
    settings.scheme = protocol::SchemeKind::kSum;
    settings.iterations = iterations;
    settings.min_columns = 1;
    const protocol::Graph triangle = *protocol::Graph::create(3, {{0, 1}, {0, 2}, {1, 2}});
    const auto made = launch::throw_away_consortium(identities_, ports_, triangle, 12, settings, kTestSeed, now);
    ASSERT_TRUE(made) << made.error().message;
    consortium_ = made->digest();
    ASSERT_TRUE(io::write_file(folder_ / "trial.toml", consortium::write_consortium(made->content()), io::kModeSecret));
    for (std::uint32_t i = 0; i < 3; ++i) {
      const std::string name = launch::throw_away_name(i);
      ASSERT_TRUE(identity::write_identity(identity::identity_paths(folder_, name), identities_[i], nullptr, false));
      ASSERT_TRUE(io::write_npy(folder_ / (name + ".npy"), Matrix::Random(12, 5).cwiseAbs()));
      agents_[i].out = folder_ / ("out-" + name);
    }
  }
  void TearDown() override {
    for (TestAgent& agent : agents_) agent.process.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  // `crash`: as crash_points.cc takes it; `more`: options.
  void start(std::uint32_t i, const char* crash = nullptr, const std::vector<std::string>& more = {}) {
    const std::string name = launch::throw_away_name(i);
    agents_[i].process.reset();
    if (crash != nullptr) (void)::setenv("PPDNMF_CRASH", crash, 1);
    std::vector<std::string> command = {crash != nullptr ? PPDNMF_CRASHING : PPDNMF_PROGRAM,
                                        "agent",
                                        "--consortium",
                                        (folder_ / "trial.toml").string(),
                                        "--identity",
                                        identity::identity_paths(folder_, name).key.string(),
                                        "--data",
                                        (folder_ / (name + ".npy")).string(),
                                        "--out",
                                        agents_[i].out.string(),
                                        "--threads",
                                        "1",
                                        "--linger",
                                        "20",
                                        "--progress-fd",
                                        std::to_string(launch::kProgressDescriptor)};
    command.insert(command.end(), more.begin(), more.end());
    auto child = launch::Child::start({name, std::move(command)});
    ASSERT_TRUE(child) << child.error().message;
    agents_[i].process = std::make_unique<launch::Child>(*std::move(child));
  }
  // A letter of agent 2 to agent 0, signed as a member's must be: everything follows from the seed here.
  [[nodiscard]] wire::Letter signed_letter(const protocol::Message& message) const {
    std::vector<crypto::IdentityBytes> members, nonces;
    for (std::uint32_t i = 0; i < 3; ++i) {
      members.push_back(identities_[i].public_identity().x25519());
      nonces.push_back(protocol::ephemeral_key(protocol::simulated_secret(kTestSeed, AgentId{i})).public_bytes());
    }
    const bool in_run = message.run != protocol::run_id(consortium_);
    const std::string from = launch::throw_away_name(2), to = launch::throw_away_name(0);
    logbook::Statement statement;
    statement.consortium = consortium_;
    if (in_run) statement.run = protocol::run_digest(consortium_, members, nonces);
    statement.from = from;
    statement.to = to;
    statement.kind = logbook::kind_of(message);
    statement.number = logbook::number_of(message);
    statement.digest =
        logbook::salted(in_run ? logbook::salt_of(nonces) : consortium_, logbook::content_digest(message));
    return {1, message, logbook::is_signed(statement.kind) ? identities_[2].sign(text_of(statement)) : Bytes()};
  }
  // Reads what the agents say meanwhile, as whoever started them must.
  bool await(const std::function<bool()>& condition, std::chrono::milliseconds wait = 60s) {
    const auto end = std::chrono::steady_clock::now() + wait;
    for (;;) {
      for (TestAgent& agent : agents_) agent.pump();
      if (condition()) return true;
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(5ms);
    }
  }
  bool says(std::uint32_t i, const std::string& words) {
    return await([&] { return agents_[i].said.find(words) != std::string::npos; });
  }
  bool listens(std::uint32_t i) {
    return await([&] {
      return agents_[i].progress().phase >= site::AgentPhase::kConnecting && site::read_status(agents_[i].out);
    });
  }
  // All three end well and agree.
  void expect_good_end() {
    for (TestAgent& agent : agents_) {
      EXPECT_TRUE(await([&] { return agent.process->exit_code().has_value(); })) << agent.said;
      EXPECT_EQ(agent.process->exit_code(), 0) << agent.said;
    }
    const auto X = io::read_file(agents_[0].out / "X.npy", 1 << 20);
    ASSERT_TRUE(X);
    EXPECT_EQ(*X, *io::read_file(agents_[1].out / "X.npy", 1 << 20));
    EXPECT_EQ(*X, *io::read_file(agents_[2].out / "X.npy", 1 << 20));
  }

  std::filesystem::path folder_;
  std::vector<identity::PrivateIdentity> identities_;
  std::vector<std::uint16_t> ports_;
  Digest consortium_{};
  TestAgent agents_[3];
};

}  // namespace ppdnmf

#endif  // PPDNMF_TESTS_SYSTEM_TEST_AGENTS_H_
