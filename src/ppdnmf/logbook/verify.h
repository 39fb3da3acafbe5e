// Members' logs of one run, held against each other.
//
// Parts and totals are signed by whoever sent them, so the receiver's log proves what it was told. Who sent two members
// different totals, or passed on another total than it was given, is named. Of other messages (hello, query, reply) and
// of lines that one side alone has, only the two ends can be named: one of their logs is not true. Who put wrong
// numbers into its own part cannot be named at all: the part is masked, and every part is as good as any other.
#ifndef PPDNMF_LOGBOOK_VERIFY_H_
#define PPDNMF_LOGBOOK_VERIFY_H_

#include <string>
#include <vector>

#include <ppdnmf/logbook/parsed_log.h>

namespace ppdnmf::logbook {

// One sentence for each contradiction, each once; empty: the logs agree. Every log is of another member.
[[nodiscard]] std::vector<std::string> contradictions(const std::vector<ParsedLog>& logs);

}  // namespace ppdnmf::logbook

#endif  // PPDNMF_LOGBOOK_VERIFY_H_
