// What `identity` does, once its options are read.
#ifndef PPDNMF_APPS_RUN_IDENTITY_H_
#define PPDNMF_APPS_RUN_IDENTITY_H_

#include <filesystem>
#include <optional>
#include <string>

#include <ppdnmf/base/result.h>

namespace ppdnmf::app {

struct NewIdentityOptions {
  std::string name;
  std::filesystem::path out = ".";
  bool passphrase = false;
  std::optional<int> passphrase_fd;
  bool force = false;
  bool json = false;
  bool quiet = false;
};

struct RenewIdentityOptions {
  std::filesystem::path key;
  std::optional<int> passphrase_fd;
  bool json = false;
  bool quiet = false;
};

struct ShowIdentityOptions {
  std::filesystem::path file;
  bool json = false;
};

// Makes the two files and says where they are.
[[nodiscard]] Status run_identity_new(const NewIdentityOptions& options);

// Replaces them by files with a new identity and the old one.
[[nodiscard]] Status run_identity_renew(const RenewIdentityOptions& options);

// Prints what is in one of them.
[[nodiscard]] Status run_identity_show(const ShowIdentityOptions& options);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_IDENTITY_H_
