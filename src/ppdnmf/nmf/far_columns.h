// Columns that lie in several processes (data/far.h), for whoever factorises them.
#ifndef PPDNMF_NMF_FAR_COLUMNS_H_
#define PPDNMF_NMF_FAR_COLUMNS_H_

#include <memory>
#include <vector>

#include <ppdnmf/data/far.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/measures.h>

namespace ppdnmf::nmf {

class FarColumns : public data::FarColumns {
 public:
  using data::FarColumns::FarColumns;

  // A holder of these columns, which are `self`, whose work is done where they lie.
  [[nodiscard]] virtual std::unique_ptr<Holder> holder(data::SharedColumns self, Executor& executor,
                                                       std::shared_ptr<const Loss> loss) const = 0;
  // What best_fits says of all leaves, from left to right (nmf/measures.h).
  [[nodiscard]] virtual std::vector<LocalFit> far_best_fits(const Matrix& X, const Matrix& guess) const = 0;
};

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_FAR_COLUMNS_H_
