#include <ppdnmf/audit/model/network_model.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include <ppdnmf/audit/model/common_weights.h>
#include <ppdnmf/audit/model/honest_sum.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/nmf/admm_x_step.h>
#include <ppdnmf/nmf/admm_y_step.h>
#include <ppdnmf/nmf/penalties.h>
#include <ppdnmf/protocol/neighbours/edge_factors.h>

namespace ppdnmf::audit {
namespace {

// Sums of weights are exact; in these units they weigh as much as one of the other observations.
constexpr double kWeightUnit = 1e6;
// Q in steps this small is a real number.
constexpr double kFineUnit = 0x1p-64;
constexpr double kOwnPart = 0.2;  // of an agent's own curvature in its secret weight (protocol/neighbour_iteration.cc)

}  // namespace

// An agent outside the coalition, simulated.
struct NetworkModel::Honest {
  Honest(const AttackerView& view, AgentId agent, const Matrix& Z, const Matrix& start)
      : id(agent),
        degree(static_cast<double>(view.graph.neighbours(agent).size())),
        left(start, view.settings.updates, kFineUnit),
        right(view.settings.rank, data::own(Z)) {}

  void solve_y(const protocol::RunSettings& s) {
    right.solve(left.X(), s.eta.value_or(nmf::automatic_eta(left.X())), s.admm_y);
  }
  void begin_iteration(const protocol::RunSettings& s, int iteration, double offset) {
    const nmf::Moments moments = right.moments();
    const double kappa = nmf::left_curvature_of(moments.T);
    left.begin(moments, s.mu ? *s.mu / (*s.data_scale * *s.data_scale) : nmf::automatic_mu(kappa));
    double wanted = nmf::automatic_weight(kappa, s.diameter, iteration, s.iterations);
    if (learned > 0) {
      const double theirs = learned / degree;
      wanted = std::sqrt(kOwnPart * wanted * wanted + (1 - kOwnPart) * theirs * theirs);
    }
    weight = std::max(weight, wanted * s.g_scale + offset);
  }

  AgentId id;
  double degree;
  nmf::AdmmXStep left;
  nmf::AdmmYStep right;
  double weight = 1;     // secret ones: in integer units
  double learned = 0;    // sum of the neighbours' real weights in the last round
  double coupling = -1;  // rho of the last round; none yet
};

NetworkModel::NetworkModel(const AttackerView& view, std::vector<Index> columns, int rounds)
    : view_(view), columns_(std::move(columns)), rounds_(rounds) {
  const protocol::RunSettings& s = view.settings;
  for (std::uint32_t i = 0; i < view.graph.agents(); ++i) {
    if (view.has(AgentId{i})) continue;
    others_.push_back(AgentId{i});
    column_parameters_ += columns_[i] * s.rows;
  }
  const auto others = static_cast<Index>(others_.size());
  if (s.common_weights()) {
    weights_ = common_weights(view);
    hidden_ = s.start_spread > 0 ? others * s.rows * s.rank : 0;
  } else {
    hidden_ = others * ((rounds_ + s.admm_x - 1) / s.admm_x);
  }
}

double NetworkModel::hidden_precision() const {
  return view_.settings.common_weights() ? 3 : 12;  // uniform over two units, or over one
}

std::vector<NetworkModel::Honest> NetworkModel::begin(const Vector& parameters) const {
  const protocol::RunSettings& s = view_.settings;
  std::vector<Honest> honest;
  Index next = 0;
  Index start = column_parameters_;
  for (const AgentId agent : others_) {
    const Index count = columns_[agent.value];
    Matrix X = view_.X0;
    if (s.common_weights() && s.start_spread > 0) {
      const Eigen::Map<const Matrix> r(parameters.data() + start, s.rows, s.rank);
      X = X.cwiseProduct((1 + s.start_spread * r.array()).matrix());
      start += r.size();
    }
    honest.emplace_back(view_, agent, Eigen::Map<const Matrix>(parameters.data() + next, s.rows, count), X);
    next += s.rows * count;
    if (s.y_first) honest.back().solve_y(s);
  }
  return honest;
}

Vector NetworkModel::simulate(const Vector& parameters) const {
  const protocol::RunSettings& s = view_.settings;
  const Index size = s.rows * s.rank;
  std::vector<Honest> honest = begin(parameters);
  Vector seen(static_cast<Index>(view_.members.size()) * rounds_ * (size + 1));
  Index next = column_parameters_;
  for (int e = 0; e < rounds_; ++e) {
    const protocol::Round round = round_of(s, e);
    for (Honest& agent : honest) {
      if (round.admm == 1) {
        if (e > 0) agent.solve_y(s);
        agent.begin_iteration(s, static_cast<int>(round.iteration), s.common_weights() ? 0 : parameters(next++));
      }
      double rho = agent.coupling;
      if (s.common_weights()) {
        rho = 0;
        for (const AgentId j : view_.graph.neighbours(agent.id)) rho += factor_of(view_, agent.id, j);
        rho *= common_weight(round) * common_weight(round) / protocol::neighbours::factor_unit(s.factors);
      } else if (rho < 0) {
        rho = agent.degree * agent.weight / s.g_scale * agent.weight / s.g_scale;
      }
      agent.left.update(rho, s.local_rounds);
    }
    const std::vector<Said> all = said(honest, round);
    observe(all, e * (size + 1), seen);
    pull(honest, all, round);
  }
  return seen;
}

// The coalition's members said what they said.
std::vector<NetworkModel::Said> NetworkModel::said(const std::vector<Honest>& honest, protocol::Round round) const {
  const protocol::RunSettings& s = view_.settings;
  std::vector<Said> out(view_.graph.agents());
  for (const auto& [id, member] : view_.members) {
    const std::vector<std::int64_t> u = own_u(member, round, s.rows * s.rank);
    const auto reply =
        std::find_if(member.replies.begin(), member.replies.end(), [&](const OwnReply& r) { return r.round == round; });
    Said& own = out[id.value];
    own.weight = s.common_weights() ? 1 : static_cast<double>(reply->weight);
    own.U.resize(s.rows, s.rank);
    for (Index t = 0; t < own.U.size(); ++t) {
      own.U.data()[t] = static_cast<double>(u[static_cast<std::size_t>(t)]) / static_cast<double>(s.n_max);
    }
  }
  for (const Honest& agent : honest) {
    out[agent.id.value] = {s.common_weights() ? 1 : agent.weight, agent.left.U()};
  }
  return out;
}

// What each of the others makes of what its neighbours said.
void NetworkModel::pull(std::vector<Honest>& honest, const std::vector<Said>& said, protocol::Round round) const {
  const protocol::RunSettings& s = view_.settings;
  for (Honest& agent : honest) {
    Matrix sum = Matrix::Zero(s.rows, s.rank);
    double weights = 0;
    for (const AgentId j : view_.graph.neighbours(agent.id)) {
      const double weight = said[j.value].weight * factor_of(view_, agent.id, j);
      sum += weight * (said[j.value].U - agent.left.U());
      weights += weight;
    }
    double scale = agent.weight / (s.g_scale * s.g_scale);
    if (s.common_weights())
      scale = common_weight(round) * common_weight(round) / protocol::neighbours::factor_unit(s.factors);
    agent.learned = weights / s.g_scale;
    agent.coupling = scale * weights;
    std::vector<Int128> units(static_cast<std::size_t>(sum.size()));
    for (Index t = 0; t < sum.size(); ++t) {
      units[static_cast<std::size_t>(t)] = static_cast<Int128>(scale * sum.data()[t] / kFineUnit);
    }
    agent.left.absorb(units);
  }
}

// The mean over a member's neighbours: those of the coalition are known and left out.
void NetworkModel::observe(const std::vector<Said>& said, Index at, Vector& seen) const {
  const Index size = view_.settings.rows * view_.settings.rank;
  Index place = at;
  for (const auto& [id, unused] : view_.members) {
    Matrix sum = Matrix::Zero(view_.settings.rows, view_.settings.rank);
    double weights = 0;
    for (const AgentId j : view_.graph.neighbours(id)) {
      if (view_.has(j)) continue;
      const double weight = said[j.value].weight * factor_of(view_, id, j);
      sum += weight * said[j.value].U;
      weights += weight;
    }
    const double scale = weights > 0 ? 1 / weights : 0;
    seen.segment(place, size) = scale * Eigen::Map<const Vector>(sum.data(), size);
    seen(place + size) = view_.settings.common_weights() ? 0 : weights / kWeightUnit;
    place += rounds_ * (size + 1);
  }
}

Vector NetworkModel::observed() const {
  const protocol::RunSettings& s = view_.settings;
  const Index size = s.rows * s.rank;
  Vector out(static_cast<Index>(view_.members.size()) * rounds_ * (size + 1));
  Index at = 0;
  for (const auto& [id, member] : view_.members) {
    for (int e = 0; e < rounds_; ++e) {
      const HonestSum sum = honest_sum(view_, id, round_of(s, e));
      const double scale = sum.weights > 0 ? 1 / (sum.weights * static_cast<double>(s.n_max)) : 0;
      out.segment(at, size) = scale * sum.weighted;
      out(at + size) = s.common_weights() ? 0 : sum.weights / kWeightUnit;
      at += size + 1;
    }
  }
  return out;
}

Vector NetworkModel::deviation() const {
  // Rounding and blinding of one neighbour are each uniform over a quantum; a mean over several has less.
  const double quantum = 0.5 / static_cast<double>(view_.settings.n_max);
  return Vector::Constant(
      static_cast<Index>(view_.members.size()) * rounds_ * (view_.settings.rows * view_.settings.rank + 1), quantum);
}

Matrix forward_differences(const NetworkModel& model, const Vector& parameters, const Vector& at) {
  Matrix J(at.size(), parameters.size());
  Vector moved = parameters;
  for (Index p = 0; p < parameters.size(); ++p) {
    const double step = p < model.column_parameters() ? 1e-6 : model.hidden_precision() > 10 ? 1e-2 : 1e-5;
    moved(p) += step;
    J.col(p) = (model.simulate(moved) - at) / step;
    moved(p) = parameters(p);
  }
  return J;
}

}  // namespace ppdnmf::audit
