// The agent and sums over all agents: totals, ends and columns that are not what they should be.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/test_line.h>

namespace ppdnmf::protocol {
namespace {

using testing_agents::Line;
using testing_agents::settings;

constexpr SchemeKind kKinds[] = {SchemeKind::kAsPrinted, SchemeKind::kHardened, SchemeKind::kSum};

// Somebody on the way passes on another total, if only by a bit: the next part depends on another chain, and nothing
// more is opened.
TEST(Agent, ABranchThatWasToldAnotherTotalEndsTheRunAndIsNamed) {
  for (const SchemeKind kind : kKinds) {
    Line line(settings(kind));
    line.start();
    bool changed = false;
    while (!line.queue.empty()) {
      auto& [to, received] = line.queue.front();
      auto* total = std::get_if<Total>(&received.message.body);
      if (!changed && to == 0 && total != nullptr && total->number == 3) {
        total->payload[0] ^= 1U;
        changed = true;
      }
      line.deliver();
    }
    ASSERT_TRUE(changed);
    ASSERT_TRUE(line.watched.failure);
    EXPECT_EQ(line.watched.failure->code, ErrorCode::kPeer);
    EXPECT_EQ(line.watched.failure->message.find("agent 0 or a branch below it was given other totals"), 0U);
  }
}

// How many columns there are is all that anybody has told of its data when an agent does not go on.
TEST(Agent, TooFewColumnsEndARunBeforeAnythingElseOfTheDataHasLeft) {
  for (const SchemeKind kind : kKinds) {
    Index counted = 0;
    Line line(settings(kind), false, [&](Index columns) -> Status {
      counted = columns;
      return error(ErrorCode::kInvalidData, "too few");
    });
    line.start();
    std::size_t parts = 0;
    while (!line.queue.empty()) {
      const Body& body = line.queue.front().second.message.body;
      if (const auto* part = std::get_if<Partial>(&body)) {
        ++parts;
        EXPECT_EQ(part->number, 0U);
        EXPECT_EQ(part->payload.size(), sizeof(Word)) << "the number of columns and nothing else";
      }
      EXPECT_FALSE(std::holds_alternative<Query>(body));
      line.deliver();
    }
    EXPECT_EQ(parts, 2U);
    EXPECT_EQ(counted, 6);
    ASSERT_TRUE(line.watched.failure);
    EXPECT_EQ(line.watched.failure->message, "too few");
  }
}

// Whoever claims them would make everybody's scale absurd.
TEST(Agent, ColumnsThatNobodyHasEndTheRunWithASentence) {
  const auto failure_after = [](double claim) {
    Line line(settings(SchemeKind::kSum));
    line.start();
    while (!line.queue.empty()) {
      auto* part = std::get_if<Partial>(&line.queue.front().second.message.body);
      if (part != nullptr && part->number == 0 && line.queue.front().second.from == AgentId{0}) {
        Words words = words_of(part->payload);
        words[0] += to_words({{claim}}, 3)->front();
        part->payload = to_bytes(words);
      }
      line.deliver();
    }
    return line.watched.failure;
  };
  for (const double claim : {0x1p52, 0x1p40, 0.5, -3.0, -1e6}) {
    const auto failure = failure_after(claim);
    ASSERT_TRUE(failure) << claim;
    EXPECT_EQ(failure->code, ErrorCode::kPeer);
    EXPECT_EQ(failure->message.find("the agents' numbers of columns come to "), 0U) << failure->message;
  }
  EXPECT_FALSE(failure_after(1));
}

// The first total that agent 0 is given from sum `from` on says another end than agent 1's. Gives back agent 1's
// failure and how many totals agent 1 has sent of later sums; `parts`: what agents 0 and 2 sent to the sum after the
// changed one.
struct Misled {
  std::optional<Error> failure;
  int opened = 0;
  std::map<std::uint32_t, Partial> parts;
};
Misled mislead(SchemeKind kind, bool stops, std::uint32_t from = 3) {
  Line line(settings(kind));
  line.start();
  std::optional<std::uint32_t> changed;
  Misled out;
  while (!line.queue.empty()) {
    auto& [to, received] = line.queue.front();
    auto* total = std::get_if<Total>(&received.message.body);
    const auto* part = std::get_if<Partial>(&received.message.body);
    if (total != nullptr && changed && total->number > *changed) ++out.opened;
    if (part != nullptr && changed && part->number == *changed + 1) out.parts.emplace(received.from.value, *part);
    if (stops && total != nullptr && total->number == 1) line.handle(1, StopRequested{});
    if (!changed && to == 0 && total != nullptr && total->number >= from && total->stop == stops) {
      total->stop = !stops;
      changed = total->number;
    }
    line.deliver();
  }
  EXPECT_TRUE(changed);
  out.failure = line.watched.failure;
  return out;
}

// Who was told to end adds up something else next. If both hung on one chain, the masks of their first words would
// cancel and open what no total is.
TEST(Agent, ABranchThatWasToldAnotherEndEndsTheRunAndIsNamed) {
  for (const SchemeKind kind : {SchemeKind::kHardened, SchemeKind::kSum}) {
    for (const bool stops : {false, true}) {
      SCOPED_TRACE(fmt::format("kind {}, stops {}", static_cast<int>(kind), stops));
      const Misled misled = mislead(kind, stops);
      ASSERT_TRUE(misled.failure);
      EXPECT_EQ(misled.failure->code, ErrorCode::kPeer);
      EXPECT_EQ(misled.failure->message.find("agent 0 or a branch below it was "), 0U) << misled.failure->message;
      EXPECT_NE(misled.failure->message.find("nothing more is opened"), std::string::npos);
      EXPECT_EQ(misled.opened, 0);
      if (kind == SchemeKind::kHardened) continue;
      ASSERT_EQ(misled.parts.size(), 2U);
      EXPECT_NE(misled.parts.at(0).payload.size(), misled.parts.at(2).payload.size()) << "they add up different things";
      EXPECT_NE(misled.parts.at(0).chain, misled.parts.at(2).chain);
    }
  }
}

// After the last round all measure, whatever they were told: still they were not told the same.
TEST(Agent, TheEndIsPartOfTheChainWhateverFollowsFromIt) {
  const auto last = static_cast<std::uint32_t>(settings().iterations) + 2;  // after three of the opening
  const Misled misled = mislead(SchemeKind::kSum, false, last);
  ASSERT_EQ(misled.parts.size(), 2U);
  EXPECT_EQ(misled.parts.at(0).payload.size(), sizeof(Word));
  EXPECT_EQ(misled.parts.at(2).payload.size(), sizeof(Word));
  EXPECT_NE(misled.parts.at(0).chain, misled.parts.at(2).chain);
  ASSERT_TRUE(misled.failure);
  EXPECT_EQ(misled.opened, 0);
}

}  // namespace
}  // namespace ppdnmf::protocol
