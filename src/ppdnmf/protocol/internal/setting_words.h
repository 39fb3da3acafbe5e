// How users spell the words among the settings (settings_table.cc).
#ifndef PPDNMF_PROTOCOL_INTERNAL_SETTING_WORDS_H_
#define PPDNMF_PROTOCOL_INTERNAL_SETTING_WORDS_H_

#include <array>
#include <string_view>
#include <utility>

#include <ppdnmf/protocol/settings.h>

namespace ppdnmf::protocol::internal {

template <typename E>
using Spelling = std::pair<E, std::string_view>;

inline constexpr std::array kSchemes = {Spelling<SchemeKind>{SchemeKind::kSum, "sum"},
                                        Spelling<SchemeKind>{SchemeKind::kMoments, "moments"},
                                        Spelling<SchemeKind>{SchemeKind::kHardened, "hardened"},
                                        Spelling<SchemeKind>{SchemeKind::kAsPrinted, "as-printed"}};
inline constexpr std::array kLosses = {Spelling<nmf::LossKind>{nmf::LossKind::kSquares, "squares"},
                                       Spelling<nmf::LossKind>{nmf::LossKind::kPoisson, "poisson"}};
inline constexpr std::array kCurvatures = {Spelling<nmf::Curvature>{nmf::Curvature::kFull, "full"},
                                           Spelling<nmf::Curvature>{nmf::Curvature::kScaled, "scaled"}};
inline constexpr std::array kCiphers = {Spelling<CipherKind>{CipherKind::kPaillier, "paillier"},
                                        Spelling<CipherKind>{CipherKind::kNone, "none"}};
inline constexpr std::array kUpdates = {Spelling<nmf::Updates>{nmf::Updates::kCorrected, "corrected"},
                                        Spelling<nmf::Updates>{nmf::Updates::kAsPrinted, "as-printed"}};
inline constexpr std::array kStarts = {Spelling<nmf::Start>{nmf::Start::kRandom, "random"},
                                       Spelling<nmf::Start>{nmf::Start::kOnes, "ones"}};
inline constexpr std::array kNorms = {Spelling<nmf::ColumnNorm>{nmf::ColumnNorm::kL1, "l1"},
                                      Spelling<nmf::ColumnNorm>{nmf::ColumnNorm::kL2, "l2"}};
inline constexpr std::array kCrowds = {
    Spelling<CrowdKind>{CrowdKind::kRefuse, "refuse"}, Spelling<CrowdKind>{CrowdKind::kBlank, "blank"},
    Spelling<CrowdKind>{CrowdKind::kDrop, "drop"}, Spelling<CrowdKind>{CrowdKind::kOff, "off"}};
inline constexpr std::array kMissing = {Spelling<MissingKind>{MissingKind::kRefuse, "refuse"},
                                        Spelling<MissingKind>{MissingKind::kNan, "nan"}};
inline constexpr std::array kProfiles = {Spelling<crypto::KeyProfile>{crypto::KeyProfile::kStandard, "standard"},
                                         Spelling<crypto::KeyProfile>{crypto::KeyProfile::kFast, "fast"}};

constexpr const auto& spellings_of(SchemeKind) { return kSchemes; }
constexpr const auto& spellings_of(nmf::LossKind) { return kLosses; }
constexpr const auto& spellings_of(nmf::Curvature) { return kCurvatures; }
constexpr const auto& spellings_of(CipherKind) { return kCiphers; }
constexpr const auto& spellings_of(nmf::Updates) { return kUpdates; }
constexpr const auto& spellings_of(nmf::Start) { return kStarts; }
constexpr const auto& spellings_of(nmf::ColumnNorm) { return kNorms; }
constexpr const auto& spellings_of(CrowdKind) { return kCrowds; }
constexpr const auto& spellings_of(MissingKind) { return kMissing; }
constexpr const auto& spellings_of(crypto::KeyProfile) { return kProfiles; }

template <typename E>
std::string_view spell(E value) {
  for (const auto& [one, word] : spellings_of(value)) {
    if (one == value) return word;
  }
  return "";
}

}  // namespace ppdnmf::protocol::internal

#endif  // PPDNMF_PROTOCOL_INTERNAL_SETTING_WORDS_H_
