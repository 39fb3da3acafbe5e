#include <ppdnmf/net/internal/stream.h>

#include <grpcpp/support/slice.h>

#include <atomic>
#include <utility>
#include <vector>

namespace ppdnmf::net {
namespace {

constexpr auto kNever = Clock::time_point::max();

// Keeps a message as long as gRPC holds on to a part of it.
struct Holder {
  explicit Holder(std::shared_ptr<const Bytes> held) : message(std::move(held)) {
    there.store(true, std::memory_order_release);
  }
  static void release(void* holder) {
    // Another thread than the one that made it; says so to the thread sanitizer, which does not see gRPC's own order.
    auto* const self = static_cast<Holder*>(holder);
    PPDNMF_CHECK(self->there.load(std::memory_order_acquire));
    delete self;
  }
  std::shared_ptr<const Bytes> message;
  std::atomic<bool> there;
};

grpc::Slice slice_of(const std::shared_ptr<const Bytes>& message, std::size_t begin, std::size_t size) {
  // gRPC does not write into slices that it sends.
  auto* const bytes =
      const_cast<std::uint8_t*>(message->data() + begin);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return {bytes, size, Holder::release, new Holder(message)};
}

}  // namespace

Stream::Stream(Board& board, const TransportConfig& config)
    : board_(board),
      config_(config),
      assembler_(config.max_message_bytes),
      read_([this](bool ok) { read_done(ok); }),
      write_([this](bool ok) { write_done(ok); }) {}

void Stream::open(std::size_t peer) {
  peer_ = peer;
  number_ = board_.begin_stream(peer);
  progress_at_ = Clock::now();
  pump();
}

void Stream::pump() {
  if (!opened() || ended_) return;
  if (!read_.pending() && board_.may_read(peer_)) {
    // Time in which we did not want to read is not the peer's fault.
    progress_at_ = Clock::now();
    start_read(incoming_, read_.begin());
  }
  if (!write_.pending()) begin_write();
}

void Stream::read_done(bool ok) {
  if (ended_) return incoming_.Clear();
  if (!ok) return read_ended();
  std::vector<grpc::Slice> slices;
  const std::size_t size = incoming_.Length();
  if (!incoming_.Dump(&slices).ok()) return misbehaved("it sent a frame that gRPC cannot take apart");
  incoming_.Clear();
  board_.count_bytes(peer_, size, 0);
  std::vector<ByteSpan> pieces;
  pieces.reserve(slices.size());
  for (const grpc::Slice& slice : slices) pieces.emplace_back(slice.begin(), slice.size());
  if (const Status taken = assembler_.take(pieces); !taken) return misbehaved(taken.error().message);
  progress_at_ = Clock::now();
  if (assembler_.complete()) {
    brought_message_ = true;
    board_.arrived(peer_, number_, assembler_.release());
  }
  pump();
}

void Stream::begin_write() {
  if (!outgoing_) {
    outgoing_ = board_.to_send(peer_, number_);
    if (!outgoing_) return;
    written_ = 0;
  }
  being_written_ = frame_size(outgoing_->size(), written_);
  const grpc::Slice body = slice_of(outgoing_, written_, being_written_);
  if (written_ == 0) {
    const auto head = frame_head(outgoing_->size());
    const grpc::Slice both[] = {grpc::Slice(head.data(), head.size()), body};
    start_write(grpc::ByteBuffer(both, 2), write_.begin());
  } else {
    start_write(grpc::ByteBuffer(&body, 1), write_.begin());
  }
}

void Stream::write_done(bool ok) {
  if (closing_) start_close();
  if (ended_) last_write_done();
  // If not ok, the call is broken, and the side hears so by other ways.
  if (ended_ || !ok) return;
  board_.count_bytes(peer_, 0, being_written_ + (written_ == 0 ? kHeadBytes : 0));
  written_ += being_written_;
  if (written_ == outgoing_->size()) {
    outgoing_.reset();
    board_.sent(peer_, number_);
  }
  pump();
}

void Stream::misbehaved(const std::string& why) {
  board_.refused(config_.peers[peer_].identity.name(), why);
  end(why);
}

void Stream::finish(const std::string& why) {
  ended_ = true;
  ended_at_ = Clock::now();
  why_ = why;
  assembler_.drop();
  outgoing_.reset();
  if (opened()) board_.end_stream(peer_, number_, why);
}

void Stream::lost(const std::string& why) {
  if (!ended_) finish(why);
}

void Stream::end(const std::string& why) {
  if (ended_) return;
  ended_here_ = true;
  finish(why);
  start_end(why);
}

void Stream::close() {
  if (ended_) return;
  ended_here_ = true;
  closing_ = true;
  finish("this agent ends");
  if (!write_.pending()) start_close();
}

Clock::time_point Stream::reading_deadline() const {
  if (!read_.pending()) return kNever;
  if (!brought_message_ && !assembler_.incomplete()) return progress_at_ + config_.times.first_message;
  return assembler_.incomplete() ? progress_at_ + config_.times.stalled : kNever;
}

Clock::time_point Stream::tick(Clock::time_point now) {
  if (!ended_) {
    const auto deadline = opened() ? reading_deadline() : opening_deadline();
    if (now < deadline) return deadline;
    end(!opened()                 ? "it did not answer in time"
        : assembler_.incomplete() ? "one of its messages began and did not go on"
                                  : "it opened a stream and said nothing");
  }
  if (cancelled_) return kNever;
  if (now < ended_at_ + config_.times.ending) return ended_at_ + config_.times.ending;
  cancelled_ = true;
  cancel();
  return kNever;
}

}  // namespace ppdnmf::net
