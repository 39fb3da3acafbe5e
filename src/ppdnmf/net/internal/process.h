// gRPC's process-wide side: environment, log, life time.
#ifndef PPDNMF_NET_INTERNAL_PROCESS_H_
#define PPDNMF_NET_INTERNAL_PROCESS_H_

#include <functional>
#include <string>

namespace ppdnmf::net {

// As prepare_process_for_transport(), once; and starts gRPC, which then stays until the process ends.
void start_grpc();

// While it lives, `hear` is told of TLS handshakes that failed on the listening side: gRPC tells its log and nobody
// else. Any thread calls it. All listeners of a process hear of all failures.
class HandshakeWatch {
 public:
  explicit HandshakeWatch(std::function<void(const std::string&)> hear);
  ~HandshakeWatch();
  HandshakeWatch(const HandshakeWatch&) = delete;
  HandshakeWatch& operator=(const HandshakeWatch&) = delete;
  HandshakeWatch(HandshakeWatch&&) = delete;
  HandshakeWatch& operator=(HandshakeWatch&&) = delete;

 private:
  std::function<void(const std::string&)> hear_;
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_INTERNAL_PROCESS_H_
