#include <ppdnmf/audit/attacks/a16_steering.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <ppdnmf/audit/attacks/a14_rare_rows.h>
#include <ppdnmf/audit/attacks/a16_hardened.h>
#include <ppdnmf/audit/attacks/a9_private.h>
#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/private_totals.h>
#include <ppdnmf/audit/model/samples.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/totals.h>
#include <ppdnmf/nmf/descent.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/sum_scheme.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::audit {
namespace {

constexpr double kHeavy = 1e15;  // C: beside it all data are nothing, and a word can carry it

// What the descent will extrapolate by after this round (nmf/descent.cc), if every step is accepted.
double extrapolation_after(int round) {
  constexpr int kPlain = 4;
  return round >= kPlain ? std::min(1.0, 0.5 * std::pow(1.01, round)) : 0;
}

// The member's side of a run: follows its agent's totals, and says what to add to the agent's part.
class Steerer {
 public:
  Steerer(const protocol::RunSettings& settings, const Matrix& X0, Matrix own,
          std::function<std::unique_ptr<Questions>(const Matrix& scaled, Index others)> ask)
      : settings_(settings),
        own_(std::move(own)),
        ask_(std::move(ask)),
        descent_(options_of(settings), [X0](int) { return X0; }) {
    last_step_ = X0;
  }

  void heard(std::uint32_t number, ByteSpan payload) {
    if (number != heard_) return;  // told again
    ++heard_;
    const protocol::Words words = protocol::words_of(payload);
    if (number == 0) all_ = protocol::from_word(words.front());
    if (number == 1) take_scale(protocol::from_wide_words(words));
    if (number < protocol::kOpeningSums || descent_.measures_only() || descent_.done()) return;
    const nmf::DescentRequest request = descent_.request();
    const nmf::Moments mine = holder_->answer(request);
    protocol::Words left = words;
    const protocol::Words mine_added = added(number);
    for (std::size_t t = 0; t < left.size(); ++t) left[t] -= mine_added[t];
    nmf::Moments others = moments_from(protocol::from_words(left), settings_.rows, settings_.rank);
    others.S -= mine.S;
    others.T -= mine.T;
    requests_.push_back(request);
    questions_->answered(requests_, others);
    const Status absorbed = descent_.absorb(moments_from(protocol::from_words(words), settings_.rows, settings_.rank));
    PPDNMF_CHECK(absorbed.has_value());  // the run itself went on
    wish();
  }

  // To the words of this sum: T = C I, S = C X*, and an error that falls. Nothing outside of rounds.
  [[nodiscard]] protocol::Words added(std::uint32_t number) {
    constexpr double kError = 1e15;
    const int round = static_cast<int>(number) - static_cast<int>(protocol::kOpeningSums);
    nmf::Moments more{kHeavy * step_, Matrix(kHeavy * Matrix::Identity(settings_.rank, settings_.rank)),
                      kError / (1 + round)};
    const auto words = protocol::to_words(values_of(more), 1);
    PPDNMF_CHECK(words.has_value());
    return *words;
  }

  [[nodiscard]] std::vector<Vector> columns() const {
    return questions_ ? questions_->columns() : std::vector<Vector>();
  }

 private:
  static nmf::DescentOptions options_of(const protocol::RunSettings& s) {
    nmf::DescentOptions options;
    options.rounds = s.iterations;
    return options;
  }

  void take_scale(double sum) {
    const double scale = nmf::data_scale(sum / all_ / static_cast<double>(settings_.rows));
    holder_ = nmf::dense_holder(own_);
    holder_->begin(settings_.rank, scale);
    questions_ = ask_(own_ / scale, static_cast<Index>(all_) - own_.cols());
    wish();
  }

  // The step whose extrapolation is what is to be asked next.
  void wish() {
    const int round = static_cast<int>(requests_.size());
    const double b = extrapolation_after(round);
    const Matrix wanted = questions_->next(round + 1);
    last_step_ = round == 0 ? last_step_ : step_;
    step_ = round == 0 ? wanted : Matrix((wanted + b * last_step_) / (1 + b));
  }

  protocol::RunSettings settings_;
  Matrix own_;
  std::function<std::unique_ptr<Questions>(const Matrix&, Index)> ask_;
  nmf::Descent descent_;
  std::unique_ptr<nmf::Holder> holder_;
  std::unique_ptr<Questions> questions_;
  std::vector<nmf::DescentRequest> requests_;
  Matrix step_, last_step_;
  double all_ = 0;
  std::uint32_t heard_ = 0;
};

// What leaves the member: its agent's parts with the addition. What its agent is told, it hears.
Deviation steering(AgentId member, const protocol::RunSettings& settings, const std::shared_ptr<Steerer>& steerer) {
  return [=](AgentId from, AgentId to, const protocol::Message& message) {
    protocol::Message out = message;
    if (const auto* total = std::get_if<protocol::Total>(&out.body); total != nullptr && to == member)
      steerer->heard(total->number, total->payload);
    auto* part = std::get_if<protocol::Partial>(&out.body);
    if (part != nullptr && from == member && part->number >= protocol::kOpeningSums) {
      protocol::Words words = protocol::words_of(part->payload);
      if (words.size() == protocol::SumScheme::words(settings)) {
        const protocol::Words more = steerer->added(part->number);
        for (std::size_t t = 0; t < words.size(); ++t) words[t] += more[t];
        part->payload = protocol::to_bytes(words);
      }
    }
    return std::vector{out};
  };
}

}  // namespace

Result<Trial> steering_trial(const AuditSetup& setup, Steering how, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed);
  problem.masks = true;
  const AgentId member = places_in(problem.graph).leaf;
  const Matrix X0 = nmf::common_start(problem.settings.start, setup.rows, setup.rank, Seed::from_number(problem.seed));
  const auto ask = [&](const Matrix& own, Index others) {
    return how == Steering::kTrackers ? trackers(own, setup.rank, others) : half_space_tests(own, setup.rank);
  };
  const auto steerer = std::make_shared<Steerer>(problem.settings, X0, problem.Z[member.value], ask);
  problem.deviation = steering(member, problem.settings, steerer);
  PPDNMF_TRY(const Recording run, record(problem));
  const Matrix truth = run.others(member);
  std::set<Index> read;
  for (const Vector& column : steerer->columns()) {
    for (Index m = 0; m < truth.cols(); ++m) {
      if (shape_error(truth.col(m), column) < kFound) read.insert(m);
    }
  }
  return Trial{static_cast<double>(read.size()), 0};
}

namespace {

// The same in a private run, with one X* for all rounds. Parts there are S and the weighted upper triangle of T.
protocol::Words private_addition(const protocol::RunSettings& settings, const Matrix& wanted) {
  constexpr double kHeavyBesideNoise = 1e9;
  const nmf::Moments more{
      kHeavyBesideNoise * wanted,
      Matrix(kHeavyBesideNoise * settings.privacy->noise.t_weight * Matrix::Identity(settings.rank, settings.rank)), 0};
  std::vector<double> values = values_of(more);
  values.pop_back();  // no error is opened
  const auto words = protocol::to_words(values, 1);
  PPDNMF_CHECK(words.has_value());
  return *words;
}

Deviation private_steering(AgentId member, const protocol::Words& more) {
  return [=](AgentId from, AgentId /*to*/, const protocol::Message& message) {
    protocol::Message out = message;
    auto* part = std::get_if<protocol::Partial>(&out.body);
    if (part != nullptr && from == member && part->payload.size() == more.size() * sizeof(protocol::Word)) {
      protocol::Words words = protocol::words_of(part->payload);
      for (std::size_t t = 0; t < words.size(); ++t) words[t] += more[t];
      part->payload = protocol::to_bytes(words);
    }
    return std::vector{out};
  };
}

// The log of the likelihood ratio of everything opened, as membership_knowing_all has it, less what was added.
double steered_score(const AttackerView& view, const Matrix& known, const Matrix& candidate,
                     const protocol::Words& more) {
  const PrivateTotals totals = private_totals(view);
  const std::vector<double> added = protocol::from_words(more);
  const Eigen::Map<const Vector> each(added.data(), static_cast<Index>(added.size()));
  const auto rounds = static_cast<Index>(totals.requests.size());
  const Vector left = totals.others - each.replicate(rounds, 1) - bounded_parts(view, totals.requests, known);
  const Vector way = bounded_parts(view, totals.requests, candidate);
  return (left.dot(way) - way.squaredNorm() / 2) / (totals.deviation * totals.deviation);
}

}  // namespace

Result<Trial> private_steering_trial(const AuditSetup& setup, int runs, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed);
  const AgentId member = places_in(problem.graph).leaf;
  PPDNMF_CHECK(member.value > 1);
  const Matrix candidate = shapes_of(population_of(setup, seed, 1).rightCols(1));
  Matrix wanted = Matrix::Constant(setup.rows, setup.rank, 1 / std::sqrt(static_cast<double>(setup.rows)));
  wanted.col(0) = candidate;
  const protocol::Words more = private_addition(problem.settings, wanted);
  problem.deviation = private_steering(member, more);
  const Index last_of_one = problem.Z.counts[0] + problem.Z.counts[1];
  return with_and_without(std::move(problem), candidate, runs, seed, [&](const Recording& run, bool there) {
    Matrix known = run.others(member);
    if (there) {  // all but the candidate, which is the last of agent 1
      known << Matrix(known.leftCols(last_of_one)), Matrix(known.rightCols(known.cols() - last_of_one - 1)),
          Matrix::Zero(setup.rows, 1);
    }
    return steered_score(run.view(member), known, candidate, more);
  });
}

Result<Trial> steered_account_trial(const AuditSetup& setup, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed);
  const AgentId member = places_in(problem.graph).leaf;
  const Matrix candidate = shapes_of(population_of(setup, seed, 1).rightCols(1));
  Matrix wanted = Matrix::Constant(setup.rows, setup.rank, 1 / std::sqrt(static_cast<double>(setup.rows)));
  wanted.col(0) = candidate;
  problem.deviation = private_steering(member, private_addition(problem.settings, wanted));
  problem.Z = with_column(problem.Z, candidate);
  PPDNMF_TRY(const Recording run, record(problem));
  const AttackerView view = run.view(member);
  const PrivateTotals totals = private_totals(view);
  const double told = bounded_parts(view, totals.requests, candidate).norm() / totals.deviation;
  return Trial{told * told / (2 * account_of(setup)), 1};
}

namespace {

void add_steering(Plan& plan, Steering how, Index each, int full, int quick) {
  const AuditSetup s{kSum, "ring", 4, each, each, 12, 4, false, false};
  const bool trackers = how == Steering::kTrackers;
  AuditRow row = Plan::row(
      "A16", s, trackers ? "columns read in a run, trackers" : "columns read in a run, half-spaces", Measure::kCount);
  row.position = fmt::format("one member that deviates; the others have {} columns", 3 * each);
  row.curve = trackers ? "trackers" : "half-space tests";
  row.columns = static_cast<double>(3 * each);
  plan.add(row, plan.seeds(full, quick), [=](std::uint64_t seed) { return steering_trial(s, how, seed); });
}

void add_holding(Plan& plan, Index each, int full, int quick) {
  const AuditSetup s{kHardened, "ring", 4, each, each, 12, 4, false, false};
  AuditRow row = Plan::row("A16", s, "columns of which 8 of 12 entries are read in a run", Measure::kCount);
  row.position = fmt::format("one member that answers with an X of its choice; the others have {} columns", 3 * each);
  row.curve = "hardened, an X that is held";
  row.columns = static_cast<double>(3 * each);
  plan.add(row, plan.seeds(full, quick), [=](std::uint64_t seed) { return holding_trial(s, seed); });
  AuditRow steered = Plan::row("A16", s, "distance of the others' X from one that a member chose", Measure::kError);
  steered.position = row.position;
  plan.add(steered, plan.seeds(full, quick), [=](std::uint64_t seed) { return held_distance_trial(s, seed); });
}

void add_private_steering(Plan& plan, double epsilon, double noise, int full, int quick) {
  constexpr int kRuns = 10;
  const AuditSetup s{kSum, "ring", 3, 20, 20, 8, 1, false, false, epsilon, noise};
  AuditRow row = Plan::row("A16", s, "AUC, exact likelihood ratio, X is the column", Measure::kPromise);
  row.position = "steers, knows all columns but one and its own noise; 3 agents with 20 columns";
  row.curve = noise == 1 ? "steers and knows all but one column" : "";
  if (noise != 1) row.scheme = fmt::format("sum, epsilon {:g}, noise halved", epsilon);
  plan.add(row, plan.seeds(full, quick), [=](std::uint64_t seed) { return private_steering_trial(s, kRuns, seed); });
  AuditRow told = row;
  told.measure = "mu² of everything opened over the account's, the largest of all runs";
  told.kind = Measure::kAccount;
  told.curve.clear();
  told.rho = 0;
  plan.add(told, plan.seeds(2 * full, quick), [=](std::uint64_t seed) { return steered_account_trial(s, seed); });
}

}  // namespace

void plan_steering(Plan& plan) {
  add_steering(plan, Steering::kHalfSpaces, 35, 20, 2);
  add_steering(plan, Steering::kHalfSpaces, 335, 10, 0);
  add_steering(plan, Steering::kHalfSpaces, 3335, 3, 0);
  add_steering(plan, Steering::kTrackers, 35, 20, 2);
  add_steering(plan, Steering::kTrackers, 335, 10, 0);
  add_holding(plan, 35, 20, 2);
  add_holding(plan, 335, 5, 0);
  // 1,000 runs each, half of them with the column.
  for (const double epsilon : {1.0, 4.0, 8.0}) add_private_steering(plan, epsilon, 1, 50, 3);
  add_private_steering(plan, 8, 0.5, 10, 2);
}

}  // namespace ppdnmf::audit
