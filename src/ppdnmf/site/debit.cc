#include <ppdnmf/site/debit.h>

#include <fmt/format.h>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/identity/ledger_file.h>

namespace ppdnmf::site {
namespace {

std::string run_name(const Digest& consortium, const crypto::IdentityBytes& nonce) {
  constexpr std::size_t kDigits = 32;
  ByteWriter out;
  out.put_string("ppdnmf ledger 1");
  out.put_array(consortium.data(), consortium.size());
  out.put_array(nonce.data(), nonce.size());
  return hex(sha256(out.take())).substr(0, kDigits);
}

identity::LedgerColumns columns_of(const DaemonConfig& config) {
  return {config.data.view(), config.rows_have_names ? config.data.row_names : std::vector<std::string>(),
          config.persons};
}

}  // namespace

Status Debit::check() const { return identity::check_ledger(ledger, data_name, run, rho, columns); }
Status Debit::take() const { return identity::debit_ledger(ledger, data_name, run, rho, columns); }

Result<std::optional<Debit>> debit_of(const DaemonConfig& config, const protocol::RunSettings& settings,
                                      const crypto::IdentityBytes& nonce) {
  const bool due = settings.privacy && !config.consortium->content().throw_away_seed;
  if (!due) {
    if (config.data_name.empty()) return std::optional<Debit>();
    return error(ErrorCode::kUsage, "`data_name={}` is for private runs, and this is {}: leave it out",
                 config.data_name, settings.privacy ? "one to be thrown away, which 'ppdnmf launch' debits" : "none");
  }
  if (config.data_name.empty() || config.ledger.empty()) {
    return error(ErrorCode::kUsage,
                 "this run is private, and budgets add up over runs: say with `data_name=NAME` what these data are "
                 "called in the ledger {}, which has a line 'data NAME epsilon E delta D' with what all runs over them "
                 "may spend",
                 config.ledger.string());
  }
  return std::optional(Debit{config.ledger, config.data_name, run_name(config.consortium->digest(), nonce),
                             settings.privacy->cost().rho, columns_of(config)});
}

Result<std::vector<std::string>> check_exact_run(const DaemonConfig& config) {
  const consortium::Consortium& content = config.consortium->content();
  if (content.settings.epsilon && config.exact_anyway)
    return error(ErrorCode::kUsage,
                 "`exact_anyway` is for runs of exact totals, and this one is private: leave it out");
  if (content.settings.epsilon || content.throw_away_seed || config.ledger.empty()) return std::vector<std::string>();
  PPDNMF_TRY(const std::size_t known, identity::known_columns(config.ledger, columns_of(config)));
  if (known == 0) return std::vector<std::string>();
  if (!config.exact_anyway) {
    return error(ErrorCode::kUsage,
                 "{} of these columns have been in private runs ({}), and this run opens exact totals, which tell of "
                 "them beyond any budget: take other columns, or say with `exact_anyway` that this is wanted",
                 known, config.ledger.string());
  }
  return std::vector{fmt::format(
      "{} of this member's columns have been in private runs before, and this run opened exact totals of them: what "
      "those runs promised about these columns holds no longer",
      known)};
}

}  // namespace ppdnmf::site
