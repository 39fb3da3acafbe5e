#include "apps/ppdnmf/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <map>

namespace ppdnmf::app {

void add_data_options(CLI::App& command, DataOptions& options, bool several_files) {
  auto* files = command.add_option(
      "DATA", options.files,
      several_files
          ? "data: .npy, .npz, .csv, .tsv, .mtx, .mat, .h5ad, .h5, a folder of PGM images; several: one agent each"
          : "data: .npy, .npz, .csv, .tsv, .mtx, .mat, .h5ad, .h5, a folder of PGM images");
  files->required();
  if (!several_files) files->expected(1);
  command.add_flag("--clip-negative", options.clip_negative, "set negative entries to zero");
  command.add_option("--image", options.image, "rows are pixels of images this size, as 19x19 (height x width)");
  command.add_option("--row-names", options.row_names,
                     "a file with the rows' names in order, one on each line, for data without names");
}

void add_on_disk_option(CLI::App& command, io::OnDisk& on_disk) {
  on_disk = io::OnDisk::kLarge;
  command.add_flag_callback(
      "--on-disk", [&on_disk] { on_disk = io::OnDisk::kAlways; },
      "leave .npy and uncompressed .npz files where they are and read them a block at a time; files beyond what is "
      "read "
      "into memory are treated so anyway");
}

void add_picture_options(CLI::App& command, ViewOptions& options) {
  std::map<std::string, report::Show> words;
  for (const std::string_view word : report::kShowWords) words.emplace(word, *report::parse_show(word));
  command
      .add_option("--show", options.pictures.show,
                  "draw components as mutational signatures, topics (top words), curves or images; auto: guessed from "
                  "the names of the rows")
      ->transform(CLI::CheckedTransformer(words, CLI::ignore_case).description(""))
      ->type_name(fmt::format("{}", fmt::join(report::kShowWords, "|")))
      ->default_str("auto");
  command.add_option(
      "--reference", options.pictures.reference,
      "a catalogue of known components with the same rows: what is found is matched with it, one-to-one");
}

void add_exposure_options(CLI::App& command, ViewOptions& options) {
  constexpr double kUsualPart = 0.04;
  constexpr int kFewestDraws = 20;
  constexpr int kMostDraws = 100000;
  command
      .add_option("--prune", options.exposures.prune,
                  fmt::format("drop components of a column as long as each raises its loss by at most this part ({})",
                              kUsualPart))
      ->type_name("[P]")
      ->expected(0, 1)
      ->check([](const std::string& text) {
        double part = 0;
        const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), part);
        const bool fits = status == std::errc() && end == text.data() + text.size() && part > 0 && part <= 1;
        return fits ? std::string() : "'" + text + "' is not a part above 0 and at most 1, as 0.04";
      })
      ->default_str(fmt::format("{}", kUsualPart));
  command
      .add_option("--intervals", options.exposures.intervals,
                  "95 % intervals of Y, from this many draws of each column; X stays as it is")
      ->type_name("R")
      ->check(CLI::Range(kFewestDraws, kMostDraws));
}

Result<report::Pictures> pictures_for(const ViewOptions& options, const std::string& image, const io::Table& data) {
  PPDNMF_TRY(const auto shape, parse_image(image, data.rows()));
  return report::prepare_pictures(options.pictures, {data.rows(), data.row_names, shape ? shape : data.image});
}

void add_output_options(CLI::App& command, OutputOptions& options) {
  options.out = "out/" + command.get_name();
  command.add_option("--out", options.out, "folder for the results")->capture_default_str();
  command.add_flag("--force", options.force, "overwrite earlier results in that folder");
  command.add_flag("--json", options.json, "print run.json instead of a table");
  command.add_flag("--quiet", options.quiet, "print only errors");
}

void add_seed_option(CLI::App& command, std::uint64_t& seed) {
  command.add_option("--seed", seed, "the same seed gives the same bytes")
      ->check([](const std::string& text) {
        std::uint64_t value = 0;
        const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = status == std::errc() && end == text.data() + text.size();
        return whole ? std::string() : "'" + text + "' is not a whole number from 0 to 2^64 - 1";
      })
      ->capture_default_str();
}

bool has_everywhere(const protocol::Setting& setting) { return setting.offered == protocol::Offered::kEverywhere; }

void add_setting_options(CLI::App& command, protocol::Settings& settings, const SettingFilter& wanted) {
  for (const protocol::Setting& setting : protocol::settings_table()) {
    if (!wanted(setting)) continue;
    const auto take = [&setting, &settings](const std::string& text) {
      const auto value = protocol::parse_value(setting, text);
      if (!value) throw CLI::ValidationError(in_flags(value.error().message));
      setting.set(settings, *value);
    };
    std::string meaning = in_flags(setting.meaning);
    if (!setting.automatic.empty()) meaning += fmt::format(" (auto: {})", in_flags(setting.automatic));
    if (setting.kind == protocol::ValueKind::kYesNo) {
      command.add_flag_callback(
          flag_of(setting.name), [&setting, &settings] { setting.set(settings, true); }, meaning);
      continue;
    }
    CLI::Option* option = command.add_option_function<std::string>(flag_of(setting.name), take, meaning);
    option->type_name(setting.words.empty() ? std::string(setting.letter)
                                            : fmt::format("{}", fmt::join(setting.words, "|")));
    if (setting.required) option->required();
    const protocol::Value now = setting.get(settings);
    const protocol::Value& shown = std::holds_alternative<std::monostate>(now) ? setting.fallback : now;
    if (!setting.required && !std::holds_alternative<std::monostate>(shown))
      option->default_str(protocol::text_of(shown));
  }
}

std::string flag_of(std::string_view name) {
  std::string flag = "--" + std::string(name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string in_flags(std::string_view sentence) {
  return protocol::render_names(sentence, [](std::string_view name, std::string_view value) {
    return value.empty() ? flag_of(name) : fmt::format("{} {}", flag_of(name), value);
  });
}

Status check_free(const std::filesystem::path& path, bool force) {
  std::error_code ignored;
  if (force || path.empty() || !std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) return {};
  return error(ErrorCode::kFile, "{}: already exists; choose another name, or replace it with --force", path.string());
}

void add_resume_option(CLI::App& command, OutputOptions& options) {
  command.add_flag("--resume", options.resume,
                   "continue from the checkpoint in the output folder (same data and options)");
}

void add_threads_option(CLI::App& command, std::size_t& threads) {
  command.add_option("--threads", threads, "threads (all processors); the result does not depend on it")
      ->check(CLI::Range(1U, 1024U));
}

Result<std::optional<io::ImageShape>> parse_image(const std::string& text, Index rows) {
  if (text.empty()) return std::optional<io::ImageShape>();
  io::ImageShape shape;
  const char* end = text.data() + text.size();
  auto [x, status] = std::from_chars(text.data(), end, shape.height);
  if (status == std::errc() && x != end && *x == 'x') {
    auto [stop, second] = std::from_chars(x + 1, end, shape.width);
    if (second == std::errc() && stop == end && shape.height > 0 && shape.width > 0) {
      if (rows % shape.height == 0 && rows / shape.height == shape.width) return std::optional(shape);
      return error(ErrorCode::kUsage, "--image {} does not fit: the data have {} rows", text, rows);
    }
  }
  return error(ErrorCode::kUsage, "--image '{}' must be height x width, as 19x19", text);
}

}  // namespace ppdnmf::app
