#include <ppdnmf/consortium/approval.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/identity/day.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/io/time_text.h>

namespace ppdnmf::consortium {
namespace {

constexpr std::string_view kLabel = "ppdnmf approval 1";
constexpr std::string_view kExact = "exact";

// Everything that is signed, which is also what people read.
std::string signed_lines(const Approval& approval) {
  return fmt::format("{}\nconsortium {}\nmember {}\nsteward {}\nsalt {}\ndata {}\ncolumns {}\nbudget {}\nuntil {}\n",
                     kLabel, hex(approval.consortium), approval.member, approval.steward, hex(approval.salt),
                     hex(approval.data), approval.columns,
                     approval.epsilon ? fmt::format("{}", *approval.epsilon) : std::string(kExact),
                     identity::day_text(approval.until));
}

ByteSpan bytes_of(std::string_view text) { return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}; }

// The rest of the next line if it begins with this word; moves on.
std::optional<std::string_view> take(std::string_view& text, std::string_view word) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || !text.starts_with(word) || text.substr(word.size(), 1) != " ")
    return std::nullopt;
  const std::string_view rest = text.substr(word.size() + 1, end - word.size() - 1);
  text.remove_prefix(end + 1);
  return rest;
}

std::optional<Approval> parse(std::string_view text) {
  Approval out;
  if (!text.starts_with(kLabel) || text.substr(kLabel.size(), 1) != "\n") return std::nullopt;
  text.remove_prefix(kLabel.size() + 1);
  const auto digest = [&](std::string_view word, Digest& into) {
    const auto found = take(text, word);
    const auto value = found ? parse_hex(*found) : Result<Digest>(error(ErrorCode::kInvalidData, "missing"));
    if (value) into = *value;
    return value.has_value();
  };
  const auto word = [&](std::string_view name, std::string& into) {
    const auto found = take(text, name);
    if (found) into = *found;
    return found && identity::check_name(into);
  };
  if (!digest("consortium", out.consortium) || !word("member", out.member) || !word("steward", out.steward) ||
      !digest("salt", out.salt) || !digest("data", out.data)) {
    return std::nullopt;
  }
  const auto columns = take(text, "columns"), budget = take(text, "budget"), until = take(text, "until");
  const auto signature = take(text, "signature");
  if (!columns || !budget || !until || !signature || !text.empty()) return std::nullopt;
  const auto count = io::parse_count(*columns);
  const auto day = io::parse_iso_time(fmt::format("{}T00:00:00Z", *until));
  const auto bytes = parse_base64(*signature);
  if (!count || !day || !bytes) return std::nullopt;
  out.columns = static_cast<std::int64_t>(*count);
  out.until = std::chrono::floor<std::chrono::days>(*day);
  out.signature = *bytes;
  if (*budget != kExact) {
    out.epsilon = io::parse_number(*budget);
    if (!out.epsilon || !(*out.epsilon > 0)) return std::nullopt;
  }
  return out;
}

const identity::PublicIdentity& steward_of(const CheckedConsortium& consortium, AgentId self) {
  const auto& steward = consortium.content().members[self.value].steward;
  PPDNMF_CHECK(steward.has_value());
  return *steward;
}

std::string spends(const std::optional<double>& epsilon) {
  return epsilon ? fmt::format("epsilon {:g}", *epsilon) : std::string("exact totals, which no epsilon bounds");
}

}  // namespace

Digest approved_digest(const Digest& salt, const io::Table& data, const std::vector<std::string>& persons) {
  PPDNMF_CHECK(data.elsewhere() == nullptr);
  ByteWriter out;
  out.put_string("ppdnmf approved data 1");
  out.put_array(salt.data(), salt.size());
  const Digest values = data.nonzeros ? matrix_digest(*data.nonzeros) : matrix_digest(data.values);
  out.put_array(values.data(), values.size());
  out.put<std::uint64_t>(persons.size());
  for (const std::string& person : persons) out.put_string(person);
  return sha256(out.take());
}

std::string sign_approval(const Approval& approval, const identity::PrivateIdentity& steward) {
  const std::string lines = signed_lines(approval);
  return lines + "signature " + base64(steward.sign(bytes_of(lines))) + "\n";
}

Result<Approval> parse_approval(std::string_view text) {
  auto approval = text.size() <= kMaxApprovalBytes ? parse(text) : std::nullopt;
  // In the one form in which it was signed.
  if (!approval || signed_lines(*approval) + "signature " + base64(approval->signature) + "\n" != text) {
    return error(ErrorCode::kInvalidData,
                 "is not an approval, or was changed: it should be the file that 'ppdnmf approve' wrote");
  }
  return *std::move(approval);
}

Result<Approval> read_approval(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return error(ErrorCode::kUsage,
                 "{}: is not there, and this member's steward has to approve first: the steward types 'ppdnmf approve' "
                 "with the same file and data, and the agent is given the result with `approval`",
                 path.string());
  }
  PPDNMF_TRY(const Bytes bytes, io::read_file(path, kMaxApprovalBytes));
  auto approval = parse_approval(io::as_text(bytes));
  if (!approval) return at(path.string(), std::move(approval).error());
  return approval;
}

bool is_signed_by(const Approval& approval, const identity::PublicIdentity& steward) {
  return approval.steward == steward.name() && steward.verify(bytes_of(signed_lines(approval)), approval.signature);
}

Status check_approval(const Approval& approval, const CheckedConsortium& consortium, AgentId self,
                      const io::Table& data, const std::vector<std::string>& persons, std::chrono::sys_seconds now) {
  const identity::PublicIdentity& steward = steward_of(consortium, self);
  const Consortium& content = consortium.content();
  const std::string& name = content.members[self.value].identity.name();
  const auto refused = [&](const std::string& why) {
    return error(ErrorCode::kUsage, "{}; nothing was sent. {} approves anew with 'ppdnmf approve'", why,
                 steward.name());
  };
  if (!is_signed_by(approval, steward))
    return refused(fmt::format("the approval is not signed by {}, the steward whom the file names", steward.name()));
  if (approval.member != name) return refused(fmt::format("the approval is for {}, not for {}", approval.member, name));
  if (approval.consortium != consortium.digest()) {
    return refused(fmt::format("the approval is for another file: its digits are {}, those of this one are {}",
                               spoken(approval.consortium), spoken(consortium.digest())));
  }
  if (now >= approval.until + std::chrono::days(1))
    return refused(fmt::format("the approval ended on {}", identity::day_text(approval.until)));
  if (approval.data != approved_digest(approval.salt, data, persons))
    return refused("the approval is for other data than these, or for other persons behind them");
  const auto& epsilon = content.settings.epsilon;
  if ((!epsilon && approval.epsilon) || (epsilon && approval.epsilon && *epsilon > *approval.epsilon)) {
    return refused(fmt::format("the approval is for another budget: this run opens {}, approved was {}",
                               spends(epsilon), spends(approval.epsilon)));
  }
  return {};
}

std::vector<std::string> approval_words(const Approval& approval, const CheckedConsortium& consortium) {
  PPDNMF_CHECK(approval.consortium == consortium.digest());
  const Consortium& content = consortium.content();
  std::vector<std::string> others;
  for (const Member& member : content.members) {
    if (member.identity.name() != approval.member) others.push_back(member.identity.name());
  }
  std::vector<std::string> out;
  out.push_back(fmt::format("{} approves that {} takes part in one analysis together with {}.", approval.steward,
                            approval.member, fmt::join(others, ", ")));
  out.push_back(fmt::format("The data are {} columns of {} rows, and no others: the approval holds their digest.",
                            approval.columns, content.rows));
  out.push_back(
      fmt::format("The data stay where they are. The members compute {} common component{} of all columns; each of "
                  "them, and whoever "
                  "they show it to, sees these components.",
                  content.settings.rank, content.settings.rank == 1 ? "" : "s"));
  out.push_back(approval.epsilon
                    ? fmt::format("What is opened carries noise; a run may spend epsilon {:g} at most, and "
                                  "every further one spends it again, as far as the ledger of {} allows.",
                                  *approval.epsilon, approval.member)
                    : "Exact totals over all members may be opened: no epsilon bounds what they tell.");
  for (const std::string& note : privacy_notes(content, consortium.graph())) out.push_back(note);
  out.push_back(fmt::format(
      "The approval holds until the end of {} (UTC), for every run with these digits of the consortium file: {}.",
      identity::day_text(approval.until), spoken(approval.consortium)));
  return out;
}

}  // namespace ppdnmf::consortium
