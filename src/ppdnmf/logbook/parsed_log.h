// A log as a reader finds it: what it claims, once its chain and its signatures are known to be right.
#ifndef PPDNMF_LOGBOOK_PARSED_LOG_H_
#define PPDNMF_LOGBOOK_PARSED_LOG_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/identity/public_identity.h>
#include <ppdnmf/logbook/entry.h>

namespace ppdnmf::logbook {

// That a message went from one member to another.
struct Told {
  std::string from, to;
  bool in_run = false;  // false: in the roll call
  std::string kind;     // logbook/letters.h
  std::uint64_t number = 0;
  std::string digest;      // hexadecimal
  bool proved = false;     // the sender's signature is in the log, and right
  std::uint64_t line = 0;  // of the log
};

struct ParsedLog {
  std::string place;               // the file's name, for sentences
  std::string self;                // whose log it is
  std::string consortium;          // the file's digest, hexadecimal
  std::vector<std::string> names;  // of all members
  std::map<std::string, identity::PublicIdentity> members;
  std::optional<std::string> run;  // the run's digest, once the roll call was over
  std::vector<Told> sent, received;
  std::map<std::uint64_t, std::string> opened;  // what the first so many totals came to
  std::string ended;                            // how, in the log's words; empty: it does not say
  std::uint64_t lines = 0;
  std::uint64_t signed_lines = 0;  // that the last right signature covers, its own line included
};

struct Reading {
  std::optional<ParsedLog> log;       // nothing: too little of it can be read
  std::vector<std::string> problems;  // sentences with the place in front
};
// Total: any text may be given. Reads on to the first line that does not follow from those before.
[[nodiscard]] Reading read_log(std::string_view text, std::string place);

}  // namespace ppdnmf::logbook

#endif  // PPDNMF_LOGBOOK_PARSED_LOG_H_
