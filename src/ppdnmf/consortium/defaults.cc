#include <ppdnmf/consortium/defaults.h>

#include <algorithm>

#include <ppdnmf/protocol/settings_table.h>

namespace ppdnmf::consortium {
namespace {

constexpr double kEpsilon = 4;
constexpr double kLargestDelta = 1e-6;

}  // namespace

Result<protocol::Settings> private_by_default(protocol::Settings given) {
  if (given.trust_members) return given;
  // With an epsilon, validate() says what does not go with it; the printed scheme is refused whoever trusts whom.
  if (!given.epsilon && protocol::scheme_of(given) == protocol::SchemeKind::kHardened) {
    const std::string from = protocol::scheme_follows_from(given);
    return error(ErrorCode::kUsage,
                 "{}`scheme=hardened` opens sums without noise: it is for members who trust each other to run the "
                 "program as it is, and they say so with `trust_members`; leave it out for a private run",
                 from.empty() ? "" : from + " belongs to `scheme=hardened`, and ");
  }
  if (!given.columns) {
    return error(ErrorCode::kUsage,
                 "say with `columns` about how many columns all members have together: the run is private, and whether "
                 "its noise leaves anything depends on it; one digit, as 2000, is enough, and nobody has to count");
  }
  PPDNMF_TRY_STATUS(protocol::check_value(*protocol::find_setting("columns"), *given.columns));
  given.columns = one_digit(*given.columns);
  if (!given.epsilon) given.epsilon = kEpsilon;
  if (!given.delta) given.delta = std::min(kLargestDelta, 0.1 / static_cast<double>(*given.columns));
  if (!given.normalise) given.normalise = nmf::ColumnNorm::kL2;
  return given;
}

std::int64_t one_digit(std::int64_t columns) {
  PPDNMF_CHECK(columns >= 1);
  std::int64_t power = 1;
  while (columns / power >= 10) power *= 10;
  return (columns + power / 2) / power * power;
}

}  // namespace ppdnmf::consortium
