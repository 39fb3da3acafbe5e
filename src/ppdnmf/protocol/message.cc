#include <ppdnmf/protocol/message.h>

namespace ppdnmf::protocol {
namespace {

struct Size {
  std::size_t operator()(const Hello& m) const { return 1 + sizeof m.common + sizeof m.weight + m.payload.size(); }
  std::size_t operator()(const Query& m) const { return sizeof m.round + sizeof m.stop_admm + m.payload.size(); }
  std::size_t operator()(const Reply& m) const { return sizeof m.round + sizeof m.weight + m.payload.size(); }
  std::size_t operator()(const Partial& m) const { return sizeof m.number + 1 + sizeof m.chain + m.payload.size(); }
  std::size_t operator()(const Total& m) const { return sizeof m.number + 1 + m.payload.size(); }
};

}  // namespace

std::size_t content_size(const Message& message) { return sizeof message.run + std::visit(Size{}, message.body); }

}  // namespace ppdnmf::protocol
