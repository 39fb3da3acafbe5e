// A member's log from arbitrary bytes, as it is and with its chain made right: what is read can be compared with
// itself.
#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/logbook/verify.h>

namespace {

ppdnmf::ByteSpan span_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// As src/ppdnmf/logbook/entry.cc does.
std::string chained(std::string_view text) {
  std::string out;
  ppdnmf::Digest digest{};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view object = text.substr(0, end);
    digest = ppdnmf::sha256({span_of("ppdnmf log 1\n"), digest, span_of(object)});
    out += ppdnmf::hex(digest) + " " + std::string(object) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const std::string& log : {std::string(text), chained(text)}) {
    ppdnmf::logbook::Reading reading = ppdnmf::logbook::read_log(log, "x.log");
    PPDNMF_CHECK(reading.log || !reading.problems.empty());
    if (!reading.log) continue;
    std::vector<ppdnmf::logbook::ParsedLog> logs = {*reading.log, *std::move(reading.log)};
    (void)ppdnmf::logbook::contradictions(logs);
  }
  return 0;
}
