// OpenSSL's numbers with an owner, for the attacks on ciphertexts. Only .cc files include this.
#ifndef PPDNMF_AUDIT_ATTACKS_BIG_NUMBER_H_
#define PPDNMF_AUDIT_ATTACKS_BIG_NUMBER_H_

#include <openssl/bn.h>

#include <memory>

namespace ppdnmf::audit {

struct FreeNumber {
  void operator()(BIGNUM* number) const { BN_free(number); }
  void operator()(BN_CTX* context) const { BN_CTX_free(context); }
};
using BigNumber = std::unique_ptr<BIGNUM, FreeNumber>;
using BigNumberContext = std::unique_ptr<BN_CTX, FreeNumber>;

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_BIG_NUMBER_H_
