#include <ppdnmf/experiment/face_data.h>

#include <algorithm>
#include <cmath>

#include <ppdnmf/base/random.h>

namespace ppdnmf::experiment {
namespace {

constexpr std::uint8_t kFaceStream = 'F';

// A soft ellipse around (row, column): 1 in the middle, 0.5 at the half axes.
struct Part {
  double row, column, half_height, half_width;
  [[nodiscard]] double at(Index r, Index c) const {
    const double y = (static_cast<double>(r) - row) / half_height;
    const double x = (static_cast<double>(c) - column) / half_width;
    return std::exp2(-(x * x + y * y));
  }
};

// The head alone has an edge.
double head_at(const Part& head, Index r, Index c) {
  const double y = (static_cast<double>(r) - head.row) / head.half_height;
  const double x = (static_cast<double>(c) - head.column) / head.half_width;
  return 1 / (1 + std::exp(8 * (x * x + y * y - 1)));
}

struct Face {
  Part head, left_eye, right_eye, left_brow, right_brow, nose, mouth, cheeks;
  double skin, background, eyes, brows, nose_light, mouth_dark, cheek_light;
  double light;  // from the left (negative) or from the right
};

Face draw_face(Stream& stream) {
  const auto around = [&](double middle, double spread) { return middle + spread * (2 * stream.uniform() - 1); };
  Face f{};
  const double middle = around(9, 0.6);
  const double eye_row = around(6.6, 0.6);
  const double eye_distance = around(4, 0.5);
  const double eye_height = around(1.2, 0.3);
  f.head = {around(9.2, 0.5), middle, around(10, 1), around(7.6, 0.9)};
  f.left_eye = {eye_row, middle - eye_distance, eye_height, around(1.8, 0.3)};
  f.right_eye = {eye_row, middle + eye_distance, eye_height, around(1.8, 0.3)};
  f.left_brow = {eye_row - around(2.3, 0.4), middle - eye_distance, 0.7, 2.4};
  f.right_brow = {eye_row - around(2.3, 0.4), middle + eye_distance, 0.7, 2.4};
  f.nose = {around(10.2, 0.5), middle, around(2.6, 0.5), around(1.2, 0.2)};
  f.mouth = {around(14.2, 0.7), middle, around(1, 0.4), around(2.8, 0.8)};
  f.cheeks = {around(11.5, 0.6), middle, around(2.5, 0.5), around(6, 0.8)};
  f.skin = around(0.55, 0.2);
  f.background = around(0.25, 0.2);
  f.eyes = around(0.6, 0.25);
  f.brows = around(0.45, 0.35);
  f.nose_light = around(0.2, 0.15);
  f.mouth_dark = around(0.4, 0.25);
  f.cheek_light = around(0.12, 0.12);
  f.light = around(0, 0.6);
  return f;
}

double pixel(const Face& f, Index r, Index c) {
  const double across = (static_cast<double>(c) - f.head.column) / f.head.half_width;
  double skin = f.skin * (1 + f.light * across) + f.nose_light * f.nose.at(r, c) + f.cheek_light * f.cheeks.at(r, c);
  skin *= 1 - f.eyes * std::max(f.left_eye.at(r, c), f.right_eye.at(r, c));
  skin *= 1 - f.brows * std::max(f.left_brow.at(r, c), f.right_brow.at(r, c));
  skin *= 1 - f.mouth_dark * f.mouth.at(r, c);
  const double inside = head_at(f.head, r, c);
  return inside * skin + (1 - inside) * f.background;
}

}  // namespace

Matrix make_face_data(Index count, std::uint64_t seed) {
  constexpr double kNoise = 0.01;
  Stream stream(Seed::from_number(seed), kFaceStream);
  Matrix Z(kFaceShape.height * kFaceShape.width, count);
  for (Index face = 0; face < count; ++face) {
    const Face f = draw_face(stream);
    for (Index c = 0; c < kFaceShape.width; ++c) {
      for (Index r = 0; r < kFaceShape.height; ++r) {
        Z(c * kFaceShape.height + r, face) = std::clamp(pixel(f, r, c) + kNoise * stream.normal(), 0.0, 1.0);
      }
    }
  }
  return Z;
}

}  // namespace ppdnmf::experiment
