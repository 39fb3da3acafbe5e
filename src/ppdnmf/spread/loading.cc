#include <ppdnmf/spread/loading.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include <ppdnmf/io/npy.h>
#include <ppdnmf/spread/coding.h>
#include <ppdnmf/spread/spread_columns.h>

namespace ppdnmf::spread {
namespace {

struct File {
  std::string name;
  std::vector<bool> seen_by;  // every process
  int reader = 0;             // who says what is in it
  Index rows = 0, columns = 0;
  std::vector<std::string> row_names, column_names;
};

// Every file once, in the order of the names, and of a pattern's in that of their numbers.
Result<std::vector<File>> find(Crew& crew, const std::vector<std::string>& names) {
  TaskWriter task(Task::kFind);
  put(task, names);
  PPDNMF_TRY(const std::vector<Bytes> answers, crew.try_all(task.take()));
  std::vector<std::map<std::string, std::vector<bool>>> found(names.size());
  for (std::size_t process = 0; process < answers.size(); ++process) {
    ByteReader in(answers[process]);
    for (auto& files : found) {
      for (const std::string& file : get_names(in)) {
        files.try_emplace(file, answers.size()).first->second[process] = true;
      }
    }
  }
  std::vector<File> out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (found[i].empty()) return error(ErrorCode::kFile, "{}: there is no such file or folder", names[i]);
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    for (auto& [name, seen_by] : found[i]) out.push_back({name, std::move(seen_by), 0, 0, 0, {}, {}});
    std::sort(out.begin() + first, out.end(),
              [](const File& a, const File& b) { return comes_before(a.name, b.name); });
  }
  return out;
}

// What is in the files: each is opened by one process that sees it, in turn.
Status open(Crew& crew, std::vector<File>& files) {
  const auto processes = static_cast<std::size_t>(crew.processes());
  std::vector<std::vector<std::string>> of_each(processes);
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::size_t reader = i % processes;
    while (!files[i].seen_by[reader]) reader = (reader + 1) % processes;
    files[i].reader = static_cast<int>(reader);
    of_each[reader].push_back(files[i].name);
  }
  std::vector<Bytes> tasks;
  for (const std::vector<std::string>& own : of_each) {
    TaskWriter task(Task::kOpen);
    put(task, own);
    tasks.push_back(task.take());
  }
  PPDNMF_TRY(const std::vector<Bytes> answers, crew.try_each(tasks));
  std::vector<ByteReader> in(answers.begin(), answers.end());
  for (File& file : files) {
    ByteReader& from = in[static_cast<std::size_t>(file.reader)];
    const data::Range shape = get_range(from);
    file.rows = shape.first;
    file.columns = shape.count;
    file.row_names = get_names(from);
    file.column_names = get_names(from);
  }
  return {};
}

Status check_rows(const std::vector<File>& files) {
  const File* named = nullptr;
  for (const File& file : files) {
    const File& first = files.front();
    if (file.rows != first.rows) {
      return error(ErrorCode::kInvalidData, "{} has {} rows and {} has {}; all files must describe the same rows",
                   first.name, first.rows, file.name, file.rows);
    }
    if (file.row_names.empty()) continue;
    if (named != nullptr && named->row_names != file.row_names) {
      return error(ErrorCode::kInvalidData,
                   "the rows of {} and {} have other names, or another order; all files must describe the same rows",
                   named->name, file.name);
    }
    named = &file;
  }
  return {};
}

// Pieces that a process reads by itself, and those that another one has to lend it.
struct Plan {
  std::vector<Piece> own;
  std::vector<std::pair<int, Piece>> lent;
};

std::vector<Plan> plan_for(const std::vector<File>& files, const std::vector<Share>& shares) {
  std::vector<Plan> plans(shares.size());
  std::uint64_t place = 0;
  for (std::size_t process = 0; process < shares.size(); ++process) {
    const data::Range& wanted = shares[process].columns;
    Index before = 0;
    for (const File& file : files) {
      const Index first = std::max(before, wanted.first);
      const Index end = std::min(before + file.columns, wanted.first + wanted.count);
      if (first < end) {
        const Piece piece{place++, file.name, {first - before, end - first}, file.columns, file.rows};
        const bool here = static_cast<int>(process) == file.reader || (file.seen_by[process] && io::is_npy(file.name));
        if (here) {
          plans[process].own.push_back(piece);
        } else {
          plans[process].lent.emplace_back(file.reader, piece);
        }
      }
      before += file.columns;
    }
  }
  return plans;
}

Status read(Crew& crew, const std::vector<Plan>& plans) {
  std::vector<Bytes> tasks;
  for (const Plan& plan : plans) {
    TaskWriter task(Task::kTake);
    task.put<std::uint64_t>(plan.own.size());
    for (const Piece& piece : plan.own) put(task, piece);
    tasks.push_back(task.take());
  }
  PPDNMF_TRY_STATUS(crew.try_each(tasks).map([](const auto&) {}));
  for (std::size_t process = 0; process < plans.size(); ++process) {
    for (const auto& [reader, piece] : plans[process].lent) {
      TaskWriter lend(Task::kLend);
      put(lend, piece);
      PPDNMF_TRY(const Bytes table, crew.try_one(reader, lend.take()));
      TaskWriter give(Task::kGive);
      put(give, piece);
      give.put_array(table.data(), table.size());
      PPDNMF_TRY_STATUS(crew.try_one(static_cast<int>(process), give.take()).map([](const auto&) {}));
    }
  }
  return {};
}

void take_names(std::vector<File>& files, Loaded& loaded) {
  const bool named =
      std::any_of(files.begin(), files.end(), [](const File& file) { return !file.column_names.empty(); });
  for (File& file : files) {
    if (!file.row_names.empty()) loaded.table.row_names = std::move(file.row_names);
    loaded.file_columns.push_back(file.columns);
    for (Index i = 0; named && i < file.columns; ++i) {
      loaded.table.column_names.push_back(file.column_names.empty() ? fmt::format("{}:{}", file.name, i + 1)
                                                                    : file.column_names[static_cast<std::size_t>(i)]);
    }
  }
}

}  // namespace

Result<Loaded> load(Crew& crew, const std::vector<std::string>& names, bool clip_negative) {
  PPDNMF_TRY(std::vector<File> files, find(crew, names));
  PPDNMF_TRY_STATUS(open(crew, files));
  PPDNMF_TRY_STATUS(check_rows(files));
  const Index rows = files.front().rows;
  Index count = 0;
  for (const File& file : files) count += file.columns;
  PPDNMF_TRY_STATUS(read(crew, plan_for(files, shares(rows, count, crew.at_work()))));
  TaskWriter task(Task::kJoin);
  task.put<std::int64_t>(rows);
  task.put<std::int64_t>(count);
  task.put<std::uint8_t>(clip_negative ? 1 : 0);
  PPDNMF_TRY(const std::vector<Bytes> answers, crew.try_all(task.take()));
  Loaded loaded;
  for (const Bytes& answer : answers) {
    ByteReader in(answer);
    for (std::string& note : get_names(in)) loaded.notes.push_back(std::move(note));
  }
  take_names(files, loaded);
  loaded.table.far = std::make_shared<SpreadColumns>(crew, rows, count, 0);
  return loaded;
}

}  // namespace ppdnmf::spread
