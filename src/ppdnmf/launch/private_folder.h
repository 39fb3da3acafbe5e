// A folder for secrets and data that should not outlive a run.
#ifndef PPDNMF_LAUNCH_PRIVATE_FOLDER_H_
#define PPDNMF_LAUNCH_PRIVATE_FOLDER_H_

#include <filesystem>
#include <utility>

#include <ppdnmf/base/result.h>

namespace ppdnmf::launch {

class PrivateFolder {
 public:
  // A new folder with mode 0700 where temporary files go (TMPDIR, or /tmp). Fails with kFile.
  [[nodiscard]] static Result<PrivateFolder> make();

  PrivateFolder(PrivateFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PrivateFolder& operator=(PrivateFolder&&) = delete;
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  // With everything in it, unless it is to be kept.
  ~PrivateFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Leaves the folder where it is, for a person to look into.
  void keep() { kept_ = true; }

 private:
  explicit PrivateFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
  bool kept_ = false;
};

}  // namespace ppdnmf::launch

#endif  // PPDNMF_LAUNCH_PRIVATE_FOLDER_H_
