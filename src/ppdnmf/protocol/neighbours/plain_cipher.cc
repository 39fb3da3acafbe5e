#include <ppdnmf/protocol/neighbours/plain_cipher.h>

#include <cmath>
#include <cstring>

namespace ppdnmf::protocol::neighbours {
namespace {

Bytes encode(std::span<const std::int64_t> values) {
  Bytes bytes(values.size_bytes());
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace

PlainCipher::PlainCipher(const RunSettings& settings)
    : entries_(settings.entries()),
      query_bound_(static_cast<std::int64_t>(std::ceil(static_cast<double>(settings.n_max) * settings.u_bound))),
      reply_bound_((2 * query_bound_ + 1) << settings.multiplier_bits()) {}

Bytes PlainCipher::greeting(AgentId /*to*/) { return {}; }

Status PlainCipher::accept_greeting(AgentId from, ByteSpan payload) {
  if (payload.empty()) return {};
  return error(ErrorCode::kPeer, "agent {} sent keys, but this run is not encrypted", from.value);
}

Result<Bytes> PlainCipher::make_query(Round /*round*/, std::span<const std::int64_t> minus_u) {
  return encode(minus_u);
}

Result<Bytes> PlainCipher::make_reply(Round /*round*/, AgentId asker, ByteSpan query, const ReplyTerms& terms) {
  PPDNMF_TRY(std::vector<std::int64_t> values, decode(asker, query, query_bound_));
  for (std::size_t t = 0; t < entries_; ++t) {
    values[t] = terms.weight * (values[t] + terms.u[t]) + (terms.blinding.empty() ? 0 : terms.blinding[t]);
  }
  return encode(values);
}

Result<std::vector<std::int64_t>> PlainCipher::open(Round /*round*/, std::span<const ReceivedReply> replies) {
  std::vector<std::int64_t> sum(entries_);
  for (const ReceivedReply& reply : replies) {
    PPDNMF_TRY(const std::vector<std::int64_t> values, decode(reply.from, reply.payload, reply_bound_));
    for (std::size_t t = 0; t < entries_; ++t) sum[t] += values[t];
  }
  return sum;
}

Result<std::vector<std::int64_t>> PlainCipher::decode(AgentId from, ByteSpan payload, std::int64_t bound) const {
  if (payload.size() != entries_ * sizeof(std::int64_t)) {
    return error(ErrorCode::kPeer, "agent {} sent {} bytes where {} entries of 8 bytes were due", from.value,
                 payload.size(), entries_);
  }
  std::vector<std::int64_t> values(entries_);
  std::memcpy(values.data(), payload.data(), payload.size());
  for (std::size_t t = 0; t < entries_; ++t) {
    if (values[t] > bound || values[t] < -bound) {
      return error(ErrorCode::kPeer, "agent {} sent an entry {} beyond the bound of this run", from.value, t);
    }
  }
  return values;
}

}  // namespace ppdnmf::protocol::neighbours
