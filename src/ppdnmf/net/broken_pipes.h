// For threads that write to sockets through OpenSSL or write(), as to files.
#ifndef PPDNMF_NET_BROKEN_PIPES_H_
#define PPDNMF_NET_BROKEN_PIPES_H_

#include <csignal>
#include <ctime>

namespace ppdnmf::net {

// While it lives, a peer that has closed its end does not end this process when the thread writes to it (SIGPIPE). For
// one thread; may be nested.
class NoBrokenPipes {
 public:
  NoBrokenPipes() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  NoBrokenPipes(const NoBrokenPipes&) = delete;
  NoBrokenPipes& operator=(const NoBrokenPipes&) = delete;
  NoBrokenPipes(NoBrokenPipes&&) = delete;
  NoBrokenPipes& operator=(NoBrokenPipes&&) = delete;
  ~NoBrokenPipes() {
    const timespec at_once{};
    while (sigtimedwait(&pipe_, nullptr, &at_once) > 0) continue;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_{}, before_{};
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_BROKEN_PIPES_H_
