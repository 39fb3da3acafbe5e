#include <ppdnmf/net/internal/client_stream.h>

#include <utility>

#include <ppdnmf/net/internal/credentials.h>
#include <ppdnmf/net/words.h>

namespace ppdnmf::net {
namespace {

std::string words_for_end(const grpc::Status& status) {
  switch (status.error_code()) {
    case grpc::StatusCode::OK:
      return "it ended the stream";
    case grpc::StatusCode::ABORTED:
      return "it ended the stream: " + printable(status.error_message());
    case grpc::StatusCode::UNAVAILABLE:
      return "the connection was lost: " + printable(status.error_message());
    default:
      return "the stream broke: " + printable(status.error_message());
  }
}

}  // namespace

ClientStream::ClientStream(Board& board, const TransportConfig& config, std::size_t peer,
                           std::shared_ptr<grpc::Channel> channel, grpc::CompletionQueue& queue)
    : Stream(board, config),
      channel_(std::move(channel)),
      start_([this](bool ok) { started(ok); }),
      answer_([this](bool ok) { answered(ok); }),
      finish_([this](bool) { finished(); }),
      writes_done_([](bool) {}) {
  set_peer(peer);
  grpc::GenericStub stub(channel_);
  call_ = stub.PrepareCall(&context_, kMethod, &queue);
  call_->StartCall(start_.begin());
}

void ClientStream::started(bool ok) {
  if (!ok || ended()) return begin_finish();
  call_->ReadInitialMetadata(answer_.begin());
}

void ClientStream::answered(bool ok) {
  begin_finish();
  if (!ok || ended()) return;
  // A call that failed has an answer, too, but not this one.
  if (!context_.GetServerInitialMetadata().contains(kAnswer)) return;
  if (!is_the_peer()) {
    board().refused(config().peers[peer()].identity.name(), "who answers in its place has another certificate");
    return end("who answers in its place has another certificate");
  }
  open(peer());
}

bool ClientStream::is_the_peer() const {
  const auto context = context_.auth_context();
  return context && peer_certificate(*context) == config().peers[peer()].identity.certificate();
}

void ClientStream::begin_finish() { call_->Finish(&status_, finish_.begin()); }

void ClientStream::finished() { lost(opened() ? words_for_end(status_) : words_for_dialling(status_.error_message())); }

void ClientStream::start_close() {
  // The listening side answers when it has read everything.
  if (!opened()) return cancel();
  call_->WritesDone(writes_done_.begin());
}

bool ClientStream::idle() const {
  return Stream::idle() && !start_.pending() && !answer_.pending() && !finish_.pending() && !writes_done_.pending();
}

}  // namespace ppdnmf::net
