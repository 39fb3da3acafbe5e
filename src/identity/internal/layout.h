// The bytes of a public identity: label, name, certificate, X25519 key; then the signature over all of these.
#ifndef PPDNMF_IDENTITY_INTERNAL_LAYOUT_H_
#define PPDNMF_IDENTITY_INTERNAL_LAYOUT_H_

#include <string_view>

#include "base/bytes.h"
#include "crypto/mask.h"

namespace ppdnmf::internal {

inline constexpr std::string_view kPublicLabel = "ppdnmf identity 1";

inline Bytes signed_bytes(std::string_view name, ByteSpan certificate, const IdentityBytes& x25519) {
  ByteWriter out;
  out.put_string(kPublicLabel);
  out.put_string(name);
  out.put_bytes(certificate);
  out.put_array(x25519.data(), x25519.size());
  return out.take();
}

}  // namespace ppdnmf::internal

#endif  // PPDNMF_IDENTITY_INTERNAL_LAYOUT_H_
