#include "launch/ports.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <set>

#include "io/descriptor.h"

namespace ppdnmf {
namespace {

TEST(FreePorts, AreDifferentAndCanBeUsed) {
  const auto ports = free_ports(50);
  ASSERT_TRUE(ports) << ports.error().message;
  EXPECT_EQ(std::set(ports->begin(), ports->end()).size(), 50U);
  std::vector<Descriptor> held;
  for (const std::uint16_t port : *ports) {
    const Descriptor& one = held.emplace_back(::socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(one.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0) << port;
  }
}

}  // namespace
}  // namespace ppdnmf
