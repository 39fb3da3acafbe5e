#include <ppdnmf/logbook/verify.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>

#include <ppdnmf/logbook/letters.h>

namespace ppdnmf::logbook {
namespace {

std::string what_of(const Told& told) {
  return (told.in_run ? "" : "the roll call's ") + name_of(told.kind, told.number);
}

// One message from one member to another, whatever it said.
using Name = std::tuple<std::string, std::string, bool, std::string, std::uint64_t>;
Name name_of(const Told& told) { return {told.from, told.to, told.in_run, told.kind, told.number}; }

class Comparison {
 public:
  explicit Comparison(const std::vector<ParsedLog>& logs) : logs_(logs) {}

  std::vector<std::string> run() {
    if (!same_subject()) return std::move(found_);
    compare_totals();
    compare_ends();
    compare_opened();
    return std::move(found_);
  }

 private:
  template <typename... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) {
    std::string sentence = fmt::format(format, std::forward<Args>(args)...);
    if (std::find(found_.begin(), found_.end(), sentence) == found_.end()) found_.push_back(std::move(sentence));
  }

  bool same_subject() {
    const ParsedLog& first = logs_.front();
    for (const ParsedLog& log : logs_) {
      if (log.consortium != first.consortium) {
        say("{} and {} had different consortium files: these are not logs of one run", first.self, log.self);
      } else if (fingerprints(log) != fingerprints(first)) {
        say("the logs of {} and {} name other identities of the members, although the file is the same: one of the two "
            "is not true",
            first.self, log.self);
      } else if (log.run && first.run && *log.run != *first.run) {
        say("{} and {} were in different runs of this consortium", first.self, log.self);
      }
    }
    return found_.empty();
  }

  static std::vector<std::pair<std::string, Digest>> fingerprints(const ParsedLog& log) {
    std::vector<std::pair<std::string, Digest>> out;
    for (const std::string& name : log.names) out.emplace_back(name, log.members.at(name).fingerprint());
    return out;
  }

  // A total is the same for everybody, so each member has one digest of it: that of its parent's, which it passes on.
  // Of whom two digests are known, it is the one who told something different. Signatures come from the receivers'
  // logs, and what a member says that it sent itself, it cannot deny.
  void compare_totals() {
    std::map<std::tuple<std::string, bool, std::uint64_t>, std::vector<Told>> told_by, told_to;
    for (const ParsedLog& log : logs_) {
      for (const Told& told : log.received) {
        if (told.kind != "total" || !told.proved) continue;
        told_by[{told.from, told.in_run, told.number}].push_back(told);
        told_to[{told.to, told.in_run, told.number}].push_back(told);
      }
      for (const Told& told : log.sent) {
        if (told.kind == "total") told_by[{told.from, told.in_run, told.number}].push_back(told);
      }
    }
    for (const auto& [who, all] : told_by) {
      for (const Told& told : all) {
        if (told.digest == all.front().digest) continue;
        differ(all.front(), told);
      }
      const auto given = told_to.find(who);
      if (given == told_to.end()) continue;
      for (const Told& told : all) {
        if (told.digest == given->second.front().digest) continue;
        say("{} was told one total by {} and told {} another: {}", told.from, given->second.front().from, told.to,
            what_of(told));
      }
    }
  }

  void differ(const Told& a, const Told& b) {
    if (a.to == b.to) {
      say("{} told {} two different totals: {}", a.from, a.to, what_of(a));
    } else {
      say("{} told {} and {} different totals: {}", a.from, a.to, b.to, what_of(a));
    }
  }

  // What one says that it sent, and the other that it received.
  void compare_ends() {
    std::map<Name, std::vector<const Told*>> sent;
    std::set<std::string> present;
    for (const ParsedLog& log : logs_) {
      present.insert(log.self);
      for (const Told& told : log.sent) sent[name_of(told)].push_back(&told);
    }
    for (const ParsedLog& log : logs_) {
      for (const Told& told : log.received) {
        if (!present.contains(told.from)) continue;
        const auto found = sent.find(name_of(told));
        if (found == sent.end()) {
          missing(told);
        } else if (std::none_of(found->second.begin(), found->second.end(),
                                [&](const Told* one) { return one->digest == told.digest; })) {
          disagree(told);
        }
      }
    }
  }

  void missing(const Told& told) {
    if (told.proved) {
      say("the log of {} leaves out what it signed: {} to {}", told.from, what_of(told), told.to);
    } else {
      say("{} says that it received {} from {}, whose log knows nothing of it: one of the two logs is not true",
          told.to, what_of(told), told.from);
    }
  }

  void disagree(const Told& told) {
    if (told.proved) {
      say("the log of {} says that it sent {} something else than it signed: {}", told.from, told.to, what_of(told));
    } else {
      say("{} and {} do not agree on what {} said to {}: {}; one of the two logs is not true", told.from, told.to,
          told.from, told.to, what_of(told));
    }
  }

  // The first place where members have other totals than the first log. If nobody above was found to have told them so,
  // one of the logs is not true.
  void compare_opened() {
    const ParsedLog& first = logs_.front();
    for (const ParsedLog& log : logs_) {
      for (const auto& [totals, digest] : log.opened) {
        const auto other = first.opened.find(totals);
        if (other == first.opened.end() || other->second == digest) continue;
        say("from total {} on {} and {} went on with different totals", totals - 1, first.self, log.self);
        break;
      }
    }
  }

  const std::vector<ParsedLog>& logs_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> contradictions(const std::vector<ParsedLog>& logs) {
  if (logs.empty()) return {};
  return Comparison(logs).run();
}

}  // namespace ppdnmf::logbook
