// All schemes that there are: the one place that knows them by name.
#ifndef PPDNMF_PROTOCOL_SCHEMES_H_
#define PPDNMF_PROTOCOL_SCHEMES_H_

#include <cstddef>
#include <memory>

#include <ppdnmf/base/random.h>
#include <ppdnmf/protocol/agent_config.h>
#include <ppdnmf/protocol/scheme.h>

namespace ppdnmf::protocol {

// The scheme of the config's settings. Takes the cipher, which must be there if the scheme is one between neighbours,
// and only then (checked). Config and secret, which is the agent's own, outlive the scheme.
[[nodiscard]] std::unique_ptr<Scheme> make_scheme(AgentConfig& config, const Seed& secret);

// The longest payload of a sum in a run with these settings.
[[nodiscard]] std::size_t max_sum_bytes(const RunSettings& settings);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_SCHEMES_H_
