// The columns that several processes have together, as process 0 shows them to the rest of the program.
#ifndef PPDNMF_SPREAD_SPREAD_COLUMNS_H_
#define PPDNMF_SPREAD_SPREAD_COLUMNS_H_

#include <memory>
#include <vector>

#include <ppdnmf/nmf/far_columns.h>
#include <ppdnmf/spread/crew.h>
#include <ppdnmf/spread/share.h>

namespace ppdnmf::spread {

class SpreadColumns final : public nmf::FarColumns {
 public:
  // Those with this number, which all processes have; the crew outlives them.
  SpreadColumns(Crew& crew, Index rows, Index count, std::uint64_t number);
  SpreadColumns(const SpreadColumns&) = delete;
  SpreadColumns& operator=(const SpreadColumns&) = delete;
  SpreadColumns(SpreadColumns&&) = delete;
  SpreadColumns& operator=(SpreadColumns&&) = delete;
  ~SpreadColumns() override;

  [[nodiscard]] Crew& crew() const { return crew_; }
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] const std::vector<Share>& all_shares() const { return shares_; }

  // Dense, fetched from whoever has them.
  [[nodiscard]] data::Block lend(const data::Range& range, data::Scratch& scratch) const override;
  void restore_units(Matrix& Y) const override;

  [[nodiscard]] std::vector<double> far_sums(data::SumOf what) const override;
  [[nodiscard]] std::vector<std::vector<double>> far_row_totals() const override;
  [[nodiscard]] data::EntriesSeen far_look() const override;
  [[nodiscard]] std::vector<double> far_column_totals() const override;
  [[nodiscard]] Digest far_digest() const override;
  [[nodiscard]] data::SharedColumns far_unit(data::ColumnNorm norm) const override;
  [[nodiscard]] data::SharedColumns far_capped(double cap) const override;

  [[nodiscard]] std::unique_ptr<nmf::Holder> holder(data::SharedColumns self, Executor& executor,
                                                    std::shared_ptr<const nmf::Loss> loss) const override;
  [[nodiscard]] std::vector<nmf::LocalFit> far_best_fits(const Matrix& X, const Matrix& guess) const override;

 private:
  [[nodiscard]] std::vector<Bytes> ask(Bytes task) const;

  Crew& crew_;
  std::uint64_t number_;
  std::vector<Share> shares_;
};

}  // namespace ppdnmf::spread

#endif  // PPDNMF_SPREAD_SPREAD_COLUMNS_H_
