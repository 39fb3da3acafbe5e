#include <ppdnmf/identity/files.h>

#include <sys/stat.h>

#include <algorithm>

#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::identity {
namespace {

Status refuse_to_replace(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) return {};
  return error(ErrorCode::kFile,
               "{}: already exists; choose another `out` or `name`, or replace it for good with `force`",
               path.string());
}

Status write_both(const IdentityPaths& paths, const crypto::SecretBytes& key, const std::string& pub) {
  for (const auto& path : {paths.key, paths.pub}) PPDNMF_TRY_STATUS(io::check_can_write(path));
  PPDNMF_TRY_STATUS(io::write_file(paths.key, key.span(), io::kModeSecret));
  return io::write_file(paths.pub, pub);
}

}  // namespace

IdentityPaths identity_paths(const std::filesystem::path& folder, std::string_view name) {
  const std::string start(name);
  const auto file = [&](const char* ending) { return (folder / (start + ending)).lexically_normal(); };
  return {file(".key"), file(".pub")};
}

Status write_identity(const IdentityPaths& paths, const PrivateIdentity& identity, const Passphrase* passphrase,
                      bool force) {
  for (const auto& path : {paths.key, paths.pub}) {
    if (!force) PPDNMF_TRY_STATUS(refuse_to_replace(path));
  }
  return write_both(paths, identity.reveal_encoded(passphrase), identity.public_identity().text());
}

Status replace_identity(const IdentityPaths& paths, const KeyRing& renewed, const Passphrase* passphrase) {
  return write_both(paths, renewed.reveal_encoded(passphrase), renewed.shown_text());
}

Result<PublicIdentity> read_public_identity(const std::filesystem::path& path) {
  PPDNMF_TRY(const Bytes bytes, io::read_file(path, kMaxIdentityFileBytes));
  auto shown = parse_shown(io::as_text(bytes));
  if (!shown) return at(path.string(), std::move(shown).error());
  return std::move(shown->identity);
}

Result<crypto::SecretBytes> read_key_file(const std::filesystem::path& path) {
  PPDNMF_TRY(Bytes bytes, io::read_file(path, kMaxIdentityFileBytes));
  crypto::SecretBytes out(bytes.size());
  std::copy(bytes.begin(), bytes.end(), out.data());
  crypto::wipe(bytes.data(), bytes.size());
  struct stat about {};
  if (::stat(path.c_str(), &about) == 0 && (about.st_mode & 0077U) == 0) return out;
  if (parse_shown(io::as_text(out.span()))) {  // of a file that everybody may read: nothing secret is copied
    return error(ErrorCode::kFile, "{}: is the public half of an identity: give the .key that belongs to it",
                 path.string());
  }
  return error(ErrorCode::kFile, "{}: others besides its owner may use it: type chmod 600 {}", path.string(),
               path.string());
}

}  // namespace ppdnmf::identity
