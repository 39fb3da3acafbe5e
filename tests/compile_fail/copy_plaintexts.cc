// Plaintexts are secrets too.
#include "crypto/plaintext.h"

ppdnmf::Plaintexts take(ppdnmf::Plaintexts plaintexts) {
#ifdef PPDNMF_MISUSE
  ppdnmf::Plaintexts copy(plaintexts);
  return copy;
#else
  return plaintexts;
#endif
}
