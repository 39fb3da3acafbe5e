#include <ppdnmf/consortium/run_settings.h>

#include <ppdnmf/protocol/privacy_account.h>

namespace ppdnmf::consortium {
namespace {

AgreedExchange agreed(protocol::ExchangeKind kind) {
  switch (kind) {
    case protocol::ExchangeKind::kHardened:
      return AgreedExchange::kHardened;
    case protocol::ExchangeKind::kSum:
      return AgreedExchange::kSum;
    case protocol::ExchangeKind::kAsPrinted:
      return AgreedExchange::kAsPrinted;
  }
  return AgreedExchange::kHardened;
}

}  // namespace

protocol::ExchangeKind kind_of(AgreedExchange exchange) {
  switch (exchange) {
    case AgreedExchange::kHardened:
      return protocol::ExchangeKind::kHardened;
    case AgreedExchange::kSum:
      return protocol::ExchangeKind::kSum;
    case AgreedExchange::kAsPrinted:
      return protocol::ExchangeKind::kAsPrinted;
  }
  return protocol::ExchangeKind::kHardened;
}

Result<protocol::RunSettings> run_settings(const AgreedSettings& settings, const protocol::Graph& graph) {
  protocol::RunSettings s;
  s.rows = settings.rows;
  s.rank = settings.rank;
  s.exchange = kind_of(settings.exchange);
  s.updates = settings.updates;
  s.start = settings.start;
  const bool printed = s.updates == nmf::Updates::kAsPrinted;
  s.y_first = !printed;
  s.bcd = settings.bcd;
  s.starts = settings.starts;
  s.admm_x = settings.admm_x;
  s.admm_y = settings.admm_y;
  s.local_rounds = settings.local_rounds;
  s.bcd_tolerance = settings.tolerance;
  s.admm_tolerance = settings.admm_tolerance;
  s.mu = settings.mu;
  s.eta = settings.eta;
  s.weight = settings.weight;
  if (printed && s.weight) s.data_scale = 1;
  if (const auto& wanted = settings.privacy) {
    const protocol::PrivacyWish wish{wanted->budget, wanted->normalise, wanted->assume_honest,
                           static_cast<double>(wanted->columns)};
    PPDNMF_TRY(s.privacy, protocol::plan_privacy(wish, s, graph.agents()));
  }
  s.n_max = settings.n_max;
  s.u_bound = settings.u_bound;
  // What validate refuses cannot always be completed.
  if (s.n_max >= 1 && s.u_bound >= 1) protocol::complete(s, graph);
  PPDNMF_TRY_STATUS(protocol::validate(s));
  return s;
}

Result<protocol::RunSettings> run_settings(const CheckedConsortium& consortium) {
  return run_settings(consortium.content().settings, consortium.graph());
}

std::optional<crypto::KeyOptions> key_options(const AgreedSettings& settings) {
  if (settings.cipher_none || settings.exchange == AgreedExchange::kSum) return std::nullopt;
  return crypto::KeyOptions{.bits = static_cast<std::size_t>(settings.key_bits), .profile = settings.key_profile};
}

AgreedSettings agreed_settings(const protocol::RunSettings& settings) {
  AgreedSettings s;
  s.rows = settings.rows;
  s.rank = settings.rank;
  s.exchange = agreed(settings.exchange);
  s.updates = settings.updates;
  s.start = settings.start;
  s.bcd = settings.bcd;
  s.starts = settings.starts;
  s.admm_x = settings.admm_x;
  s.admm_y = settings.admm_y;
  s.local_rounds = settings.local_rounds;
  s.tolerance = settings.bcd_tolerance;
  s.admm_tolerance = settings.admm_tolerance;
  s.mu = settings.mu;
  s.eta = settings.eta;
  s.weight = settings.weight;
  if (const auto& privacy = settings.privacy) {
    s.privacy = AgreedPrivacy{privacy->budget, privacy->normalise, privacy->noise.honest,
                              static_cast<std::int64_t>(privacy->columns)};
  }
  s.n_max = settings.n_max;
  s.u_bound = settings.u_bound;
  return s;
}

}  // namespace ppdnmf::consortium
