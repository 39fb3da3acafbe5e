// A steward's yes: the person who answers for a member's data signs which file they go into, which data, what may be
// spent on them, and until when.
//
// The text of an approval is for people, line by line; the signature is the last line. It stays at the site: it holds
// the salt with which the data's digest could be tried out.
#ifndef PPDNMF_CONSORTIUM_APPROVAL_H_
#define PPDNMF_CONSORTIUM_APPROVAL_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/consortium/check.h>
#include <ppdnmf/identity/private_identity.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::consortium {

inline constexpr std::size_t kMaxApprovalBytes = 4096;

struct Approval {
  Digest consortium{};            // of the file
  std::string member, steward;    // names
  Digest salt{}, data{};          // data: approved_digest
  std::int64_t columns = 0;       // of the data
  std::optional<double> epsilon;  // what one run may spend at most, with the file's delta; nothing: exact totals
  std::chrono::sys_days until;    // the last day
  Bytes signature;
};

// Of data in memory (checked) as they enter a run: matrix_digest of the arranged columns and, if they were named, whose
// they are.
[[nodiscard]] Digest approved_digest(const Digest& salt, const io::Table& data,
                                     const std::vector<std::string>& persons);

// The text, complete; `approval.signature` is not looked at.
[[nodiscard]] std::string sign_approval(const Approval& approval, const identity::PrivateIdentity& steward);
// What sign_approval wrote. Fails with kInvalidData on everything else; says nothing about who signed.
[[nodiscard]] Result<Approval> parse_approval(std::string_view text);
// The same from a file, its path in front of every sentence. Fails with kUsage, and what to do, if there is none.
[[nodiscard]] Result<Approval> read_approval(const std::filesystem::path& path);

// Whether the steward of this member has signed it.
[[nodiscard]] bool is_signed_by(const Approval& approval, const identity::PublicIdentity& steward);

// Whether it allows this member to take part with these data now. Fails with kUsage: a sentence that says what is
// another than approved. The member has a steward (checked).
[[nodiscard]] Status check_approval(const Approval& approval, const CheckedConsortium& consortium, AgentId self,
                                    const io::Table& data, const std::vector<std::string>& persons,
                                    std::chrono::sys_seconds now);

// What was approved, in plain words: who says yes to what, what the others learn, until when. The consortium is the one
// of the approval (checked).
[[nodiscard]] std::vector<std::string> approval_words(const Approval& approval, const CheckedConsortium& consortium);

}  // namespace ppdnmf::consortium

#endif  // PPDNMF_CONSORTIUM_APPROVAL_H_
