// What is minimised, in full: a loss follows from these options alone (nmf/loss.h).
#ifndef PPDNMF_NMF_LOSS_OPTIONS_H_
#define PPDNMF_NMF_LOSS_OPTIONS_H_

#include <ppdnmf/data/matrix.h>
#include <ppdnmf/nmf/loss_kind.h>

namespace ppdnmf::nmf {

// What is added to the loss, in units of the data: l1_x sum(X) + l2_x / 2 ||X||² + l1_y sum(Y) + l2_y / 2 ||Y||². Not
// negative.
struct Penalties {
  double l1_x = 0;
  double l1_y = 0;
  double l2_x = 0;
  double l2_y = 0;

  [[nodiscard]] bool on_X() const { return l1_x > 0 || l2_x > 0; }
  [[nodiscard]] bool on_Y() const { return l1_y > 0 || l2_y > 0; }
  [[nodiscard]] bool any() const { return on_X() || on_Y(); }
  friend bool operator==(const Penalties&, const Penalties&) = default;
};

struct LossOptions {
  LossKind kind = LossKind::kSquares;
  Curvature curvature = Curvature::kFull;  // of kPoisson
  Penalties penalties{};
  Index known = 0;  // the first so many columns of X stay as they are in a start, to the bit
};

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_LOSS_OPTIONS_H_
