// What a run would cost one organisation, and all of them together, from sizes alone: for whoever plans one that no
// machine of his can simulate.
#ifndef PPDNMF_RUN_SITE_ESTIMATE_H_
#define PPDNMF_RUN_SITE_ESTIMATE_H_

#include <cstdint>
#include <optional>
#include <string>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::run {

// Every organisation is as large as every other one. One alone factorises without a network.
struct SiteSize {
  Index rows = 0;
  Index columns = 0;                      // of one
  std::optional<std::uint64_t> nonzeros;  // of one, where these alone are kept; empty: dense
  Index rank = 0;
  std::uint32_t agents = 1;
  std::uint32_t processes = 1;  // of one, which share its columns
  int iterations = 50;
  std::size_t threads = 1;  // of one process
  bool mapped = false;      // the data stay in a file
};

// What joins them.
struct Network {
  std::string topology = "random:3";
  double latency_ms = 20;  // of a message between neighbours
  double megabits = 100;   // per second
};

struct SiteEstimate {
  // Of an iteration: what grows with the columns, and with X alone; the masks; the way up the tree and down again.
  double seconds_columns = 0;
  double seconds_common = 0;
  double seconds_masks = 0;
  double seconds_network = 0;
  double seconds_start = 0;  // masks are agreed upon
  int iterations = 0;

  // Of one process.
  std::uint64_t data_bytes = 0;
  std::uint64_t coordinate_bytes = 0;  // all that is as large as Y
  std::uint64_t factor_bytes = 0;      // all that is as large as X

  std::uint64_t result_bytes = 0;  // X and Y in files
  std::uint64_t state_bytes = 0;   // an agent's last two states
  std::uint64_t message_bytes = 0;
  std::uint32_t depth = 0;  // of the tree
  std::uint32_t agents = 1;

  [[nodiscard]] double seconds_iteration() const {
    return seconds_columns + seconds_common + seconds_masks + seconds_network;
  }
  [[nodiscard]] double seconds() const { return seconds_start + iterations * seconds_iteration(); }
  [[nodiscard]] std::uint64_t memory_bytes() const;
  [[nodiscard]] std::uint64_t disk_bytes() const { return result_bytes + state_bytes; }
  [[nodiscard]] std::uint64_t bytes_all() const;  // sent by all of them together
};

// Times an iteration of `sum` on two samples of columns, the X step and the masks on this machine, and multiplies.
// Fails with kUsage if the sizes are none of a matrix or too large for this machine to hold one X.
[[nodiscard]] Result<SiteEstimate> estimate_site(const SiteSize& size, const Network& network);

[[nodiscard]] std::string estimate_text(const SiteEstimate& estimate);
[[nodiscard]] std::string estimate_json(const SiteEstimate& estimate);

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_SITE_ESTIMATE_H_
