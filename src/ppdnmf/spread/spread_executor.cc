#include <ppdnmf/spread/spread_executor.h>

#include <algorithm>
#include <vector>

#include <ppdnmf/spread/coding.h>

namespace ppdnmf::spread {
namespace {

// Below this many products per sweep the way costs more than it saves.
constexpr Index kWorthTheWay = Index{1} << 22;

}  // namespace

bool SpreadExecutor::descend_rows(const nmf::RowProblem& problem, Matrix& X) {
  const Index processes = crew_.processes();
  const Index pieces = (X.rows() + nmf::kRowsTogether - 1) / nmf::kRowsTogether;
  if (processes == 1 || crew_.one_machine() || pieces < 2 || X.rows() * X.cols() * X.cols() < kWorthTheWay)
    return false;
  const auto begin = [&](Index process) {
    return std::min(X.rows(), pieces * process / processes * nmf::kRowsTogether);
  };
  std::vector<Bytes> tasks;
  for (Index process = 0; process < processes; ++process) {
    const Index first = begin(process);
    const Index count = begin(process + 1) - first;
    TaskWriter task(Task::kRows, 0, static_cast<std::size_t>(2 * count + X.cols()) * X.cols() * sizeof(double) + 256);
    put(task, problem.T);
    put(task, Matrix(problem.S.middleRows(first, count)));
    put(task, Matrix(X.middleRows(first, count)));
    task.put<std::int32_t>(problem.sweeps);
    task.put(problem.part);
    task.put<std::int64_t>(problem.held);
    tasks.push_back(task.take());
  }
  const std::vector<Bytes> answers = crew_.each(tasks);
  for (Index process = 0; process < processes; ++process) {
    ByteReader in(answers[static_cast<std::size_t>(process)]);
    X.middleRows(begin(process), begin(process + 1) - begin(process)) = get_matrix(in);
  }
  return true;
}

}  // namespace ppdnmf::spread
