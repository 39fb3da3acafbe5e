#include <algorithm>

#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/protocol/settings_table.h>

namespace ppdnmf::consortium {
namespace {

void put_digest(ByteWriter& out, const Digest& digest) { out.put_array(digest.data(), digest.size()); }

void put_optional(ByteWriter& out, const std::optional<Digest>& digest) {
  out.put<std::uint8_t>(digest ? 1 : 0);
  put_digest(out, digest.value_or(Digest{}));
}

// `fill` is given room for one column, and puts its entries there.
template <class Fill>
Digest digest_by_columns(Index rows, Index columns, const Fill& fill) {
  ByteWriter out;
  out.put_string("ppdnmf matrix 1");
  out.put<std::int64_t>(rows);
  out.put<std::int64_t>(columns);
  Sha256 hash;
  hash.add(out.take());
  std::vector<double> values(static_cast<std::size_t>(rows));
  for (Index column = 0; column < columns; ++column) {
    fill(column, values);
    hash.add({reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(double)});
  }
  return hash.finish();
}

void put_names(ByteWriter& out, std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  out.put<std::uint64_t>(names.size());
  for (const std::string& name : names) out.put_string(name);
}

void put_edges(ByteWriter& out, std::vector<std::pair<std::string, std::string>> edges) {
  for (auto& [a, b] : edges) {
    if (b < a) std::swap(a, b);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  out.put<std::uint64_t>(edges.size());
  for (const auto& [a, b] : edges) {
    out.put_string(a);
    out.put_string(b);
  }
}

// Every setting by its name, so that a file that says nothing new keeps its digest.
void put_settings(ByteWriter& out, const protocol::Settings& settings) {
  const protocol::Settings meant = protocol::with_defaults(settings);
  for (const protocol::Setting& setting : protocol::settings_table()) {
    if (setting.section.empty() || !protocol::has_line(setting, meant)) continue;
    out.put_string(setting.name);
    out.put_string(protocol::text_of(setting.get(meant)));
  }
}

}  // namespace

Digest digest_of(const Consortium& consortium) {
  ByteWriter out;
  out.put_string("ppdnmf consortium 2");
  out.put<std::uint64_t>(consortium.members.size());
  for (const Member& member : consortium.members) put_digest(out, member.identity.fingerprint());
  put_edges(out, consortium.edges);
  out.put(consortium.rows);
  put_digest(out, row_names_digest(consortium.row_names));
  put_optional(out, consortium.start_from);
  put_names(out, consortium.allow_degree_one);
  put_names(out, consortium.allow_few_columns);
  put_names(out, consortium.allow_difference_of);
  out.put<std::uint8_t>(consortium.throw_away_seed ? 1 : 0);
  out.put(consortium.throw_away_seed.value_or(0));
  put_settings(out, consortium.settings);
  if (consortium.known) put_digest(out, *consortium.known);
  for (std::size_t i = 0; i < consortium.members.size(); ++i) {
    const auto& steward = consortium.members[i].steward;
    if (!steward) continue;
    out.put_string("steward");
    out.put<std::uint64_t>(i);
    put_digest(out, steward->fingerprint());
  }
  if (consortium.relay) {
    out.put_string("relay");
    put_digest(out, consortium.relay->identity.fingerprint());
  }
  return sha256(out.take());
}

Digest known_digest(const nmf::KnownColumns& known) {
  return sha256({row_names_digest(known.names), matrix_digest(known.values)});
}

Digest row_names_digest(std::span<const std::string> names) {
  ByteWriter out;
  out.put_string("ppdnmf row names 1");
  out.put<std::uint64_t>(names.size());
  for (const std::string& name : names) out.put_string(name);
  return sha256(out.take());
}

Digest matrix_digest(const Matrix& matrix) {
  return digest_by_columns(matrix.rows(), matrix.cols(), [&](Index column, std::vector<double>& values) {
    for (Index row = 0; row < matrix.rows(); ++row) values[static_cast<std::size_t>(row)] = matrix(row, column) + 0.0;
  });
}

Digest matrix_digest(const data::Nonzeros& matrix) {
  return digest_by_columns(matrix.rows, matrix.count(), [&](Index column, std::vector<double>& values) {
    std::fill(values.begin(), values.end(), 0.0);
    const auto m = static_cast<std::size_t>(column);
    for (std::size_t i = matrix.first[m]; i < matrix.first[m + 1]; ++i)
      values[static_cast<std::size_t>(matrix.row[i])] = matrix.value[i] + 0.0;
  });
}

}  // namespace ppdnmf::consortium
