#include <ppdnmf/wire/envelope.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include <ppdnmf/wire/test_envelopes.h>

namespace ppdnmf::wire {
namespace {

using ::testing::HasSubstr;

Bytes from_hex(const std::string& text) {
  Bytes out;
  for (std::size_t i = 0; i < text.size(); i += 2)
    out.push_back(static_cast<std::uint8_t>(std::stoi(text.substr(i, 2), nullptr, 16)));
  return out;
}

std::string refusal(const Bytes& bytes) {
  const auto decoded = decode(bytes);
  if (decoded) return "accepted";
  EXPECT_EQ(decoded.error().code, ErrorCode::kPeer);
  return decoded.error().message;
}

TEST(Envelope, EveryKindComesBack) {
  for (const auto& [name, envelope] : test_envelopes()) {
    const auto decoded = decode(encode(envelope));
    ASSERT_TRUE(decoded) << name << ": " << decoded.error().message;
    EXPECT_TRUE(*decoded == envelope) << name;
  }
}

TEST(Envelope, BytesAreThoseOfProtobufsPythonModule) {
  std::ifstream answers(PPDNMF_WIRE_TESTDATA "/known_answers.txt");
  std::size_t count = 0;
  for (const auto& [name, envelope] : test_envelopes()) {
    std::string found, bytes;
    ASSERT_TRUE(answers >> found >> bytes);
    ASSERT_EQ(found, name);
    EXPECT_EQ(encode(envelope), from_hex(bytes)) << name;
    ++count;
  }
  EXPECT_EQ(count, 15U);
}

TEST(Envelope, ALetterIsTheSameWithoutTheCopy) {
  const protocol::Message message{counting<RunId>(1), protocol::Total{3, true, Bytes(1000, 9)}};
  EXPECT_EQ(encode_letter(12, message), encode(Letter{12, message, {}}));
}

TEST(Envelope, TheOverheadStaysBelowItsBound) {
  for (const auto& [name, envelope] : test_envelopes()) {
    if (const auto* letter = std::get_if<Letter>(&envelope)) {
      const std::size_t payload =
          std::visit([](const auto& body) { return body.payload.size(); }, letter->message.body);
      EXPECT_LE(encode(envelope).size(), payload + kMaxEnvelopeOverhead) << name;
    }
  }
}

TEST(Envelope, EveryTruncationIsRefused) {
  for (const auto& [name, envelope] : test_envelopes()) {
    const Bytes whole = encode(envelope);
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_FALSE(decode(ByteSpan(whole).first(size))) << name << " cut after " << size;
  }
}

// Whatever is accepted is in the one form that encode() has.
TEST(Envelope, EveryChangedByteIsRefusedOrAnotherEnvelope) {
  std::size_t accepted = 0;
  for (const auto& [name, envelope] : test_envelopes()) {
    const Bytes whole = encode(envelope);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      for (unsigned change = 1; change < 256; ++change) {
        Bytes changed = whole;
        changed[i] ^= static_cast<std::uint8_t>(change);
        const auto decoded = decode(changed);
        if (!decoded) continue;
        ++accepted;
        ASSERT_EQ(encode(*decoded), changed) << name << " byte " << i << " ^ " << change;
        ASSERT_FALSE(*decoded == envelope) << name << " byte " << i << " ^ " << change;
      }
    }
  }
  EXPECT_GT(accepted, 10'000U);  // payloads and digests may be anything
}

TEST(Envelope, BytesBehindTheEndAreRefused) {
  for (const auto& [name, envelope] : test_envelopes()) {
    Bytes bytes = encode(envelope);
    bytes.push_back(0);
    EXPECT_FALSE(decode(bytes)) << name;
    const Bytes once = encode(envelope);
    bytes = once;
    bytes.insert(bytes.end(), once.begin(), once.end());  // protobuf would merge the two
    EXPECT_FALSE(decode(bytes)) << name;
  }
}

TEST(Envelope, UnknownKindsAreRefused) {
  EXPECT_THAT(refusal({0x2a, 0x00}), HasSubstr("kind of message is unknown"));
  EXPECT_THAT(refusal({}), HasSubstr("cut off"));
}

TEST(Envelope, UnknownAndRepeatedFieldsAreRefused) {
  EXPECT_THAT(refusal({0x1a, 0x02, 0x08, 0x01}), HasSubstr("unknown, repeated"));              // in a goodbye
  EXPECT_THAT(refusal({0x22, 0x04, 0x08, 0x03, 0x08, 0x04}), HasSubstr("unknown, repeated"));  // two reasons
}

TEST(Envelope, NumbersInMoreBytesThanTheyNeedAreRefused) {
  EXPECT_THAT(refusal({0x1a, 0x80, 0x00}), HasSubstr("more bytes than it needs"));
  EXPECT_THAT(refusal({0x9a, 0x00, 0x00}), HasSubstr("more bytes than it needs"));
}

TEST(Envelope, AZeroThatIsWrittenOutIsRefused) {
  Bytes bytes = {0x12, 0x16, 0x12, 0x10};  // a letter with a run of 16 bytes
  bytes.resize(4 + 16);
  bytes.insert(bytes.end(), {0x42, 0x02, 0x08, 0x00});  // and a total with number = 0
  bytes[1] = static_cast<std::uint8_t>(bytes.size() - 2);
  EXPECT_THAT(refusal(bytes), HasSubstr("zero that is left out"));
  bytes.back() = 7;
  EXPECT_EQ(refusal(bytes), "accepted");
}

TEST(Envelope, AFlagIsOneOrLeftOutAndNumbersKeepTheirRange) {
  Bytes bytes = {0x12, 0x00, 0x12, 0x10};
  bytes.resize(4 + 16);
  bytes.insert(bytes.end(), {0x42, 0x02, 0x10, 0x02});  // a total with stop = 2
  bytes[1] = static_cast<std::uint8_t>(bytes.size() - 2);
  EXPECT_THAT(refusal(bytes), HasSubstr("field 2 is 2 and may be 1 at most"));
  bytes.resize(4 + 16);
  bytes.insert(bytes.end(), {0x42, 0x06, 0x08, 0x80, 0x80, 0x80, 0x80, 0x10});  // number = 2^32
  bytes[1] = static_cast<std::uint8_t>(bytes.size() - 2);
  EXPECT_THAT(refusal(bytes), HasSubstr("4294967296 and may be 4294967295"));
}

TEST(Envelope, AnotherVersionIsNamedBeforeAnythingElseIsRead) {
  Introduction introduction;
  introduction.version = kWireVersion + 1;
  Bytes bytes = encode(introduction);
  EXPECT_THAT(refusal(bytes), HasSubstr("speaks version 6 of the protocol and this program version 5"));
  bytes = {0x0a, 0x04, 0x08, 0x06, 0x78, 0x01};  // version 6 with nothing but a field that we do not know
  EXPECT_THAT(refusal(bytes), HasSubstr("speaks version 6"));
}

TEST(Envelope, ADigestOfAnotherLengthIsRefused) {
  Bytes bytes = {0x0a, 0x00, 0x08, 0x05, 0x12, 0x1f};
  bytes.resize(6 + 31);
  bytes[1] = static_cast<std::uint8_t>(bytes.size() - 2);
  EXPECT_THAT(refusal(bytes), HasSubstr("field 2 has 31 bytes instead of 32"));
}

TEST(Envelope, ASignatureThatIsTooLongIsRefused) {
  const protocol::Message message{counting<RunId>(1), protocol::Total{3, true, {1}}};
  EXPECT_EQ(refusal(encode_letter(1, message, Bytes(kMaxSignatureBytes, 1))), "accepted");
  EXPECT_THAT(refusal(encode_letter(1, message, Bytes(kMaxSignatureBytes + 1, 1))), HasSubstr("signature is too long"));
}

TEST(Envelope, RoundsAreCountedFromOne) {
  EXPECT_THAT(refusal(encode(Letter{1, {{}, protocol::Query{{0, 1}, protocol::kNever, {}}}, {}})),
              HasSubstr("counted from 1"));
  EXPECT_THAT(refusal(encode(Letter{1, {{}, protocol::Reply{{1, 0}, 0, {}}}, {}})), HasSubstr("counted from 1"));
}

TEST(Envelope, AReasonIsOneOfAFewNumbersAndHasNoRoomForWords) {
  for (std::uint8_t n = 1; n <= static_cast<std::uint8_t>(protocol::kLastReason); ++n) {
    EXPECT_LE(encode(Abort{static_cast<protocol::Reason>(n), AgentId{999}}).size(), 8U);
  }
  EXPECT_THAT(refusal({0x22, 0x00}), HasSubstr("reason is unknown"));
  EXPECT_THAT(refusal({0x22, 0x02, 0x08, 0x0e}), HasSubstr("reason is unknown"));
  EXPECT_FALSE(refusal({0x22, 0x05, 0x0a, 0x03, 'o', 'w', 'n'}).empty());  // as version 2 had it
}

TEST(Envelope, APayloadOfManyMegabytesIsNotGrownStepByStep) {
  const Bytes bytes =
      encode_letter(1, protocol::Message{{}, protocol::Total{0, false, Bytes(std::size_t{20} << 20U, 3)}});
  EXPECT_EQ(bytes.capacity(), bytes.size());
  const auto decoded = decode(bytes);
  ASSERT_TRUE(decoded);
  const Bytes& payload = std::get<protocol::Total>(std::get<Letter>(*decoded).message.body).payload;
  EXPECT_EQ(payload.size(), std::size_t{20} << 20U);
  EXPECT_EQ(payload.capacity(), payload.size());
}

}  // namespace
}  // namespace ppdnmf::wire
