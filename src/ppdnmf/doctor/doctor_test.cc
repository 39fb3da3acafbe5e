// Every finding, provoked once.
#include <ppdnmf/doctor/doctor.h>

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>

#include <ppdnmf/consortium/test_consortium.h>
#include <ppdnmf/io/descriptor.h>
#include <ppdnmf/net/probe.h>
#include <ppdnmf/net/test_transport.h>

namespace ppdnmf::doctor {
using namespace std::chrono_literals;
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// c (2) is examined: it dials a (0) and b (1), and d (3) dials it.
struct Doctor : ::testing::Test {
  static std::chrono::sys_seconds now() {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  }
  std::vector<identity::PrivateIdentity> identities = [] {
    std::vector<identity::PrivateIdentity> out;
    for (const char* name : {"a", "b", "c", "d", "stranger"}) out.push_back(identity::test_identity(name, now()));
    return out;
  }();
  consortium::Consortium content = [this] {
    consortium::Consortium out;
    for (std::uint32_t i = 0; i < 4; ++i) out.members.push_back({identities[i].public_identity(), net::loopback(1)});
    out.edges = {{"a", "c"}, {"c", "d"}, {"d", "b"}, {"a", "b"}};
    out.rows = 100;
    out.settings.rank = 5;
    out.settings.trust_members = true;
    return out;
  }();

  // Ports are given to listeners by the system; closed ones are taken from a listener that is gone.
  static std::uint16_t closed_port() { return open_socket().second; }
  static std::pair<io::Descriptor, std::uint16_t> open_socket(int backlog = 4) {
    io::Descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(socket.get(), reinterpret_cast<const sockaddr*>(&place), sizeof place), 0);
    EXPECT_EQ(listen(socket.get(), backlog), 0);
    socklen_t size = sizeof place;
    getsockname(socket.get(), reinterpret_cast<sockaddr*>(&place), &size);
    return {std::move(socket), ntohs(place.sin_port)};
  }
  // An agent that listens for c.
  std::unique_ptr<net::Transport> agent(std::size_t who, const std::string& about, std::size_t trusts = 2) {
    auto config = net::config_of(identities[who], {net::peer_of(9, identities[trusts])}, net::loopback());
    config.about = about;
    return net::open(config);
  }
  // What is found when `address` is a's; the first finding is about listening, the last about d.
  std::vector<Finding> find(const identity::Address& address, std::chrono::milliseconds patience = 5s) {
    content.members[0].address = address;
    content.members[2].address = net::loopback(closed_port());
    content.members[1].address = net::loopback(2);
    content.members[3].address = net::loopback(3);
    const auto checked = consortium::CheckedConsortium::create(content, now());
    EXPECT_TRUE(checked) << checked.error().message;
    std::vector<Finding> all = examine({&*checked, AgentId{2}, &identities[2], std::nullopt, patience});
    std::vector<Finding> of_a;
    for (const Finding& finding : all)
      if (finding.about == "a") of_a.push_back(finding);
    return of_a;
  }
  std::string digest() {
    content.members[0].address = net::loopback(1);
    content.members[1].address = net::loopback(2);
    content.members[2].address = net::loopback(4);
    content.members[3].address = net::loopback(3);
    return about_consortium(consortium::CheckedConsortium::create(content, now()).value().digest());
  }
  // All but the last are well, the last is of this kind and says so.
  static void expect_last(const std::vector<Finding>& findings, const std::string& check, const std::string& words) {
    ASSERT_FALSE(findings.empty());
    for (std::size_t i = 0; i + 1 < findings.size(); ++i) EXPECT_TRUE(findings[i].well) << findings[i].sentence;
    EXPECT_FALSE(findings.back().well);
    EXPECT_EQ(findings.back().check, check);
    EXPECT_THAT(findings.back().sentence, HasSubstr(words));
  }
};

TEST_F(Doctor, FindsNothingWhereAllIsWell) {
  const auto a = agent(0, digest());
  const auto found = find(net::loopback(a->listening_port()));
  ASSERT_EQ(found.size(), 4U);
  for (const Finding& finding : found) EXPECT_TRUE(finding.well) << finding.sentence;
  EXPECT_THAT(found[3].sentence, HasSubstr("a has the same consortium file"));
  // It opened no stream and gave no cause for complaint.
  EXPECT_FALSE(a->next(net::soon(200ms)));
}

TEST_F(Doctor, ANeighbourThatTalksIsNotDisturbed) {
  const auto a = agent(0, digest());
  const auto c =
      net::open(net::config_of(identities[2], {net::peer_of(0, identities[0], net::loopback(a->listening_port()))}));
  ASSERT_TRUE(net::await<net::Connected>(*a));
  ASSERT_TRUE(net::await<net::Connected>(*c));
  EXPECT_TRUE(find(net::loopback(a->listening_port())).back().well);
  EXPECT_FALSE(a->next(net::soon(200ms)));
  EXPECT_EQ(a->traffic(AgentId{9}).connections, 1U);
}

TEST_F(Doctor, NamesThatNobodyKnows) {
  expect_last(find({"no-such-host.invalid", 7443}), "name", "the name cannot be found");
}

TEST_F(Doctor, APortAtWhichNobodyListens) {
  expect_last(find(net::loopback(closed_port())), "tcp", "connection refused");
}

TEST_F(Doctor, AMachineThatDoesNotAnswer) {
  // A queue of connections that is full drops what comes.
  const auto [socket, port] = open_socket(0);
  const auto list = net::look_up(net::loopback(port), false);
  ASSERT_TRUE(list);
  std::vector<io::Descriptor> waiting;
  for (;;) {
    auto one = net::connect_to(list->get(), net::soon(300ms));
    if (!one) break;
    waiting.push_back(*std::move(one));
    ASSERT_LT(waiting.size(), 100U);
  }
  expect_last(find(net::loopback(port), 300ms), "tcp", "no answer");
}

TEST_F(Doctor, NoWayThere) {
  EXPECT_THAT(net::words_for_connecting(ENETUNREACH), HasSubstr("no way there from this machine"));
  EXPECT_THAT(net::words_for_connecting(EHOSTUNREACH),
              AllOf(HasSubstr("no way there from this machine"), HasSubstr("turns connections away")));
  EXPECT_THAT(net::words_for_connecting(EACCES), HasSubstr("routes or a firewall of this machine forbid it"));
}

TEST_F(Doctor, SomebodyWhoSaysNothing) {
  const auto [socket, port] = open_socket();
  expect_last(find(net::loopback(port), 300ms), "tls", "says nothing");
}

TEST_F(Doctor, SomebodyWhoDoesNotSpeakTls) {
  const auto [socket, port] = open_socket();
  std::thread greeter([&, listening = socket.get()] {
    const io::Descriptor one(accept(listening, nullptr, nullptr));
    static constexpr std::string_view kText = "220 mail.example ESMTP ready\r\n";
    (void)write(one.get(), kText.data(), kText.size());
    char wait = 0;
    while (read(one.get(), &wait, 1) > 0) continue;
  });
  expect_last(find(net::loopback(port)), "tls", "does not speak TLS 1.3");
  greeter.join();
}

TEST_F(Doctor, AnotherMemberAtTheAddress) {
  const auto b = agent(1, "");
  expect_last(find(net::loopback(b->listening_port())), "tls", "b listens there and not a");
}

TEST_F(Doctor, AStrangerAtTheAddress) {
  const auto stranger = agent(4, "");
  expect_last(find(net::loopback(stranger->listening_port())), "tls", "another certificate (SHA-256 ");
}

TEST_F(Doctor, ANeighbourThatDoesNotKnowThisMember) {
  const auto a = agent(0, digest(), 3);
  expect_last(find(net::loopback(a->listening_port())), "tls", "it may have another file, or its clock may be far off");
}

TEST_F(Doctor, ANeighbourWithAnotherFile) {
  const auto a = agent(0, about_consortium(Digest{1}));
  expect_last(find(net::loopback(a->listening_port())), "consortium", "a has another consortium file");
}

// --- its own address ------------------------------------------------------------------------------------------------

struct OwnAddress : Doctor {
  Finding find_at(const identity::Address& own) {
    (void)digest();
    content.members[2].address = own;
    const auto checked = consortium::CheckedConsortium::create(content, now());
    EXPECT_TRUE(checked) << checked.error().message;
    const auto all = examine({&*checked, AgentId{2}, &identities[2], std::nullopt, 1s});
    EXPECT_EQ(all.front().check, "listen");
    EXPECT_EQ(all.back().check, "dials us");
    return all.front();
  }
};

// Without care the write to a closed end would kill the whole process with SIGPIPE.
TEST(ShakeHands, WithSomebodyWhoHasHungUpIsASentence) {
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0);
  const io::Descriptor here(ends[0]);
  close(ends[1]);
  const auto done = net::shake_hands(here, nullptr, std::chrono::steady_clock::now() + 1s);
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("closed the connection"));
}

TEST_F(OwnAddress, IsFree) {
  const Finding found = find_at(net::loopback(closed_port()));
  EXPECT_TRUE(found.well);
  EXPECT_THAT(found.sentence, HasSubstr("an agent can listen"));
}

TEST_F(OwnAddress, IsTheOwnAgents) {
  const auto own = agent(2, "", 3);
  const Finding found = find_at(net::loopback(own->listening_port()));
  EXPECT_TRUE(found.well);
  EXPECT_THAT(found.sentence, HasSubstr("own agent listens"));
}

TEST_F(OwnAddress, IsAnotherProgramsOrAnotherAgents) {
  const auto [socket, port] = open_socket();
  EXPECT_FALSE(find_at(net::loopback(port)).well);
  const auto other = agent(0, "");
  const Finding found = find_at(net::loopback(other->listening_port()));
  EXPECT_FALSE(found.well);
  EXPECT_THAT(found.sentence, HasSubstr("another program has this port"));
}

TEST_F(OwnAddress, IsNotOfThisMachine) {
  const Finding found = find_at({"192.0.2.1", 7443});
  EXPECT_FALSE(found.well);
  EXPECT_THAT(found.sentence, HasSubstr("not one of this machine's"));
}

TEST_F(OwnAddress, IsNotNeeded) {
  (void)digest();
  const auto checked = consortium::CheckedConsortium::create(content, now());
  const auto all = examine({&*checked, AgentId{3}, &identities[3], std::nullopt, 1s});
  EXPECT_TRUE(all.front().well);
  EXPECT_THAT(all.front().sentence, HasSubstr("need not listen"));
}

}  // namespace
}  // namespace ppdnmf::doctor
