// Sums that some runs open between the number of columns and the sum of the entries: what has to be known before an
// agent's columns are what enters the run. Most runs have none.
//
//   cap    three sums of 64 counts: how many columns of all agents together have a total in each bin (data/cap.h).
//          Everybody then scales its own columns down to the common cap. Nobody learns whose columns were counted, but
//          for what follows from its own counts and the totals.
//   rows   where entries may be missing, one sum of `rows` counts: how many columns of all agents have each row
//   drop   where rows may be dropped for all, one sum of `rows` words: which rows some agent wants to go, and neither
//          who nor how many
#ifndef PPDNMF_PROTOCOL_EARLY_SUMS_H_
#define PPDNMF_PROTOCOL_EARLY_SUMS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/cap.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/protocol/agent_config.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::protocol {

// How many such sums a run with these settings has, and the words of the longest.
[[nodiscard]] std::uint32_t early_sums(const RunSettings& settings);
[[nodiscard]] std::size_t early_words(const RunSettings& settings);

class EarlySums {
 public:
  // The config and the agent's secret outlive it; the config's columns change when everything is known.
  EarlySums(const AgentConfig& config, const Seed& secret);

  // This agent's part in the next sum, and the total of it; `columns`: everybody's, all together. Fails with kPeer, as
  // AgentConfig::capped does, and with kInvalidData if nobody has some row or too few are left.
  [[nodiscard]] Result<Words> part();
  [[nodiscard]] Status absorb(const Words& total, Index columns);

  // How many columns have each row, once it is known; empty where nothing may be missing.
  [[nodiscard]] const std::vector<double>& present() const { return present_; }
  // Rows that were dropped for all, once it is known; in rising order.
  [[nodiscard]] const std::vector<Index>& dropped() const { return dropped_; }

  // `load` goes into one made of the same config, whose columns are then as they were. Fails with kInvalidData.
  void save(ByteWriter& out) const;
  [[nodiscard]] Status load(ByteReader& in);
  // Whether so many of its sums can have been absorbed.
  [[nodiscard]] bool has_absorbed(std::uint32_t sums) const;

 private:
  enum class Kind : std::uint8_t { kCap, kRows, kDrop };
  [[nodiscard]] Kind next() const;
  [[nodiscard]] Status apply_cap();
  [[nodiscard]] Status take_present(std::span<const double> totals, Index columns);
  [[nodiscard]] Words wishes_to_drop() const;
  [[nodiscard]] Status take_wishes(const Words& total);
  [[nodiscard]] Status drop(std::vector<Index> rows);
  [[nodiscard]] Status load_present(ByteReader& in);
  [[nodiscard]] Status load_dropped(ByteReader& in);

  const AgentConfig& config_;
  const Seed& secret_;
  std::optional<data::CapSearch> cap_;
  data::SharedColumns entering_;  // before rows are dropped
  std::vector<double> present_;
  std::vector<Index> dropped_;
  bool drop_known_ = false;
  std::uint32_t absorbed_ = 0;
  std::vector<double> totals_;  // of the columns, while the cap is looked for
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_EARLY_SUMS_H_
