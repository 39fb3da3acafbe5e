// A1, A2, A3 and A5: what the scheme as printed, or a replier without its safeguards, gives away.
#include <cmath>

#include <ppdnmf/audit/attacks/a1_common_divisor.h>
#include <ppdnmf/audit/attacks/a2_leaf_column.h>
#include <ppdnmf/audit/attacks/a3_bare_power.h>
#include <ppdnmf/audit/attacks/a5_direction.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/test_runs.h>
#include <ppdnmf/crypto/paillier.h>
#include <ppdnmf/experiment/face_data.h>

namespace ppdnmf::audit {
namespace {

const OwnReply& reply_to(const Recording& run, AgentId of, AgentId asker, protocol::Round round) {
  for (const OwnReply& reply : run.all_of(of).replies) {
    if (reply.asker == asker && reply.round == round) return reply;
  }
  ADD_FAILURE() << "no such reply";
  return run.all_of(of).replies.front();
}

// How many of the claims name the weight that was used.
std::pair<int, int> right_weights(const Recording& run, AgentId attacker) {
  int right = 0;
  int all = 0;
  for (const WeightClaim& claim : common_divisors(run.view(attacker))) {
    ++all;
    if (reply_to(run, claim.of, attacker, claim.round).weight == claim.weight) ++right;
  }
  return {right, all};
}

AuditProblem printed(std::uint64_t seed, bool faces) {
  const protocol::Graph g = protocol::Graph::create(4, {{0, 1}, {1, 2}, {2, 3}, {1, 3}}).value();
  const std::vector<Index> columns{1, 10, 15, 15};
  AuditProblem problem = testing_runs::synthetic(protocol::SchemeKind::kAsPrinted, g, columns, seed, 9);
  problem.settings = faces ? printed_settings(361, 16, g) : printed_settings(30, 5, g);
  if (faces) problem.Z = {experiment::make_face_data(41, seed), columns};
  return problem;
}

TEST(CommonDivisor, IsEveryWeightOfEveryRoundAsPrinted) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto [right, all] = right_weights(testing_runs::record(printed(seed, false)), AgentId{1});
    EXPECT_EQ(right, all);
    EXPECT_GE(all, 18);  // in the first iteration everybody says X0, and there is nothing to divide
  }
}

TEST(CommonDivisor, IsNoWeightWhereAnswersAreBlinded) {
  AuditProblem problem =
      testing_runs::synthetic(protocol::SchemeKind::kHardened, testing_runs::graph("line", 2), {10, 10}, 1, 9);
  remove_countermeasures(problem.settings, problem.graph);  // common weights are no secret and need no blinding
  EXPECT_EQ(right_weights(testing_runs::record(problem), AgentId{0}).first, 0);
  problem.settings.blinding = false;
  const auto [right, all] = right_weights(testing_runs::record(problem), AgentId{0});
  EXPECT_EQ(right, all);
}

TEST(LeafColumn, IsFoundWithinThreeIterationsAsPrinted) {
  for (const bool faces : {false, true}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Recording run = testing_runs::record(printed(seed, faces));
      const AttackerView view = run.view(AgentId{1});
      const Matrix z = leaf_column(view, AgentId{0}, common_divisors(view), 3);
      EXPECT_LT(relative_error_of(run.all_of(AgentId{0}).Z, z), 1e-4) << "seed " << seed << ", faces " << faces;
    }
  }
}

TEST(LeafColumn, IsNotFoundFromASumOverNeighbours) {
  AuditProblem problem = printed(1, false);
  problem.settings = default_settings(protocol::SchemeKind::kHardened, 30, 5, problem.graph);
  const Recording run = testing_runs::record(problem);
  const AttackerView view = run.view(AgentId{1});
  const Matrix z = leaf_column(view, AgentId{0}, common_divisors(view), 3);
  EXPECT_GT(relative_error_of(run.all_of(AgentId{0}).Z, z), 0.1);
}

TEST(BarePower, GivesItsExponentAwayAndOneWithFreshRandomnessDoesNot) {
  Stream stream(Seed::from_number(3), 1);
  const crypto::PrivateKey key = crypto::PrivateKey::generate(small_keys(), stream).value();
  const Bytes encoded = key.public_key().encode();
  const ByteSpan n = ByteSpan(encoded).subspan(4);
  SerialExecutor serial;
  const crypto::OwnEncryptor own(key, stream);
  crypto::Plaintexts plaintexts(key.public_key(), 1);
  const Bytes question = own.encrypt(plaintexts, stream, serial).value().bytes();
  constexpr std::int64_t kWeight = 12'345'678;
  EXPECT_EQ(exponent_of(question, bare_power(question, n, kWeight), n, 24), kWeight);

  const crypto::PeerEncryptor peer(key.public_key(), stream);
  const crypto::Ciphertexts asked = crypto::Ciphertexts::decode(key.public_key(), question, 1, serial).value();
  const crypto::Weight weight = crypto::Weight::create(kWeight, 24).value();
  const Bytes reply = peer.reply(asked, weight, plaintexts, stream, serial).value().bytes();
  EXPECT_EQ(exponent_of(question, reply, n, 24), std::nullopt);
}

// sin of the angle between what is claimed and the truth, over the neighbours of agent 0 in round 1.2.
double direction_error(const Recording& run, bool* opened) {
  const AttackerView view = run.view(AgentId{0});
  const protocol::Round round{1, 2};
  double worst = 0;
  *opened = false;
  const Index size = view.settings.rows * view.settings.rank;
  const std::vector<std::int64_t> mine = own_u(view.alone(), round, size);
  for (const AgentId j : run.graph().neighbours(AgentId{0})) {
    const auto claim = direction_of(view, j, round);
    *opened = *opened || claim.has_value();
    const OwnReply& reply = reply_to(run, j, AgentId{0}, round);
    Vector truth(size);
    for (Index t = 0; t < size; ++t) {
      const auto k = static_cast<std::size_t>(t);
      truth(t) = static_cast<double>(reply.u[k] - mine[k]);
    }
    const double cosine = truth.normalized().dot(claim.value_or(guessed_direction(view, round)));
    worst = std::max(worst, std::sqrt(std::max(0.0, 1 - cosine * cosine)));
  }
  return worst;
}

TEST(Direction, StandsInASingleAnswerUnlessItIsMasked) {
  AuditProblem problem =
      testing_runs::synthetic(protocol::SchemeKind::kHardened, testing_runs::graph("ring", 3), {5, 5, 5}, 1, 3, 8, 3);
  bool opened = false;
  problem.unmasked = true;
  EXPECT_LT(direction_error(testing_runs::record(problem), &opened), 1e-4);
  EXPECT_TRUE(opened);
  problem.unmasked = false;
  problem.keys = small_keys();
  EXPECT_GT(direction_error(testing_runs::record(problem), &opened), 0.1);
  EXPECT_FALSE(opened);
}

}  // namespace
}  // namespace ppdnmf::audit
