// A consortium file from arbitrary bytes. What is accepted is written and read again with the same meaning, and can be
// checked whatever it says.
#include <chrono>
#include <string_view>

#include <ppdnmf/base/result.h>
#include <ppdnmf/consortium/check.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppdnmf;
  constexpr std::chrono::sys_days kNow{std::chrono::year{2027} / 1 / 1};  // the seeds' identities are valid then
  const auto consortium = consortium::parse_consortium({reinterpret_cast<const char*>(data), size});
  PPDNMF_CHECK(consortium || !consortium.error().message.empty());
  if (!consortium) return 0;
  const std::string text = consortium::write_consortium(*consortium);
  const auto again = consortium::parse_consortium(text);
  PPDNMF_CHECK(again && consortium::digest_of(*again) == consortium::digest_of(*consortium) &&
               consortium::write_consortium(*again) == text);
  for (const consortium::Problem& problem : consortium::check(*consortium, kNow))
    PPDNMF_CHECK(!problem.sentence.empty());
  if (const auto checked = consortium::CheckedConsortium::create(*consortium, kNow))
    PPDNMF_CHECK(!consortium::privacy_notes(*consortium, checked->graph()).empty());
  return 0;
}
