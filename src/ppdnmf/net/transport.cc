#include <ppdnmf/net/transport.h>

#include <map>
#include <set>
#include <utility>

#include <ppdnmf/net/internal/board.h>
#include <ppdnmf/net/internal/engine.h>

namespace ppdnmf::net {
namespace {

Status check(const TransportConfig& config) {
  PPDNMF_CHECK(config.self != nullptr && config.max_message_bytes > 0);
  std::set<AgentId> ids;
  std::set<Bytes> certificates = {config.self->public_identity().certificate()};
  for (const PeerConfig& peer : config.peers) {
    if (!ids.insert(peer.id).second || !certificates.insert(peer.identity.certificate()).second) {
      return error(ErrorCode::kUsage, "two members have one place or one certificate, and {} is one of them",
                   peer.identity.name());
    }
    PPDNMF_CHECK(!peer.dial_at_relay || config.relay);
    if (!peer.dialled() && !config.listen && !config.relay) {
      return error(ErrorCode::kUsage, "{} dials this agent, which has no address to listen at; give one with `listen`",
                   peer.identity.name());
    }
  }
  return {};
}

}  // namespace

class Transport::Core {
 public:
  explicit Core(TransportConfig settings)
      : config(std::move(settings)),
        board(config, [this](std::size_t peer) { engine.stir(peer); }),
        engine(config, board) {
    for (std::size_t i = 0; i < config.peers.size(); ++i) places.emplace(config.peers[i].id, i);
  }
  [[nodiscard]] std::size_t place(AgentId id) const {
    const auto found = places.find(id);
    PPDNMF_CHECK(found != places.end());
    return found->second;
  }

  TransportConfig config;
  std::map<AgentId, std::size_t> places;
  net::Board board;
  net::Engine engine;
};

Transport::Transport(std::unique_ptr<Core> core) : core_(std::move(core)) {}
Transport::~Transport() = default;

Result<std::unique_ptr<Transport>> Transport::open(const TransportConfig& config) {
  PPDNMF_TRY_STATUS(check(config));
  prepare_process_for_transport();  // before the first object of gRPC's is made: that would read the environment
  auto core = std::make_unique<Core>(config);
  PPDNMF_TRY_STATUS(core->engine.start(*config.self));
  core->config.self = nullptr;
  return std::unique_ptr<Transport>(new Transport(std::move(core)));
}

std::optional<NetEvent> Transport::next(std::chrono::steady_clock::time_point deadline) {
  return core_->board.next(deadline);
}
void Transport::interrupt() { core_->board.interrupt(); }

Transport::Sent Transport::send(AgentId to, std::shared_ptr<const Bytes> message) {
  PPDNMF_CHECK(message && !message->empty() && message->size() <= core_->config.max_message_bytes);
  return core_->board.send(core_->place(to), std::move(message));
}
Transport::Sent Transport::send(AgentId to, Bytes message) {
  return send(to, std::make_shared<const Bytes>(std::move(message)));
}

void Transport::disconnect(AgentId peer, const std::string& why) {
  const std::size_t place = core_->place(peer);
  if (const net::StreamNumber stream = core_->board.speaks_to(place); stream != 0)
    core_->engine.end(place, stream, why);
}
bool Transport::flush(std::chrono::steady_clock::time_point deadline) { return core_->board.flush(deadline); }
bool Transport::connected(AgentId peer) const { return core_->board.speaks_to(core_->place(peer)) != 0; }
bool Transport::busy(AgentId peer) const { return core_->board.busy(core_->place(peer)); }
std::uint16_t Transport::listening_port() const { return core_->engine.listening_port(); }
TrafficCounters Transport::traffic(AgentId peer) const { return core_->board.traffic(core_->place(peer)); }

}  // namespace ppdnmf::net
