// The page on a port of this machine, for whoever has the token.
#ifndef PPDNMF_PAGE_SERVER_H_
#define PPDNMF_PAGE_SERVER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <ppdnmf/base/result.h>
#include <ppdnmf/page/watched.h>

namespace ppdnmf::page {

// Serves on 127.0.0.1 only, with threads of its own. Whoever asks must bring the token, in the address the first time
// (it becomes a cookie), or as "Authorization: Bearer TOKEN"; must name this server as the host, so that no page from
// elsewhere can ask in a browser's name; and may only read. At most a few dozen connections are taken, of which four
// are read at a time; more wait in the system's queue.
class Server {
 public:
  // `port`: 0: any that is free. Fails with kFile if it is taken.
  [[nodiscard]] static Result<std::unique_ptr<Server>> start(std::string token, std::uint16_t port);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  Server(Server&&) = delete;
  Server& operator=(Server&&) = delete;
  ~Server();  // ends it, and waits for answers under way

  [[nodiscard]] std::uint16_t port() const;
  // With the token in it.
  [[nodiscard]] std::string address() const;

  // A line of the run (page/watched.h). Fails as Watched::take does.
  [[nodiscard]] Status take(std::string_view line);

  // Once there are no more lines. When a run came to its end while somebody looked, waits until open pages have asked
  // for it: from the last line a bit more than a second, and if none asked two and a half. Otherwise returns at once.
  void show_the_end();

 private:
  struct Inside;
  explicit Server(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

// The server as a process: reads the token, the port and then lines of the run from descriptor `feed`, says its address
// on standard error, and ends with the feed, after show_the_end. Takes little from the machine whatever happens to it:
// few descriptors, bounded memory, a low priority. Fails as Server::start does.
[[nodiscard]] Status serve(int feed);
// The first line of a feed.
[[nodiscard]] std::string opening_line(std::string_view token, std::uint16_t port);

}  // namespace ppdnmf::page

#endif  // PPDNMF_PAGE_SERVER_H_
