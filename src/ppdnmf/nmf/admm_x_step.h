// One agent's share of the X step: equations (8) to (11) of the paper, corrected or as printed (docs/mathematics.md).
//
// Not safe to share between threads. After construction and the first `begin`, `update` and `absorb` allocate nothing.
#ifndef PPDNMF_NMF_ADMM_X_STEP_H_
#define PPDNMF_NMF_ADMM_X_STEP_H_

#include <cstdint>
#include <span>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/int128.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/nmf/moments.h>

namespace ppdnmf::nmf {

enum class Updates : std::uint8_t { kCorrected, kAsPrinted };

class AdmmXStep {
 public:
  // Starts from X = U = X0, P = Q = 0. `q_unit` is what one integer unit of the round's pull is worth:
  // 1 / (g_scale^2 N_max).
  AdmmXStep(const Matrix& X0, Updates updates, double q_unit);
  // Another unit, before the first `absorb` or after `load`.
  void set_q_unit(double q_unit);

  // Once per iteration: takes Z Y^T and the eigenvectors of Y Y^T, so that no later step factorises anything.
  // mu > 0 (checked) may differ from the last one's: P, the scaled multiplier, is rescaled by old/new.
  void begin(const Moments& moments, double mu);
  void begin(const Matrix& Z, const Matrix& Y, double mu) { begin({Z * Y.transpose(), Y * Y.transpose(), 0}, mu); }

  // One ADMM iteration up to the round, `rounds` >= 1 (checked) times with what came from the neighbours unchanged:
  //   X = max(U + P, 0)
  //   U = [Z Y^T + mu (X - P) + c U_last + 2 Q - Q_before] [Y Y^T + (mu + c) I]^-1       corrected
  //   U = [Z Y^T + mu (X - P) + c (U_last + 2 Q - Q_before)] [Y Y^T + (mu + c) I]^-1     as printed
  //   P = P - (X - U)
  // U_last is the U of the last round. c >= 0 (checked) is rho_i of the last round or any larger number
  // (corrected), or rho_i of this one (as printed). One round is the paper's; more rounds solve the agent's own
  // nonnegative problem more closely before it speaks again, which costs no round.
  void update(double c, int rounds = 1);

  // Before the first update: these rows of X and U become zero, and stay so where Z has zeros at all agents.
  void clear_rows(const std::vector<Index>& rows);

  // The round's outcome: pull[t] = sum_j G_i G_j (u_j - u_i), entry t in column-major order.
  //   Q_before = Q;  Q = Q + pull q_unit / 2       corrected;  without the half as printed
  // Q is kept as an integer, so that the agents' Q sum to zero exactly when the pulls do. |pull| < 2^100 (unchecked).
  void absorb(std::span<const Int128> pull);

  [[nodiscard]] const Matrix& X() const { return X_; }
  [[nodiscard]] const Matrix& U() const { return U_; }
  [[nodiscard]] const Matrix& P() const { return P_; }
  [[nodiscard]] Matrix Q() const;
  [[nodiscard]] double mu() const { return mu_; }  // of the last `begin`; 0 before the first
  [[nodiscard]] const std::vector<Int128>& Q_integer() const { return Q_; }
  // ||X - U|| / ||U||: how far the two copies of the factor are apart; 0 when U is 0.
  [[nodiscard]] double primal_residual() const;
  // ||U - U_last|| / ||U|| of the last update.
  [[nodiscard]] double dual_residual() const { return dual_residual_; }
  [[nodiscard]] bool all_finite() const { return U_.allFinite() && P_.allFinite(); }
  // Whether every number is one that updates can have led to; false after loading damaged bytes.
  [[nodiscard]] bool in_range() const;

  // X, U, P, Q, Q_before and mu; a load is followed by a `begin` with the same Z, Y and mu.
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  Updates updates_;
  double q_unit_ = 0;
  double mu_ = 0;
  double dual_residual_ = 0;
  Matrix X_, U_, P_;
  std::vector<Int128> Q_, Q_before_;
  Matrix ZYt_;
  Matrix eigenvectors_;  // Y Y^T = V diag(lambda) V^T, so that any mu + c is a division away
  Eigen::VectorXd eigenvalues_;
  Eigen::VectorXd damping_;                 // 1 / (lambda + mu + c)
  Matrix U_last_, fixed_, work_, rotated_;  // work space
};

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_ADMM_X_STEP_H_
