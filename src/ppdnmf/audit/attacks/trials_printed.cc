// A1 to A6.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <ppdnmf/audit/attacks/a1_common_divisor.h>
#include <ppdnmf/audit/attacks/a2_leaf_column.h>
#include <ppdnmf/audit/attacks/a3_bare_power.h>
#include <ppdnmf/audit/attacks/a4_asked_twice.h>
#include <ppdnmf/audit/attacks/a5_direction.h>
#include <ppdnmf/audit/attacks/a6_malformed.h>
#include <ppdnmf/audit/model/prior.h>
#include <ppdnmf/audit/model/samples.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/crypto/paillier.h>
#include <ppdnmf/experiment/face_data.h>

namespace ppdnmf::audit {
namespace {

const OwnReply* reply_of(const Recording& run, AgentId of, AgentId asker, protocol::Round round) {
  for (const OwnReply& reply : run.all_of(of).replies) {
    if (reply.asker == asker && reply.round == round) return &reply;
  }
  return nullptr;
}

// A factor to the last quantum; what a reply was made of may have a slot more.
bool is_same(const std::vector<std::int64_t>& claim, const std::vector<std::int64_t>& u) {
  for (std::size_t t = 0; t < claim.size(); ++t) {
    if (std::abs(claim[t] - u[t]) > 1) return false;
  }
  return true;
}

crypto::KeyOptions small_keys() {
  crypto::KeyOptions keys;
  keys.bits = 512;
  keys.test_only = true;
  return keys;
}

}  // namespace

Result<Trial> weights_trial(const AuditSetup& setup, std::uint64_t seed) {
  PPDNMF_TRY(const Recording run, record(problem_of(setup, seed, 9)));
  int right = 0;
  int all = 0;
  for (const WeightClaim& claim : common_divisors(run.view(kAttacker))) {
    const OwnReply* reply = reply_of(run, claim.of, kAttacker, claim.round);
    ++all;
    right += reply != nullptr && reply->weight == claim.weight && is_same(claim.u, reply->u) ? 1 : 0;
  }
  return Trial{all == 0 ? 0 : right / static_cast<double>(all), 0};
}

Result<Trial> leaf_trial(protocol::ExchangeKind exchange, bool faces, Index each, std::uint64_t seed) {
  // As printed agent 0 is a leaf beside the attacker; a real run has none.
  const bool printed = exchange == protocol::ExchangeKind::kAsPrinted;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges{{0, 1}, {1, 2}, {2, 3}, {1, 3}};
  if (!printed) edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  PPDNMF_TRY(const protocol::Graph graph, protocol::Graph::create(4, edges));
  const std::vector<Index> columns{each, 20, 20, 20};
  const Index total = each + 60;
  const Index rows = faces ? experiment::kFaceShape.height * experiment::kFaceShape.width : 30;
  const Index rank = faces ? 16 : 5;
  AuditProblem problem{graph, {}, {}, seed, 9, {}, false, false, {}};
  problem.settings = printed ? printed_settings(rows, rank, graph) : default_settings(exchange, rows, rank, graph);
  problem.Z = sim::split_columns(faces ? experiment::make_face_data(total, seed) : synthetic_columns_of(seed, total), columns);
  PPDNMF_TRY(const Recording run, record(problem));
  const AttackerView view = run.view(AgentId{1});
  const Matrix truth = run.all_of(AgentId{0}).Z.rowwise().mean();
  const Matrix claim = leaf_column(view, AgentId{0}, common_divisors(view), 3);
  return Trial{relative_error_of(truth, claim), guess_error(truth, problem.Z[1])};
}

Result<Trial> exponent_trial(bool broken, std::uint64_t seed) {
  Stream stream(Seed::from_number(seed), 'k');
  PPDNMF_TRY(const crypto::PrivateKey key, crypto::PrivateKey::generate(small_keys(), stream));
  const Bytes encoded = key.public_key().encode();
  const ByteSpan n = ByteSpan(encoded).subspan(4);
  SerialExecutor serial;
  const crypto::OwnEncryptor own(key, stream);
  const crypto::Plaintexts zero(key.public_key(), 1);
  PPDNMF_TRY(const crypto::SendableCiphertexts question, own.encrypt(zero, stream, serial));
  constexpr int kBits = 24;
  const auto secret = static_cast<std::int64_t>(1 + stream.below((std::uint64_t{1} << kBits) - 1));
  Bytes answer = bare_power(question.bytes(), n, secret);
  if (!broken) {
    const crypto::PeerEncryptor peer(key.public_key(), stream);
    PPDNMF_TRY(const crypto::Ciphertexts asked, crypto::Ciphertexts::decode(key.public_key(), question.bytes(), 1, serial));
    PPDNMF_TRY(const crypto::Weight weight, crypto::Weight::create(static_cast<std::uint64_t>(secret), kBits));
    PPDNMF_TRY(const crypto::SendableCiphertexts reply, peer.reply(asked, weight, zero, stream, serial));
    answer = reply.bytes();
  }
  return Trial{exponent_of(question.bytes(), answer, n, kBits) == secret ? 1.0 : 0.0, 0};
}

Result<Trial> asked_twice_trial(const AuditSetup& setup, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed, 6);
  problem.deviation = asking_twice(kAttacker);
  PPDNMF_TRY(const Recording run, record(problem));
  const AttackerView view = run.view(kAttacker);
  std::size_t twice = 0;
  const std::vector<AgentId>& neighbours = problem.graph.neighbours(kAttacker);
  for (const AgentId j : neighbours) twice += answered_twice(view, j).size();
  return Trial{static_cast<double>(twice) / static_cast<double>(6 * neighbours.size()), 0};
}

Result<Trial> careless_trial(std::uint64_t seed) {
  Stream stream(Seed::from_number(seed), 'c');
  const auto weight = static_cast<std::int64_t>(1 + stream.below(1U << 20U));
  constexpr std::size_t kEntries = 24;
  std::vector<std::int64_t> u(kEntries);
  for (std::int64_t& entry : u) entry = static_cast<std::int64_t>(stream.below(1'000'000));
  // The same weight for two questions, the blinding drawn afresh.
  const auto answer = [&](std::int64_t question) {
    Answered out{std::vector<std::int64_t>(kEntries, question), {}};
    for (const std::int64_t entry : u) {
      const auto blinding = static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(weight))) - weight / 2;
      out.answer.push_back(weight * (entry + question) + blinding);
    }
    return out;
  };
  const Answered first = answer(0);
  return Trial{weight_from_two(first, answer(1'000'000)) == weight ? 1.0 : 0.0, 0};
}

Result<Trial> direction_trial(const AuditSetup& setup, bool masked, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed, 6);
  if (masked) problem.keys = small_keys();
  problem.unmasked = !masked;
  PPDNMF_TRY(const Recording run, record(problem));
  const AttackerView view = run.view(kAttacker);
  // As printed all agents say X0 in the first iteration.
  const protocol::Round round{2, 1};
  const Index size = setup.rows * setup.rank;
  const std::vector<std::int64_t> mine = own_u(view.alone(), round, size);
  Trial trial;
  const std::vector<AgentId>& neighbours = problem.graph.neighbours(kAttacker);
  for (const AgentId j : neighbours) {
    const OwnReply* reply = reply_of(run, j, kAttacker, round);
    Vector truth(size);
    for (Index t = 0; t < size; ++t) {
      const auto k = static_cast<std::size_t>(t);
      truth(t) = static_cast<double>(reply->u[k] - mine[k]);
    }
    const auto sine = [&](const Vector& claim) {
      const double cosine = truth.normalized().dot(claim);
      return std::sqrt(std::max(0.0, 1 - cosine * cosine)) / static_cast<double>(neighbours.size());
    };
    const Vector guess = guessed_direction(view, round);
    trial.value += sine(direction_of(view, j, round).value_or(guess));
    trial.baseline += sine(guess);
  }
  return trial;
}

Result<Trial> malformed_trial(std::uint64_t seed) {
  PPDNMF_TRY(const MalformedOutcome outcome, send_malformed(seed));
  return Trial{outcome.accepted / static_cast<double>(outcome.sent), 0};
}

}  // namespace ppdnmf::audit
