#include <ppdnmf/audit/model/private_totals.h>

#include <algorithm>

#include <ppdnmf/nmf/noisy_descent.h>
#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::audit {
namespace {

// One round's totals after another, as everybody sees them.
std::vector<std::vector<double>> opened_in_order(const AttackerView& view) {
  const auto entries = static_cast<std::size_t>(view.settings.privacy->noise.entries);
  std::vector<std::vector<double>> out;
  for (const auto& [number, payload] : view.members.begin()->second.totals) {
    const protocol::Words words = protocol::words_of(payload);
    if (number >= protocol::kOpeningSums && words.size() == entries) out.push_back(protocol::from_words(words));
  }
  return out;
}

// The X that follows, by the public rule (protocol/private_scheme.cc).
void absorb(const std::vector<double>& totals, double t_weight, nmf::NoisyDescent& descent) {
  const Index rows = descent.X().rows();
  const Index rank = descent.X().cols();
  Matrix S(rows, rank);
  Matrix T(rank, rank);
  std::copy_n(totals.begin(), S.size(), S.data());
  auto next = totals.begin() + S.size();
  for (Index k = 0; k < rank; ++k) {
    for (Index j = 0; j <= k; ++j) T(j, k) = T(k, j) = *next++ / t_weight;
  }
  const Status absorbed = descent.absorb(S, T);
  PPDNMF_CHECK(absorbed.has_value());  // the run itself went on
}

}  // namespace

PrivateTotals private_totals(const AttackerView& view) {
  PPDNMF_CHECK(view.settings.privacy && !view.members.empty());
  const privacy::NoisePlan& plan = view.settings.privacy->noise;
  const double noise = privacy::noise_of(plan, view.graph.agents());
  nmf::NoisyDescent descent({plan.rounds, noise, noise / plan.t_weight}, view.X0);
  const std::vector<std::vector<double>> opened = opened_in_order(view);
  PPDNMF_CHECK(opened.size() == static_cast<std::size_t>(plan.rounds));
  const auto entries = static_cast<Index>(plan.entries);
  PrivateTotals out;
  out.others.resize(entries * static_cast<Index>(opened.size()));
  for (std::size_t n = 0; n < opened.size(); ++n) {
    out.requests.push_back(descent.X());
    Vector left = Eigen::Map<const Vector>(opened[n].data(), entries);
    for (const auto& [agent, member] : view.members) left -= Eigen::Map<const Vector>(member.noise[n].data(), entries);
    out.others.segment(static_cast<Index>(n) * entries, entries) = left;
    absorb(opened[n], plan.t_weight, descent);
  }
  for (const auto& [agent, member] : view.members) out.others -= bounded_parts(view, out.requests, member.Z);
  out.deviation = privacy::noise_of(plan, view.graph.agents() - static_cast<std::uint32_t>(view.members.size()));
  return out;
}

Matrix shapes_of(Matrix columns) {
  for (Index m = 0; m < columns.cols(); ++m) {
    const double length = columns.col(m).norm();
    if (length > 0) columns.col(m) /= length;
  }
  return columns;
}

Vector bounded_parts(const AttackerView& view, const std::vector<Matrix>& requests, const Matrix& columns,
                     bool smooth) {
  constexpr double kFine = 0x1p-40;
  const protocol::PrivacySettings& privacy = *view.settings.privacy;
  const privacy::NoisePlan& plan = privacy.noise;
  const nmf::Bounds bounds{plan.bound, plan.t_weight, smooth ? kFine : plan.unit};
  const auto entries = static_cast<Index>(plan.entries);
  const auto holder = nmf::unit_holder(columns, privacy.normalise);
  holder->begin(view.settings.rank, 1);
  Vector out(entries * static_cast<Index>(requests.size()));
  for (std::size_t n = 0; n < requests.size(); ++n) {
    const std::vector<double> part = holder->bounded_answer(requests[n], bounds).values;
    out.segment(static_cast<Index>(n) * entries, entries) = Eigen::Map<const Vector>(part.data(), entries);
  }
  return out;
}

}  // namespace ppdnmf::audit
