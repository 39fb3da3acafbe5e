// Somebody who dials an agent and does as it pleases: a raw gRPC client, with a valid certificate or without. For tests
// only; whoever uses it links gRPC::grpc++.
#ifndef PPDNMF_NET_TEST_HOSTILE_PEER_H_
#define PPDNMF_NET_TEST_HOSTILE_PEER_H_

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <ppdnmf/identity/private_identity.h>
#include <ppdnmf/net/transport.h>

namespace ppdnmf::net {

inline constexpr std::size_t kFrame = 1U << 20U;  // a full one

// Memory of this process, in bytes. That of a hostile peer in it counts, too.
inline std::size_t resident() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0, in_memory = 0;
  file >> pages >> in_memory;
  return in_memory * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

class HostilePeer {
 public:
  // `self` null: without a certificate. `target` is the identity that is to answer.
  HostilePeer(const identity::PrivateIdentity* self, const identity::PublicIdentity& target, std::uint16_t port) {
    grpc::SslCredentialsOptions options;
    options.pem_root_certs = target.certificate_pem();
    if (self != nullptr) {
      const crypto::SecretBytes key = self->reveal_tls_key_pem();
      options.pem_private_key.assign(key.data(), key.data() + key.size());
      options.pem_cert_chain = self->public_identity().certificate_pem();
    }
    grpc::ChannelArguments arguments;
    arguments.SetSslTargetNameOverride("ppdnmf");
    arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);  // who does not read does not take in more than 64 KiB
    arguments.SetMaxSendMessageSize(-1);
    arguments.SetMaxReceiveMessageSize(-1);
    channel_ =
        grpc::CreateCustomChannel("ipv4:127.0.0.1:" + std::to_string(port), grpc::SslCredentials(options), arguments);
  }
  ~HostilePeer() {
    if (call_) {
      context_.TryCancel();
      if (!finished_) call_->Finish(&status_, &status_);
    }
    queue_.Shutdown();
    void* tag = nullptr;
    bool ok = false;
    while (queue_.Next(&tag, &ok)) {
    }
  }
  HostilePeer(const HostilePeer&) = delete;
  HostilePeer& operator=(const HostilePeer&) = delete;
  HostilePeer(HostilePeer&&) = delete;
  HostilePeer& operator=(HostilePeer&&) = delete;

  // Opens a stream; whether the agent accepts it.
  bool open(const char* method = "/ppdnmf.Agent/Exchange", bool compress = false) {
    // A call on a channel that is not connected yet is kept for one of gRPC's threads, in a way that the thread
    // sanitizer takes for a race.
    const auto deadline = std::chrono::system_clock::now() + std::chrono::seconds(10);
    grpc_connectivity_state state = channel_->GetState(true);
    while (state != GRPC_CHANNEL_READY) {
      if (state == GRPC_CHANNEL_TRANSIENT_FAILURE || !channel_->WaitForStateChange(state, deadline)) return false;
      state = channel_->GetState(true);
    }
    if (compress) context_.set_compression_algorithm(GRPC_COMPRESS_GZIP);
    grpc::GenericStub stub(channel_);
    call_ = stub.PrepareCall(&context_, method, &queue_);
    call_->StartCall(this);
    if (!wait()) return false;
    call_->ReadInitialMetadata(this);
    return wait() && context_.GetServerInitialMetadata().contains("ppdnmf");
  }
  // One gRPC message as it is; false if it was not taken within `wait_for`, or the stream is broken. After that only
  // finish() and the destructor.
  bool write(const Bytes& frame, std::chrono::milliseconds wait_for = std::chrono::seconds(10)) {
    const grpc::Slice slice(frame.data(), frame.size());
    call_->Write(grpc::ByteBuffer(&slice, 1), this);
    return wait(wait_for);
  }
  // A frame that begins a message of `whole` bytes and brings `bytes` of them.
  static Bytes first_frame(std::uint64_t whole, std::size_t bytes) {
    Bytes frame(8 + bytes, 7);
    std::memcpy(frame.data(), &whole, 8);
    return frame;
  }
  // A message of the agent's that fits into one frame.
  std::optional<Bytes> read(std::chrono::milliseconds wait_for = std::chrono::seconds(10)) {
    grpc::ByteBuffer frame;
    call_->Read(&frame, this);
    grpc::Slice slice;
    if (!wait(wait_for) || !frame.DumpToSingleSlice(&slice).ok() || slice.size() < 8) return std::nullopt;
    return Bytes(slice.begin() + 8, slice.end());
  }
  // What the agent says about the end; CANCELLED if it does not end the stream.
  grpc::Status finish(std::chrono::milliseconds wait_for = std::chrono::seconds(10)) {
    finished_ = true;
    call_->Finish(&status_, &status_);
    void* tag = nullptr;
    bool ok = false;
    const auto deadline = std::chrono::system_clock::now() + wait_for;
    do {
      if (queue_.AsyncNext(&tag, &ok, deadline) == grpc::CompletionQueue::TIMEOUT) context_.TryCancel();
    } while (tag != &status_);
    return status_;
  }

 private:
  // For this object's tag; Finish has another.
  bool wait(std::chrono::milliseconds wait_for = std::chrono::seconds(10)) {
    void* tag = nullptr;
    bool ok = false;
    const auto deadline = std::chrono::system_clock::now() + wait_for;
    return queue_.AsyncNext(&tag, &ok, deadline) == grpc::CompletionQueue::GOT_EVENT && ok;
  }

  // Before gRPC's first object is made.
  struct Prepared {
    Prepared() { prepare_process_for_transport(); }
  } prepared_;
  std::shared_ptr<grpc::Channel> channel_;
  grpc::CompletionQueue queue_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call_;
  grpc::Status status_;
  bool finished_ = false;
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_TEST_HOSTILE_PEER_H_
