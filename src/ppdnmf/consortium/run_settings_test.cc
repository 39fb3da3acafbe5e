#include <ppdnmf/consortium/run_settings.h>

#include <ppdnmf/consortium/test_consortium.h>
#include <ppdnmf/run/options.h>
#include <ppdnmf/sim/topology.h>

namespace ppdnmf::consortium {
namespace {

struct Told {
  const char* what;
  protocol::Settings settings;
};

// Commands of `simulate`, one or more for every option that changes a setting.
std::vector<Told> commands() {
  using protocol::SchemeKind;
  std::vector<Told> out;
  const auto add = [&](const char* what, SchemeKind scheme, const auto& change) {
    Told one{what, {}};
    one.settings.rank = 4;
    one.settings.scheme = scheme;
    change(one.settings);
    out.push_back(one);
  };
  using S = protocol::Settings;
  for (const SchemeKind scheme : {SchemeKind::kHardened, SchemeKind::kSum, SchemeKind::kAsPrinted})
    add("defaults", scheme, [](S&) {});
  add("--starts 7", SchemeKind::kSum, [](S& s) { s.starts = 7; });
  add("--starts 7 --iterations 30", SchemeKind::kSum, [](S& s) { s.starts = 7, s.iterations = 30; });
  add("--start ones", SchemeKind::kSum, [](S& s) { s.start = nmf::Start::kOnes; });
  add("--updates as-printed", SchemeKind::kHardened, [](S& s) { s.updates = nmf::Updates::kAsPrinted; });
  add("--updates as-printed", SchemeKind::kAsPrinted, [](S& s) { s.updates = nmf::Updates::kAsPrinted; });
  add("--updates as-printed --weight 0.3 --local-rounds 2", SchemeKind::kAsPrinted,
      [](S& s) { s.updates = nmf::Updates::kAsPrinted, s.weight = 0.3, s.local_rounds = 2; });
  add("--weight 0.3 --mu 2 --eta 1e-3", SchemeKind::kHardened, [](S& s) { s.weight = 0.3, s.mu = 2, s.eta = 1e-3; });
  add("--iterations 9 --admm-x 7 --admm-y 5", SchemeKind::kHardened,
      [](S& s) { s.iterations = 9, s.admm_x = 7, s.admm_y = 5; });
  add("--admm-x 7", SchemeKind::kHardened, [](S& s) { s.admm_x = 7; });
  add("--tolerance 1e-3 --admm-tolerance 1e-4", SchemeKind::kHardened,
      [](S& s) { s.tolerance = 1e-3, s.admm_tolerance = 1e-4; });
  add("--n-max 12345 --u-bound 77777", SchemeKind::kHardened, [](S& s) { s.n_max = 12345, s.u_bound = 77777; });
  return out;
}

TEST(RunSettings, AreThoseOfSimulateForTheSameOptionsAndGraph) {
  Consortium consortium = test_consortium();
  for (const char* topology : {"ring", "line", "star", "complete", "random:3"}) {
    const protocol::Graph graph = sim::make_topology(topology, 11, Seed::from_number(5)).value();
    for (const Index rows : {50, 5000}) {
      for (const Told& one : commands()) {
        run::RunOptions options;
        options.settings = one.settings;
        const auto simulated = run::make_settings(options, rows, 100, graph);
        ASSERT_TRUE(simulated) << simulated.error().message;
        // Through the file, as an agent gets it.
        consortium.rows = rows;
        consortium.settings = simulated->said;
        const auto parsed = parse_consortium(write_consortium(consortium));
        ASSERT_TRUE(parsed) << parsed.error().message;
        const auto run = protocol::make_run_settings(parsed->settings, parsed->rows, graph);
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_EQ(run->digest(graph), simulated->digest(graph)) << one.what << " " << topology;
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

}  // namespace
}  // namespace ppdnmf::consortium
