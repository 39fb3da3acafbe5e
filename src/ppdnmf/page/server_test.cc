#include <ppdnmf/page/server.h>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <random>
#include <vector>

#include <ppdnmf/page/watched.h>

namespace ppdnmf::page {
namespace {

using ::testing::HasSubstr;

class PageServer : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = Server::start("sesame", 0);
    ASSERT_TRUE(started) << started.error().message;
    server_ = *std::move(started);
    show("iterating", false);
  }
  void show(const char* phase, bool ended) {
    Snapshot snapshot;
    snapshot.title = "hospital-a";
    snapshot.phase = phase;
    snapshot.ended = ended;
    const std::string line = snapshot_line(snapshot);
    ASSERT_TRUE(server_->take(std::string_view(line).substr(0, line.size() - 1)));
  }
  [[nodiscard]] httplib::Client client() const {
    httplib::Client out("127.0.0.1", server_->port());
    out.set_read_timeout(20);
    return out;
  }
  [[nodiscard]] int status(const std::string& path, const httplib::Headers& headers = {}) const {
    auto http = client();
    const auto answer = http.Get(path, headers);
    return answer ? answer->status : -1;
  }
  // A connection on which nothing is said; -1 if none is to be had.
  [[nodiscard]] int connect() const {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(server_->port());
    (void)::connect(socket, reinterpret_cast<sockaddr*>(&to), sizeof to);
    return socket;
  }

  std::unique_ptr<Server> server_;
};

TEST_F(PageServer, IsForWhoeverHasTheToken) {
  for (const char* path : {"/", "/fragment", "/state.json", "/metrics", "/page.js", "/page.css", "/nothing"}) {
    EXPECT_EQ(status(path), 403) << path;
    EXPECT_EQ(status(std::string(path) + "?token=sesam"), 403) << path;
    EXPECT_EQ(status(path, {{"Cookie", "ppdnmf_1=sesame"}}), 403) << path;
    const int right = std::string(path) == "/nothing" ? 404 : 200;
    EXPECT_EQ(status(path, {{"Authorization", "Bearer sesame"}}), right) << path;
    EXPECT_EQ(status(path, {{"Cookie", "x=1; ppdnmf_" + std::to_string(server_->port()) + "=sesame"}}), right) << path;
  }
  EXPECT_EQ(status("/metrics?token=sesame"), 200);
}

TEST_F(PageServer, TheTokenLeavesTheAddressForACookie) {
  auto http = client();
  const auto answer = http.Get("/?token=sesame");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 303);
  EXPECT_EQ(answer->get_header_value("Location"), "/");
  EXPECT_THAT(answer->get_header_value("Set-Cookie"), HasSubstr("=sesame; HttpOnly; SameSite=Strict"));
}

TEST_F(PageServer, CanOnlyBeReadAndOnlyUnderItsOwnName) {
  auto http = client();
  const httplib::Headers token = {{"Authorization", "Bearer sesame"}};
  EXPECT_EQ(http.Post("/", token, "x=1", "text/plain")->status, 405);
  EXPECT_EQ(http.Delete("/", token)->status, 405);
  EXPECT_EQ(status("/", {{"Authorization", "Bearer sesame"}, {"Host", "evil.example"}}), 403);
  const auto page = http.Get("/", token);
  ASSERT_TRUE(page);
  EXPECT_THAT(page->body, HasSubstr("hospital-a"));
  EXPECT_THAT(page->get_header_value("Content-Security-Policy"), HasSubstr("default-src 'none'; script-src 'self'"));
  EXPECT_EQ(page->get_header_value("X-Content-Type-Options"), "nosniff");
}

// They are more than it takes at once, and it answers when they have had their time.
TEST_F(PageServer, ManySilentConnectionsAndGarbageLeaveItStanding) {
  std::vector<int> sockets(200);
  std::ranges::generate(sockets, [this] { return connect(); });
  std::mt19937 draw(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same garbage in every run
  for (int n = 0; n < 60; ++n) {
    const int socket = sockets[static_cast<std::size_t>(n)];
    std::string garbage = n % 3 == 0 ? "GET /" : n % 3 == 1 ? "GET / HTTP/1.1\r\nRange: bytes=" : "";
    for (unsigned i = 0; i < 1 + draw() % 3000; ++i) garbage += static_cast<char>(draw() % 256);
    (void)::send(socket, garbage.data(), garbage.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  for (const int socket : sockets) ::close(socket);
  EXPECT_EQ(status("/", {{"Authorization", "Bearer sesame"}}), 200);
  const auto begin = std::chrono::steady_clock::now();
  server_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST_F(PageServer, AnOpenPageSeesTheEndOfARunAndNobodyElseIsWaitedFor) {
  using std::chrono::steady_clock;
  const auto seconds = [](auto what) {
    const auto begin = steady_clock::now();
    what();
    return std::chrono::duration<double>(steady_clock::now() - begin).count();
  };
  const httplib::Headers token = {{"Authorization", "Bearer sesame"}};
  const auto end = [this] { server_->show_the_end(); };
  EXPECT_EQ(status("/fragment", token), 200);
  EXPECT_LT(seconds(end), 1) << "a run that was killed has no end to show";
  show("ended (all iterations)", true);
  auto ending = std::async(std::launch::async, [&] { return seconds(end); });
  const auto answer = client().Get("/fragment", token);
  ASSERT_TRUE(answer);
  EXPECT_THAT(answer->body, HasSubstr("ended (all iterations)"));
  EXPECT_GT(ending.get(), 1);
}

TEST_F(PageServer, TheEndWaitsForNobodyWhereNoPageIsOpen) {
  show("ended", true);
  EXPECT_EQ(status("/fragment"), 403);
  EXPECT_EQ(status("/metrics?token=sesame"), 200);
  const auto begin = std::chrono::steady_clock::now();
  server_->show_the_end();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST(PageServerStart, APortThatIsTakenIsSaid) {
  const auto first = Server::start("a", 0);
  ASSERT_TRUE(first);
  const auto second = Server::start("b", (*first)->port());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kFile);
}

}  // namespace
}  // namespace ppdnmf::page
