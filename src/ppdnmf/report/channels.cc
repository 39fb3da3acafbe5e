#include <ppdnmf/report/channels.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ppdnmf::report {
namespace {

constexpr std::string_view kBases = "ACGT";

bool is_base(char c) { return kBases.find(c) != std::string_view::npos; }

bool all_bases(std::string_view text) { return std::all_of(text.begin(), text.end(), is_base); }

char complement(char base) { return kBases[3 - kBases.find(base)]; }

std::string other_strand(std::string_view bases) {
  std::string out(bases.rbegin(), bases.rend());
  std::transform(out.begin(), out.end(), out.begin(), complement);
  return out;
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// The parts of a name, in capitals; brackets and arrows are kept with what they belong to.
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts(1);
  for (const char c : name) {
    if (std::string_view(": _,.-|\t").find(c) != std::string_view::npos) {
      if (!parts.back().empty()) parts.emplace_back();
    } else {
      parts.back() += c == '(' ? '[' : c == ')' ? ']' : upper(c);
    }
  }
  if (parts.back().empty()) parts.pop_back();
  return parts;
}

// --- single-base substitutions --------------------------------------------------------------------------------------

constexpr std::pair<std::string_view, std::pair<std::string_view, std::string_view>> kSbsClasses[] = {
    {"CA", {"#03bdef", "#000000"}}, {"CG", {"#010101", "#ffffff"}}, {"CT", {"#e42926", "#ffffff"}},
    {"TA", {"#cbcaca", "#000000"}}, {"TC", {"#a2cf63", "#000000"}}, {"TG", {"#ecc7c5", "#000000"}}};

ChannelScheme make_sbs96() {
  ChannelScheme scheme{
      ChannelKind::kSbs96, "SBS96", "single-base substitutions in their trinucleotide contexts", {}, {}};
  for (const auto& [change, colours] : kSbsClasses) {
    ChannelClass one{fmt::format("{}>{}", change[0], change[1]), colours.first, colours.second, "", {}};
    for (const char left : kBases) {
      for (const char right : kBases) {
        one.places.push_back(fmt::format("{}{}{}", left, change[0], right));
        scheme.names.push_back(fmt::format("{}[{}>{}]{}", left, change[0], change[1], right));
      }
    }
    scheme.classes.push_back(std::move(one));
  }
  return scheme;
}

// The trinucleotide and what its middle base becomes, put together from the parts of a name; empty if they are not
// that.
std::string sbs_letters(const std::vector<std::string>& parts) {
  std::string whole;
  for (const std::string& part : parts) whole += part;
  const auto letters = [&](std::initializer_list<std::size_t> at) {
    std::string out;
    for (const std::size_t i : at) out += whole[i];
    return out;
  };
  if (whole.size() == 7 && whole[1] == '[' && whole[3] == '>' && whole[5] == ']') return letters({0, 2, 6, 4});
  if (whole.size() == 6 && whole[1] == '>') return whole[0] == whole[4] ? letters({3, 4, 5, 2}) : "";  // C>A ACA
  if (whole.size() == 6 && whole[4] == '>') return whole[3] == whole[1] ? letters({0, 1, 2, 5}) : "";  // ACA C>A
  if (whole.size() == 7 && whole[3] == '>')                                                            // ACA>AAA
    return whole[0] == whole[4] && whole[2] == whole[6] ? letters({0, 1, 2, 5}) : "";
  if (parts.size() == 3 && whole.size() == 5 && whole[2] == '>') return letters({0, 1, 4, 3});  // A C>A A
  if (whole.size() == 5 && whole[3] == '>') return letters({0, 1, 2, 4});                       // ACA>A
  if (whole.size() == 4 && parts.size() == 4) return letters({0, 1, 3, 2});  // A.C.A.A, as R makes it of A[C>A]A
  return whole.size() == 4 ? whole : "";
}

std::optional<Index> sbs96_of(std::string_view name) {
  std::string letters = sbs_letters(parts_of(name));
  if (letters.size() != 4 || !all_bases(letters) || letters[1] == letters[3]) return std::nullopt;
  if (letters[1] == 'A' || letters[1] == 'G') letters = other_strand(letters.substr(0, 3)) + complement(letters[3]);
  const std::string change{letters[1], letters[3]};
  Index first = 0;
  for (const auto& [one, colours] : kSbsClasses) {
    if (one == change) return first + static_cast<Index>(4 * kBases.find(letters[0]) + kBases.find(letters[2]));
    first += 16;
  }
  return std::nullopt;
}

// --- double-base substitutions --------------------------------------------------------------------------------------

struct DbsClass {
  std::string_view from, colour, ink, to;
};
constexpr DbsClass kDbsClasses[] = {{"AC", "#03bdef", "#000000", "CA CG CT GA GG GT TA TG TT"},
                                    {"AT", "#0366cc", "#ffffff", "CA CC CG GA GC TA"},
                                    {"CC", "#a2cf63", "#000000", "AA AG AT GA GG GT TA TG TT"},
                                    {"CG", "#016601", "#ffffff", "AT GC GT TA TC TT"},
                                    {"CT", "#ff9999", "#000000", "AA AC AG GA GC GG TA TC TG"},
                                    {"GC", "#e42926", "#ffffff", "AA AG AT CA CG TA"},
                                    {"TA", "#ffb266", "#000000", "AT CG CT GC GG GT"},
                                    {"TC", "#ff8001", "#000000", "AA AG AT CA CG CT GA GG GT"},
                                    {"TG", "#cc99ff", "#000000", "AA AC AT CA CC CT GA GC GT"},
                                    {"TT", "#4c0199", "#ffffff", "AA AC AG CA CC CG GA GC GG"}};

ChannelScheme make_dbs78() {
  ChannelScheme scheme{ChannelKind::kDbs78, "DBS78", "double-base substitutions", {}, {}};
  for (const DbsClass& one : kDbsClasses) {
    ChannelClass made{fmt::format("{}>NN", one.from), one.colour, one.ink, "", {}};
    for (std::size_t i = 0; i < one.to.size(); i += 3) {
      made.places.emplace_back(one.to.substr(i, 2));
      scheme.names.push_back(fmt::format("{}>{}", one.from, made.places.back()));
    }
    scheme.classes.push_back(std::move(made));
  }
  return scheme;
}

std::optional<Index> dbs78_of(std::string_view name) {
  std::string letters;
  for (const std::string& part : parts_of(name)) letters += part;
  if (letters.size() == 5 && letters[2] == '>') letters.erase(2, 1);
  if (letters.size() != 4 || !all_bases(letters)) return std::nullopt;
  const auto& names = channel_scheme(ChannelKind::kDbs78).names;
  const std::string from = letters.substr(0, 2);
  const std::string to = letters.substr(2);
  for (const std::string& spelt :
       {fmt::format("{}>{}", from, to), fmt::format("{}>{}", other_strand(from), other_strand(to))}) {
    const auto at = std::find(names.begin(), names.end(), spelt);
    if (at != names.end()) return at - names.begin();
  }
  return std::nullopt;
}

// --- insertions and deletions ---------------------------------------------------------------------------------------

// What a name says: so many bases ('5': five or more) deleted or inserted; which (C, T), or R at repeats, or M with
// microhomology; and the number of repeats beside it, or of bases of microhomology.
struct Indel {
  char size = '1';
  bool deleted = true;
  char what = 'C';
  char number = '0';
};

struct IndelClass {
  Indel first;  // without its number
  std::string_view colour, ink;
};
constexpr IndelClass kIndelClasses[] = {
    {{'1', true, 'C', 0}, "#fdbe6f", "#000000"},  {{'1', true, 'T', 0}, "#ff8002", "#000000"},
    {{'1', false, 'C', 0}, "#b0dd8b", "#000000"}, {{'1', false, 'T', 0}, "#36a12e", "#ffffff"},
    {{'2', true, 'R', 0}, "#fdcab5", "#000000"},  {{'3', true, 'R', 0}, "#fc8a6a", "#000000"},
    {{'4', true, 'R', 0}, "#f14432", "#ffffff"},  {{'5', true, 'R', 0}, "#bc191a", "#ffffff"},
    {{'2', false, 'R', 0}, "#d0e1f2", "#000000"}, {{'3', false, 'R', 0}, "#94c4df", "#000000"},
    {{'4', false, 'R', 0}, "#4a98c9", "#000000"}, {{'5', false, 'R', 0}, "#1764ab", "#ffffff"},
    {{'2', true, 'M', 0}, "#e2e2ef", "#000000"},  {{'3', true, 'M', 0}, "#b6b6d8", "#000000"},
    {{'4', true, 'M', 0}, "#8683bd", "#000000"},  {{'5', true, 'M', 0}, "#62409b", "#ffffff"}};

std::string_view family_of(const Indel& indel) {
  if (indel.what == 'M') return "microhomology (bases deleted)";
  if (indel.what == 'R') return indel.deleted ? "deletion at repeats (bases)" : "insertion at repeats (bases)";
  return indel.deleted ? "1 base deleted" : "1 base inserted";
}

std::string with_plus(char digit, char last) {
  return digit == last ? fmt::format("{}+", digit) : std::string(1, digit);
}

// The numbers of a class, from its first to its last, and what people read below the bars: the length of the repeat
// that was there, a deleted unit included.
std::pair<char, char> numbers_of(const Indel& indel) {
  if (indel.what != 'M') return {'0', '5'};
  return {'1', indel.size == '5' ? '5' : static_cast<char>(indel.size - 1)};
}

ChannelScheme make_id83() {
  ChannelScheme scheme{ChannelKind::kId83, "ID83", "small insertions and deletions", {}, {}};
  for (const IndelClass& one : kIndelClasses) {
    const Indel& indel = one.first;
    const std::string label = indel.size == '1' ? std::string(1, indel.what) : with_plus(indel.size, '5');
    ChannelClass made{label, one.colour, one.ink, family_of(indel), {}};
    const auto [first, last] = numbers_of(indel);
    for (char number = first; number <= last; ++number) {
      const bool counts_itself = indel.deleted && indel.what != 'M';
      made.places.push_back(counts_itself ? with_plus(static_cast<char>(number + 1), '6') : with_plus(number, '5'));
      scheme.names.push_back(fmt::format("{}:{}:{}:{}", indel.size, indel.deleted ? "Del" : "Ins", indel.what, number));
    }
    scheme.classes.push_back(std::move(made));
  }
  return scheme;
}

// A single digit, which a plus may follow.
std::optional<char> digit_of(std::string_view part) {
  if (part.size() == 2 && part[1] == '+') part.remove_suffix(1);
  if (part.size() != 1 || part[0] < '0' || part[0] > '9') return std::nullopt;
  return part[0];
}

std::optional<bool> deleted_of(std::string_view part) {
  if (part == "DEL" || part == "DELETION") return true;
  if (part == "INS" || part == "INSERTION") return false;
  return std::nullopt;
}

std::optional<char> what_of(std::string_view part) {
  if (part == "C" || part == "T" || part == "R" || part == "M") return part[0];
  if (part == "REPEATS" || part == "REPEAT") return 'R';
  if (part == "MH") return 'M';
  return std::nullopt;
}

// 1:Del:C:0 and DEL:C:1:0 have the same parts in another order.
std::optional<Indel> four_parts(const std::vector<std::string>& parts) {
  if (parts.size() != 4) return std::nullopt;
  const bool size_first = deleted_of(parts[1]).has_value();
  const auto size = digit_of(parts[size_first ? 0 : 2]);
  const auto deleted = deleted_of(parts[size_first ? 1 : 0]);
  const auto what = what_of(parts[size_first ? 2 : 1]);
  const auto number = digit_of(parts[3]);
  if (!size || !deleted || !what || !number) return std::nullopt;
  return Indel{*size, *deleted, *what, *number};
}

// C_deletion_1, 2bp_insertion_0, 5+bp_deletion_with_microhomology_1: deletions count the unit that went.
std::optional<Indel> in_words(const std::vector<std::string>& parts) {
  const bool homology = parts.size() == 5 && parts[2] == "WITH" && parts[3] == "MICROHOMOLOGY";
  if (parts.size() != 3 && !homology) return std::nullopt;
  const auto deleted = deleted_of(parts[1]);
  auto number = digit_of(parts.back());
  if (!deleted || !number) return std::nullopt;
  Indel indel{'1', *deleted, 'C', *number};
  if (parts[0] == "C" || parts[0] == "T") {
    indel.what = parts[0][0];
  } else if (parts[0].ends_with("BP")) {
    const auto size = digit_of(std::string_view(parts[0]).substr(0, parts[0].size() - 2));
    if (!size) return std::nullopt;
    indel.size = *size;
    indel.what = homology ? 'M' : 'R';
  } else {
    return std::nullopt;
  }
  if (indel.deleted && !homology) indel.number = static_cast<char>(indel.number - 1);
  return indel;
}

std::optional<Index> id83_of(std::string_view name) {
  const std::vector<std::string> parts = parts_of(name);
  std::optional<Indel> indel = four_parts(parts);
  if (!indel) indel = in_words(parts);
  if (!indel) return std::nullopt;
  const std::string spelt =
      fmt::format("{}:{}:{}:{}", indel->size, indel->deleted ? "Del" : "Ins", indel->what, indel->number);
  const auto& names = channel_scheme(ChannelKind::kId83).names;
  const auto at = std::find(names.begin(), names.end(), spelt);
  if (at == names.end()) return std::nullopt;
  return at - names.begin();
}

}  // namespace

const ChannelScheme& channel_scheme(ChannelKind kind) {
  static const ChannelScheme sbs96 = make_sbs96();
  static const ChannelScheme dbs78 = make_dbs78();
  static const ChannelScheme id83 = make_id83();
  return kind == ChannelKind::kSbs96 ? sbs96 : kind == ChannelKind::kDbs78 ? dbs78 : id83;
}

std::optional<Index> channel_of(ChannelKind kind, std::string_view row_name) {
  return kind == ChannelKind::kSbs96   ? sbs96_of(row_name)
         : kind == ChannelKind::kDbs78 ? dbs78_of(row_name)
                                       : id83_of(row_name);
}

std::optional<Channels> find_channels(const std::vector<std::string>& row_names) {
  std::optional<Channels> found;
  if (row_names.empty()) return found;
  for (const ChannelKind kind : kChannelKinds) {
    Channels channels{kind, {}};
    std::vector<bool> taken(static_cast<std::size_t>(channel_scheme(kind).size()), false);
    for (const std::string& name : row_names) {
      const auto place = channel_of(kind, name);
      if (!place || taken[static_cast<std::size_t>(*place)]) break;
      taken[static_cast<std::size_t>(*place)] = true;
      channels.place.push_back(*place);
    }
    if (channels.place.size() != row_names.size()) continue;
    // Four letters can be read in two ways; the one that leaves no channel out is meant.
    if (channels.place.size() == taken.size()) return channels;
    if (!found) found = std::move(channels);
  }
  return found;
}

}  // namespace ppdnmf::report
