#include <map>

#include <ppdnmf/consortium/internal/problems.h>
#include <ppdnmf/identity/day.h>

namespace ppdnmf::consortium::internal {
namespace {

using std::chrono::sys_seconds;

constexpr std::size_t kFewestMembers = 3;
constexpr std::size_t kFewestThrowAway = 2;  // there is nobody to hide anything from
constexpr std::chrono::days kSoon{30};

void check_dates(const identity::PublicIdentity& identity, sys_seconds now, Problems& problems) {
  const std::string& name = identity.name();
  const sys_seconds end = identity.valid_until();
  if (now < identity.valid_from()) {
    problems.refuse("the identity of {} begins on {}, but today is {}: set the clock that is wrong", name,
                    identity::day_text(identity.valid_from()), identity::day_text(now));
  } else if (now >= end) {
    problems.refuse(
        "the identity of {0} ended on {1}, and today is {2}: unless this machine's clock is wrong, {0} types 'ppdnmf "
        "identity renew' and sends the new .pub file, and a consortium file is made with it",
        name, identity::day_text(end), identity::day_text(now));
  } else if (end - now <= kSoon) {
    problems.warn(
        "the identity of {} ends on {}, in {} days: {} types 'ppdnmf identity renew' and sends the new .pub file", name,
        identity::day_text(end), std::chrono::floor<std::chrono::days>(end - now).count(), name);
  }
}

// Calls complain(first, second) for every member whose key(member) an earlier one has.
template <typename Key, typename Complain>
void find_doubles(const std::vector<Member>& members, const Key& key, const Complain& complain) {
  std::map<std::decay_t<decltype(*key(members[0]))>, const Member*> seen;
  for (const Member& member : members) {
    const auto value = key(member);
    if (!value) continue;
    if (const auto [at, added] = seen.emplace(*value, &member); !added) complain(*at->second, member);
  }
}

void check_relay(const Consortium& consortium, sys_seconds now, Problems& problems) {
  if (!consortium.relay) return;
  const auto& [identity, address] = *consortium.relay;
  check_dates(identity, now, problems);
  for (const Member& member : consortium.members) {
    const std::string& name = member.identity.name();
    if (identity.tls_key_digest() == member.identity.tls_key_digest() || identity.name() == name) {
      problems.refuse(
          "the relay has the key or the name of {}: whoever runs the relay types 'ppdnmf identity new' with another "
          "`name`",
          name);
    }
    if (member.address == address) {
      problems.refuse("the relay and {} have the same address {}: give one of them another port", name,
                      text_of(address));
    }
  }
}

}  // namespace

void check_members(const Consortium& consortium, sys_seconds now, Problems& problems) {
  const auto& members = consortium.members;
  if (members.size() < (consortium.throw_away_seed ? kFewestThrowAway : kFewestMembers)) {
    problems.refuse(
        "there {} {} member{}, but a total over two is the other's as soon as one's own is taken off: add "
        "another with `member=FILE.pub@HOST:PORT` until there are {}",
        members.size() == 1 ? "is" : "are", members.size(), members.size() == 1 ? "" : "s", kFewestMembers);
  }
  if (members.empty()) return;
  find_doubles(
      members, [](const Member& m) { return std::optional(m.identity.name()); },
      [&](const Member& a, const Member&) {
        problems.refuse(
            "two members are called {}: one of them types 'ppdnmf identity new' with another `name`, or it is "
            "there twice and one `member` has to go",
            a.identity.name());
      });
  const auto same_key = [&](const char* kind) {
    return [&problems, kind](const Member& a, const Member& b) {
      problems.refuse("{} and {} have the same {} key: each of them types 'ppdnmf identity new' for itself",
                      a.identity.name(), b.identity.name(), kind);
    };
  };
  find_doubles(
      members, [](const Member& m) { return std::optional(m.identity.tls_key_digest()); }, same_key("TLS"));
  find_doubles(
      members, [](const Member& m) { return std::optional(m.identity.x25519()); }, same_key("X25519"));
  find_doubles(
      members, [](const Member& m) { return m.address ? std::optional(text_of(*m.address)) : std::nullopt; },
      [&](const Member& a, const Member& b) {
        problems.refuse("{} and {} have the same address {}: give one of them another port after the @ of `member`",
                        a.identity.name(), b.identity.name(), text_of(*a.address));
      });
  check_relay(consortium, now, problems);
  for (const Member& member : members) {
    check_dates(member.identity, now, problems);
    if (!member.steward) continue;
    check_dates(*member.steward, now, problems);
    if (member.steward->tls_key_digest() == member.identity.tls_key_digest()) {
      problems.refuse("{} is its own steward: whoever answers for its data types 'ppdnmf identity new' for itself",
                      member.identity.name());
    }
  }
}

}  // namespace ppdnmf::consortium::internal
