// What the audit measures: an attack in one setting, over many seeds, against the best guess without it.
#ifndef PPDNMF_AUDIT_MODEL_MEASUREMENT_H_
#define PPDNMF_AUDIT_MODEL_MEASUREMENT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::audit {

// Thresholds were fixed before the numbers they judge were looked at.

// A column (or picture) is found when this part of it, or less, is wrong.
inline constexpr double kFound = 1e-3;
// An attack that reconstructs is no better than guessing if, on average over the seeds, its error is at least this part
// of the best guess's. The tenth is what knowing everybody's mean, which X tells anyway, gains over one's own mean.
inline constexpr double kNoBetterThanGuess = 0.9;
// Of things that are hit or missed (weights, answers, keys), so many may be hit by luck.
inline constexpr double kLuckyShare = 0.01;
// Members are told from strangers if a member has the higher score in more than three pairs of five.
inline constexpr double kTellsMembers = 0.6;
// No run tells more than its account says, but for rounding in this sum.
inline constexpr double kWholeAccount = 1 + 1e-9;
// A weight is poisoned if it ends at more than twice what it would have been.
inline constexpr double kPoisoned = 2;

// One seed's outcome.
struct Trial {
  double value = 0;
  double baseline = 0;
};

enum class Measure : std::uint8_t {
  kError,    // relative error of something reconstructed; smaller is worse for its owner
  kShare,    // of things found out; larger is worse
  kAuc,      // membership
  kPromise,  // membership as a private run's account bounds it: broken if the interval lies above the bound
  kAccount,  // what a run tells about one column, mu², over what its account says; the largest of all runs
  kRatio,    // of a weight to what it should be
  kCount,    // of columns read in a run: any is too many
};

// A row of the table.
struct AuditRow {
  std::string attack;    // "A8"
  std::string scheme;    // "as printed", "hardened", "sum", or what stands in for one
  std::string position;  // who attacks, where, and what stands behind what it sees
  std::string measure;   // what the numbers are
  Measure kind = Measure::kError;
  double value = 0;          // errors: the median over seeds; else the mean
  double low = 0, high = 0;  // 95 % confidence interval of the mean
  double baseline = 0;
  double threshold = 0;
  double found = 0;  // errors: the part of the seeds below kFound
  int seeds = 0;
  bool accepted = false;  // a real run would accept this setting
  bool broken = false;    // the value is beyond the threshold
  double columns = 0;     // behind what was seen, for curves; 0: not on a curve
  double epsilon = 0;     // of a private run; 0: not private
  double rho = 0;         // of one column, where the account bounds the value
  std::string curve;      // which one
};

// The largest AUC that the account allows any attacker (privacy/meaning.h); nothing where it says nothing.
[[nodiscard]] std::optional<double> bound_of(const AuditRow& row);

struct Measurement {
  AuditRow row;  // as far as it is known beforehand
  int seeds = 1;
  std::function<Result<Trial>(std::uint64_t seed)> trial;  // pure; may be called from any thread
};

// Called after each trial with how many are done and how many there are; from any thread, one at a time.
using AuditProgress = std::function<void(std::size_t done, std::size_t all)>;

// All trials on the executor's threads, then each measurement's row, in order. Seeds are first_seed, first_seed + 1,
// ... The same for any number of threads. Fails with the first failing trial's error, naming the attack.
[[nodiscard]] Result<std::vector<AuditRow>> measure(const std::vector<Measurement>& measurements,
                                                    std::uint64_t first_seed, Executor& executor,
                                                    const AuditProgress& progress);

// One measurement's row from its trials.
[[nodiscard]] AuditRow summarise(AuditRow row, const std::vector<Trial>& trials);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_MEASUREMENT_H_
