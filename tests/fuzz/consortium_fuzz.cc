// A consortium file from arbitrary bytes. What is accepted is written and read again with the same meaning, and can be
// checked whatever it says.
#include <chrono>
#include <string_view>

#include "base/result.h"
#include "consortium/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppdnmf;
  constexpr std::chrono::sys_days kNow{std::chrono::year{2027} / 1 / 1};  // the seeds' identities are valid then
  const auto consortium = parse_consortium({reinterpret_cast<const char*>(data), size});
  PPDNMF_CHECK(consortium || !consortium.error().message.empty());
  if (!consortium) return 0;
  const std::string text = write_consortium(*consortium);
  const auto again = parse_consortium(text);
  PPDNMF_CHECK(again && digest_of(*again) == digest_of(*consortium) && write_consortium(*again) == text);
  for (const Problem& problem : check(*consortium, kNow)) PPDNMF_CHECK(!problem.sentence.empty());
  if (const auto checked = CheckedConsortium::create(*consortium, kNow))
    PPDNMF_CHECK(!privacy_notes(*consortium, checked->graph()).empty());
  return 0;
}
