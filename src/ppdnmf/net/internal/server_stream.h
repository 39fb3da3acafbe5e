// The side of a stream that listened.
#ifndef PPDNMF_NET_INTERNAL_SERVER_STREAM_H_
#define PPDNMF_NET_INTERNAL_SERVER_STREAM_H_

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

#include <functional>
#include <optional>

#include <ppdnmf/net/internal/stream.h>

namespace ppdnmf::net {

class ServerStream final : public Stream {
 public:
  struct Hooks {
    std::function<void(ServerStream&)> called;    // somebody called; accept() or refuse()
    std::function<void(ServerStream&)> answered;  // it may be opened: begin()
  };
  // Waits for a call.
  ServerStream(Board& board, const TransportConfig& config, grpc::AsyncGenericService& service,
               grpc::ServerCompletionQueue& queue, Hooks hooks);

  // Who called, and what.
  [[nodiscard]] const grpc::GenericServerContext& context() const { return context_; }
  void accept(std::size_t peer);
  void refuse(grpc::StatusCode code, const std::string& why);
  void begin() { open(peer()); }

 private:
  void requested(bool ok);
  void answer_sent(bool ok);
  void done();
  void begin_finish(const grpc::Status& status);

  void start_read(grpc::ByteBuffer& into, void* tag) override { call_.Read(&into, tag); }
  void start_write(const grpc::ByteBuffer& frame, void* tag) override { call_.Write(frame, tag); }
  void read_ended() override;
  void start_end(const std::string& why) override;
  void start_close() override;
  void last_write_done() override;
  void cancel() override;
  [[nodiscard]] bool idle() const override;
  [[nodiscard]] Clock::time_point opening_deadline() const override;

  Hooks hooks_;
  grpc::GenericServerContext context_;
  grpc::GenericServerAsyncReaderWriter call_;
  bool called_ = false, finished_ = false;
  std::optional<grpc::Status> owed_;  // waits for a write to come back
  Clock::time_point called_at_;
  Operation request_, answer_, finish_, done_;
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_INTERNAL_SERVER_STREAM_H_
