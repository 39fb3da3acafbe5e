#include <ppdnmf/audit/attacks/a16_hardened.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include <ppdnmf/audit/attacks/a14_rare_rows.h>
#include <ppdnmf/audit/model/common_weights.h>
#include <ppdnmf/audit/model/honest_sum.h>
#include <ppdnmf/protocol/fixed_point.h>
#include <ppdnmf/protocol/neighbours/edge_factors.h>

namespace ppdnmf::audit {
namespace {

using Integers = std::vector<std::int64_t>;

std::size_t part_of(protocol::Round round, const protocol::RunSettings& s, std::size_t parts) {
  return std::min(parts - 1, (round.iteration - 1) * parts / static_cast<std::size_t>(s.iterations));
}

Integers integers_of(const Bytes& payload) {
  Integers out(payload.size() / sizeof(std::int64_t));
  std::memcpy(out.data(), payload.data(), out.size() * sizeof(std::int64_t));
  return out;
}

Integers quantised(const Matrix& X, const protocol::RunSettings& s) {
  Integers out(static_cast<std::size_t>(X.size()));
  const Status done = protocol::quantise(X, s.n_max, s.u_bound, out);
  PPDNMF_CHECK(done.has_value());
  return out;
}

}  // namespace

std::vector<HeldFactor> held_factors(const Matrix& own, Index rank, int parts) {
  constexpr double kFloor = 1e-4;  // no entry is at its bound, where a multiplier of its own would hold it
  constexpr double kRise = 0.15;   // of the threshold from part to part
  std::vector<HeldFactor> out;
  for (int part = 0; part < parts; ++part) {
    HeldFactor held{Matrix::Constant(own.rows(), rank, kFloor), {}, {}};
    std::set<Index> used;
    for (Index k = 0; k + 1 < rank; k += 2) {
      const Index a = (k + part * rank) % own.rows();
      const Index b = (a + 1) % own.rows();
      const auto ratios = own.row(a).array() / own.row(b).array().max(1e-9);
      held.X(a, k) = 1;
      held.X(a, k + 1) = (1 + kRise * part) * ratios.maxCoeff();
      held.X(b, k + 1) = 1;
      held.X.col(k + 1) /= held.X.col(k + 1).norm();
      held.alone.push_back(k);
      used.insert({a, b});
    }
    for (Index l = 0; l < own.rows(); ++l) {
      if (!used.contains(l)) held.rows.push_back(l);
    }
    out.push_back(std::move(held));
  }
  return out;
}

Deviation holding(AgentId member, const protocol::RunSettings& settings, const std::vector<HeldFactor>& held) {
  struct Said {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Integers> minus_u;
  };
  const auto said = std::make_shared<Said>();
  std::vector<Integers> wanted;
  wanted.reserve(held.size());
  for (const HeldFactor& one : held) wanted.push_back(quantised(one.X, settings));
  return [=, factors = settings.factors](AgentId from, AgentId to, const protocol::Message& message) {
    protocol::Message out = message;
    if (from != member) return std::vector{out};
    if (const auto* query = std::get_if<protocol::Query>(&out.body))
      said->minus_u[{query->round.iteration, query->round.admm}] = integers_of(query->payload);
    if (auto* reply = std::get_if<protocol::Reply>(&out.body)) {
      const Integers& minus_u = said->minus_u.at({reply->round.iteration, reply->round.admm});
      const Integers& instead = wanted[part_of(reply->round, settings, wanted.size())];
      Integers answer = integers_of(reply->payload);
      const std::int64_t factor = protocol::neighbours::edge_factor(factors, member, to);
      for (std::size_t t = 0; t < minus_u.size(); ++t) answer[t] += factor * (instead[t] + minus_u[t]);
      std::memcpy(reply->payload.data(), answer.data(), reply->payload.size());
    }
    return std::vector{out};
  };
}

std::vector<Matrix> pulls_of_others(const AttackerView& view, const std::vector<HeldFactor>& held) {
  const protocol::RunSettings& s = view.settings;
  const std::vector<double> weights = common_weights(view);
  double factors = 0;
  for (const AgentId j : view.graph.neighbours(view.self())) factors += factor_of(view, view.self(), j);
  std::vector<Matrix> out(held.size());
  Matrix sum = Matrix::Zero(s.rows, s.rank);
  for (const OpenedSum& opened : view.alone().opened) {
    const std::size_t part = part_of(opened.round, s, held.size());
    const Integers u = own_u(view.alone(), opened.round, s.rows * s.rank);
    const Integers instead = quantised(held[part].X, s);
    const double g = weights.at(opened.round.iteration - 1);
    for (Index t = 0; t < sum.size(); ++t) {
      const auto n = static_cast<std::size_t>(t);
      sum.data()[t] +=
          g * g * (static_cast<double>(opened.values[n]) + factors * static_cast<double>(u[n] - instead[n]));
    }
    out[part] = sum;
  }
  return out;
}

Result<Trial> holding_trial(const AuditSetup& setup, std::uint64_t seed) {
  constexpr int kParts = 3;
  AuditProblem problem = problem_of(setup, seed);
  const std::vector<HeldFactor> held = held_factors(problem.Z[kAttacker.value], setup.rank, kParts);
  problem.deviation = holding(kAttacker, problem.settings, held);
  const auto run = record(problem);
  if (!run) return Trial{0, 0};  // pulled too far, it ended with a sentence
  const Matrix truth = run->others(kAttacker);
  const std::vector<Matrix> pulls = pulls_of_others(run->view(kAttacker), held);
  std::set<Index> read;
  for (std::size_t part = 0; part < held.size(); ++part) {
    if (pulls[part].size() == 0) continue;  // the run ended before
    for (const Index k : held[part].alone) {
      const Vector claim = pulls[part].col(k)(held[part].rows);
      for (Index m = 0; m < truth.cols(); ++m) {
        if (shape_error(truth.col(m)(held[part].rows), claim) < kFound) read.insert(m);
      }
    }
  }
  return Trial{static_cast<double>(read.size()), 0};
}

Result<Trial> held_distance_trial(const AuditSetup& setup, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed);
  HeldFactor held{Matrix(problem.Z[kAttacker.value].leftCols(setup.rank)), {}, {}};
  held.X = held.X.array().max(1e-2 * held.X.maxCoeff()).matrix();
  held.X.colwise().normalize();
  const auto distance = [&](const Recording& run) {
    double furthest = 0;
    for (std::uint32_t i = 1; i < setup.agents; ++i) {
      const Integers& minus_u = run.all_of(AgentId{i}).queries.back().minus_u;
      Matrix U(setup.rows, setup.rank);
      for (Index t = 0; t < U.size(); ++t)
        U.data()[t] =
            -static_cast<double>(minus_u[static_cast<std::size_t>(t)]) / static_cast<double>(problem.settings.n_max);
      furthest = std::max(furthest, (U - held.X).norm() / held.X.norm());
    }
    return furthest;
  };
  PPDNMF_TRY(const Recording honest, record(problem));
  problem.deviation = holding(kAttacker, problem.settings, {held});
  const auto run = record(problem);
  const double unmoved = distance(honest);
  return Trial{run ? distance(*run) : unmoved, unmoved};
}

}  // namespace ppdnmf::audit
