// What every column of an owner's data has spent, whatever the data were called: budgets add up per column.
//
// Columns are known by digests under a key that stays with the owner, so that the file alone tells nobody whose columns
// were in a run. A column that was changed in any digit, divided by something, say, is another column.
// Values, no files; not safe to share between threads.
#ifndef PPDNMF_PRIVACY_COLUMN_LEDGER_H_
#define PPDNMF_PRIVACY_COLUMN_LEDGER_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/privacy/ledger.h>

namespace ppdnmf::privacy {

using ColumnDigest = std::array<std::uint8_t, 16>;
using ColumnKey = std::array<std::uint8_t, 32>;

// Of one column's entries, and of the person that columns belong to. Two columns have the same digest by accident with
// a probability of 2^-128.
[[nodiscard]] ColumnDigest digest_of_column(const ColumnKey& key, std::span<const double> entries);
[[nodiscard]] ColumnDigest digest_of_person(const ColumnKey& key, std::string_view person);

class ColumnLedger {
 public:
  explicit ColumnLedger(const ColumnKey& key) : key_(key) {}

  // What `bytes` wrote. Fails with kInvalidData on anything else: an account that cannot be read is not empty.
  [[nodiscard]] static Result<ColumnLedger> parse(ByteSpan bytes);
  // 24 bytes for each column, and a few for each run.
  [[nodiscard]] Bytes bytes() const;

  [[nodiscard]] const ColumnKey& key() const { return key_; }

  // How many of these columns have been in a run, and what the one that spent most has spent; the runs counted therein.
  // The digests may come in any order and repeat.
  struct Known {
    std::size_t columns = 0;
    Spent spent;
  };
  [[nodiscard]] Known find(std::vector<ColumnDigest> digests) const;

  // Debits a run of rho to each of the columns, once however often it is asked. Fails with kUsage if the run was
  // debited another rho.
  [[nodiscard]] Status debit(const std::string& run, double rho, std::vector<ColumnDigest> digests);

 private:
  struct Column {
    ColumnDigest digest{};
    double rho = 0;
  };
  ColumnKey key_;
  std::map<std::string, double> runs_;
  std::vector<Column> columns_;  // by digest, each once
};

}  // namespace ppdnmf::privacy

#endif  // PPDNMF_PRIVACY_COLUMN_LEDGER_H_
