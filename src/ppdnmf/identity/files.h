// Identities in files: NAME.key, mode 0600 from its first byte, and NAME.pub.
#ifndef PPDNMF_IDENTITY_FILES_H_
#define PPDNMF_IDENTITY_FILES_H_

#include <filesystem>

#include <ppdnmf/base/result.h>
#include <ppdnmf/identity/private_identity.h>
#include <ppdnmf/identity/public_identity.h>
#include <ppdnmf/identity/renewal.h>

namespace ppdnmf::identity {

struct IdentityPaths {
  std::filesystem::path key, pub;
};
[[nodiscard]] IdentityPaths identity_paths(const std::filesystem::path& folder, std::string_view name);

// Writes both, the private one first. Fails with kFile, also if one is there already and `force` is not set: a lost
// private key cannot be made again.
[[nodiscard]] Status write_identity(const IdentityPaths& paths, const PrivateIdentity& identity,
                                    const Passphrase* passphrase, bool force);
// Instead of what is there: what was renewed is in it.
[[nodiscard]] Status replace_identity(const IdentityPaths& paths, const KeyRing& renewed, const Passphrase* passphrase);

// A .pub file; of a renewed identity the new one. Fails with the path in front, as read_file and parse_shown do.
[[nodiscard]] Result<PublicIdentity> read_public_identity(const std::filesystem::path& path);

inline constexpr std::size_t kMaxIdentityFileBytes = 2 * kMaxIdentityBytes;  // of either kind

// A .key file as it is, wiped when it goes. Fails with kFile as read_file does, and if anybody but its owner may read
// or write the file, or it is the public half.
[[nodiscard]] Result<crypto::SecretBytes> read_key_file(const std::filesystem::path& path);

}  // namespace ppdnmf::identity

#endif  // PPDNMF_IDENTITY_FILES_H_
