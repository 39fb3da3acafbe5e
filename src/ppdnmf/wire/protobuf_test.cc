// Holds the codec against protobuf's own library, in both directions.
#include <gtest/gtest.h>

#include <string>

#include "envelope.pb.h"
#include <ppdnmf/base/random.h>
#include <ppdnmf/wire/envelope.h>
#include <ppdnmf/wire/test_envelopes.h>

namespace ppdnmf::wire {
namespace {

std::string text_of(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

TEST(Protobuf, ReadsWhatWeWriteAndWritesTheSame) {
  for (const auto& [name, envelope] : test_envelopes()) {
    const std::string ours = text_of(encode(envelope));
    v1::Envelope theirs;
    ASSERT_TRUE(theirs.ParseFromString(ours)) << name;
    EXPECT_EQ(theirs.SerializeAsString(), ours) << name;
  }
}

// Random messages that protobuf writes: what we accept has the same meaning, and nothing valid is refused.
TEST(Protobuf, WhatItWritesIsAcceptedAndComesBack) {
  Stream stream(Seed::from_number(7), 1);
  const auto random = [&] { return stream.next(); };
  const auto bytes = [&](std::size_t size) {
    Bytes out(size);
    stream.fill(out);
    return text_of(out);
  };
  // Numbers of every length.
  const auto number = [&] { return random() >> random() % 64; };
  for (int i = 0; i < 2000; ++i) {
    v1::Envelope theirs;
    auto& letter = *theirs.mutable_letter();
    letter.set_save_number(number());
    letter.set_run(bytes(16));
    if (i % 2 == 0) {
      auto& hello = *letter.mutable_hello();
      hello.set_again(random() % 2 == 0);
      hello.set_common(bytes(32));
      hello.set_weight(static_cast<std::int64_t>(number()) * (random() % 2 == 0 ? 1 : -1));
      hello.set_payload(bytes(random() % 300));
    } else {
      auto& query = *letter.mutable_query();
      query.set_iteration(static_cast<std::uint32_t>(number()) | 1U);
      query.set_admm(static_cast<std::uint32_t>(number()) | 1U);
      query.set_stop_admm(static_cast<std::uint32_t>(number()));
      query.set_payload(bytes(random() % 300));
    }
    const std::string text = theirs.SerializeAsString();
    const Bytes written(text.begin(), text.end());
    const auto decoded = decode(written);
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_EQ(encode(*decoded), written);
    const auto& message = std::get<Letter>(*decoded).message;
    EXPECT_EQ(std::get<Letter>(*decoded).save_number, letter.save_number());
    if (const auto* hello = std::get_if<protocol::Hello>(&message.body)) {
      EXPECT_EQ(hello->weight, letter.hello().weight());
      EXPECT_EQ(text_of(hello->payload), letter.hello().payload());
    } else {
      EXPECT_EQ(std::get<protocol::Query>(message.body).stop_admm, letter.query().stop_admm());
    }
  }
}

}  // namespace
}  // namespace ppdnmf::wire
