#include <ppdnmf/protocol/rank_scheme.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/protocol/search_bytes.h>

namespace ppdnmf::protocol {
namespace {

constexpr const char* kRequest = "request";
constexpr std::uint8_t kResampling = 'r';  // names the seeds of resampled columns
constexpr double kFew = 0.002;             // nmf::LossOptions::few of starts under the Poisson loss

// Under the Poisson loss the starts of a search take columns to be made of few components: without that, components
// that differ in small parts only come out mixed, in ever other ways (docs/decisions/0039).
std::shared_ptr<const nmf::Loss> loss_of_starts(const std::shared_ptr<const nmf::Loss>& loss) {
  if (loss->kind() != nmf::LossKind::kPoisson) return loss;
  nmf::LossOptions options = loss->options();
  options.few = kFew;
  return nmf::loss_of(options);
}

// One of all starts of all ranks.
std::uint64_t name_of(Index rank, std::size_t start) {
  constexpr int kStartBits = 32;
  return (static_cast<std::uint64_t>(rank) << kStartBits) + start;
}

Digest digest_after(const Digest& before, std::span<const double> totals) {
  const auto* const first = reinterpret_cast<const std::uint8_t*>(totals.data());
  return sha256({before, {first, totals.size_bytes()}});
}

bool is_factor(const Matrix& X) { return X.allFinite() && (X.size() == 0 || X.minCoeff() >= 0); }

}  // namespace

RankScheme::RankScheme(const RunSettings& settings, const Seed& common, nmf::Holder& columns, CommonSteps* steps)
    : settings_(settings),
      common_(Seed::from_bytes(common.reveal_secret_bytes())),
      columns_(columns),
      loss_(columns.loss()),
      loss_of_starts_(loss_of_starts(loss_)),
      steps_(steps),
      X_(nmf::common_start(nmf::Start::kRandom, settings.rows, settings.least_rank, common)) {
  PPDNMF_CHECK(loss_->kind() == settings.loss && settings.searches());
}

std::size_t RankScheme::words(const RunSettings& s) {
  return static_cast<std::size_t>(s.starts) * loss_of(s)->words(s.rows, s.rank);
}

nmf::RankSearchShape RankScheme::shape() const {
  return {settings_.rows, static_cast<double>(opening_.columns), settings_.least_rank, settings_.rank};
}

bool RankScheme::measures() const {
  if (phase_ == Phase::kRows || phase_ == Phase::kMeasuring) return true;
  return std::all_of(starts_.begin(), starts_.end(),
                     [](const Start& start) { return start.descent->done() || start.descent->measures_only(); });
}

Result<Ask> RankScheme::begin(const Opening& opening, Outbox& /*out*/) {
  opening_ = opening;
  known_.scale = opening.scale;
  asked_ = true;
  if (loss_->wants_row_totals()) {
    phase_ = Phase::kRows;
    return SumOf{columns_.common().row_totals, stop_, nullptr};
  }
  PPDNMF_TRY_STATUS(begin_rank(settings_.least_rank));
  return ask();
}

// Every agent resamples its own columns, all starts at the same time.
void RankScheme::make_starts() {
  starts_.clear();
  starts_.resize(static_cast<std::size_t>(settings_.starts));
  nmf::DescentOptions options;
  options.rounds = settings_.iterations;
  options.tolerance = settings_.tolerance;
  columns_.executor().for_each(starts_.size(), [&](std::size_t r) {
    const std::uint64_t name = name_of(rank_, r);
    starts_[r].columns = columns_.resampled(common_.derive(kResampling, name), loss_of_starts_);
    starts_[r].columns->begin(rank_, opening_.scale);
    starts_[r].descent = std::make_unique<nmf::Descent>(
        options,
        [this, rank = rank_, name](int) {
          return nmf::common_start(nmf::Start::kRandom, settings_.rows, rank, common_, name);
        },
        loss_of_starts_, columns_.executor());
    if (!opening_.dropped.empty()) starts_[r].descent->clear_rows(opening_.dropped);
  });
}

// Of the last rank that was tried.
std::size_t RankScheme::take_best_X() {
  const nmf::RankRuns& runs = search_.tried.back();
  const auto best = std::min_element(runs.values.begin(), runs.values.end()) - runs.values.begin();
  X_ = runs.X[static_cast<std::size_t>(best)];
  return static_cast<std::size_t>(best);
}

Status RankScheme::begin_rank(Index rank) {
  phase_ = Phase::kSearching;
  rank_ = rank;
  make_starts();
  for (Start& start : starts_) PPDNMF_TRY_STATUS(start.descent->begin(known_));
  return {};
}

Ask RankScheme::ask() {
  std::vector<std::vector<double>> parts(starts_.size());
  columns_.executor().for_each(starts_.size(), [&](std::size_t r) {
    Start& start = starts_[r];
    if (start.descent->done()) return;
    const nmf::Moments moments = start.columns->answer(start.descent->request());
    start.answered = {moments.squared_error, start.columns->squared_norm(), moments.divergence};
    parts[r] = loss_->to_numbers(moments, start.descent->measures_only());
  });
  std::vector<double> values;
  Index columns = 0;
  asked_X_.resize(settings_.rows, rank_ * static_cast<Index>(starts_.size()));
  for (std::size_t r = 0; r < starts_.size(); ++r) {
    if (starts_[r].descent->done()) continue;
    values.insert(values.end(), parts[r].begin(), parts[r].end());
    asked_X_.middleCols(columns, rank_) = starts_[r].descent->request().X;
    columns += rank_;
  }
  asked_X_.conservativeResize(settings_.rows, columns);
  asked_ = true;
  return SumOf{std::move(values), stop_, &asked_X_};
}

Result<Ask> RankScheme::absorb(std::span<const double> totals, bool stop, Outbox& out) {
  if (phase_ == Phase::kRows) {
    known_.row_totals.assign(totals.begin(), totals.end());
    PPDNMF_TRY_STATUS(begin_rank(settings_.least_rank));
    return ask();  // who proposes to end says so again with the first round
  }
  if (phase_ == Phase::kMeasuring) return end(totals, out);
  if (!measures()) ++rounds_;
  asked_ = false;
  PPDNMF_TRY_STATUS(step(totals));
  const auto ended = [](const Start& start) { return start.descent->done(); };
  if (stop && !std::exchange(stopped_, true)) {
    for (Start& start : starts_) start.descent->stop(kRequest);
  }
  if (!std::all_of(starts_.begin(), starts_.end(), ended)) return ask();
  end_rank(out);
  if (stopped_ || nmf::enough_ranks(search_.tried, shape())) return choose();
  PPDNMF_TRY_STATUS(begin_rank(rank_ + 1));
  return ask();
}

// Every start takes its totals, or what another agent of this process made of the same ones.
Status RankScheme::step(std::span<const double> totals) {
  if (steps_ == nullptr) return absorb_each(totals);
  totals_ = digest_after(totals_, totals);
  bool computed = false;
  PPDNMF_TRY(const Bytes state, steps_->find_or_compute(totals_, [&]() -> Result<Bytes> {
    computed = true;
    PPDNMF_TRY_STATUS(absorb_each(totals));
    ByteWriter out;
    save_descents(out);
    return out.take();
  }));
  if (computed) return {};
  ByteReader in(state);
  load_descents(in);
  return in.status();
}

Status RankScheme::absorb_each(std::span<const double> totals) {
  std::vector<std::span<const double>> parts(starts_.size());
  for (std::size_t r = 0; r < starts_.size(); ++r) {
    const nmf::Descent& descent = *starts_[r].descent;
    if (descent.done()) continue;
    const std::size_t size =
        descent.measures_only() ? loss_->to_numbers({}, true).size() : loss_->words(settings_.rows, rank_);
    if (size > totals.size()) return error(ErrorCode::kPeer, "the sum over all agents is too short");
    parts[r] = totals.first(size);
    totals = totals.subspan(size);
  }
  std::vector<Status> taken(starts_.size());
  columns_.executor().for_each(starts_.size(), [&](std::size_t r) {
    nmf::Descent& descent = *starts_[r].descent;
    if (descent.done()) return;
    taken[r] = descent.absorb(loss_->from_numbers(parts[r], settings_.rows, rank_, descent.measures_only()));
  });
  for (const Status& status : taken) PPDNMF_TRY_STATUS(status);
  return {};
}

void RankScheme::end_rank(Outbox& out) {
  nmf::RankRuns runs{rank_, {}, {}};
  for (const Start& start : starts_) {
    runs.values.push_back(start.descent->free_value());
    runs.X.push_back(start.descent->X());
  }
  search_.tried.push_back(std::move(runs));
  const Start& start = starts_[take_best_X()];
  report(start.answered, {start.descent->squared_error(), opening_.squared_norm, start.descent->free_value()}, out);
}

// What follows from all that was tried, once for all agents of a process.
Result<nmf::RankChoice> RankScheme::chosen() {
  const auto compute = [&] { return nmf::choose_rank(search_.tried, shape(), columns_.executor()); };
  if (steps_ == nullptr) return compute();
  ByteWriter name;
  name.put_string("choice");
  name.put_array(totals_.data(), totals_.size());
  PPDNMF_TRY(const Bytes bytes, steps_->find_or_compute(sha256(name.take()), [&]() -> Result<Bytes> {
    ByteWriter out;
    put(compute(), out);
    return out.take();
  }));
  ByteReader in(bytes);
  nmf::RankChoice choice = get_choice(in, settings_.rows);
  PPDNMF_TRY_STATUS(in.status());
  return choice;
}

Result<Ask> RankScheme::choose() {
  PPDNMF_TRY(search_.choice, chosen());
  X_ = search_.choice->X;
  starts_.clear();
  own_ = columns_.again();
  own_->begin(X_.cols(), opening_.scale);
  phase_ = Phase::kMeasuring;
  asked_ = true;
  return SumOf{loss_->to_numbers(own_->answer(last_request()), true), stop_, &X_};
}

nmf::DescentRequest RankScheme::last_request() const {
  nmf::DescentRequest request;
  request.X = X_;
  request.restart = request.measure_only = request.thorough = true;
  return request;
}

Result<Ask> RankScheme::end(std::span<const double> totals, Outbox& out) {
  const nmf::Moments all = loss_->from_numbers(totals, settings_.rows, X_.cols(), true);
  asked_ = false;
  const double value = loss_->value(all, last_request(), known_);
  if (!(all.squared_error >= 0) || !(value >= 0) || !std::isfinite(value))
    return error(ErrorCode::kNumeric, "the error over all columns is {}", value);
  phase_ = Phase::kEnded;
  // The same request again gives the same answer, and this agent's part of it.
  const nmf::Moments own = own_->answer(last_request());
  report({own.squared_error, own_->squared_norm(), own.divergence},
         {all.squared_error, opening_.squared_norm, all.divergence}, out);
  if (!stopped_) return Ended{"rank"};
  return Ended{stop_ ? kRequest : "neighbour"};
}

// One iteration is a rank that was tried, and the last one is what was chosen.
void RankScheme::report(const nmf::LocalFit& own, const nmf::LocalFit& all, Outbox& out) const {
  const std::size_t number = search_.tried.size() + (phase_ == Phase::kEnded ? 1 : 0);
  out.report({static_cast<std::uint32_t>(number), rounds_, own, all, X_, false, settings_.loss});
}

void RankScheme::save_descents(ByteWriter& out) const {
  for (const Start& start : starts_) start.descent->save(out);
}

void RankScheme::load_descents(ByteReader& in) {
  for (Start& start : starts_) start.descent->load(in);
}

void RankScheme::save(ByteWriter& out) const {
  out.put(static_cast<std::uint8_t>(phase_));
  for (const bool flag : {stop_, stopped_, asked_}) out.put<std::uint8_t>(flag ? 1 : 0);
  out.put(rounds_);
  out.put_array(totals_.data(), totals_.size());
  if (phase_ == Phase::kNew || phase_ == Phase::kRows) return;
  if (loss_->wants_row_totals()) out.put_array(known_.row_totals.data(), known_.row_totals.size());
  out.put<std::int64_t>(rank_);
  put_tried(search_.tried, out);
  for (const Start& start : starts_) {
    for (const double number : {start.answered.squared_error, start.answered.squared_norm, start.answered.divergence})
      out.put(number);
    start.columns->save(out);
  }
  save_descents(out);
}

Status RankScheme::load(ByteReader& in, const std::optional<Opening>& opening) {
  phase_ = static_cast<Phase>(in.get<std::uint8_t>());
  for (bool* flag : {&stop_, &stopped_, &asked_}) *flag = in.get<std::uint8_t>() != 0;
  rounds_ = in.get<std::uint64_t>();
  in.get_array(totals_.data(), totals_.size());
  const auto damaged = [] { return error(ErrorCode::kInvalidData, "its search is damaged"); };
  if (in.failed() || phase_ > Phase::kEnded || (phase_ != Phase::kNew) != opening.has_value()) return damaged();
  if (opening) opening_ = *opening;
  known_.scale = opening_.scale;
  if (phase_ == Phase::kNew || phase_ == Phase::kRows) return {};
  if (loss_->wants_row_totals()) {
    known_.row_totals.resize(static_cast<std::size_t>(settings_.rows));
    in.get_array(known_.row_totals.data(), known_.row_totals.size());
  }
  rank_ = in.get<std::int64_t>();
  search_.tried = get_tried(in, settings_);
  const std::size_t tried = search_.tried.size();
  const bool searching = phase_ == Phase::kSearching;
  if (rank_ < settings_.least_rank || rank_ > settings_.rank ||
      tried != static_cast<std::uint64_t>(rank_ - settings_.least_rank) + (searching ? 0 : 1)) {
    return damaged();
  }
  if (searching) {
    PPDNMF_TRY_STATUS(begin_rank(rank_));
    for (Start& start : starts_) {
      for (double* number : {&start.answered.squared_error, &start.answered.squared_norm, &start.answered.divergence})
        *number = in.get<double>();
      start.columns->load(in);
    }
    load_descents(in);
  }
  if (in.failed() || !in_range()) return damaged();
  if (searching) {
    if (tried > 0) take_best_X();
    return {};
  }
  // What follows from all that was tried is not saved.
  const Phase phase = phase_;
  PPDNMF_TRY_STATUS(choose().map([](const Ask&) {}));
  phase_ = phase;
  asked_ = phase == Phase::kMeasuring;
  return {};
}

bool RankScheme::in_range() const {
  for (const nmf::RankRuns& runs : search_.tried) {
    for (const double value : runs.values) {
      if (!std::isfinite(value) || value < 0) return false;
    }
    if (!std::all_of(runs.X.begin(), runs.X.end(), is_factor)) return false;
  }
  for (const double total : known_.row_totals) {
    if (!std::isfinite(total) || total < 0) return false;
  }
  return std::all_of(starts_.begin(), starts_.end(), [](const Start& start) {
    return start.descent->in_range() && start.columns->in_range() && std::isfinite(start.answered.squared_error) &&
           std::isfinite(start.answered.squared_norm) && std::isfinite(start.answered.divergence);
  });
}

}  // namespace ppdnmf::protocol
