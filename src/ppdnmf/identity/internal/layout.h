// The bytes of a public identity: label, name, certificate, X25519 key; then the signature over all of these.
#ifndef PPDNMF_IDENTITY_INTERNAL_LAYOUT_H_
#define PPDNMF_IDENTITY_INTERNAL_LAYOUT_H_

#include <string_view>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/crypto/mask.h>

namespace ppdnmf::identity::internal {

inline constexpr std::string_view kPublicLabel = "ppdnmf identity 1";

inline Bytes signed_bytes(std::string_view name, ByteSpan certificate, const crypto::IdentityBytes& x25519) {
  ByteWriter out;
  out.put_string(kPublicLabel);
  out.put_string(name);
  out.put_bytes(certificate);
  out.put_array(x25519.data(), x25519.size());
  return out.take();
}

}  // namespace ppdnmf::identity::internal

#endif  // PPDNMF_IDENTITY_INTERNAL_LAYOUT_H_
