#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <ppdnmf/base/result.h>
#include <ppdnmf/experiment/figures.h>
#include <ppdnmf/report/report_words.h>

namespace ppdnmf::experiment {
namespace {

double difference(const Eigen::VectorXd& picture, const Eigen::VectorXd& original) {
  const double norm = original.norm();
  return norm > 0 ? (picture - original).norm() / norm : 0;
}

const Portrait* find(const std::vector<Portrait>& portraits, Kind kind) {
  const Portrait* found = nullptr;
  for (const Portrait& p : portraits) {
    if (p.variant.kind == kind && (found == nullptr || p.variant.n_max > found->variant.n_max)) found = &p;
  }
  PPDNMF_CHECK(found != nullptr);
  return found;
}

std::string two_lines(std::string label) {
  if (const std::size_t comma = label.find(", "); comma != std::string::npos) label.replace(comma, 2, "\n");
  return label;
}

// "as printed" above "10³".
std::string short_lines(const std::string& text) {
  if (text.starts_with("masked sums")) return "masked\nsums";
  std::string label = two_lines(text);
  for (const char* name : {"N_max = ", "product's ", " start"}) {
    if (const std::size_t at = label.find(name); at != std::string::npos) label.erase(at, std::string(name).size());
  }
  return label;
}

Exhibit faces_exhibit(const Matrix& Z, io::ImageShape shape, const std::vector<Portrait>& portraits) {
  const Eigen::VectorXd originals[] = {Z.col(0), Z.col(Z.cols() - 1)};
  const std::string names[] = {"#1", fmt::format("#{}", Z.cols())};
  Mosaic mosaic;
  mosaic.shape = shape;
  mosaic.columns = portraits.size() + 1;
  mosaic.column_labels = {"original"};
  for (const Portrait& p : portraits) mosaic.column_labels.push_back(short_lines(variant_label(p.variant)));
  for (int row = 0; row < 4; ++row) {
    const int face = row % 2;
    const std::string whose = row < 2 ? "its owner's X" : "another's X";
    mosaic.row_labels.push_back(fmt::format("{}, {}", names[face], whose));
    mosaic.cells.push_back({row < 2 ? fmt::format("{} original", names[face]) : "", originals[face]});
    for (const Portrait& p : portraits) {
      mosaic.cells.push_back(
          {fmt::format("{} {} {}", names[face], variant_name(p.variant), whose), p.outcome.pictures.col(row)});
    }
  }
  const auto error_of = [&](Kind kind, int first_row) {
    const Matrix& pictures = find(portraits, kind)->outcome.pictures;
    return (difference(pictures.col(first_row), originals[0]) + difference(pictures.col(first_row + 1), originals[1])) /
           2;
  };
  Exhibit e;
  e.name = "faces";
  e.title = "Two faces and their reconstructions";
  e.alt = "The first and the last image, original and as every algorithm reconstructs them";
  e.claim =
      fmt::format("The paper: the reconstructed faces {} and {} closely resemble the originals.", names[0], names[1]);
  e.found = fmt::format(
      "Found (trial 1): so they do with the owner's X, with mean relative error {} as printed, {} corrected and {} "
      "centralised; with the X of "
      "the agent that owns the other face the error is {} as printed, {} corrected, {} with the product's defaults, {} "
      "with "
      "masked sums.",
      report::short_number(error_of(Kind::kAsPrinted, 0)), report::short_number(error_of(Kind::kCorrected, 0)),
      report::short_number(error_of(Kind::kCentralised, 0)), report::short_number(error_of(Kind::kAsPrinted, 2)),
      report::short_number(error_of(Kind::kCorrected, 2)), report::short_number(error_of(Kind::kDefaults, 2)),
      report::short_number(error_of(Kind::kSum, 2)));
  draw(mosaic, e);
  return e;
}

Exhibit basis_exhibit(io::ImageShape shape, const std::vector<Portrait>& portraits) {
  constexpr Kind kShown[] = {Kind::kCentralised, Kind::kAsPrinted, Kind::kAsPrintedOnes,
                             Kind::kCorrected,   Kind::kDefaults,  Kind::kSum};
  const Index rank = portraits.front().outcome.basis.cols();
  const auto side = static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(rank))));
  Mosaic mosaic;
  mosaic.shape = shape;
  mosaic.columns = static_cast<std::size_t>(side) * std::size(kShown);
  mosaic.gap_every = static_cast<std::size_t>(side);
  for (const Kind kind : kShown)
    mosaic.column_labels.push_back(two_lines(variant_label(find(portraits, kind)->variant)));
  const Index rows = (rank + side - 1) / side;
  for (Index row = 0; row < rows; ++row) {
    for (const Kind kind : kShown) {
      const Portrait& p = *find(portraits, kind);
      for (Index column = 0; column < side; ++column) {
        const Index k = row * side + column;
        // White is zero and black the largest value, as in the report.
        Eigen::VectorXd pixels = Eigen::VectorXd::Ones(shape.height * shape.width);
        if (k < rank && p.outcome.basis.col(k).maxCoeff() > 0) {
          pixels -= p.outcome.basis.col(k) / p.outcome.basis.col(k).maxCoeff();
        }
        mosaic.cells.push_back({fmt::format("{} {}", variant_name(p.variant), k + 1), std::move(pixels)});
      }
    }
  }
  const auto spread = [&](Kind kind) {
    // Columns of one direction: the share of the basis that its first singular vector leaves over.
    const Matrix& X = find(portraits, kind)->outcome.basis;
    const Eigen::VectorXd mean = X.rowwise().mean().normalized();
    const double all = X.squaredNorm();
    return all > 0 ? std::sqrt(std::max(0.0, 1 - (X.transpose() * mean).squaredNorm() / all)) : 0;
  };
  Exhibit e;
  e.name = "basis";
  e.title = "The learned basis";
  e.alt = "The columns of the first agent's X as images";
  e.claim = "The paper: nonnegative factors are parts; the basis itself is not shown.";
  e.found = fmt::format(
      "Found (trial 1, the first agent's X, white is zero): the part of X that is not along its mean column is {} "
      "centralised, {} as printed, {} "
      "from the all-ones start, {} corrected, {} with the product's defaults and {} with masked sums.",
      report::percent(spread(Kind::kCentralised)), report::percent(spread(Kind::kAsPrinted)),
      report::percent(spread(Kind::kAsPrintedOnes)), report::percent(spread(Kind::kCorrected)),
      report::percent(spread(Kind::kDefaults)), report::percent(spread(Kind::kSum)));
  draw(mosaic, e);
  return e;
}

}  // namespace

std::vector<Exhibit> picture_exhibits(const Matrix& Z, io::ImageShape shape, const std::vector<Portrait>& portraits) {
  return {faces_exhibit(Z, shape, portraits), basis_exhibit(shape, portraits)};
}

}  // namespace ppdnmf::experiment
