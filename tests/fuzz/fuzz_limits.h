// Small bounds, so that a file of a few bytes that rightly stands for a large sparse matrix stays cheap.
#ifndef PPDNMF_TESTS_FUZZ_FUZZ_LIMITS_H_
#define PPDNMF_TESTS_FUZZ_FUZZ_LIMITS_H_

#include <ppdnmf/io/limits.h>

namespace ppdnmf {

inline constexpr io::ReadLimits kFuzzLimits{.max_entries = 1U << 16U, .max_file_bytes = 1U << 20U};

// The same where sparse matrices stay so.
inline constexpr io::ReadLimits kSparseFuzzLimits{
    .max_entries = 1U << 16U, .max_file_bytes = 1U << 20U, .keep_sparse = true};

}  // namespace ppdnmf

#endif  // PPDNMF_TESTS_FUZZ_FUZZ_LIMITS_H_
