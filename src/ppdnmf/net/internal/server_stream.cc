#include <ppdnmf/net/internal/server_stream.h>

#include <utility>

#include <ppdnmf/net/internal/credentials.h>
#include <ppdnmf/net/words.h>

namespace ppdnmf::net {

ServerStream::ServerStream(Board& board, const TransportConfig& config, grpc::AsyncGenericService& service,
                           grpc::ServerCompletionQueue& queue, Hooks hooks)
    : Stream(board, config),
      hooks_(std::move(hooks)),
      call_(&context_),
      request_([this](bool ok) { requested(ok); }),
      answer_([this](bool ok) { answer_sent(ok); }),
      finish_([](bool) {}),
      done_([this](bool) { done(); }) {
  context_.AsyncNotifyWhenDone(done_.begin());
  service.RequestCall(&context_, &call_, &queue, &queue, request_.begin());
}

void ServerStream::requested(bool ok) {
  if (!ok) {
    // The server shuts down; gRPC does not say done for a call that never was.
    done_.abandon();
    return lost("");
  }
  called_ = true;
  called_at_ = Clock::now();
  hooks_.called(*this);
}

void ServerStream::accept(std::size_t peer) {
  set_peer(peer);
  context_.AddInitialMetadata(kAnswer, "1");
  call_.SendInitialMetadata(answer_.begin());
}

void ServerStream::refuse(grpc::StatusCode code, const std::string& why) {
  lost(why);
  begin_finish(grpc::Status(code, why));
}

void ServerStream::answer_sent(bool ok) {
  if (ended()) return last_write_done();
  if (!ok) return lost("the connection was lost");
  hooks_.answered(*this);
}

void ServerStream::done() { lost("the connection was lost, or it broke the stream off"); }

void ServerStream::begin_finish(const grpc::Status& status) {
  if (finished_) return;
  // gRPC takes a status behind a write only. One that does not get through is cancelled by and by.
  if (writing() || answer_.pending()) {
    owed_ = status;
    return;
  }
  finished_ = true;
  call_.Finish(status, finish_.begin());
}

void ServerStream::read_ended() {
  lost("it ended the stream");
  begin_finish(grpc::Status::OK);
}

void ServerStream::start_end(const std::string& why) {
  begin_finish(grpc::Status(grpc::StatusCode::ABORTED, printable(why)));
}

void ServerStream::start_close() {
  if (called_) begin_finish(grpc::Status(grpc::StatusCode::ABORTED, why()));
}

void ServerStream::last_write_done() {
  if (owed_) begin_finish(*owed_);
}

void ServerStream::cancel() {
  if (called_ && done_.pending()) context_.TryCancel();
}

bool ServerStream::idle() const {
  return Stream::idle() && !request_.pending() && !answer_.pending() && !finish_.pending() && !done_.pending();
}

Clock::time_point ServerStream::opening_deadline() const {
  return called_ ? called_at_ + config().times.connecting : Clock::time_point::max();
}

}  // namespace ppdnmf::net
