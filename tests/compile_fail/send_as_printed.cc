// The reply as the paper prints it does not pass for a safe one.
#include <ppdnmf/crypto/paillier.h>

ppdnmf::Bytes send(const ppdnmf::crypto::SendableCiphertexts& message) { return message.bytes(); }

ppdnmf::Bytes reply(const ppdnmf::crypto::AsPrintedCiphertexts& printed) {
#ifdef PPDNMF_MISUSE
  return send(printed);
#else
  return printed.bytes_that_are_not_private();
#endif
}
