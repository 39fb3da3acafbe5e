#include <ppdnmf/spread/crew.h>

#include <fmt/format.h>

#include <optional>
#include <utility>

#include <ppdnmf/spread/coding.h>

namespace ppdnmf::spread {
namespace {

tl::unexpected<Error> of_process(int process, Error problem) {
  if (process > 0) problem.message = fmt::format("{} (process {})", problem.message, process);
  return tl::unexpected(std::move(problem));
}

}  // namespace

Crew::Crew(Line& line, Executor& executor, const std::string& version, std::size_t threads)
    : line_(line), own_(0, line.at_work(), executor, version), version_(version) {
  TaskWriter task(Task::kThreads);
  task.put<std::uint64_t>(threads);
  put_list(task, line.at_work());
  line_.tell_all(task.take());
}

Crew::~Crew() { line_.tell_all(TaskWriter(Task::kEnd).take()); }

Status Crew::greet() {
  PPDNMF_TRY(const std::vector<Bytes> versions, try_all(TaskWriter(Task::kHello).take()));
  for (std::size_t process = 0; process < versions.size(); ++process) {
    ByteReader in(versions[process]);
    const std::string version = in.get_string();
    if (version == version_) continue;
    return error(ErrorCode::kUsage, "process {} is ppdnmf {} and process 0 is {}: start the same program everywhere",
                 process, version, version_);
  }
  return {};
}

void Crew::tell(Bytes task) {
  const std::lock_guard lock(one_at_a_time_);
  line_.tell_all(task);
  PPDNMF_CHECK(own_.carry_out(task).has_value());
}

// All are heard even if one of them failed: the next answer belongs to the next task.
Result<std::vector<Bytes>> Crew::hear_all(Result<Bytes> own) {
  std::vector<Bytes> out(static_cast<std::size_t>(processes()));
  std::optional<tl::unexpected<Error>> problem;
  const auto take = [&](int process, Result<Bytes> outcome) {
    if (outcome) {
      out[static_cast<std::size_t>(process)] = *std::move(outcome);
    } else if (!problem) {
      problem = of_process(process, std::move(outcome).error());
    }
  };
  take(0, std::move(own));
  for (int process = 1; process < processes(); ++process) take(process, decode_outcome(line_.hear(process)));
  if (problem) return *std::move(problem);
  return out;
}

Result<std::vector<Bytes>> Crew::try_all(Bytes task) {
  const std::lock_guard lock(one_at_a_time_);
  line_.tell_all(task);
  return hear_all(own_.carry_out(task));
}

Result<std::vector<Bytes>> Crew::try_each(const std::vector<Bytes>& tasks) {
  const std::lock_guard lock(one_at_a_time_);
  for (int process = 1; process < processes(); ++process) line_.tell(process, tasks[static_cast<std::size_t>(process)]);
  return hear_all(own_.carry_out(tasks.front()));
}

Result<Bytes> Crew::try_one(int process, Bytes task) {
  const std::lock_guard lock(one_at_a_time_);
  if (process == 0) return own_.carry_out(task);
  line_.tell(process, task);
  Result<Bytes> outcome = decode_outcome(line_.hear(process));
  if (!outcome) return of_process(process, std::move(outcome).error());
  return outcome;
}

std::vector<Bytes> Crew::all(Bytes task) {
  Result<std::vector<Bytes>> out = try_all(std::move(task));
  PPDNMF_CHECK(out.has_value());
  return *std::move(out);
}

std::vector<Bytes> Crew::each(const std::vector<Bytes>& tasks) {
  Result<std::vector<Bytes>> out = try_each(tasks);
  PPDNMF_CHECK(out.has_value());
  return *std::move(out);
}

std::vector<Bytes> Crew::ask(Bytes task, const std::vector<Share>& shares) {
  std::vector<Bytes> answers = all(std::move(task));
  std::vector<Bytes> out;
  for (std::size_t process = 0; process < answers.size(); ++process) {
    if (!shares[process].none()) out.push_back(std::move(answers[process]));
  }
  return out;
}

data::SharedColumns Crew::own_columns(std::uint64_t number) {
  const std::lock_guard lock(one_at_a_time_);
  return own_.columns(number);
}

Bytes Crew::one(int process, Bytes task) {
  Result<Bytes> out = try_one(process, std::move(task));
  PPDNMF_CHECK(out.has_value());
  return *std::move(out);
}

}  // namespace ppdnmf::spread
