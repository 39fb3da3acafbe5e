// What data hold, gathered in one walk over their entries, and what is to be said of it.
#ifndef PPDNMF_IO_SURVEY_H_
#define PPDNMF_IO_SURVEY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/validate.h>

namespace ppdnmf::io {

class Survey {
 public:
  // `missing`: NaN is an entry that is not there.
  Survey(Index rows, Index columns, bool missing);

  // Entries column after column; zeros may be left out.
  void see(Index row, Index column, double value);
  // A whole column, faster.
  void see_column(Index column, const double* values);

  // Whether an entry has to be set to something else: a negative one, -0, a NaN that is not the usual one.
  [[nodiscard]] bool unclean() const { return unclean_; }
  [[nodiscard]] bool gaps() const { return !missing_in_row_.empty(); }
  // The notes. Fails as check_nonnegative does.
  [[nodiscard]] Result<std::vector<std::string>> judge(const TableNames& names, std::string_view name, bool clip) const;

 private:
  struct Findings {
    Index count = 0;
    Index row = 0;
    Index column = 0;
    double value = 0;

    void add(Index row, Index column, double value);
  };
  [[nodiscard]] std::vector<Index> zero_lines(const std::vector<std::uint64_t>& there,
                                              const std::vector<Index>& missing, Index length) const;

  bool missing_;
  Findings bad_, negative_;
  bool unclean_ = false;
  double largest_ = 0;
  std::vector<std::uint64_t> in_row_, in_column_;          // not zero: there is an entry above zero
  std::vector<Index> missing_in_row_, missing_in_column_;  // empty: nothing is missing
};

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_SURVEY_H_
