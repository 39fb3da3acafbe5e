// The state of an interrupted run: <folder>/checkpoint.bin, mode 0600 since it holds the agents' secrets.
#ifndef PPDNMF_RUN_CHECKPOINT_H_
#define PPDNMF_RUN_CHECKPOINT_H_

#include <filesystem>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::run {

struct Checkpoint {
  std::vector<double> seconds;  // at the end of each iteration so far
  double seconds_total = 0;
  Bytes state;
};

// `key` names command, data, parameters and seed: a checkpoint of another run is refused with kUsage. Fail with kFile.
[[nodiscard]] Status write_checkpoint(const std::filesystem::path& folder, const Digest& key,
                                      const Checkpoint& checkpoint);
[[nodiscard]] Result<Checkpoint> read_checkpoint(const std::filesystem::path& folder, const Digest& key);
void remove_checkpoint(const std::filesystem::path& folder);
// What processes left that were killed while they wrote one; nobody writes one now.
void remove_torn_checkpoints(const std::filesystem::path& folder);

// What a run fails with when it leaves a checkpoint in the folder; without a folder, when it leaves none.
[[nodiscard]] Error interrupted_error(const std::filesystem::path& folder);

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_CHECKPOINT_H_
