// Experiments run in plain integers because encryption changes no bit of a result. This checks it on one of their
// trials.
#ifndef PPDNMF_EXPERIMENT_ENCRYPTED_CHECK_H_
#define PPDNMF_EXPERIMENT_ENCRYPTED_CHECK_H_

#include <optional>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/experiment/trial.h>

namespace ppdnmf::experiment {

struct EncryptedCheck {
  bool same = false;  // every agent's X and Y, to the bit
  std::int64_t rounds = 0;
  std::uint64_t key_bits = 0;
  bool fast_profile = false;
};

// The problem with the product's defaults, `rounds` of them at most (in whole iterations, at least one
// round), once in plain integers and once under Paillier. Nothing if `stop` said so. Fails as Simulation does.
[[nodiscard]] Result<std::optional<EncryptedCheck>> run_encrypted_check(const TrialProblem& problem, int rounds,
                                                                        const crypto::KeyOptions& keys,
                                                                        const StopQuestion& stop);

[[nodiscard]] Bytes encode(const EncryptedCheck& check);
[[nodiscard]] Result<EncryptedCheck> decode_check(ByteSpan bytes);

}  // namespace ppdnmf::experiment

#endif  // PPDNMF_EXPERIMENT_ENCRYPTED_CHECK_H_
