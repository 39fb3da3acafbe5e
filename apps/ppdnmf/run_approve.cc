#include "apps/ppdnmf/run_approve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "apps/ppdnmf/clock.h"
#include "apps/ppdnmf/options.h"
#include "apps/ppdnmf/passphrase.h"
#include <ppdnmf/consortium/approval.h>
#include <ppdnmf/consortium/member_data.h>
#include <ppdnmf/convert/convert.h>
#include <ppdnmf/identity/entropy.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/persons.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/io/time_text.h>
#include <ppdnmf/report/html.h>

namespace ppdnmf::app {
namespace {

constexpr std::chrono::days kUsual{30};

Result<consortium::CheckedConsortium> open_consortium(const std::filesystem::path& file) {
  PPDNMF_TRY(consortium::Consortium content, consortium::read_consortium(file));
  auto checked = consortium::CheckedConsortium::create(std::move(content), now());
  if (!checked) return at(file.string(), std::move(checked).error());
  return checked;
}

// The member for whose data this identity answers.
Result<AgentId> find_member(const ApproveOptions& options, const consortium::CheckedConsortium& consortium,
                            const identity::PublicIdentity& steward) {
  std::vector<std::string> names;
  AgentId found;
  const auto& members = consortium.content().members;
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    if (!members[i].steward || !(*members[i].steward == steward)) continue;
    if (!options.member.empty() && options.member != members[i].identity.name()) continue;
    names.push_back(members[i].identity.name());
    found = AgentId{i};
  }
  if (names.size() == 1) return found;
  if (names.empty()) {
    return error(ErrorCode::kUsage,
                 "{} is not the steward of {} in {}: the file is made with 'consortium new `steward`'",
                 options.identity.string(), options.member.empty() ? "any member" : io::printable(options.member),
                 options.consortium.string());
  }
  return error(ErrorCode::kUsage, "{} is the steward of {}: say with `member` whose data these are", steward.name(),
               fmt::join(names, ", "));
}

Result<std::optional<double>> budget_of(const ApproveOptions& options, const consortium::Consortium& content) {
  if (options.budget.empty()) return content.settings.epsilon;
  if (options.budget == "exact") return std::optional<double>();
  const auto epsilon = io::parse_number(options.budget);
  if (!epsilon || !(*epsilon > 0) || *epsilon > 1e6)
    return error(ErrorCode::kUsage, "`budget` must be a positive epsilon or the word exact, not {}",
                 io::in_quotes(options.budget));
  return epsilon;
}

Result<std::chrono::sys_days> last_day(const ApproveOptions& options) {
  const auto today = std::chrono::floor<std::chrono::days>(now());
  if (options.until.empty()) return today + kUsual;
  const auto day = io::parse_iso_time(options.until + "T00:00:00Z");
  if (!day)
    return error(ErrorCode::kUsage, "`until` must be a day as 2027-01-31, not {}", io::in_quotes(options.until));
  if (*day < today) return error(ErrorCode::kUsage, "`until={}` is over already", options.until);
  return std::chrono::floor<std::chrono::days>(*day);
}

Digest fresh_salt() {
  Digest salt{};
  const crypto::SecretBytes bytes = identity::draw_entropy(salt.size());
  std::copy(bytes.span().begin(), bytes.span().end(), salt.begin());
  return salt;
}

struct ApprovedData {
  io::Table table;
  std::vector<std::string> persons;
};

// As the agent reads them.
Result<ApprovedData> read_approved_data(const ApproveOptions& options, const consortium::Consortium& content) {
  io::ReadLimits limits;
  limits.keep_sparse = true;
  limits.empty_is_nan = content.settings.missing == protocol::MissingKind::kNan;
  PPDNMF_TRY(io::Table table, convert::read_or_leave(options.data, io::OnDisk::kNever, limits));
  PPDNMF_TRY(io::CheckedTable checked,
             consortium::arrange_rows(std::move(table), options.data, options.clip_negative, content));
  ApprovedData out{std::move(checked.table), {}};
  if (!options.persons.empty()) {
    PPDNMF_TRY(out.persons, io::read_persons(options.persons, out.table.column_names, out.table.columns()));
  }
  return out;
}

std::string lead_of(const consortium::Approval& approval) {
  return fmt::format("{} has signed this.", approval.steward);
}

void tell(const consortium::Approval& approval, const consortium::CheckedConsortium& consortium) {
  for (const std::string& sentence : consortium::approval_words(approval, consortium))
    fmt::print("{}\n", in_flags(sentence));
}

// Of an approval that there is: a page without one would say that somebody signed.
Status write_page(const consortium::Approval& approval, const consortium::CheckedConsortium& consortium,
                  const std::filesystem::path& html) {
  if (html.empty()) return {};
  std::string body;
  for (const std::string& sentence : consortium::approval_words(approval, consortium))
    body += "<p>" + report::escape_html(in_flags(sentence)) + "</p>\n";
  return io::write_file(html, report::html_page("Approval", lead_of(approval), false, body, "Made by ppdnmf approve."));
}

Status show_approval(const ApproveOptions& options, const consortium::CheckedConsortium& consortium) {
  PPDNMF_TRY(const consortium::Approval approval, consortium::read_approval(options.show));
  const auto& members = consortium.content().members;
  const auto member = std::find_if(members.begin(), members.end(), [&](const consortium::Member& one) {
    return one.identity.name() == approval.member && one.steward;
  });
  if (approval.consortium != consortium.digest() || member == members.end())
    return error(ErrorCode::kUsage, "{} approves another file than {}", options.show.string(),
                 options.consortium.string());
  if (!consortium::is_signed_by(approval, *member->steward))
    return error(ErrorCode::kInvalidData, "{}: is not signed by {}, the steward of {}", options.show.string(),
                 member->steward->name(), approval.member);
  PPDNMF_TRY_STATUS(check_free(options.html, options.force));
  tell(approval, consortium);
  PPDNMF_TRY_STATUS(write_page(approval, consortium, options.html));
  fmt::print("{}\n", lead_of(approval));
  return {};
}

Status approve(const ApproveOptions& options, const consortium::CheckedConsortium& consortium) {
  if (options.identity.empty() || options.data.empty())
    return error(ErrorCode::kUsage, "`identity` and `data` are needed to approve, `show` to look at an approval");
  PPDNMF_TRY(identity::KeyRing keys, open_keys(options.identity, options.passphrase_fd));
  const auto& members = consortium.content().members;
  const identity::PrivateIdentity steward = std::move(keys).choose([&](const identity::PublicIdentity& one) {
    return std::any_of(members.begin(), members.end(),
                       [&](const consortium::Member& member) { return member.steward && *member.steward == one; });
  });
  PPDNMF_TRY(const AgentId self, find_member(options, consortium, steward.public_identity()));
  consortium::Approval approval;
  approval.consortium = consortium.digest();
  approval.member = members[self.value].identity.name();
  approval.steward = steward.public_identity().name();
  PPDNMF_TRY(approval.epsilon, budget_of(options, consortium.content()));
  PPDNMF_TRY(approval.until, last_day(options));
  const std::filesystem::path out = options.out.empty() ? approval.member + ".approval" : options.out.string();
  PPDNMF_TRY_STATUS(check_free(out, options.force));
  PPDNMF_TRY_STATUS(check_free(options.html, options.force));
  PPDNMF_TRY(const ApprovedData data, read_approved_data(options, consortium.content()));
  approval.columns = data.table.columns();
  approval.salt = fresh_salt();
  approval.data = consortium::approved_digest(approval.salt, data.table, data.persons);
  const std::string text = consortium::sign_approval(approval, steward);
  PPDNMF_TRY(const consortium::Approval made, consortium::parse_approval(text));
  tell(made, consortium);
  if (auto good = consortium::check_approval(made, consortium, self, data.table, data.persons, now()); !good)
    fmt::print("As it is, the agent would refuse: {}\n", in_flags(good.error().message));
  PPDNMF_TRY_STATUS(io::write_file(out, text, io::kModeSecret));
  PPDNMF_TRY_STATUS(write_page(made, consortium, options.html));
  fmt::print("signed: {}; the agent of {} is given it with --approval, or finds it beside its key\n", out.string(),
             approval.member);
  return {};
}

}  // namespace

Status run_approve(const ApproveOptions& options) {
  PPDNMF_TRY(const consortium::CheckedConsortium consortium, open_consortium(options.consortium));
  return options.show.empty() ? approve(options, consortium) : show_approval(options, consortium);
}

}  // namespace ppdnmf::app
