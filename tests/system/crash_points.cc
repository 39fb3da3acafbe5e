// What happens at the injection points of ppdnmf_crashing. PPDNMF_CRASH is a list of ACTION:POINT:COUNT, separated by
// commas: when POINT is reached for the COUNT-th time (from 1), `kill` ends the process as kill -9 does, and `full`
// makes this step of the journal fail as on a full disk.
//
// PPDNMF_LIE is NUMBER:AGENT: this agent is told another total NUMBER than there is.
//
// PPDNMF_POINTS is a file to which each point adds a line: seconds by the clock, of the processor, of the processor
// for the daemon's own thread, the point's name, the process.
//
// Without PPDNMF_POINTS it also looks, at every point of a save, whether the new state is for its owner alone.
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <string_view>

#include <ppdnmf/journal/internal/injection.h>
#include <ppdnmf/site/internal/injection.h>

namespace ppdnmf {
namespace {

constexpr std::array<std::string_view, 6> kJournalPoints = {"opened", "half", "written", "synced", "renamed", "folder"};
constexpr std::array<std::string_view, 5> kSessionPoints = {"stepped", "saved", "sending", "kept", "farewell"};

// Points are reached on the daemon's one thread only.
bool due(std::string_view action, std::string_view point, int count) {
  const char* plan = std::getenv("PPDNMF_CRASH");
  const std::string entry = std::string(action) + ":" + std::string(point) + ":" + std::to_string(count) + ",";
  return plan != nullptr && ("," + std::string(plan) + ",").find("," + entry) != std::string::npos;
}

double seconds(clockid_t clock) {
  timespec now{};
  (void)::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void note(std::string_view point) {
  const char* path = std::getenv("PPDNMF_POINTS");
  if (path == nullptr) return;
  static std::FILE* const file = std::fopen(path, "ae");
  if (file == nullptr) return;
  std::fprintf(file, "%.6f %.6f %.6f %s %d\n", seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID),
               seconds(CLOCK_THREAD_CPUTIME_ID), std::string(point).c_str(), ::getpid());
  std::fflush(file);
}

int reached(std::string_view point) {
  note(point);
  static std::map<std::string_view, int> counts;
  const int count = ++counts[point];
  if (due("kill", point, count)) (void)::kill(::getpid(), SIGKILL);
  return count;
}

// The journal works relative to its folder's descriptor, so the open files are what there is to look at.
void check_modes() {
  for (int descriptor = 3; descriptor < 256; ++descriptor) {
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    std::array<char, 4096> target{};
    if (::readlink(link.c_str(), target.data(), target.size() - 1) <= 0) continue;
    struct stat about {};
    if (!std::string_view(target.data()).ends_with("/journal/state.new") || ::fstat(descriptor, &about) != 0) continue;
    if ((about.st_mode & 0777U) == 0600U) continue;
    std::fprintf(stderr, "crash_points: %s has mode %o\n", target.data(), about.st_mode & 0777U);
    std::abort();
  }
}

}  // namespace

int journal::inject(JournalPoint point) {
  const std::string_view name = kJournalPoints.at(static_cast<std::size_t>(point));
  if (std::getenv("PPDNMF_POINTS") == nullptr) check_modes();  // looking takes time
  return due("full", name, reached(name)) ? ENOSPC : 0;
}

void site::inject(SessionPoint point) { (void)reached(kSessionPoints.at(static_cast<std::size_t>(point))); }

void site::inject(member::Post& post) {
  const char* plan = std::getenv("PPDNMF_LIE");
  auto* message = std::get_if<protocol::Message>(&post.content);
  auto* total = message != nullptr ? std::get_if<protocol::Total>(&message->body) : nullptr;
  if (plan == nullptr || total == nullptr || total->payload.empty()) return;
  if (std::to_string(total->number) + ":" + std::to_string(post.to.value) == plan) total->payload.front() ^= 1U;
}

}  // namespace ppdnmf
