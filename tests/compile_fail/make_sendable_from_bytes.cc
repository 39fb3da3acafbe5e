// Nobody outside the encryptors declares bytes to be fresh.
#include <ppdnmf/crypto/paillier.h>

std::size_t size(const ppdnmf::crypto::PublicKey& key, ppdnmf::Bytes bytes) {
#ifdef PPDNMF_MISUSE
  return ppdnmf::crypto::SendableCiphertexts(key, std::move(bytes)).size();
#else
  return key.ciphertext_bytes() + bytes.size();
#endif
}
