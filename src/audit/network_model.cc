#include "audit/network_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "nmf/columns.h"
#include "nmf/left_factor.h"
#include "nmf/penalties.h"

namespace ppdnmf {
namespace {

// Sums of weights are exact; in these units they weigh as much as one of the other observations.
constexpr double kWeightUnit = 1e6;
// Q in steps this small is a real number.
constexpr double kFineUnit = 0x1p-64;
constexpr double kOwnPart = 0.2;  // of the own curvature in a weight (protocol/neighbour_iteration.cc)

}  // namespace

// An agent outside the coalition, simulated.
struct NetworkModel::Honest {
  Honest(const AttackerView& view, AgentId agent, const Matrix& Z)
      : id(agent),
        degree(static_cast<double>(view.graph.neighbours(agent).size())),
        left(view.X0, view.settings.updates, kFineUnit),
        columns(dense_columns(Z)) {
    columns->begin(view.settings.rank, 1);
  }

  void solve_y(const RunSettings& s) {
    columns->solve_admm(left.X(), s.eta.value_or(automatic_eta(left.X())), s.admm_y);
  }
  void begin_bcd(const RunSettings& s, int bcd, double offset) {
    const Moments moments = columns->moments();
    const double kappa = left_curvature_of(moments.T);
    left.begin(moments, s.mu ? *s.mu / (*s.data_scale * *s.data_scale) : automatic_mu(kappa));
    double wanted = automatic_weight(kappa, s.diameter, bcd, s.bcd);
    if (learned > 0) {
      const double theirs = learned / degree;
      wanted = std::sqrt(kOwnPart * wanted * wanted + (1 - kOwnPart) * theirs * theirs);
    }
    weight = std::max(weight, wanted * s.g_scale + offset);
  }
  void update(const RunSettings& s) {
    const double g = weight / s.g_scale;
    left.update(learned > 0 ? coupling : degree * g * g, s.local_rounds);
  }

  AgentId id;
  double degree;
  LeftFactor left;
  std::unique_ptr<Columns> columns;
  double weight = 1;    // in integer units
  double learned = 0;   // sum of the neighbours' real weights in the last exchange
  double coupling = 0;  // rho of the last exchange
};

NetworkModel::NetworkModel(const AttackerView& view, std::vector<Index> columns, int exchanges)
    : view_(view), columns_(std::move(columns)), exchanges_(exchanges), place_(view.graph.agents(), -1) {
  for (std::uint32_t i = 0; i < view.graph.agents(); ++i) {
    if (view.has(AgentId{i})) continue;
    place_[i] = static_cast<Index>(others_.size());
    others_.push_back(AgentId{i});
    column_parameters_ += columns_[i] * view.settings.rows;
  }
  offsets_ = static_cast<Index>(others_.size()) * bcd_iterations();
}

int NetworkModel::bcd_iterations() const { return (exchanges_ + view_.settings.admm_x - 1) / view_.settings.admm_x; }

Vector NetworkModel::simulate(const Vector& parameters) const {
  const RunSettings& s = view_.settings;
  const Index size = s.rows * s.rank;
  std::vector<Honest> honest;
  Index next = 0;
  for (const AgentId agent : others_) {
    const Index count = columns_[agent.value];
    honest.emplace_back(view_, agent, Eigen::Map<const Matrix>(parameters.data() + next, s.rows, count));
    next += s.rows * count;
    if (s.y_first) honest.back().solve_y(s);
  }
  Vector seen(static_cast<Index>(view_.members.size()) * exchanges_ * (size + 1));
  for (int e = 0; e < exchanges_; ++e) {
    const Round round{static_cast<std::uint32_t>(e / s.admm_x + 1), static_cast<std::uint32_t>(e % s.admm_x + 1)};
    if (round.admm == 1) {
      for (Honest& agent : honest) {
        if (e > 0) agent.solve_y(s);
        agent.begin_bcd(s, static_cast<int>(round.bcd), parameters(next++));
      }
    }
    for (Honest& agent : honest) agent.update(s);
    observe(honest, round, e * (size + 1), seen);
    // What the coalition said, then what each of the others makes of its neighbours.
    std::map<AgentId, std::pair<double, Matrix>> said;
    for (const auto& [id, member] : view_.members) {
      const std::vector<std::int64_t> u = own_u(member, round, size);
      const auto reply = std::find_if(member.replies.begin(), member.replies.end(),
                                      [&](const OwnReply& r) { return r.round == round; });
      Matrix U(s.rows, s.rank);
      for (Index t = 0; t < size; ++t) U.data()[t] = static_cast<double>(u[static_cast<std::size_t>(t)]);
      said[id] = {static_cast<double>(reply->weight), U / static_cast<double>(s.n_max)};
    }
    for (const Honest& agent : honest) said[agent.id] = {agent.weight, agent.left.U()};
    for (Honest& agent : honest) {
      Matrix pull = Matrix::Zero(s.rows, s.rank);
      agent.learned = 0;
      for (const AgentId j : view_.graph.neighbours(agent.id)) {
        const auto& [weight, U] = said.at(j);
        pull += weight / s.g_scale * (U - agent.left.U());
        agent.learned += weight / s.g_scale;
      }
      const double own = agent.weight / s.g_scale;
      agent.coupling = own * agent.learned;
      std::vector<Int128> units(static_cast<std::size_t>(size));
      for (Index t = 0; t < size; ++t) {
        units[static_cast<std::size_t>(t)] = static_cast<Int128>(own * pull.data()[t] / kFineUnit);
      }
      agent.left.absorb(units);
    }
  }
  return seen;
}

// The mean over a member's neighbours: those of the coalition are known and left out.
void NetworkModel::observe(const std::vector<Honest>& honest, Round /*round*/, Index at, Vector& seen) const {
  const Index size = view_.settings.rows * view_.settings.rank;
  const Index stride = exchanges_ * (size + 1);
  Index member = 0;
  for (const auto& [id, unused] : view_.members) {
    Matrix sum = Matrix::Zero(view_.settings.rows, view_.settings.rank);
    double weights = 0;
    for (const AgentId j : view_.graph.neighbours(id)) {
      const Index place = place_[j.value];
      if (place < 0) continue;
      sum += honest[static_cast<std::size_t>(place)].weight * honest[static_cast<std::size_t>(place)].left.U();
      weights += honest[static_cast<std::size_t>(place)].weight;
    }
    const double scale = weights > 0 ? 1 / weights : 0;
    seen.segment(member * stride + at, size) = scale * Eigen::Map<const Vector>(sum.data(), size);
    seen(member * stride + at + size) = weights / kWeightUnit;
    ++member;
  }
}

Vector NetworkModel::observed() const {
  const RunSettings& s = view_.settings;
  const Index size = s.rows * s.rank;
  const auto n_max = static_cast<double>(s.n_max);
  Vector out(static_cast<Index>(view_.members.size()) * exchanges_ * (size + 1));
  Index at = 0;
  for (const auto& [id, member] : view_.members) {
    for (int e = 0; e < exchanges_; ++e) {
      const Round round{static_cast<std::uint32_t>(e / s.admm_x + 1), static_cast<std::uint32_t>(e % s.admm_x + 1)};
      const OpenedSum& sum = *opened_in(member, round);
      const std::vector<std::int64_t> u = own_u(member, round, size);
      // sum_j G_j (u_j - u_i) + u_i sum_j G_j, less what the coalition itself put in.
      auto weights = static_cast<double>(sum.values.back());
      Vector total(size);
      for (Index t = 0; t < size; ++t) {
        const auto k = static_cast<std::size_t>(t);
        total(t) = static_cast<double>(sum.values[k]) + weights * static_cast<double>(u[k]);
      }
      for (const AgentId j : view_.graph.neighbours(id)) {
        if (!view_.has(j)) continue;
        const MemberView& friendly = view_.members.at(j);
        const auto reply = std::find_if(friendly.replies.begin(), friendly.replies.end(),
                                        [&](const OwnReply& r) { return r.round == round && r.asker == id; });
        for (Index t = 0; t < size; ++t) {
          total(t) -= static_cast<double>(reply->weight) * static_cast<double>(reply->u[static_cast<std::size_t>(t)]);
        }
        weights -= static_cast<double>(reply->weight);
      }
      out.segment(at, size) = weights > 0 ? Vector(total / (weights * n_max)) : Vector(Vector::Zero(size));
      out(at + size) = weights / kWeightUnit;
      at += size + 1;
    }
  }
  return out;
}

Vector NetworkModel::deviation() const {
  // Rounding and blinding of one neighbour are each uniform over a quantum; a mean over several has less.
  const double quantum = 0.5 / static_cast<double>(view_.settings.n_max);
  return Vector::Constant(
      static_cast<Index>(view_.members.size()) * exchanges_ * (view_.settings.rows * view_.settings.rank + 1), quantum);
}

Matrix forward_differences(const NetworkModel& model, const Vector& parameters, const Vector& at) {
  Matrix J(at.size(), parameters.size());
  Vector moved = parameters;
  for (Index p = 0; p < parameters.size(); ++p) {
    const double step = p < model.column_parameters() ? 1e-6 : 1e-2;
    moved(p) += step;
    J.col(p) = (model.simulate(moved) - at) / step;
    moved(p) = parameters(p);
  }
  return J;
}

}  // namespace ppdnmf
