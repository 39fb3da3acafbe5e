#include <ppdnmf/launch/crew.h>

#include <poll.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include <ppdnmf/io/text.h>

namespace ppdnmf::launch {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kKeptErrorBytes = 4096;

ErrorCode code_of(int exit_code) {
  switch (exit_code) {
    case 2:
      return ErrorCode::kUsage;
    case 3:
      return ErrorCode::kInvalidData;
    case 4:
      return ErrorCode::kFile;
    case 5:
      return ErrorCode::kNumeric;
    case 6:
      return ErrorCode::kPeer;
    default:
      return ErrorCode::kInternal;
  }
}

}  // namespace

Result<Crew> Crew::start(const std::vector<ChildCommand>& commands) {
  Crew crew;
  for (const ChildCommand& command : commands) {
    PPDNMF_TRY(Child child, Child::start(command));
    crew.members_.push_back(Member{command.name, std::move(child), {}, {}, true, true, std::nullopt});
  }
  return crew;
}

void Crew::poll_for(milliseconds patience) {
  std::vector<pollfd> places;
  for (const Member& member : members_) {
    if (member.progress_open) places.push_back({member.child.progress_descriptor(), POLLIN, 0});
    if (member.errors_open) places.push_back({member.child.error_descriptor(), POLLIN, 0});
  }
  // A child may close its pipes some time before it ends.
  constexpr milliseconds kBetweenLooks{20};
  const auto wait = places.empty() ? std::min(patience, kBetweenLooks) : patience;
  (void)::poll(places.data(), places.size(), static_cast<int>(wait.count()));
}

void Crew::read(Member& member) {
  // The exit code first: what a child has written before it ended is then in the pipes already.
  std::optional<int> code = member.child.exit_code();
  // Its results are complete. If the neighbour it means has failed, that one says so itself.
  constexpr int kUnheard = 7;
  if (code == kUnheard) code = 0;
  if (member.progress_open) member.progress_open = member.child.read_progress(member.unread);
  if (member.errors_open) member.errors_open = member.child.read_errors(member.errors);
  if (member.errors.size() > kKeptErrorBytes) member.errors.erase(0, member.errors.size() - kKeptErrorBytes);
  member.exit_code = code;
}

Status Crew::take_lines(std::size_t child, std::vector<News>& news) {
  std::string& text = members_[child].unread;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    auto line = site::parse_progress_line(std::string_view(text).substr(begin, end - begin));
    if (!line) return error(ErrorCode::kInternal, "{}: {}", members_[child].name, line.error().message);
    news.push_back({child, *std::move(line)});
    begin = end + 1;
  }
  text.erase(0, begin);
  if (text.size() > site::kMaxProgressLineBytes)
    return error(ErrorCode::kInternal, "{}: its report has no end", members_[child].name);
  return {};
}

Result<std::vector<Crew::News>> Crew::wait(milliseconds patience) {
  poll_for(patience);
  std::vector<News> news;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    read(members_[i]);
    PPDNMF_TRY_STATUS(take_lines(i, news));
  }
  return news;
}

bool Crew::all_ended() const {
  return std::all_of(members_.begin(), members_.end(), [](const Member& m) { return m.exit_code.has_value(); });
}

std::string Crew::last_words(std::size_t child) const {
  std::string_view text = members_[child].errors;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  text = text.substr(text.rfind('\n') + 1);
  constexpr std::string_view kProgram = "ppdnmf: ";
  if (text.starts_with(kProgram)) text.remove_prefix(kProgram.size());
  return io::printable(text);
}

void Crew::end(milliseconds grace) {
  for (const Member& member : members_) member.child.send(SIGINT);
  const auto until = steady_clock::now() + grace;
  bool killed = false;
  while (true) {
    for (Member& member : members_) {
      read(member);
      member.unread.clear();  // nobody asks any more
    }
    if (all_ended()) return;
    if (!killed && steady_clock::now() >= until) {
      for (const Member& member : members_) member.child.send(SIGKILL);
      killed = true;
    }
    constexpr milliseconds kBetweenLooks{20};
    poll_for(kBetweenLooks);
  }
}

Error failure_of(const Crew& crew) {
  constexpr int kToldByAnother = 6;
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < crew.size(); ++i) {
    const int code = crew.exit_code(i).value_or(0);
    if (code == 0) continue;
    if (!chosen || (*crew.exit_code(*chosen) == kToldByAnother && code != kToldByAnother)) chosen = i;
  }
  PPDNMF_CHECK(chosen.has_value());
  const int code = *crew.exit_code(*chosen);
  std::string words = crew.last_words(*chosen);
  if (words.empty() || code > 128) {
    const std::string how = code > 128 ? fmt::format("was ended by signal {}", code - 128)
                                       : fmt::format("ended with exit code {} and said nothing", code);
    words = words.empty() ? how : fmt::format("{}; its last words: {}", how, words);
  }
  return Error{code_of(code), fmt::format("{}: {}", crew.name(*chosen), words)};
}

}  // namespace ppdnmf::launch
