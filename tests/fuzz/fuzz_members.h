// A whole small run of participants for the fuzz target, and what the middle one of three hears in it.
#ifndef PPDNMF_TESTS_FUZZ_FUZZ_MEMBERS_H_
#define PPDNMF_TESTS_FUZZ_FUZZ_MEMBERS_H_

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "fuzz_agent.h"
#include <ppdnmf/member/participant.h>
#include <ppdnmf/protocol/seeded_secrets.h>

namespace ppdnmf {

inline constexpr Digest kFuzzConsortium = {42};
inline constexpr std::uint64_t kFuzzSeed = 9;

inline member::ParticipantConfig fuzz_config(std::uint32_t self, protocol::SchemeKind kind) {
  const protocol::Graph graph = protocol::testing_agents::line_of_three();
  auto members = std::make_shared<std::vector<crypto::IdentityBytes>>();
  for (std::uint32_t i = 0; i < 3; ++i)
    members->push_back(protocol::simulated_identity(kFuzzSeed, AgentId{i}).public_bytes());
  member::ParticipantConfig config;
  config.consortium = kFuzzConsortium;
  config.self = AgentId{self};
  config.agents = 3;
  config.neighbours = graph.neighbours(AgentId{self});
  config.place = protocol::spanning_tree(graph)[self];
  config.members = members;
  config.throw_away_seed = kFuzzSeed;
  config.make_agent = [self, kind](const member::RunStart&) {
    return std::unique_ptr<protocol::Agent>(new protocol::Agent(fuzz_agent(self, kind)));
  };
  return config;
}

inline std::unique_ptr<member::Participant> fuzz_participant(std::uint32_t self, protocol::SchemeKind kind) {
  return std::make_unique<member::Participant>(fuzz_config(self, kind), Seed::from_number(self));
}

inline wire::Envelope envelope_of(const member::Post& post, std::uint64_t number) {
  return std::visit(
      [&](const auto& content) -> wire::Envelope {
        if constexpr (std::is_same_v<std::decay_t<decltype(content)>, protocol::Message>) {
          return wire::Letter{number, content};
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
inline std::vector<HeardBytes> fuzz_transcript(protocol::SchemeKind kind) {
  struct OnTheWay {
    std::uint32_t from, to;
    wire::Envelope envelope;
  };
  std::vector<std::unique_ptr<member::Participant>> all;
  std::vector<std::uint64_t> numbers(3);
  std::deque<OnTheWay> queue;
  std::vector<HeardBytes> heard;
  const auto step = [&](std::uint32_t i, const member::MemberEvent& event, const auto& again) -> void {
    const member::MemberStep step = all[i]->step(event);
    if (step.state) all[i]->saved(++numbers[i]);
    for (const member::Post& post : step.posts) queue.push_back({i, post.to.value, envelope_of(post, numbers[i])});
    if (!step.end) return;
    PPDNMF_CHECK(std::holds_alternative<protocol::Finish>(*step.end));
    again(i, member::Kept{}, again);
  };
  for (std::uint32_t i = 0; i < 3; ++i) all.push_back(fuzz_participant(i, kind));
  for (std::uint32_t i = 0; i < 3; ++i) step(i, member::Begun{}, step);
  for (const auto& [a, b] : {std::pair{0U, 1U}, {1U, 0U}, {1U, 2U}, {2U, 1U}}) step(a, member::Met{AgentId{b}}, step);
  while (!queue.empty()) {
    const OnTheWay next = std::move(queue.front());
    queue.pop_front();
    if (next.to == 1) heard.push_back({AgentId{next.from}, wire::encode(next.envelope)});
    step(next.to, member::Heard{AgentId{next.from}, next.envelope}, step);
  }
  PPDNMF_CHECK(all[0]->done() && all[1]->done() && all[2]->done());
  return heard;
}

}  // namespace ppdnmf

#endif  // PPDNMF_TESTS_FUZZ_FUZZ_MEMBERS_H_
