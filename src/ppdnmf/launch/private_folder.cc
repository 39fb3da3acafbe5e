#include <ppdnmf/launch/private_folder.h>

#include <cstdlib>
#include <string>
#include <system_error>

#include <ppdnmf/io/descriptor.h>

namespace ppdnmf::launch {

Result<PrivateFolder> PrivateFolder::make() {
  std::error_code problem;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(problem);
  std::string pattern = (parent / "ppdnmf_launch_XXXXXX").string();
  if (problem || ::mkdtemp(pattern.data()) == nullptr) {
    return error(ErrorCode::kFile, "no folder for temporary files: {}: set TMPDIR to one that can be written",
                 problem ? problem.message() : io::errno_text());
  }
  return PrivateFolder(pattern);
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (!kept_ && !path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace ppdnmf::launch
