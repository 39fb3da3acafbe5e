#include <ppdnmf/net/internal/frames.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ppdnmf/net/test_transport.h>

namespace ppdnmf::net {
namespace {

using ::testing::HasSubstr;

// The frames of a message, as they are sent.
std::vector<Bytes> frames_of(const Bytes& message) {
  std::vector<Bytes> out;
  for (std::size_t done = 0; done < message.size();) {
    const std::size_t size = frame_size(message.size(), done);
    Bytes frame;
    if (done == 0) {
      const auto head = frame_head(message.size());
      frame.assign(head.begin(), head.end());
    }
    frame.insert(frame.end(), message.begin() + static_cast<std::ptrdiff_t>(done),
                 message.begin() + static_cast<std::ptrdiff_t>(done + size));
    out.push_back(std::move(frame));
    done += size;
  }
  return out;
}

Status take(Assembler& assembler, ByteSpan frame) { return assembler.take({&frame, 1}); }

TEST(Frames, TheHeadIsTheSizeWithTheSmallestByteFirst) {
  EXPECT_EQ(frame_head(0x0102), (std::array<std::uint8_t, 8>{2, 1, 0, 0, 0, 0, 0, 0}));
}

TEST(Frames, MessagesComeBackFromTheirFrames) {
  Assembler assembler(4 * kFrameBytes);
  for (const std::size_t size : {std::size_t{1}, kFrameBytes - 1, kFrameBytes, kFrameBytes + 1, 3 * kFrameBytes + 7}) {
    const Bytes message = numbered(size, 5);
    const auto frames = frames_of(message);
    EXPECT_EQ(frames.size(), (size + kFrameBytes - 1) / kFrameBytes);
    for (const Bytes& frame : frames) {
      EXPECT_FALSE(assembler.complete());
      ASSERT_TRUE(take(assembler, frame));
      EXPECT_EQ(assembler.incomplete(), !assembler.complete());
    }
    ASSERT_TRUE(assembler.complete());
    EXPECT_TRUE(assembler.release() == message);
  }
}

TEST(Frames, AFrameMayComeInPiecesOfAnySize) {
  const Bytes message = {1, 2, 3, 4, 5};
  const Bytes frame = frames_of(message)[0];
  for (std::size_t piece = 1; piece <= frame.size(); ++piece) {
    std::vector<ByteSpan> pieces;
    for (std::size_t at = 0; at < frame.size(); at += piece)
      pieces.push_back(ByteSpan(frame).subspan(at, std::min(piece, frame.size() - at)));
    Assembler assembler(5);
    ASSERT_TRUE(assembler.take(pieces)) << piece;
    EXPECT_EQ(assembler.release(), message);
  }
}

TEST(Frames, TooLongAMessageIsRefusedAtItsHead) {
  Assembler assembler(10);
  const auto head = frame_head(11);
  const auto refused = take(assembler, head);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kPeer);
  EXPECT_THAT(refused.error().message, HasSubstr("11 bytes, and none has more than 10"));
}

TEST(Frames, EveryOtherLengthOfAFrameIsRefused) {
  const Bytes message = numbered(20, 1);
  const Bytes right = frames_of(message)[0];
  for (std::size_t size = 0; size < right.size() + 5; ++size) {
    Bytes frame = right;
    frame.resize(size);
    Assembler assembler(100);
    EXPECT_EQ(take(assembler, frame).has_value(), size == right.size()) << size;
  }
}

TEST(Frames, WhatWasDroppedIsForgotten) {
  Assembler assembler(2 * kFrameBytes);
  ASSERT_TRUE(take(assembler, frames_of(numbered(2 * kFrameBytes, 1))[0]));
  EXPECT_TRUE(assembler.incomplete());
  assembler.drop();
  EXPECT_FALSE(assembler.incomplete());
  ASSERT_TRUE(take(assembler, frames_of(Bytes{9})[0]));
  EXPECT_EQ(assembler.release(), Bytes{9});
}

}  // namespace
}  // namespace ppdnmf::net
