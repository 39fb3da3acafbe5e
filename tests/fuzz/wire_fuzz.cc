// What a neighbour sent, from arbitrary bytes: no crash, and what is accepted is in the one form that encode() has.
#include <algorithm>

#include <ppdnmf/base/result.h>
#include <ppdnmf/wire/envelope.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppdnmf;
  const ByteSpan bytes(data, size);
  const auto envelope = wire::decode(bytes);
  if (!envelope) {
    PPDNMF_CHECK(envelope.error().code == ErrorCode::kPeer);
    return 0;
  }
  const Bytes again = wire::encode(*envelope);
  PPDNMF_CHECK(again.size() == size && std::equal(again.begin(), again.end(), bytes.begin()));
  return 0;
}
