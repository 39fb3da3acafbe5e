#include <ppdnmf/host/interrupt.h>

#include <atomic>
#include <csignal>

namespace ppdnmf::host {
namespace {

std::atomic<bool> g_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may use only lock-free atomics");

extern "C" void on_signal(int signal_number) {
  g_interrupted = true;
  // What follows is the default again, so that a person who insists gets through.
  std::signal(signal_number, SIG_DFL);  // NOLINT(cert-err33-c)
}

}  // namespace

void catch_interrupts() {
  for (const int signal_number : {SIGINT, SIGTERM}) std::signal(signal_number, on_signal);  // NOLINT(cert-err33-c)
}

bool interrupted() { return g_interrupted; }

}  // namespace ppdnmf::host
