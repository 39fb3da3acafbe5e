// Options that several commands share; they mean the same everywhere. The only place that knows how a setting is
// spelled on the command line.
#ifndef PPDNMF_APPS_OPTIONS_H_
#define PPDNMF_APPS_OPTIONS_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/nmf/exposures.h>
#include <ppdnmf/protocol/settings_table.h>
#include <ppdnmf/report/reference.h>
#include <ppdnmf/run/inputs.h>

namespace CLI {
class App;
}

namespace ppdnmf::app {

using run::DataOptions;
void add_data_options(CLI::App& command, DataOptions& options, bool several_files);
// For commands that need no copy of their data: what is too large for memory stays on disk, and with --on-disk all.
void add_on_disk_option(CLI::App& command, io::OnDisk& on_disk);

// What is made of X and Y once they are found; it concerns this process alone.
struct ViewOptions {
  report::PictureRequest pictures;
  nmf::ExposureOptions exposures;
};
void add_picture_options(CLI::App& command, ViewOptions& options);
void add_exposure_options(CLI::App& command, ViewOptions& options);
// The pictures that were asked for, held against the data before a run. Fails as parse_image and prepare_pictures do.
[[nodiscard]] Result<report::Pictures> pictures_for(const ViewOptions& options, const std::string& image,
                                                    const io::Table& data);

struct OutputOptions {
  std::filesystem::path out;
  bool force = false;
  bool resume = false;  // of the commands that keep checkpoints
  bool json = false;
  bool quiet = false;
};
void add_output_options(CLI::App& command, OutputOptions& options);

// Fails with kFile if something is at this path and --force was not given; an empty path is none.
[[nodiscard]] Status check_free(const std::filesystem::path& path, bool force);

// --seed takes a whole number from 0 to 2^64 - 1.
void add_seed_option(CLI::App& command, std::uint64_t& seed);
void add_resume_option(CLI::App& command, OutputOptions& options);

// An option for every setting that `wanted` is true of. Values that the table refuses end the parsing with its
// sentence.
using SettingFilter = std::function<bool(const protocol::Setting&)>;
void add_setting_options(CLI::App& command, protocol::Settings& settings, const SettingFilter& wanted);
[[nodiscard]] bool has_everywhere(const protocol::Setting& setting);  // not only where members agree on a file

// "admm_x" is --admm-x.
[[nodiscard]] std::string flag_of(std::string_view name);
// A sentence with its settings spelled as they are typed: `scheme=sum` is --scheme sum.
[[nodiscard]] std::string in_flags(std::string_view sentence);

// Without it 0, which stands for all processors.
void add_threads_option(CLI::App& command, std::size_t& threads);

// "19x19". Fails with kUsage unless it is two positive numbers whose product is `rows`.
[[nodiscard]] Result<std::optional<io::ImageShape>> parse_image(const std::string& text, Index rows);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_OPTIONS_H_
