// No copy of a run's secret is left in memory that was given back.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include <ppdnmf/member/participant.h>
#include <ppdnmf/protocol/noise_share.h>

namespace {

// The secret of this test, and whether blocks are looked at. Plain memory: the operators below must not allocate.
std::array<std::uint8_t, 32> secret;     // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> looking = false;       // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<int> found = 0, looked = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void give_back(void* block) noexcept {
  if (looking && block != nullptr) {
    const auto* first = static_cast<const std::uint8_t*>(block);
    const auto* last = first + malloc_usable_size(block);
    if (std::search(first, last, secret.begin(), secret.end()) != last) ++found;
    ++looked;
  }
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) {
  if (void* block = std::calloc(1, std::max<std::size_t>(size, 1)); block != nullptr) return block;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  if (void* block = std::aligned_alloc(step, (std::max<std::size_t>(size, 1) + step - 1) / step * step)) return block;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept { give_back(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept { give_back(block); }
void operator delete(void* block, std::align_val_t /*alignment*/) noexcept { give_back(block); }
void operator delete(void* block, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { give_back(block); }

namespace ppdnmf::member {
namespace {

ParticipantConfig config_of_many() {
  constexpr std::uint32_t kAgents = 40;  // so that a state is long, and its buffer grows behind the secret
  ParticipantConfig config;
  config.agents = kAgents;
  config.members = std::make_shared<std::vector<crypto::IdentityBytes>>(kAgents);
  for (std::uint32_t i = 1; i < kAgents; ++i) {
    config.neighbours.push_back(AgentId{i});
    config.place.children.push_back(AgentId{i});
  }
  config.make_agent = [](RunStart) { return nullptr; };
  return config;
}

TEST(MemberMemory, TheSecretOfARunIsNotLeftBehind) {
  for (std::size_t i = 0; i < secret.size(); ++i) secret[i] = static_cast<std::uint8_t>(37 * i + 11);
  found = looked = 0;
  looking = true;
  {
    Participant participant(config_of_many(), Seed::from_bytes(secret));
    MemberStep step = participant.step(Begun{});
    ASSERT_TRUE(step.state);
    EXPECT_GT(step.state->size(), 1000U);
    const auto in_state =
        std::search(step.state->span().begin(), step.state->span().end(), secret.begin(), secret.end());
    EXPECT_NE(in_state, step.state->span().end()) << "then there is nothing to be found";
    Participant again(config_of_many(), Seed::from_number(1));
    ASSERT_TRUE(again.load(step.state->span(), 1));
  }
  looking = false;
  EXPECT_GT(looked, 10);
  EXPECT_EQ(found, 0);
}

TEST(MemberMemory, AWriterLeavesNothingWhereItsBufferWas) {
  for (std::size_t i = 0; i < secret.size(); ++i) secret[i] = static_cast<std::uint8_t>(41 * i + 3);
  found = 0;
  looking = true;
  {
    ByteWriter out;
    out.put_bytes(secret);
    for (int n = 0; n < 1000; ++n) out.put(n);
    Bytes taken = out.take();
    overwrite(taken.data(), taken.size());
    ByteWriter dropped;
    dropped.put_bytes(secret);
  }
  looking = false;
  EXPECT_EQ(found, 0);
}

// Whoever learns a share of the noise has the part that it covered.
TEST(MemberMemory, NoiseThatWasAddedIsNotLeftBehind) {
  privacy::NoisePlan plan;
  plan.unit = 1;
  plan.share_variance = 1'000'000'000;
  plan.entries = 100;
  const Seed own = Seed::from_number(5);
  std::vector<double> expected = protocol::noise_share(plan, own, {}, 3);
  std::memcpy(secret.data(), expected.data() + 50, secret.size());  // four numbers of it
  std::vector<double> values(expected.size(), 0);
  found = looked = 0;
  looking = true;
  protocol::add_share(protocol::noise_share(plan, own, {}, 3), values);
  looking = false;
  EXPECT_GT(looked, 0);
  EXPECT_EQ(found, 0);
  EXPECT_EQ(values, expected) << "then something else was looked for";
}

}  // namespace
}  // namespace ppdnmf::member
