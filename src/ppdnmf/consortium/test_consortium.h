// Helpers for this folder's tests.
#ifndef PPDNMF_CONSORTIUM_TEST_CONSORTIUM_H_
#define PPDNMF_CONSORTIUM_TEST_CONSORTIUM_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <ppdnmf/consortium/check.h>
#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/identity/test_identity.h>

namespace ppdnmf::consortium {

inline Member test_member(const std::string& name, const std::string& address) {
  Member member{identity::test_identity(name).public_identity(), std::nullopt};
  if (!address.empty()) member.address = identity::parse_address(address).value();
  return member;
}

// A ring of four, a - b - c - d, with the scheme hardened and members who trust each other, in which nothing is wrong.
inline Consortium test_consortium() {
  Consortium out;
  for (const char* name : {"a", "b", "c", "d"})
    out.members.push_back(test_member(name, std::string(name) + ".example:7443"));
  out.edges = {{"a", "b"}, {"b", "c"}, {"c", "d"}, {"d", "a"}};
  out.rows = 100;
  out.settings.rank = 5;
  out.settings.scheme = protocol::SchemeKind::kHardened;
  out.settings.trust_members = true;
  return out;
}

// The sentences, refusals marked with '!'.
inline std::vector<std::string> sentences(const Consortium& consortium,
                                          std::chrono::sys_seconds now = identity::kTestTime) {
  std::vector<std::string> out;
  for (const Problem& problem : check(consortium, now))
    out.push_back((problem.severity == Severity::kRefusal ? "! " : "") + problem.sentence);
  return out;
}

}  // namespace ppdnmf::consortium

#endif  // PPDNMF_CONSORTIUM_TEST_CONSORTIUM_H_
