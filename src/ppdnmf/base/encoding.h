// Bytes as text: base64, hexadecimal, and digits that people read to each other.
#ifndef PPDNMF_BASE_ENCODING_H_
#define PPDNMF_BASE_ENCODING_H_

#include <string>
#include <string_view>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf {

// RFC 4648, with '=' at the end, in one line.
[[nodiscard]] std::string base64(ByteSpan bytes);

// What base64() wrote. Blanks and line ends are skipped, since mail programs add them; anything else that base64()
// would not have written (another letter, missing '=', bits left over) fails with kInvalidData. Not for secrets: it
// takes a time that depends on the text.
[[nodiscard]] Result<Bytes> parse_base64(std::string_view text);

// 64 small hexadecimal digits.
[[nodiscard]] std::string hex(const Digest& digest);

// What hex() wrote. Fails with kInvalidData.
[[nodiscard]] Result<Digest> parse_hex(std::string_view text);

// Eight groups of five decimal digits, "04711 99281 ...": each is four bytes of the digest, as a big-endian number
// modulo 100000. 132 bits, so that nobody can prepare two texts with the same digits.
[[nodiscard]] std::string spoken(const Digest& digest);

}  // namespace ppdnmf

#endif  // PPDNMF_BASE_ENCODING_H_
