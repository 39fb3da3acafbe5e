// What is minimised, in full: a loss follows from these options alone (nmf/loss.h).
#ifndef PPDNMF_NMF_LOSS_OPTIONS_H_
#define PPDNMF_NMF_LOSS_OPTIONS_H_

#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
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
  Index known = 0;       // the first so many columns of X stay as they are in a start, to the bit
  bool missing = false;  // entries may be (data/gaps.h)
  // Squares only; above 0: every holder has a V >= 0 of its own, ||Z - (X + V) Y||² + site_effects ||V Y||² is
  // minimised, and the squared errors that are told are this sum.
  double site_effects = 0;
  // The Poisson loss only; above 0: columns are made of few components. From Course::free_rounds on, every column adds
  // few t sum_k log(1 + c_k / (b t)) to what is minimised: t its total, c_k the part of it that component k explains,
  // b = kFewFrom. Small parts vanish, and large ones hardly change.
  double few = 0;

  // Whether nothing may be left of a component (Loss::gone).
  [[nodiscard]] bool ends_components() const { return penalties.any() || few > 0; }
};

inline constexpr double kFewFrom = 0.01;

// Columns of X that somebody knows, with a name for each.
struct KnownColumns {
  Matrix values;
  std::vector<std::string> names;
};

// Whether columns can be known ones of an X of this shape. Fails with kUsage: another number of rows, more than the
// rank, a value that is negative or no number, a column of zeros.
[[nodiscard]] Status check_known(const KnownColumns& known, Index rows, Index rank);

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_LOSS_OPTIONS_H_
