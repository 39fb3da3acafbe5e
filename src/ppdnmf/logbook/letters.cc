#include <ppdnmf/logbook/letters.h>

#include <fmt/core.h>

#include <array>

namespace ppdnmf::logbook {
namespace {

// In the order of protocol::Body.
constexpr std::array<std::string_view, 5> kKinds = {"hello", "query", "reply", "part", "total"};
static_assert(std::variant_size_v<protocol::Body> == kKinds.size());
static_assert(std::is_same_v<std::variant_alternative_t<3, protocol::Body>, protocol::Partial>);
static_assert(std::is_same_v<std::variant_alternative_t<4, protocol::Body>, protocol::Total>);

struct Number {
  std::uint64_t operator()(const protocol::Hello& /*m*/) const { return 0; }
  std::uint64_t operator()(const protocol::Query& m) const { return m.round.number(); }
  std::uint64_t operator()(const protocol::Reply& m) const { return m.round.number(); }
  std::uint64_t operator()(const protocol::Partial& m) const { return m.number; }
  std::uint64_t operator()(const protocol::Total& m) const { return m.number; }
};

// All fields but the number and the payload.
struct OtherFields {
  ByteWriter& out;
  void operator()(const protocol::Hello& m) const {
    out.put_array(m.common.data(), m.common.size());
    out.put(m.weight);
  }
  void operator()(const protocol::Query& m) const { out.put(m.stop_admm); }
  void operator()(const protocol::Reply& m) const { out.put(m.weight); }
  void operator()(const protocol::Partial& m) const {
    out.put<std::uint8_t>(m.stop ? 1 : 0);
    out.put_array(m.chain.data(), m.chain.size());
  }
  void operator()(const protocol::Total& m) const { out.put<std::uint8_t>(m.stop ? 1 : 0); }
};

}  // namespace

Digest salt_of(std::span<const crypto::IdentityBytes> nonces) {
  ByteWriter out;
  out.put_string("ppdnmf log salt 1");
  for (const crypto::IdentityBytes& nonce : nonces) out.put_array(nonce.data(), nonce.size());
  return sha256(out.take());
}

Digest salted(const Digest& salt, const Digest& content) { return sha256({salt, content}); }

std::uint64_t number_of(const protocol::Message& message) { return std::visit(Number{}, message.body); }

Digest content_digest(const protocol::Message& message) {
  ByteWriter out;
  out.put_string("ppdnmf content 1");
  out.put_array(message.run.data(), message.run.size());
  out.put<std::uint8_t>(static_cast<std::uint8_t>(message.body.index()));
  out.put(number_of(message));
  std::visit(OtherFields{out}, message.body);
  const Bytes before = out.take();
  return std::visit([&](const auto& body) { return sha256({before, body.payload}); }, message.body);
}

std::string_view kind_of(const protocol::Message& message) { return kKinds.at(message.body.index()); }

bool is_signed(std::string_view kind) { return kind == "part" || kind == "total"; }

std::string name_of(std::string_view kind, std::uint64_t number) {
  if (kind == "hello") return "hello";
  if (is_signed(kind)) return fmt::format("{} {}", kind, number);
  return fmt::format("{} {}.{}", kind, number >> 32U, number & 0xffffffffU);
}

Bytes text_of(const Statement& s) {
  ByteWriter out;
  out.put_string("ppdnmf letter 1");
  out.put_array(s.consortium.data(), s.consortium.size());
  out.put_array(s.run.data(), s.run.size());
  for (const std::string_view text : {s.from, s.to, s.kind}) out.put_string(text);
  out.put(s.number);
  out.put_array(s.digest.data(), s.digest.size());
  return out.take();
}

}  // namespace ppdnmf::logbook
