// One opening of the second moments of all columns, from which everybody computes the same X: the scheme `moments`
// (docs/privacy.md, docs/protocol.md).
//
//   each    its columns' part of Z Zᵀ; in a private run of columns rounded and bounded one by one, with noise
//   sum     the upper triangle, one masked sum; no X enters it, so nobody can steer what is opened
//   each    the same X from the total alone (nmf/second_moments.h)
//
// In a private run the rank may be looked for in a range: all of that follows from the one total, too
// (nmf/moments_rank.h).
//
// A private run may go on with rounds in the span that was found, as its plan says. In an exact run there are none:
// they could be steered.
#ifndef PPDNMF_PROTOCOL_MOMENTS_SCHEME_H_
#define PPDNMF_PROTOCOL_MOMENTS_SCHEME_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <ppdnmf/base/random.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/span_descent.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/protocol/scheme.h>
#include <ppdnmf/protocol/sum_scheme.h>

namespace ppdnmf::protocol {

class MomentsScheme final : public Scheme {
 public:
  // `columns` and `secret` are the agent's own and outlive this. `start(n)` are common starts, random ones; where the
  // rank is looked for, they follow from `common`, everybody's seed, instead. `steps` may be null.
  MomentsScheme(RunSettings settings, std::uint32_t agents, std::function<Matrix(int)> start, const Seed& common,
                nmf::Holder& columns, const Seed& secret, CommonSteps* steps);

  [[nodiscard]] Result<Ask> begin(const Opening& opening, Outbox& out) override;
  [[nodiscard]] Result<Ask> absorb(std::span<const double> totals, bool stop, Outbox& out) override;
  void add_noise(std::span<double> values, const Digest& told) const override;
  void request_stop() override { stop_ = true; }

  [[nodiscard]] const Matrix& X() const override { return descent_ ? descent_->X() : X_; }
  [[nodiscard]] Matrix Y() const override { return own().Y(); }
  [[nodiscard]] std::uint64_t rounds() const override { return rounds_completed() + (asked_ ? 1 : 0); }
  [[nodiscard]] std::uint64_t rounds_completed() const override;
  [[nodiscard]] const RankSearch* search() const override { return settings_.searches() ? &search_ : nullptr; }

  void save(ByteWriter& out) const override;
  [[nodiscard]] Status load(ByteReader& in, const std::optional<Opening>& opening) override;

  // Words of the longest sum: the opening, or a round in the span.
  [[nodiscard]] static std::size_t words(const RunSettings& settings);

 private:
  [[nodiscard]] int span_rounds() const { return settings_.privacy ? settings_.privacy->noise.rounds : 0; }
  [[nodiscard]] nmf::SpanDescentOptions span_options() const;
  [[nodiscard]] nmf::Holder& own() const { return own_ ? *own_ : columns_; }
  [[nodiscard]] nmf::SpanAndFactor nothing_found() const;  // of the right sizes, to load into
  [[nodiscard]] Ask ask_moments();
  [[nodiscard]] Ask ask_round();
  [[nodiscard]] Status take_moments(std::span<const double> totals);
  [[nodiscard]] Result<nmf::SpanAndFactor> factor(std::span<const double> totals, const Matrix& G);
  [[nodiscard]] Result<nmf::SpanAndFactor> look_for_rank(std::span<const double> totals, const Matrix& G);
  [[nodiscard]] Result<Bytes> once_for_all(const char* what, std::span<const double> totals,
                                           const std::function<Result<Bytes>()>& compute);
  [[nodiscard]] Result<Ask> end(bool complete, Outbox& out);
  void report(double own_error, Outbox& out) const;

  RunSettings settings_;
  std::uint32_t agents_;
  std::function<Matrix(int)> start_;
  Seed common_;
  nmf::Holder& columns_;
  const Seed& secret_;
  CommonSteps* steps_;
  Matrix X_;                                 // before the opening the first start; after it what follows from it
  std::optional<nmf::SpanDescent> descent_;  // after the opening, if rounds follow
  double scale_ = 1;                         // of the opening
  std::vector<double> opened_totals_;        // what a search began with, to repeat it after a restart
  RankSearch search_;
  std::unique_ptr<nmf::Holder> own_;  // the same columns for the rank that was found
  std::vector<Index> dropped_;        // rows, for all; exact runs only
  bool begun_ = false;
  bool opened_ = false;
  bool stop_ = false;    // this agent wants the run to end
  bool asked_ = false;   // a part is on its way
  double answered_ = 0;  // this agent's squared error in the last Y step
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_MOMENTS_SCHEME_H_
