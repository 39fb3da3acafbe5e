#include <ppdnmf/privacy/column_ledger.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <ppdnmf/base/digest.h>

namespace ppdnmf::privacy {
namespace {

constexpr std::string_view kFormat = "ppdnmf columns 1";
constexpr std::size_t kColumnBytes = sizeof(ColumnDigest) + sizeof(double);

ByteSpan bytes_of(std::string_view text) { return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}; }

// The key, the kind and the length come first: no digest is the beginning of another's input.
ColumnDigest keyed(const ColumnKey& key, std::string_view kind, ByteSpan content) {
  ByteWriter head;
  head.put_array(key.data(), key.size());
  head.put_string(kind);
  head.put<std::uint64_t>(content.size());
  const Digest whole = sha256({head.take(), content});
  ColumnDigest out;
  std::copy_n(whole.begin(), out.size(), out.begin());
  return out;
}

void sort_once(std::vector<ColumnDigest>& digests) {
  std::sort(digests.begin(), digests.end());
  digests.erase(std::unique(digests.begin(), digests.end()), digests.end());
}

bool is_rho(double rho) { return rho >= 0 && std::isfinite(rho); }

}  // namespace

ColumnDigest digest_of_column(const ColumnKey& key, std::span<const double> entries) {
  return keyed(key, "column", {reinterpret_cast<const std::uint8_t*>(entries.data()), entries.size_bytes()});
}

ColumnDigest digest_of_person(const ColumnKey& key, std::string_view person) {
  return keyed(key, "person", bytes_of(person));
}

Result<ColumnLedger> ColumnLedger::parse(ByteSpan bytes) {
  const auto damaged = error(ErrorCode::kInvalidData, "is damaged, or no file of columns that were in private runs");
  if (bytes.size() < sizeof(Digest)) return damaged;
  const ByteSpan content = bytes.first(bytes.size() - sizeof(Digest));
  const Digest check = sha256(content);
  if (!std::equal(check.begin(), check.end(), bytes.end() - sizeof(Digest))) return damaged;
  ByteReader in(content);
  if (in.get_string() != kFormat) return damaged;
  ColumnKey key{};
  in.get_array(key.data(), key.size());
  ColumnLedger out(key);
  for (auto runs = in.get<std::uint64_t>(); runs > 0 && !in.failed(); --runs) {
    const std::string run = in.get_string();
    out.runs_.emplace(run, in.get<double>());
  }
  const auto count = in.get<std::uint64_t>();
  if (in.failed() || in.left() / kColumnBytes != count) return damaged;
  out.columns_.resize(count);
  for (Column& column : out.columns_) {
    in.get_array(column.digest.data(), column.digest.size());
    column.rho = in.get<double>();
    if (!is_rho(column.rho)) return damaged;
  }
  const auto rising = [](const Column& a, const Column& b) { return a.digest < b.digest; };
  const bool sorted =
      std::adjacent_find(out.columns_.begin(), out.columns_.end(), std::not_fn(rising)) == out.columns_.end();
  if (!in.status() || !sorted) return damaged;
  return out;
}

Bytes ColumnLedger::bytes() const {
  ByteWriter out;
  out.put_string(kFormat);
  out.put_array(key_.data(), key_.size());
  out.put<std::uint64_t>(runs_.size());
  for (const auto& [run, rho] : runs_) {
    out.put_string(run);
    out.put(rho);
  }
  out.put<std::uint64_t>(columns_.size());
  for (const Column& column : columns_) {
    out.put_array(column.digest.data(), column.digest.size());
    out.put(column.rho);
  }
  Bytes bytes = out.take();
  const Digest check = sha256(bytes);
  bytes.insert(bytes.end(), check.begin(), check.end());
  return bytes;
}

ColumnLedger::Known ColumnLedger::find(std::vector<ColumnDigest> digests) const {
  sort_once(digests);
  Known known;
  for (const auto& [run, rho] : runs_) known.spent.runs.insert(run);
  auto at = columns_.begin();
  for (const ColumnDigest& digest : digests) {
    while (at != columns_.end() && at->digest < digest) ++at;
    if (at == columns_.end()) break;
    if (at->digest != digest) continue;
    ++known.columns;
    known.spent.largest = std::max(known.spent.largest, at->rho);
  }
  return known;
}

Status ColumnLedger::debit(const std::string& run, double rho, std::vector<ColumnDigest> digests) {
  PPDNMF_CHECK(is_rho(rho));
  if (const auto [before, added] = runs_.emplace(run, rho); !added) {
    if (before->second == rho) return {};
    return error(ErrorCode::kUsage, "this run has been debited rho {:g} already, not {:g}", before->second, rho);
  }
  sort_once(digests);
  std::vector<Column> merged;
  merged.reserve(columns_.size() + digests.size());
  auto at = columns_.begin();
  for (const ColumnDigest& digest : digests) {
    while (at != columns_.end() && at->digest < digest) merged.push_back(*at++);
    const bool known = at != columns_.end() && at->digest == digest;
    merged.push_back({digest, rho + (known ? at->rho : 0)});
    if (known) ++at;
  }
  merged.insert(merged.end(), at, columns_.end());
  columns_ = std::move(merged);
  return {};
}

}  // namespace ppdnmf::privacy
