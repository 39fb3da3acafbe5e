#include <ppdnmf/run/exposures.h>

#include <utility>

namespace ppdnmf::run {

void work_out_exposures(const nmf::ExposureOptions& options, nmf::LossKind loss, std::uint64_t seed,
                        const io::Table& data, Executor& executor, NetworkFactors& factors, report::RunRecord& record) {
  nmf::ColumnFits before;
  nmf::ColumnFits now;
  const Seed draws = Seed::from_number(seed);
  const auto take = [&](const Matrix& X, const data::Range& range, Matrix& Y) {
    nmf::Exposures exposures = nmf::work_out(loss, X, data.view(range), Y, options, draws, executor);
    before.add(exposures.before);
    now.add(exposures.now);
    return std::move(exposures.intervals);
  };
  if (factors.agents.empty()) {
    factors.intervals = take(factors.X, {0, data.columns()}, factors.Y);
  } else {
    if (options.intervals > 0) factors.intervals = {factors.Y, factors.Y};
    Index first = 0;
    for (AgentFactors& agent : factors.agents) {
      const Index count = agent.Y.cols();
      const nmf::Intervals own =
          take(agent.V.size() != 0 ? Matrix(agent.X + agent.V) : agent.X, {first, count}, agent.Y);
      factors.Y.middleCols(first, count) = agent.Y;
      if (options.intervals > 0) {
        factors.intervals.low.middleCols(first, count) = own.low;
        factors.intervals.high.middleCols(first, count) = own.high;
      }
      first += count;
    }
  }
  record.exposures = report::exposure_record(options, before, now);
  if (options.prune > 0) record.notes.push_back(report::pruning_note());
}

}  // namespace ppdnmf::run
