// The files of a launched run without the processes: make_network FILE --folder DIR --port P --port P ... and the
// options of `ppdnmf launch`. Writes agent-<i>.key, .pub and .npy, launch.toml, and secrets.txt with what must appear
// in no file of the agents: one secret a line, in hexadecimal digits. For tests.
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>

#include "apps/ppdnmf/clock.h"
#include "apps/ppdnmf/consortium.h"
#include "apps/ppdnmf/launch_run.h"
#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/plan.h"
#include "base/encoding.h"
#include "identity/files.h"
#include "io/atomic_file.h"
#include "io/npy.h"
#include "launch/throw_away.h"
#include "protocol/seeded_secrets.h"

namespace ppdnmf {
namespace {

std::string hex_line(ByteSpan bytes) {
  std::string out;
  for (const std::uint8_t byte : bytes) out += fmt::format("{:02x}", byte);
  return out + "\n";
}

// Of PEM, the base64 inside: its first line names the format, the key itself is in the others.
std::string tls_key_lines(const PrivateIdentity& identity) {
  const SecretBytes pem = identity.reveal_tls_key_pem();
  const std::string text(pem.data(), pem.data() + pem.size());
  const std::size_t begin = text.find('\n') + 1;
  const auto der = parse_base64(text.substr(begin, text.rfind("-----END") - begin));
  PPDNMF_CHECK(der && der->size() > 68);
  // PKCS #8 of P-256: the scalar stands at byte 36 (RFC 5208 around RFC 5915).
  return hex_line(ByteSpan(*der).subspan(36, 32));
}

std::string secrets_of(const PrivateIdentity& identity, std::uint64_t seed, AgentId agent) {
  const Seed secret = simulated_secret(seed, agent);
  return hex_line(identity.x25519().reveal_secret_bytes()) + hex_line(secret.reveal_secret_bytes()) +
         hex_line(ephemeral_key(secret).reveal_secret_bytes()) + tls_key_lines(identity);
}

Status make(const SimulateOptions& options, const std::vector<std::uint16_t>& ports, const std::string& path) {
  PPDNMF_TRY(const Inputs inputs, load_inputs(options.data));
  PPDNMF_TRY(const Plan plan, make_plan(options.factor, options.network, inputs));
  const LaunchFolder folder{path};
  const std::uint64_t seed = options.factor.seed;
  PPDNMF_TRY(const auto identities, throw_away_identities(plan.graph.agents(), seed, now()));
  PPDNMF_TRY(const auto consortium,
             throw_away_consortium(identities, ports, plan.graph,
                                   agreed_on(plan.settings, options.factor, options.network), seed, now()));
  PPDNMF_TRY_STATUS(write_file(folder.consortium(), write_consortium(consortium.content()), kModeSecret));
  Index first = 0;
  std::string secrets;
  for (std::uint32_t i = 0; i < plan.graph.agents(); ++i) {
    PPDNMF_TRY_STATUS(write_identity(identity_paths(path, throw_away_name(i)), identities[i], nullptr, false));
    PPDNMF_TRY_STATUS(write_npy(folder.data(i), inputs.table.values.middleCols(first, plan.columns[i])));
    first += plan.columns[i];
    secrets += secrets_of(identities[i], seed, AgentId{i});
  }
  return write_file(std::filesystem::path(path) / "secrets.txt", secrets, kModeSecret);
}

}  // namespace
}  // namespace ppdnmf

int main(int argc, char** argv) {
  using namespace ppdnmf;
  CLI::App app("The files of a launched run without the processes.");
  SimulateOptions options;
  std::vector<std::uint16_t> ports;
  std::string folder;
  add_data_options(app, options.data, true);
  add_factor_options(app, options.factor, true);
  add_split_options(app, options.network);
  add_exchange_options(app, options.network);
  add_privacy_options(app, options.network);
  app.add_option("--port", ports, "where each agent listens")->required();
  app.add_option("--folder", folder, "where the files go")->required();
  CLI11_PARSE(app, argc, argv);
  note_given_options(app, options.network);
  const Status made = make(options, ports, folder);
  if (!made) std::fprintf(stderr, "%s\n", made.error().message.c_str());
  return made ? 0 : 1;
}
