// A message as frames: gRPC messages of at most a head and 1 MiB. The first begins with the size of the whole message,
// 8 bytes, little-endian; every frame but the last is full. So both sides know in advance how long each frame is.
#ifndef PPDNMF_NET_INTERNAL_FRAMES_H_
#define PPDNMF_NET_INTERNAL_FRAMES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::net {

inline constexpr std::size_t kFrameBytes = std::size_t{1} << 20U;
inline constexpr std::size_t kHeadBytes = 8;

// How much of a message stands in the frame that begins `done` bytes into it.
inline std::size_t frame_size(std::size_t whole, std::size_t done) { return std::min(kFrameBytes, whole - done); }
// What stands in front of a message.
[[nodiscard]] std::array<std::uint8_t, kHeadBytes> frame_head(std::size_t whole);

// Puts frames together again. Takes memory for a message only when its head has been found to be within bounds.
class Assembler {
 public:
  explicit Assembler(std::size_t max_message_bytes) : max_bytes_(max_message_bytes) {}

  // The next frame, in any number of pieces. Not after complete() (checked). Fails with kPeer: too long a message, an
  // empty one, a frame of another length than it must have.
  [[nodiscard]] Status take(std::span<const ByteSpan> pieces);
  // Whether a message is there as a whole; release() hands it out, and the next frame begins another.
  [[nodiscard]] bool complete() const { return begun_ && message_.size() == whole_; }
  [[nodiscard]] Bytes release();
  // Between the first frame of a message and its last.
  [[nodiscard]] bool incomplete() const { return begun_ && message_.size() < whole_; }
  void drop();  // what there is so far

 private:
  [[nodiscard]] Status begin(std::uint64_t whole);
  std::size_t max_bytes_;
  bool begun_ = false;
  std::size_t whole_ = 0;
  Bytes message_;
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_INTERNAL_FRAMES_H_
