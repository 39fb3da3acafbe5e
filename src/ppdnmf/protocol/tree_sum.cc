#include <ppdnmf/protocol/tree_sum.h>

#include <algorithm>
#include <utility>

namespace ppdnmf::protocol {
namespace {

void put(ByteWriter& out, std::uint32_t number, bool stop, const Bytes& payload) {
  out.put(number);
  out.put<std::uint8_t>(stop ? 1 : 0);
  out.put_bytes(payload);
}

}  // namespace

TreeSum::TreeSum(TreePlace place, std::size_t max_words) : place_(std::move(place)), max_words_(max_words) {
  for (const AgentId id : place_.children) children_.push_back({id, {}, {}});
}

void TreeSum::begin(Words own, const Digest& chain, bool stop) {
  PPDNMF_CHECK(!waiting() && own.size() <= max_words_);
  state_ = State::kCollecting;
  number_ = next_number();
  length_ = own.size();
  own_ = std::move(own);
  sent_ = Partial{number_, stop, chain, {}};
  total_.reset();
  for (Child& child : children_) child.partial = std::exchange(child.early, std::nullopt);
}

Result<std::optional<TreeSum::Outcome>> TreeSum::advance(Outbox& out) {
  if (state_ == State::kCollecting) {
    if (!std::all_of(children_.begin(), children_.end(), [](const Child& c) { return c.partial.has_value(); })) {
      return std::nullopt;
    }
    PPDNMF_TRY_STATUS(add_children());
    if (!place_.parent) {
      Total total{number_, sent_.stop, to_bytes(own_)};
      return end(std::move(total), std::exchange(own_, {}), out);
    }
    sent_.payload = to_bytes(std::exchange(own_, {}));
    state_ = State::kSent;
    out.save();
    out.send(*place_.parent, sent_);
  }
  if (state_ != State::kSent || !total_) return std::nullopt;
  PPDNMF_TRY_STATUS(check_length(*place_.parent, total_->payload));
  Words words = words_of(total_->payload);
  return end(*std::exchange(total_, std::nullopt), std::move(words), out);
}

TreeSum::Outcome TreeSum::end(Total total, Words words, Outbox& out) {
  state_ = State::kIdle;
  last_ = std::move(total);
  sent_.payload.clear();
  out.save();  // children that have the total move on: it must not be forgotten
  for (const Child& child : children_) out.send(child.id, *last_);
  return {std::move(words), last_->stop};
}

// The sum of this branch in own_.
Status TreeSum::add_children() {
  for (const Child& child : children_) {
    if (child.partial->chain != sent_.chain) {
      return error(ErrorCode::kPeer,
                   "agent {} or a branch below it was given other totals than this agent: somebody passes on wrong "
                   "ones, and nothing more is opened",
                   child.id.value);
    }
    PPDNMF_TRY_STATUS(check_length(child.id, child.partial->payload));
    add_words(child.partial->payload, own_);
    sent_.stop = sent_.stop || child.partial->stop;
  }
  return {};
}

Status TreeSum::check_length(AgentId from, ByteSpan payload) const {
  if (payload.size() != length_ * sizeof(Word)) {
    return error(ErrorCode::kPeer, "agent {} sent {} bytes to sum {}, where {} words of 16 bytes were due", from.value,
                 payload.size(), number_, length_);
  }
  return {};
}

void TreeSum::take(AgentId from, const Partial& partial, Outbox& out) {
  Child* child = find(from);
  if (child == nullptr || partial.payload.size() > max_words_ * sizeof(Word)) return;
  // It has not got its total yet.
  if (last_ && partial.number == last_->number) return out.send_again(from, *last_);
  const std::uint32_t next = next_number();
  const bool now = state_ == State::kCollecting && partial.number == number_;
  const bool soon = (waiting() && partial.number == next + 1) || (state_ == State::kIdle && partial.number == next);
  if (!now && !soon) return;
  std::optional<Partial>& place = now ? child->partial : child->early;
  if (!place) {
    place = partial;
  } else if (!(*place == partial)) {
    out.complain(from, "it sent two different parts of one sum; the first counts");
  }
}

void TreeSum::take(AgentId from, const Total& total) {
  const bool due = state_ == State::kSent && place_.parent == from && total.number == number_ && !total_;
  if (due && total.payload.size() <= max_words_ * sizeof(Word)) total_ = total;
}

void TreeSum::resend(Outbox& out) const {
  if (state_ == State::kSent && place_.parent) out.send_again(*place_.parent, sent_);
}

void TreeSum::repeat_last(Outbox& out) const {
  for (const Child& child : children_) {
    if (last_) out.send_again(child.id, *last_);
  }
}

std::vector<AgentId> TreeSum::waiting_for() const {
  if (state_ == State::kSent && place_.parent) return {*place_.parent};
  std::vector<AgentId> missing;
  for (const Child& child : children_) {
    if (state_ == State::kCollecting && !child.partial) missing.push_back(child.id);
  }
  return missing;
}

bool TreeSum::has_next_part_of(AgentId child) const {
  return std::any_of(children_.begin(), children_.end(),
                     [&](const Child& c) { return c.id == child && c.early.has_value(); });
}

TreeSum::Child* TreeSum::find(AgentId id) {
  const auto found = std::find_if(children_.begin(), children_.end(), [&](const Child& c) { return c.id == id; });
  return found == children_.end() ? nullptr : &*found;
}

// Parts that came in but were not added are not saved: their senders send them again.
void TreeSum::save(ByteWriter& out) const {
  out.put(static_cast<std::uint8_t>(state_));
  out.put(number_);
  out.put<std::uint64_t>(length_);
  out.put_bytes(bytes_of(own_));
  out.put_array(sent_.chain.data(), sent_.chain.size());
  put(out, sent_.number, sent_.stop, sent_.payload);
  out.put<std::uint8_t>(last_ ? 1 : 0);
  if (last_) put(out, last_->number, last_->stop, last_->payload);
}

void TreeSum::load(ByteReader& in) {
  state_ = static_cast<State>(in.get<std::uint8_t>());
  number_ = in.get<std::uint32_t>();
  length_ = in.get<std::uint64_t>();
  const Bytes own = in.get_bytes();
  own_ = own.size() % sizeof(Word) == 0 ? words_of(own) : Words(max_words_ + 1);  // which is_consistent refuses
  in.get_array(sent_.chain.data(), sent_.chain.size());
  sent_.number = in.get<std::uint32_t>();
  sent_.stop = in.get<std::uint8_t>() != 0;
  sent_.payload = in.get_bytes();
  if (in.get<std::uint8_t>() == 0) return;
  last_.emplace();
  last_->number = in.get<std::uint32_t>();
  last_->stop = in.get<std::uint8_t>() != 0;
  last_->payload = in.get_bytes();
}

bool TreeSum::is_consistent() const {
  const std::size_t max = max_words_ * sizeof(Word);
  if (state_ > State::kSent || length_ > max_words_ || (last_ && last_->number == kNever)) return false;
  if (last_ && last_->payload.size() > max) return false;
  const bool collecting = state_ == State::kCollecting;
  if (own_.size() != (collecting ? length_ : 0)) return false;
  if (sent_.payload.size() != (state_ == State::kSent ? length_ * sizeof(Word) : 0)) return false;
  if (waiting()) return number_ == next_number() && sent_.number == number_;
  return !last_ || number_ == last_->number;
}

}  // namespace ppdnmf::protocol
