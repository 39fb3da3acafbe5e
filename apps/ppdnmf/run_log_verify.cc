#include "apps/ppdnmf/run_log_verify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/logbook/logbook.h>
#include <ppdnmf/logbook/verify.h>

namespace ppdnmf::app {
namespace {

struct Looked {
  std::vector<logbook::ParsedLog> logs;
  std::vector<std::string> left_out;  // places of logs in which something is wrong: they prove nothing about others
  std::vector<std::string> damage, contradictions;
};

Status look_at(const std::filesystem::path& path, Looked& out) {
  PPDNMF_TRY(const Bytes bytes, io::read_file(path, logbook::kMaxLogBytes));
  logbook::Reading reading = logbook::read_log(io::as_text(bytes), path.string());
  out.damage.insert(out.damage.end(), reading.problems.begin(), reading.problems.end());
  if (!reading.log || !reading.problems.empty()) {
    out.left_out.push_back(path.string());
    return {};
  }
  const auto same = std::find_if(out.logs.begin(), out.logs.end(),
                                 [&](const logbook::ParsedLog& log) { return log.self == reading.log->self; });
  if (same != out.logs.end()) {
    return error(ErrorCode::kUsage, "{} and {} are both logs of {}: give one of each member", same->place,
                 reading.log->place, same->self);
  }
  out.logs.push_back(*std::move(reading.log));
  return {};
}

Status hold_against(const std::filesystem::path& file, Looked& out) {
  PPDNMF_TRY(const consortium::Consortium content, consortium::read_consortium(file));
  const std::string digest = hex(consortium::digest_of(content));
  for (const logbook::ParsedLog& log : out.logs) {
    if (log.consortium != digest) {
      out.contradictions.push_back(fmt::format("{}: is not of a run with {}", log.place, file.string()));
      continue;
    }
    for (const consortium::Member& member : content.members) {
      const auto found = log.members.find(member.identity.name());
      if (found != log.members.end() && found->second == member.identity) continue;
      out.contradictions.push_back(
          fmt::format("{}: the identity of {} is not the one in {}", log.place, member.identity.name(), file.string()));
    }
  }
  return {};
}

void print(const Looked& looked, bool held_against_file) {
  std::set<std::string> there;
  for (const logbook::ParsedLog& log : looked.logs) {
    there.insert(log.self);
    fmt::print("{}: {}, {} lines, {} sent, {} received, {} totals opened; {}\n", log.place, log.self, log.lines,
               log.sent.size(), log.received.size(), log.opened.empty() ? 0 : log.opened.rbegin()->first,
               log.ended.empty() ? "it does not say how it ended" : log.ended);
  }
  for (const std::string& sentence : looked.damage) fmt::print("wrong  {}\n", sentence);
  for (const std::string& sentence : looked.contradictions) fmt::print("wrong  {}\n", sentence);
  if (!looked.left_out.empty()) fmt::print("not compared with the others: {}\n", fmt::join(looked.left_out, ", "));
  if (looked.logs.empty()) return;
  std::vector<std::string> missing;
  for (const std::string& name : looked.logs.front().names) {
    if (!there.contains(name)) missing.push_back(name);
  }
  if (!missing.empty()) fmt::print("there is no log of {} here\n", fmt::join(missing, ", "));
  if (!held_against_file) {
    fmt::print("who the members are is what these logs say; --consortium FILE holds them against the file\n");
  }
  fmt::print("who put wrong numbers into its own masked part cannot be seen in any log\n");
}

}  // namespace

Status run_log_verify(const LogVerifyOptions& options) {
  Looked looked;
  for (const std::filesystem::path& path : options.logs) PPDNMF_TRY_STATUS(look_at(path, looked));
  looked.contradictions = logbook::contradictions(looked.logs);
  if (!options.consortium.empty()) PPDNMF_TRY_STATUS(hold_against(options.consortium, looked));
  print(looked, !options.consortium.empty());
  if (!looked.contradictions.empty()) {
    return error(ErrorCode::kPeer, "the logs contradict each other: {}", looked.contradictions.front());
  }
  if (!looked.damage.empty()) return error(ErrorCode::kInvalidData, "{}", looked.damage.front());
  fmt::print("every chain and every signature is right{}\n",
             looked.logs.size() > 1 ? ", and the logs say the same" : "");
  return {};
}

}  // namespace ppdnmf::app
