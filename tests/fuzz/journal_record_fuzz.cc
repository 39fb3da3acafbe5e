// A journal's record from arbitrary bytes. The first byte chooses whether the digest is made right, so that what stands
// behind it is reached.
#include <ppdnmf/base/result.h>
#include <ppdnmf/journal/record.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppdnmf;
  if (size == 0) return 0;
  Bytes bytes(data + 1, data + size);
  if ((data[0] & 1) != 0) {
    const Digest digest = sha256(bytes);
    bytes.insert(bytes.end(), digest.begin(), digest.end());
  }
  const journal::JournalBinding binding{{}, {}, {}, "1"};
  const auto record = journal::read_record(bytes, binding);
  if (!record || !*record) return 0;
  const journal::RecordParts parts = journal::record_around((*record)->number, binding, (*record)->content);
  PPDNMF_CHECK(parts.before.size() + (*record)->content.size() + parts.after.size() == bytes.size());
  return 0;
}
