// A reply that was only multiplied is not sendable; a re-randomised one is.
#include "crypto/paillier.h"

ppdnmf::Result<ppdnmf::SendableCiphertexts> reply(const ppdnmf::PeerEncryptor& peer, const ppdnmf::Ciphertexts& query,
                                                  const ppdnmf::Weight& weight, ppdnmf::Stream& randomness,
                                                  ppdnmf::Executor& executor) {
  ppdnmf::Ciphertexts product = ppdnmf::multiply(query, weight, executor);
#ifdef PPDNMF_MISUSE
  static_cast<void>(peer);
  static_cast<void>(randomness);
  return product;
#else
  return peer.rerandomise(product, randomness, executor);
#endif
}
