// Looking after a crew until it has done its work.
#ifndef PPDNMF_LAUNCH_WATCH_H_
#define PPDNMF_LAUNCH_WATCH_H_

#include <functional>

#include <ppdnmf/base/result.h>
#include <ppdnmf/launch/crew.h>

namespace ppdnmf::launch {

struct Watcher {
  std::function<void(std::size_t child, const site::ProgressLine& line)> observer;
  std::function<bool()> stop_wanted;      // asked several times a second
  std::chrono::milliseconds grace{5000};  // between asking a child to end and killing it
};

// Whether the crew's work is done. False: one of them found its port taken; try again with others. Whatever comes of
// it, no child runs any more. Fails with failure_of the crew, with kInterrupted after stop_wanted, with kInternal on a
// child that reports nonsense.
[[nodiscard]] Result<bool> watch(Crew& crew, const Watcher& watcher);

}  // namespace ppdnmf::launch

#endif  // PPDNMF_LAUNCH_WATCH_H_
