#include <ppdnmf/nmf/lanes.h>

#include <cstdlib>

#include <ppdnmf/nmf/internal/lane_functions.h>

namespace ppdnmf::nmf {
namespace {

const internal::ColumnLanes* functions(Lanes lanes) {
  switch (lanes) {
    case Lanes::kBaseline:
      return internal::baseline_lanes();
    case Lanes::kAvx2:
      return internal::avx2_lanes();
    case Lanes::kAvx512:
      return internal::avx512_lanes();
    case Lanes::kAutomatic:
      break;
  }
  return nullptr;
}

bool processor_has([[maybe_unused]] Lanes lanes) {
#if defined(__x86_64__)
  if (lanes == Lanes::kAvx2) return __builtin_cpu_supports("avx2") != 0;
  if (lanes == Lanes::kAvx512) return __builtin_cpu_supports("avx512f") != 0;
#endif
  return lanes == Lanes::kBaseline;
}

Lanes widest() {
  for (const Lanes lanes : {Lanes::kAvx512, Lanes::kAvx2}) {
    if (lanes_available(lanes)) return lanes;
  }
  return Lanes::kBaseline;
}

}  // namespace

bool lanes_available(Lanes lanes) { return functions(lanes) != nullptr && processor_has(lanes); }

Result<Lanes> choose_lanes(Lanes wanted) {
  if (wanted == Lanes::kAutomatic) {
    const char* setting = std::getenv("PPDNMF_LANES");
    const std::string_view name = setting == nullptr ? "" : setting;
    if (name.empty()) return widest();
    for (const Lanes lanes : {Lanes::kBaseline, Lanes::kAvx2, Lanes::kAvx512}) {
      if (name == lanes_name(lanes)) return choose_lanes(lanes);
    }
    return error(ErrorCode::kUsage, "PPDNMF_LANES={}: must be baseline, avx2 or avx512", name);
  }
  if (!lanes_available(wanted)) {
    return error(ErrorCode::kUsage, "this processor (or this build) has no {}; use PPDNMF_LANES=baseline",
                 lanes_name(wanted));
  }
  return wanted;
}

std::string_view lanes_name(Lanes lanes) {
  switch (lanes) {
    case Lanes::kBaseline:
      return "baseline";
    case Lanes::kAvx2:
      return "avx2";
    case Lanes::kAvx512:
      return "avx512";
    case Lanes::kAutomatic:
      break;
  }
  return "automatic";
}

const internal::ColumnLanes& automatic_lanes() {
  const Result<Lanes> chosen = choose_lanes(Lanes::kAutomatic);
  return *functions(chosen ? *chosen : widest());
}

}  // namespace ppdnmf::nmf
