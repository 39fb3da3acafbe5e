#include <ppdnmf/net/inquiry.h>

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <ppdnmf/net/internal/credentials.h>
#include <ppdnmf/net/internal/dialler.h>
#include <ppdnmf/net/words.h>

namespace ppdnmf::net {

Result<std::string> inquire(const PeerConfig& peer, const identity::PrivateIdentity& self,
                            std::chrono::milliseconds patience, const std::optional<Proxy>& proxy,
                            const std::optional<RelayPlace>& relay) {
  prepare_process_for_transport();
  TransportConfig config;
  config.proxy = proxy;
  config.relay = relay;
  config.times.connecting = patience;
  std::optional<Passages> passages;
  const bool by_proxy = peer.dial && proxy_for(*peer.dial, proxy);
  if (by_proxy || !peer.dial) passages.emplace(config, self, Passages::Hooks{});
  std::shared_ptr<Attempt> attempt;
  if (passages) attempt = peer.dial ? passages->to_address(*peer.dial) : passages->to_relay(peer.identity);
  const auto channel = grpc::CreateCustomChannel(attempt ? attempt->target() : dial_target(*peer.dial),
                                                 dial_credentials(self, peer.identity), dial_arguments(config.times));
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + patience);
  grpc::CompletionQueue queue;
  const auto call = stub.PrepareUnaryCall(&context, kInquiry, grpc::ByteBuffer(), &queue);
  call->StartCall();
  grpc::ByteBuffer nothing;
  grpc::Status status;
  call->Finish(&nothing, &status, &status);
  void* tag = nullptr;
  bool ok = false;
  PPDNMF_CHECK(queue.Next(&tag, &ok));
  queue.Shutdown();
  PPDNMF_CHECK(!queue.Next(&tag, &ok));
  if (status.error_code() == kAbout) return printable(status.error_message());
  const std::string known = attempt ? attempt->why() : "";
  if (!known.empty()) return error(ErrorCode::kPeer, "{}", known);
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED)
    return error(ErrorCode::kPeer, "no answer came in time: its agent hangs, or the way there is very slow");
  return error(ErrorCode::kPeer, "{}", words_for_dialling(status.error_message()));
}

}  // namespace ppdnmf::net
