#include "apps/ppdnmf/run_agent.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <memory>
#include <vector>

#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/options.h"
#include "apps/ppdnmf/passphrase.h"
#include "apps/ppdnmf/progress.h"
#include "version.h"
#include <ppdnmf/convert/convert.h>
#include <ppdnmf/host/hidden_memory.h>
#include <ppdnmf/host/interrupt.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/persons.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/io/time_text.h>
#include <ppdnmf/site/agent_run.h>

namespace ppdnmf::app {
namespace {

Status follow_parent() {
  const pid_t parent = ::getppid();
  (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) return error(ErrorCode::kInterrupted, "the process that started this one is gone");
  return {};
}

page::Snapshot snapshot_of(const site::AgentStatus& status, const site::ProgressLine& line, double seconds) {
  page::Snapshot out;
  out.title = status.member + "'s part in a run";
  out.phase = std::string(site::word_of(status.phase)) + (status.because.empty() ? "" : " (" + status.because + ")");
  out.ended = status.phase >= site::AgentPhase::kEnding;
  out.iterations = status.iterations;
  out.planned = status.planned_iterations;
  out.rounds = status.rounds;
  out.own = status.error;
  out.common = status.common;
  out.bytes = line.bytes;
  out.seconds = seconds;
  if (!status.problem.empty()) out.problem = fmt::format("{}: {}", io::spoken_time(status.problem_at), status.problem);
  for (const site::AgentStatus::Peer& peer : status.peers) {
    out.peers.push_back({peer.name, peer.connected ? "connected" : "not connected since " + io::spoken_time(peer.since),
                         peer.connected || (out.ended && status.phase != site::AgentPhase::kGaveUp), peer.waited_for});
  }
  return out;
}

class Shown {
 public:
  explicit Shown(const AgentOptions& options)
      : live_(options.quiet), quiet_(options.quiet), descriptor_(options.progress_fd) {}

  void plan(int iterations) { planned_ = iterations; }

  Status open_page(const PageOptions& options) {
    if (!options.wanted) return {};
    PPDNMF_TRY(page_, PageProcess::start(static_cast<std::uint16_t>(options.port)));
    return {};
  }

  void show(const site::AgentStatus& status) {
    if (page_) page_->show(snapshot_of(status, last_, watch_.seconds()));
  }

  void log(const std::string& sentence) {
    if (page_) page_->log(sentence);
    live_.end();
    if (!quiet_) fmt::print(stderr, "ppdnmf: {}\n", in_flags(sentence));
  }

  void progress(const site::ProgressLine& line) {
    if (descriptor_) tell(site::progress_line(line));
    const bool news = line.phase != last_.phase || line.because != last_.because;
    const bool waits_long = !line.waiting_for.empty() && watch_.seconds() - last_seconds_ > 30;
    if (line.iterations != last_.iterations || line.phase != last_.phase) waiting_since_ = watch_.seconds();
    last_ = line;
    const bool due = live_.is_terminal() || news || waits_long || watch_.seconds() - last_seconds_ > 5;
    if (!due || (!live_.is_terminal() && !news && !waits_long && line.iterations == shown_iterations_)) return;
    last_seconds_ = watch_.seconds();
    shown_iterations_ = line.iterations;
    live_.show(text(line));
  }

 private:
  [[nodiscard]] std::string text(const site::ProgressLine& line) const {
    std::string text{site::word_of(line.phase)};
    if (line.iterations > 0) {
      const bool known = !std::isnan(line.common);
      text +=
          fmt::format("  iteration {} of at most {}  rounds {}  {} {:.6g}  sent {} kB", line.iterations, planned_,
                      line.rounds, known ? "error" : "own error", known ? line.common : line.error, line.bytes / 1000);
    }
    const double waited = watch_.seconds() - waiting_since_;
    if (!line.waiting_for.empty() && waited >= 2) {
      text += fmt::format("  waiting for {} for {:.0f} s", fmt::join(line.waiting_for, ", "), waited);
    }
    return text;
  }

  // The reader may be gone; that is its business.
  void tell(std::string_view line) {
    while (!line.empty()) {
      const ssize_t written = ::write(*descriptor_, line.data(), line.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return descriptor_.reset();
      line.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  LiveLine live_;
  std::unique_ptr<PageProcess> page_;
  bool quiet_;
  int planned_ = 0;
  std::optional<int> descriptor_;
  Stopwatch watch_;
  site::ProgressLine last_;
  double last_seconds_ = -1e9;
  double waiting_since_ = 0;
  std::int64_t shown_iterations_ = -1;
};

Result<site::AgentRequest> request_of(const AgentOptions& options,
                                      const std::function<void(const std::string& sentence)>& log) {
  site::AgentRequest request;
  request.consortium = options.consortium;
  request.identity = options.identity;
  request.passphrase = [&] { return passphrase_for(options.identity, options.passphrase_fd); };
  request.read_data = [&, log](const io::ReadLimits& limits) -> Result<io::Table> {
    if (options.several == nullptr) return convert::read_or_leave(options.data, options.on_disk, limits);
    PPDNMF_TRY(io::JoinedTable joined, options.several->load({options.data}, options.clip_negative));
    for (const std::string& note : joined.notes) log(note);
    return std::move(joined.table);
  };
  request.data_place = options.data;
  request.clip_negative = options.clip_negative;
  request.arranged = [&](io::Table& data) -> Status {
    if (options.image.empty()) return {};
    PPDNMF_TRY(data.image, parse_image(options.image, data.rows()));
    return {};
  };
  request.pictures = options.view.pictures;
  request.exposures = options.view.exposures;
  request.start_from = options.start_from;
  request.known = options.known;
  request.folder = options.out;
  request.force = options.force;
  request.ledger = options.ledger;
  request.approval = options.approval;
  request.data_name = options.data_name;
  if (!options.persons.empty()) {
    request.read_persons = [&](const io::Table& data) {
      return io::read_persons(options.persons, data.column_names, data.columns());
    };
  }
  request.exact_anyway = options.exact_anyway;
  request.max_wait = std::chrono::seconds(options.max_wait);
  request.linger = std::chrono::seconds(options.linger);
  request.version = kVersion;
  if (!options.listen.empty()) {
    auto address = identity::parse_address(options.listen);
    if (!address) return at("--listen", std::move(address).error());
    request.listen = *std::move(address);
  }
  PPDNMF_TRY(request.proxy, chosen_proxy(options.proxy));
  return request;
}

Status print_result(const AgentOptions& options, const std::vector<std::string>& notes) {
  if (options.json) {
    PPDNMF_TRY(const Bytes record, io::read_file(options.out / "run.json", std::uint64_t{1} << 30U));
    fmt::print("{}", io::as_text(record));
    return {};
  }
  if (options.quiet) return {};
  for (const std::string& note : notes) fmt::print("{}\n", note);
  fmt::print("X, Y and report.html are in {}\n", options.out.string());
  return {};
}

}  // namespace

Status run_agent(const AgentOptions& options) {
  host::hide_memory();
  if (options.die_with_parent) PPDNMF_TRY_STATUS(follow_parent());
  net::prepare_process_for_transport();
  (void)std::signal(SIGPIPE, SIG_IGN);
  Shown shown(options);
  PPDNMF_TRY(const site::AgentRequest request,
             request_of(options, [&](const std::string& sentence) { shown.log(sentence); }));
  std::optional<host::ThreadPool> own_pool;
  Executor* executor = nullptr;
  const auto threads = static_cast<std::size_t>(options.threads);
  if (options.several != nullptr) {
    PPDNMF_TRY(executor, options.several->begin(threads, options.out));
  } else {
    executor = &own_pool.emplace(host::threads_or_all(threads));
  }
  PPDNMF_TRY_STATUS(shown.open_page(options.page));
  site::DaemonListener listener;
  listener.begins = [&](int iterations) {
    host::catch_interrupts();
    shown.plan(iterations);
  };
  listener.log = [&](const std::string& sentence) { shown.log(sentence); };
  listener.progress = [&](const site::ProgressLine& line) { shown.progress(line); };
  listener.status = [&](const site::AgentStatus& status) { shown.show(status); };
  listener.interrupted = [] { return host::interrupted(); };
  PPDNMF_TRY(const site::AgentResult result, site::take_part(request, *executor, listener));
  PPDNMF_TRY_STATUS(print_result(options, result.notes));
  if (result.unheard.empty()) return {};
  return error(ErrorCode::kUnheard, "{}", site::words_for_unheard(result.unheard));
}

}  // namespace ppdnmf::app
