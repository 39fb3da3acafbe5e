// A whole small run of participants for the fuzz target, and what the middle one of three hears in it.
#ifndef PPDNMF_TESTS_FUZZ_FUZZ_MEMBERS_H_
#define PPDNMF_TESTS_FUZZ_FUZZ_MEMBERS_H_

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "fuzz_agent.h"
#include "member/participant.h"
#include "protocol/seeded_secrets.h"

namespace ppdnmf {

inline constexpr Digest kFuzzConsortium = {42};
inline constexpr std::uint64_t kFuzzSeed = 9;

inline ParticipantConfig fuzz_config(std::uint32_t self, ExchangeKind kind) {
  const Graph graph = testing_agents::line_of_three();
  auto members = std::make_shared<std::vector<IdentityBytes>>();
  for (std::uint32_t i = 0; i < 3; ++i) members->push_back(simulated_identity(kFuzzSeed, AgentId{i}).public_bytes());
  ParticipantConfig config;
  config.consortium = kFuzzConsortium;
  config.self = AgentId{self};
  config.agents = 3;
  config.neighbours = graph.neighbours(AgentId{self});
  config.place = spanning_tree(graph)[self];
  config.members = members;
  config.throw_away_seed = kFuzzSeed;
  config.make_agent = [self, kind](const RunStart&) {
    return std::unique_ptr<Agent>(new Agent(fuzz_agent(self, kind)));
  };
  return config;
}

inline std::unique_ptr<Participant> fuzz_participant(std::uint32_t self, ExchangeKind kind) {
  return std::make_unique<Participant>(fuzz_config(self, kind), Seed::from_number(self));
}

inline Envelope envelope_of(const Post& post, std::uint64_t number) {
  return std::visit(
      [&](const auto& content) -> Envelope {
        if constexpr (std::is_same_v<std::decay_t<decltype(content)>, Message>) {
          return Letter{number, content};
        } else {
          return content;
        }
      },
      post.content);
}

struct HeardBytes {
  AgentId from;
  Bytes bytes;
};

// Everything that participant 1 hears from the first introduction to the last goodbye, in order.
inline std::vector<HeardBytes> fuzz_transcript(ExchangeKind kind) {
  struct OnTheWay {
    std::uint32_t from, to;
    Envelope envelope;
  };
  std::vector<std::unique_ptr<Participant>> all;
  std::vector<std::uint64_t> numbers(3);
  std::deque<OnTheWay> queue;
  std::vector<HeardBytes> heard;
  const auto step = [&](std::uint32_t i, const MemberEvent& event, const auto& again) -> void {
    bool finished = false;
    const auto actions = all[i]->step(event);
    for (const MemberAction& action : actions) {
      if (std::holds_alternative<Save>(action)) all[i]->saved(++numbers[i]);
    }
    for (const MemberAction& action : actions) {
      if (const auto* post = std::get_if<Post>(&action))
        queue.push_back({i, post->to.value, envelope_of(*post, numbers[i])});
      finished = finished || std::holds_alternative<Finish>(action);
      PPDNMF_CHECK(!std::holds_alternative<Fail>(action));
    }
    if (finished) again(i, Kept{}, again);
  };
  for (std::uint32_t i = 0; i < 3; ++i) all.push_back(fuzz_participant(i, kind));
  for (std::uint32_t i = 0; i < 3; ++i) step(i, Begun{}, step);
  for (const auto& [a, b] : {std::pair{0U, 1U}, {1U, 0U}, {1U, 2U}, {2U, 1U}}) step(a, Met{AgentId{b}}, step);
  while (!queue.empty()) {
    const OnTheWay next = std::move(queue.front());
    queue.pop_front();
    if (next.to == 1) heard.push_back({AgentId{next.from}, encode(next.envelope)});
    step(next.to, Heard{AgentId{next.from}, next.envelope}, step);
  }
  PPDNMF_CHECK(all[0]->done() && all[1]->done() && all[2]->done());
  return heard;
}

}  // namespace ppdnmf

#endif  // PPDNMF_TESTS_FUZZ_FUZZ_MEMBERS_H_
