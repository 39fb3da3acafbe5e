// The pictures of a factor's columns, one function for each kind (report/show.h).
#ifndef PPDNMF_REPORT_REPORT_PICTURES_H_
#define PPDNMF_REPORT_REPORT_PICTURES_H_

#include <string>

#include <ppdnmf/report/report_parts.h>
#include <ppdnmf/report/show.h>

namespace ppdnmf::report {

inline constexpr Index kMaxPictures = 200;  // plots of components; more are too many to look at

// A factor with all that is known of its columns.
struct FactorView {
  const RunRecord& record;
  const Matrix& X;
  const ReportOptions& options;
};

// Components have no scale of their own: each is shown as shares of its sum. All zero stays zero.
[[nodiscard]] Eigen::VectorXd shares(const Matrix& X, Index k);
// Those of the component that this one was matched with; zeros if there is none.
[[nodiscard]] Eigen::VectorXd matched_shares(const FactorView& factor, Index k);

[[nodiscard]] std::string component_name(const RunRecord& record, Index k);  // plain text
[[nodiscard]] std::string row_name(const ReportOptions& options, Index row);
// What it was matched with, and how stable it is; HTML, empty if nothing is known.
[[nodiscard]] std::string component_facts(const RunRecord& record, Index k);
// Name and facts, as they stand above or below a picture; HTML.
[[nodiscard]] std::string component_caption(const RunRecord& record, Index k);

// Closes the element around the pictures, and says so if not all columns of X are `shown`.
void end_pictures(const FactorView& factor, Index shown, Section& section);

// Each adds its pictures to the section, one for each column of X.
void add_bars(const FactorView& factor, Section& section);
void add_images(const FactorView& factor, Section& section);
void add_signatures(const FactorView& factor, const Channels& channels, Section& section);
void add_curves(const FactorView& factor, const std::vector<double>& axis, Section& section);
void add_topics(const FactorView& factor, Section& section);

}  // namespace ppdnmf::report

#endif  // PPDNMF_REPORT_REPORT_PICTURES_H_
