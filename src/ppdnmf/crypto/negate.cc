#include <ppdnmf/crypto/negate.h>

#include <ppdnmf/crypto/internal/key_data.h>

namespace ppdnmf::crypto {

Ciphertexts negate(const Ciphertexts& c) {
  using internal::kLanes;
  const internal::SquareRing& ring = *c.key().data().ring;
  Ciphertexts out(c.key(), c.size());
  if (c.size() == 0) return out;
  // out[g] = c[0] ... c[g], lane by lane.
  ring.copy(out.group(0), c.group(0));
  for (std::size_t g = 1; g < c.groups(); ++g) ring.multiply(out.group(g), out.group(g - 1), c.group(g));
  // The inverse of the whole product; then, from the last to the first, 1/c[g] = (c[0] ... c[g-1]) / (c[0] ... c[g]).
  SecretWords inverse = ring.make_group();
  ring.copy(inverse.data(), out.group(c.groups() - 1));
  ring.leave(inverse.data());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    ring.load_value(inverse.data(), lane, internal::inverse(ring.store_value(inverse.data(), lane), ring.modulus()));
  }
  ring.enter(inverse.data());
  for (std::size_t g = c.groups() - 1; g > 0; --g) {
    ring.multiply(out.group(g), out.group(g - 1), inverse.data());
    ring.multiply(inverse.data(), inverse.data(), c.group(g));
  }
  ring.copy(out.group(0), inverse.data());
  return out;
}

}  // namespace ppdnmf::crypto
