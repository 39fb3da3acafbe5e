// What holds between organisations unless their members say something else.
#ifndef PPDNMF_CONSORTIUM_DEFAULTS_H_
#define PPDNMF_CONSORTIUM_DEFAULTS_H_

#include <cstdint>

#include <ppdnmf/base/result.h>
#include <ppdnmf/protocol/settings.h>

namespace ppdnmf::consortium {

// The settings of a new file from those that its author gave. Unless `trust_members` is among them the run is private:
// epsilon 4, delta 1e-6 or 1 / (10 columns), whichever is smaller, and columns of length one, where nothing else was
// given. The number of columns is rounded to one digit: what members say to each other is no count of data.
// Fails with kUsage if a private run is not told about how many columns there are, and on a scheme that cannot be
// private.
[[nodiscard]] Result<protocol::Settings> private_by_default(protocol::Settings given);

// 1 to 9 times a power of ten, the nearest; halves up. columns >= 1 (checked).
[[nodiscard]] std::int64_t one_digit(std::int64_t columns);

}  // namespace ppdnmf::consortium

#endif  // PPDNMF_CONSORTIUM_DEFAULTS_H_
