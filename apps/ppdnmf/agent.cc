#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "apps/ppdnmf/clock.h"
#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/options.h"
#include "apps/ppdnmf/passphrase.h"
#include "apps/ppdnmf/progress.h"
#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/check.h>
#include <ppdnmf/consortium/columns.h>
#include <ppdnmf/consortium/member_data.h>
#include <ppdnmf/site/daemon.h>
#include <ppdnmf/host/interrupt.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/io/text.h>
#include "version.h"

namespace ppdnmf::app {
namespace {

struct Options {
  std::filesystem::path consortium, identity, out, start_from, ledger;
  std::string data, image, listen, data_name;
  bool clip_negative = false;
  std::optional<int> passphrase_fd;
  int threads = 0;
  int max_wait = 0;
  int linger = 60;
  bool force = false;
  bool json = false;
  bool quiet = false;
  std::optional<int> progress_fd;
  bool die_with_parent = false;
};

// Secrets are in memory: neither a core file nor a debugger of another process may have them.
void hide_memory() {
  const rlimit none{0, 0};
  (void)::setrlimit(RLIMIT_CORE, &none);
  (void)::prctl(PR_SET_DUMPABLE, 0);
}

Status follow_parent() {
  const pid_t parent = ::getppid();
  (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) return error(ErrorCode::kInterrupted, "the process that started this one is gone");
  return {};
}

Result<AgentId> find_member(const consortium::CheckedConsortium& consortium, const identity::PrivateIdentity& identity,
                            const Options& options) {
  const auto self = consortium.find(identity.public_identity());
  if (self) return *self;
  return error(ErrorCode::kUsage,
               "{} is no member of {}: 'ppdnmf identity show' and 'ppdnmf consortium check' print who is",
               options.identity.string(), options.consortium.string());
}

Result<io::CheckedTable> read_data(const Options& options, const consortium::CheckedConsortium& consortium, AgentId self) {
  PPDNMF_TRY(io::Table table, io::read_matrix(options.data));
  PPDNMF_TRY(io::CheckedTable checked,
             consortium::arrange_rows(std::move(table), options.data, options.clip_negative, consortium.content()));
  PPDNMF_TRY_STATUS(consortium::check_columns(consortium, self, checked.table.values.cols()));
  if (!options.image.empty()) {
    PPDNMF_TRY(checked.table.image, parse_image(options.image, checked.table.values.rows()));
  }
  return checked;
}

// Resuming is the rule, so a folder with a journal is no mistake; results without one are somebody else's.
Status prepare_folder(const Options& options) {
  std::error_code failure;
  std::filesystem::create_directories(options.out, failure);
  if (failure) return error(ErrorCode::kFile, "{}: cannot be made: {}", options.out.string(), failure.message());
  if (std::filesystem::exists(options.out / "journal", failure)) return {};
  return site::check_no_results(options.out, options.force);
}

class Shown {
 public:
  Shown(const Options& options, int planned)
      : live_(options.quiet), quiet_(options.quiet), planned_(planned), descriptor_(options.progress_fd) {}

  void log(const std::string& sentence) {
    live_.end();
    if (!quiet_) fmt::print(stderr, "ppdnmf: {}\n", sentence);
  }

  void progress(const site::ProgressLine& line) {
    if (descriptor_) tell(site::progress_line(line));
    const bool news = line.phase != last_.phase || line.because != last_.because;
    const bool waits_long = !line.waiting_for.empty() && watch_.seconds() - last_seconds_ > 30;
    if (line.bcd != last_.bcd || line.phase != last_.phase) waiting_since_ = watch_.seconds();
    last_ = line;
    const bool due = live_.is_terminal() || news || waits_long || watch_.seconds() - last_seconds_ > 5;
    if (!due || (!live_.is_terminal() && !news && !waits_long && line.bcd == shown_bcd_)) return;
    last_seconds_ = watch_.seconds();
    shown_bcd_ = line.bcd;
    live_.show(text(line));
  }

 private:
  [[nodiscard]] std::string text(const site::ProgressLine& line) const {
    std::string text{site::word_of(line.phase)};
    if (line.bcd > 0) {
      const bool known = !std::isnan(line.common);
      text += fmt::format("  iteration {} of at most {}  exchanges {}  {} {:.6g}  sent {} kB", line.bcd, planned_,
                          line.exchanges, known ? "error" : "own error", known ? line.common : line.error,
                          line.bytes / 1000);
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
  bool quiet_;
  int planned_;
  std::optional<int> descriptor_;
  Stopwatch watch_;
  site::ProgressLine last_;
  double last_seconds_ = -1e9;
  double waiting_since_ = 0;
  std::int64_t shown_bcd_ = -1;
};

Status print_result(const Options& options, const std::vector<std::string>& notes) {
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

Status run_agent(const Options& options) {
  hide_memory();
  if (options.die_with_parent) PPDNMF_TRY_STATUS(follow_parent());
  net::prepare_process_for_transport();
  (void)std::signal(SIGPIPE, SIG_IGN);
  PPDNMF_TRY(consortium::Consortium content, consortium::read_consortium(options.consortium));
  auto checked = consortium::CheckedConsortium::create(std::move(content), now());
  if (!checked) return at(options.consortium.string(), std::move(checked).error());
  const consortium::CheckedConsortium& consortium = *checked;
  PPDNMF_TRY(const identity::PrivateIdentity identity, open_identity(options.identity, options.passphrase_fd));
  PPDNMF_TRY(const AgentId self, find_member(consortium, identity, options));
  PPDNMF_TRY(io::CheckedTable data, read_data(options, consortium, self));

  site::DaemonConfig config;
  config.consortium = &consortium;
  config.self = self;
  config.identity = &identity;
  config.data = std::move(data.table);
  config.folder = options.out;
  config.version = kVersion;
  config.warnings = data.notes;
  config.data_name = options.data_name;
  config.ledger = options.ledger;
  if (config.ledger.empty()) config.ledger = std::filesystem::path(options.identity).replace_extension(".ledger");
  config.most_wait = std::chrono::seconds(options.max_wait);
  config.linger = std::chrono::seconds(options.linger);
  if (!options.listen.empty()) {
    auto address = consortium::parse_address(options.listen);
    if (!address) return at("--listen", std::move(address).error());
    config.listen = *std::move(address);
  }
  if (!options.start_from.empty()) {
    PPDNMF_TRY(io::Table X, io::read_matrix(options.start_from));
    config.start_from = std::move(X.values);
  }
  if (config.start_from && consortium.content().start_from) {
    config.warnings.push_back(
        fmt::format("this run goes on from an earlier X: every member can compute the part that {} had in the totals",
                    fmt::join(consortium.content().allow_difference_of, ", ")));
  }
  PPDNMF_TRY_STATUS(prepare_folder(options));

  const int threads = options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
  host::ThreadPool pool(static_cast<std::size_t>(std::max(1, threads)));
  host::catch_interrupts();
  Shown shown(options, consortium.content().settings.iterations.value_or(0));
  shown.log(fmt::format("{} of {} members; all must see the same digits: {}", identity.public_identity().name(),
                        consortium.content().members.size(), spoken(consortium.digest())));
  for (const std::string& warning : config.warnings) shown.log(warning);
  if (consortium.content().throw_away_seed) {  // the report says so by itself
    shown.log("every secret of this run follows from a seed in its file: it protects nobody's data");
  }
  const site::DaemonListener listener{[&](const std::string& sentence) { shown.log(sentence); },
                                [&](const site::ProgressLine& line) { shown.progress(line); }, [] { return host::interrupted(); }};
  PPDNMF_TRY(const std::vector<std::string> notes, site::take_part(config, pool, listener));
  return print_result(options, notes);
}

}  // namespace

void add_agent(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("agent", "Take part in a real run; the same command again goes on with it");
  auto options = std::make_shared<Options>();
  command->add_option("--consortium", options->consortium, "the file that all members have")->required();
  command->add_option("--identity", options->identity, "this member's .key file")->required();
  command->add_option("--data", options->data, "this member's own columns: .npy, .csv, .tsv, .mtx, .mat, PGM folder")
      ->required();
  command->add_option("--out", options->out, "folder for the results and the run's state")->required();
  add_ledger_options(*command, options->ledger, options->data_name);
  command->get_option("--ledger")->description("private runs: file of budgets (beside the identity: NAME.ledger)");
  command->add_option("--listen", options->listen, "ADDR:PORT to bind instead of the address in the file");
  command->add_option("--start-from", options->start_from, "the X.npy that the consortium file goes on from");
  command->add_flag("--clip-negative", options->clip_negative, "set negative entries to zero");
  command->add_option("--image", options->image, "HxW: columns are images of this size, for the report");
  command->add_option("--passphrase-fd", options->passphrase_fd, "read the key's passphrase from this file descriptor")
      ->check(CLI::Range(0, 1 << 20));
  command->add_option("--threads", options->threads, "threads for the arithmetic (0: as many as processors)")
      ->check(CLI::Range(0, 4096));
  command->add_option("--max-wait", options->max_wait, "give up when nothing comes for so many seconds (0: never)")
      ->check(CLI::Range(0, 1 << 30));
  command
      ->add_option("--linger", options->linger,
                   "seconds to stay after the end for neighbours that missed the last messages (60)")
      ->check(CLI::Range(0, 1 << 30));
  command->add_flag("--force", options->force, "write into a folder that holds other results");
  command->add_flag("--json", options->json, "print run.json at the end");
  command->add_flag("--quiet", options->quiet, "print nothing but errors");
  command->add_option("--progress-fd", options->progress_fd, "write progress as lines of JSON to this descriptor")
      ->check(CLI::Range(0, 1 << 20));
  command->add_flag("--die-with-parent", options->die_with_parent, "end when the process that started this one ends");
  command->footer(
      "Example: ppdnmf agent --consortium trial.toml --identity hospital-a.key --data counts.csv --out run1");
  command->callback([options, &outcome] { outcome = run_agent(*options); });
}

}  // namespace ppdnmf::app
