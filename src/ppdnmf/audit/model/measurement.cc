#include <ppdnmf/audit/model/measurement.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/privacy/meaning.h>

namespace ppdnmf::audit {
namespace {

void judge(AuditRow& row, double mean_ratio) {
  switch (row.kind) {
    case Measure::kError:
      row.threshold = kNoBetterThanGuess * row.baseline;
      row.broken = mean_ratio < kNoBetterThanGuess;
      return;
    case Measure::kShare:
      row.threshold = std::max(row.baseline, kLuckyShare);
      row.broken = row.value > row.threshold;
      return;
    case Measure::kAuc:
      row.threshold = kTellsMembers;
      row.broken = row.value > row.threshold || row.low > bound_of(row).value_or(1);
      return;
    case Measure::kPromise:
      row.threshold = bound_of(row).value_or(1);
      row.broken = row.low > row.threshold;
      return;
    case Measure::kAccount:
      row.threshold = kWholeAccount;
      row.broken = row.value > row.threshold;
      return;
    case Measure::kCount:
      row.threshold = kLuckyShare;
      row.broken = row.value > row.threshold;
      return;
    case Measure::kRatio:
      row.threshold = kPoisoned;
      row.broken = row.value > row.threshold;
      return;
  }
}

}  // namespace

std::optional<double> bound_of(const AuditRow& row) {
  return row.rho > 0 ? std::optional(privacy::largest_auc(row.rho)) : std::nullopt;
}

AuditRow summarise(AuditRow row, const std::vector<Trial>& trials) {
  std::vector<double> values;
  std::vector<double> baselines;
  double ratio = 0;
  int found = 0;
  for (const Trial& trial : trials) {
    values.push_back(trial.value);
    baselines.push_back(trial.baseline);
    ratio += trial.baseline > 0 ? trial.value / trial.baseline / static_cast<double>(trials.size()) : 0;
    found += trial.value < kFound ? 1 : 0;
  }
  const Estimate value = estimate(values);
  const Estimate baseline = estimate(baselines);
  const bool error = row.kind == Measure::kError;
  row.value = error ? value.median : value.mean;
  row.baseline = error ? baseline.median : baseline.mean;
  if (row.kind == Measure::kAccount) row.value = *std::max_element(values.begin(), values.end());
  row.low = value.low;
  row.high = value.high;
  row.found = error ? found / static_cast<double>(trials.size()) : 0;
  row.seeds = static_cast<int>(trials.size());
  judge(row, ratio);
  return row;
}

Result<std::vector<AuditRow>> measure(const std::vector<Measurement>& measurements, std::uint64_t first_seed,
                                      Executor& executor, const AuditProgress& progress) {
  struct Task {
    std::size_t measurement;
    std::size_t trial;
  };
  std::vector<Task> tasks;
  std::vector<std::vector<std::optional<Result<Trial>>>> outcomes(measurements.size());
  for (std::size_t m = 0; m < measurements.size(); ++m) {
    outcomes[m].resize(static_cast<std::size_t>(measurements[m].seeds));
    for (std::size_t k = 0; k < outcomes[m].size(); ++k) tasks.push_back({m, k});
  }
  std::mutex mutex;
  std::size_t done = 0;
  executor.for_each(tasks.size(), [&](std::size_t t) {
    const auto [m, k] = tasks[t];
    outcomes[m][k] = measurements[m].trial(first_seed + k);
    const std::lock_guard lock(mutex);
    ++done;
    if (progress) progress(done, tasks.size());
  });
  std::vector<AuditRow> rows;
  for (std::size_t m = 0; m < measurements.size(); ++m) {
    std::vector<Trial> trials;
    for (auto& outcome : outcomes[m]) {
      if (!*outcome) return at(measurements[m].row.attack, std::move(*outcome).error());
      trials.push_back(**outcome);
    }
    rows.push_back(summarise(measurements[m].row, trials));
  }
  return rows;
}

}  // namespace ppdnmf::audit
