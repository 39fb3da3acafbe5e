// What everybody can see of an opening of second moments: whether columns can have led to it.
//
// Privacy holds whatever a member sends; the result does not. Whoever adds up last can choose the total that all get.
// These checks refuse what no columns and no noise can give; they do not see a total that was made to look like one.
#ifndef PPDNMF_PROTOCOL_OPENING_CHECKS_H_
#define PPDNMF_PROTOCOL_OPENING_CHECKS_H_

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::protocol {

struct OpeningFacts {
  double noise = 0;    // s: standard deviation on the diagonal when all agents add their shares, s / sqrt 2 off it
  double columns = 0;  // about as many as there are: `columns` of the settings
};

// `columns` is stated and rounded, never counted: a true number up to so many times larger is taken. There is no limit
// below: columns may be shorter than one (sums of one, several columns of one person, zeros).
inline constexpr double kColumnsAbout = 4;

// Fails with kPeer, in a sentence that depends on nothing but what is opened, if a number is not finite; if the trace
// is above kColumnsAbout times the number of columns, or below 0, by more than 6 standard deviations; if an entry is
// below -6 of its own, or a little more where there are many entries; or if an eigenvalue is below -s (sqrt(2 rows) +
// 6). An honest opening is refused with a probability below 1e-6: the smallest eigenvalue of the noise is above -s
// sqrt(2 rows) on average and s-Lipschitz in independent normal numbers. G is symmetric.
[[nodiscard]] Status check_opening(const Matrix& G, const OpeningFacts& facts);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_OPENING_CHECKS_H_
