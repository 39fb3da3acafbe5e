#include <ppdnmf/report/show.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include <ppdnmf/io/text.h>

namespace ppdnmf::report {
namespace {

constexpr Index kMaxBars = 100;      // rows that a bar chart can name
constexpr Index kMaxCharts = 40;     // bar charts that people look through
constexpr Index kFewestOnAxis = 20;  // fewer numbers are more likely names than an axis

bool fits(const RowsOfX& rows) {
  // Divided, not multiplied: a shape is a user's numbers.
  const auto& image = rows.image;
  return image && image->height > 0 && image->width > 0 && rows.count % image->height == 0 &&
         rows.count / image->height == image->width;
}

// Rows without names, in the order of the field.
std::optional<Channels> channels_by_number(Index rows) {
  for (const ChannelKind kind : kChannelKinds) {
    if (channel_scheme(kind).size() != rows) continue;
    Channels channels{kind, std::vector<Index>(static_cast<std::size_t>(rows))};
    std::iota(channels.place.begin(), channels.place.end(), Index{0});
    return channels;
  }
  return std::nullopt;
}

std::optional<double> number_of(std::string_view name) {
  const std::string_view text = io::trim(name);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// The names as numbers that only rise or only fall; empty if they are not.
std::vector<double> axis_of(const std::vector<std::string>& names) {
  std::vector<double> axis;
  for (const std::string& name : names) {
    const auto value = number_of(name);
    if (!value) return {};
    axis.push_back(*value);
  }
  const bool rises = std::adjacent_find(axis.begin(), axis.end(), std::greater_equal<>()) == axis.end();
  const bool falls = std::adjacent_find(axis.begin(), axis.end(), std::less_equal<>()) == axis.end();
  return rises || falls ? axis : std::vector<double>();
}

Choice signatures(Channels channels, std::string_view why) {
  const ChannelScheme& scheme = channel_scheme(channels.kind);
  Choice choice{Picture::kSignatures, "", std::nullopt, {}};
  const auto there = static_cast<Index>(channels.place.size());
  choice.sentence = fmt::format("{} the channels of {}, {}", why, scheme.name, scheme.words);
  choice.sentence += there == scheme.size() ? fmt::format(", all {} of them.", there)
                                            : fmt::format(", {} of {}; the others are empty.", there, scheme.size());
  choice.channels = std::move(channels);
  return choice;
}

Choice curves(const RowsOfX& rows, std::vector<double> axis) {
  Choice choice{Picture::kCurves, "", std::nullopt, std::move(axis)};
  if (!choice.axis.empty()) {
    choice.sentence = fmt::format("The names of the rows are numbers from {} to {}: they are the axis.",
                                  choice.axis.front(), choice.axis.back());
    return choice;
  }
  choice.sentence = "The axis is the number of the row.";
  choice.axis.resize(static_cast<std::size_t>(rows.count));
  std::iota(choice.axis.begin(), choice.axis.end(), 1.0);
  return choice;
}

Choice guess(const RowsOfX& rows, Index components) {
  if (fits(rows)) return {Picture::kImages, "", std::nullopt, {}};
  auto channels = find_channels(rows.names);
  if (channels && 2 * rows.count >= channel_scheme(channels->kind).size())
    return signatures(*std::move(channels), "Guessed from their names: the rows are");
  if (rows.count >= kFewestOnAxis) {
    if (std::vector<double> axis = axis_of(rows.names); !axis.empty()) {
      Choice choice = curves(rows, std::move(axis));
      choice.sentence = "Guessed from their names: the rows are points of a curve. " + choice.sentence;
      return choice;
    }
  }
  if (rows.count <= kMaxBars && components <= kMaxCharts) return {Picture::kBars, "", std::nullopt, {}};
  return {Picture::kTopics, "", std::nullopt, {}};
}

}  // namespace

Result<Show> parse_show(std::string_view word) {
  const auto at = std::find(std::begin(kShowWords), std::end(kShowWords), word);
  if (at == std::end(kShowWords)) {
    return error(ErrorCode::kUsage, "`show={}` is not one of auto, signatures, topics, curves and images",
                 io::printable(word));
  }
  return static_cast<Show>(at - std::begin(kShowWords));
}

Status check_show(Show show, const RowsOfX& rows) {
  if (show == Show::kImages && !fits(rows))
    return error(ErrorCode::kUsage, "`show=images` needs the size of the images: add `image=HxW`, or read PGM files");
  if (show != Show::kSignatures) return {};
  if (rows.names.empty()) {
    if (channels_by_number(rows.count)) return {};
    return error(
        ErrorCode::kUsage,
        "`show=signatures` needs rows that are channels: {} rows without names are neither the 96 of SBS96 nor "
        "the 78 of DBS78 nor the 83 of ID83",
        rows.count);
  }
  if (find_channels(rows.names)) return {};
  const auto strange = std::find_if(rows.names.begin(), rows.names.end(), [](const std::string& name) {
    return std::none_of(std::begin(kChannelKinds), std::end(kChannelKinds),
                        [&](ChannelKind kind) { return channel_of(kind, name).has_value(); });
  });
  if (strange == rows.names.end()) {
    return error(ErrorCode::kUsage,
                 "`show=signatures` needs rows that are different channels of one kind: these are of several kinds, or "
                 "two rows are the same channel");
  }
  return error(ErrorCode::kUsage,
               "`show=signatures` needs rows that are channels, such as A[C>A]A, AC>CA or 1:Del:C:0: {} is none",
               io::in_quotes(*strange));
}

Choice choose_picture(Show show, const RowsOfX& rows, Index components) {
  if (show == Show::kTopics) return {Picture::kTopics, "", std::nullopt, {}};
  if (show == Show::kCurves) return curves(rows, axis_of(rows.names));
  if (show == Show::kSignatures) {
    if (auto channels = find_channels(rows.names)) return signatures(*std::move(channels), "The rows are");
    if (auto channels = channels_by_number(rows.count))
      return signatures(*std::move(channels),
                        "The rows have no names; they are taken to be, in the order of the field,");
  }
  Choice choice = guess(rows, components);
  if (rows.image && !fits(rows)) {
    const std::string sentence = fmt::format("{} rows are not the pixels of an image of {} x {}.", rows.count,
                                             rows.image->height, rows.image->width);
    choice.sentence = choice.sentence.empty() ? sentence : sentence + " " + choice.sentence;
  }
  return choice;
}

}  // namespace ppdnmf::report
