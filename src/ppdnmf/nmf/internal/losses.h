// The losses that there are, for loss_of.
#ifndef PPDNMF_NMF_INTERNAL_LOSSES_H_
#define PPDNMF_NMF_INTERNAL_LOSSES_H_

#include <memory>

#include <ppdnmf/nmf/loss.h>

namespace ppdnmf::nmf::internal {

[[nodiscard]] std::shared_ptr<const Loss> squares(const LossOptions& options);
[[nodiscard]] std::shared_ptr<const Loss> poisson(const LossOptions& options);

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_LOSSES_H_
