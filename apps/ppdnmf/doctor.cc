#include <ppdnmf/doctor/doctor.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/ppdnmf/clock.h"
#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/passphrase.h"
#include <ppdnmf/base/encoding.h>

namespace ppdnmf::app {
namespace {

struct Options {
  std::filesystem::path consortium, identity;
  std::string listen;
  std::optional<int> passphrase_fd;
  int patience = 5;
  bool json = false;
};

struct Examined {
  std::string member, digits;
  std::vector<doctor::Finding> findings;
  [[nodiscard]] auto wrong() const {
    return std::count_if(findings.begin(), findings.end(), [](const doctor::Finding& f) { return !f.well; });
  }
};

// What a member has by itself; the network is looked at only if all of it is well.
Result<Examined> examine_all(const Options& options) {
  PPDNMF_TRY(const identity::PrivateIdentity identity, open_identity(options.identity, options.passphrase_fd));
  PPDNMF_TRY(consortium::Consortium content, consortium::read_consortium(options.consortium));
  const std::string file = options.consortium.string();
  Examined out;
  out.member = identity.public_identity().name();
  for (const consortium::Problem& problem : consortium::check(content, now())) {
    out.findings.push_back({file, "file", problem.severity != consortium::Severity::kRefusal, problem.sentence});
  }
  auto consortium = consortium::CheckedConsortium::create(std::move(content), now());
  if (!consortium) return out;
  if (out.findings.empty()) out.findings.push_back({file, "file", true, "nothing to complain about"});
  out.digits = spoken(consortium->digest());
  const auto self = consortium->find(identity.public_identity());
  if (!self) {
    out.findings.push_back(
        {out.member, "identity", false,
         fmt::format("{} is no member of {}: the file was made with another .pub", options.identity.string(), file)});
    return out;
  }
  out.findings.push_back({out.member, "identity", true, fmt::format("{} is a member", out.member)});
  doctor::ExaminationConfig config{&*consortium, *self, &identity, std::nullopt, std::chrono::seconds(options.patience)};
  if (!options.listen.empty()) {
    auto address = consortium::parse_address(options.listen);
    if (!address) return at("--listen", std::move(address).error());
    config.listen = *std::move(address);
  }
  std::vector<doctor::Finding> found = doctor::examine(config);
  out.findings.insert(out.findings.end(), found.begin(), found.end());
  return out;
}

void print_json(const Examined& examined) {
  using Json = nlohmann::ordered_json;
  Json findings = Json::array();
  for (const doctor::Finding& one : examined.findings) {
    findings.push_back({{"about", one.about}, {"check", one.check}, {"well", one.well}, {"sentence", one.sentence}});
  }
  const Json all = {{"member", examined.member},
                    {"digits", examined.digits.empty() ? Json(nullptr) : Json(examined.digits)},
                    {"well", examined.wrong() == 0},
                    {"findings", findings}};
  fmt::print("{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print(const Examined& examined) {
  for (const doctor::Finding& one : examined.findings) {
    fmt::print("{}  {}, {}: {}\n", one.well ? "well " : "wrong", one.about, one.check, one.sentence);
  }
  if (!examined.digits.empty()) fmt::print("\ncompare over the telephone: {}\n", examined.digits);
}

Status run_doctor(const Options& options) {
  PPDNMF_TRY(const Examined examined, examine_all(options));
  if (options.json) {
    print_json(examined);
  } else {
    print(examined);
  }
  const auto wrong = examined.wrong();
  if (wrong == 0) return {};
  return error(ErrorCode::kPeer, "{} of {} checks found something wrong", wrong, examined.findings.size());
}

}  // namespace

void add_doctor(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("doctor", "Why this machine and its neighbours do not connect");
  auto options = std::make_shared<Options>();
  command->add_option("--consortium", options->consortium, "the file that all members have")->required();
  command->add_option("--identity", options->identity, "this member's .key file")->required();
  command->add_option("--listen", options->listen, "ADDR:PORT, as given to the agent");
  command->add_option("--passphrase-fd", options->passphrase_fd, "read the key's passphrase from this file descriptor")
      ->check(CLI::Range(0, 1 << 20));
  command->add_option("--patience", options->patience, "seconds for each step with each neighbour (5)")
      ->check(CLI::Range(1, 3600));
  command->add_flag("--json", options->json, "print JSON instead of lines");
  command->footer("Example: ppdnmf doctor --consortium trial.toml --identity hospital-a.key");
  command->callback([options, &outcome] { outcome = run_doctor(*options); });
}

}  // namespace ppdnmf::app
