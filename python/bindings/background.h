// Long work beside a Python that stays alive: the work runs on a thread of its own without the interpreter's lock, the
// caller's thread waits, hands progress to Python and asks for Ctrl-C several times a second.
#ifndef PPDNMF_PYTHON_BACKGROUND_H_
#define PPDNMF_PYTHON_BACKGROUND_H_

#include <functional>

#include <ppdnmf/base/result.h>
#include <ppdnmf/report/run_record.h>

namespace ppdnmf::python {

// How the work talks to whoever waits for it. Only the work's thread calls it.
class Monitor {
 public:
  Monitor() = default;
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  Monitor(Monitor&&) = delete;
  Monitor& operator=(Monitor&&) = delete;
  virtual ~Monitor() = default;

  // The caller has given up: return soon, with any Status.
  [[nodiscard]] virtual bool given_up() const = 0;
  // Hands the row to the listener and waits for its answer. True: end here, the result so far is wanted.
  [[nodiscard]] virtual bool report(const report::HistoryRow& row) = 0;
};

using Work = std::function<Status(Monitor&)>;
// Called on the caller's thread, with the interpreter's lock. Throws as Python code does.
using Listener = std::function<bool(const report::HistoryRow&)>;

// When the caller gives up (Ctrl-C, or the listener has thrown), either the work is left to itself, so that control
// returns at once, or it is waited for. Work that is left must own all it touches, through what the closure holds; it
// ends at its next look at given_up(), and the interpreter's exit waits for it. Work that reads Python's memory must be
// waited for, and look often.
enum class OnGivingUp : std::uint8_t { kLeaveIt, kWaitForIt };

// Throws the work's error as `raise` does, KeyboardInterrupt or the listener's exception. Needs the interpreter's lock,
// and holds it only while it talks to Python. `listener` may be empty.
void run_in_background(Work work, OnGivingUp on_giving_up, const Listener& listener = {});

// Returns when no work that was left to itself is running any more; throws KeyboardInterrupt for whoever insists. Needs
// the interpreter's lock, and lets go of it while it waits.
void wait_for_left_work();

}  // namespace ppdnmf::python

#endif  // PPDNMF_PYTHON_BACKGROUND_H_
