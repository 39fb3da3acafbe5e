#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <ppdnmf/page/render.h>
#include <ppdnmf/page/watched.h>

namespace ppdnmf::page {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Snapshot test_snapshot(std::int64_t iteration, double error) {
  Snapshot out;
  out.title = "site <a>";
  out.phase = "iterating";
  out.iterations = iteration;
  out.planned = 100;
  out.common = error;
  out.bytes = 12'345;
  out.seconds = 2.0 * static_cast<double>(iteration);
  out.peers = {{"b", "connected", true, false}, {"c\"", "not connected since 11:02:03 UTC", false, true}};
  return out;
}

std::string_view without_end(const std::string& line) { return std::string_view(line).substr(0, line.size() - 1); }

Watched watched_run(std::int64_t iterations) {
  Watched out;
  for (std::int64_t i = 1; i <= iterations; ++i) {
    EXPECT_TRUE(out.take(without_end(snapshot_line(test_snapshot(i, 1.0 / static_cast<double>(i))))));
  }
  return out;
}

TEST(Watched, KeepsAPointForEachIterationAndThePaceOfTheRun) {
  const Watched run = watched_run(10);
  ASSERT_EQ(run.points().size(), 10U);
  EXPECT_EQ(run.points().back().iteration, 10);
  EXPECT_DOUBLE_EQ(run.seconds_left(), 180);
  EXPECT_EQ(run.now().peers.size(), 2U);
}

TEST(Watched, ALongRunKeepsFewPointsItsFirstAndItsLast) {
  const Watched run = watched_run(10'000);
  EXPECT_LE(run.points().size(), 1001U);
  EXPECT_GT(run.points().size(), 400U);
  EXPECT_EQ(run.points().front().iteration, 1);
  EXPECT_EQ(run.points().back().iteration, 10'000);
}

TEST(Watched, WhatIsNoLineChangesNothing) {
  Watched run = watched_run(3);
  const std::string before = state_json(run);
  for (const std::string_view line : {"", "{", "[]", "17", "\"x\"", "\xff\xfe"}) EXPECT_FALSE(run.take(line)) << line;
  EXPECT_EQ(state_json(run), before);
  EXPECT_TRUE(run.take(R"({"title":7,"iterations":"x","peers":[1,{"name":[]}],"own":"nan"})")) << "odd, and harmless";
}

TEST(Watched, KeepsTheLastLinesOnly) {
  Watched run;
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(run.take(without_end(text_line("sentence " + std::to_string(i)))));
  EXPECT_EQ(run.lines().size(), 12U);
  EXPECT_EQ(run.lines().back(), "sentence 49");
}

TEST(Render, NothingOfARunBecomesMarkup) {
  Watched run = watched_run(5);
  ASSERT_TRUE(run.take(without_end(text_line("<script>alert(1)</script>"))));
  const std::string page = page_html(run);
  EXPECT_THAT(page, HasSubstr("site &lt;a&gt;"));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert"));
  EXPECT_THAT(page, Not(HasSubstr("<script>")));
  EXPECT_THAT(page, Not(HasSubstr(" style=")));
  EXPECT_THAT(page, Not(HasSubstr("http:")));
}

TEST(Render, ThePlotGrowsWithTheRun) {
  const auto pieces = [](std::int64_t iterations) {
    const std::string svg = plot_svg(watched_run(iterations));
    return std::count(svg.begin(), svg.end(), 'L');
  };
  EXPECT_EQ(pieces(2), 1);
  EXPECT_EQ(pieces(20), 19);
  EXPECT_THAT(plot_svg(Watched()), HasSubstr("no iteration yet"));
}

TEST(Render, NoErrorOnTheAxisIsBelowNothing) { EXPECT_THAT(plot_svg(watched_run(100)), Not(HasSubstr(">-"))); }

TEST(Render, PeersAreNamedWithTheirState) {
  const std::string fragment = fragment_html(watched_run(1));
  EXPECT_THAT(fragment, HasSubstr(R"(<tr class="well"><th>b</th><td>connected</td>)"));
  EXPECT_THAT(fragment,
              HasSubstr(R"(<tr class="wrong"><th>c&quot;</th><td>not connected since 11:02:03 UTC, waited for</td>)"));
}

TEST(Render, AProblemMayBeOver) {
  Watched run;
  Snapshot snapshot = test_snapshot(1, 0.5);
  snapshot.problem = "11:02:03 UTC: c: <the connection ended>";
  ASSERT_TRUE(run.take(without_end(snapshot_line(snapshot))));
  EXPECT_THAT(fragment_html(run), HasSubstr("Last problem: 11:02:03 UTC: c: &lt;the connection ended&gt;"));
}

TEST(Render, JsonAndMetricsSayTheSame) {
  const Watched run = watched_run(4);
  const auto json = nlohmann::json::parse(state_json(run));
  EXPECT_EQ(json["iterations"], 4);
  EXPECT_EQ(json["points"].size(), 4U);
  const std::string metrics = metrics_text(run);
  EXPECT_THAT(metrics, HasSubstr("\nppdnmf_iterations 4\n"));
  EXPECT_THAT(metrics, HasSubstr("\nppdnmf_relative_error{of=\"all\"} 0.25\n"));
  EXPECT_THAT(metrics, HasSubstr("\nppdnmf_peer_well{peer=\"c\\\"\"} 0\n"));
  EXPECT_THAT(metrics, Not(HasSubstr("nan")));
}

TEST(Render, TimesAndSizesInWords) {
  EXPECT_EQ(time_words(12.4), "12 s");
  EXPECT_EQ(time_words(125), "2 min 5 s");
  EXPECT_EQ(time_words(3900 + 3600), "2 h 5 min");
  EXPECT_EQ(time_words(std::numeric_limits<double>::quiet_NaN()), "?");
  EXPECT_EQ(size_words(999), "999 B");
  EXPECT_EQ(size_words(1'234'567), "1.23 MB");
}

}  // namespace
}  // namespace ppdnmf::page
