// What exact totals take on trust, as sentences (docs/threat_model.md).
#ifndef PPDNMF_PROTOCOL_TRUST_H_
#define PPDNMF_PROTOCOL_TRUST_H_

#include <string>
#include <vector>

#include <ppdnmf/protocol/settings.h>

namespace ppdnmf::protocol {

// Of a run with these settings between organisations: what a member could read that follows the program, and one that
// does not. Nothing for a private run, whose account says it.
[[nodiscard]] std::vector<std::string> trust_notes(const Settings& settings);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_TRUST_H_
