// What the columns of a run come to once X is found (nmf/exposures.h), for all holders on this machine.
#ifndef PPDNMF_RUN_EXPOSURES_H_
#define PPDNMF_RUN_EXPOSURES_H_

#include <cstdint>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/nmf/exposures.h>
#include <ppdnmf/report/run_record.h>
#include <ppdnmf/run/network_record.h>

namespace ppdnmf::run {

// Every column with the X of whoever holds it: the Y's of the factors become the pruned ones, the intervals are added,
// and the record says what it came to. data: all columns, in the order of the agents. The same for one machine, a
// simulated network and processes.
void work_out_exposures(const nmf::ExposureOptions& options, nmf::LossKind loss, std::uint64_t seed,
                        const io::Table& data, Executor& executor, NetworkFactors& factors, report::RunRecord& record);

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_EXPOSURES_H_
