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
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/nmf/loss.h>
#include <ppdnmf/nmf/moments.h>

namespace ppdnmf::nmf {

struct DescentOptions {
  int rounds = 50;        // totals to absorb, at most; rejected ones and those of all starts are counted
  int starts = 1;         // number of short starts; the one with the smallest error is continued
  int start_rounds = 20;  // length of a short start; shorter where `rounds` would not leave as many to continue with
  double tolerance = 0;   // end when ten iterations lower the error by less than this part of it; 0: never
  bool first_start_given = false;  // start(0) is the X0 that somebody wants, not random numbers
};

class Descent {
 public:
  // `start(r)` is the common X0 of start r, 0 <= r < options.starts; its first columns are those that the loss knows.
  // The executor outlives it.
  Descent(const DescentOptions& options, std::function<Matrix(int)> start,
          std::shared_ptr<const Loss> loss = loss_of({}), Executor& executor = serial_executor());

  // Before the first answer: these rows are zero in every X that is asked for. All columns have zeros there.
  void clear_rows(std::vector<Index> rows);
  // Before the first answer: what is known of all columns, with row totals if the loss wants them. Fails with kNumeric
  // if no columns can have such totals.
  [[nodiscard]] Status begin(Common common);

  // What all holders must answer next. The last request, when done() is near, asks for an error only: see `absorb`.
  // Under squares, where something is missing, there are two of these: the second is for the Y that is kept.
  [[nodiscard]] const DescentRequest& request() const;
  // Whether the answer to the next request is used for its errors alone: the measure of the last X. It is no round.
  [[nodiscard]] bool measures_only() const;
  // Whether an answer with these totals will be accepted; one that is not will be taken back.
  [[nodiscard]] bool accepts(const Moments& totals) const;
  // The totals of the answers to the last request. Fails with kNumeric if they cannot be such totals (not finite, a
  // negative diagonal of T, a negative error).
  [[nodiscard]] Status absorb(const Moments& totals);
  // No further request than the measure follows. For whoever is told to stop, at any time.
  void stop(std::string because);
  // The rows with zeros that the measured Y has beside the data (nmf/shrinkage.h), when done; empty: none.
  [[nodiscard]] const Matrix& shrink() const { return request_.shrink; }

  [[nodiscard]] bool done() const;                           // after the measure has been absorbed
  [[nodiscard]] bool last_accepted() const;                  // for Holder::settle, when done
  [[nodiscard]] const std::string& stopped_because() const;  // "tolerance", "iterations", or what stop() was told

  // Rounds absorbed so far; the X they led to, the value of the loss and the squared error there, of the best accepted
  // one. Those of the X of round n are known with the totals of round n + 1, or with the measure.
  [[nodiscard]] std::uint64_t rounds() const;
  [[nodiscard]] const Matrix& X() const;
  [[nodiscard]] double value() const;
  [[nodiscard]] double squared_error() const;
  [[nodiscard]] double free_value() const;  // where LossOptions::few is above 0: of the last X that knew nothing of it
  [[nodiscard]] double penalty() const;     // in the value (Loss::penalty)
  // The same of the present start alone: what Holder::settle(false) after an answer that is not accepted goes back to.
  [[nodiscard]] const Matrix& present_X() const { return shown(X_, gauge_); }
  [[nodiscard]] double present_value() const { return at_X_.value; }
  [[nodiscard]] double present_squared_error() const { return at_X_.squared_error; }
  [[nodiscard]] double present_penalty() const { return at_X_.penalty; }
  // The X that was asked for, its gauge and the penalty there, given the totals.
  [[nodiscard]] const Matrix& asked_X(const Moments& totals) const { return shown(request_.X, asked_gauge(totals)); }
  [[nodiscard]] std::vector<double> asked_gauge(const Moments& totals) const {
    return loss_->met_gauge(totals, request_, common_);
  }
  [[nodiscard]] const std::vector<double>& gauge() const { return better_start_known() ? gauge_best_ : gauge_; }
  [[nodiscard]] double asked_penalty(const Moments& totals) const { return errors_of(totals).penalty; }

  // The state; `load` goes into a Descent made with the same arguments.
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  // Whether every number is one that totals can have led to; false after loading damaged bytes.
  [[nodiscard]] bool in_range() const;

 private:
  static constexpr double kMaxDamping = 1e6;
  // What the pending request is for.
  enum class Asked : std::uint8_t {
    kFresh,   // where a start begins, or the best one is continued
    kStep,    // an extrapolated step: taken if its error is not larger
    kRepair,  // the last accepted X again, with no extrapolation: S and T of the accepted Y
    kSafe,    // after a rejected step: one that cannot be worse but for round-off
  };
  // What was said of an X. Under squares both are the same.
  struct Errors {
    double value;
    double squared_error;
    double penalty = 0;
  };
  [[nodiscard]] Status check(const Moments& totals) const;
  [[nodiscard]] Errors errors_of(const Moments& totals) const;  // at the X that was asked for
  [[nodiscard]] XStep x_step() const { return {common_, damping_}; }
  void ask(Asked what, std::vector<double> gauge);
  void accept(const Moments& totals);
  void reject();
  void begin_start();
  [[nodiscard]] const Matrix& shown(const Matrix& X, const std::vector<double>& gauge) const;
  [[nodiscard]] bool all_known() const { return loss_->options().known == X_.cols(); }
  [[nodiscard]] Matrix start_X(int number) const;
  void clear(Matrix& X) const;
  [[nodiscard]] bool begins_few() const;
  [[nodiscard]] bool opening() const;
  [[nodiscard]] bool better_start_known() const { return best_.value < at_X_.value; }
  void next_step(const Moments& totals);
  void end_start();
  void look_whether_to_stop();
  void measure(const Moments& totals);
  [[nodiscard]] bool shrinks() const;
  bool ask_shrunk();
  [[nodiscard]] int start_length() const;

  DescentOptions options_;
  Course course_;
  std::function<Matrix(int)> start_;
  std::shared_ptr<const Loss> loss_;
  Executor& executor_;
  DescentRequest request_;
  Asked asked_ = Asked::kFresh;
  Matrix X_;                                // the last accepted
  Matrix X_step_;                           // the pending step before it was extrapolated
  Matrix X_last_;                           // the same of the last accepted step
  Matrix X_best_;                           // of the best start so far; empty if there is only one
  std::vector<double> gauge_, gauge_best_;  // of X_ and X_best_; empty without penalties
  mutable Matrix shown_;                    // an X in its gauge, for whoever looks at it
  Errors at_X_;                             // of X_
  Errors best_;                             // of X_best_
  Moments remembered_;                      // the totals of X_, where the course does not repair
  Common common_;
  Matrix T_;                    // of the last accepted totals, where something is missing
  std::vector<Index> cleared_;  // rows of X; not saved
  double b_;                    // extrapolation,
  double b_max_ = 1;            // and what it may rise to
  double damping_ = 1;          // of the curvature
  // Before few began.
  double free_value_ = std::numeric_limits<double>::infinity();
  double earlier_error_ = 0;   // at the last multiple of the stopping window
  std::uint64_t rounds_ = 0;   // in all
  std::int32_t in_start_ = 0;  // of this start, or since the best one is continued
  std::int32_t start_number_ = 0;
  bool starting_;  // several starts, not all of them tried
  bool done_ = false;
  bool last_accepted_ = true;
  std::string stopped_because_;
};

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_DESCENT_H_
