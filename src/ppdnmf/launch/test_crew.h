// Helpers for this folder's tests.
#ifndef PPDNMF_LAUNCH_TEST_CREW_H_
#define PPDNMF_LAUNCH_TEST_CREW_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <ppdnmf/launch/crew.h>

namespace ppdnmf::launch {

// One fake agent for each list of words (fake_agent.cc).
inline Crew fake_crew(const std::vector<std::vector<std::string>>& words) {
  std::vector<ChildCommand> commands;
  for (const auto& one : words) {
    ChildCommand command{"agent-" + std::to_string(commands.size()), {PPDNMF_FAKE_AGENT}};
    command.arguments.insert(command.arguments.end(), one.begin(), one.end());
    commands.push_back(std::move(command));
  }
  auto crew = Crew::start(commands);
  PPDNMF_CHECK(crew.has_value());
  return *std::move(crew);
}

inline constexpr std::chrono::milliseconds kSoon{100};

}  // namespace ppdnmf::launch

#endif  // PPDNMF_LAUNCH_TEST_CREW_H_
