// What a page to watch knows of a run, and the lines in which a running program tells it.
//
// The page is served by a process of its own (page/server.h): whatever a stranger on this machine sends to its port,
// and whatever the library that reads it does, the run has neither its memory nor its descriptors in common with it.
// The two are joined by one pipe, in one direction.
#ifndef PPDNMF_PAGE_WATCHED_H_
#define PPDNMF_PAGE_WATCHED_H_

#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/base/result.h>

namespace ppdnmf::page {

// How a run stands at a moment. Numbers that are not known are NaN.
struct Snapshot {
  struct Peer {
    std::string name;
    std::string state;  // "connected", "not connected since ...", in an agent's launched run its phase
    bool well = true;
    bool waited_for = false;  // the run does not go on without it
  };
  std::string title;  // whose run it is
  std::string phase;  // in a word or two
  bool ended = false;
  std::int64_t iterations = 0, planned = 0, rounds = 0;
  double own = std::numeric_limits<double>::quiet_NaN();     // relative error on the owner's columns
  double common = std::numeric_limits<double>::quiet_NaN();  // on everybody's
  std::uint64_t bytes = 0;                                   // sent
  double seconds = 0;                                        // since the process began
  std::string problem;                                       // the last one, in a sentence; empty: none
  std::vector<Peer> peers;
};

// One line each, with its end, as JSON.
[[nodiscard]] std::string snapshot_line(const Snapshot& snapshot);
[[nodiscard]] std::string text_line(std::string_view sentence);  // a line of the log

inline constexpr std::size_t kMaxFeedLine = std::size_t{1} << 20U;

class Watched {
 public:
  struct Point {
    std::int64_t iteration = 0;
    double error = 0;
    double seconds = 0;
  };

  // A line of either kind, without its end. Fails with kInvalidData on anything else, which changes nothing.
  [[nodiscard]] Status take(std::string_view line);

  [[nodiscard]] const Snapshot& now() const { return now_; }
  // One for each iteration, the error that everybody knows or else the owner's; of long runs every second, fourth ...
  // one.
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  [[nodiscard]] const std::deque<std::string>& lines() const { return lines_; }  // the last ones
  // Of the iterations that are left, at the pace of those before; nothing is promised. NaN: nobody knows.
  [[nodiscard]] double seconds_left() const;

 private:
  void add_point();
  Snapshot now_;
  std::vector<Point> points_;
  std::int64_t stride_ = 1;
  std::deque<std::string> lines_;
};

}  // namespace ppdnmf::page

#endif  // PPDNMF_PAGE_WATCHED_H_
