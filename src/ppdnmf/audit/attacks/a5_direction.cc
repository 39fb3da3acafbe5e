#include <ppdnmf/audit/attacks/a5_direction.h>

#include <algorithm>

namespace ppdnmf::audit {
namespace {

Vector direction(const OpenedSum& sum, Index size) {
  Vector out(size);
  for (Index t = 0; t < size; ++t) out(t) = static_cast<double>(sum.values[static_cast<std::size_t>(t)]);
  return out.normalized();
}

}  // namespace

std::optional<Vector> direction_of(const AttackerView& view, AgentId of, protocol::Round round) {
  const MemberView& self = view.alone();
  for (const auto* list : {&self.opened_alone, &self.opened}) {
    for (const OpenedSum& sum : *list) {
      if (sum.round == round && sum.of == std::vector{of}) {
        return direction(sum, view.settings.rows * view.settings.rank);
      }
    }
  }
  return std::nullopt;
}

Vector guessed_direction(const AttackerView& view, protocol::Round round) {
  const Index size = view.settings.rows * view.settings.rank;
  Vector out = Vector::Zero(size);
  for (const OpenedSum& sum : view.alone().opened) {
    if (sum.round != round) continue;
    for (Index t = 0; t < size; ++t) out(t) += static_cast<double>(sum.values[static_cast<std::size_t>(t)]);
  }
  return out.normalized();
}

}  // namespace ppdnmf::audit
