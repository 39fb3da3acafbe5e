#include <ppdnmf/net/internal/frames.h>

#include <cstring>
#include <utility>

namespace ppdnmf::net {

std::array<std::uint8_t, kHeadBytes> frame_head(std::size_t whole) {
  std::array<std::uint8_t, kHeadBytes> head{};
  const std::uint64_t size = whole;
  std::memcpy(head.data(), &size, head.size());
  return head;
}

Status Assembler::begin(std::uint64_t whole) {
  if (whole == 0) return error(ErrorCode::kPeer, "it sent an empty message");
  if (whole > max_bytes_) {
    return error(ErrorCode::kPeer, "it wants to send a message of {} bytes, and none has more than {} in this run",
                 whole, max_bytes_);
  }
  begun_ = true;
  whole_ = whole;
  message_.reserve(whole_);
  return {};
}

Status Assembler::take(std::span<const ByteSpan> pieces) {
  PPDNMF_CHECK(!complete());
  std::size_t size = 0;
  for (const ByteSpan piece : pieces) size += piece.size();
  std::size_t skip = 0;  // the head
  if (!begun_) {
    if (size < kHeadBytes) return error(ErrorCode::kPeer, "it sent a frame of {} bytes, too short for its head", size);
    std::array<std::uint8_t, kHeadBytes> head{};
    for (auto piece = pieces.begin(); skip < kHeadBytes; ++piece) {
      const std::size_t count = std::min(kHeadBytes - skip, piece->size());
      std::copy_n(piece->begin(), count, head.begin() + static_cast<std::ptrdiff_t>(skip));
      skip += count;
    }
    std::uint64_t whole = 0;
    std::memcpy(&whole, head.data(), head.size());
    PPDNMF_TRY_STATUS(begin(whole));
  }
  const std::size_t expected = skip + frame_size(whole_, message_.size());
  if (size != expected) return error(ErrorCode::kPeer, "it sent a frame of {} bytes instead of {}", size, expected);
  for (ByteSpan piece : pieces) {
    const std::size_t head = std::min(skip, piece.size());
    skip -= head;
    piece = piece.subspan(head);
    message_.insert(message_.end(), piece.begin(), piece.end());
  }
  return {};
}

Bytes Assembler::release() {
  PPDNMF_CHECK(complete());
  begun_ = false;
  return std::exchange(message_, {});
}

void Assembler::drop() {
  begun_ = false;
  message_ = Bytes();
}

}  // namespace ppdnmf::net
