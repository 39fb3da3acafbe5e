// What strangers may say to a relay, a relay to a member and a proxy to a member.
#include <ppdnmf/net/meeting.h>
#include <ppdnmf/net/proxy.h>
#include <ppdnmf/protocol/graph.h>
#include <ppdnmf/relay/meetings.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppdnmf;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)net::status_of_answer(text);
  (void)net::parse_proxy(text);

  // A letter that is taken is written as it was; what it asks for keeps to the bounds.
  static const auto graph = protocol::Graph::create(4, {{0, 1}, {1, 2}, {2, 3}}).value();
  relay::Meetings meetings(graph);
  Bytes rest(data, data + size);
  for (std::uint64_t number = 1; !rest.empty(); ++number) {
    const Bytes before = rest;
    const auto letter = net::take_letter(rest);
    if (!letter || !*letter) break;
    const Bytes again = net::encode(**letter);
    PPDNMF_CHECK(again.size() + rest.size() == before.size() && std::equal(again.begin(), again.end(), before.begin()));
    const auto& [kind, role, file, other, reason] = **letter;
    if (kind == net::LetterKind::kMeet)
      (void)meetings.ask(number, AgentId{file[0] % 4U}, role, AgentId{other[0] % 4U}, relay::Meetings::Time{});
    if (kind == net::LetterKind::kRefused) (void)net::words_of(reason);
    if (kind == net::LetterKind::kGo) meetings.left(number / 2);
    PPDNMF_CHECK(meetings.size() <= relay::Meetings::most(graph));
  }
  return 0;
}
