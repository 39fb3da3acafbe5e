// What differs where several processes of one site have the columns together (apps/ppdnmf_mpi).
#ifndef PPDNMF_APPS_SEVERAL_H_
#define PPDNMF_APPS_SEVERAL_H_

#include <filesystem>
#include <string>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/io/join.h>

namespace ppdnmf::app {

class Several {
 public:
  Several() = default;
  Several(const Several&) = delete;
  Several& operator=(const Several&) = delete;
  Several(Several&&) = delete;
  Several& operator=(Several&&) = delete;
  virtual ~Several() = default;

  // Once: what every process works with; 0: as many threads as suit its machine. What a process that is lost leaves is
  // in `folder`, which its last sentence names. Fails with kUsage if the processes are of several versions.
  [[nodiscard]] virtual Result<Executor*> begin(std::size_t threads, const std::filesystem::path& folder) = 0;
  // Then: the columns of these files, read by all of them (spread/loading.h).
  [[nodiscard]] virtual Result<io::JoinedTable> load(const std::vector<std::string>& files, bool clip_negative) = 0;
};

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_SEVERAL_H_
