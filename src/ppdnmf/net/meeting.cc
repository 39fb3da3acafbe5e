#include <ppdnmf/net/meeting.h>

namespace ppdnmf::net {
namespace {

// Of a letter with this first byte; 0: there is none.
std::size_t length_of(std::uint8_t kind) {
  switch (static_cast<LetterKind>(kind)) {
    case LetterKind::kMeet:
      return kLongestLetter;
    case LetterKind::kRefused:
      return 2;
    case LetterKind::kPing:
    case LetterKind::kGo:
    case LetterKind::kWaits:
    case LetterKind::kMet:
    case LetterKind::kPong:
    case LetterKind::kThere:
      return 1;
  }
  return 0;
}

}  // namespace

Bytes encode(const Letter& letter) {
  ByteWriter out(kLongestLetter);
  out.put(static_cast<std::uint8_t>(letter.kind));
  if (letter.kind == LetterKind::kMeet) {
    out.put(static_cast<std::uint8_t>(letter.role));
    out.put_array(letter.file.data(), letter.file.size());
    out.put_array(letter.other.data(), letter.other.size());
  }
  if (letter.kind == LetterKind::kRefused) out.put(static_cast<std::uint8_t>(letter.reason));
  return out.take();
}

Result<std::optional<Letter>> take_letter(Bytes& bytes) {
  if (bytes.empty()) return std::nullopt;
  const std::size_t length = length_of(bytes.front());
  if (length == 0) return error(ErrorCode::kPeer, "says something that is no letter of this protocol");
  if (bytes.size() < length) return std::nullopt;
  ByteReader in(ByteSpan(bytes).first(length));
  Letter letter;
  letter.kind = static_cast<LetterKind>(in.get<std::uint8_t>());
  if (letter.kind == LetterKind::kMeet) {
    letter.role = static_cast<Role>(in.get<std::uint8_t>());
    if (letter.role > Role::kAsks) return error(ErrorCode::kPeer, "asks for something that no relay does");
    in.get_array(letter.file.data(), letter.file.size());
    in.get_array(letter.other.data(), letter.other.size());
  }
  if (letter.kind == LetterKind::kRefused) {
    letter.reason = static_cast<Refusal>(in.get<std::uint8_t>());
    if (letter.reason < Refusal::kOtherFile || letter.reason > Refusal::kFull)
      return error(ErrorCode::kPeer, "refuses for no reason of this protocol");
  }
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
  return letter;
}

std::string_view words_of(Refusal reason) {
  switch (reason) {
    case Refusal::kOtherFile:
      return "has another consortium file: compare the digits that 'ppdnmf consortium check' prints there and here";
    case Refusal::kNoNeighbour:
      return "says that these two members are no neighbours in its consortium file";
    case Refusal::kTooOften:
      return "is asked more often than a member needs to; it lets this one in again after a while";
    case Refusal::kReplaced:
      return "has a newer connection of this member: another agent with this identity runs somewhere";
    case Refusal::kNobody:
      return "answers, but the other member does not wait there";
    case Refusal::kFull:
      return "has as many connections as it can take";
  }
  return "refuses";
}

}  // namespace ppdnmf::net
