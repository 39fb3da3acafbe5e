// The X side of the factorisation, from sums over all columns alone: coordinate descent with extrapolation that the
// common error steers (docs/mathematics.md). Whoever knows the same totals computes the same X, to the bit.
//
//   while (!descent.done()) descent.absorb(holder.answer(descent.request()));            one machine
//
// In a network the answers of all agents are added up before they are absorbed; nothing else differs.
#ifndef PPDNMF_NMF_DESCENT_H_
#define PPDNMF_NMF_DESCENT_H_

#include <cstdint>
#include <functional>
#include <string>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/nmf/loss.h>
#include <ppdnmf/nmf/moments.h>

namespace ppdnmf::nmf {

struct DescentOptions {
  int rounds = 50;           // totals to absorb, at most; rejected ones and those of all starts are counted
  int starts = 1;            // number of short starts; the one with the smallest error is continued
  int start_rounds = 20;     // length of a short start; shorter where `rounds` would not leave as many to continue with
  double tolerance = 0;      // end when ten iterations lower the error by less than this part of it; 0: never
};

class Descent {
 public:
  // `start(r)` is the common X0 of start r, 0 <= r < options.starts. Loss and executor outlive it.
  Descent(const DescentOptions& options, std::function<Matrix(int)> start, const Loss& loss = squares(),
          Executor& executor = serial_executor());

  // What all holders must answer next. The last request, when done() is near, asks for an error only: see `absorb`.
  [[nodiscard]] const DescentRequest& request() const;
  // Whether the answer to the next request is used for its squared_error alone: the measure of the last X. It is no
  // round.
  [[nodiscard]] bool measures_only() const;
  // Whether an answer with this error will be accepted; one that is not will be taken back.
  [[nodiscard]] bool accepts(double squared_error) const;
  // The totals of the answers to the last request. Fails with kNumeric if they cannot be such totals (not finite, a
  // negative diagonal of T, a negative error).
  [[nodiscard]] Status absorb(const Moments& totals);
  // No further request than the measure follows. For whoever is told to stop, at any time.
  void stop(std::string because);

  [[nodiscard]] bool done() const;                           // after the measure has been absorbed
  [[nodiscard]] bool last_accepted() const;                  // for Holder::settle, when done
  [[nodiscard]] const std::string& stopped_because() const;  // "tolerance", "iterations", or what stop() was told

  // Rounds absorbed so far; the X they led to and its squared error, the best accepted one. The error of the X of
  // round n is known with the totals of round n + 1, or with the measure.
  [[nodiscard]] std::uint64_t rounds() const;
  [[nodiscard]] const Matrix& X() const;
  [[nodiscard]] double squared_error() const;
  // The same of the present start alone: what Holder::settle(false) after an answer that is not accepted goes back to.
  [[nodiscard]] const Matrix& present_X() const { return X_; }
  [[nodiscard]] double present_squared_error() const { return squared_error_; }

  // The state; `load` goes into a Descent made with the same arguments.
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  // Whether every number is one that totals can have led to; false after loading damaged bytes.
  [[nodiscard]] bool in_range() const;

 private:
  // What the pending request is for.
  enum class Asked : std::uint8_t {
    kFresh,   // where a start begins, or the best one is continued
    kStep,    // an extrapolated step: taken if its error is not larger
    kRepair,  // the last accepted X again, with no extrapolation: S and T of the accepted Y
  };
  [[nodiscard]] Status check(const Moments& totals) const;
  void ask(Asked what, const Matrix& X);
  void accept(const Moments& totals);
  void reject();
  void next_step(const Moments& totals);
  void end_start();
  void look_whether_to_stop();
  void measure(const Moments& totals);
  [[nodiscard]] int start_length() const;

  DescentOptions options_;
  std::function<Matrix(int)> start_;
  const Loss& loss_;
  Executor& executor_;
  DescentRequest request_;
  Asked asked_ = Asked::kFresh;
  Matrix X_;              // the last accepted
  Matrix X_step_;         // the pending step before it was extrapolated
  Matrix X_last_;         // the same of the last accepted step
  Matrix X_best_;         // of the best start so far, if there are several
  double squared_error_;  // of X_
  double best_squared_error_;
  double b_, b_max_;             // extrapolation, and what it may rise to
  double earlier_error_ = 0;     // at the last multiple of the stopping window
  std::uint64_t rounds_ = 0;     // in all
  std::int32_t in_start_ = 0;    // of this start, or since the best one is continued
  std::int32_t start_number_ = 0;
  bool starting_;  // several starts, not all of them tried
  bool done_ = false;
  bool last_accepted_ = true;
  std::string stopped_because_;
};

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_DESCENT_H_
