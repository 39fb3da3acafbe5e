// Between the file's settings and the run's.
#ifndef PPDNMF_CONSORTIUM_RUN_SETTINGS_H_
#define PPDNMF_CONSORTIUM_RUN_SETTINGS_H_

#include <optional>

#include <ppdnmf/base/result.h>
#include <ppdnmf/consortium/check.h>
#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/protocol/settings.h>

namespace ppdnmf::consortium {

// What the file calls an exchange, as runs do.
[[nodiscard]] protocol::ExchangeKind kind_of(AgreedExchange exchange);

// What an agent of the consortium runs with: completed for the graph and validated. What the file does not say follows
// from what it says, as in `simulate`: the printed updates start without a Y step, and keep the data as they are if
// they are given the paper's g; a private run's noise follows from its budget. Fails with kUsage as validate and
// plan_noise do.
[[nodiscard]] Result<protocol::RunSettings> run_settings(const AgreedSettings& settings, const protocol::Graph& graph);
[[nodiscard]] Result<protocol::RunSettings> run_settings(const CheckedConsortium& consortium);

// Of the exchange between neighbours; none for the exchange sum, and none without encryption.
[[nodiscard]] std::optional<crypto::KeyOptions> key_options(const AgreedSettings& settings);

// The way back: what the file says of settings that make_settings (run/options.h) made. Only the settings of the
// algorithm; row names, keys, limits and the X to go on from stay as they are by default.
[[nodiscard]] AgreedSettings agreed_settings(const protocol::RunSettings& settings);

}  // namespace ppdnmf::consortium

#endif  // PPDNMF_CONSORTIUM_RUN_SETTINGS_H_
