#include <ppdnmf/launch/watch.h>

#include <algorithm>

namespace ppdnmf::launch {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kPatience{200};

bool somebody_failed(const Crew& crew) {
  for (std::size_t i = 0; i < crew.size(); ++i) {
    if (crew.exit_code(i).value_or(0) != 0) return true;
  }
  return false;
}

// Who fails tells its neighbours, and they may be faster at ending: for a moment all may say what they have to say.
Error reason(Crew& crew) {
  constexpr milliseconds kMoment{1000};
  const auto until = steady_clock::now() + kMoment;
  while (!crew.all_ended() && steady_clock::now() < until) {
    if (!crew.wait(kPatience)) break;
  }
  return failure_of(crew);
}

Result<bool> work(Crew& crew, const Watcher& watcher) {
  while (!crew.all_ended()) {
    PPDNMF_TRY(const std::vector<Crew::News> news, crew.wait(kPatience));
    for (const Crew::News& one : news) {
      if (one.line.phase == site::AgentPhase::kPortTaken) return false;
      watcher.observer(one.child, one.line);
    }
    if (somebody_failed(crew)) return tl::unexpected(reason(crew));
    if (watcher.stop_wanted()) return error(ErrorCode::kInterrupted, "interrupted");
  }
  return true;
}

}  // namespace

Result<bool> watch(Crew& crew, const Watcher& watcher) {
  Result<bool> done = work(crew, watcher);
  crew.end(watcher.grace);
  return done;
}

}  // namespace ppdnmf::launch
