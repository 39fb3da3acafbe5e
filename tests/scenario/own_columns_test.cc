// Whole runs whose columns are changed before they enter: what the agents find out together is what one machine finds.
#include <cmath>
#include <limits>

#include "tests/scenario/harness.h"
#include <ppdnmf/data/cap.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/weights.h>
#include <ppdnmf/protocol/early_sums.h>

namespace ppdnmf::scenario {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Agents' columns of very different sizes.
Problem uneven_problem(std::uint64_t seed, const std::string& graph, std::uint32_t agents,
                       nmf::LossKind loss = nmf::LossKind::kSquares) {
  Problem problem = small_problem(seed, graph, agents, 8, 3);
  double factor = 1;
  for (Matrix& Z : problem.Z) {
    for (Index m = 0; m < Z.cols(); ++m) Z.col(m) *= factor = factor > 50 ? 0.01 * factor : 3.5 * factor;
  }
  protocol::RunSettings& s = problem.config.settings;
  s.scheme = protocol::SchemeKind::kSum;
  s.loss = loss;
  s.iterations = 12;
  s.data_scale.reset();
  protocol::complete(s, problem.graph);
  return problem;
}

Problem capped_problem(std::uint64_t seed, const std::string& graph, std::uint32_t agents) {
  Problem problem = uneven_problem(seed, graph, agents);
  problem.config.settings.cap = 0.6;
  return problem;
}

// The same data, capped beforehand by somebody who sees all of them.
Problem capped_beforehand(Problem problem, double& cap) {
  std::vector<data::SharedColumns> parts;
  for (const Matrix& Z : problem.Z) parts.push_back(data::view(Z));
  cap = *data::cap_of(parts, *problem.config.settings.cap);
  Index above = 0;
  for (Matrix& Z : problem.Z) {
    for (Index m = 0; m < Z.cols(); ++m) {
      const double total = data::column_totals(*data::view(Z, {m, 1})).front();
      if (total <= cap) continue;
      Z.col(m) *= cap / total;
      ++above;
    }
  }
  EXPECT_GT(above, 2);
  problem.config.settings.cap.reset();
  return problem;
}

TEST(CappedRuns, GiveTheXOfDataThatWereCappedBeforehand) {
  for (const protocol::SchemeKind scheme : {protocol::SchemeKind::kSum, protocol::SchemeKind::kMoments}) {
    Problem problem = capped_problem(4, "random:3", 6);
    problem.config.settings.scheme = scheme;
    if (scheme == protocol::SchemeKind::kMoments) problem.config.settings.iterations = 1;
    double cap = 0;
    const sim::Simulation before = run(capped_beforehand(problem, cap));
    const sim::Simulation together = run(masked(problem));
    EXPECT_TRUE(together.agent(0).X() == before.agent(0).X());
    // Y fits the columns as they were.
    for (std::size_t i = 0; i < together.agents(); ++i) {
      const Matrix& Z = problem.Z[i];
      const Matrix Y = together.agent(i).Y();
      for (Index m = 0; m < Z.cols(); ++m) {
        const double total = data::column_totals(*data::view(Z, {m, 1})).front();
        const double factor = std::max(1.0, total / cap);
        EXPECT_LT((Y.col(m) - factor * before.agent(i).Y().col(m)).norm(), 1e-12 * Y.col(m).norm());
      }
    }
  }
}

TEST(CappedRuns, GraphsMasksThreadsAndFaultsChangeNothing) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) expect_same_on_other_networks(capped_problem(seed, "line", 5));
}

TEST(CappedRuns, APausedRunGoesOnInAnotherProcessToTheSameBytes) {
  expect_same_after_pauses(masked(capped_problem(5, "random:3", 6)), 3);
}

// A column of weight two is one that stands there twice.
TEST(WeightedRuns, AWeightOfTwoIsAColumnTwice) {
  for (const nmf::LossKind loss : {nmf::LossKind::kSquares, nmf::LossKind::kPoisson}) {
    Problem problem = uneven_problem(3, "line", 4, loss);
    std::vector<data::SharedColumns> weighted;
    Problem twice = problem;
    for (std::size_t i = 0; i < problem.Z.size(); ++i) {
      const Matrix& Z = problem.Z[i];
      std::vector<double> weights(static_cast<std::size_t>(Z.cols()), 1);
      weights.front() = 2;
      weighted.push_back(data::with_weights(data::view(Z), weights));
      twice.Z[i].conservativeResize(Z.rows(), Z.cols() + 1);
      twice.Z[i].col(Z.cols()) = Z.col(0);
    }
    // The scale follows from the mean of what is there, and a power of two changes no digit.
    problem.config.settings.data_scale = twice.config.settings.data_scale = 16;
    const sim::Simulation copied = run(twice);
    auto simulation = sim::Simulation::create(problem.config, problem.graph, weighted);
    ASSERT_TRUE(simulation) << simulation.error().message;
    SerialExecutor serial;
    ASSERT_TRUE(simulation->run(serial, nullptr, go_on));
    const Matrix& X = copied.agent(0).X();
    EXPECT_LT((simulation->agent(0).X() - X).norm(), 1e-6 * X.norm());
    const double loss_twice = copied.history().back().loss;
    EXPECT_NEAR(simulation->history().back().loss / loss_twice, 1, 1e-6);
    const Matrix Y = simulation->agent(1).Y();
    EXPECT_LT((Y - copied.agent(1).Y().leftCols(Y.cols())).norm(), 1e-5 * Y.norm());
  }
}

// --- missing entries -------------------------------------------------------------------------------------------------

// Agents of whose entries a third is missing, one of a whole row.
Problem gappy_problem(std::uint64_t seed, const std::string& graph, std::uint32_t agents,
                      nmf::LossKind loss = nmf::LossKind::kSquares, int rounds = 12) {
  Problem problem = small_problem(seed, graph, agents, 8, 3);
  Stream stream(Seed::from_number(seed), 'G');
  for (Matrix& Z : problem.Z) {
    for (Index m = 0; m < Z.cols(); ++m) {
      for (Index l = 0; l < Z.rows(); ++l) {
        if (stream.uniform() < 0.33 && l != m % Z.rows()) Z(l, m) = kMissing;
      }
    }
  }
  problem.Z.front().row(6).setConstant(kMissing);
  protocol::RunSettings& s = problem.config.settings;
  s.scheme = protocol::SchemeKind::kSum;
  s.loss = loss;
  s.missing = true;
  s.iterations = rounds;
  s.data_scale.reset();
  protocol::complete(s, problem.graph);
  return problem;
}

TEST(GappyRuns, GraphsMasksThreadsAndFaultsChangeNothing) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const nmf::LossKind loss = seed % 2 == 0 ? nmf::LossKind::kSquares : nmf::LossKind::kPoisson;
    expect_same_on_other_networks(gappy_problem(seed, "line", 5, loss));
  }
}

TEST(GappyRuns, APausedRunGoesOnInAnotherProcessToTheSameBytes) {
  Problem problem = masked(gappy_problem(5, "random:3", 6));
  problem.config.settings.cap = 0.7;  // both kinds of early sums
  expect_same_after_pauses(problem, 3);
}

TEST(GappyRuns, TheErrorIsThatOfOneMachineInEveryIteration) {
  for (const nmf::LossKind loss : {nmf::LossKind::kSquares, nmf::LossKind::kPoisson}) {
    const Problem problem = gappy_problem(2, "random:3", 9, loss, 25);
    const sim::Simulation network = run(problem);
    nmf::FactorizeOptions options;
    options.rank = 3;
    options.iterations = 25;
    options.tolerance = 0;
    options.loss = loss;
    options.curvature = nmf::Curvature::kFull;
    const Matrix Z = all_columns(problem);
    auto machine = nmf::Factorization::create(data::gappy_view(Z), options, Seed::from_number(2));
    ASSERT_TRUE(machine);
    for (const sim::HistoryEntry& entry : network.history()) {
      ASSERT_TRUE(machine->step());
      EXPECT_NEAR(entry.relative_error / machine->relative_error(), 1, 1e-7) << "iteration " << entry.iteration;
    }
    EXPECT_TRUE(machine->done());
  }
}

TEST(GappyRuns, ARowThatNobodyHasEndsTheRunWithASentence) {
  Problem problem = gappy_problem(3, "line", 3);
  for (Matrix& Z : problem.Z) Z.row(2).setConstant(kMissing);
  std::vector<data::SharedColumns> columns;
  for (const Matrix& Z : problem.Z) columns.push_back(data::gappy_view(Z));
  const auto refused = sim::Simulation::create(problem.config, problem.graph, columns);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidData);
  // Agents who each know their own columns alone find out together.
  protocol::AgentConfig config = agent_config(problem, 0);
  config.columns =
      std::make_unique<nmf::Holder>(columns[0], serial_executor(), protocol::loss_of(problem.config.settings));
  const Seed secret = Seed::from_number(1);
  protocol::EarlySums early(config, secret);
  protocol::Words counts = early.part().value();
  EXPECT_EQ(protocol::from_word(counts[2]), 0);
  const Status failed = early.absorb(counts, 20);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "all entries of row 3 are missing, in everybody's columns: leave it out");
  counts[2] = protocol::to_words({{0.5}}, config.agents).value().front();
  EXPECT_EQ(protocol::EarlySums(config, secret).absorb(counts, 20).error().code, ErrorCode::kPeer);
}

// --- site effects ----------------------------------------------------------------------------------------------------

struct Sites {
  Matrix X;
  Problem problem;
};

// Three sites whose columns have artefacts of their own beside four common components.
Sites three_sites(std::uint64_t seed) {
  constexpr Index kRows = 30;
  constexpr Index kRank = 3;
  constexpr Index kColumns = 80;
  Stream stream(Seed::from_number(seed), 'V');
  const auto draw = [&](Index rows, Index columns, double sparse) {
    Matrix m(rows, columns);
    for (Index t = 0; t < m.size(); ++t) {
      const double value = stream.exponential();
      m.data()[t] = stream.uniform() < sparse ? 0 : value;
    }
    return m;
  };
  Sites sites{draw(kRows, kRank, 0.5), small_problem(seed, "line", 3, kRows, kRank)};
  for (Index k = 0; k < kRank; ++k) sites.X.col(k) /= sites.X.col(k).norm();
  for (Matrix& Z : sites.problem.Z) {
    Matrix V = Matrix::Zero(kRows, kRank);
    for (Index k = 0; k < kRank; ++k) {
      for (int n = 0; n < 3; ++n)
        V(static_cast<Index>(stream.uniform() * static_cast<double>(kRows)), k) = 0.2 + 0.3 * stream.uniform();
    }
    Z = (sites.X + V) * draw(kRank, kColumns, 0.5);
    for (Index t = 0; t < Z.size(); ++t) Z.data()[t] += 0.01 * stream.uniform();
  }
  protocol::RunSettings& s = sites.problem.config.settings;
  s.scheme = protocol::SchemeKind::kSum;
  s.iterations = 120;
  s.data_scale.reset();
  protocol::complete(s, sites.problem.graph);
  return sites;
}

// The smallest cosine between a component and the one that is like it most.
double worst_match(const Matrix& truth, const Matrix& found) {
  double worst = 1;
  for (Index k = 0; k < truth.cols(); ++k) {
    double best = 0;
    for (Index j = 0; j < found.cols(); ++j)
      best = std::max(best, truth.col(k).dot(found.col(j)) / (truth.col(k).norm() * found.col(j).norm() + 1e-300));
    worst = std::min(worst, best);
  }
  return worst;
}

TEST(SiteEffects, LeaveToXWhatSitesShare) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    Sites sites = three_sites(seed);
    const sim::Simulation without = run(sites.problem);
    EXPECT_EQ(without.agent(0).V().size(), 0);
    sites.problem.config.settings.site_effects = 0.1;
    const sim::Simulation with = run(masked(sites.problem));
    EXPECT_GT(worst_match(sites.X, with.agent(0).X()), 0.95) << "seed " << seed;
    EXPECT_GT(worst_match(sites.X, with.agent(0).X()), worst_match(sites.X, without.agent(0).X())) << "seed " << seed;
    EXPECT_TRUE(with.agent(0).X() == with.agent(2).X());
    EXPECT_FALSE(with.agent(0).V() == with.agent(2).V());
    EXPECT_GE(with.agent(0).V().minCoeff(), 0);
    // What is told is what is minimised, penalty included.
    double sum = 0;
    double norm = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const protocol::Agent& agent = with.agent(i);
      const Matrix& Z = sites.problem.Z[i];
      sum += (Z - (agent.X() + agent.V()) * agent.Y()).squaredNorm() + 0.1 * (agent.V() * agent.Y()).squaredNorm();
      norm += Z.squaredNorm();
    }
    EXPECT_NEAR(with.history().back().common_error, std::sqrt(sum / norm), 1e-9);
  }
}

TEST(SiteEffects, GraphsMasksFaultsAndPausesChangeNothing) {
  Problem problem = three_sites(4).problem;
  problem.config.settings.site_effects = 0.2;
  problem.config.settings.iterations = 24;
  const sim::Simulation line = run(problem);
  EXPECT_GT(line.agent(1).V().maxCoeff(), 0);
  const auto same = [&](const sim::Simulation& other) {
    expect_same(line, other);
    for (std::size_t i = 0; i < line.agents(); ++i) EXPECT_TRUE(line.agent(i).V() == other.agent(i).V());
  };
  same(run(masked(problem)));
  Problem complete = problem;
  complete.graph = topology("complete", 3, 1);
  protocol::complete(complete.config.settings, complete.graph);
  same(run(complete));
  for (int pause_after = 20; pause_after < 100; pause_after += 11) same(paused_after(problem, pause_after));
  problem.config.faults = {0.2, 0.2, 3, 0.15};
  same(run(masked(problem)));
}

}  // namespace
}  // namespace ppdnmf::scenario
