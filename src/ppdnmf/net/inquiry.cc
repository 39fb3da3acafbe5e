#include <ppdnmf/net/inquiry.h>

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <ppdnmf/net/internal/credentials.h>
#include <ppdnmf/net/internal/dialler.h>
#include <ppdnmf/net/words.h>

namespace ppdnmf::net {

Result<std::string> inquire(const identity::Address& address, const identity::PrivateIdentity& self,
                            const identity::PublicIdentity& peer, std::chrono::milliseconds patience) {
  prepare_process_for_transport();
  TransportTimes times;
  times.connecting = patience;
  const auto channel =
      grpc::CreateCustomChannel(dial_target(address), dial_credentials(self, peer), dial_arguments(times));
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
  return error(ErrorCode::kPeer, "{}", words_for_dialling(status.error_message()));
}

}  // namespace ppdnmf::net
