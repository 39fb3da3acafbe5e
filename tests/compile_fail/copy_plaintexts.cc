// Plaintexts are secrets too.
#include <ppdnmf/crypto/plaintext.h>

ppdnmf::crypto::Plaintexts take(ppdnmf::crypto::Plaintexts plaintexts) {
#ifdef PPDNMF_MISUSE
  ppdnmf::crypto::Plaintexts copy(plaintexts);
  return copy;
#else
  return plaintexts;
#endif
}
