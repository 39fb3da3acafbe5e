// What the members of a run have agreed on, as their common file says it.
#ifndef PPDNMF_CONSORTIUM_CONSORTIUM_H_
#define PPDNMF_CONSORTIUM_CONSORTIUM_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/identity/address.h>
#include <ppdnmf/identity/public_identity.h>
#include <ppdnmf/nmf/loss_options.h>
#include <ppdnmf/protocol/settings.h>

namespace ppdnmf::consortium {

// No file has more; what has is refused before it is taken apart.
inline constexpr std::size_t kMaxConsortiumBytes = std::size_t{8} << 20U;
inline constexpr std::size_t kMaxMembers = 1000;
inline constexpr std::size_t kMaxEdges = 50'000;
inline constexpr std::size_t kMaxRowNames = 200'000;
inline constexpr std::size_t kMaxRowNameBytes = 128;

struct Member {
  identity::PublicIdentity identity;
  std::optional<identity::Address> address;  // nothing: it does not listen, it dials
  // Who answers for its data: it does not take part without this one's approval (consortium/approval.h).
  std::optional<identity::PublicIdentity> steward{};
};

// Forwards between members that cannot connect to each other. No member, and knows nothing of the run.
struct RelayEntry {
  identity::PublicIdentity identity;
  identity::Address address;
};

// As parsed; whether it makes sense is what check() says (consortium/check.h).
struct Consortium {
  std::vector<Member> members;  // an agent's id is its place here
  std::vector<std::pair<std::string, std::string>> edges;
  std::int64_t rows = 0;               // of everybody's data
  std::vector<std::string> row_names;  // one for each row, in their order; empty: rows have no names
  std::optional<Digest> start_from;    // matrix_digest of the X to continue from
  std::optional<Digest> known;         // known_digest of the columns of X that stay
  protocol::Settings settings;         // min_columns: fewer from one member are refused, unless it is allowed below
  // What would otherwise be refused, by the member's name.
  std::vector<std::string> allow_degree_one;     // sees its only neighbour's messages alone
  std::vector<std::string> allow_few_columns;    // has fewer than min_columns
  std::vector<std::string> allow_difference_of;  // a lost member whose part of the totals others can compute
  std::optional<RelayEntry> relay{};
  std::optional<std::uint64_t> throw_away_seed;  // every secret follows from it: `launch` on this machine only
};

// Fails with kInvalidData on a file that is too long, no TOML, or has a wrong, missing or unknown entry: the sentence
// names the line and the entry. Every identity in it has been verified.
[[nodiscard]] Result<Consortium> parse_consortium(std::string_view text);
// The same from a file, its path in front of every sentence.
[[nodiscard]] Result<Consortium> read_consortium(const std::filesystem::path& path);
// parse_consortium gives the same back.
[[nodiscard]] std::string write_consortium(const Consortium& consortium);

// Over the meaning and not the bytes: order of entries and edges, comments, spelling of numbers and the addresses, the
// relay's too, do not enter. The order of the members does.
[[nodiscard]] Digest digest_of(const Consortium& consortium);

[[nodiscard]] Digest row_names_digest(std::span<const std::string> names);
// Of its shape and its values; of the same matrix it is the same, zeros written out or not.
[[nodiscard]] Digest matrix_digest(const Matrix& matrix);
[[nodiscard]] Digest matrix_digest(const data::Nonzeros& matrix);
// Of its names and its values.
[[nodiscard]] Digest known_digest(const nmf::KnownColumns& known);

}  // namespace ppdnmf::consortium

#endif  // PPDNMF_CONSORTIUM_CONSORTIUM_H_
