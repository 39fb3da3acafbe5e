#include <ppdnmf/spread/spread_holder.h>

#include <algorithm>
#include <functional>
#include <utility>

#include <ppdnmf/base/parts.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/spread/coding.h>
#include <ppdnmf/spread/spread_columns.h>

namespace ppdnmf::spread {
namespace {

std::size_t bytes_of(const Matrix& matrix) { return static_cast<std::size_t>(matrix.size()) * sizeof(double) + 64; }

}  // namespace

SpreadHolder::SpreadHolder(data::SharedColumns columns, const SpreadColumns& spread, Executor& executor,
                           std::shared_ptr<const nmf::Loss> loss)
    : Holder(std::move(columns), executor, std::move(loss)),
      crew_(spread.crew()),
      number_(crew_.new_number()),
      shares_(spread.all_shares()) {
  const nmf::LossOptions& options = this->loss()->options();
  PPDNMF_CHECK(options.site_effects == 0 && !options.missing);
  for (const Share& share : shares_) branches_.insert(branches_.end(), share.branches.begin(), share.branches.end());
  TaskWriter task(Task::kHolder, number_);
  task.put(spread.number());
  put(task, options);
  crew_.tell(task.take());
}

SpreadHolder::~SpreadHolder() { crew_.tell(TaskWriter(Task::kDropHolder, number_).take()); }

std::vector<Bytes> SpreadHolder::ask(Bytes task) const { return crew_.ask(std::move(task), shares_); }

void SpreadHolder::enter(data::SharedColumns columns) {
  const auto* const entering = dynamic_cast<const SpreadColumns*>(columns.get());
  PPDNMF_CHECK(entering != nullptr);
  TaskWriter task(Task::kEnter, number_);
  task.put(entering->number());
  Holder::enter(std::move(columns));
  crew_.tell(task.take());
}

// Where there is no such memory long numbers travel like all others.
void SpreadHolder::make_board(Index rank) {
  if (!crew_.one_machine()) return;
  Board::Shape shape{rows(), rank, loss()->words(rows(), rank) + static_cast<std::size_t>(rank * (rank + 1)),
                     branches_.size()};
  Result<host::CommonMemory> memory = host::CommonMemory::create(shape.bytes());
  if (!memory) return;
  std::vector<Bytes> tasks;
  std::size_t before = 0;
  for (const Share& share : shares_) {
    TaskWriter task(Task::kBoard, number_);
    task.put_string(memory->name());
    task.put<std::int64_t>(shape.rows);
    task.put<std::int64_t>(shape.rank);
    for (const std::size_t count : {shape.of_branch, shape.branches, before}) task.put<std::uint64_t>(count);
    tasks.push_back(task.take());
    before += share.branches.size();
  }
  bool there = true;
  for (const Bytes& answer : crew_.each(tasks)) there = there && (answer.empty() || answer.front() != 0);
  memory->forget_name();
  if (!there) return;
  board_.emplace(*std::move(memory), shape);
  prepares_X_ = loss()->kind() == nmf::LossKind::kSquares;
}

void SpreadHolder::begin(Index rank, double scale) {
  TaskWriter task(Task::kBegin, number_);
  task.put<std::int64_t>(rank);
  task.put(scale);
  begun(rank, scale, data::add_up(numbers_of(ask(task.take())), [](double& a, double b) { a += b; }));
  make_board(rank);
}

// Sums are added up where they are, a stretch of all of them at a time.
nmf::Moments SpreadHolder::answer_there(const nmf::DescentRequest& request) {
  board_->put_X(request.X, prepares_X_, executor());
  TaskWriter task(Task::kAnswerThere, number_);
  put(task, request, false);
  task.put<std::uint8_t>(prepares_X_ ? 1 : 0);
  prepares_X_ = false;
  std::vector<Board::Lent> parts;
  for (const Bytes& answer : ask(task.take())) {
    ByteReader in(answer);
    prepares_X_ = in.get<std::uint8_t>() != 0 || prepares_X_;
    while (in.left() > 0) parts.push_back(board_->get(parts.size(), in));
  }
  PPDNMF_CHECK(parts.size() == branches_.size());
  std::vector<nmf::Moments> rest;
  for (Board::Lent& part : parts) {
    nmf::Moments& one = rest.emplace_back(std::move(part.rest));
    if (part.T != nullptr) one.T = Eigen::Map<const Matrix>(part.T, part.T_rows, part.T_columns);
  }
  Matrix S = std::exchange(used_S_, {});
  const bool there = parts.front().S != nullptr;
  if (there) {
    S.resize(parts.front().S_rows, parts.front().S_columns);
    constexpr std::size_t kStretch = 4096;
    for_each_part(executor(), static_cast<std::size_t>(S.size()), kStretch,
                  [&](std::size_t, std::size_t first, std::size_t count) {
                    std::vector<double*> stretches;
                    stretches.reserve(parts.size());
                    for (const Board::Lent& part : parts) stretches.push_back(part.S + first);
                    const double* const sum = data::add_up_branches(
                        branches_, std::move(stretches),
                        [&](double* a, const double* b) { std::transform(a, a + count, b, a, std::plus<>()); });
                    std::copy_n(sum, count, S.data() + first);
                  });
  }
  nmf::Moments sum = data::add_up_branches(branches_, std::move(rest), [](auto& a, const auto& b) { a += b; });
  if (there) sum.S.swap(S);
  return sum;
}

nmf::Moments SpreadHolder::answer(const nmf::DescentRequest& request) {
  PPDNMF_CHECK(rank() > 0 && request.X.cols() == rank() && request.X.rows() == rows());
  in_range_ = true;
  if (board_) return answer_there(request);
  TaskWriter task(Task::kAnswer, number_, bytes_of(request.X));
  put(task, request);
  std::vector<nmf::Moments> parts;
  for (const Bytes& answer : ask(task.take())) {
    ByteReader in(answer);
    while (in.left() > 0) parts.push_back(get_moments(in));
  }
  PPDNMF_CHECK(parts.size() == branches_.size());
  for (nmf::Moments& part : parts) {
    if (!request.measure_only) break;
    part.S.resize(0, 0);  // nobody looks at them, and not every process makes any
    part.T.resize(0, 0);
  }
  return data::add_up_branches(branches_, std::move(parts), [](auto& a, const auto& b) { a += b; });
}

nmf::BoundedMoments SpreadHolder::bounded_answer(const Matrix& X, const nmf::Bounds& bounds) {
  return bounded(X, bounds, {});
}

nmf::BoundedMoments SpreadHolder::bounded_answer_in(const Matrix& U, const Matrix& X, const nmf::Bounds& bounds) {
  PPDNMF_CHECK(U.rows() == rows());
  return bounded(X, bounds, U);
}

nmf::BoundedMoments SpreadHolder::bounded(const Matrix& X, const nmf::Bounds& bounds, const Matrix& basis) {
  PPDNMF_CHECK(static_cast<double>(count()) * bounds.bound / bounds.unit < 0x1p52);
  in_range_ = true;
  TaskWriter task(Task::kBounded, number_, bytes_of(X) + bytes_of(basis));
  put(task, bounds);
  put(task, X);
  put(task, basis);
  std::vector<double> squared_errors;
  nmf::BoundedMoments sum;
  for (const Bytes& answer : ask(task.take())) {
    ByteReader in(answer);
    nmf::PartHolder::BoundedBranches part = get_bounded(in);
    squared_errors.insert(squared_errors.end(), part.squared_errors.begin(), part.squared_errors.end());
    if (sum.values.empty()) {
      sum = std::move(part.sum);
    } else {
      sum += part.sum;  // exact
    }
  }
  sum.squared_error = data::add_up_branches(branches_, std::move(squared_errors), [](double& a, double b) { a += b; });
  return sum;
}

nmf::RoundedSecondMoments SpreadHolder::rounded_second_moments(int bits) {
  PPDNMF_CHECK(static_cast<double>(count()) < std::ldexp(1, 53 - 2 * bits));
  TaskWriter task(Task::kRounded, number_);
  task.put<std::int32_t>(bits);
  nmf::RoundedSecondMoments sum;
  for (const Bytes& answer : ask(task.take())) {
    ByteReader in(answer);
    const std::vector<double> values = get_list<double>(in);
    sum.shortened += in.get<std::int64_t>();
    sum.values.resize(values.size());
    std::transform(values.begin(), values.end(), sum.values.begin(), sum.values.begin(), std::plus<>());  // exact
  }
  return sum;
}

// One process after the other, as one process goes from the first column to the last.
Matrix SpreadHolder::second_moments() const {
  Matrix G = Matrix::Zero(rows(), rows());
  for (std::size_t process = 0; process < shares_.size(); ++process) {
    if (shares_[process].none()) continue;
    TaskWriter task(Task::kSecond, number_, bytes_of(G));
    put(task, G);
    const Bytes answer = crew_.one(static_cast<int>(process), task.take());
    ByteReader in(answer);
    G = get_matrix(in);
  }
  G.triangularView<Eigen::StrictlyLower>() = G.transpose();
  return G;
}

void SpreadHolder::settle(bool accepted) {
  TaskWriter task(Task::kSettle, number_);
  task.put<std::uint8_t>(accepted ? 1 : 0);
  crew_.tell(task.take());
}

void SpreadHolder::take_gauge(std::vector<double> gauge) {
  TaskWriter task(Task::kGauge, number_);
  put_list(task, gauge);
  crew_.tell(task.take());
}

std::unique_ptr<nmf::Holder> SpreadHolder::again() const { return nmf::make_holder(columns(), executor(), loss()); }

Matrix SpreadHolder::Y() const {
  Matrix Y(rank(), count());
  Index first = 0;
  for (const Bytes& answer : ask(TaskWriter(Task::kY, number_).take())) {
    ByteReader in(answer);
    Matrix own = get_matrix(in);
    if (own.size() == 0) return own;
    Y.middleCols(first, own.cols()) = own;
    first += own.cols();
  }
  return Y;
}

nmf::PartHolder SpreadHolder::keeper() const { return {columns(), {}, {}, executor(), loss()}; }

void SpreadHolder::save(ByteWriter& out) const {
  nmf::PartHolder all = keeper();
  nmf::PartHolder::Coordinates together;
  Index first = 0;
  for (const Bytes& answer : ask(TaskWriter(Task::kGetState, number_).take())) {
    ByteReader in(answer);
    nmf::PartHolder::Coordinates own = get_coordinates(in);
    if (own.Y.size() == 0) break;  // nobody has begun
    if (first == 0) {
      together.Y.resize(rank(), count());
      together.before.resize(rank(), count());
      together.extrapolation = own.extrapolation;
      together.gauge = std::move(own.gauge);
      together.gauge_before = std::move(own.gauge_before);
    }
    together.Y.middleCols(first, own.Y.cols()) = own.Y;
    together.before.middleCols(first, own.Y.cols()) = own.before;
    first += own.Y.cols();
  }
  all.take_coordinates(std::move(together));
  all.save(out);
}

void SpreadHolder::load(ByteReader& in) {
  nmf::PartHolder all = keeper();
  static_cast<void>(all.begin_leaves(rank(), 1));
  all.load(in);
  in_range_ = all.in_range();
  nmf::PartHolder::Coordinates together = all.coordinates();
  const bool begun = together.Y.size() > 0;
  std::vector<Bytes> tasks;
  for (const Share& share : shares_) {
    const auto own = [&](const Matrix& Y) {
      return begun ? Matrix(Y.middleCols(share.columns.first, share.columns.count)) : Matrix();
    };
    TaskWriter task(Task::kPutState, number_);
    put(task, nmf::PartHolder::Coordinates{own(together.Y), own(together.before), together.extrapolation,
                                           together.gauge, together.gauge_before});
    tasks.push_back(task.take());
  }
  static_cast<void>(crew_.each(tasks));
}

}  // namespace ppdnmf::spread
