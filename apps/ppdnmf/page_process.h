// The page to watch, as a process beside this one (page/server.h).
#ifndef PPDNMF_APPS_PAGE_PROCESS_H_
#define PPDNMF_APPS_PAGE_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/descriptor.h>
#include <ppdnmf/page/watched.h>

namespace ppdnmf::app {

struct PageOptions {
  bool wanted = false;
  int port = 0;  // 0: any
};

// Not safe to share between threads.
class PageProcess {
 public:
  // Starts it; the process prints its address on standard error itself. Fails with kFile.
  [[nodiscard]] static Result<std::unique_ptr<PageProcess>> start(std::uint16_t port);
  PageProcess(const PageProcess&) = delete;
  PageProcess& operator=(const PageProcess&) = delete;
  PageProcess(PageProcess&&) = delete;
  PageProcess& operator=(PageProcess&&) = delete;
  ~PageProcess();  // ends it: at once if nobody looks at it, otherwise when they have seen the end, at most 3 s later

  // Neither waits nor fails: what the page is too slow for, or too dead, it does not show.
  void show(const page::Snapshot& snapshot) { tell(page::snapshot_line(snapshot)); }
  void log(std::string_view sentence) { tell(page::text_line(sentence)); }

 private:
  PageProcess(pid_t pid, io::Descriptor feed) : pid_(pid), feed_(std::move(feed)) {}
  void tell(std::string_view line);

  pid_t pid_;
  io::Descriptor feed_;
  std::string rest_;  // of a line that was begun
};

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_PAGE_PROCESS_H_
