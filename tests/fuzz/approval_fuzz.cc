// An approval from arbitrary bytes: refused, or one that nobody has signed.
#include <ppdnmf/consortium/approval.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto approval = ppdnmf::consortium::parse_approval({reinterpret_cast<const char*>(data), size});
  PPDNMF_CHECK(approval || !approval.error().message.empty());
  return 0;
}
