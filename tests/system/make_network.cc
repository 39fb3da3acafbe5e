// The files of a launched run without the processes: make_network FILE --folder DIR --port P --port P ... and the
// options of `ppdnmf launch`. Writes agent-<i>.key, .pub and .npy, launch.toml, and secrets.txt with what must appear
// in no file of the agents: one secret a line, in hexadecimal digits. With --relay also relay.key, relay.pub, relay.pem
// (key and certificate) and members.pem (certificates): for a relay that lies. With --run-secret, --run and --agent it
// writes nothing and prints the primes of that agent's key in that run instead. For tests.
#include <fmt/format.h>
#include <sys/stat.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>

#include "apps/ppdnmf/clock.h"
#include "apps/ppdnmf/consortium.h"
#include "apps/ppdnmf/launch_processes.h"
#include "apps/ppdnmf/network_options.h"
#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/run_settings.h>
#include <ppdnmf/identity/files.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/npy.h>
#include <ppdnmf/launch/throw_away.h>
#include <ppdnmf/protocol/purposes.h>
#include <ppdnmf/protocol/roll_call.h>
#include <ppdnmf/protocol/seeded_secrets.h>

namespace ppdnmf::app {
namespace {

std::string hex_line(ByteSpan bytes) {
  std::string out;
  for (const std::uint8_t byte : bytes) out += fmt::format("{:02x}", byte);
  return out + "\n";
}

// Of PEM, the base64 inside: its first line names the format, the key itself is in the others.
std::string tls_key_lines(const identity::PrivateIdentity& identity) {
  const crypto::SecretBytes pem = identity.reveal_tls_key_pem();
  const std::string text(pem.data(), pem.data() + pem.size());
  const std::size_t begin = text.find('\n') + 1;
  const auto der = parse_base64(text.substr(begin, text.rfind("-----END") - begin));
  PPDNMF_CHECK(der && der->size() > 68);
  // PKCS #8 of P-256: the scalar stands at byte 36 (RFC 5208 around RFC 5915).
  return hex_line(ByteSpan(*der).subspan(36, 32));
}

std::string secrets_of(const identity::PrivateIdentity& identity, std::uint64_t seed, AgentId agent) {
  const Seed secret = protocol::simulated_secret(seed, agent);
  return hex_line(identity.x25519().reveal_secret_bytes()) + hex_line(secret.reveal_secret_bytes()) +
         hex_line(protocol::ephemeral_key(secret).reveal_secret_bytes()) + tls_key_lines(identity);
}

// p and q, the smallest byte first.
Result<std::string> prime_lines(const crypto::KeyOptions& options, const Seed& secret) {
  Stream primes(secret, protocol::kKeyStream);
  PPDNMF_TRY(const crypto::PrivateKey key, crypto::PrivateKey::generate(options, primes));
  const crypto::SecretBytes encoded = key.encode_secret();  // 4 bytes, then p and q (crypto/key_codec.cc)
  const std::size_t half = options.bits / 16;
  const ByteSpan bytes = encoded.span();
  return hex_line(bytes.subspan(4, half)) + hex_line(bytes.subspan(4 + half, half));
}

std::vector<std::uint8_t> from_hex(const std::string& digits) {
  std::vector<std::uint8_t> out;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    out.push_back(static_cast<std::uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  }
  return out;
}

struct OfRun {
  std::string secret, run;
  std::uint32_t agent = 0;
};

Status print_primes(const SimulateOptions& options, const OfRun& of) {
  const auto secret = from_hex(of.secret);
  const auto run = from_hex(of.run);
  Digest digest{};
  PPDNMF_CHECK(secret.size() == Seed::kBytes && run.size() == digest.size());
  std::copy(run.begin(), run.end(), digest.begin());
  const Seed own = Seed::from_bytes(std::span<const std::uint8_t, Seed::kBytes>(secret.data(), Seed::kBytes));
  const auto keys = protocol::key_options(options.request.options.settings);
  PPDNMF_CHECK(keys);
  PPDNMF_TRY(const std::string lines, prime_lines(*keys, protocol::bind_secret(own, digest, AgentId{of.agent})));
  fmt::print("{}", lines);
  return {};
}

// For a relay that lies: its own identity, and whom it has to know.
Status make_relay(const std::filesystem::path& folder, const std::vector<identity::PrivateIdentity>& members) {
  PPDNMF_TRY(const auto relay, identity::PrivateIdentity::generate("relay", now()));
  PPDNMF_TRY_STATUS(identity::write_identity(identity::identity_paths(folder, "relay"), relay, nullptr, false));
  const crypto::SecretBytes key = relay.reveal_tls_key_pem();
  std::string pem(key.data(), key.data() + key.size());
  PPDNMF_TRY_STATUS(
      io::write_file(folder / "relay.pem", pem + relay.public_identity().certificate_pem(), io::kModeSecret));
  std::string certificates;
  for (const identity::PrivateIdentity& member : members) certificates += member.public_identity().certificate_pem();
  return io::write_file(folder / "members.pem", certificates);
}

Status make(const SimulateOptions& options, const std::vector<std::uint16_t>& ports, const std::string& path,
            bool relay) {
  PPDNMF_TRY(const run::Inputs inputs, run::load_inputs(options.data));
  PPDNMF_TRY(const run::NetworkPlan plan, run::make_plan(options.request.options, inputs));
  const LaunchFolder folder{path};
  const std::uint64_t seed = options.request.options.seed;
  PPDNMF_TRY(const auto identities, launch::throw_away_identities(plan.graph.agents(), seed, now()));
  PPDNMF_TRY(const auto consortium, launch::throw_away_consortium(identities, ports, plan.graph, plan.settings.rows,
                                                                  plan.settings.said, seed, now()));
  PPDNMF_TRY_STATUS(
      io::write_file(folder.consortium(), consortium::write_consortium(consortium.content()), io::kModeSecret));
  if (relay) PPDNMF_TRY_STATUS(make_relay(path, identities));
  Index first = 0;
  std::string secrets;
  for (std::uint32_t i = 0; i < plan.graph.agents(); ++i) {
    PPDNMF_TRY_STATUS(identity::write_identity(identity::identity_paths(path, launch::throw_away_name(i)),
                                               identities[i], nullptr, false));
    PPDNMF_TRY_STATUS(io::write_npy(folder.data(i), inputs.table.values.middleCols(first, plan.columns[i])));
    first += plan.columns[i];
    secrets += secrets_of(identities[i], seed, AgentId{i});
    if (const auto keys = protocol::key_options(consortium.content().settings)) {
      PPDNMF_TRY(const std::string lines, prime_lines(*keys, protocol::simulated_secret(seed, AgentId{i})));
      secrets += lines;
    }
  }
  return io::write_file(std::filesystem::path(path) / "secrets.txt", secrets, io::kModeSecret);
}

}  // namespace
}  // namespace ppdnmf::app

int main(int argc, char** argv) try {
  using namespace ppdnmf;
  using namespace ppdnmf::app;
  CLI::App app("The files of a launched run without the processes.");
  SimulateOptions options;
  std::vector<std::uint16_t> ports;
  std::string folder;
  add_data_options(app, options.data, true);
  add_seed_option(app, options.request.options.seed);
  add_setting_options(app, options.request.options.settings, has_everywhere);
  add_split_options(app, options.request.options);
  add_topology_option(app, options.request.options.topology);
  app.add_option("--port", ports, "where each agent listens");
  app.add_option("--folder", folder, "where the files go");
  bool relay = false;
  app.add_flag("--relay", relay, "make an identity for a relay, too");
  OfRun of;
  app.add_option("--run-secret", of.secret, "of an agent, in hexadecimal digits");
  app.add_option("--run", of.run, "the run's digest");
  app.add_option("--agent", of.agent, "its number");
  CLI11_PARSE(app, argc, argv);
  const Status made = of.secret.empty() ? make(options, ports, folder, relay) : print_primes(options, of);
  if (!made) std::fprintf(stderr, "%s\n", made.error().message.c_str());
  return made ? 0 : 1;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 1;
}
