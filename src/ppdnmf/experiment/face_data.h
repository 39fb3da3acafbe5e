// Small images that look a little like faces, so that the experiment on faces can run and be tested without the real
// ones.
#ifndef PPDNMF_EXPERIMENT_FACE_DATA_H_
#define PPDNMF_EXPERIMENT_FACE_DATA_H_

#include <cstdint>

#include <ppdnmf/io/table.h>

namespace ppdnmf::experiment {

inline constexpr io::ImageShape kFaceShape{19, 19};

// `count` images of 19 x 19 pixels in [0, 1], one per column, stored column by column as ImageShape says: a head under
// light from one side, brows, eyes, nose and mouth, each a smooth part of random place, size and strength, and a little
// noise. Not faces of anybody. The same for the same seed.
[[nodiscard]] Matrix make_face_data(Index count, std::uint64_t seed);

}  // namespace ppdnmf::experiment

#endif  // PPDNMF_EXPERIMENT_FACE_DATA_H_
