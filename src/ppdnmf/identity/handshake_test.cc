// The certificates in the place they are made for: mutual TLS with nothing but each other's certificate as root.
#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <memory>

#include <ppdnmf/identity/internal/openssl.h>
#include <ppdnmf/identity/test_identity.h>

namespace ppdnmf::identity {
namespace {

using internal::Owned;

struct FreeTls {
  void operator()(SSL_CTX* x) const { SSL_CTX_free(x); }
  void operator()(SSL* x) const { SSL_free(x); }
};
using Context = std::unique_ptr<SSL_CTX, FreeTls>;

Owned<X509> certificate_of(const PublicIdentity& identity) {
  const std::string pem = identity.certificate_pem();
  const Owned<BIO> in(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  return Owned<X509>(PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr));
}

Owned<EVP_PKEY> key_of(const PrivateIdentity& identity) {
  const crypto::SecretBytes pem = identity.reveal_tls_key_pem();
  const Owned<BIO> in(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  return Owned<EVP_PKEY>(PEM_read_bio_PrivateKey(in.get(), nullptr, nullptr, nullptr));
}

Context context_of(X509* certificate, EVP_PKEY* key, const PublicIdentity& trusted) {
  Context out(SSL_CTX_new(TLS_method()));
  PPDNMF_CHECK(SSL_CTX_set_min_proto_version(out.get(), TLS1_3_VERSION) == 1 &&
               SSL_CTX_use_certificate(out.get(), certificate) == 1 && SSL_CTX_use_PrivateKey(out.get(), key) == 1);
  const Owned<X509> root = certificate_of(trusted);
  PPDNMF_CHECK(X509_STORE_add_cert(SSL_CTX_get_cert_store(out.get()), root.get()) == 1);
  // The identities of these tests are of kTestTime; the moment of the test must not matter.
  X509_VERIFY_PARAM_set_time(SSL_CTX_get0_param(out.get()), kTestTime.time_since_epoch().count());
  SSL_CTX_set_verify(out.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  return out;
}

// Whether both ends finish the handshake.
bool shake_hands(const Context& client_context, const Context& server_context) {
  const std::unique_ptr<SSL, FreeTls> client(SSL_new(client_context.get()));
  const std::unique_ptr<SSL, FreeTls> server(SSL_new(server_context.get()));
  BIO* near_end = nullptr;
  BIO* far_end = nullptr;
  PPDNMF_CHECK(BIO_new_bio_pair(&near_end, 1 << 16, &far_end, 1 << 16) == 1);
  SSL_set_bio(client.get(), near_end, near_end);
  SSL_set_bio(server.get(), far_end, far_end);
  PPDNMF_CHECK(SSL_set1_host(client.get(), "ppdnmf") == 1);
  SSL_set_connect_state(client.get());
  SSL_set_accept_state(server.get());
  bool done = false;
  for (int i = 0; i < 10 && !done; ++i) {
    const bool a = SSL_do_handshake(client.get()) == 1;
    const bool b = SSL_do_handshake(server.get()) == 1;
    done = a && b;
  }
  ERR_clear_error();
  return done;
}

struct Party {
  explicit Party(std::string_view name)
      : identity(test_identity(name)), certificate(certificate_of(identity.public_identity())), key(key_of(identity)) {}
  [[nodiscard]] Context trusting(const Party& other) const {
    return context_of(certificate.get(), key.get(), other.identity.public_identity());
  }
  PrivateIdentity identity;
  Owned<X509> certificate;
  Owned<EVP_PKEY> key;
};

TEST(Handshake, TwoThatTrustEachOtherMeet) {
  const Party a("a");
  const Party b("b");
  EXPECT_TRUE(shake_hands(a.trusting(b), b.trusting(a)));
}

TEST(Handshake, AStrangerIsRefusedByEitherEnd) {
  const Party a("a");
  const Party b("b");
  const Party c("c");
  EXPECT_FALSE(shake_hands(c.trusting(b), b.trusting(a)));
  EXPECT_FALSE(shake_hands(a.trusting(b), c.trusting(a)));
}

// b trusts a. Could a, with its own key, issue a certificate under which somebody else talks to b?
TEST(Handshake, AMemberCannotIssueCertificates) {
  const Party a("a");
  const Party b("b");
  const Party c("c");
  Owned<X509> issued(X509_dup(c.certificate.get()));
  PPDNMF_CHECK(X509_set_issuer_name(issued.get(), X509_get_subject_name(a.certificate.get())) == 1 &&
               X509_sign(issued.get(), a.key.get(), EVP_sha256()) > 0);
  const Context client = context_of(issued.get(), c.key.get(), b.identity.public_identity());
  EXPECT_FALSE(shake_hands(client, b.trusting(a)));
}

}  // namespace
}  // namespace ppdnmf::identity
