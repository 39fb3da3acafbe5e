#include <ppdnmf/protocol/reason.h>

namespace ppdnmf::protocol {

std::string_view words_of(Reason reason) {
  switch (reason) {
    case Reason::kGiven:
      return "what it was given does not allow it to take part; its own log says why";
    case Reason::kRange:
      return "its numbers left the range of this run; its own log says where";
    case Reason::kFile:
      return "it could not read or write a file of its own";
    case Reason::kStopped:
      return "it was stopped";
    case Reason::kRollCall:
      return "the list of everybody's nonces was not as it must be; its own log says more";
    case Reason::kGreeting:
      return "a greeting was not as it must be; its own log says more";
    case Reason::kMasks:
      return "it could not agree on masks; its own log says with whom";
    case Reason::kColumns:
      return "the sum of the numbers of columns was not as it must be; its own log says more";
    case Reason::kEntries:
      return "the sum of the entries was not as it must be; its own log says more";
    case Reason::kNorm:
      return "the sum of the squared norms was not as it must be; its own log says more";
    case Reason::kTotal:
      return "a total was not as it must be; its own log says more";
    case Reason::kExchange:
      return "a neighbour's message was not as it must be; its own log says whose";
    case Reason::kDefect:
      break;
  }
  return "it found a defect in its program; its own log says which";
}

Reason reason_of(ErrorCode code, Reason place) {
  switch (code) {
    case ErrorCode::kPeer:
      return place;
    case ErrorCode::kUsage:
    case ErrorCode::kInvalidData:
      return Reason::kGiven;
    case ErrorCode::kNumeric:
      return Reason::kRange;
    case ErrorCode::kFile:
      return Reason::kFile;
    case ErrorCode::kInterrupted:
      return Reason::kStopped;
    case ErrorCode::kUnheard:  // the run has ended
    case ErrorCode::kInternal:
      break;
  }
  return Reason::kDefect;
}

}  // namespace ppdnmf::protocol
