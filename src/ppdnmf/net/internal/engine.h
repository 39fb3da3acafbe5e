// Listens, dials, moves frames. Everything that gRPC completes comes back through one completion queue to one thread,
// and one lock guards all streams, so that no two things happen at once. A consumer's thread begins a read or a write
// by itself, without waking the engine's thread: gRPC never calls us from inside such a beginning, so the lock may be
// held.
#ifndef PPDNMF_NET_INTERNAL_ENGINE_H_
#define PPDNMF_NET_INTERNAL_ENGINE_H_

#include <grpcpp/alarm.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <ppdnmf/net/gate.h>
#include <ppdnmf/net/internal/board.h>
#include <ppdnmf/net/internal/dialler.h>
#include <ppdnmf/net/internal/process.h>
#include <ppdnmf/net/internal/server_stream.h>

namespace ppdnmf::net {

class Engine {
 public:
  Engine(const TransportConfig& config, Board& board);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  Engine(Engine&&) = delete;
  Engine& operator=(Engine&&) = delete;

  // Binds, and starts the thread. Before anything else.
  [[nodiscard]] Status start(const identity::PrivateIdentity& self);
  [[nodiscard]] std::uint16_t listening_port() const { return gate_ ? gate_->port() : 0; }
  // From any thread. There may be something to read or to write for this peer.
  void stir(std::size_t peer);
  void end(std::size_t peer, StreamNumber stream, const std::string& why);

 private:
  [[nodiscard]] Status listen(const identity::PrivateIdentity& self);
  void open_gate();
  void take_connection(int connection);
  void run();
  [[nodiscard]] Clock::time_point work();
  void wait_for_call();
  void called(ServerStream& stream);
  void answered(ServerStream& stream);
  void reap();
  void watch_gate(Clock::time_point now);
  void go_on_closing();

  const TransportConfig& config_;
  Board& board_;
  std::optional<HandshakeWatch> watch_;
  std::unique_ptr<Passages> passages_;  // with a relay or a proxy; ends after the server, whose sockets it serves
  std::unique_ptr<grpc::CompletionQueue> queue_;
  grpc::ServerCompletionQueue* server_queue_ = nullptr;  // the same one, if we listen
  grpc::AsyncGenericService service_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor_;  // takes what the gate hands on
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<Gate> gate_;
  std::optional<Clock::time_point> told_of_gate_;  // that it is dead

  std::mutex mutex_;  // for all that follows
  std::list<std::unique_ptr<Stream>> streams_;
  std::vector<Stream*> current_;                  // by peer; only opened ones, and those that are being dialled
  std::vector<std::optional<Dialler>> diallers_;  // by peer
  enum class Phase : std::uint8_t { kRunning, kClosing, kStreamsClosed, kDraining, kQueueShut };
  Phase phase_ = Phase::kRunning;
  std::condition_variable phase_changed_;
  grpc::Alarm alarm_;
  Operation wake_;
  std::thread thread_;
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_INTERNAL_ENGINE_H_
