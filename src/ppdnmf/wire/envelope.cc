#include <ppdnmf/wire/envelope.h>

#include <utility>

#include <ppdnmf/wire/internal/fields.h>
#include <ppdnmf/wire/internal/messages.h>

namespace ppdnmf::wire {
namespace {

using wire::FieldReader;
using wire::FieldSizer;
using wire::FieldWriter;

constexpr std::uint32_t kLetterPlace = 1;
static_assert(std::is_same_v<std::variant_alternative_t<kLetterPlace, Envelope>, Letter>);

std::size_t size_of(const auto& message) {
  FieldSizer sizer;
  wire::fields(sizer, message);
  return sizer.size();
}

// The content of alternative `place`, with the envelope around it.
Bytes enclose(std::size_t place, std::size_t size, const auto& write) {
  const auto field = wire::kFirstContent + static_cast<std::uint32_t>(place);
  FieldSizer sizer;
  sizer.message(field, size);
  Bytes out;
  out.reserve(sizer.size());
  FieldWriter writer(out);
  writer.message(field, size);
  write(writer);
  return out;
}

// The alternative of `Variant` that has this field number is made and its fields are read into it.
template <typename Variant, std::size_t place = 0>
void read_alternative(FieldReader& in, std::uint32_t field, std::uint32_t first, Variant& out);

void read_fields(FieldReader& in, auto& message) { wire::fields(in, message); }

void read_fields(FieldReader& in, Letter& letter) {
  wire::letter_fields(in, letter.save_number, letter.message.run, letter.signature);
  if (in.failed()) return;
  read_alternative(in, in.message(), wire::kFirstBody, letter.message.body);
}

template <typename Variant, std::size_t place>
void read_alternative(FieldReader& in, std::uint32_t field, std::uint32_t first, Variant& out) {
  if constexpr (place == std::variant_size_v<Variant>) {
    in.fail("this kind of message is unknown");
  } else if (field == first + place) {
    read_fields(in, out.template emplace<place>());
  } else {
    read_alternative<Variant, place + 1>(in, field, first, out);
  }
}

}  // namespace

Bytes encode_letter(std::uint64_t save_number, const protocol::Message& message, const Bytes& signature) {
  const auto field = wire::kFirstBody + static_cast<std::uint32_t>(message.body.index());
  const std::size_t body_size = std::visit([](const auto& body) { return size_of(body); }, message.body);
  FieldSizer sizer;
  wire::letter_fields(sizer, std::as_const(save_number), message.run, signature);
  sizer.message(field, body_size);
  return enclose(kLetterPlace, sizer.size(), [&](FieldWriter& writer) {
    wire::letter_fields(writer, std::as_const(save_number), message.run, signature);
    writer.message(field, body_size);
    std::visit([&](const auto& body) { wire::fields(writer, body); }, message.body);
  });
}

Bytes encode(const Envelope& envelope) {
  return std::visit(
      [&]<typename T>(const T& content) {
        if constexpr (std::is_same_v<T, Letter>) {
          return encode_letter(content.save_number, content.message, content.signature);
        } else {
          return enclose(envelope.index(), size_of(content),
                         [&](FieldWriter& writer) { wire::fields(writer, content); });
        }
      },
      envelope);
}

Result<Envelope> decode(ByteSpan bytes) {
  FieldReader in(bytes);
  Envelope out;
  const std::uint32_t field = in.message();
  if (!in.failed()) read_alternative(in, field, wire::kFirstContent, out);
  in.end();
  if (in.failed()) return error(ErrorCode::kPeer, "what it sent cannot be read: {}", in.why());
  return out;
}

}  // namespace ppdnmf::wire
