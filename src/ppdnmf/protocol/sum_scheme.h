// Iterating by sums over all agents: the scheme `sum` (docs/protocol.md, docs/mathematics.md).
//
//   once    under the Poisson loss, the totals of all rows: a start is made of them
//   each    Y for the common X, from where the last one ended; what the loss adds up (nmf/loss.h), as S = Z Yᵀ,
//           T = Y Yᵀ and the squared error
//   sum     these over all agents, one masked sum per round
//   each    the same next X from the totals alone
#ifndef PPDNMF_PROTOCOL_SUM_SCHEME_H_
#define PPDNMF_PROTOCOL_SUM_SCHEME_H_

#include <functional>
#include <vector>

#include <ppdnmf/nmf/descent.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/protocol/scheme.h>

namespace ppdnmf::protocol {

// Computing the common X takes longer than everything else an agent does. Agents of one process may do it once for all:
// given the same totals so far, named by `totals`, `compute` gives the same bytes at all of them. May be called from
// any thread.
class CommonSteps {
 public:
  CommonSteps() = default;
  CommonSteps(const CommonSteps&) = delete;
  CommonSteps& operator=(const CommonSteps&) = delete;
  CommonSteps(CommonSteps&&) = delete;
  CommonSteps& operator=(CommonSteps&&) = delete;
  virtual ~CommonSteps() = default;
  [[nodiscard]] virtual Result<Bytes> find_or_compute(const Digest& totals,
                                                      const std::function<Result<Bytes>()>& compute) = 0;
};

class SumScheme final : public Scheme {
 public:
  // `columns` outlive it; their loss is the settings'. `start(r)` is the common X0 of start r; `start_given`: that of
  // start 0 is not made of random numbers. `steps` may be null.
  SumScheme(const RunSettings& settings, std::function<Matrix(int)> start, bool start_given, nmf::Holder& columns,
            CommonSteps* steps);

  [[nodiscard]] Result<Ask> begin(const Opening& opening, Outbox& out) override;
  [[nodiscard]] Result<Ask> absorb(std::span<const double> totals, bool stop, Outbox& out) override;
  void request_stop() override { stop_ = true; }

  [[nodiscard]] const Matrix& X() const override { return descent_.X(); }
  [[nodiscard]] Matrix Y() const override { return columns_.Y(); }
  [[nodiscard]] Matrix V() const override { return columns_.V(); }
  [[nodiscard]] Matrix shrink() const override { return descent_.shrink(); }
  [[nodiscard]] std::uint64_t rounds() const override;
  [[nodiscard]] std::uint64_t rounds_completed() const override { return descent_.rounds(); }

  void save(ByteWriter& out) const override;
  [[nodiscard]] Status load(ByteReader& in, const std::optional<Opening>& opening) override;

  // Words of one round, as the loss has them: S, the upper triangle of T, the squared error.
  [[nodiscard]] static std::size_t words(const RunSettings& settings);

 private:
  [[nodiscard]] Ask ask();
  [[nodiscard]] Status step(std::span<const double> totals, const std::function<Status()>& absorb);
  [[nodiscard]] double divergence() const;

  RunSettings settings_;
  nmf::Holder& columns_;
  std::shared_ptr<const nmf::Loss> loss_;
  CommonSteps* steps_;
  nmf::Descent descent_;
  Opening opening_;
  Digest totals_{};  // of all totals so far, for `steps`
  bool begun_ = false;
  bool stop_ = false;        // this agent wants the run to end
  bool asked_ = false;       // a request has been answered and its totals are on their way
  bool opens_rows_ = false;  // the row totals are on their way
  nmf::LocalFit answered_;   // this agent's errors in the answer to the last request
  nmf::LocalFit own_;        // those of the best X so far
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_SUM_SCHEME_H_
