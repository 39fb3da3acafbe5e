#include <ppdnmf/doctor/doctor.h>

#include <algorithm>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/dialling.h>
#include <ppdnmf/net/inquiry.h>
#include <ppdnmf/net/probe.h>
#include <ppdnmf/net/transport.h>
#include <ppdnmf/net/words.h>

namespace ppdnmf::doctor {
namespace {

using std::chrono::steady_clock;

class Examiner {
 public:
  explicit Examiner(const ExaminationConfig& config)
      : config_(config), consortium_(config.consortium->content()), own_(config.identity->public_identity()) {}

  std::vector<Finding> run() {
    const std::vector<AgentId> neighbours = config_.consortium->graph().neighbours(config_.self);
    const bool dialled = std::any_of(neighbours.begin(), neighbours.end(),
                                     [&](AgentId id) { return !consortium::dials(consortium_, config_.self, id); });
    look_at_listening(dialled);
    for (const AgentId id : neighbours) {
      const consortium::Member& member = consortium_.members[id.value];
      if (consortium::dials(consortium_, config_.self, id)) {
        look_at(member.identity, *member.address);
      } else {
        note(member.identity.name(), "dials us",
             fmt::format("{0} dials this member: whether it gets through, 'ppdnmf doctor' says at {0}",
                         member.identity.name()));
      }
    }
    return std::move(findings_);
  }

 private:
  void note(const std::string& about, const char* check, std::string sentence) {
    findings_.push_back({about, check, true, std::move(sentence)});
  }
  void blame(const std::string& about, const char* check, std::string sentence) {
    findings_.push_back({about, check, false, std::move(sentence)});
  }
  [[nodiscard]] net::Deadline deadline() const { return steady_clock::now() + config_.patience; }

  void look_at_listening(bool dialled) {
    if (!dialled) return note(own_.name(), "listen", "no neighbour dials this member: it need not listen");
    const std::optional<identity::Address>& place =
        config_.listen ? config_.listen : consortium_.members[config_.self.value].address;
    if (!place) return blame(own_.name(), "listen", "neighbours dial this member, which has no address: give `listen`");
    const auto reason = net::try_to_listen(*place);
    if (reason && *reason == 0) {
      return note(own_.name(), "listen",
                  fmt::format("an agent can listen at {}; none does now", identity::text_of(*place)));
    }
    if (reason && *reason == EADDRINUSE && own_agent_listens(*place)) {
      return note(own_.name(), "listen",
                  fmt::format("this member's own agent listens at {}", identity::text_of(*place)));
    }
    blame(own_.name(), "listen", net::words_for_listening(*place).message);
  }

  // Without a certificate of ours, since a server shows its own first.
  [[nodiscard]] bool own_agent_listens(identity::Address place) const {
    if (place.host == "0.0.0.0") place.host = "127.0.0.1";
    if (place.host == "::") place.host = "::1";
    const auto list = net::look_up(place, false);
    if (!list) return false;
    const auto socket = net::connect_to(list->get(), deadline());
    if (!socket) return false;
    const auto seen = net::shake_hands(*socket, nullptr, deadline());
    return seen && seen->certificate == own_.certificate();
  }

  void look_at(const identity::PublicIdentity& peer, const identity::Address& address) {
    const std::string& name = peer.name();
    const std::string place = identity::text_of(address);
    const auto list = net::look_up(address, false);
    if (!list) return blame(name, "name", fmt::format("{}: {}", place, list.error().message));
    note(name, "name", fmt::format("{}: the name is known", place));
    const auto socket = net::connect_to(list->get(), deadline());
    if (!socket) return blame(name, "tcp", fmt::format("{}: {}", place, socket.error().message));
    note(name, "tcp", fmt::format("{}: somebody listens", place));
    const auto seen = net::shake_hands(*socket, config_.identity, deadline());
    if (!seen) return blame(name, "tls", fmt::format("{}: {}", place, seen.error().message));
    if (seen->certificate != peer.certificate()) return blame(name, "tls", other_certificate(peer, place, *seen));
    if (!seen->accepted) {
      return blame(
          name, "tls",
          fmt::format("{}: {} has the certificate of the consortium file, but {}: it may have another file, or "
                      "its clock may be far off",
                      place, name, seen->accepted.error().message));
    }
    note(name, "tls", fmt::format("{}: it is {}, by its certificate, and it accepts this member's", place, name));
    look_at_file(peer, address);
  }

  [[nodiscard]] std::string other_certificate(const identity::PublicIdentity& peer, const std::string& place,
                                              const net::Handshake& seen) const {
    for (const consortium::Member& member : consortium_.members) {
      if (member.identity.certificate() != seen.certificate) continue;
      return fmt::format(
          "{}: {} listens there and not {}: the consortium file has their addresses mixed up, or the way "
          "there leads to another machine",
          place, member.identity.name(), peer.name());
    }
    return fmt::format(
        "{}: whoever listens there has another certificate (SHA-256 {}) than {} in the consortium file (SHA-256 {}): "
        "it "
        "is another program or machine, or {} has made a new identity",
        place, hex(sha256(seen.certificate)), peer.name(), hex(sha256(peer.certificate())), peer.name());
  }

  void look_at_file(const identity::PublicIdentity& peer, const identity::Address& address) {
    const auto told = net::inquire(address, *config_.identity, peer, config_.patience);
    if (!told) {
      return blame(peer.name(), "consortium",
                   fmt::format("{} does not say which file it has: {}", peer.name(), told.error().message));
    }
    if (*told == about_consortium(config_.consortium->digest())) {
      return note(peer.name(), "consortium", fmt::format("{} has the same consortium file", peer.name()));
    }
    blame(peer.name(), "consortium",
          fmt::format("{} has another consortium file: compare the digits that 'ppdnmf consortium check' prints",
                      peer.name()));
  }

  const ExaminationConfig& config_;
  const consortium::Consortium& consortium_;
  const identity::PublicIdentity& own_;
  std::vector<Finding> findings_;
};

}  // namespace

std::string about_consortium(const Digest& digest) { return "consortium " + hex(digest); }

std::vector<Finding> examine(const ExaminationConfig& config) { return Examiner(config).run(); }

}  // namespace ppdnmf::doctor
