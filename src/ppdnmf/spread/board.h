// Memory that all processes of one machine see, for what is as long as X: one holder's X, and what each branch of the
// tree over all leaves comes to. Nothing of that travels; messages say that it is there.
#ifndef PPDNMF_SPREAD_BOARD_H_
#define PPDNMF_SPREAD_BOARD_H_

#include <cstddef>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/executor.h>
#include <ppdnmf/host/common_memory.h>
#include <ppdnmf/nmf/moments.h>

namespace ppdnmf::spread {

class Board {
 public:
  struct Shape {
    Index rows = 0, rank = 0;
    std::size_t of_branch = 0;  // numbers
    std::size_t branches = 0;

    [[nodiscard]] std::size_t bytes() const;
  };
  // The memory has the shape's bytes (checked).
  Board(host::CommonMemory memory, const Shape& shape);

  // `prepared`: as Y steps want it, too.
  void put_X(const Matrix& from, bool prepared, Executor& executor);
  void get_X(Matrix& to, Executor& executor) const;
  struct Prepared {
    const double* grouped;
    Matrix gram;
  };
  [[nodiscard]] Prepared prepared() const;

  // A branch's S and T here, the rest, and where S and T are, in `out`. They are written out where they do not fit.
  void put(std::size_t branch, const nmf::Moments& moments, ByteWriter& out, Executor& executor);
  // The same of a branch, with S and T where they are. Those of the board stay as long as nobody puts others there.
  struct Lent {
    nmf::Moments rest;
    Index S_rows = 0, S_columns = 0, T_rows = 0, T_columns = 0;
    double* S = nullptr;  // nothing: they are in the rest
    double* T = nullptr;
  };
  [[nodiscard]] Lent get(std::size_t branch, ByteReader& in);

 private:
  // Where things begin.
  [[nodiscard]] double* X() const { return static_cast<double*>(memory_.data()); }
  [[nodiscard]] double* grouped() const;
  [[nodiscard]] double* gram() const;
  [[nodiscard]] double* branch(std::size_t number) const;

  host::CommonMemory memory_;
  Shape shape_;
};

// From one place to another, a part at a time.
void copy_in_parts(const double* from, std::size_t count, double* to, Executor& executor);

}  // namespace ppdnmf::spread

#endif  // PPDNMF_SPREAD_BOARD_H_
