// ppdnmf-mpi: the commands `factorize` and `agent` on many machines of one site (docs/cluster.md). Process 0 is the
// program; the others do what it says.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/exit_codes.h"
#include "apps/ppdnmf/several.h"
#include "version.h"
#include <ppdnmf/host/hidden_memory.h>
#include <ppdnmf/host/interrupt.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/mpi/mpi_line.h>
#include <ppdnmf/spread/crew.h>
#include <ppdnmf/spread/loading.h>
#include <ppdnmf/spread/spread_executor.h>

namespace ppdnmf::app {
namespace {

constexpr const char* kName = "ppdnmf-mpi";

void print(const std::string& sentence) { std::fprintf(stderr, "%s: %s\n", kName, sentence.c_str()); }

// Process 0 with the others behind it.
class Processes final : public Several {
 public:
  explicit Processes(const mpi::Session& session)
      : session_(session),
        line_(session, {[this](const std::string& sentence) { lose(sentence); }, [] { return host::interrupted(); },
                        [this](const std::string& sentence) { warn(sentence); }}) {}
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  Processes(Processes&&) = delete;
  Processes& operator=(Processes&&) = delete;
  ~Processes() override {
    if (!crew_) line_.tell_all(spread::TaskWriter(spread::Task::kEnd).take());  // they wait for their first task
  }

  Result<Executor*> begin(std::size_t threads, const std::filesystem::path& folder) override {
    folder_ = folder;
    const std::size_t own = threads == 0 ? session_.usual_threads() : threads;
    pool_.emplace(own);
    crew_.emplace(line_, *pool_, kVersion, threads);
    PPDNMF_TRY_STATUS(crew_->greet());
    const std::size_t beside = session_.threads_beside(own);
    if (beside > own) session_.on_all_processors([&] { beside_.emplace(beside); });
    return &executor_.emplace(beside_ ? *beside_ : *pool_, *crew_);
  }

  Result<io::JoinedTable> load(const std::vector<std::string>& files, bool clip_negative) override {
    PPDNMF_TRY(spread::Loaded loaded, spread::load(*crew_, files, clip_negative));
    return io::JoinedTable{std::move(loaded.table), std::move(loaded.file_columns), std::move(loaded.notes)};
  }

 private:
  // What is on disk is whole: files appear as a whole or not at all, and a state before anything that follows from it.
  void warn(const std::string& sentence) const {
    print(fmt::format("{}; the same command goes on from what was saved in {}", sentence, folder_.string()));
  }
  void lose(const std::string& sentence) const {
    warn(sentence);
    mpi::Session::abort(exit_code(ErrorCode::kInterrupted));
  }

  const mpi::Session& session_;
  mpi::MpiLine line_;
  std::filesystem::path folder_;
  std::optional<host::ThreadPool> pool_;    // for process 0's columns, while the others work on theirs,
  std::optional<host::ThreadPool> beside_;  // and for the rest, while they wait
  std::optional<spread::Crew> crew_;
  std::optional<spread::SpreadExecutor> executor_;
};

int lead(const mpi::Session& session, int argc, char** argv) {
  CLI::App app(
      "Factorise the columns of one site on many of its machines, alone or together with other organisations.");
  app.name(kName);
  app.set_version_flag("--version", std::string(kName) + " " + kVersion);
  app.require_subcommand(1);
  app.footer("Example: mpirun -n 8 ppdnmf-mpi factorize 'part-*.npy' --rank 5 --out out/counts\n" + exit_codes_text());
  host::catch_interrupts();  // the sentence of a lost process comes after this process was told to end, too
  Status outcome;
  Processes processes(session);
  add_factorize(app, outcome, &processes);
  add_agent(app, outcome, &processes);
  return run_commands(app, outcome, argc, argv);
}

// What stops process 0 stops the others through it: a checkpoint needs their Y.
int follow(const mpi::Session& session) {
  for (const int signal_number : {SIGINT, SIGTERM}) (void)std::signal(signal_number, SIG_IGN);
  mpi::MpiLine line(session, {[](const std::string& sentence) {
                                print(sentence);
                                mpi::Session::abort(exit_code(ErrorCode::kInterrupted));
                              },
                              {},
                              {}});
  std::optional<host::ThreadPool> pool;
  spread::serve(line, session.process(), kVersion, [&](std::size_t threads) -> Executor& {
    return pool.emplace(threads == 0 ? session.usual_threads() : threads);
  });
  return kExitSuccess;
}

int run(int argc, char** argv) {
  Result<mpi::Session> session = mpi::Session::start(argc, argv);
  if (!session) {
    print(session.error().message);
    return exit_code(session.error().code);
  }
  // An agent's columns are nobody else's business on any of the machines.
  if (argc > 1 && std::string_view(argv[1]) == "agent") host::hide_memory();
  // One process that ends without the others would leave them waiting.
  try {
    return session->process() == 0 ? lead(*session, argc, argv) : follow(*session);
  } catch (const std::bad_alloc&) {
    print(fmt::format("there is not enough memory for this (process {})", session->process()));
  } catch (const std::exception& problem) {
    print(fmt::format("a defect in ppdnmf (process {}): {}", session->process(), problem.what()));
  }
  mpi::Session::abort(exit_code(ErrorCode::kInternal));
}

}  // namespace
}  // namespace ppdnmf::app

int main(int argc, char** argv) { return ppdnmf::app::run(argc, argv); }
