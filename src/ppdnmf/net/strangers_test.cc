// Who is let in, and who is not.
#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <ppdnmf/net/test_hostile_peer.h>
#include <ppdnmf/net/test_transport.h>

namespace ppdnmf::net {
namespace {

// a (0) listens for b (1) and c (2); b is there.
struct Strangers : ::testing::Test {
  std::vector<identity::PrivateIdentity> identities = members(4);
  std::unique_ptr<Transport> a =
      open(config_of(identities[0], {peer_of(1, identities[1]), peer_of(2, identities[2])}, loopback()));
  std::uint16_t port = a->listening_port();
  std::unique_ptr<Transport> b = open(config_of(identities[1], {peer_of(0, identities[0], loopback(port))}));

  void SetUp() override {
    ASSERT_TRUE(await<Connected>(*a));
    ASSERT_TRUE(await<Connected>(*b));
  }
  void TearDown() override {
    // Whatever happened, the honest neighbours go on.
    ASSERT_EQ(b->send(AgentId{0}, Bytes{42}), Transport::Sent::kQueued);
    const auto arrived = await<Arrived>(*a);
    ASSERT_TRUE(arrived);
    EXPECT_EQ(arrived->message, Bytes{42});
  }
  [[nodiscard]] const identity::PublicIdentity& target() const { return identities[0].public_identity(); }
};

int connected_socket(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  return socket;
}

TEST_F(Strangers, ACertificateOfNobodysIsRefused) {
  HostilePeer stranger(&identities[3], target(), port);
  EXPECT_FALSE(stranger.open());
  EXPECT_TRUE(await_sentence<Refused>(*a, "not one of our neighbours'"));
  EXPECT_TRUE(stays_away<Connected>(*a, 50ms));
}

TEST_F(Strangers, NoCertificateIsRefused) {
  HostilePeer stranger(nullptr, target(), port);
  EXPECT_FALSE(stranger.open());
  EXPECT_TRUE(await_sentence<Refused>(*a, "has no certificate"));
}

TEST_F(Strangers, WhoDoesNotSpeakTlsIsRefused) {
  const int socket = connected_socket(port);
  EXPECT_GT(write(socket, "GET / HTTP/1.1\r\n\r\n", 18), 0);
  EXPECT_TRUE(await_sentence<Refused>(*a, "it does not speak TLS"));
  close(socket);
}

// Whether a handshake with this highest version succeeds, with b's certificate.
bool handshakes(std::uint16_t port, const identity::PrivateIdentity& self, int version) {
  SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
  SSL_CTX_set_max_proto_version(context, version);
  const crypto::SecretBytes key = self.reveal_tls_key_pem();
  BIO* const key_text = BIO_new_mem_buf(key.data(), static_cast<int>(key.size()));
  EVP_PKEY* const private_key = PEM_read_bio_PrivateKey(key_text, nullptr, nullptr, nullptr);
  SSL_CTX_use_PrivateKey(context, private_key);
  const Bytes& der = self.public_identity().certificate();
  SSL_CTX_use_certificate_ASN1(context, static_cast<int>(der.size()), der.data());
  const int socket = connected_socket(port);
  SSL* const ssl = SSL_new(context);
  SSL_set_fd(ssl, socket);
  const unsigned char h2[] = {2, 'h', '2'};
  SSL_set_alpn_protos(ssl, h2, sizeof h2);
  const bool ok = SSL_connect(ssl) == 1;
  SSL_free(ssl);
  close(socket);
  EVP_PKEY_free(private_key);
  BIO_free(key_text);
  SSL_CTX_free(context);
  return ok;
}

TEST_F(Strangers, Tls12IsNotSpoken) {
  EXPECT_TRUE(handshakes(port, identities[1], TLS1_3_VERSION));
  EXPECT_FALSE(handshakes(port, identities[1], TLS1_2_VERSION));
  EXPECT_TRUE(await_sentence<Refused>(*a, "does not speak TLS 1.3"));
}

TEST_F(Strangers, ANeighboursCertificateIsThatNeighbourAndNoOther) {
  HostilePeer c(&identities[2], target(), port);
  ASSERT_TRUE(c.open());
  const auto connected = await<Connected>(*a);
  ASSERT_TRUE(connected);
  EXPECT_EQ(connected->peer, AgentId{2});  // and not b, whose stream is untouched
  ASSERT_TRUE(c.write(HostilePeer::first_frame(1, 1)));
  const auto arrived = await<Arrived>(*a);
  ASSERT_TRUE(arrived);
  EXPECT_EQ(arrived->peer, AgentId{2});
}

TEST_F(Strangers, WhoAnswersInANeighboursPlaceIsRefused) {
  // d dials what it takes for c, and a answers.
  auto d = open(config_of(identities[3], {peer_of(2, identities[2], loopback(port))}));
  EXPECT_TRUE(await_sentence<Unreachable>(*d, "another certificate than the consortium file says"));
  EXPECT_TRUE(stays_away<Connected>(*d, 50ms));
}

TEST_F(Strangers, AMemberThatIsToBeDialledMayNotDial) {
  // e listens for d and dials c; c's certificate is known to it, but not for this.
  const auto e = identity::test_identity("e", identity::test_now());
  auto listener = open(config_of(e, {peer_of(3, identities[3]), peer_of(2, identities[2], loopback(1))}, loopback()));
  HostilePeer c(&identities[2], e.public_identity(), listener->listening_port());
  EXPECT_FALSE(c.open());
  EXPECT_TRUE(stays_away<Connected>(*listener, 50ms));
}

TEST_F(Strangers, ACertificateThatIsNotValidYetIsRefusedOnBothSides) {
  const auto later = identity::test_identity("later", identity::kTestTime + std::chrono::hours(24 * 365 * 50));
  auto listener = open(config_of(identities[3], {peer_of(5, later)}, loopback()));
  auto dialler = open(config_of(later, {peer_of(3, identities[3], loopback(listener->listening_port()))}));
  EXPECT_TRUE(await_sentence<Refused>(*listener, "not valid at this machine's date"));
  EXPECT_TRUE(await_sentence<Unreachable>(*dialler, "not valid at its date"));
}

TEST_F(Strangers, ThereIsOneMethod) {
  HostilePeer c(&identities[2], target(), port);
  EXPECT_FALSE(c.open("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"));
  EXPECT_EQ(c.finish().error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_TRUE(await_sentence<Refused>(*a, "no agent offers"));
}

TEST_F(Strangers, WhoAcceptsAndSaysNothingIsGivenUpInTime) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(bind(listener, reinterpret_cast<const sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(listener, 10), 0);
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  auto config = config_of(identities[3], {peer_of(0, identities[0], loopback(ntohs(address.sin_port)))});
  config.times.connecting = 100ms;
  auto d = open(config);
  EXPECT_TRUE(await<Unreachable>(*d, 5s));
  close(listener);
}

}  // namespace
}  // namespace ppdnmf::net
