#include "protocol/agent.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nmf/start.h"
#include "protocol/neighbour_iteration.h"

namespace ppdnmf {
namespace {

constexpr std::size_t kWordsOfANonce = sizeof(IdentityBytes) / sizeof(Word);

// The longest sum of a run, in words.
std::size_t most_words(const AgentConfig& config) {
  const RunSettings& s = config.settings;
  const std::size_t iterating =
      s.exchange == ExchangeKind::kSum ? SumIteration::words(s) : static_cast<std::size_t>(s.rows * s.rank);
  const std::size_t nonces = config.masks ? config.agents * kWordsOfANonce : 0;
  return std::max({iterating, nonces, 1 + kWideWords});
}

AgentConfig checked(AgentConfig config) {
  PPDNMF_CHECK(config.cipher != nullptr && config.columns != nullptr && config.start &&
               config.columns->rows() == config.settings.rows && config.self.value < config.agents &&
               (!config.masks || config.masks->members->size() == config.agents));
  return config;
}

ByteSpan bytes_of(const Matrix& matrix) {
  return {reinterpret_cast<const std::uint8_t*>(matrix.data()),
          sizeof(double) * static_cast<std::size_t>(matrix.size())};
}

}  // namespace

Agent::Agent(AgentConfig config, Seed secret)
    : config_(checked(std::move(config))),
      secret_(std::move(secret)),
      iteration_(make_iteration()),
      greeting_(config_.settings, config_.settings_digest, config_.neighbours,
                neighbour_iteration_ != nullptr ? neighbour_iteration_->announce_first() : std::vector<std::int64_t>(),
                *config_.cipher),
      sums_(config_.place, most_words(config_)),
      exchange_(config_.settings, config_.neighbours, secret_, *config_.cipher),
      chain_(config_.settings_digest),
      out_(config_.run) {}

Agent::~Agent() = default;

std::unique_ptr<Iteration> Agent::make_iteration() {
  if (config_.settings.exchange == ExchangeKind::kSum) {
    return std::make_unique<SumIteration>(config_.settings, config_.start, *config_.columns, config_.steps);
  }
  auto iteration = std::make_unique<NeighbourIteration>(config_.settings, config_.self, config_.neighbours, config_.start(0),
                                                        *config_.columns, secret_, config_.weight_table);
  neighbour_iteration_ = iteration.get();
  return iteration;
}

const LeftFactor& Agent::left() const {
  PPDNMF_CHECK(neighbour_iteration_ != nullptr);
  return neighbour_iteration_->left();
}

std::optional<double> Agent::data_scale() const {
  return opening_ ? std::optional<double>(opening_->scale) : std::nullopt;
}

std::vector<Action> Agent::step(const Event& event) {
  if (phase_ != Phase::kFailed) std::visit([this](const auto& e) { on(e); }, event);
  return out_.take();
}

bool Agent::prepare() { return phase_ == Phase::kIterating && exchange_.prepare(iteration_->next_round()); }

// --- events -------------------------------------------------------------------------------------------------------

void Agent::on(const Started& /*event*/) {
  if (phase_ != Phase::kNew) return resend_missing();
  phase_ = Phase::kGreeting;
  greeting_.begin(out_);
  advance();
}

void Agent::on(const Received& event) {
  if (phase_ == Phase::kNew || event.message.run != config_.run) return;
  const AgentId from = event.from;
  const Body& body = event.message.body;
  if (const auto* hello = std::get_if<Hello>(&body)) {
    if (auto taken = greeting_.take(from, *hello, out_); !taken) fail(std::move(taken).error());
  }
  if (const auto* query = std::get_if<Query>(&body)) exchange_.take(from, *query, out_);
  if (const auto* reply = std::get_if<Reply>(&body)) exchange_.take(from, *reply);
  if (const auto* partial = std::get_if<Partial>(&body)) sums_.take(from, *partial, out_);
  if (const auto* total = std::get_if<Total>(&body)) sums_.take(from, *total);
  advance();
}

void Agent::on(const Ticked& /*event*/) { resend_missing(); }

void Agent::on(const StopRequested& /*event*/) { iteration_->request_stop(); }

void Agent::resend_missing() {
  greeting_.resend(out_);
  sums_.resend(out_);
  exchange_.resend(out_);
}

void Agent::advance() {
  for (;;) {
    auto moved = advance_once();
    if (!moved) return fail(std::move(moved).error());
    if (!*moved) return;
  }
}

Result<bool> Agent::advance_once() {
  if (phase_ == Phase::kGreeting) {
    PPDNMF_TRY(const bool greeted, greeting_.advance(out_));
    if (!greeted) return false;
    phase_ = Phase::kOpening;
    PPDNMF_TRY_STATUS(begin_opening(kNonces));
    return true;
  }
  if (phase_ != Phase::kOpening && phase_ != Phase::kIterating) return false;
  if (sums_.waiting()) {
    PPDNMF_TRY(const std::optional<TreeSum::Outcome> outcome, sums_.advance(out_));
    if (!outcome) return false;
    bind(to_bytes(outcome->total));
    if (phase_ == Phase::kOpening) {
      PPDNMF_TRY_STATUS(end_opening(outcome->total));
    } else {
      PPDNMF_TRY_STATUS(carry_out(iteration_->absorb(from_words(outcome->total), outcome->stop, out_)));
    }
    return true;
  }
  PPDNMF_TRY(const std::optional<NeighbourSums> sums, exchange_.advance(out_));
  if (!sums) return false;
  PPDNMF_TRY_STATUS(carry_out(iteration_->absorb(*sums, out_)));
  return true;
}

// --- the opening --------------------------------------------------------------------------------------------------

Status Agent::begin_opening(std::uint32_t number) {
  Words words;
  if (number == kNonces && config_.masks) {
    // A list of everybody's nonces is the sum of lists that hold one's own only. Nothing of it is secret.
    words.resize(config_.agents * kWordsOfANonce);
    const Words own = words_of(config_.masks->ephemeral.public_bytes());
    std::copy(own.begin(), own.end(), words.begin() + static_cast<std::ptrdiff_t>(config_.self.value * own.size()));
  }
  if (number == kSizes) {
    PPDNMF_TRY(words, to_words({{static_cast<double>(config_.columns->count())}}, config_.agents));
    const Words sum = to_wide_words(config_.columns->entry_sum());
    words.insert(words.end(), sum.begin(), sum.end());
  }
  if (number == kNorm) {
    PPDNMF_TRY(words, to_words({{config_.columns->squared_norm()}}, config_.agents));
  }
  begin_sum(std::move(words), false);
  return {};
}

Status Agent::end_opening(const Words& total) {
  switch (sums_.number()) {
    case kNonces:
      nonces_ = to_bytes(total);
      PPDNMF_TRY_STATUS(agree_on_masks());
      return begin_opening(kSizes);
    case kSizes:
      PPDNMF_TRY_STATUS(take_sizes(total));
      return begin_opening(kNorm);
    default:
      break;
  }
  opening_->squared_norm = from_word(total.front());
  if (!(opening_->squared_norm > 0)) {
    return error(ErrorCode::kPeer, "the squared norm of all data comes to {:g}", opening_->squared_norm);
  }
  phase_ = Phase::kIterating;
  return carry_out(iteration_->begin(*opening_, out_));
}

// From here on the chain stands for this run of these members and no other.
Status Agent::agree_on_masks() {
  if (!config_.masks) return {};
  const SumSecrets& own = *config_.masks;
  std::vector<IdentityBytes> nonces(config_.agents);
  ByteWriter run;
  run.put_string("ppdnmf run 1");
  run.put_array(config_.settings_digest.data(), config_.settings_digest.size());
  for (std::size_t i = 0; i < nonces.size(); ++i) {
    std::copy_n(nonces_.begin() + static_cast<std::ptrdiff_t>(i * sizeof(IdentityBytes)), sizeof(IdentityBytes),
                nonces[i].begin());
    run.put_array((*own.members)[i].data(), (*own.members)[i].size());
    run.put_array(nonces[i].data(), nonces[i].size());
  }
  if (nonces[config_.self.value] != own.ephemeral.public_bytes()) {
    return error(ErrorCode::kPeer,
                 "this agent's own nonce came back changed: an agent on the way passes on a wrong list");
  }
  chain_ = sha256(run.take());
  Result<SumMasks> masks = SumMasks();
  config_.around_masks([&] { masks = SumMasks::agree(config_.self, own, nonces, chain_); });
  PPDNMF_TRY(masks_, std::move(masks));
  return {};
}

Status Agent::take_sizes(const Words& total) {
  const RunSettings& s = config_.settings;
  const double columns = from_word(total.front());
  const double sum = from_wide_words(std::span(total).subspan(1));
  if (!(columns >= config_.agents && columns < 0x1p53 && std::floor(columns) == columns && std::isfinite(sum))) {
    return error(ErrorCode::kPeer, "the agents' numbers of columns come to {:g}: somebody sent what cannot be",
                 columns);
  }
  if (sum <= 0) return error(ErrorCode::kInvalidData, "all entries are zero: there is nothing to factorise");
  if (columns < static_cast<double>(s.rank)) {
    return error(ErrorCode::kUsage, "rank {} is larger than the data allow: all agents together have {:.0f} columns",
                 s.rank, columns);
  }
  opening_.emplace();
  opening_->scale = s.data_scale.value_or(ppdnmf::data_scale(sum / columns / static_cast<double>(s.rows)));
  opening_->agents = config_.agents;
  opening_->first_weights = greeting_.first_weights();
  config_.columns->begin(s.rank, opening_->scale);
  return {};
}

// --- iterating ----------------------------------------------------------------------------------------------------

Status Agent::carry_out(Result<Ask> asked) {
  PPDNMF_TRY(Ask ask, std::move(asked));
  if (auto* sum = std::get_if<SumOf>(&ask)) {
    if (sum->common != nullptr) bind(bytes_of(*sum->common));
    PPDNMF_TRY(Words words, to_words(sum->values, config_.agents));
    begin_sum(std::move(words), sum->stop);
    return {};
  }
  if (auto* exchange = std::get_if<NeighboursOf>(&ask)) return exchange_.begin(std::move(*exchange), out_);
  phase_ = Phase::kFinished;
  out_.save();
  out_.add(Finish{std::get<Ended>(ask).because});
  return {};
}

void Agent::begin_sum(Words words, bool stop) {
  if (masks_) config_.around_masks([&] { masks_->apply(words, chain_); });
  sums_.begin(std::move(words), chain_, stop);
}

void Agent::bind(ByteSpan common) {
  ByteWriter out;
  out.put_array(chain_.data(), chain_.size());
  out.put_bytes(common);
  chain_ = sha256(out.take());
}

void Agent::fail(Error error) {
  if (phase_ == Phase::kFinished || phase_ == Phase::kFailed) return;  // a run ends once
  phase_ = Phase::kFailed;
  out_.add(Fail{std::move(error)});
}

}  // namespace ppdnmf
