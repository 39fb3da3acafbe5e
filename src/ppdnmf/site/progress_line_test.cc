#include <ppdnmf/site/progress_line.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ppdnmf::site {
namespace {

ProgressLine example() {
  return {.phase = AgentPhase::kIterating,
          .iterations = 3,
          .rounds = 9,
          .error = 0.1,
          .common = 1.0 / 3,
          .loss = 5.5,
          .closing = true,
          .bytes = 1234,
          .waiting_for = {"b", "hospital-c"},
          .because = "tolerance"};
}

TEST(ProgressLine, IsOneLineThatComesBack) {
  const std::string line = progress_line(example());
  EXPECT_EQ(line,
            R"({"phase":"iterating","iterations":3,"rounds":9,"error":0.1,"common":0.3333333333333333,"loss":5.5,)"
            R"("closing":true,"bytes":1234,"waiting_for":["b","hospital-c"],"because":"tolerance"})"
            "\n");
  const auto parsed = parse_progress_line(line.substr(0, line.size() - 1));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(progress_line(*parsed), line);
  EXPECT_EQ(parsed->common, 1.0 / 3);
}

TEST(ProgressLine, AnErrorThatIsNotKnownYetIsNull) {
  const std::string line = progress_line({});
  EXPECT_THAT(line, testing::HasSubstr("\"error\":null"));
  const auto parsed = parse_progress_line(line);
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(std::isnan(parsed->error) && std::isnan(parsed->common));
}

TEST(ProgressLine, EveryPhaseHasAWord) {
  for (int i = 0; i <= static_cast<int>(AgentPhase::kFailed); ++i) {
    const auto phase = static_cast<AgentPhase>(i);
    EXPECT_EQ(phase_of(word_of(phase)), phase);
  }
  EXPECT_FALSE(phase_of("Iterating"));
}

TEST(ProgressLine, AnythingElseIsRefused) {
  const std::string good = progress_line(example());
  const auto altered = [&](std::string_view from, std::string_view to) {
    std::string out = good;
    const std::size_t at = out.find(from);
    EXPECT_NE(at, std::string::npos);
    return out.replace(at, from.size(), to);
  };
  for (const std::string& line :
       {std::string(), std::string("{}"), std::string("[]"), std::string("null"), std::string(R"({"phase":)"),
        altered("iterating", "dancing"), altered("\"iterations\":3", "\"iterations\":-3"),
        altered("\"iterations\":3", "\"iterations\":3.5"), altered("\"iterations\":3,", ""),
        altered(R"("iterations":3)", R"("iterations":3,"more":1)"), altered("0.1", R"("0.1")"), altered("true", "1"),
        altered("1234", "18446744073709551615"), altered("[\"b\",", "[1,"), altered(R"(["b","hospital-c"])", R"("b")"),
        altered("\"tolerance\"", "null"), std::string(kMaxProgressLineBytes + 1, ' ')}) {
    EXPECT_FALSE(parse_progress_line(line)) << line.substr(0, 200);
  }
}

}  // namespace
}  // namespace ppdnmf::site
