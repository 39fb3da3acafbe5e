#include <ppdnmf/launch/ports.h>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <set>

#include <ppdnmf/io/descriptor.h>

namespace ppdnmf::launch {
namespace {

TEST(FreePorts, AreDifferentAndCanBeUsed) {
  const auto ports = free_ports(50);
  ASSERT_TRUE(ports) << ports.error().message;
  std::set all(ports->begin(), ports->end());
  EXPECT_EQ(all.size(), 50U);
  const auto more = free_ports(50);
  all.insert(more->begin(), more->end());
  EXPECT_EQ(all.size(), 100U);
  EXPECT_LT(*all.rbegin(), 32768);
  std::vector<io::Descriptor> held;
  for (const std::uint16_t port : *ports) {
    const io::Descriptor& one = held.emplace_back(::socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(one.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0) << port;
  }
}

}  // namespace
}  // namespace ppdnmf::launch
