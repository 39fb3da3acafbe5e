#include <ppdnmf/io/time_text.h>

#include <gtest/gtest.h>

namespace ppdnmf::io {
namespace {

using namespace std::chrono;

constexpr sys_seconds kMoment = sys_days{year{2026} / 2 / 28} + hours{3} + minutes{1} + seconds{9};

TEST(TimeText, IsInUtcToTheSecond) {
  EXPECT_EQ(iso_time(kMoment), "2026-02-28T03:01:09Z");
  EXPECT_EQ(spoken_time(kMoment), "2026-02-28 03:01:09 UTC");
  EXPECT_EQ(iso_time(sys_seconds{}), "1970-01-01T00:00:00Z");
}

TEST(TimeText, ComesBack) {
  for (const sys_seconds time : {kMoment, sys_seconds{}, kMoment + days{1}, sys_seconds{seconds{4'000'000'000}}})
    EXPECT_EQ(parse_iso_time(iso_time(time)), time);
}

TEST(TimeText, AnythingElseIsNoTime) {
  for (const char* text :
       {"", "2026-02-28T03:01:09", "2026-02-28 03:01:09Z", "2026-02-30T03:01:09Z", "2026-13-01T03:01:09Z",
        "2026-02-28T24:01:09Z", "2026-02-28T03:60:09Z", "2026-02-28T03:01:60Z", "2026-02-28T03:01:09Zx",
        "2026-02-2xT03:01:09Z", "+026-02-28T03:01:09Z"}) {
    EXPECT_FALSE(parse_iso_time(text)) << text;
  }
}

}  // namespace
}  // namespace ppdnmf::io
