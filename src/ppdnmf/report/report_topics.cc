#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <ppdnmf/report/html.h>
#include <ppdnmf/report/report_pictures.h>
#include <ppdnmf/report/report_words.h>

namespace ppdnmf::report {
namespace {

constexpr Index kTopRows = 10;

// The rows with the largest shares, each with a bar as long as its share of the largest one's.
std::string top_rows(const FactorView& factor, Index k) {
  const Eigen::VectorXd share = shares(factor.X, k);
  std::vector<Index> order(static_cast<std::size_t>(factor.X.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  const Index count = std::min(kTopRows, factor.X.rows());
  std::partial_sort(order.begin(), order.begin() + count, order.end(),
                    [&](Index a, Index b) { return share[a] != share[b] ? share[a] > share[b] : a < b; });
  std::string out;
  const double largest = share[order.front()];
  for (Index i = 0; i < count; ++i) {
    const Index row = order[static_cast<std::size_t>(i)];
    if (!(share[row] > 0)) break;
    out += fmt::format(
        "<li><span class=\"bar\" style=\"width:{:.0f}%\"></span><span class=\"word\">{} <i>{}</i></span></li>\n",
        100 * share[row] / largest, escape_html(row_name(factor.options, row)), percent(share[row]));
  }
  return out.empty() ? "<p>all zero</p>\n" : "<ol>\n" + out + "</ol>\n";
}

}  // namespace

void add_topics(const FactorView& factor, Section& section) {
  section.html += fmt::format(
      "<p>The {} largest rows of each column of X, with their share of the column's sum.</p>\n<div class=\"topics\">\n",
      std::min(kTopRows, factor.X.rows()));
  for (Index k = 0; k < factor.X.cols(); ++k) {
    section.html += fmt::format("<div><p>{}</p>\n{}</div>\n", component_caption(factor.record, k), top_rows(factor, k));
  }
  section.html += "</div>\n";
}

}  // namespace ppdnmf::report
