#include <ppdnmf/run/options.h>

#include <charconv>
#include <cmath>

#include <ppdnmf/protocol/privacy_account.h>

namespace ppdnmf::run {
namespace {

// Nothing unless a private run is wanted.
Result<std::optional<protocol::PrivacySettings>> make_privacy(const NetworkOptions& n, const protocol::RunSettings& s, Index columns,
                                                    std::uint32_t agents) {
  if (!n.epsilon) {
    if (n.delta || !n.normalise.empty() || n.assume_honest || !n.ledger.empty() || !n.data_name.empty()) {
      return error(
          ErrorCode::kUsage,
          "--delta, --normalise, --assume-honest, --ledger and --data-name are for private runs: add --epsilon");
    }
    return std::optional<protocol::PrivacySettings>();
  }
  if (s.exchange != protocol::ExchangeKind::kSum) {
    return error(ErrorCode::kUsage, "--epsilon needs --exchange sum: no other exchange can add its noise up");
  }
  if (!n.delta) return error(ErrorCode::kUsage, "--epsilon needs --delta: a number well below 1/columns, such as 1e-6");
  if (n.normalise.empty()) {
    return error(
        ErrorCode::kUsage,
        "--epsilon needs --normalise l1 or l2: what a column adds to the totals must have a bound that does not "
        "come from the data");
  }
  if (n.ledger.empty() != n.data_name.empty()) {
    return error(ErrorCode::kUsage,
                 "--ledger FILE and --data-name NAME go together: which data, and where it is written down");
  }
  const nmf::ColumnNorm norm = n.normalise == "l1" ? nmf::ColumnNorm::kL1 : nmf::ColumnNorm::kL2;
  PPDNMF_TRY(const protocol::PrivacySettings privacy,
             protocol::plan_privacy({{*n.epsilon, *n.delta}, norm, n.assume_honest, static_cast<double>(columns)}, s, agents));
  return std::optional(privacy);
}

}  // namespace

Result<std::optional<double>> parse_automatic(const std::string& option, const std::string& text) {
  if (text == "auto") return std::optional<double>();
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value <= 0) {
    return error(ErrorCode::kUsage, "{} must be 'auto' or a positive number, not '{}'", option, text);
  }
  // Beyond this the arithmetic of a run overflows, whatever the data are.
  constexpr double kFar = 1e200;
  if (value < 1 / kFar || value > kFar) {
    return error(ErrorCode::kUsage, "{} must be 'auto' or a number from 1e-200 to 1e200, not '{}'", option, text);
  }
  return std::optional<double>(value);
}

nmf::Start parse_start(const std::string& text) { return text == "ones" ? nmf::Start::kOnes : nmf::Start::kRandom; }

Result<protocol::RunSettings> make_settings(const FactorOptions& f, const NetworkOptions& n, Index rows, Index columns,
                                  const protocol::Graph& graph) {
  const bool sum = n.exchange == "sum";
  if (sum && !n.no_use_for_sum.empty()) {
    return error(ErrorCode::kUsage, "{} means nothing to --exchange sum: leave it out", n.no_use_for_sum.front());
  }
  protocol::RunSettings s;
  s.rows = rows;
  s.rank = f.rank;
  s.updates = n.updates == "as-printed" ? nmf::Updates::kAsPrinted : nmf::Updates::kCorrected;
  s.exchange = sum                          ? protocol::ExchangeKind::kSum
               : n.exchange == "as-printed" ? protocol::ExchangeKind::kAsPrinted
                                            : protocol::ExchangeKind::kHardened;
  s.starts = n.starts;
  s.start = parse_start(f.start);
  // The printed algorithm starts from Y = 0 and repeats nothing between exchanges.
  const bool printed = s.updates == nmf::Updates::kAsPrinted;
  s.y_first = !printed;
  s.local_rounds = n.local_rounds > 0 ? n.local_rounds : printed ? 1 : s.local_rounds;
  s.admm_x = f.admm_x.value_or(protocol::automatic_admm_x(graph));
  s.admm_y = f.admm_y.value_or(s.admm_y);
  s.bcd = f.bcd.value_or(n.epsilon ? privacy::kPrivateExchanges : sum ? protocol::automatic_exchanges(s.starts) : protocol::automatic_bcd(s.admm_x));
  s.bcd_tolerance = f.tolerance;
  s.admm_tolerance = n.admm_tolerance;
  PPDNMF_TRY(s.mu, parse_automatic("--mu", f.mu));
  PPDNMF_TRY(s.eta, parse_automatic("--eta", f.eta));
  PPDNMF_TRY(s.weight, parse_automatic("--weight", n.weight));
  // The printed update weighs Q twice, so that scaling the data would change it: given the paper's g, data stay as they
  // are. Otherwise the agents find their scale in the opening.
  if (printed && s.weight) s.data_scale = 1;
  if (s.rank >= 1) {
    PPDNMF_TRY(s.privacy, make_privacy(n, s, columns, graph.agents()));
  }
  s.n_max = n.n_max;
  s.u_bound = n.u_bound;
  if (s.n_max >= 1 && s.u_bound >= 1) protocol::complete(s, graph);
  PPDNMF_TRY_STATUS(protocol::validate(s));
  return s;
}

std::optional<crypto::KeyOptions> key_options(const NetworkOptions& options) {
  if (options.cipher == "none" || options.exchange == "sum") return std::nullopt;
  crypto::KeyOptions keys;
  keys.bits = options.key_bits;
  keys.profile = options.key_profile == "fast" ? crypto::KeyProfile::kFast : crypto::KeyProfile::kStandard;
  return keys;
}

}  // namespace ppdnmf::run
