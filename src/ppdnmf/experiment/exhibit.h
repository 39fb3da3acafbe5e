// One figure of an experiment with all that belongs to it, and the three shapes that figures have. Pure functions;
// whoever writes the files draws the plots.
#ifndef PPDNMF_EXPERIMENT_EXHIBIT_H_
#define PPDNMF_EXPERIMENT_EXHIBIT_H_

#include <string>
#include <vector>

#include <ppdnmf/experiment/summary.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/report/gnuplot.h>

namespace ppdnmf::experiment {

struct Exhibit {
  std::string name;   // of its files: name.png, name.svg, name.csv
  std::string title;  // plain text, as all that follows
  std::string alt;
  std::string claim;  // what the paper says, a sentence
  std::string found;  // what was found, a sentence
  report::Plot plot;
  std::string csv;
};

// How a curve looks: the same algorithm has the same look in every figure, and any two differ in dashes or marks, not
// only in colour.
struct Look {
  const char* colour = "#000000";
  int dash = 1;
  int mark = 0;  // 0: a thick line without marks
};
[[nodiscard]] Look look_of(const Variant& variant);

// Curves over an axis.
struct Chart {
  struct Point {
    double x = 0;
    Band y;
  };
  struct Curve {
    std::string label;
    Look look;
    std::vector<Point> points;  // those that are not numbers are left out
    bool mark_all = false;      // a mark at every point; else at ten places
  };
  std::string x_label, y_label;
  bool logarithmic_x = false;
  double least_y = 0;  // what is smaller is not shown; the axis is logarithmic
  std::vector<Curve> curves;
};
// Means are drawn; the numbers have the 10 % and the 90 % quantile beside them.
void draw(const Chart& chart, Exhibit& exhibit);

// Images in rows and columns. Values from 0 (black) to 1 (white); what is outside is cut off.
struct Mosaic {
  struct Cell {
    std::string name;  // for the numbers; empty: they stand there already
    Eigen::VectorXd pixels;
  };
  io::ImageShape shape;
  std::size_t columns = 1;
  std::vector<Cell> cells;                 // row by row
  std::vector<std::string> column_labels;  // centred above equal shares of the columns; may have two lines
  std::vector<std::string> row_labels;     // one for each row, or none
  std::size_t gap_every = 0;               // a wider gap after so many columns; 0: nowhere
};
void draw(const Mosaic& mosaic, Exhibit& exhibit);

struct Bars {
  struct Bar {
    std::string label;
    Band height;
  };
  std::string y_label;
  std::vector<Bar> bars;
};
void draw(const Bars& bars, Exhibit& exhibit);

}  // namespace ppdnmf::experiment

#endif  // PPDNMF_EXPERIMENT_EXHIBIT_H_
