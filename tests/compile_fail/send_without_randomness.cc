// A reply that was only multiplied is not sendable; a re-randomised one is.
#include <ppdnmf/crypto/paillier.h>

ppdnmf::Result<ppdnmf::crypto::SendableCiphertexts> reply(const ppdnmf::crypto::PeerEncryptor& peer,
                                                          const ppdnmf::crypto::Ciphertexts& query,
                                                          const ppdnmf::crypto::Weight& weight,
                                                          ppdnmf::Stream& randomness, ppdnmf::Executor& executor) {
  ppdnmf::crypto::Ciphertexts product = ppdnmf::crypto::multiply(query, weight, executor);
#ifdef PPDNMF_MISUSE
  static_cast<void>(peer);
  static_cast<void>(randomness);
  return product;
#else
  return peer.rerandomise(product, randomness, executor);
#endif
}
