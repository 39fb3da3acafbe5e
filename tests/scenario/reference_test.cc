// Whole runs compared, entry by entry, with an oracle of the updates that shares no line with the program
// (reference/make_reference.py).
#include <fstream>
#include <map>
#include <sstream>

#include "tests/scenario/harness.h"
#include <ppdnmf/protocol/neighbours/weights.h>
#include <ppdnmf/protocol/seeded_secrets.h>

namespace ppdnmf::scenario {
namespace {

struct Case {
  std::map<std::string, double> number;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::int64_t> agent_weight;  // round, agent
  std::map<std::pair<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>>, std::int64_t>
      edge_weight;  // ..., neighbour
  std::map<std::string, Matrix> matrix;
  std::map<std::string, std::vector<std::pair<double, double>>> history;  // nmse, disagreement
};

Case read_case(const std::string& name) {
  std::ifstream file(std::string(PPDNMF_REFERENCE_DIR) + "/" + name + ".txt");
  EXPECT_TRUE(file) << name;
  Case c;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::string key;
    in >> key;
    std::uint64_t t = 0;
    std::uint32_t i = 0;
    std::uint32_t j = 0;
    if (key == "edge") {
      in >> i >> j;
      c.edges.emplace_back(i, j);
    } else if (key == "agent_weight") {
      in >> t >> i;
      in >> c.agent_weight[{t, i}];
    } else if (key == "edge_weight") {
      in >> t >> i >> j;
      in >> c.edge_weight[{t, {i, j}}];
    } else if (key == "matrix") {
      std::string label;
      Index rows = 0;
      Index columns = 0;
      in >> label >> rows >> columns;
      Matrix m(rows, columns);
      for (Index r = 0; r < rows; ++r) {
        for (Index k = 0; k < columns; ++k) in >> m(r, k);
      }
      c.matrix[label] = m;
    } else if (key == "history") {
      std::string variant;
      double nmse = 0;
      double disagreement = 0;
      in >> variant >> t >> nmse >> disagreement;
      c.history[variant].emplace_back(nmse, disagreement);
    } else if (key != "#") {
      in >> c.number[key];
    }
  }
  return c;
}

protocol::Graph graph_of(const Case& c) {
  return *protocol::Graph::create(static_cast<std::uint32_t>(c.number.at("agents")), c.edges);
}

protocol::RunSettings settings_of(const Case& c, bool printed) {
  protocol::RunSettings s;
  s.rows = c.matrix.at("X0").rows();
  s.rank = c.matrix.at("X0").cols();
  s.updates = printed ? nmf::Updates::kAsPrinted : nmf::Updates::kCorrected;
  s.scheme = printed ? protocol::SchemeKind::kAsPrinted : protocol::SchemeKind::kHardened;
  s.weight_rule = protocol::WeightRule::kSecret;  // the oracle's agents have one each
  s.blinding = false;
  s.y_first = false;
  s.closing = false;  // the oracle's agents keep their own X
  s.data_scale = 1;
  s.local_rounds = 1;
  s.iterations = static_cast<int>(c.number.at("iterations"));
  s.admm_x = static_cast<int>(c.number.at("admm_x"));
  s.admm_y = static_cast<int>(c.number.at("admm_y"));
  s.mu = c.number.at("mu");
  s.eta = c.number.at("eta");
  s.weight = c.number.at("g_max");
  s.n_max = static_cast<std::int64_t>(c.number.at("n_max"));
  protocol::complete(s, graph_of(c));
  s.g_scale = c.number.at("g_scale");
  return s;
}

sim::Simulation replay(const Case& c, bool printed) {
  Problem problem{graph_of(c), {}, {}};
  for (std::uint32_t i = 0; i < problem.graph.agents(); ++i) {
    problem.Z.push_back(c.matrix.at("Z/" + std::to_string(i)));
  }
  problem.config.settings = settings_of(c, printed);
  problem.config.X0 = c.matrix.at("X0");
  set_cipher(problem);
  return run(problem);
}

void expect_close(const Matrix& got, const Matrix& wanted, const std::string& what) {
  ASSERT_EQ(got.rows(), wanted.rows()) << what;
  ASSERT_EQ(got.cols(), wanted.cols()) << what;
  EXPECT_LE((got - wanted).norm(), 1e-9 * std::max(wanted.norm(), 1e-300)) << what;
}

class Reference : public testing::TestWithParam<std::tuple<const char*, bool>> {};

// The oracle was given the weights that the agents draw.
TEST_P(Reference, TheOraclesWeightsAreTheAgents) {
  const auto& [name, printed] = GetParam();
  const Case c = read_case(name);
  const protocol::RunSettings s = settings_of(c, printed);
  const protocol::Graph graph = graph_of(c);
  for (std::uint32_t i = 0; i < graph.agents(); ++i) {
    const auto& neighbours = graph.neighbours(AgentId{i});
    const Seed secret = protocol::simulated_secret(sim::SimulationConfig{}.seed, AgentId{i});
    protocol::neighbours::Weights weights(s, neighbours.size());
    weights.announce_first(secret);
    for (std::uint64_t t = 1; t <= static_cast<std::uint64_t>(s.iterations) * static_cast<std::uint64_t>(s.admm_x);
         ++t) {
      weights.advance(t, secret);
      for (std::size_t j = 0; j < neighbours.size(); ++j) {
        const std::int64_t given =
            printed ? c.edge_weight.at({t, {i, neighbours[j].value}}) : c.agent_weight.at({t, i});
        ASSERT_EQ(weights.towards(j), given) << "round " << t << ", agent " << i;
      }
    }
  }
}

TEST_P(Reference, EveryAgentEndsWhereTheOracleDoes) {
  const auto& [name, printed] = GetParam();
  const Case c = read_case(name);
  const sim::Simulation simulation = replay(c, printed);
  const std::string variant = printed ? "as_printed" : "corrected";
  for (std::size_t i = 0; i < simulation.agents(); ++i) {
    const protocol::Agent& agent = simulation.agent(i);
    const auto expect_letter = [&](const char* letter, const Matrix& got) {
      const std::string label = fmt::format("{}/{}/{}", variant, letter, i);
      expect_close(got, c.matrix.at(label), label);
    };
    expect_letter("X", agent.X());
    expect_letter("U", x_step(agent).U());
    expect_letter("P", x_step(agent).P());
    expect_letter("Q", x_step(agent).Q());
    expect_letter("Y", agent.Y());
  }
  const auto& history = c.history.at(variant);
  ASSERT_EQ(simulation.history().size(), history.size());
  for (std::size_t n = 0; n < history.size(); ++n) {
    EXPECT_NEAR(simulation.history()[n].nmse, history[n].first, 1e-9);
    EXPECT_NEAR(simulation.history()[n].disagreement, history[n].second, 1e-9);
  }
}

std::string case_name(const testing::TestParamInfo<Reference::ParamType>& instance) {
  return std::string(std::get<0>(instance.param)) + (std::get<1>(instance.param) ? "_as_printed" : "_corrected");
}

INSTANTIATE_TEST_SUITE_P(Cases, Reference,
                         testing::Combine(testing::Values("line3", "ring4", "star5_coarse"), testing::Bool()),
                         case_name);

}  // namespace
}  // namespace ppdnmf::scenario
