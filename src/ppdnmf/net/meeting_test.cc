#include <ppdnmf/net/meeting.h>

#include <gtest/gtest.h>

#include <array>

namespace ppdnmf::net {
namespace {

std::vector<Letter> every_letter() {
  std::vector<Letter> out;
  for (const LetterKind kind : {LetterKind::kPing, LetterKind::kGo, LetterKind::kWaits, LetterKind::kMet,
                                LetterKind::kPong, LetterKind::kThere}) {
    out.emplace_back().kind = kind;
  }
  for (const Role role : {Role::kWaits, Role::kDials, Role::kAsks}) {
    Letter& meet = out.emplace_back();
    meet.kind = LetterKind::kMeet;
    meet.role = role;
    meet.file = Digest{1, 2, 3};
    meet.other = Digest{4, 5, 6};
  }
  for (int reason = 1; reason <= 6; ++reason) {
    Letter& refused = out.emplace_back();
    refused.kind = LetterKind::kRefused;
    refused.reason = static_cast<Refusal>(reason);
  }
  return out;
}

TEST(Meeting, EveryLetterComesBackAsItWas) {
  for (const Letter& letter : every_letter()) {
    Bytes bytes = encode(letter);
    bytes.push_back(99);  // whatever follows stays
    const auto back = take_letter(bytes);
    ASSERT_TRUE(back);
    ASSERT_TRUE(*back);
    EXPECT_TRUE(**back == letter);
    EXPECT_EQ(bytes, Bytes{99});
  }
}

TEST(Meeting, WhatIsNotWholeYetIsWaitedFor) {
  for (const Letter& letter : every_letter()) {
    const Bytes whole = encode(letter);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      const Bytes before = part;
      const auto back = take_letter(part);
      ASSERT_TRUE(back);
      EXPECT_FALSE(*back);
      EXPECT_EQ(part, before);
    }
  }
}

TEST(Meeting, WhatIsNoLetterIsRefused) {
  for (int first = 0; first < 256; ++first) {
    Bytes bytes(kLongestLetter, 0);
    bytes[0] = static_cast<std::uint8_t>(first);
    const auto back = take_letter(bytes);
    const bool known = (first >= 1 && first <= 3) || (first >= 17 && first <= 21);
    EXPECT_EQ(back.has_value(), known && first != 20) << first;  // 0 is no reason to refuse
  }
  Bytes role(kLongestLetter, 0);
  role[0] = 1;
  role[1] = 3;
  EXPECT_FALSE(take_letter(role));
  Bytes reason = {20, 7};
  EXPECT_FALSE(take_letter(reason));
}

TEST(Meeting, ThreeBytesArePutAsTheProtocolPageSays) {
  EXPECT_EQ(encode({LetterKind::kGo}), Bytes{3});
  Letter refused;
  refused.kind = LetterKind::kRefused;
  refused.reason = Refusal::kNobody;
  EXPECT_EQ(encode(refused), (Bytes{20, 5}));
}

}  // namespace
}  // namespace ppdnmf::net
