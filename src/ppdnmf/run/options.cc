#include <ppdnmf/run/options.h>

#include <utility>

namespace ppdnmf::run {
namespace {

Status check_ledger(const RunOptions& options) {
  if (options.ledger.empty() && options.data_name.empty()) return {};
  if (!options.settings.epsilon)
    return error(ErrorCode::kUsage, "`ledger` and `data_name` are for private runs: add `epsilon`");
  if (!options.ledger.empty() && !options.data_name.empty()) return {};
  return error(ErrorCode::kUsage,
               "`ledger=FILE` and `data_name=NAME` belong together: they say which data are debited, and where");
}

}  // namespace

Result<protocol::RunSettings> make_settings(const RunOptions& options, Index rows, Index columns,
                                            const protocol::Graph& graph,
                                            std::shared_ptr<const nmf::KnownColumns> known) {
  PPDNMF_TRY_STATUS(check_ledger(options));
  protocol::Settings settings = options.settings;
  if (settings.epsilon) settings.columns = columns;
  return protocol::make_run_settings(settings, rows, graph, std::move(known));
}

}  // namespace ppdnmf::run
