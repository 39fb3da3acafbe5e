#include <ppdnmf/protocol/words.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <ppdnmf/base/random.h>
#include <ppdnmf/base/test_executor.h>

namespace ppdnmf::protocol {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Words, NumbersComeBackToTheNearestMultipleOfTheQuantum) {
  Stream stream(Seed::from_number(1), 'W');
  for (int n = 0; n < 2000; ++n) {
    const double value = std::ldexp(stream.uniform() - 0.5, static_cast<int>(stream.below(100)) - 40);
    const auto words = to_words({{value}}, 3);
    ASSERT_TRUE(words);
    EXPECT_LE(std::abs(from_word(words->front()) - value), 0x1p-65) << value;
    EXPECT_TRUE(words->front() == static_cast<Word>(static_cast<Int128>(std::round(value * 0x1p64)))) << value;
  }
  EXPECT_EQ(from_word((*to_words({{-1.5}}, 1))[0]), -1.5);
  EXPECT_TRUE((*to_words({{0x1p-65}}, 1))[0] == 1) << "halves away from zero";
  EXPECT_TRUE((*to_words({{-0x1p-65}}, 1))[0] == static_cast<Word>(-1));
}

TEST(Words, SumsAreExactAndDoNotKnowTheOrder) {
  Stream stream(Seed::from_number(2), 'W');
  std::vector<double> values(1000);
  for (double& value : values) value = std::ldexp(stream.normal(), static_cast<int>(stream.below(50)) - 20);
  const Words words = *to_words(values, 1000);
  Word forward = 0;
  Word backward = 0;
  for (std::size_t t = 0; t < words.size(); ++t) {
    forward += words[t];
    backward += words[words.size() - 1 - t];
  }
  EXPECT_TRUE(forward == backward);
}

// Long enough for several tasks, and not a multiple of what one of them converts.
TEST(Words, LongSumsAreConvertedToTheSameBytesByAnyThreads) {
  Stream stream(Seed::from_number(3), 'W');
  std::vector<double> values(70001);
  for (double& value : values) value = std::ldexp(stream.normal(), static_cast<int>(stream.below(50)) - 20);
  Backwards executor;
  const Words words = *to_words(values, 3, executor);
  ASSERT_EQ(words.size(), values.size());
  for (std::size_t t = 0; t < values.size(); ++t) ASSERT_TRUE(words[t] == (*to_words({{values[t]}}, 3))[0]) << t;
  const std::vector<double> back = from_words(words, executor);
  for (std::size_t t = 0; t < values.size(); ++t) ASSERT_EQ(back[t], from_word(words[t])) << t;
  // Of several that are too large the first is named, whichever task comes first.
  values[40000] = values[69999] = 0x1p62;
  const auto refused = to_words(values, 3, executor);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("number 40000 of a sum"), std::string::npos) << refused.error().message;
}

TEST(Words, AreAddedWhereTheyLieInAMessage) {
  Words words = {1, static_cast<Word>(-1), Word{1} << 100U};
  Bytes message = to_bytes(Words{5, 7, Word{1} << 100U});
  message.insert(message.begin(), 0);  // at an odd address
  add_words(ByteSpan(message).subspan(1), words);
  EXPECT_TRUE((words == Words{6, 6, Word{1} << 101U}));
}

// The bound is N |v| 2^64 < 2^126: at it the sentence, below it sums of N that do not wrap around.
TEST(Words, TheBoundIsReportedAndBelowItNothingWrapsAround) {
  for (const std::uint32_t agents : {1U, 3U, 1000U}) {
    const double bound = 0x1p62 / agents;
    for (const double bad : {bound, -bound, kInfinity, -kInfinity, std::nan("")}) {
      const auto words = to_words({{0.0, bad}}, agents);
      ASSERT_FALSE(words) << bad;
      EXPECT_EQ(words.error().code, ErrorCode::kNumeric);
      EXPECT_NE(words.error().message.find("number 1 of a sum"), std::string::npos) << words.error().message;
    }
    const double most = std::nextafter(bound, 0);
    const Words words = *to_words({{most, -most}}, agents);
    Word up = 0;
    Word down = 0;
    for (std::uint32_t i = 0; i < agents; ++i) {
      up += words[0];
      down += words[1];
    }
    EXPECT_NEAR(from_word(up) / 0x1p62, 1, 1e-9);
    EXPECT_NEAR(from_word(down) / 0x1p62, -1, 1e-9);
  }
}

TEST(WideWords, HoldNumbersOfAnySizeExactly) {
  Stream stream(Seed::from_number(3), 'W');
  for (int n = 0; n < 5000; ++n) {
    const double value = std::ldexp(0.5 + stream.uniform() / 2, static_cast<int>(stream.below(1180)) - 586);
    EXPECT_EQ(from_wide_words(to_wide_words(value)), value);
  }
  for (const double value : {0.0, 1e140, 1e-140, 1.0, 0x1p599, 0x1p-640, 0x1p64, std::nextafter(0x1p64, 0)}) {
    EXPECT_EQ(from_wide_words(to_wide_words(value)), value);
  }
  EXPECT_EQ(from_wide_words(to_wide_words(0x1p-641)), 0) << "below the last bit there is nothing";
}

TEST(WideWords, AddUpOverAgents) {
  Stream stream(Seed::from_number(4), 'W');
  Words sum(kWideWords);
  double expected = 0;
  for (int i = 0; i < 1000; ++i) {
    const double value = std::ldexp(stream.uniform(), 400);
    expected += value;
    const Words words = to_wide_words(value);
    for (std::size_t t = 0; t < kWideWords; ++t) sum[t] += words[t];
  }
  EXPECT_NEAR(from_wide_words(sum) / expected, 1, 1e-12);
}

TEST(Words, BytesAndBack) {
  const Words words = {1, static_cast<Word>(-1), Word{7} << 100};
  EXPECT_EQ(to_bytes(words).size(), 48U);
  EXPECT_EQ(to_bytes(words)[0], 1);
  EXPECT_TRUE(words_of(to_bytes(words)) == words);
}

}  // namespace
}  // namespace ppdnmf::protocol
