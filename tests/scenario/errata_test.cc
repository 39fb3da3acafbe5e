// What is wrong in the paper's print, one test each (docs/mathematics.md, section 2).
#include <Eigen/LU>
#include <deque>
#include <numeric>

#include "tests/scenario/paper_problem.h"
#include <ppdnmf/nmf/measures.h>

namespace ppdnmf::scenario {
namespace {

constexpr double kEdgeRho = 0.2;  // of both edges
constexpr double kEdgeUnit = 0x1p-40;

// What the agents' factors pull at each other, each over its own edges.
void exchange_over_edges(const protocol::Graph& graph, std::vector<nmf::AdmmXStep>& factors) {
  std::vector<std::vector<Int128>> pulls;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    Matrix S = Matrix::Zero(factors[i].U().rows(), factors[i].U().cols());
    for (const AgentId j : graph.neighbours(AgentId{static_cast<std::uint32_t>(i)})) {
      S += kEdgeRho * (factors[j.value].U() - factors[i].U());
    }
    std::vector<Int128>& pull = pulls.emplace_back();
    for (Index t = 0; t < S.size(); ++t) pull.push_back(static_cast<Int128>(std::llround(S.data()[t] / kEdgeUnit)));
  }
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i].absorb(pulls[i]);
}

// The derivation of errata 1 and 2 itself: ADMM with a dual q_ij and a consensus variable s_ij for every edge, on three
// agents in a line with fixed Y_i, gives the corrected updates and not the printed ones.
TEST(Errata, EdgeByEdgeAdmmGivesTheCorrectedUpdates) {
  constexpr int kAgents = 3;
  constexpr Index kL = 4;
  constexpr Index kK = 2;
  constexpr double kMu = 0.3;
  Stream stream(Seed::from_number(4), 'E');
  const auto random = [&](Index rows, Index columns) {
    Matrix m(rows, columns);
    for (Index t = 0; t < m.size(); ++t) m.data()[t] = stream.uniform();
    return m;
  };
  const protocol::Graph graph = topology("line", kAgents, 1);
  const Matrix X0 = random(kL, kK);
  std::vector<Matrix> Z;
  std::vector<Matrix> Y;
  for (int i = 0; i < kAgents; ++i) {
    Z.push_back(random(kL, 3));
    Y.push_back(random(kK, 3));
  }
  // The derivation, to the letter.
  std::vector<Matrix> U(kAgents, X0);
  std::vector<Matrix> P(kAgents, Matrix::Zero(kL, kK));
  std::map<std::pair<int, int>, Matrix> q;
  for (const auto& [a, b] : graph.edges()) q[{a, b}] = q[{b, a}] = Matrix::Zero(kL, kK);
  std::vector<nmf::AdmmXStep> corrected(kAgents, nmf::AdmmXStep(X0, nmf::Updates::kCorrected, kEdgeUnit));
  std::vector<nmf::AdmmXStep> printed(kAgents, nmf::AdmmXStep(X0, nmf::Updates::kAsPrinted, kEdgeUnit));
  for (int i = 0; i < kAgents; ++i) {
    corrected[i].begin(Z[i], Y[i], kMu);
    printed[i].begin(Z[i], Y[i], kMu);
  }
  for (int m = 0; m < 25; ++m) {
    const std::vector<Matrix> before = U;
    for (int i = 0; i < kAgents; ++i) {
      const auto& neighbours = graph.neighbours(AgentId{static_cast<std::uint32_t>(i)});
      const double rho = kEdgeRho * static_cast<double>(neighbours.size());
      const Matrix X = (before[i] + P[i]).cwiseMax(0);
      Matrix right = Z[i] * Y[i].transpose() + kMu * (X - P[i]);
      for (const AgentId j : neighbours) {
        right += kEdgeRho * ((before[i] + before[j.value]) / 2 + q.at({i, static_cast<int>(j.value)}));
      }
      U[i] = right * (Y[i] * Y[i].transpose() + (kMu + rho) * Matrix::Identity(kK, kK)).inverse();
      P[i] -= X - U[i];
      corrected[i].update(rho);
      printed[i].update(rho);
    }
    for (auto& [edge, dual] : q) dual += (U[edge.second] - U[edge.first]) / 2;
    exchange_over_edges(graph, corrected);
    exchange_over_edges(graph, printed);
    for (int i = 0; i < kAgents; ++i) EXPECT_LT((corrected[i].U() - U[i]).norm(), 1e-8 * U[i].norm()) << m;
  }
  double apart = 0;
  for (int i = 0; i < kAgents; ++i) apart = std::max(apart, (printed[i].U() - U[i]).norm() / U[i].norm());
  EXPECT_GT(apart, 1e-2) << "the printed updates would do as well";
}

// Erratum 1: (9) multiplies Q by rho although Q carries it. What neighbours say then counts rho times as much.
TEST(Errata, TheFactorInEquation9SwitchesConsensusOff) {
  constexpr double kSmallRho = 1e-3;
  const std::vector<Int128> pull = {1000, -500, 20, 7};
  const auto moved_by_pull = [&](nmf::Updates updates) {
    nmf::AdmmXStep with(Matrix::Ones(2, 2), updates, 1e-3);
    nmf::AdmmXStep without(Matrix::Ones(2, 2), updates, 1e-3);
    with.begin(Matrix::Ones(2, 3), Matrix::Ones(2, 3), 0.1);
    without.begin(Matrix::Ones(2, 3), Matrix::Ones(2, 3), 0.1);
    with.absorb(pull);
    with.update(kSmallRho);
    without.update(kSmallRho);
    return Matrix(with.U() - without.U());
  };
  const Matrix corrected = moved_by_pull(nmf::Updates::kCorrected);
  const Matrix printed = moved_by_pull(nmf::Updates::kAsPrinted);
  EXPECT_LT((printed - 2 * kSmallRho * corrected).norm(), 1e-9 * corrected.norm());  // 2: erratum 2
}

// Erratum 2: (11) adds the whole sum of weighted differences; the derivation adds half of it.
TEST(Errata, TheHalfIsMissingInEquation11) {
  const std::vector<Int128> pull = {8, -6};
  nmf::AdmmXStep corrected(Matrix::Ones(2, 1), nmf::Updates::kCorrected, 1);
  nmf::AdmmXStep printed(Matrix::Ones(2, 1), nmf::Updates::kAsPrinted, 1);
  corrected.absorb(pull);
  printed.absorb(pull);
  EXPECT_EQ(corrected.Q()(0, 0), 4);
  EXPECT_EQ(printed.Q()(0, 0), 8);
}

// Erratum 3: from X = U = all ones and Y = 0 the columns of X stay equal. In arithmetic that treats both columns alike
// they are equal to the bit, for ever, and the factorisation is stuck at rank one.
TEST(Errata, AllOnesStartStaysAtRankOne) {
  const Matrix Z = experiment::make_synthetic_data(1).Z;
  constexpr double kMu = 0.1;
  constexpr double kEta = 1;
  // [[a, b], [b, a]]^-1 applied from the right, the same operations for both columns.
  const auto solve = [](const Matrix& right, double a, double b) {
    const double determinant = a * a - b * b;
    Matrix out(right.rows(), 2);
    for (Index r = 0; r < right.rows(); ++r) {
      out(r, 0) = (a * right(r, 0) - b * right(r, 1)) / determinant;
      out(r, 1) = (a * right(r, 1) - b * right(r, 0)) / determinant;
    }
    return out;
  };
  // One column at a time, so that both go through the same sums.
  const auto product = [](const Matrix& A, const Matrix& B) {
    Matrix out(A.rows(), 2);
    for (Index k = 0; k < 2; ++k) {
      for (Index r = 0; r < A.rows(); ++r) {
        double sum = 0;
        for (Index m = 0; m < A.cols(); ++m) sum += A(r, m) * B(m, k);
        out(r, k) = sum;
      }
    }
    return out;
  };
  Matrix X = Matrix::Ones(30, 2);
  Matrix U = X;
  Matrix P = Matrix::Zero(30, 2);
  Matrix Yt = Matrix::Zero(200, 2);
  Matrix V = Yt;
  Matrix R = Yt;
  for (int n = 0; n < 20; ++n) {
    const Matrix YYt = product(Yt.transpose(), Yt);
    const Matrix ZYt = product(Z, Yt);
    for (int m = 0; m < 10; ++m) {
      X = (U + P).cwiseMax(0);
      U = solve(ZYt + kMu * (X - P), YYt(0, 0) + kMu, YYt(0, 1));
      P -= X - U;
    }
    const Matrix XtX = product(X.transpose(), X);
    const Matrix ZtX = product(Z.transpose(), X);
    for (int k = 0; k < 10; ++k) {
      Yt = (V + R).cwiseMax(0);
      V = solve(ZtX + kEta * (Yt - R), XtX(0, 0) + kEta, XtX(0, 1));
      R -= Yt - V;
    }
    ASSERT_TRUE(X.col(0) == X.col(1)) << "iteration " << n;
    ASSERT_TRUE(Yt.col(0) == Yt.col(1)) << "iteration " << n;
  }
  const double stuck = (Z - X * Yt.transpose()).norm() / Z.norm();
  const double rank_one = centralised_error(Z, 1, 200, 10, kMu, kEta);
  const double rank_two = centralised_error(Z, 2, 200, 10, kMu, kEta);
  EXPECT_GT(stuck, 0.999 * rank_one);
  EXPECT_GT(stuck, 1.2 * rank_two);
}

// Erratum 3 in the product: --start ones is the paper's, and after a few iterations only round-off tells columns apart.
TEST(Errata, TheProductsOnesStartIsThePapers) {
  Problem problem = paper_problem(1, nmf::Updates::kCorrected, 3, 5);
  problem.config.settings.start = nmf::Start::kOnes;
  protocol::complete(problem.config.settings, problem.graph);
  const sim::Simulation simulation = run(problem);
  const Matrix& X = simulation.agent(0).X();
  for (Index k = 1; k < X.cols(); ++k) EXPECT_LT((X.col(k) - X.col(0)).norm(), 1e-9 * X.col(0).norm());
}

// Messages between agents that need not have the same start.
class Network {
 public:
  Network(const Problem& problem, const std::vector<Matrix>& X0) {
    for (std::uint32_t i = 0; i < problem.graph.agents(); ++i) {
      protocol::AgentConfig config = agent_config(problem, i);
      config.start = [X = X0[i]](int) { return X; };
      agents.push_back(
          std::make_unique<protocol::Agent>(std::move(config), Seed::from_number(problem.config.seed).derive('A', i)));
    }
  }
  void run() {
    for (std::uint32_t i = 0; i < agents.size(); ++i) handle(i, protocol::Started{});
    while (!queue.empty()) {
      const auto [to, received] = std::move(queue.front());
      queue.pop_front();
      handle(to, received);
    }
  }
  [[nodiscard]] double disagreement() const {
    std::vector<const Matrix*> X;
    for (const auto& agent : agents) X.push_back(&agent->X());
    return ppdnmf::nmf::disagreement(X, nmf::mean_factor(X));
  }

  struct Sent {
    std::uint32_t from, to;
    protocol::Message message;
  };
  std::vector<std::unique_ptr<protocol::Agent>> agents;
  std::vector<Sent> transcript;

 private:
  void handle(std::uint32_t i, const protocol::Event& event) {
    for (const protocol::Send& send : agents[i]->step(event).sends) {
      transcript.push_back({i, send.to.value, send.message});
      queue.emplace_back(send.to.value, protocol::Received{AgentId{i}, send.message});
    }
  }
  std::deque<std::pair<std::uint32_t, protocol::Received>> queue;
};

std::vector<Matrix> starts(std::size_t agents, bool common) {
  std::vector<Matrix> X0;
  for (std::size_t i = 0; i < agents; ++i)
    X0.push_back(nmf::common_start(nmf::Start::kRandom, 30, 5, Seed::from_number(common ? 0 : i)));
  return X0;
}

// Beside erratum 3: random starts must be common. From starts of their own, agents settle in permutations of their own.
TEST(Errata, DifferentRandomStartsDoNotAgree) {
  Problem problem = paper_problem(1, nmf::Updates::kCorrected, 40, 10);
  problem.config.settings.y_first = true;
  problem.config.settings.start_spread = 0;
  problem.config.settings.closing = false;  // it would make one X of whatever the agents have
  Network common(problem, starts(10, true));
  Network different(problem, starts(10, false));
  common.run();
  different.run();
  EXPECT_LT(common.disagreement(), 0.05);
  EXPECT_GT(different.disagreement(), 5 * common.disagreement());
}

// Erratum 4: agent i's update uses rho_i = sum_j g_ij g_ji, so it must know g_ji, which the paper keeps from it.
// Printed, every answer has to reveal the next weight; hardened, none does.
TEST(Errata, ThePrintedUpdateNeedsTheNeighboursWeights) {
  for (const bool printed : {true, false}) {
    Problem problem = paper_problem(1, printed ? nmf::Updates::kAsPrinted : nmf::Updates::kCorrected, 2, 5);
    Network network(problem, starts(10, true));
    network.run();
    int answers = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> last;
    for (const Network::Sent& sent : network.transcript) {
      const auto* reply = std::get_if<protocol::Reply>(&sent.message.body);
      if (reply == nullptr) continue;
      ++answers;
      EXPECT_EQ(reply->weight > 0, printed);
      // Claim: weights never fall.
      std::int64_t& before = last[{sent.from, sent.to}];
      EXPECT_GE(reply->weight, before);
      before = reply->weight;
    }
    EXPECT_GT(answers, 100);
  }
}

std::int64_t common_divisor(const Bytes& payload, std::size_t entries) {
  std::int64_t divisor = 0;
  for (std::size_t t = 0; t < entries; ++t) {
    std::int64_t entry = 0;
    std::memcpy(&entry, payload.data() + t * sizeof entry, sizeof entry);
    divisor = std::gcd(divisor, entry);
  }
  return divisor;
}

// Claim: the weights hide the factors. Erratum 7: the opened integers are exact multiples of the weight, which is their
// greatest common divisor; blinded, as secret weights of the hardened scheme are, they have no common divisor.
TEST(Errata, ExactProductsGiveTheWeightAway) {
  for (const bool printed : {true, false}) {
    Problem problem = paper_problem(1, printed ? nmf::Updates::kAsPrinted : nmf::Updates::kCorrected, 2, 8);
    problem.config.settings.weight_rule = protocol::WeightRule::kSecret;
    protocol::complete(problem.config.settings, problem.graph);
    set_cipher(problem);
    Network network(problem, starts(10, true));
    network.run();
    int found = 0;
    int answers = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t>
        weight;  // as printed: announced in the answer before
    for (const Network::Sent& sent : network.transcript) {
      const auto* reply = std::get_if<protocol::Reply>(&sent.message.body);
      if (reply == nullptr) continue;
      if (reply->round.iteration == 2) {  // before, Y is zero and all U are equal
        ++answers;
        const std::int64_t divisor = common_divisor(reply->payload, 150);
        if (printed ? divisor == weight.at({sent.from, sent.to}) : divisor > 1) ++found;
      }
      weight[{sent.from, sent.to}] = reply->weight;
    }
    EXPECT_GT(answers, 100);
    if (printed) {
      EXPECT_GT(found, answers * 9 / 10);
    } else {
      EXPECT_EQ(found, 0);
    }
  }
}

// Erratum 8: drawn from (the last one, bound], the gap to the bound halves with every draw: after about fifty draws a
// real weight is a constant. An integer of 15 bits is one after about fifteen.
TEST(Errata, WeightsDrawnAsPrintedBecomeConstant) {
  constexpr double kBound = 0.033;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Stream stream(Seed::from_number(seed), 'W');
    double g = 0;
    for (int draw = 0; draw < 80; ++draw) g += (kBound - g) * (1 - stream.uniform());
    EXPECT_LT(kBound - g, 1e-12 * kBound) << "seed " << seed;
  }
  protocol::RunSettings s = paper_problem(1, nmf::Updates::kAsPrinted).config.settings;
  protocol::neighbours::Weights printed(s, 1);
  s.scheme = protocol::SchemeKind::kHardened;
  protocol::neighbours::Weights hardened(s, 1);
  const Seed secret = Seed::from_number(1);
  printed.announce_first(secret);
  std::int64_t hardened_at_50 = 0;
  const auto rounds = static_cast<std::uint64_t>(s.iterations) * static_cast<std::uint64_t>(s.admm_x);
  for (std::uint64_t number = 1; number <= rounds; ++number) {
    printed.advance(number, secret);
    hardened.advance(number, secret);
    if (number == 50) {
      hardened_at_50 = hardened.towards(0);
      EXPECT_EQ(printed.towards(0), printed.bound());
    }
  }
  EXPECT_LT(hardened_at_50, hardened.bound() * 6 / 10);
  EXPECT_GT(hardened.towards(0), hardened.bound() * 9 / 10);
}

// Claim: the synthetic data have an SNR of about 20 dB. Erratum 10: only if "parameter" 0.033 and 0.8 means the mean of
// the exponential distribution; rates give 82 dB. About one entry in a hundred is then negative.
TEST(Errata, ExponentialParametersAreMeans) {
  constexpr double kNoiseVariance = 3.6e-4;
  const auto snr = [](const experiment::SyntheticData& data) {
    return 10 * std::log10(data.clean.squaredNorm() / static_cast<double>(data.clean.size()) / kNoiseVariance);
  };
  double means = 0;
  double rates = 0;
  double negative = 0;
  constexpr int kDraws = 20;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    const experiment::SyntheticData data = experiment::make_synthetic_data(seed);
    means += snr(data) / kDraws;
    negative += static_cast<double>(data.negative) / static_cast<double>(data.Z.size()) / kDraws;
    rates += snr(experiment::make_synthetic_data(seed, 1 / 0.033, 1 / 0.8)) / kDraws;
  }
  EXPECT_NEAR(means, 18.9, 1);
  EXPECT_NEAR(rates, 82, 1);
  EXPECT_GT(negative, 0.002);
  EXPECT_LT(negative, 0.03);
}

}  // namespace
}  // namespace ppdnmf::scenario
