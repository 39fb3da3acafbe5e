// Iterating by sums over all agents for a whole range of ranks, until the number of components is known: the scheme
// `sum` with a range of ranks (docs/protocol.md, docs/mathematics.md).
//
//   once    under the Poisson loss, the totals of all rows: starts are made of them
//   ranks   from the smallest upwards, until the rule has seen enough (nmf/rank_choice.h): so many starts of the rank,
//           each on columns that every agent resampled for itself
//     each    what SumScheme has, for every start that has not ended
//     sum     these over all agents, all starts in one masked sum per round
//     each    the same next X of every start
//   each    the same choice of X from all starts' X's; then Y for it, on the columns as they are
//   sum     its error
#ifndef PPDNMF_PROTOCOL_RANK_SCHEME_H_
#define PPDNMF_PROTOCOL_RANK_SCHEME_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/random.h>
#include <ppdnmf/nmf/descent.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/rank_choice.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/protocol/scheme.h>
#include <ppdnmf/protocol/sum_scheme.h>

namespace ppdnmf::protocol {

class RankScheme final : public Scheme {
 public:
  // `columns` outlive it; their loss is the settings'. `common`: everybody's seed, from which starts and resampling
  // follow. `steps` may be null.
  RankScheme(const RunSettings& settings, const Seed& common, nmf::Holder& columns, CommonSteps* steps);

  [[nodiscard]] Result<Ask> begin(const Opening& opening, Outbox& out) override;
  [[nodiscard]] Result<Ask> absorb(std::span<const double> totals, bool stop, Outbox& out) override;
  void request_stop() override { stop_ = true; }

  // Before the choice the best X of the last rank that was tried.
  [[nodiscard]] const Matrix& X() const override { return X_; }
  [[nodiscard]] Matrix Y() const override { return own_ ? own_->Y() : Matrix(X_.cols(), 0); }
  [[nodiscard]] std::uint64_t rounds() const override { return rounds_ + (asked_ && !measures() ? 1 : 0); }
  [[nodiscard]] std::uint64_t rounds_completed() const override { return rounds_; }
  [[nodiscard]] const RankSearch* search() const override { return &search_; }

  void save(ByteWriter& out) const override;
  [[nodiscard]] Status load(ByteReader& in, const std::optional<Opening>& opening) override;

  // Words of the longest sum: all starts of the largest rank.
  [[nodiscard]] static std::size_t words(const RunSettings& settings);

 private:
  struct Start {
    std::unique_ptr<nmf::Holder> columns;
    std::unique_ptr<nmf::Descent> descent;
    nmf::LocalFit answered{};  // this agent's errors in the answer to the last request
  };
  enum class Phase : std::uint8_t { kNew, kRows, kSearching, kMeasuring, kEnded };

  [[nodiscard]] nmf::RankSearchShape shape() const;
  [[nodiscard]] bool measures() const;  // what is on its way belongs to no round
  void make_starts();
  [[nodiscard]] Status begin_rank(Index rank);
  [[nodiscard]] Ask ask();
  [[nodiscard]] Status step(std::span<const double> totals);
  [[nodiscard]] Status absorb_each(std::span<const double> totals);
  void end_rank(Outbox& out);
  std::size_t take_best_X();
  [[nodiscard]] Result<nmf::RankChoice> chosen();
  [[nodiscard]] Result<Ask> choose();
  [[nodiscard]] nmf::DescentRequest last_request() const;
  [[nodiscard]] Result<Ask> end(std::span<const double> totals, Outbox& out);
  void report(const nmf::LocalFit& own, const nmf::LocalFit& all, Outbox& out) const;
  void save_descents(ByteWriter& out) const;
  void load_descents(ByteReader& in);
  [[nodiscard]] bool in_range() const;

  RunSettings settings_;
  Seed common_;
  nmf::Holder& columns_;
  std::shared_ptr<const nmf::Loss> loss_, loss_of_starts_;
  CommonSteps* steps_;
  Opening opening_;
  Phase phase_ = Phase::kNew;
  Digest totals_{};       // of all totals so far, for `steps`
  bool stop_ = false;     // this agent wants the run to end
  bool stopped_ = false;  // somebody did: no further rank is tried
  bool asked_ = false;    // a sum is under way
  std::uint64_t rounds_ = 0;
  nmf::Common known_;  // of all columns
  Index rank_ = 0;
  std::vector<Start> starts_;  // of this rank
  Matrix asked_X_;             // of all starts that have not ended, side by side
  RankSearch search_;
  Matrix X_;
  std::unique_ptr<nmf::Holder> own_;  // the columns as they are, once X is chosen
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_RANK_SCHEME_H_
