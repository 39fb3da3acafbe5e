#include <ppdnmf/page/server.h>

#include <fmt/format.h>
#include <httplib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <deque>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <ppdnmf/page/render.h>

namespace ppdnmf::page {
namespace {

constexpr std::size_t kThreads = 4;
constexpr std::size_t kMaxWaiting = 16;
constexpr int kSeconds = 2;  // for each piece of a request, and of an answer

using Clock = std::chrono::steady_clock;
// An open page asks each second. For whom to wait, and how long with and without a sign of it after the last line.
constexpr std::chrono::milliseconds kLooks{3000}, kLeastEnd{1200}, kMostEnd{2500}, kTurn{20};

constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

// Takes no more connections than it can serve soon: whoever accepts them waits here, and the rest stays outside.
class Line final : public httplib::TaskQueue {
 public:
  Line() {
    for (std::size_t n = 0; n < kThreads; ++n) threads_.emplace_back([this] { work(); });
  }
  void enqueue(std::function<void()> task) override {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return over_ || tasks_.size() < kMaxWaiting; });
    tasks_.push_back(std::move(task));
    work_.notify_one();
  }
  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    work_.notify_all();
    room_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        work_.wait(lock, [this] { return over_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
        room_.notify_one();
      }
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable work_, room_;
  std::deque<std::function<void()>> tasks_;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

// In a time that does not depend on where they differ.
bool same(std::string_view a, std::string_view b) {
  unsigned different = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    different |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  return different == 0;
}

// The value of one cookie.
std::string cookie_in(const std::string& header, const std::string& name) {
  std::size_t at = 0;
  while (at < header.size()) {
    std::size_t end = header.find(';', at);
    if (end == std::string::npos) end = header.size();
    while (at < end && header[at] == ' ') ++at;
    if (header.compare(at, name.size() + 1, name + "=") == 0)
      return header.substr(at + name.size() + 1, end - at - name.size() - 1);
    at = end + 1;
  }
  return {};
}

void refuse(httplib::Response& answer, int status, const char* sentence) {
  answer.status = status;
  answer.set_content(std::string(sentence) + "\n", "text/plain; charset=utf-8");
}

}  // namespace

struct Server::Inside {
  httplib::Server http;
  std::string token;
  int port = 0;
  std::mutex mutex;
  Watched watched;
  Clock::time_point told;                   // when the last line came; under the mutex, too
  std::optional<Clock::time_point> looked;  // when an open page last asked
  std::thread thread;

  [[nodiscard]] std::string cookie() const { return fmt::format("ppdnmf_{}", port); }

  [[nodiscard]] bool is_host(const std::string& host) const {
    return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
  }
  [[nodiscard]] bool has_token(const httplib::Request& request) const {
    return same(cookie_in(request.get_header_value("Cookie"), cookie()), token) ||
           same(request.get_header_value("Authorization"), "Bearer " + token);
  }

  // Before anything of a body is read. Handled: there is nothing more to say.
  bool admit(const httplib::Request& request, httplib::Response& answer) const {
    if (request.method != "GET" && request.method != "HEAD")
      return refuse(answer, 405, "This page can only be read."), false;
    if (!is_host(request.get_header_value("Host"))) return refuse(answer, 403, "This is another server."), false;
    if (same(request.get_param_value("token"), token)) {
      if (request.path != "/") return true;
      // Out of the address, which others may look at.
      answer.status = 303;
      answer.set_header("Location", "/");
      answer.set_header("Set-Cookie", fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", cookie(), token));
      return false;
    }
    if (has_token(request)) return true;
    return refuse(answer, 403, "The token is missing or wrong: open the whole address that the program printed."),
           false;
  }

  void give(const char* path, const char* type, std::string (*text)(const Watched&)) {
    http.Get(path, [this, type, text](const httplib::Request&, httplib::Response& answer) {
      const std::lock_guard lock(mutex);
      answer.set_content(text(watched), type);
    });
  }

  void set_up() {
    http.new_task_queue = [] { return new Line; };
    // The library's own options would let another program of this user have the same port.
    http.set_socket_options([](socket_t socket) {
      const int yes = 1;
      (void)::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    http.set_read_timeout(kSeconds);
    http.set_write_timeout(kSeconds);
    http.set_keep_alive_max_count(1);
    http.set_keep_alive_timeout(kSeconds);
    http.set_payload_max_length(1024);
    http.set_default_headers({{"Content-Security-Policy", kPolicy},
                              {"X-Content-Type-Options", "nosniff"},
                              {"X-Frame-Options", "DENY"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cross-Origin-Resource-Policy", "same-origin"},
                              {"Cache-Control", "no-store"}});
    http.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& answer) {
      return admit(request, answer) ? httplib::Server::HandlerResponse::Unhandled
                                    : httplib::Server::HandlerResponse::Handled;
    });
    give("/", kHtml, page_html);
    http.Get("/fragment", [this](const httplib::Request&, httplib::Response& answer) {
      const std::lock_guard lock(mutex);
      looked = Clock::now();
      answer.set_content(fragment_html(watched), kHtml);
    });
    give("/state.json", "application/json", state_json);
    give("/metrics", "text/plain; version=0.0.4; charset=utf-8", metrics_text);
    give("/page.js", "text/javascript; charset=utf-8", [](const Watched&) { return std::string(page_script()); });
    give("/page.css", "text/css; charset=utf-8", [](const Watched&) { return std::string(page_style()); });
  }
};

Server::Server(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}

Server::~Server() {
  inside_->http.stop();
  if (inside_->thread.joinable()) inside_->thread.join();
}

Result<std::unique_ptr<Server>> Server::start(std::string token, std::uint16_t port) {
  PPDNMF_CHECK(!token.empty());
  auto inside = std::make_unique<Inside>();
  inside->token = std::move(token);
  inside->set_up();
  if (port == 0) {
    inside->port = inside->http.bind_to_any_port("127.0.0.1");
  } else {
    inside->port = inside->http.bind_to_port("127.0.0.1", port) ? port : -1;
  }
  if (inside->port <= 0) return error(ErrorCode::kFile, "127.0.0.1:{}: cannot be bound for the page", port);
  Inside* const running = inside.get();
  inside->thread = std::thread([running] { (void)running->http.listen_after_bind(); });
  while (!running->http.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return std::unique_ptr<Server>(new Server(std::move(inside)));
}

std::uint16_t Server::port() const { return static_cast<std::uint16_t>(inside_->port); }

std::string Server::address() const {
  return fmt::format("http://127.0.0.1:{}/?token={}", inside_->port, inside_->token);
}

Status Server::take(std::string_view line) {
  const std::lock_guard lock(inside_->mutex);
  inside_->told = Clock::now();
  return inside_->watched.take(line);
}

void Server::show_the_end() {
  const auto may_go = [this] {
    const std::lock_guard lock(inside_->mutex);
    const auto& looked = inside_->looked;
    if (!inside_->watched.now().ended || !looked || *looked + kLooks < inside_->told) return true;
    return Clock::now() > inside_->told + (*looked > inside_->told ? kLeastEnd : kMostEnd);
  };
  while (!may_go()) std::this_thread::sleep_for(kTurn);
}

std::string opening_line(std::string_view token, std::uint16_t port) {
  return nlohmann::ordered_json({{"token", token}, {"port", port}}).dump() + "\n";
}

namespace {

void take_little() {
  (void)::close_range(STDERR_FILENO + 1, ~0U, 0);  // what a run was given open, such as its pipe for progress
  constexpr rlim_t kFiles = 64;
  const rlimit files{kFiles, kFiles}, none{0, 0};
  (void)::setrlimit(RLIMIT_NOFILE, &files);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which map terabytes
  constexpr rlim_t kMemory = rlim_t{1} << 30U;
  const rlimit memory{kMemory, kMemory};
  (void)::setrlimit(RLIMIT_AS, &memory);
#endif
  (void)::setrlimit(RLIMIT_CORE, &none);
  errno = 0;
  (void)::nice(10);
}

// Calls `take` with every whole line until the feed ends, or `take` does not want more.
void read_lines(int feed, const std::function<bool(std::string_view)>& take) {
  std::string text;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t size = ::read(feed, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return;
    text.append(buffer.data(), static_cast<std::size_t>(size));
    std::size_t at = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', at)) {
      if (!take(std::string_view(text).substr(at, end - at))) return;
      at = end + 1;
    }
    text.erase(0, at);
    if (text.size() > kMaxFeedLine) return;
  }
}

}  // namespace

Status serve(int feed) {
  take_little();
  (void)std::signal(SIGPIPE, SIG_IGN);
  (void)std::signal(SIGINT, SIG_IGN);  // the run decides when it ends
  std::unique_ptr<Server> server;
  Status outcome;
  read_lines(feed, [&](std::string_view line) {
    if (server) {
      (void)server->take(line);  // what cannot be read is not shown
      return true;
    }
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.value("token", nlohmann::json()).is_string()) {
      outcome = error(ErrorCode::kUsage, "the page is served by 'agent --page' and 'launch --page'");
      return false;
    }
    auto started = Server::start(json["token"].get<std::string>(), json.value("port", std::uint16_t{0}));
    if (!started) {
      outcome = tl::unexpected(std::move(started).error());
      return false;
    }
    server = *std::move(started);
    fmt::print(stderr, "ppdnmf: watch this run at {}\n", server->address());
    return true;
  });
  if (server) server->show_the_end();
  return outcome;
}

}  // namespace ppdnmf::page
