#include "apps/ppdnmf/run_doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "apps/ppdnmf/clock.h"
#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/options.h"
#include "apps/ppdnmf/passphrase.h"
#include <ppdnmf/base/encoding.h>
#include <ppdnmf/doctor/doctor.h>
#include <ppdnmf/site/agent_run.h>

namespace ppdnmf::app {
namespace {

struct Examined {
  std::string member, digits;
  std::vector<doctor::Finding> findings;
  [[nodiscard]] auto wrong() const {
    return std::count_if(findings.begin(), findings.end(), [](const doctor::Finding& f) { return !f.well; });
  }
};

// What a member has by itself; the network is looked at only if all of it is well.
Result<Examined> examine_all(const DoctorOptions& options) {
  PPDNMF_TRY(identity::KeyRing keys, open_keys(options.identity, options.passphrase_fd));
  PPDNMF_TRY(consortium::Consortium content, consortium::read_consortium(options.consortium));
  const auto is_relay = [relay = content.relay](const identity::PublicIdentity& one) {
    return relay && one == relay->identity;
  };
  const bool has_relay =
      is_relay(keys.identity().public_identity()) || (keys.before() && is_relay(keys.before()->public_identity()));
  const identity::PrivateIdentity identity =
      has_relay ? std::move(keys).choose(is_relay) : site::identity_for(content, std::move(keys));
  const std::string file = options.consortium.string();
  Examined out;
  out.member = identity.public_identity().name();
  for (const consortium::Problem& problem : consortium::check(content, now())) {
    out.findings.push_back({file, "file", problem.severity != consortium::Severity::kRefusal, problem.sentence});
  }
  auto consortium = consortium::CheckedConsortium::create(std::move(content), now());
  if (!consortium) return out;
  if (out.findings.empty()) out.findings.push_back({file, "file", true, "nothing is wrong with it"});
  out.digits = spoken(consortium->digest());
  std::optional<identity::Address> listen;
  if (!options.listen.empty()) {
    auto address = identity::parse_address(options.listen);
    if (!address) return at("--listen", std::move(address).error());
    listen = *std::move(address);
  }
  const std::chrono::seconds patience(options.patience);
  if (has_relay) {
    out.findings.push_back({out.member, "identity", true, fmt::format("{} is the relay of this file", out.member)});
    out.findings.push_back(doctor::examine_relay({&*consortium, &identity, listen, patience}));
    return out;
  }
  const auto self = consortium->find(identity.public_identity());
  if (!self) {
    out.findings.push_back({out.member, "identity", false,
                            fmt::format("{} is not a member of {}: the file was made with another .pub",
                                        options.identity.string(), file)});
    return out;
  }
  out.findings.push_back({out.member, "identity", true, fmt::format("{} is a member", out.member)});
  doctor::ExaminationConfig config{&*consortium, *self, &identity, listen, patience, std::nullopt};
  PPDNMF_TRY(config.proxy, chosen_proxy(options.proxy));
  std::vector<doctor::Finding> found = doctor::examine(config);
  out.findings.insert(out.findings.end(), found.begin(), found.end());
  return out;
}

void print_json(const Examined& examined) {
  using Json = nlohmann::ordered_json;
  Json findings = Json::array();
  for (const doctor::Finding& one : examined.findings) {
    findings.push_back(
        {{"about", one.about}, {"check", one.check}, {"well", one.well}, {"sentence", in_flags(one.sentence)}});
  }
  const Json all = {{"member", examined.member},
                    {"digits", examined.digits.empty() ? Json(nullptr) : Json(examined.digits)},
                    {"well", examined.wrong() == 0},
                    {"findings", findings}};
  fmt::print("{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print(const Examined& examined) {
  for (const doctor::Finding& one : examined.findings) {
    fmt::print("{}  {}, {}: {}\n", one.well ? "well " : "wrong", one.about, one.check, in_flags(one.sentence));
  }
  if (!examined.digits.empty()) fmt::print("\ncompare over the telephone: {}\n", examined.digits);
}

}  // namespace

Status run_doctor(const DoctorOptions& options) {
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

}  // namespace ppdnmf::app
