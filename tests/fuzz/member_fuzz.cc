// Bytes of a neighbour's, decoded and given to a participant in every phase of a run: no crash, one end, one answer to
// one question, nothing but introductions while it is not known whether its state is an old copy, and a state that can
// be loaded again. The bytes are events; what neighbours really say comes from a run that was written down, as it is
// or changed in places.
#include <algorithm>
#include <array>
#include <map>

#include "fuzz_choices.h"
#include "fuzz_members.h"

namespace {

using namespace ppdnmf;

constexpr protocol::SchemeKind kKinds[] = {protocol::SchemeKind::kHardened, protocol::SchemeKind::kAsPrinted,
                                           protocol::SchemeKind::kSum};

const std::vector<HeardBytes>& transcript(std::size_t kind) {
  static const std::array<std::vector<HeardBytes>, 3> all = {fuzz_transcript(kKinds[0]), fuzz_transcript(kKinds[1]),
                                                             fuzz_transcript(kKinds[2])};
  return all.at(kind);
}

// One member: its process, its disk, and what must hold of what it says.
class Site {
 public:
  explicit Site(std::size_t kind) : kind_(kKinds[kind]), participant_(fuzz_participant(1, kind_)) {
    step(member::Begun{});
  }

  void step(const member::MemberEvent& event) {
    const bool failed_before = failed_;
    const member::MemberStep step = participant_->step(event);
    PPDNMF_CHECK(!failed_before || step.empty());
    const auto* fail = step.end ? std::get_if<protocol::Fail>(&*step.end) : nullptr;
    PPDNMF_CHECK(fail == nullptr || (!fail->error.message.empty() && !step.state));
    failed_ = failed_ || fail != nullptr;
    if (step.state) save(step.state->span());
    for (const member::Post& post : step.posts) check(post);
    if (step.end && !failed_) this->step(member::Kept{});
  }

  void restart() {
    if (failed_ || disk_.empty()) return;
    participant_ = fuzz_participant(1, kind_);
    PPDNMF_CHECK(participant_->load(disk_, number_).has_value());
    silent_ = participant_->connecting();
    introduced_.clear();
    step(member::Begun{Digest{static_cast<std::uint8_t>(++processes_)}});
  }

  void met(AgentId peer) { step(member::Met{peer}); }

  void hear(AgentId from, ByteSpan bytes) {
    auto envelope = wire::decode(bytes);
    if (!envelope) return;
    if (std::holds_alternative<wire::Introduction>(*envelope)) introduced_.insert(from);
    if (std::holds_alternative<wire::Goodbye>(*envelope)) gone_.insert(from);
    step(member::Heard{from, *std::move(envelope)});
  }

  [[nodiscard]] bool failed() const { return failed_; }

 private:
  void save(ByteSpan state) {
    disk_.assign(state.begin(), state.end());
    participant_->saved(++number_);
  }

  void check(const member::Post& post) {
    PPDNMF_CHECK(post.to.value == 0 || post.to.value == 2);
    const wire::Envelope envelope = envelope_of(post, number_);
    PPDNMF_CHECK(*wire::decode(wire::encode(envelope)) == envelope);
    const auto* letter = std::get_if<wire::Letter>(&envelope);
    if (letter == nullptr) return;
    // Loaded, it says nothing of the run until both neighbours have said what they saw, or that they need nothing more.
    const auto heard_of = [this](std::uint32_t id) {
      return introduced_.contains(AgentId{id}) || gone_.contains(AgentId{id});
    };
    PPDNMF_CHECK(!silent_ || (heard_of(0) && heard_of(2)));
    if (const auto* reply = std::get_if<protocol::Reply>(&letter->message.body)) {
      const auto [found, fresh] = answers_.try_emplace({post.to.value, reply->round}, *reply);
      PPDNMF_CHECK(fresh || found->second == *reply);
    }
    if (const auto* part = std::get_if<protocol::Partial>(&letter->message.body)) {
      const auto [found, fresh] = parts_.try_emplace({letter->message.run, part->number}, *part);
      PPDNMF_CHECK(fresh || found->second == *part);
    }
  }

  protocol::SchemeKind kind_;
  std::unique_ptr<member::Participant> participant_;
  Bytes disk_;
  std::uint64_t number_ = 0;
  int processes_ = 0;
  bool failed_ = false;
  bool silent_ = false;
  std::set<AgentId> introduced_;  // since it was loaded
  std::set<AgentId> gone_;        // said goodbye, in any process
  std::map<std::pair<std::uint32_t, protocol::Round>, protocol::Reply> answers_;
  std::map<std::pair<RunId, std::uint32_t>, protocol::Partial> parts_;
};

Bytes changed(Bytes bytes, Choices& choices) {
  for (int n = choices.byte() % 4; n >= 0; --n) {
    const std::size_t at = choices.byte() + 256U * choices.byte();
    bytes[at % bytes.size()] = choices.byte();
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choices(data, size);
  const std::size_t kind = choices.byte() % 3U;
  const std::vector<HeardBytes>& real = transcript(kind);
  Site site(kind);
  std::size_t next = 0;
  for (int events = 0; !choices.empty() && events < 300 && !site.failed(); ++events) {
    const std::uint8_t what = choices.byte();
    const AgentId peer{what % 4U};
    switch (what / 32U) {
      case 0:  // as the run goes, a few messages of it
        for (int n = what % 32; n >= 0 && next < real.size() && !site.failed(); --n, ++next) {
          if (next < 2) site.met(real[next].from);
          site.hear(real[next].from, real[next].bytes);
        }
        break;
      case 1:  // one of them, changed, in its place or out of it
      case 2: {
        const HeardBytes& one = real[(next + (what >= 64 ? choices.byte() : 0U)) % real.size()];
        site.hear(one.from, changed(one.bytes, choices));
        break;
      }
      case 3:  // one of them at another moment
        site.hear(real[choices.byte() % real.size()].from, real[choices.byte() % real.size()].bytes);
        break;
      case 4:
        site.hear(peer, choices.bytes_left(choices.byte() * (what % 8U)));
        break;
      case 5:
        site.met(peer);
        break;
      case 6:
        site.restart();
        break;
      default:
        if ((what & 1U) != 0) site.step(protocol::Ticked{});
        if ((what & 2U) != 0) site.step(protocol::StopRequested{});
        if ((what & 4U) != 0) site.step(member::Kept{});
    }
  }
  return 0;
}
