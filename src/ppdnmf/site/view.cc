// What a session shows: the status file, progress lines, names in sentences.
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/site/internal/today.h>
#include <ppdnmf/site/session.h>
#include <ppdnmf/site/status.h>

namespace ppdnmf::site {
namespace {

constexpr std::chrono::seconds kBetweenStatuses{1};

bool same(const ProgressLine& a, const ProgressLine& b) { return progress_line(a) == progress_line(b); }

}  // namespace

std::string with_names(const std::string& sentence, const std::vector<std::string>& names) {
  static constexpr std::string_view kWord = "agent ";
  std::string out;
  std::size_t at = 0;
  while (at < sentence.size()) {
    const std::size_t found = sentence.find(kWord, at);
    std::size_t end = found == std::string::npos ? sentence.size() : found + kWord.size();
    out.append(sentence, at, end - at);
    at = end;
    if (found == std::string::npos) break;
    while (end < sentence.size() && std::isdigit(static_cast<unsigned char>(sentence[end])) != 0) ++end;
    if (end == at || end - at > 6) continue;
    const std::size_t number = std::stoul(sentence.substr(at, end - at));
    const bool named = sentence.compare(end, 2, " (") == 0;
    out.append(sentence, at, end - at);
    if (number < names.size() && !named) out += " (" + names[number] + ")";
    at = end;
  }
  return out;
}

AgentPhase Session::phase() const {
  if (failed_) return AgentPhase::kFailed;
  if (impatient_) return AgentPhase::kGaveUp;
  if (participant_.done()) return AgentPhase::kEnded;
  if (participant_.leaving()) return AgentPhase::kEnding;
  if (participant_.connecting()) return AgentPhase::kConnecting;
  return participant_.agent()->iterating() || participant_.agent()->finished() ? AgentPhase::kIterating
                                                                               : AgentPhase::kOpening;
}

ProgressLine Session::progress() const {
  ProgressLine line;
  line.phase = phase();
  if (!log_.history().empty()) {
    const AgentOutcome::Iteration& last = log_.history().back();
    line.iterations = last.iteration;
    line.rounds = last.rounds;
    line.error = last.error;
    line.common = last.common;
    // A process that only serves others at the end has no agent, and nobody to tell it the data's scale.
    if (const protocol::Agent* agent = participant_.agent())
      line.loss = nmf::scaled_loss(log_.loss_kind(), last.loss, agent->data_scale().value_or(1));
    line.bytes = last.bytes;
  }
  line.closing = log_.closed();
  for (const auto& [id, since] : waited_since_) line.waiting_for.push_back(name(id));
  line.because = because_;
  return line;
}

AgentStatus Session::status() const {
  const ProgressLine line = progress();
  AgentStatus status;
  status.member = name(config_.self);
  status.digits = spoken(config_.consortium->digest());
  status.phase = line.phase;
  status.iterations = line.iterations;
  status.planned_iterations = config_.consortium->content().settings.iterations.value_or(0);
  status.rounds = line.rounds;
  status.error = line.error;
  status.common = line.common;
  for (const AgentId id : parts_.neighbours) {
    AgentStatus::Peer& peer = status.peers.emplace_back();
    peer.name = name(id);
    peer.connected = log_.connected(id);
    peer.since = log_.since(id);
    const auto waited = waited_since_.find(id);
    peer.waited_for = waited != waited_since_.end();
    if (peer.waited_for) peer.waited_since = waited->second;
  }
  status.problem = problem_;
  status.problem_at = problem_at_;
  status.because = because_;
  status.pid = ::getpid();
  status.restarts = static_cast<std::int64_t>(log_.restarts());
  status.began = today() - std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began_);
  status.written = today();
  return status;
}

// Everything at once when something changed that a person would want to know; else now and then.
void Session::show(bool at_once) {
  const auto waiting = participant_.waiting_for();
  std::erase_if(waited_since_, [&](const auto& entry) {
    return std::find(waiting.begin(), waiting.end(), entry.first) == waiting.end();
  });
  for (const AgentId id : waiting) waited_since_.try_emplace(id, today());
  const ProgressLine line = progress();
  // Whom it waits for changes with every message; only what lasts is worth a line.
  ProgressLine without = shown_;
  without.waiting_for = line.waiting_for;
  const bool news = !same(line, without);
  if (!at_once && !news && Clock::now() < next_status_) return;
  next_status_ = Clock::now() + kBetweenStatuses;
  shown_ = line;
  listener_.progress(line);
  const AgentStatus now = status();
  if (listener_.status) listener_.status(now);
  (void)write_status(config_.folder, now);  // a full disk is said where it matters
}

}  // namespace ppdnmf::site
