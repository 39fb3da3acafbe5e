#include <ppdnmf/report/gnuplot.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <limits>
#include <system_error>
#include <thread>

#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/descriptor.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::report {
namespace {

constexpr std::chrono::seconds kPatience{60};
constexpr std::uint64_t kLargestPlot = std::uint64_t{1} << 26U;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code code;
    std::string pattern = (std::filesystem::temp_directory_path(code) / "ppdnmf_plot_XXXXXX").string();
    if (!code && ::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  // Empty if there is none.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Waits for the child, but not for ever. The status as waitpid gives it; negative if it was stopped for taking too
// long.
int wait_for(pid_t child) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) {
      (void)::kill(child, SIGKILL);
      (void)::waitpid(child, &status, 0);
      return -1;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return status;
}

// `program script` with nothing to read and nobody to talk to.
Status run(const std::string& program, const std::string& script) {
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) return error(ErrorCode::kFile, "{} cannot be started", program);
  (void)::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  (void)::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  (void)::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::string name = program;
  std::string argument = script;
  char* const arguments[] = {name.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int code = ::posix_spawnp(&child, name.c_str(), &actions, nullptr, arguments, environ);
  (void)::posix_spawn_file_actions_destroy(&actions);
  if (code != 0) return error(ErrorCode::kFile, "{} cannot be started: {}", program, io::errno_text(code));
  const int status = wait_for(child);
  if (status < 0) return error(ErrorCode::kFile, "{} did not end within {} seconds", program, kPatience.count());
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return error(ErrorCode::kFile, "{} failed", program);
  return {};
}

// gnuplot's single-quoted strings know one escape: a quote is written twice.
std::string single_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out.append(c == '\'' ? 2 : 1, c);
  return out + "'";
}

// A PNG has twice the pixels that the plot asks for: it must look well in print and on sharp screens.
std::string terminal(const Plot& plot, PlotFormat format) {
  if (format == PlotFormat::kPng) {
    return fmt::format(
        "pngcairo size {},{} noenhanced font 'Helvetica,11' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'",
        2 * plot.width, 2 * plot.height);
  }
  return fmt::format("svg size {},{} dynamic noenhanced font 'Helvetica,15' background '#ffffff'", plot.width,
                     plot.height);
}

}  // namespace

std::string gnuplot_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : io::printable(text)) out += c == '"' ? '\'' : c == '\\' ? '/' : c;
  return out + "\"";
}

Result<std::vector<Bytes>> draw_plots(const std::vector<Plot>& plots, const std::string& program, PlotFormat format) {
  if (plots.empty()) return std::vector<Bytes>();
  const TemporaryFolder folder;
  if (folder.path().empty()) return error(ErrorCode::kFile, "a temporary folder for the plots cannot be created");
  std::string script = "set encoding utf8\n";
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const auto data = folder.path() / fmt::format("data{}", i);
    const auto picture = folder.path() / fmt::format("plot{}", i);
    PPDNMF_TRY_STATUS(io::write_file(data, plots[i].data));
    script +=
        fmt::format("reset\nset terminal {}\nset output {}\ndata = {}\n{}\nset output\n", terminal(plots[i], format),
                    single_quoted(picture.string()), single_quoted(data.string()), plots[i].script);
  }
  PPDNMF_TRY_STATUS(io::write_file(folder.path() / "script", script));
  PPDNMF_TRY_STATUS(run(program, (folder.path() / "script").string()));
  std::vector<Bytes> pictures;
  for (std::size_t i = 0; i < plots.size(); ++i) {
    PPDNMF_TRY(Bytes picture, io::read_file(folder.path() / fmt::format("plot{}", i), kLargestPlot));
    pictures.push_back(std::move(picture));
  }
  return pictures;
}

}  // namespace ppdnmf::report
