// A private face beside what an attacker makes of it.
#ifndef PPDNMF_AUDIT_PICTURES_H_
#define PPDNMF_AUDIT_PICTURES_H_

#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::audit {

struct FacePicture {
  std::string label;  // which attack on which scheme
  io::ImageShape shape;
  Eigen::VectorXd pixels;  // from 0 (black) to 1 (white), column by column
  double error = 0;        // relative; of the private face itself 0
};

// The private face first, then the best guess, then what each attack claims. Images are made here and of nobody.
// `quick` leaves out the fit that takes longest.
[[nodiscard]] Result<std::vector<FacePicture>> face_pictures(std::uint64_t seed, bool quick);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_PICTURES_H_
