// The channels of mutational signatures: which rows they are, whatever spelling and order a file has, and how the field
// draws them.
#ifndef PPDNMF_REPORT_CHANNELS_H_
#define PPDNMF_REPORT_CHANNELS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/data/matrix.h>

namespace ppdnmf::report {

enum class ChannelKind : std::uint8_t { kSbs96, kDbs78, kId83 };
inline constexpr ChannelKind kChannelKinds[] = {ChannelKind::kSbs96, ChannelKind::kDbs78, ChannelKind::kId83};

// Channels that stand side by side under one colour.
struct ChannelClass {
  std::string label;                // short, for the strip above the bars
  std::string_view colour;          // #rrggbb
  std::string_view ink;             // of the label on it
  std::string_view family;          // what several classes have in common, for a line above them; may be empty
  std::vector<std::string> places;  // what stands below each bar
};

struct ChannelScheme {
  ChannelKind kind;
  std::string_view name;   // "SBS96"
  std::string_view words;  // "single-base substitutions in their trinucleotide contexts"
  std::vector<ChannelClass> classes;
  std::vector<std::string> names;  // of all channels, in the order of the field, as COSMIC spells them

  [[nodiscard]] Index size() const { return static_cast<Index>(names.size()); }
};
[[nodiscard]] const ChannelScheme& channel_scheme(ChannelKind kind);

// The place of a row in the order of the field; nothing if its name is not one of the kind's. Spellings that are read,
// with any of ": _ , . - |" or blanks between the parts, in capitals or not, and on either strand:
//   SBS96  A[C>A]A   C>A ACA   ACA C>A   ACA>AAA   ACA>A   ACAA
//   DBS78  AC>CA   ACCA
//   ID83   1:Del:C:0   DEL:C:1:0   DEL:repeats:2:5+   DEL:MH:3:1   C_deletion_1   2bp_deletion_6+
//          3bp_deletion_with_microhomology_1 (deletions from 1 on, as those who write so count)
[[nodiscard]] std::optional<Index> channel_of(ChannelKind kind, std::string_view row_name);

struct Channels {
  ChannelKind kind = ChannelKind::kSbs96;
  std::vector<Index> place;  // of each row, in the order of the field; all different
};
// The kind of which all rows are, each another one. Nothing if there is none, or if there are no rows.
[[nodiscard]] std::optional<Channels> find_channels(const std::vector<std::string>& row_names);

}  // namespace ppdnmf::report

#endif  // PPDNMF_REPORT_CHANNELS_H_
