#include <ppdnmf/audit/expectations.h>

#include <fmt/format.h>

#include <span>

namespace ppdnmf::audit {
namespace {

// Of the seeds, how many had all columns found to 1e-3, with so many columns.
struct FoundPoint {
  Index columns;
  double found;
};
constexpr FoundPoint kFoundHardened[] = {{1, 0.9}, {2, 0.2}, {3, 0}, {20, 0}};
constexpr FoundPoint kFoundSum[] = {{1, 1}, {2, 1}, {3, 1}, {5, 0.1}, {10, 0}, {40, 0}};

struct AucPoint {
  Index columns;
  double auc;
};
constexpr AucPoint kAucHardened[] = {{10, 0.82}, {40, 0.67}};
constexpr AucPoint kAucSum[] = {{10, 1.0}, {40, 0.75}, {100, 0.65}, {180, 0.63}};

// The last point at or below: an attack that works with more columns works with fewer.
template <typename Point>
const Point& at_or_below(std::span<const Point> points, Index columns) {
  const Point* found = &points.front();
  for (const Point& point : points) {
    if (point.columns <= columns) found = &point;
  }
  return *found;
}

}  // namespace

std::string expected_reconstruction(protocol::SchemeKind scheme, Index own, Index others) {
  if (scheme == protocol::SchemeKind::kAsPrinted)
    return "its factor is read exactly; with one column, the column itself";
  const bool sum = scheme == protocol::SchemeKind::kSum;
  const Index behind = sum ? others : own;
  const FoundPoint& point =
      at_or_below(sum ? std::span<const FoundPoint>(kFoundSum) : std::span<const FoundPoint>(kFoundHardened), behind);
  if (point.found == 0) return fmt::format("no column was found with {} or more", point.columns);
  return fmt::format("all columns were found in {:.0f} % of runs with {}", 100 * point.found, point.columns);
}

std::string expected_membership(protocol::SchemeKind scheme, Index behind) {
  if (scheme == protocol::SchemeKind::kAsPrinted) return "as above";
  const bool sum = scheme == protocol::SchemeKind::kSum;
  const AucPoint& point =
      at_or_below(sum ? std::span<const AucPoint>(kAucSum) : std::span<const AucPoint>(kAucHardened), behind);
  return fmt::format("AUC {:.2f} was reached with {} columns", point.auc, point.columns);
}

}  // namespace ppdnmf::audit
