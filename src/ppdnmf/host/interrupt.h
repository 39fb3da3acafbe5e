// Ctrl-C as a question: a long computation asks now and then whether it should stop.
#ifndef PPDNMF_HOST_INTERRUPT_H_
#define PPDNMF_HOST_INTERRUPT_H_

namespace ppdnmf::host {

// From now on the first SIGINT or SIGTERM only makes `interrupted()` true; a second one ends the process at once.
void catch_interrupts();
[[nodiscard]] bool interrupted();

}  // namespace ppdnmf::host

#endif  // PPDNMF_HOST_INTERRUPT_H_
