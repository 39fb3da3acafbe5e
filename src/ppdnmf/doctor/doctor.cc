#include <ppdnmf/doctor/doctor.h>

#include <algorithm>
#include <functional>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/dialling.h>
#include <ppdnmf/net/broken_pipes.h>
#include <ppdnmf/net/inquiry.h>
#include <ppdnmf/net/probe.h>
#include <ppdnmf/net/transport.h>
#include <ppdnmf/net/words.h>

namespace ppdnmf::doctor {
namespace {

using std::chrono::steady_clock;

// Who should listen at an address of this machine, and how it is told from others.
struct Own {
  std::string name;
  std::string_view some, itself;                                       // "an agent", "this member's own agent"
  std::function<std::optional<bool>(const identity::Address&)> hangs;  // nothing: somebody else listens there
};

Finding look_at_own_address(const Own& own, const identity::Address& place) {
  const std::string text = identity::text_of(place);
  const auto finding = [&](bool well, std::string sentence) {
    return Finding{own.name, "listen", well, std::move(sentence)};
  };
  const auto reason = net::try_to_listen(place);
  if (reason && *reason == 0) return finding(true, fmt::format("{} can listen at {}; none does now", own.some, text));
  const std::string why = net::words_for_listening(place).message;
  if (!reason || *reason != EADDRINUSE) return finding(false, why);
  identity::Address here = place;
  if (here.host == "0.0.0.0") here.host = "127.0.0.1";
  if (here.host == "::") here.host = "::1";
  const std::optional<bool> hangs = own.hangs(here);
  if (!hangs) return finding(false, fmt::format("{} (if it is {}, that one hangs)", why, own.itself));
  if (!*hangs) return finding(true, fmt::format("{} listens at {}", own.itself, text));
  return finding(false, fmt::format("{} listens at {} and says nothing after TLS was set up: it hangs; end it, and "
                                    "type its command again",
                                    own.itself, text));
}

class Examiner {
 public:
  explicit Examiner(const ExaminationConfig& config)
      : config_(config),
        consortium_(config.consortium->content()),
        own_(config.identity->public_identity()),
        relay_(relay_of(*config.consortium)) {}

  std::vector<Finding> run() {
    const std::vector<AgentId> neighbours = config_.consortium->graph().neighbours(config_.self);
    const bool dialled = std::any_of(neighbours.begin(), neighbours.end(),
                                     [&](AgentId id) { return !consortium::dials(consortium_, config_.self, id); });
    look_at_listening(dialled);
    const bool relayed = relay_ && look_at_relay(neighbours.front());
    for (const AgentId id : neighbours) {
      const consortium::Member& member = consortium_.members[id.value];
      if (consortium::dials(consortium_, config_.self, id)) {
        const bool direct = member.address && look_at(member.identity, *member.address);
        if (!direct && relayed) look_for(member.identity);
      } else {
        note(member.identity.name(), "dials us",
             fmt::format("{0} dials this member{1}: whether it gets through, 'ppdnmf doctor' says at {0}",
                         member.identity.name(), relay_ ? ", or meets it at the relay" : ""));
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
    if (!place && relay_)
      return note(own_.name(), "listen", "this member does not listen: neighbours meet it at the relay");
    PPDNMF_CHECK(place);  // without a relay nobody dials a member without an address (consortium/dialling.h)
    findings_.push_back(look_at_own_address({own_.name(), "an agent", "this member's own agent",
                                             [this](const identity::Address& here) { return agent_hangs(here); }},
                                            *place));
  }

  // Without a certificate of ours, since a server shows its own first; an agent then ends the connection.
  [[nodiscard]] std::optional<bool> agent_hangs(const identity::Address& here) const {
    const auto list = net::look_up(here, false);
    if (!list) return std::nullopt;
    const auto socket = net::connect_to(list->get(), deadline());
    if (!socket) return std::nullopt;
    const auto seen = net::shake_hands(*socket, nullptr, deadline());
    if (!seen || seen->certificate != own_.certificate()) return std::nullopt;
    return seen->silent;
  }

  // A connection that does not come about is no trouble if the relay makes up for it.
  bool give_up(const std::string& name, const char* check, const std::string& sentence) {
    if (relay_) {
      note(name, check, sentence + "; the relay is used instead");
    } else {
      blame(name, check, sentence);
    }
    return false;
  }

  // Whether the proxy is on the way there; said if it could be and is not.
  std::optional<net::Proxy> proxy_for(const std::string& name, const identity::Address& address) {
    auto proxy = net::proxy_for(address, config_.proxy);
    if (config_.proxy && !proxy)
      note(name, "proxy",
           fmt::format("{}: no_proxy has this place, so that the proxy is not asked", identity::text_of(address)));
    return proxy;
  }

  // Through the proxy if it is on the way. Nothing: it has been told why.
  std::optional<io::Descriptor> connect(const std::string& name, const identity::Address& address) {
    const std::string place = identity::text_of(address);
    if (const auto proxy = proxy_for(name, address)) {
      auto socket = net::connect_by(address, proxy, deadline());
      if (!socket) {
        give_up(name, "proxy", socket.error().message);
        return std::nullopt;
      }
      note(name, "proxy",
           fmt::format("{}: the proxy at {} lets connections through", place, identity::text_of(proxy->address)));
      return *std::move(socket);
    }
    const auto list = net::look_up(address, false);
    if (!list) {
      give_up(name, "name", fmt::format("{}: {}", place, list.error().message));
      return std::nullopt;
    }
    note(name, "name", fmt::format("{}: the name is known", place));
    auto socket = net::connect_to(list->get(), deadline());
    if (!socket) {
      give_up(name, "tcp", fmt::format("{}: {}", place, socket.error().message));
      return std::nullopt;
    }
    note(name, "tcp", fmt::format("{}: somebody listens", place));
    return *std::move(socket);
  }

  // Whether it is there.
  bool look_at(const identity::PublicIdentity& peer, const identity::Address& address) {
    const std::string& name = peer.name();
    const std::string place = identity::text_of(address);
    const auto socket = connect(name, address);
    if (!socket) return false;
    const auto seen = net::shake_hands(*socket, config_.identity, deadline());
    if (!seen) return give_up(name, "tls", fmt::format("{}: {}", place, seen.error().message));
    if (seen->certificate != peer.certificate())
      return give_up(name, "tls", other_certificate(peer, address, seen->certificate));
    if (seen->silent) {
      return give_up(name, "tls",
                     fmt::format("{}: it is {}, by its certificate, and it says nothing after TLS was set up: its "
                                 "agent hangs, or what it says is lost on the way",
                                 place, name));
    }
    if (!seen->accepted) {
      return give_up(
          name, "tls",
          fmt::format("{}: {} has the certificate of the consortium file, but {}: it may have another file, or "
                      "its clock may be far off",
                      place, name, seen->accepted.error().message));
    }
    note(name, "tls", fmt::format("{}: it is {}, by its certificate, and it accepts this member's", place, name));
    look_at_file(peer, address);
    return true;
  }

  // Whether members can be met there.
  bool look_at_relay(AgentId neighbour) {
    const std::string& name = relay_->identity.name();
    const std::string place = identity::text_of(relay_->address);
    const auto fail = [&](const char* check, const std::string& sentence) {
      blame(name, check, sentence);
      return false;
    };
    const auto side = net::TlsSide::client(config_.identity, net::kRelayProtocol);
    const auto proxy = proxy_for(name, relay_->address);
    net::ReachedRelay reached = net::reach_relay(*relay_, proxy, side, deadline(), -1);
    switch (reached.step) {
      case net::RelayStep::kConnecting:
        return fail(proxy ? "proxy" : "tcp", reached.outcome.error().message);
      case net::RelayStep::kTls:
        return fail("tls", reached.outcome.error().message);
      case net::RelayStep::kCertificate:
        return fail("tls", other_certificate(relay_->identity, relay_->address, reached.certificate));
      case net::RelayStep::kDone:
        break;
    }
    note(name, "tls", fmt::format("{}: it is the relay, by its certificate", place));
    const auto asked = net::waits_there(*reached.link, *relay_, key_of(neighbour), deadline());
    if (!asked) return fail("consortium", asked.error().message);
    note(name, "consortium", "the relay knows this member, and has the same consortium file");
    return true;
  }
  [[nodiscard]] Digest key_of(AgentId id) const { return net::key_of(consortium_.members[id.value].identity); }

  // A neighbour that we dial at the relay.
  void look_for(const identity::PublicIdentity& peer) {
    const auto side = net::TlsSide::client(config_.identity, net::kRelayProtocol);
    net::ReachedRelay reached = net::reach_relay(*relay_, config_.proxy, side, deadline(), -1);
    if (!reached.outcome) return blame(peer.name(), "relay", reached.outcome.error().message);
    const auto there = net::waits_there(*reached.link, *relay_, net::key_of(peer), deadline());
    if (!there) return blame(peer.name(), "relay", there.error().message);
    if (!*there) {
      return blame(peer.name(), "relay",
                   fmt::format("{0} does not wait at the relay: its agent does not run, or does not get there; type "
                               "'ppdnmf doctor' at {0}",
                               peer.name()));
    }
    note(peer.name(), "relay", fmt::format("{} waits at the relay", peer.name()));
    look_at_file(peer, std::nullopt);
  }

  [[nodiscard]] std::string other_certificate(const identity::PublicIdentity& peer, const identity::Address& address,
                                              const Bytes& seen) const {
    const std::string place = identity::text_of(address);
    if (const std::string issuer = net::foreign_issuer(seen); !issuer.empty()) {
      return fmt::format(
          "{0}: {1} opens TLS apart: at the far end stands a certificate that {2} has signed, and not that of {3}. TLS "
          "has to go from end to end, so that this cannot work: ask whoever runs it to let connections to {0} through "
          "as they are",
          place, net::proxy_for(address, config_.proxy) ? "the proxy" : "something on the way", issuer, peer.name());
    }
    for (const consortium::Member& member : consortium_.members) {
      if (member.identity.certificate() != seen) continue;
      return fmt::format(
          "{}: {} listens there and not {}: the consortium file has their addresses mixed up, or the way "
          "there leads to another machine",
          place, member.identity.name(), peer.name());
    }
    return fmt::format(
        "{}: whoever listens there has another certificate (SHA-256 {}) than {} in the consortium file (SHA-256 {}): "
        "it "
        "is another program or machine, or {} has made a new identity",
        place, hex(sha256(seen)), peer.name(), hex(sha256(peer.certificate())), peer.name());
  }

  // At its address, or at the relay.
  void look_at_file(const identity::PublicIdentity& peer, const std::optional<identity::Address>& address) {
    const net::PeerConfig asked{AgentId{0}, peer, address};
    const auto told = net::inquire(asked, *config_.identity, config_.patience, config_.proxy, relay_);
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
  const std::optional<net::RelayPlace> relay_;
  std::vector<Finding> findings_;
};

}  // namespace

std::string about_consortium(const Digest& digest) { return "consortium " + hex(digest); }

std::optional<net::RelayPlace> relay_of(const consortium::CheckedConsortium& consortium) {
  const auto& relay = consortium.content().relay;
  if (!relay) return std::nullopt;
  return net::RelayPlace{relay->address, relay->identity, consortium.digest()};
}

std::vector<Finding> examine(const ExaminationConfig& config) {
  const net::NoBrokenPipes guard;  // a relay or a proxy may close what we write to
  return Examiner(config).run();
}

Finding examine_relay(const RelayExamination& config) {
  const net::NoBrokenPipes guard;
  const std::optional<net::RelayPlace> relay = relay_of(*config.consortium);
  PPDNMF_CHECK(relay && relay->identity == config.identity->public_identity());
  const auto hangs = [&](const identity::Address& here) -> std::optional<bool> {
    net::RelayPlace place = *relay;
    place.address = here;
    const auto side = net::TlsSide::client(config.identity, net::kRelayProtocol);
    const auto reached = net::reach_relay(place, std::nullopt, side, steady_clock::now() + config.patience, -1);
    return reached.step == net::RelayStep::kDone ? std::optional(false) : std::nullopt;
  };
  return look_at_own_address({relay->identity.name(), "a relay", "this relay", hangs},
                             config.listen.value_or(relay->address));
}

}  // namespace ppdnmf::doctor
