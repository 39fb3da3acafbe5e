// Somebody who listens with a valid certificate and does as it pleases with whoever dials it: a raw gRPC server. For
// tests only; whoever uses it links gRPC::grpc++.
#ifndef PPDNMF_NET_TEST_HOSTILE_LISTENER_H_
#define PPDNMF_NET_TEST_HOSTILE_LISTENER_H_

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>

#include <ppdnmf/identity/private_identity.h>
#include <ppdnmf/net/transport.h>

namespace ppdnmf::net {

// Serves one stream.
class HostileListener {
 public:
  HostileListener(const identity::PrivateIdentity& self, const identity::PublicIdentity& trusted) : call_(&context_) {
    grpc::SslServerCredentialsOptions options(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
    options.pem_root_certs = trusted.certificate_pem();
    const crypto::SecretBytes key = self.reveal_tls_key_pem();
    options.pem_key_cert_pairs.push_back(
        {std::string(key.data(), key.data() + key.size()), self.public_identity().certificate_pem()});
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::SslServerCredentials(options), &port_);
    builder.SetMaxSendMessageSize(-1);
    builder.RegisterAsyncGenericService(&service_);
    queue_ = builder.AddCompletionQueue();
    server_ = builder.BuildAndStart();
    service_.RequestCall(&context_, &call_, queue_.get(), queue_.get(), this);
  }
  ~HostileListener() {
    server_->Shutdown(std::chrono::system_clock::now());
    queue_->Shutdown();
    void* tag = nullptr;
    bool ok = false;
    while (queue_->Next(&tag, &ok)) {
    }
  }
  HostileListener(const HostileListener&) = delete;
  HostileListener& operator=(const HostileListener&) = delete;
  HostileListener(HostileListener&&) = delete;
  HostileListener& operator=(HostileListener&&) = delete;

  [[nodiscard]] std::uint16_t port() const { return static_cast<std::uint16_t>(port_); }
  // Waits for a stream, and says that it is accepted if `answer`.
  bool accept(bool answer = true) {
    if (!wait()) return false;
    if (!answer) return true;
    context_.AddInitialMetadata("ppdnmf", "1");
    call_.SendInitialMetadata(this);
    return wait();
  }
  // One gRPC message as it is.
  bool write(const Bytes& frame) {
    const grpc::Slice slice(frame.data(), frame.size());
    call_.Write(grpc::ByteBuffer(&slice, 1), this);
    return wait();
  }
  bool finish(const grpc::Status& status) {
    call_.Finish(status, this);
    return wait();
  }

 private:
  bool wait() {
    void* tag = nullptr;
    bool ok = false;
    const auto deadline = std::chrono::system_clock::now() + std::chrono::seconds(10);
    return queue_->AsyncNext(&tag, &ok, deadline) == grpc::CompletionQueue::GOT_EVENT && ok;
  }

  // Before gRPC's first object is made.
  struct Prepared {
    Prepared() { prepare_process_for_transport(); }
  } prepared_;
  int port_ = 0;
  grpc::AsyncGenericService service_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::unique_ptr<grpc::Server> server_;
  grpc::GenericServerContext context_;
  grpc::GenericServerAsyncReaderWriter call_;
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_TEST_HOSTILE_LISTENER_H_
