// The side of a stream that dialled.
#ifndef PPDNMF_NET_INTERNAL_CLIENT_STREAM_H_
#define PPDNMF_NET_INTERNAL_CLIENT_STREAM_H_

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <memory>

#include <ppdnmf/net/internal/stream.h>

namespace ppdnmf::net {

class ClientStream final : public Stream {
 public:
  // Begins to connect. The channel is this stream's own, and goes with it.
  ClientStream(Board& board, const TransportConfig& config, std::size_t peer, std::shared_ptr<grpc::Channel> channel,
               grpc::CompletionQueue& queue);

 private:
  void started(bool ok);
  void answered(bool ok);
  void finished();
  void begin_finish();
  [[nodiscard]] bool is_the_peer() const;

  void start_read(grpc::ByteBuffer& into, void* tag) override { call_->Read(&into, tag); }
  void start_write(const grpc::ByteBuffer& frame, void* tag) override { call_->Write(frame, tag); }
  void read_ended() override {}  // the status says why, and comes by itself
  void start_end(const std::string& /*why*/) override { cancel(); }
  void start_close() override;
  void cancel() override { context_.TryCancel(); }
  [[nodiscard]] bool idle() const override;
  [[nodiscard]] Clock::time_point opening_deadline() const override { return begun_at_ + config().times.connecting; }

  const Clock::time_point begun_at_ = Clock::now();
  std::shared_ptr<grpc::Channel> channel_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call_;
  grpc::Status status_;
  Operation start_, answer_, finish_, writes_done_;
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_INTERNAL_CLIENT_STREAM_H_
