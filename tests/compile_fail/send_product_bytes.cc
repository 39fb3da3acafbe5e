// Ciphertexts that were computed with have no bytes to send.
#include <ppdnmf/crypto/paillier.h>

ppdnmf::Bytes message(const ppdnmf::crypto::SendableCiphertexts& fresh, const ppdnmf::crypto::Ciphertexts& product) {
#ifdef PPDNMF_MISUSE
  static_cast<void>(fresh);
  return product.bytes();
#else
  static_cast<void>(product);
  return fresh.bytes();
#endif
}
