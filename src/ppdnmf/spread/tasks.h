// What process 0 tells the others to do: a word, then what belongs to it. Columns and holders have numbers that
// process 0 gives; those of the columns that were read are 0.
#ifndef PPDNMF_SPREAD_TASKS_H_
#define PPDNMF_SPREAD_TASKS_H_

#include <cstdint>

namespace ppdnmf::spread {

enum class Task : std::uint8_t {
  // Without an answer.
  kEnd,          // nothing follows
  kThreads,      // so many, 0: as many as this process would take by itself; which processes work on columns
  kDropColumns,  // columns
  kDropHolder,   // holder
  kHolder,       // holder, columns, loss: a new holder
  kEnter,        // holder, columns
  kSettle,       // holder, whether
  kGauge,        // holder, gauge

  // With one. Files:
  kHello,  // which program this is
  kFind,   // files and patterns: which of them there are
  kOpen,   // files: what is in them
  kTake,   // pieces of files, each with its place among all: reads them
  kLend,   // a file that is open, columns: a piece of it
  kGive,   // a place, a piece
  kJoin,   // the shape of all: the pieces become columns 0
  // Columns:
  kLeafSums,
  kRowTotals,
  kColumnTotals,
  kLook,
  kDigest,
  kUnit,      // columns, norm, the number of the new ones
  kCapped,    // columns, cap, the number of the new ones
  kBlock,     // columns, a range of the process's own: them, dense
  kRestore,   // columns, Y of the process's own: in units of the data
  kBestFits,  // columns, X, the process's part of the guess
  // X:
  kRows,  // a number of no meaning, T, S, X, sweeps, part, held: descends
  // Holders:
  kBegin,
  kBoard,  // holder, memory's name, shape, the process's first branch: whether it is there (spread/board.h)
  kAnswer,
  kAnswerThere,  // the same with X and long sums on the board
  kBounded,
  kRounded,
  kSecond,  // holder, a sum: with these columns' second moments
  kY,
  kGetState,
  kPutState,  // holder, coordinates of the process's own columns
};

[[nodiscard]] constexpr bool is_answered(Task task) { return task >= Task::kHello; }

}  // namespace ppdnmf::spread

#endif  // PPDNMF_SPREAD_TASKS_H_
