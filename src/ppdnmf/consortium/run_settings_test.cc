#include <ppdnmf/consortium/run_settings.h>

#include <ppdnmf/consortium/test_consortium.h>
#include <ppdnmf/run/options.h>
#include <ppdnmf/sim/topology.h>

namespace ppdnmf::consortium {
namespace {

struct Told {
  const char* what;
  run::FactorOptions factor;
  run::NetworkOptions network;
};

Told told(const char* what, const char* exchange) {
  Told out{what, {}, {}};
  out.factor.rank = 4;
  out.network.exchange = exchange;
  return out;
}

// Commands of `simulate`, one or more for every option that changes a setting.
std::vector<Told> commands() {
  std::vector<Told> out;
  for (const char* exchange : {"hardened", "sum", "as-printed"}) out.push_back(told("defaults", exchange));
  const auto add = [&](const char* what, const char* exchange, const auto& change) {
    Told one = told(what, exchange);
    change(one);
    out.push_back(std::move(one));
  };
  add("--starts 7", "sum", [](Told& t) { t.network.starts = 7; });
  add("--starts 7 --bcd 30", "sum", [](Told& t) { t.network.starts = 7, t.factor.bcd = 30; });
  add("--start ones", "sum", [](Told& t) { t.factor.start = "ones"; });
  add("--updates as-printed", "hardened", [](Told& t) { t.network.updates = "as-printed"; });
  add("--updates as-printed", "as-printed", [](Told& t) { t.network.updates = "as-printed"; });
  add("--updates as-printed --weight 0.3 --local-rounds 2", "as-printed", [](Told& t) {
    t.network.updates = "as-printed";
    t.network.weight = "0.3";
    t.network.local_rounds = 2;
  });
  add("--weight 0.3 --mu 2 --eta 1e-3", "hardened", [](Told& t) {
    t.network.weight = "0.3";
    t.factor.mu = "2";
    t.factor.eta = "1e-3";
  });
  add("--bcd 9 --admm-x 7 --admm-y 5", "hardened",
      [](Told& t) { t.factor.bcd = 9, t.factor.admm_x = 7, t.factor.admm_y = 5; });
  add("--admm-x 7", "hardened", [](Told& t) { t.factor.admm_x = 7; });
  add("--tolerance 1e-3 --admm-tolerance 1e-4", "hardened",
      [](Told& t) { t.factor.tolerance = 1e-3, t.network.admm_tolerance = 1e-4; });
  add("--n-max 12345 --u-bound 77777", "hardened", [](Told& t) { t.network.n_max = 12345, t.network.u_bound = 77777; });
  return out;
}

TEST(RunSettings, AreThoseOfSimulateForTheSameOptionsAndGraph) {
  Consortium consortium = test_consortium();
  for (const char* topology : {"ring", "line", "star", "complete", "random:3"}) {
    const protocol::Graph graph = sim::make_topology(topology, 11, Seed::from_number(5)).value();
    for (const Index rows : {50, 5000}) {
      for (const Told& one : commands()) {
        const auto simulated = run::make_settings(one.factor, one.network, rows, 100, graph);
        ASSERT_TRUE(simulated) << simulated.error().message;
        // Through the file, as an agent gets it.
        consortium.settings = agreed_settings(*simulated);
        const auto parsed = parse_consortium(write_consortium(consortium));
        ASSERT_TRUE(parsed) << parsed.error().message;
        const auto run = run_settings(parsed->settings, graph);
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_EQ(run->digest(graph), simulated->digest(graph)) << one.what << " " << one.network.exchange << topology;
        EXPECT_EQ(run->diameter, simulated->diameter);
        EXPECT_EQ(run->max_degree, simulated->max_degree);
      }
    }
  }
}

TEST(RunSettings, OfACheckedConsortiumAreForItsGraph) {
  const auto checked = CheckedConsortium::create(test_consortium(), identity::kTestTime);
  ASSERT_TRUE(checked);
  const auto run = run_settings(*checked);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->diameter, 2U);
  EXPECT_EQ(run->rows, 100);
}

TEST(RunSettings, WhatCannotBeIsRefusedWithTheOption) {
  const protocol::Graph graph = sim::make_topology("ring", 4, Seed::from_number(1)).value();
  AgreedSettings s = test_consortium().settings;
  s.u_bound = 0;
  const auto run = run_settings(s, graph);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kUsage);
  EXPECT_THAT(run.error().message, testing::HasSubstr("--u-bound"));
}

TEST(RunSettings, KeysAreForTheExchangeBetweenNeighbours) {
  AgreedSettings s;
  EXPECT_FALSE(key_options(s)) << "masked sums are what a file has that says nothing";
  s.exchange = AgreedExchange::kHardened;
  s.key_bits = 2048;
  s.key_profile = crypto::KeyProfile::kFast;
  const auto keys = key_options(s);
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->bits, 2048U);
  EXPECT_EQ(keys->profile, crypto::KeyProfile::kFast);
  s.exchange = AgreedExchange::kAsPrinted;
  EXPECT_TRUE(key_options(s));
}

}  // namespace
}  // namespace ppdnmf::consortium
