// Public identities from arbitrary bytes: the text of a .pub file, what is inside it, and a certificate by itself,
// which in the other two only a right signature would reach. The first byte chooses.
#include <algorithm>
#include <string_view>

#include <ppdnmf/base/result.h>
#include <ppdnmf/identity/internal/certificate.h>
#include <ppdnmf/identity/renewal.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppdnmf;
  if (size == 0) return 0;
  const ByteSpan bytes(data + 1, size - 1);
  if (data[0] % 4 == 0) {
    const auto identity = identity::PublicIdentity::parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    PPDNMF_CHECK(!identity || identity::PublicIdentity::parse(identity->text()) == *identity);
    const auto shown = identity::parse_shown({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    PPDNMF_CHECK(!identity || shown);
  } else if (data[0] % 4 == 1) {
    const auto identity = identity::PublicIdentity::decode(bytes);
    PPDNMF_CHECK(!identity || std::ranges::equal(identity->encode(), bytes));
  } else if (data[0] % 4 == 2) {
    const auto content = identity::internal::parse_certificate(bytes);
    PPDNMF_CHECK(content || !content.error().message.empty());
    PPDNMF_CHECK(!content || !identity::internal::certificate_pem(bytes).empty());
  } else if (!identity::PrivateIdentity::is_sealed(bytes)) {
    const auto identity = identity::PrivateIdentity::decode(bytes, nullptr);
    PPDNMF_CHECK(!identity || identity->reveal_encoded(nullptr).size() == bytes.size());
    if (!identity::KeyRing::is_sealed(bytes)) PPDNMF_CHECK(!identity || identity::KeyRing::decode(bytes, nullptr));
  }
  return 0;
}
