// Linear programmes over one polytope: max cᵀa over { a : U a >= -slack, sum(U a) = 1 }, one after the other.
//
// The simplex method on the polytope's own vertices. Each programme begins at the vertex where the last one ended,
// which is feasible, so there is no first phase; and where everything begins is known, too: columns of a nonnegative
// factor lie in the polytope.
#ifndef PPDNMF_NMF_INTERNAL_VERTEX_CLIMB_H_
#define PPDNMF_NMF_INTERNAL_VERTEX_CLIMB_H_

#include <vector>

#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf::internal {

using Vector = Eigen::VectorXd;

// Shared by all climbs; immutable.
struct Polytope {
  // U: orthonormal columns. slack >= 0.
  Polytope(const Matrix& U, double slack);

  Matrix U;      // rows that are not zero
  Vector slack;  // with tiny differences between rows, so that no vertex lies on more rows than it needs
  Vector total;  // Uᵀ 1, not zero
};

class VertexClimb {
 public:
  // Begins at a point of the polytope: total · a = 1. The polytope outlives it.
  VertexClimb(const Polytope& polytope, const Vector& a);

  // Goes to a vertex with the largest cᵀa, in at most a fixed number of steps; then to wherever it came.
  const Vector& climb(const Vector& c);

 private:
  [[nodiscard]] Index best_direction(const Vector& c) const;
  [[nodiscard]] bool advance(Index leaving, double sign);
  void replace(Index leaving, Index entering);
  void refresh();

  const Polytope& p_;
  Vector a_;
  Vector room_;  // U a + slack, all >= 0 but for round-off
  std::vector<Index>
      rows_;  // active constraints; kFree: a coordinate that has not moved yet. The first one is the total
  std::vector<bool> active_;
  Matrix inverse_;           // of the matrix of active constraints; column j: the way that leaves constraint j alone
  std::vector<Index> held_;  // the coordinate behind a constraint that is kFree
  int since_refresh_ = 0;
};

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_VERTEX_CLIMB_H_
