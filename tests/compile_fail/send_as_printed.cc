// The reply as the paper prints it does not pass for a safe one.
#include "crypto/paillier.h"

ppdnmf::Bytes send(const ppdnmf::SendableCiphertexts& message) { return message.bytes(); }

ppdnmf::Bytes reply(const ppdnmf::AsPrintedCiphertexts& printed) {
#ifdef PPDNMF_MISUSE
  return send(printed);
#else
  return printed.bytes_that_are_not_private();
#endif
}
