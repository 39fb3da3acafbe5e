// Options that several commands share; they mean the same everywhere.
#ifndef PPDNMF_APPS_OPTIONS_H_
#define PPDNMF_APPS_OPTIONS_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/run/inputs.h>
#include <ppdnmf/run/options.h>

namespace CLI {
class App;
}

namespace ppdnmf::app {

using run::DataOptions;
void add_data_options(CLI::App& command, DataOptions& options, bool several_files);

struct OutputOptions {
  std::filesystem::path out;
  bool force = false;
  bool json = false;
  bool quiet = false;
};
void add_output_options(CLI::App& command, OutputOptions& options);

// --seed takes a whole number from 0 to 2^64 - 1.
void add_seed_option(CLI::App& command, std::uint64_t& seed);
void add_factor_options(CLI::App& command, run::FactorOptions& options, bool rank_required);
void add_resume_option(CLI::App& command, run::FactorOptions& options);

// 0 stands for all processors.
void add_threads_option(CLI::App& command, std::size_t& threads);
[[nodiscard]] std::size_t threads_or_all(std::size_t threads);

// "19x19". Fails with kUsage unless it is two positive numbers whose product is `rows`.
[[nodiscard]] Result<std::optional<io::ImageShape>> parse_image(const std::string& text, Index rows);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_OPTIONS_H_
