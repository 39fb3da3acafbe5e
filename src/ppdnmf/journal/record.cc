#include <ppdnmf/journal/record.h>

#include <algorithm>

namespace ppdnmf::journal {
namespace {

constexpr std::string_view kLabel = "ppdnmf journal 1";
constexpr std::size_t kMaxNumericsBytes = 64;

Digest get_digest(ByteReader& in) {
  Digest digest{};
  in.get_array(digest.data(), digest.size());
  return digest;
}

Status check_binding(const JournalBinding& saved, const JournalBinding& wanted) {
  const auto other = [](const char* what, const char* remedy) {
    return error(ErrorCode::kUsage, "holds a run with {}: {}, or choose another folder", what, remedy);
  };
  if (saved.consortium != wanted.consortium) return other("another consortium file", "give the file it began with");
  if (saved.identity != wanted.identity) return other("another identity", "give the identity it began with");
  if (saved.data != wanted.data) return other("other data", "give the data it began with");
  if (saved.numerics != wanted.numerics)
    return other("another version of ppdnmf", "continue with the version it began with");
  return {};
}

}  // namespace

RecordParts record_around(std::uint64_t number, const JournalBinding& binding, ByteSpan content) {
  PPDNMF_CHECK(binding.numerics.size() <= kMaxNumericsBytes);
  ByteWriter out;
  out.put_string(kLabel);
  out.put(number);
  for (const Digest& digest : {binding.data, binding.consortium, binding.identity})
    out.put_array(digest.data(), digest.size());
  out.put_string(binding.numerics);
  out.put<std::uint64_t>(content.size());
  RecordParts parts;
  parts.before = out.take();
  parts.after = sha256({parts.before, content});
  return parts;
}

Result<std::optional<Record>> read_record(ByteSpan bytes, const JournalBinding& binding) {
  constexpr std::size_t kDigestBytes = sizeof(Digest);
  if (bytes.size() < kDigestBytes) return std::optional<Record>();
  const ByteSpan text = bytes.first(bytes.size() - kDigestBytes);
  if (!std::ranges::equal(sha256(text), bytes.last(kDigestBytes))) return std::optional<Record>();
  ByteReader in(text);
  if (in.get_string() != kLabel) {
    return error(ErrorCode::kUsage,
                 "was written by another version of ppdnmf: continue with that version, or choose another folder");
  }
  Record record;
  record.number = in.get<std::uint64_t>();
  JournalBinding saved;
  saved.data = get_digest(in);
  saved.consortium = get_digest(in);
  saved.identity = get_digest(in);
  saved.numerics = in.get_string();
  const auto size = in.get<std::uint64_t>();
  if (in.failed() || size != in.left()) return std::optional<Record>();
  record.content = text.last(in.left());
  PPDNMF_TRY_STATUS(check_binding(saved, binding));
  return std::optional(record);
}

}  // namespace ppdnmf::journal
