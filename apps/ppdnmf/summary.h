// What a finished run says on standard output.
#ifndef PPDNMF_APPS_SUMMARY_H_
#define PPDNMF_APPS_SUMMARY_H_

#include "apps/ppdnmf/options.h"
#include <ppdnmf/report/run_record.h>

namespace ppdnmf::app {

// The summary for a person, or run.json for a machine.
void print_summary(const OutputOptions& options, const report::RunRecord& record);

// The record's notes so far, on standard error; nothing with --quiet.
void print_notes(const OutputOptions& options, const report::RunRecord& record);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_SUMMARY_H_
