// The fields of every message, once: sizing, writing and reading go through the same function. A new field is a line
// here and in envelope.proto; a new kind is a function here and a message there, and an alternative at the end of its
// variant.
#ifndef PPDNMF_WIRE_INTERNAL_MESSAGES_H_
#define PPDNMF_WIRE_INTERNAL_MESSAGES_H_

#include <fmt/core.h>

#include <algorithm>
#include <concepts>
#include <type_traits>

#include <ppdnmf/wire/envelope.h>

namespace ppdnmf::wire {

// T or const T: readers fill a message in, the other passes look at it.
template <typename M, typename T>
concept Is = std::same_as<std::remove_const_t<M>, T>;

template <typename Pass>
void require(Pass& pass, bool condition, std::string_view otherwise) {
  if constexpr (Pass::kReads) {
    if (!condition) pass.fail(otherwise);
  }
}

template <typename Pass>
void fields(Pass& pass, Is<Introduction> auto& m) {
  pass.number(1, m.version);
  if constexpr (Pass::kReads) {
    // Before anything else is looked at: another version may have other fields.
    if (!pass.failed() && m.version != kWireVersion) {
      pass.fail(fmt::format("it speaks version {} of the protocol and this program version {}: install the same ppdnmf",
                            m.version, kWireVersion));
    }
  }
  pass.fixed(2, m.consortium);
  pass.fixed(3, m.nonce);
  pass.number(4, m.seen);
}

template <typename Pass>
void fields(Pass& /*pass*/, Is<Goodbye> auto& /*m*/) {}

template <typename Pass>
void fields(Pass& pass, Is<Abort> auto& m) {
  auto reason = static_cast<std::uint32_t>(m.reason);
  pass.number(1, reason);
  pass.number(2, m.who.value);
  require(pass, reason > 0 && reason <= static_cast<std::uint32_t>(protocol::kLastReason), "the reason is unknown");
  if constexpr (Pass::kReads) {
    if (!pass.failed()) m.reason = static_cast<protocol::Reason>(reason);
  }
}

template <typename Pass>
void fields(Pass& pass, Is<protocol::Round> auto& m) {
  pass.number(1, m.iteration);
  pass.number(2, m.admm);
  require(pass, m.iteration > 0 && m.admm > 0, "rounds are counted from 1");
}

template <typename Pass>
void fields(Pass& pass, Is<protocol::Hello> auto& m) {
  pass.number(2, m.again);
  pass.fixed(3, m.common);
  pass.integer(4, m.weight);
  pass.bytes(5, m.payload);
}

template <typename Pass>
void fields(Pass& pass, Is<protocol::Query> auto& m) {
  fields(pass, m.round);
  pass.number(3, m.stop_admm);
  pass.bytes(4, m.payload);
}

template <typename Pass>
void fields(Pass& pass, Is<protocol::Reply> auto& m) {
  fields(pass, m.round);
  pass.integer(3, m.weight);
  pass.bytes(4, m.payload);
}

template <typename Pass>
void fields(Pass& pass, Is<protocol::Partial> auto& m) {
  pass.number(1, m.number);
  pass.number(2, m.stop);
  pass.fixed(3, m.chain);
  pass.bytes(4, m.payload);
}

template <typename Pass>
void fields(Pass& pass, Is<protocol::Total> auto& m) {
  pass.number(1, m.number);
  pass.number(2, m.stop);
  pass.bytes(3, m.payload);
}

// A letter's own fields; its body follows with kFirstBody + the place among the variant's alternatives.
template <typename Pass>
void letter_fields(Pass& pass, Is<std::uint64_t> auto& save_number, Is<RunId> auto& run, Is<Bytes> auto& signature) {
  pass.number(1, save_number);
  pass.fixed(2, run);
  pass.bytes(3, signature);
  require(pass, signature.size() <= kMaxSignatureBytes, "its signature is too long");
}
inline constexpr std::uint32_t kFirstBody = 4;
inline constexpr std::uint32_t kFirstContent = 1;  // of an envelope

}  // namespace ppdnmf::wire

#endif  // PPDNMF_WIRE_INTERNAL_MESSAGES_H_
