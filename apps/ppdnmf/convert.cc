#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/run_convert.h"

namespace ppdnmf::app {

void add_convert(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("convert", "One format into another, also of files larger than memory");
  auto options = std::make_shared<ConvertOptions>();
  command->add_option("DATA", options->from, "any input of the other commands")->required();
  command->add_option("OUT", options->to, "the file to write: .npy, .npz (sparse), .mtx, .csv or .tsv")->required();
  command
      ->add_option_function<std::string>(
          "--missing", [options](const std::string& word) { options->empty_is_nan = word == "nan"; },
          "what empty cells of a table of text are: a mistake (refuse), or NaN (nan)")
      ->check(CLI::IsMember({"refuse", "nan"}))
      ->default_str("refuse");
  command->add_flag("--force", options->force, "replace OUT if it is there");
  command->add_flag("--quiet", options->quiet, "print only errors");
  command->footer("Example: ppdnmf convert cells.h5ad cells.npz");
  command->callback([options, &outcome] { outcome = run_convert(*options); });
}

}  // namespace ppdnmf::app
