// One envelope of every kind, for this folder's tests and for the known answers (testdata/make_known_answers.py has the
// same values).
#ifndef PPDNMF_WIRE_TEST_ENVELOPES_H_
#define PPDNMF_WIRE_TEST_ENVELOPES_H_

#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/wire/envelope.h>

namespace ppdnmf::wire {

// first, first + 1, ...
template <typename T>
T counting(std::uint8_t first) {
  T out{};
  std::iota(out.begin(), out.end(), first);
  return out;
}

inline std::vector<std::pair<std::string, Envelope>> test_envelopes() {
  const auto letter = [](std::uint64_t save_number, protocol::Body body) {
    return Letter{save_number, protocol::Message{counting<RunId>(200), std::move(body)}, {}};
  };
  const auto digest = counting<Digest>(7);
  const Bytes payload = {0, 255, 1, 2};
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
  return {
      {"introduction", Introduction{kWireVersion, digest, counting<Digest>(100), 300}},
      {"introduction_zero", Introduction{kWireVersion, Digest{}, Digest{}, 0}},
      {"hello", letter(5, protocol::Hello{true, digest, -3, payload})},
      {"hello_empty", letter(0, protocol::Hello{false, Digest{}, 0, {}})},
      {"hello_extreme", letter(kMax, protocol::Hello{true, digest, kLeast, payload})},
      {"query", letter(1, protocol::Query{{1, 2}, 77, payload})},
      {"query_never", letter(1, protocol::Query{{300, 70000}, protocol::kNever, {}})},
      {"reply", letter(128, protocol::Reply{{9, 1}, 1234567890123, Bytes(300, 17)})},
      {"partial", letter(2, protocol::Partial{0, true, digest, payload})},
      {"total", letter(3, protocol::Total{4, false, payload})},
      {"total_signed", Letter{3, protocol::Message{counting<RunId>(200), protocol::Total{4, false, payload}},
                              Bytes(kMaxSignatureBytes, 19)}},
      {"total_empty", letter(0, protocol::Total{0, false, {}})},
      {"goodbye", Goodbye{}},
      {"abort", Abort{protocol::Reason::kFile, AgentId{0}}},
      {"abort_of_another", Abort{protocol::kLastReason, AgentId{300}}},
  };
}

}  // namespace ppdnmf::wire

#endif  // PPDNMF_WIRE_TEST_ENVELOPES_H_
