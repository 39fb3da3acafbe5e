// A holder whose columns lie in several processes: what it is asked is asked there (nmf/part_holder.h), and it adds up
// what comes back. Y stays where the columns are; all of it is fetched for the end of a run, and for a state to be
// saved, which is the one that a single process saves: any number of processes goes on with it.
#ifndef PPDNMF_SPREAD_SPREAD_HOLDER_H_
#define PPDNMF_SPREAD_SPREAD_HOLDER_H_

#include <memory>
#include <optional>
#include <vector>

#include <ppdnmf/nmf/part_holder.h>
#include <ppdnmf/spread/board.h>
#include <ppdnmf/spread/crew.h>
#include <ppdnmf/spread/share.h>

namespace ppdnmf::spread {

class SpreadColumns;

class SpreadHolder final : public nmf::Holder {
 public:
  // `columns` are `spread`. Losses with site effects, or for data with gaps, are not for it (checked).
  SpreadHolder(data::SharedColumns columns, const SpreadColumns& spread, Executor& executor,
               std::shared_ptr<const nmf::Loss> loss);
  SpreadHolder(const SpreadHolder&) = delete;
  SpreadHolder& operator=(const SpreadHolder&) = delete;
  SpreadHolder(SpreadHolder&&) = delete;
  SpreadHolder& operator=(SpreadHolder&&) = delete;
  ~SpreadHolder() override;

  void enter(data::SharedColumns columns) override;
  void begin(Index rank, double scale) override;
  [[nodiscard]] nmf::Moments answer(const nmf::DescentRequest& request) override;
  void take_memory(nmf::Moments&& answer) override { used_S_.swap(answer.S); }
  [[nodiscard]] nmf::BoundedMoments bounded_answer(const Matrix& X, const nmf::Bounds& bounds) override;
  [[nodiscard]] nmf::BoundedMoments bounded_answer_in(const Matrix& U, const Matrix& X,
                                                      const nmf::Bounds& bounds) override;
  [[nodiscard]] nmf::RoundedSecondMoments rounded_second_moments(int bits) override;
  [[nodiscard]] Matrix second_moments() const override;
  void settle(bool accepted) override;
  void take_gauge(std::vector<double> gauge) override;
  [[nodiscard]] std::unique_ptr<nmf::Holder> again() const override;
  [[nodiscard]] Matrix Y() const override;
  [[nodiscard]] bool in_range() const override { return in_range_; }
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;

 private:
  void make_board(Index rank);
  [[nodiscard]] nmf::Moments answer_there(const nmf::DescentRequest& request);
  [[nodiscard]] nmf::BoundedMoments bounded(const Matrix& X, const nmf::Bounds& bounds, const Matrix& basis);
  [[nodiscard]] std::vector<Bytes> ask(Bytes task) const;
  // One that has all coordinates and no work, to save or load them.
  [[nodiscard]] nmf::PartHolder keeper() const;

  Crew& crew_;
  std::uint64_t number_;
  std::vector<Share> shares_;
  std::vector<data::Branch> branches_;  // of all
  std::optional<Board> board_;          // if all processes are on one machine
  bool prepares_X_ = false;             // as parts have use for it
  Matrix used_S_;                       // of an answer that came back
  bool in_range_ = true;                // what was loaded last
};

}  // namespace ppdnmf::spread

#endif  // PPDNMF_SPREAD_SPREAD_HOLDER_H_
