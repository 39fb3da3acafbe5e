#include <ppdnmf/run/options.h>

namespace ppdnmf::run {
namespace {

Status check_ledger(const FactorOptions& factor, const NetworkOptions& network) {
  if (network.ledger.empty() && network.data_name.empty()) return {};
  if (!factor.settings.epsilon)
    return error(ErrorCode::kUsage, "`ledger` and `data_name` are for private runs: add `epsilon`");
  if (!network.ledger.empty() && !network.data_name.empty()) return {};
  return error(ErrorCode::kUsage,
               "`ledger=FILE` and `data_name=NAME` belong together: they say which data are debited, and where");
}

}  // namespace

Result<protocol::RunSettings> make_settings(const FactorOptions& factor, const NetworkOptions& network, Index rows,
                                            Index columns, const protocol::Graph& graph) {
  PPDNMF_TRY_STATUS(check_ledger(factor, network));
  protocol::Settings settings = factor.settings;
  if (settings.epsilon) settings.columns = columns;
  return protocol::make_run_settings(settings, rows, graph);
}

}  // namespace ppdnmf::run
