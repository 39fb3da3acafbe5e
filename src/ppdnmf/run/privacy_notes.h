// What a run tells of whom, in sentences for its report.
#ifndef PPDNMF_RUN_PRIVACY_NOTES_H_
#define PPDNMF_RUN_PRIVACY_NOTES_H_

#include <string>
#include <vector>

#include <ppdnmf/data/columns.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/report/run_record.h>

namespace ppdnmf::run {

// Of a record that describe_network made: who must collude to see whom, who has too few columns.
[[nodiscard]] std::vector<std::string> privacy_notes(const protocol::RunSettings& settings,
                                                     const report::RunRecord& record);

// Of exact totals: what agents with too small a crowd around some of their columns would find refused, or what is done
// about it; at most one sentence. The columns of each agent.
[[nodiscard]] std::vector<std::string> crowd_notes(const protocol::RunSettings& settings,
                                                   const std::vector<data::SharedColumns>& agents,
                                                   const std::vector<std::string>& row_names);

// What the account of a private run says whose secrets follow from a seed; nothing for other runs. `persons`: as
// account_notes takes it.
[[nodiscard]] std::vector<std::string> seeded_account_notes(const protocol::RunSettings& settings, std::uint32_t agents,
                                                            bool persons = false);

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_PRIVACY_NOTES_H_
