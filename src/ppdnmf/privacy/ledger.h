// What the runs over some data may spend together, and what they have spent: budgets add up (docs/privacy.md).
//
// A ledger is a text that its owner writes and reads, too. Lines, in any order; '#' begins a comment:
//   data NAME epsilon E delta D       what all runs over these data together may spend; NAME is the owner's word, E at
//                                     most 1000
//   spent NAME RUN rho R              what the run with this identity was debited, at most 1e6
// Values, no files; not safe to share between threads.
#ifndef PPDNMF_PRIVACY_LEDGER_H_
#define PPDNMF_PRIVACY_LEDGER_H_

#include <map>
#include <set>
#include <string>
#include <string_view>

#include <ppdnmf/base/result.h>
#include <ppdnmf/privacy/account.h>

namespace ppdnmf::privacy {

// What a run's columns have spent before, where that is known per column (privacy/column_ledger.h): the most that one
// of them has, and the runs that were counted so.
struct Spent {
  double largest = 0;
  std::set<std::string> runs;
};

class Ledger {
 public:
  // Fails with kInvalidData, naming the line, on anything but the above: an account that cannot be read is not empty.
  [[nodiscard]] static Result<Ledger> parse(std::string_view text);

  // Debits a run of rho to the data called `name`. A run that has been debited already, as when it resumes, is not
  // debited again, if its rho is the same. Fails with kUsage if there is no such name, if the run was debited another
  // rho, or if all runs together would cost more than the data's budget: the sentence says what is left. Runs of
  // `known` count as `known` says, whatever their data were called; all others of this name count for every column.
  // `run`: letters and digits.
  [[nodiscard]] Status debit(const std::string& name, const std::string& run, double rho, const Spent& known = {});

  // rho of all runs so far but for those of `known`, and known.largest; 0 for a name that is not there.
  [[nodiscard]] double spent(const std::string& name, const Spent& known = {}) const;

  // What `parse` takes. Lines are sorted by name and run; comments are gone.
  [[nodiscard]] std::string text() const;

 private:
  struct Account {
    Budget budget;
    std::map<std::string, double> runs;  // rho by run
  };
  [[nodiscard]] Status read_line(std::string_view line);

  std::map<std::string, Account> accounts_;
};

}  // namespace ppdnmf::privacy

#endif  // PPDNMF_PRIVACY_LEDGER_H_
