#include <ppdnmf/site/agent_run.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/approval.h>
#include <ppdnmf/consortium/check.h>
#include <ppdnmf/consortium/columns.h>
#include <ppdnmf/consortium/member_data.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/identity/day.h>
#include <ppdnmf/identity/files.h>
#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/site/debit.h>
#include <ppdnmf/site/internal/today.h>
#include <ppdnmf/site/outcome.h>

namespace ppdnmf::site {
namespace {

Result<consortium::CheckedConsortium> open_consortium(const std::filesystem::path& file) {
  PPDNMF_TRY(consortium::Consortium content, consortium::read_consortium(file));
  auto checked = consortium::CheckedConsortium::create(std::move(content), today());
  if (!checked) return at(file.string(), std::move(checked).error());
  return checked;
}

// The member that the identity is.
Status find_self(const AgentRequest& request, DaemonConfig& config) {
  const auto self = config.consortium->find(config.identity->public_identity());
  if (!self) {
    return error(ErrorCode::kUsage,
                 "{} is not a member of {}: 'ppdnmf identity show' and 'ppdnmf consortium check' print who is",
                 request.identity.string(), request.consortium.string());
  }
  config.self = *self;
  return {};
}

// Whether the run is one in which several processes of this member can have its columns together: what needs all
// columns in one place is not for them.
Status check_several_processes(const AgentRequest& request, const consortium::Consortium& content, AgentId self) {
  const protocol::Settings& s = content.settings;
  std::string_view what;
  if (!protocol::sums_only(protocol::scheme_of(s))) what = "`scheme` is hardened";
  if (s.least_rank > 0) what = "the number of components is looked for";
  if (s.crowd == protocol::CrowdKind::kBlank || s.crowd == protocol::CrowdKind::kDrop) what = "`crowd` changes columns";
  if (s.missing != protocol::MissingKind::kRefuse) what = "entries may be missing";
  if (s.site_effects) what = "sites have a part of their own (`site_effects`)";
  if (request.read_persons) what = "`persons` is given";
  if (content.members[self.value].steward) what = "this member has a steward";
  if (what.empty()) return {};
  return error(ErrorCode::kUsage,
               "several processes cannot take part together where {}: take part with one process, 'ppdnmf agent'",
               what);
}

Status take_data(const AgentRequest& request, DaemonConfig& config) {
  const consortium::CheckedConsortium& consortium = *config.consortium;
  if (request.read_persons && !consortium.content().settings.epsilon) {
    return error(ErrorCode::kUsage, "`persons` is for private runs: it says whom their noise protects; leave it out");
  }
  io::ReadLimits limits;
  limits.keep_sparse = true;
  limits.empty_is_nan = consortium.content().settings.missing == protocol::MissingKind::kNan;
  PPDNMF_TRY(io::Table table, request.read_data(limits));
  if (table.far) PPDNMF_TRY_STATUS(check_several_processes(request, consortium.content(), config.self));
  config.rows_have_names = !table.row_names.empty();
  PPDNMF_TRY(io::CheckedTable checked, consortium::arrange_rows(std::move(table), request.data_place,
                                                                request.clip_negative, consortium.content()));
  PPDNMF_TRY_STATUS(consortium::check_columns(consortium, config.self, checked.table.columns()));
  PPDNMF_TRY_STATUS(consortium::check_crowd(consortium, config.self, checked.table.view(), checked.table.row_names));
  config.data = std::move(checked.table);
  if (request.read_persons) {
    PPDNMF_TRY(config.persons, request.read_persons(config.data));
  }
  config.warnings = std::move(checked.notes);
  if (request.arranged) PPDNMF_TRY_STATUS(request.arranged(config.data));
  PPDNMF_TRY(config.pictures, report::prepare_pictures(request.pictures,
                                                       {config.data.rows(), config.data.row_names, config.data.image}));
  config.exposures = request.exposures;
  return {};
}

// Before anything leaves, in every process of the run.
Status take_approval(const AgentRequest& request, DaemonConfig& config) {
  const consortium::Member& self = config.consortium->content().members[config.self.value];
  if (!self.steward) {
    if (request.approval.empty()) return {};
    return error(ErrorCode::kUsage,
                 "`approval` is for members whose steward the file names, and this one has none: leave it out");
  }
  std::filesystem::path path = request.approval;
  if (path.empty()) path = std::filesystem::path(request.identity).replace_extension(".approval");
  if (config.data.on_disk) {
    return error(ErrorCode::kUsage,
                 "a steward's approval is held against data in memory, and these stay on disk: leave out `on_disk`, or "
                 "take a smaller part of them");
  }
  PPDNMF_TRY(const consortium::Approval approval, consortium::read_approval(path));
  auto good =
      consortium::check_approval(approval, *config.consortium, config.self, config.data, config.persons, today());
  if (!good) return at(path.string(), std::move(good).error());
  config.approval = approval;
  return {};
}

Status take_start(const AgentRequest& request, DaemonConfig& config) {
  if (!request.known.empty()) {
    PPDNMF_TRY(config.known, consortium::read_known(request.known.string(), config.consortium->content()));
  }
  if (request.start_from.empty()) return {};
  PPDNMF_TRY(io::Table X, io::read_matrix(request.start_from));
  config.start_from = std::move(X.values);
  const consortium::Consortium& content = config.consortium->content();
  if (content.start_from) {
    config.warnings.push_back(
        fmt::format("this run continues from an earlier X: every member can compute the part that {} had in the totals",
                    fmt::join(content.allow_difference_of, ", ")));
  }
  return {};
}

// Resuming is the rule, so a folder with a journal is no mistake; results without one are somebody else's.
Status prepare_folder(const std::filesystem::path& folder, bool force) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) return error(ErrorCode::kFile, "{}: cannot be created: {}", folder.string(), failure.message());
  if (std::filesystem::exists(folder / "journal", failure)) return {};
  return check_no_results(folder, force);
}

void announce(const DaemonConfig& config, const DaemonListener& listener) {
  const consortium::CheckedConsortium& consortium = *config.consortium;
  if (listener.begins) listener.begins(consortium.content().settings.iterations.value_or(0));
  listener.log(fmt::format("{}, one of {} members; all must see the same digits: {}",
                           config.identity->public_identity().name(), consortium.content().members.size(),
                           spoken(consortium.digest())));
  for (const std::string& warning : config.warnings) listener.log(warning);
  if (const auto& relay = consortium.content().relay) {
    listener.log(fmt::format("members that cannot connect to each other meet at {}, which {} runs",
                             identity::text_of(relay->address), relay->identity.name()));
  }
  if (config.proxy) {
    const std::string& exceptions = config.proxy->exceptions;
    listener.log(
        fmt::format("connections go through the proxy at {}{}", identity::text_of(config.proxy->address),
                    exceptions.empty() ? "" : ", but not those that no_proxy has: " + io::printable(exceptions)));
  }
  if (consortium.content().settings.trust_members && !consortium.content().throw_away_seed) {
    listener.log("totals are exact: a member that runs another program could read columns of the others");
  }
  if (consortium.content().throw_away_seed) {  // the report says so by itself
    listener.log("every secret of this run follows from a seed in its file: it protects nobody's data");
  }
}

}  // namespace

Result<identity::KeyRing> open_keys(const std::filesystem::path& file, const PassphraseQuestion& passphrase) {
  PPDNMF_TRY(const crypto::SecretBytes bytes, identity::read_key_file(file));
  std::optional<identity::Passphrase> answer;
  if (identity::KeyRing::is_sealed(bytes.span())) {
    PPDNMF_TRY(answer, passphrase());
  }
  auto keys = identity::KeyRing::decode(bytes.span(), answer ? &*answer : nullptr);
  if (!keys) return at(file.string(), std::move(keys).error());
  return keys;
}

identity::PrivateIdentity identity_for(const consortium::Consortium& consortium, identity::KeyRing keys) {
  return std::move(keys).choose([&](const identity::PublicIdentity& identity) {
    return std::any_of(consortium.members.begin(), consortium.members.end(),
                       [&](const consortium::Member& member) { return member.identity == identity; });
  });
}

Result<AgentResult> take_part(const AgentRequest& request, Executor& executor, const DaemonListener& listener) {
  PPDNMF_TRY(const consortium::CheckedConsortium consortium, open_consortium(request.consortium));
  PPDNMF_TRY(identity::KeyRing keys, open_keys(request.identity, request.passphrase));
  const Digest newest = keys.identity().public_identity().fingerprint();
  const identity::PrivateIdentity identity = identity_for(consortium.content(), std::move(keys));
  DaemonConfig config;
  config.consortium = &consortium;
  config.identity = &identity;
  config.folder = request.folder;
  config.listen = request.listen;
  config.proxy = request.proxy;
  config.version = request.version;
  config.data_name = request.data_name;
  config.ledger = request.ledger;
  if (config.ledger.empty()) config.ledger = std::filesystem::path(request.identity).replace_extension(".ledger");
  config.exact_anyway = request.exact_anyway;
  config.max_wait = request.max_wait;
  config.linger = request.linger;
  PPDNMF_TRY_STATUS(find_self(request, config));
  PPDNMF_TRY_STATUS(take_data(request, config));
  PPDNMF_TRY_STATUS(take_approval(request, config));
  PPDNMF_TRY(std::vector<std::string> exact, check_exact_run(config));
  for (std::string& warning : exact) config.warnings.push_back(std::move(warning));
  PPDNMF_TRY_STATUS(take_start(request, config));
  PPDNMF_TRY_STATUS(prepare_folder(request.folder, request.force));
  announce(config, listener);
  if (identity.public_identity().fingerprint() != newest) {
    listener.log(
        fmt::format("the consortium file names this member's identity from before its renewal, which ends on {}; "
                    "make the next file with the new .pub",
                    identity::day_text(identity.public_identity().valid_until())));
  }
  AgentResult result;
  PPDNMF_TRY(static_cast<DaemonResult&>(result), run_daemon(config, executor, listener));
  result.data = std::move(config.data);
  return result;
}

Result<AgentFactors> read_factors(const std::filesystem::path& folder, const io::Table& data) {
  PPDNMF_TRY(io::Table X, io::read_matrix(folder / "X.npy"));
  PPDNMF_TRY(io::Table Y, io::read_matrix(folder / "Y.npy"));
  if (X.values.rows() != data.rows() || Y.values.cols() != data.columns() || X.values.cols() != Y.values.rows())
    return error(ErrorCode::kFile, "{}: X.npy and Y.npy are not those of these data", folder.string());
  return AgentFactors{std::move(X.values), std::move(Y.values)};
}

}  // namespace ppdnmf::site
