#include <ppdnmf/net/internal/credentials.h>

#include <grpc/grpc_security_constants.h>
#include <openssl/crypto.h>

#include <string>
#include <string_view>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/net/internal/frames.h>

namespace ppdnmf::net {
namespace {

constexpr int kReadAhead = 2 << 20U;  // per stream
constexpr int kMaxFrame = static_cast<int>(kHeadBytes + kFrameBytes);
constexpr std::size_t kQuotaFixed = std::size_t{64} << 20U;
constexpr std::size_t kQuotaPerPeer = std::size_t{8} << 20U;

// The private key as text, wiped when it goes.
class KeyText {
 public:
  explicit KeyText(const identity::PrivateIdentity& self) {
    const crypto::SecretBytes pem = self.reveal_tls_key_pem();
    text_.assign(pem.data(), pem.data() + pem.size());
  }
  ~KeyText() { OPENSSL_cleanse(text_.data(), text_.size()); }
  KeyText(const KeyText&) = delete;
  KeyText& operator=(const KeyText&) = delete;
  KeyText(KeyText&&) = delete;
  KeyText& operator=(KeyText&&) = delete;
  [[nodiscard]] const std::string& reveal() const { return text_; }

 private:
  std::string text_;
};

void wipe(std::string& text) { OPENSSL_cleanse(text.data(), text.size()); }

// Of every connection, by name and number.
template <typename Set>
void set_common(const TransportTimes& times, const Set& set) {
  set(GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, kMaxFrame);
  set(GRPC_ARG_MAX_SEND_MESSAGE_LENGTH, kMaxFrame);
  set(GRPC_ARG_ENABLE_PER_MESSAGE_COMPRESSION, 0);  // payloads are ciphertexts or masked, and small may mean large:
  set(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
  set(GRPC_ARG_HTTP2_BDP_PROBE, 0);  // else what is read ahead grows as gRPC likes
  set(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, kReadAhead);
  set(GRPC_ARG_KEEPALIVE_TIME_MS, static_cast<int>(times.keepalive.count()));
  set(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, static_cast<int>(times.keepalive_timeout.count()));
  set(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);  // no limit: a peer that computes is silent for long
  set(GRPC_ARG_ENABLE_CHANNELZ, 0);
}

}  // namespace

std::shared_ptr<grpc::ChannelCredentials> dial_credentials(const identity::PrivateIdentity& self,
                                                           const identity::PublicIdentity& peer) {
  const KeyText key(self);
  grpc::SslCredentialsOptions options{peer.certificate_pem(), key.reveal(), self.public_identity().certificate_pem()};
  auto credentials = grpc::SslCredentials(options);
  wipe(options.pem_private_key);
  return credentials;
}

std::shared_ptr<grpc::ServerCredentials> listen_credentials(
    const identity::PrivateIdentity& self, const std::vector<const identity::PublicIdentity*>& trusted) {
  const KeyText key(self);
  grpc::SslServerCredentialsOptions options(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  for (const identity::PublicIdentity* peer : trusted) options.pem_root_certs += peer->certificate_pem();
  options.pem_key_cert_pairs.push_back({key.reveal(), self.public_identity().certificate_pem()});
  auto credentials = grpc::SslServerCredentials(options);
  wipe(options.pem_key_cert_pairs.front().private_key);
  return credentials;
}

std::optional<Bytes> peer_certificate(const grpc::AuthContext& context) {
  constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----", kEnd = "-----END CERTIFICATE-----";
  const auto found = context.FindPropertyValues(GRPC_X509_PEM_CERT_PROPERTY_NAME);
  if (!context.IsPeerAuthenticated() || found.size() != 1) return std::nullopt;
  const std::string_view pem(found.front().data(), found.front().size());
  const std::size_t end = pem.find(kEnd);
  if (!pem.starts_with(kBegin) || end == std::string_view::npos) return std::nullopt;
  auto der = parse_base64(pem.substr(kBegin.size(), end - kBegin.size()));
  if (!der) return std::nullopt;
  return *std::move(der);
}

grpc::ChannelArguments dial_arguments(const TransportTimes& times) {
  grpc::ChannelArguments arguments;
  set_common(times, [&](const char* name, int value) { arguments.SetInt(name, value); });
  arguments.SetSslTargetNameOverride("ppdnmf");
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);  // else the DNS can configure us
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);          // every attempt is a connection of its own
  // gRPC takes this for the time that an attempt to connect may take.
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, static_cast<int>(times.connecting.count()));
  return arguments;
}

void set_listen_arguments(grpc::ServerBuilder& builder, const TransportTimes& times, std::size_t peers) {
  const auto set = [&](const char* name, int value) { builder.AddChannelArgument(name, value); };
  set_common(times, set);
  set(GRPC_ARG_ALLOW_REUSEPORT, 0);  // else a second program listens at the same port and gets half of the neighbours
  set(GRPC_ARG_MAX_CONCURRENT_STREAMS, 2);
  set(GRPC_ARG_MAX_METADATA_SIZE, 8192);
  set(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, static_cast<int>(times.connecting.count()));
  set(GRPC_ARG_MAX_CONNECTION_IDLE_MS, static_cast<int>(times.first_message.count()));  // connections without a stream
  // Neighbours ask for signs of life once a second at most, and timers differ.
  set(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 500);
  builder.SetMaxReceiveMessageSize(kMaxFrame);
  builder.SetMaxSendMessageSize(kMaxFrame);
  for (const auto algorithm : {GRPC_COMPRESS_DEFLATE, GRPC_COMPRESS_GZIP})
    builder.SetCompressionAlgorithmSupportStatus(algorithm, false);
  grpc::ResourceQuota quota("ppdnmf");
  quota.Resize(kQuotaFixed + peers * kQuotaPerPeer);
  builder.SetResourceQuota(quota);
}

}  // namespace ppdnmf::net
