// The ledger of privacy budgets (privacy/ledger.h) as a file beside an identity's, and beside it, as
// NAME.ledger.columns, what each column has spent (privacy/column_ledger.h), with the key of its digests; both are for
// their owner only.
#ifndef PPDNMF_IDENTITY_LEDGER_FILE_H_
#define PPDNMF_IDENTITY_LEDGER_FILE_H_

#include <filesystem>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/privacy/column_ledger.h>

namespace ppdnmf::identity {

// A run's own columns as the ledger knows them. Rows that have names count in the order of their names, since another
// consortium may have another order; rows without names count as they stand. Columns of zeros tell nothing and are not
// kept.
struct LedgerColumns {
  data::SharedColumns columns;
  std::vector<std::string> row_names{};  // empty: rows have none
  std::vector<std::string> persons{};    // of each column; empty: nobody said
};

[[nodiscard]] std::vector<privacy::ColumnDigest> column_digests(const privacy::ColumnKey& key,
                                                                const LedgerColumns& columns);

// Debits a run before its first message, to the data's name and to each column: when this has returned, the debit is
// durable. What is spent already is what the column that was in most runs has spent, under whatever name. Processes
// that debit at the same time wait for each other; one that was killed in between debits once when it comes again.
// Fails as read_file, Ledger::parse, Ledger::debit and write_file do, the path in front; the run must not begin then.
// `check_ledger` says whether it would, and leaves the files as they are.
[[nodiscard]] Status debit_ledger(const std::filesystem::path& path, const std::string& name, const std::string& run,
                                  double rho, const LedgerColumns& columns);
[[nodiscard]] Status check_ledger(const std::filesystem::path& path, const std::string& name, const std::string& run,
                                  double rho, const LedgerColumns& columns);

// How many of the columns (and persons) the ledger at `path` knows from private runs; 0 where there is none. Fails with
// kInvalidData or kFile if it cannot be read.
[[nodiscard]] Result<std::size_t> known_columns(const std::filesystem::path& path, const LedgerColumns& columns);

}  // namespace ppdnmf::identity

#endif  // PPDNMF_IDENTITY_LEDGER_FILE_H_
