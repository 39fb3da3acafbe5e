// What an agent can tell by itself of an X that somebody may have planted: how it does on the agent's own columns.
//
// For the agent's own eyes: it tells of its columns, and carries no noise.
#ifndef PPDNMF_PROTOCOL_OWN_COMPARISON_H_
#define PPDNMF_PROTOCOL_OWN_COMPARISON_H_

#include <functional>
#include <string>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::protocol {

// ||Z - X Y|| of these columns over ||Z - W V|| for the W that their own second moments give, both with the best
// coordinates; `columns` as the run takes them (normalised). start(n) as for nmf::factor_second_moments. Infinite where
// the columns are fitted exactly by W and not by X. Fails as factor_second_moments does.
[[nodiscard]] Result<double> error_beside_own(const data::SharedColumns& columns, const Matrix& X,
                                              const std::function<Matrix(int)>& start,
                                              Executor& executor = serial_executor());

// A sentence with that number for the agent's own record.
[[nodiscard]] std::string own_comparison_note(double ratio);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_OWN_COMPARISON_H_
