#include <ppdnmf/logbook/parsed_log.h>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/logbook/letters.h>
#include <ppdnmf/logbook/logbook.h>

namespace ppdnmf::logbook {
namespace {

class Reader {
 public:
  explicit Reader(std::string place) { log_.place = std::move(place); }

  Reading read(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t end = text.find('\n', at);
      if (end == std::string_view::npos) {
        problem("line {}: is torn: it has no end", link_.lines + 1);
        break;
      }
      before_ = link_;
      auto line = read_line(text.substr(at, end - at), link_);
      if (!line) {
        problem("line {}: {}", link_.lines + 1, line.error().message);
        break;
      }
      take(line->entry);
      at = end + 1;
    }
    finish();
    const bool whole = !log_.self.empty() && log_.members.contains(log_.self);
    return {whole ? std::optional(std::move(log_)) : std::nullopt, std::move(problems_)};
  }

 private:
  template <typename... Args>
  void problem(fmt::format_string<Args...> format, Args&&... args) {
    problems_.push_back(fmt::format("{}: {}", log_.place, fmt::format(format, std::forward<Args>(args)...)));
  }
  void odd(const Entry& entry) { problem("line {}: is no '{}' that ppdnmf writes", link_.lines, entry.what()); }

  void take(const Entry& entry) {
    log_.lines = link_.lines;
    if ((link_.lines == 1) != (entry.what() == kAgreed)) return odd(entry);
    if (entry.what() == kAgreed) {
      log_.self = entry.text("self").value_or("");
      log_.consortium = entry.text("consortium").value_or("");
      if (log_.self.empty() || !parse_hex(log_.consortium)) odd(entry);
    }
    if (entry.what() == kMember) take_member(entry);
    if (entry.what() == kRun) take_run(entry);
    if (entry.what() == kSent || entry.what() == kReceived) take_told(entry);
    if (entry.what() == kOpened) take_opened(entry);
    if (entry.what() == kEnded) log_.ended = entry.text("how").value_or("");
    if (entry.what() == kBegan) log_.ended.clear();
    if (entry.what() == kSigned) take_signature(entry);
  }

  void take_member(const Entry& entry) {
    const auto bytes = parse_base64(entry.text("identity").value_or(""));
    auto identity = bytes ? identity::PublicIdentity::decode(*bytes)
                          : Result<identity::PublicIdentity>(tl::unexpected(bytes.error()));
    if (!identity || identity->name() != entry.text("name")) return odd(entry);
    const std::string name = identity->name();
    log_.names.push_back(name);
    log_.members.emplace(name, *std::move(identity));
  }

  void take_run(const Entry& entry) {
    const auto digest = entry.text("digest");
    if (!digest || !parse_hex(*digest)) return odd(entry);
    if (log_.run && *log_.run != *digest)
      return problem("line {}: is of another run than the lines before", link_.lines);
    log_.run = digest;
  }

  void take_opened(const Entry& entry) {
    const auto totals = entry.number("totals");
    const auto digest = entry.text("digest");
    if (!totals || *totals < 1 || !digest) return odd(entry);
    const auto [found, fresh] = log_.opened.try_emplace(static_cast<std::uint64_t>(*totals), *digest);
    if (!fresh && found->second != *digest) {
      problem("line {}: {} says that it opened something else as total {} than in a line before", link_.lines,
              log_.self, *totals - 1);
    }
  }

  void take_told(const Entry& entry) {
    const bool sent = entry.what() == kSent;
    const auto peer = entry.text(sent ? "to" : "from");
    const auto of = entry.text("of"), kind = entry.text("kind"), digest = entry.text("digest");
    const auto number = entry.number("number");
    if (!peer || !of || !kind || !digest || !number || *number < 0 || !parse_hex(*digest) ||
        !log_.members.contains(*peer) || (*of != "run" && *of != "roll call")) {
      return odd(entry);
    }
    Told told{sent ? log_.self : *peer,
              sent ? *peer : log_.self,
              *of == "run",
              *kind,
              static_cast<std::uint64_t>(*number),
              *digest,
              false,
              link_.lines};
    if (told.in_run && !log_.run) return odd(entry);
    if (!sent && is_signed(*kind)) told.proved = check(told, entry.text("signature").value_or(""));
    (sent ? log_.sent : log_.received).push_back(std::move(told));
  }

  // A receiver does not take what is not signed, so a line without a right signature is its own.
  bool check(const Told& told, const std::string& signature) {
    Statement statement;
    statement.consortium = parse_hex(log_.consortium).value_or(Digest{});
    if (told.in_run) statement.run = *parse_hex(*log_.run);
    statement.from = told.from;
    statement.to = told.to;
    statement.kind = told.kind;
    statement.number = told.number;
    statement.digest = *parse_hex(told.digest);
    const auto bytes = parse_base64(signature);
    if (bytes && log_.members.at(told.from).verify(text_of(statement), *bytes)) return true;
    problem("line {}: {} says that {} sent it {}, but {} has not signed that", link_.lines, log_.self, told.from,
            name_of(told.kind, told.number), told.from);
    return false;
  }

  void take_signature(const Entry& entry) {
    const auto bytes = parse_base64(entry.text("signature").value_or(""));
    const auto self = log_.members.find(log_.self);
    if (self == log_.members.end()) return problem("line {}: {} is not among the members", link_.lines, log_.self);
    if (!bytes || !self->second.verify(signed_text(before_), *bytes)) {
      return problem("line {}: the signature is not {}'s on the lines before it", link_.lines, log_.self);
    }
    log_.signed_lines = link_.lines;
  }

  void finish() {
    if (log_.lines == 0) {
      if (problems_.empty()) problem("is empty");
      return;
    }
    if (!log_.members.contains(log_.self)) return problem("does not say who its members are");
    if (log_.signed_lines == log_.lines) return;
    if (log_.signed_lines == 0) {
      return problem(
          "{} has signed nothing of it: its process was killed or still runs, or the end was cut off; the same agent "
          "command again goes on and signs",
          log_.self);
    }
    problem("{} has signed the first {} of its {} lines; the rest proves nothing yet", log_.self, log_.signed_lines,
            log_.lines);
  }

  ParsedLog log_;
  Link link_, before_;
  std::vector<std::string> problems_;
};

}  // namespace

Reading read_log(std::string_view text, std::string place) { return Reader(std::move(place)).read(text); }

}  // namespace ppdnmf::logbook
