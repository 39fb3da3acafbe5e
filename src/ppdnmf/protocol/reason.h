// Why an agent gives up, as far as others are told: one of a few places in a run. The sentence is made by whoever hears
// of it, so that no number, name or text of the one who gave up can leave with it; its own log has the whole story.
#ifndef PPDNMF_PROTOCOL_REASON_H_
#define PPDNMF_PROTOCOL_REASON_H_

#include <cstdint>
#include <string_view>

#include <ppdnmf/base/result.h>

namespace ppdnmf::protocol {

// The numbers travel: new ones go to the end, and old ones keep their meaning.
enum class Reason : std::uint8_t {
  kGiven = 1,  // what it was given does not do: settings, data, a folder
  kRange,      // its numbers left the range of the run
  kFile,       // a file of its own
  kStopped,    // somebody stopped it
  kDefect,     // in its program
  // What came from others was not as it must be,
  kRollCall,   // in the list of nonces
  kGreeting,   // in a greeting
  kMasks,      // where it agreed on masks
  kColumns,    // in the sum of the numbers of columns
  kEntries,    // in the sum of the entries
  kNorm,       // in the sum of the squared norms
  kTotal,      // in a total of an iteration
  kExchange,   // in a message between neighbours
};
inline constexpr Reason kLastReason = Reason::kExchange;

// "a greeting was not as it must be", as the end of a sentence.
[[nodiscard]] std::string_view words_of(Reason reason);

// Of an error that came up at `place`: that place if others are to blame, else what the error's code says.
[[nodiscard]] Reason reason_of(ErrorCode code, Reason place);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_REASON_H_
