// The one table of settings. The command line's options and their help, the consortium file and its digest, run.json,
// Python's arguments and the reference pages walk it; a new setting is a field of Settings, a row here and the place
// where it is used.
//
// Sentences name a setting as `rank`, or with a value as `scheme=sum`. Whoever shows them renders the names in its own
// way (render_names): --scheme sum on the command line, scheme='sum' in Python.
#ifndef PPDNMF_PROTOCOL_SETTINGS_TABLE_H_
#define PPDNMF_PROTOCOL_SETTINGS_TABLE_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/protocol/settings.h>

namespace ppdnmf::protocol {

// Empty: automatic, or not given. A word is one of the setting's words.
using Value = std::variant<std::monostate, std::int64_t, double, std::string, bool>;

enum class ValueKind : std::uint8_t { kWhole, kNumber, kWord, kYesNo };
enum class KnownTo : std::uint8_t { kAll, kSum, kNeighbours };  // kSum: schemes of sums alone, moments too
// Where it can be given: some settings have a meaning only where members agree on a file.
enum class Offered : std::uint8_t { kEverywhere, kConsortium };

struct Setting {
  std::string_view name{};
  std::string_view python{};  // scikit-learn's word for it; empty: its name
  std::string_view letter{};  // what stands for a value in the reference, as N
  double min = 0;
  double max = std::numeric_limits<double>::max();
  bool below_max = false;  // max itself is too much
  bool required = false;
  bool range = false;        // of whole numbers: two of them, as 4-20, are a value too
  bool private_run = false;  // has a meaning only in a private run
  KnownTo known_to = KnownTo::kAll;
  Offered offered = Offered::kEverywhere;
  std::string_view section{};  // of the consortium file; empty: members need not agree on it
  bool recorded = true;        // stands in run.json, and a checkpoint belongs to it
  bool later = false;  // stands in files, records and digests only where it is given: runs without it keep theirs
  std::vector<std::string_view> python_words{};  // scikit-learn's for `words`, one for one; empty: the same
  Value fallback{};                              // what holds where nothing is given; empty: automatic or nothing
  std::string_view automatic{};                  // how it is chosen then; empty: it cannot be asked for with "auto"
  std::string_view meaning{};

  // Filled in by the table from the field.
  ValueKind kind = ValueKind::kWord;
  bool optional = false;
  std::vector<std::string_view> words{};
  Value (*get)(const Settings&) = nullptr;
  void (*set)(Settings&, const Value&) = nullptr;  // the value has passed check_value

  [[nodiscard]] bool knows(SchemeKind scheme) const {
    return known_to == KnownTo::kAll || (known_to == KnownTo::kSum) == sums_only(scheme);
  }
  [[nodiscard]] std::string_view python_name() const { return python.empty() ? name : python; }
};

[[nodiscard]] std::span<const Setting> settings_table();
[[nodiscard]] const Setting* find_setting(std::string_view name);  // null: there is none

// Whether somebody asked for something else than the default.
[[nodiscard]] bool is_given(const Setting& setting, const Settings& settings);
// Whether no value is a value of its own: nothing is chosen then, and nothing holds instead.
[[nodiscard]] bool can_be_left_out(const Setting& setting);
// Whether a file or a record of such a run has a line for it: the scheme knows it, it is not for private runs alone
// where the run is none, and it has a value or is chosen for the run.
[[nodiscard]] bool has_line(const Setting& setting, const Settings& settings);

// "a whole number from 1 to 1000000000, or auto".
[[nodiscard]] std::string limits_text(const Setting& setting);
// Fails with kUsage, naming the setting, unless the value is of its kind and within its limits. A whole number is a
// number.
[[nodiscard]] Status check_value(const Setting& setting, const Value& value);
// check_value, then set.
[[nodiscard]] Status set_value(const Setting& setting, Settings& settings, const Value& value);
// A text as people type it. Fails as check_value does.
[[nodiscard]] Result<Value> parse_value(const Setting& setting, std::string_view text);
[[nodiscard]] std::string text_of(const Value& value);
// "4-20" as 4 and 20; nothing unless it is two whole numbers from 1 on, the first one below the second.
[[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> parse_range(std::string_view text);

// As the table spells them.
[[nodiscard]] std::string_view word_of(SchemeKind scheme);

// For run.json: every recorded setting that the scheme knows, in the table's order; what only members of a consortium
// can give, where they gave it.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> recorded_parameters(const Settings& settings);

// The sentence with every `name` and `name=value` of small letters and underscores replaced by what `render` makes of
// name and value (empty if there is none).
using NameRenderer = std::function<std::string(std::string_view name, std::string_view value)>;
[[nodiscard]] std::string render_names(std::string_view sentence, const NameRenderer& render);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_SETTINGS_TABLE_H_
