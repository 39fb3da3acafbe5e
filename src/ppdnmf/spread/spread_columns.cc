#include <ppdnmf/spread/spread_columns.h>

#include <algorithm>
#include <utility>

#include <ppdnmf/base/result.h>
#include <ppdnmf/spread/coding.h>
#include <ppdnmf/spread/spread_holder.h>

namespace ppdnmf::spread {
namespace {

// Where there is one process nothing has to be sent or put together.
class LonelyHolder final : public nmf::Holder {
 public:
  LonelyHolder(data::SharedColumns columns, const SpreadColumns& spread, Executor& executor,
               std::shared_ptr<const nmf::Loss> loss)
      : Holder(spread.crew().own_columns(spread.number()), executor, std::move(loss)), kept_(std::move(columns)) {}

  void enter(data::SharedColumns columns) override {
    const auto* const entering = dynamic_cast<const SpreadColumns*>(columns.get());
    PPDNMF_CHECK(entering != nullptr);
    Holder::enter(entering->crew().own_columns(entering->number()));
    kept_ = std::move(columns);
  }
  [[nodiscard]] std::unique_ptr<nmf::Holder> again() const override {
    return nmf::make_holder(kept_, executor(), loss());
  }

 private:
  data::SharedColumns kept_;  // as the rest of the program sees them
};

}  // namespace

SpreadColumns::SpreadColumns(Crew& crew, Index rows, Index count, std::uint64_t number)
    : FarColumns(rows, count), crew_(crew), number_(number), shares_(shares(rows, count, crew.at_work())) {}

SpreadColumns::~SpreadColumns() { crew_.tell(TaskWriter(Task::kDropColumns, number_).take()); }

std::vector<Bytes> SpreadColumns::ask(Bytes task) const { return crew_.ask(std::move(task), shares_); }

data::Block SpreadColumns::lend(const data::Range& range, data::Scratch& scratch) const {
  scratch.values.resize(static_cast<std::size_t>(rows() * range.count));
  double* to = scratch.values.data();
  for (std::size_t process = 0; process < shares_.size(); ++process) {
    const data::Range& own = shares_[process].columns;
    const Index first = std::max(own.first, range.first);
    const Index end = std::min(own.first + own.count, range.first + range.count);
    if (first >= end) continue;
    TaskWriter task(Task::kBlock, number_);
    put(task, data::Range{first - own.first, end - first});
    const Bytes answer = crew_.one(static_cast<int>(process), task.take());
    ByteReader in(answer);
    const Matrix block = get_matrix(in);
    to = std::copy_n(block.data(), block.size(), to);
  }
  data::Block block;
  block.rows = rows();
  block.count = range.count;
  block.values = scratch.values.data();
  return block;
}

void SpreadColumns::restore_units(Matrix& Y) const {
  for (std::size_t process = 0; process < shares_.size(); ++process) {
    const data::Range& own = shares_[process].columns;
    if (own.count == 0) continue;
    TaskWriter task(Task::kRestore, number_);
    put(task, Matrix(Y.middleCols(own.first, own.count)));
    const Bytes answer = crew_.one(static_cast<int>(process), task.take());
    ByteReader in(answer);
    Y.middleCols(own.first, own.count) = get_matrix(in);
  }
}

std::vector<double> SpreadColumns::far_sums(data::SumOf what) const {
  TaskWriter task(Task::kLeafSums, number_);
  task.put(static_cast<std::uint8_t>(what));
  return numbers_of(ask(task.take()));
}

std::vector<std::vector<double>> SpreadColumns::far_row_totals() const {
  std::vector<std::vector<double>> out;
  for (const Bytes& answer : ask(TaskWriter(Task::kRowTotals, number_).take())) {
    ByteReader in(answer);
    while (in.left() > 0) in.get_array(out.emplace_back(rows()).data(), static_cast<std::size_t>(rows()));
  }
  return out;
}

data::EntriesSeen SpreadColumns::far_look() const {
  data::EntriesSeen out;
  for (const Bytes& answer : ask(TaskWriter(Task::kLook, number_).take())) {
    ByteReader in(answer);
    const bool fit = in.get<std::uint8_t>() != 0;
    const bool finite = in.get<std::uint8_t>() != 0;
    out.fit = out.fit && fit;
    out.finite = out.finite && (fit || finite);
    out.largest = std::max(out.largest, in.get<double>());
  }
  return out;
}

std::vector<double> SpreadColumns::far_column_totals() const {
  return numbers_of(ask(TaskWriter(Task::kColumnTotals, number_).take()));
}

Digest SpreadColumns::far_digest() const {
  ByteWriter all;
  all.put_string("columns of several processes");
  all.put<std::int64_t>(rows());
  all.put<std::int64_t>(count());
  for (const Bytes& answer : ask(TaskWriter(Task::kDigest, number_).take())) {
    ByteReader in(answer);
    for (const Digest& digest : get_list<Digest>(in)) all.put_array(digest.data(), digest.size());
  }
  return sha256(all.take());
}

data::SharedColumns SpreadColumns::far_unit(data::ColumnNorm norm) const {
  const std::uint64_t changed = crew_.new_number();
  TaskWriter task(Task::kUnit, number_);
  task.put(static_cast<std::uint8_t>(norm));
  task.put(changed);
  static_cast<void>(ask(task.take()));
  return std::make_shared<SpreadColumns>(crew_, rows(), count(), changed);
}

data::SharedColumns SpreadColumns::far_capped(double cap) const {
  const std::uint64_t changed = crew_.new_number();
  TaskWriter task(Task::kCapped, number_);
  task.put(cap);
  task.put(changed);
  static_cast<void>(ask(task.take()));
  return std::make_shared<SpreadColumns>(crew_, rows(), count(), changed);
}

std::unique_ptr<nmf::Holder> SpreadColumns::holder(data::SharedColumns self, Executor& executor,
                                                   std::shared_ptr<const nmf::Loss> loss) const {
  if (crew_.processes() == 1) return std::make_unique<LonelyHolder>(std::move(self), *this, executor, std::move(loss));
  return std::make_unique<SpreadHolder>(std::move(self), *this, executor, std::move(loss));
}

std::vector<nmf::LocalFit> SpreadColumns::far_best_fits(const Matrix& X, const Matrix& guess) const {
  std::vector<Bytes> tasks;
  for (const Share& share : shares_) {
    TaskWriter task(Task::kBestFits, number_);
    put(task, X);
    put(task, guess.size() == 0 ? Matrix() : Matrix(guess.middleCols(share.columns.first, share.columns.count)));
    tasks.push_back(task.take());
  }
  std::vector<nmf::LocalFit> out;
  for (const Bytes& answer : crew_.each(tasks)) {
    ByteReader in(answer);
    while (in.left() > 0) {
      nmf::LocalFit& fit = out.emplace_back();
      fit.squared_error = in.get<double>();
      fit.squared_norm = in.get<double>();
    }
  }
  return out;
}

}  // namespace ppdnmf::spread
