#include <gtest/gtest.h>

#include <ppdnmf/run/site_estimate.h>

namespace ppdnmf::run {
namespace {

SiteSize small() { return {.rows = 50, .columns = 4000, .nonzeros = {}, .rank = 4, .agents = 8}; }

SiteEstimate estimate(const SiteSize& size) {
  auto estimated = estimate_site(size, {});
  EXPECT_TRUE(estimated) << (estimated ? "" : estimated.error().message);
  return estimated.value_or(SiteEstimate());
}

TEST(SiteEstimate, BytesAreThoseOfTheTreeAndMemoryFollowsTheColumns) {
  const SiteEstimate one = estimate(small());
  SiteSize larger = small();
  larger.columns *= 10;
  const SiteEstimate ten = estimate(larger);
  EXPECT_EQ(ten.data_bytes, 10 * one.data_bytes);
  EXPECT_EQ(ten.coordinate_bytes, 10 * one.coordinate_bytes);
  EXPECT_EQ(ten.factor_bytes, one.factor_bytes);
  EXPECT_EQ(ten.bytes_all(), one.bytes_all());
  // 50 x 4 numbers, the triangle of 4 x 4, and the error, of sixteen bytes each, up and down seven edges, 50 times.
  EXPECT_GE(one.message_bytes, 16U * (200 + 10 + 1));
  EXPECT_LT(one.message_bytes, 16U * (200 + 10 + 1) + 100);
  EXPECT_EQ(one.bytes_all(), one.message_bytes * 2 * 50 * 7);
}

TEST(SiteEstimate, AloneThereIsNoNetworkAndNonzerosAloneCount) {
  SiteSize size = small();
  size.agents = 1;
  const SiteEstimate dense = estimate(size);
  EXPECT_EQ(dense.bytes_all() + dense.message_bytes + dense.state_bytes, 0U);
  EXPECT_EQ(dense.seconds_masks + dense.seconds_network + dense.seconds_start, 0);
  size.nonzeros = 8000;
  EXPECT_LT(estimate(size).data_bytes, dense.data_bytes / 10);
  size.mapped = true;
  EXPECT_EQ(estimate(size).data_bytes, 0U);
  size.processes = 4;
  EXPECT_LT(estimate(size).coordinate_bytes, dense.coordinate_bytes);
}

TEST(SiteEstimate, SizesThatNoMatrixHasAreRefused) {
  const auto refused = [](auto change) {
    SiteSize size = small();
    change(size);
    return !estimate_site(size, {});
  };
  EXPECT_TRUE(refused([](SiteSize& s) { s.rows = 0; }));
  EXPECT_TRUE(refused([](SiteSize& s) { s.agents = 0; }));
  EXPECT_TRUE(refused([](SiteSize& s) { s.nonzeros = 200'001; }));
  EXPECT_TRUE(refused([](SiteSize& s) { s.rows = Index{1} << 40; }));
  EXPECT_TRUE(refused([](SiteSize& s) { s.processes = 4001; }));
}

}  // namespace
}  // namespace ppdnmf::run
