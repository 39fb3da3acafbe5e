#include <ppdnmf/protocol/agent.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include <ppdnmf/base/parts.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/protocol/column_minimum.h>
#include <ppdnmf/protocol/noise_share.h>
#include <ppdnmf/protocol/roll_call.h>
#include <ppdnmf/protocol/schemes.h>

namespace ppdnmf::protocol {
namespace {

AgentConfig checked(AgentConfig config) {
  PPDNMF_CHECK(config.columns != nullptr && config.start && config.columns->rows() == config.settings.rows &&
               config.self.value < config.agents &&
               (!config.masks ||
                (config.masks->members->size() == config.agents && config.masks->nonces->size() == config.agents &&
                 (*config.masks->nonces)[config.self.value] == config.masks->ephemeral.public_bytes())) &&
               (!config.settings.drops_rows() || config.entering != nullptr));
  return config;
}

// What neighbours must have in common before they say anything else: the settings and the graph, and the list of
// everybody's nonces, if there is one.
Digest in_common(const AgentConfig& config) {
  if (!config.masks) return config.settings_digest;
  return run_digest(config.settings_digest, *config.masks->members, *config.masks->nonces);
}

template <typename T>
requires std::is_arithmetic_v<T> ByteSpan bytes_of(const T& number) {
  return {reinterpret_cast<const std::uint8_t*>(&number), sizeof number};
}
ByteSpan bytes_of(const Matrix& matrix) {
  return {reinterpret_cast<const std::uint8_t*>(matrix.data()),
          sizeof(double) * static_cast<std::size_t>(matrix.size())};
}

}  // namespace

Agent::Agent(AgentConfig config, Seed secret)
    : config_(checked(std::move(config))),
      secret_(std::move(secret)),
      scheme_(make_scheme(config_, secret_)),
      peers_(scheme_->peers()),
      greeting_(in_common(config_), config_.neighbours, peers_),
      sums_(config_.place, max_sum_bytes(config_.settings) / sizeof(Word)),
      early_(config_, secret_),
      chain_(config_.settings_digest),
      out_(config_.run) {}

Agent::~Agent() = default;

std::optional<double> Agent::data_scale() const {
  return opening_ ? std::optional<double>(opening_->scale) : std::nullopt;
}

std::vector<AgentId> Agent::waiting_for() const {
  if (greeting_.active()) return greeting_.waiting_for();
  if (sums_.waiting()) return sums_.waiting_for();
  return peers_ != nullptr ? peers_->waiting_for() : std::vector<AgentId>();
}

std::vector<Send> Agent::last_answers() const {
  Outbox out(config_.run);
  sums_.repeat_last(out);
  if (peers_ != nullptr) peers_->repeat_answers(out);
  return out.take().sends;
}

Step Agent::step(const Event& event) {
  if (phase_ != Phase::kFailed) std::visit([this](const auto& e) { on(e); }, event);
  const bool saves = out_.saves() && config_.steps_carry_state;
  Step step = out_.take();
  if (saves) {
    step.state = save_in(std::move(room_));
  }
  return step;
}

bool Agent::prepare() { return phase_ == Phase::kIterating && peers_ != nullptr && peers_->prepare(); }

// --- events -------------------------------------------------------------------------------------------------------

void Agent::on(const Started& event) {
  if (peers_ != nullptr) peers_->salt(event.salt);
  if (phase_ == Phase::kFinished) return out_.finish(because_);  // it may not have lived to say so
  if (phase_ != Phase::kNew) return resend_missing();
  phase_ = Phase::kGreeting;
  greeting_.begin(out_);
  advance();
}

void Agent::on(const Received& event) {
  if (phase_ == Phase::kNew || event.message.run != config_.run || !fits(event)) return;
  const AgentId from = event.from;
  const Body& body = event.message.body;
  if (const auto* hello = std::get_if<Hello>(&body)) {
    if (auto taken = greeting_.take(from, *hello, out_); !taken) fail(std::move(taken).error());
  }
  if (const auto* query = std::get_if<Query>(&body); query != nullptr && peers_ != nullptr) {
    if (auto taken = peers_->take(from, *query, out_); !taken) fail(std::move(taken).error());
  }
  if (const auto* reply = std::get_if<Reply>(&body); reply != nullptr && peers_ != nullptr) peers_->take(from, *reply);
  if (const auto* partial = std::get_if<Partial>(&body)) sums_.take(from, *partial, out_);
  if (const auto* total = std::get_if<Total>(&body)) sums_.take(from, *total);
  advance();
}

// Whether an honest agent can have sent so much; what cannot be is not kept. Sums look at their words themselves.
bool Agent::fits(const Received& event) {
  const bool neighbour = std::binary_search(config_.neighbours.begin(), config_.neighbours.end(), event.from);
  if (!neighbour) return false;
  const Body& body = event.message.body;
  if (std::holds_alternative<Partial>(body) || std::holds_alternative<Total>(body)) return true;
  const std::size_t size = std::visit([](const auto& content) { return content.payload.size(); }, body);
  const std::size_t max = peers_ != nullptr ? peers_->max_payload(body) : 0;
  if (size <= max) return true;
  out_.complain(event.from, fmt::format("it sent {} bytes where {} are the most", size, max));
  return false;
}

void Agent::on(const Ticked& /*event*/) { resend_missing(); }

void Agent::on(const StopRequested& /*event*/) { scheme_->request_stop(); }

void Agent::resend_missing() {
  greeting_.resend(out_);
  sums_.resend(out_);
  if (peers_ != nullptr) peers_->resend(out_);
}

void Agent::advance() {
  for (;;) {
    auto moved = advance_once();
    if (!moved) return fail(std::move(moved).error());
    if (!*moved) return;
    ++moves_;
  }
}

Result<bool> Agent::advance_once() {
  if (phase_ == Phase::kGreeting) {
    if (!greeting_.advance()) return false;
    phase_ = Phase::kOpening;
    PPDNMF_TRY_STATUS(agree_on_masks());
    PPDNMF_TRY_STATUS(begin_opening(0));
    return true;
  }
  if (phase_ != Phase::kOpening && phase_ != Phase::kIterating) return false;
  PPDNMF_TRY_STATUS(check_children());
  if (sums_.waiting()) {
    PPDNMF_TRY(const std::optional<TreeSum::Outcome> outcome, sums_.advance(out_));
    if (!outcome) return false;
    // The end is part of it: who was told of one adds up something else next.
    const std::uint64_t size = sizeof(Word) * outcome->total.size();
    const std::uint8_t stop = outcome->stop ? 1 : 0;
    bind({bytes_of(size), bytes_of(outcome->total), bytes_of(stop)});
    if (config_.settings.privacy) told_ = told_after(told_, outcome->total, outcome->stop);
    if (phase_ == Phase::kOpening) {
      PPDNMF_TRY_STATUS(end_opening(outcome->total));
    } else {
      PPDNMF_TRY_STATUS(carry_out(scheme_->absorb(from_words(outcome->total, executor()), outcome->stop, out_)));
    }
    return true;
  }
  if (peers_ == nullptr) return false;
  PPDNMF_TRY(std::optional<Ask> ask, peers_->advance(out_));
  if (!ask) return false;
  PPDNMF_TRY_STATUS(carry_out(*std::move(ask)));
  return true;
}

// A child that was told of another end is in another part of the run, and both would wait for ever. An honest one
// begins no sum before its question was answered here, and no iteration before it got the total from here.
Status Agent::check_children() const {
  if (peers_ == nullptr) return {};
  for (const AgentId child : config_.place.children) {
    const bool adds_up = peers_->misses_query_of(child) && sums_.has_next_part_of(child);
    const bool goes_on = sums_.waiting() && peers_->has_next_iteration_of(child);
    if (!adds_up && !goes_on) continue;
    return error(ErrorCode::kPeer,
                 "agent {} or a branch below it was told of another end of the run than this agent: somebody passes on "
                 "wrong totals, and nothing more is opened",
                 child.value);
  }
  return {};
}

// --- the opening --------------------------------------------------------------------------------------------------

Agent::OpeningSum Agent::opening_sum(std::uint32_t number) const {
  const std::uint32_t early = early_sums(config_.settings);
  if (number == 0) return OpeningSum::kColumns;
  if (number <= early) return OpeningSum::kEarly;
  return number == early + 1 ? OpeningSum::kEntries : OpeningSum::kNorm;
}

Status Agent::begin_opening(std::uint32_t number) {
  Words words;
  const OpeningSum sum = opening_sum(number);
  const bool exact = !config_.settings.privacy;  // what a private run opens carries noise: here, nothing
  if (sum == OpeningSum::kColumns && exact) {
    PPDNMF_TRY(words, to_words({{static_cast<double>(config_.columns->count())}}, config_.agents));
  }
  if (sum == OpeningSum::kEarly) {
    PPDNMF_TRY(words, early_.part());
  }
  if (sum == OpeningSum::kEntries && exact) words = to_wide_words(config_.columns->entry_sum());
  if (sum == OpeningSum::kNorm && exact) {
    PPDNMF_TRY(words, to_words({{config_.columns->squared_norm()}}, config_.agents));
  }
  begin_sum(std::move(words), false);
  return {};
}

Status Agent::end_opening(const Words& total) {
  if (opening_sum(sums_.number()) != OpeningSum::kNorm) {
    PPDNMF_TRY_STATUS(take_opening(total));
    return begin_opening(sums_.number() + 1);
  }
  if (!config_.settings.privacy) opening_->squared_norm = from_word(total.front());
  if (!(opening_->squared_norm > 0)) {
    return error(ErrorCode::kPeer, "the squared norm of all data comes to {:g}", opening_->squared_norm);
  }
  phase_ = Phase::kIterating;
  return carry_out(scheme_->begin(*opening_, out_));
}

Status Agent::take_opening(const Words& total) {
  const OpeningSum sum = opening_sum(sums_.number());
  if (sum == OpeningSum::kColumns) return take_columns(total);
  return sum == OpeningSum::kEarly ? early_.absorb(total, all_columns_) : take_entries(total);
}

// From here on the chain stands for this run of these members and no other.
Status Agent::agree_on_masks() {
  if (!config_.masks) return {};
  const SumSecrets& own = *config_.masks;
  chain_ = in_common(config_);
  Result<SumMasks> masks = SumMasks();
  config_.around_masks([&] { masks = SumMasks::agree(config_.self, own, *own.nonces, chain_); });
  PPDNMF_TRY(masks_, std::move(masks));
  return {};
}

Status Agent::take_columns(const Words& total) {
  const RunSettings& s = config_.settings;
  if (s.privacy) return {};  // nobody learns how many there are
  const double columns = from_word(total.front());
  // Whoever adds an absurd number would make everybody's scale absurd.
  const double least = static_cast<double>(config_.columns->count()) + config_.agents - 1;
  if (!(columns >= least && columns <= static_cast<double>(kMaxColumns) && std::floor(columns) == columns)) {
    return error(ErrorCode::kPeer,
                 "the agents' numbers of columns come to {:g}, where {:g} to {:g} can be: somebody sent what is not so",
                 columns, least, static_cast<double>(kMaxColumns));
  }
  if (columns < static_cast<double>(s.rank)) {
    return error(ErrorCode::kUsage, "rank {} is larger than the data allow: all agents together have {:.0f} columns",
                 s.rank, columns);
  }
  all_columns_ = static_cast<Index>(columns);
  return config_.accept_columns ? config_.accept_columns(all_columns_) : Status();
}

// Of the entries that are there.
double Agent::mean_of(double sum) const {
  const std::vector<double>& present = early_.present();
  if (present.empty()) return sum / static_cast<double>(all_columns_) / static_cast<double>(config_.settings.rows);
  return sum / std::accumulate(present.begin(), present.end(), 0.0);
}

std::vector<double> Agent::present_parts() const {
  std::vector<double> parts = early_.present();
  for (double& part : parts) part /= static_cast<double>(all_columns_);
  return parts;
}

Status Agent::take_entries(const Words& total) {
  const RunSettings& s = config_.settings;
  Opening opening;
  opening.agents = config_.agents;
  opening.columns = all_columns_;
  opening.dropped = early_.dropped();
  if (s.privacy) {  // columns of length one need no scale
    opening.squared_norm = 1;
  } else {
    const double sum = from_wide_words(total);
    if (!std::isfinite(sum)) return error(ErrorCode::kPeer, "the sum of all entries comes to {:g}", sum);
    if (sum <= 0) return error(ErrorCode::kInvalidData, "all entries are zero: there is nothing to factorise");
    const double mean = mean_of(sum);
    opening.scale = s.data_scale.value_or(ppdnmf::nmf::data_scale(mean));
  }
  opening.present = present_parts();
  opening_ = std::move(opening);
  config_.columns->begin(s.rank, opening_->scale);
  return {};
}

// --- iterating ----------------------------------------------------------------------------------------------------

Status Agent::carry_out(Result<Ask> asked) {
  PPDNMF_TRY(Ask ask, std::move(asked));
  if (auto* sum = std::get_if<SumOf>(&ask)) {
    if (sum->common != nullptr) bind({bytes_of(*sum->common)});
    // Two different sums never share their masks.
    const std::uint64_t size = sum->values.size();
    bind({bytes_of(size), bytes_of(sum->round)});
    scheme_->add_noise(sum->values, told_);
    PPDNMF_TRY(Words words, to_words(sum->values, config_.agents, executor()));
    begin_sum(std::move(words), sum->stop);
    return {};
  }
  if (std::holds_alternative<PeersAnswer>(ask)) return {};
  phase_ = Phase::kFinished;
  because_ = std::get<Ended>(ask).because;
  out_.save();
  out_.finish(because_);
  return {};
}

void Agent::begin_sum(Words words, bool stop) {
  if (masks_) config_.around_masks([&] { masks_->apply(words, chain_, executor()); });
  sums_.begin(std::move(words), chain_, stop);
}

// Totals are long: they are not copied on the way, and all threads work on them.
void Agent::bind(std::initializer_list<ByteSpan> common) {
  std::uint64_t size = 0;
  for (const ByteSpan part : common) size += part.size();
  Sha256 hash;
  hash.add(chain_);
  hash.add(bytes_of(size));
  for (const ByteSpan part : common) add_in_parts(hash, part, executor());
  chain_ = hash.finish();
}

void Agent::fail(Error error) {
  if (phase_ == Phase::kFinished || phase_ == Phase::kFailed) return;  // a run ends once
  const Reason reason = reason_of(error.code, place());
  phase_ = Phase::kFailed;
  out_.fail(std::move(error), reason);
}

// Where in the run it is, as everybody may know.
Reason Agent::place() const {
  if (phase_ == Phase::kGreeting) return Reason::kGreeting;
  if (phase_ == Phase::kIterating) return exchanging() ? Reason::kExchange : Reason::kTotal;
  if (config_.masks && !masks_) return Reason::kMasks;
  const OpeningSum sum = opening_sum(sums_.number());
  if (sum == OpeningSum::kColumns || sum == OpeningSum::kEarly) return Reason::kColumns;
  return sum == OpeningSum::kEntries ? Reason::kEntries : Reason::kNorm;
}

}  // namespace ppdnmf::protocol
