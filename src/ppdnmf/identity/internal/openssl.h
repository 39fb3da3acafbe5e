// OpenSSL's objects as values with one owner.
#ifndef PPDNMF_IDENTITY_INTERNAL_OPENSSL_H_
#define PPDNMF_IDENTITY_INTERNAL_OPENSSL_H_

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/x509.h>

#include <memory>

namespace ppdnmf::identity::internal {

struct Free {
  void operator()(ASN1_INTEGER* x) const { ASN1_INTEGER_free(x); }
  void operator()(BIGNUM* x) const { BN_clear_free(x); }
  void operator()(BIO* x) const { BIO_free_all(x); }
  void operator()(EVP_CIPHER_CTX* x) const { EVP_CIPHER_CTX_free(x); }
  void operator()(EVP_MD_CTX* x) const { EVP_MD_CTX_free(x); }
  void operator()(EVP_PKEY* x) const { EVP_PKEY_free(x); }
  void operator()(EVP_PKEY_CTX* x) const { EVP_PKEY_CTX_free(x); }
  void operator()(OSSL_PARAM* x) const { OSSL_PARAM_free(x); }
  void operator()(OSSL_PARAM_BLD* x) const { OSSL_PARAM_BLD_free(x); }
  void operator()(X509* x) const { X509_free(x); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;

}  // namespace ppdnmf::identity::internal

#endif  // PPDNMF_IDENTITY_INTERNAL_OPENSSL_H_
