// What a ledger knows of columns, from arbitrary bytes; what is accepted is written as it was read. The checksum at the
// end is put right, so that garbage gets further than to it.
#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/privacy/column_ledger.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppdnmf;
  Bytes bytes(data, data + size);
  const Digest check = sha256(bytes);
  bytes.insert(bytes.end(), check.begin(), check.end());
  const auto ledger = privacy::ColumnLedger::parse(bytes);
  PPDNMF_CHECK(ledger || !ledger.error().message.empty());
  if (!ledger) return 0;
  const auto again = privacy::ColumnLedger::parse(ledger->bytes());
  PPDNMF_CHECK(again && again->bytes() == ledger->bytes());
  return 0;
}
