#include "apps/ppdnmf/run_relay.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <utility>

#include "apps/ppdnmf/clock.h"
#include "apps/ppdnmf/options.h"
#include "apps/ppdnmf/passphrase.h"
#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/check.h>
#include <ppdnmf/host/interrupt.h>
#include <ppdnmf/relay/relay.h>
#include <ppdnmf/site/agent_run.h>

namespace ppdnmf::app {
namespace {

// Every connection takes two, and there may be thousands.
void allow_many_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

Status run_relay(const RelayOptions& options) {
  allow_many_files();
  PPDNMF_TRY(identity::KeyRing keys, open_keys(options.identity, options.passphrase_fd));
  PPDNMF_TRY(consortium::Consortium content, consortium::read_consortium(options.consortium));
  auto checked = consortium::CheckedConsortium::create(std::move(content), now());
  if (!checked) return at(options.consortium.string(), std::move(checked).error());
  const auto& entry = checked->content().relay;
  const identity::PrivateIdentity identity =
      std::move(keys).choose([&](const identity::PublicIdentity& one) { return entry && one == entry->identity; });
  relay::RelayConfig config;
  config.consortium = &*checked;
  config.identity = &identity;
  config.bytes_per_second = options.max_rate;
  if (entry) config.listen = entry->address;
  if (!options.listen.empty()) {
    auto address = identity::parse_address(options.listen);
    if (!address) return at("--listen", std::move(address).error());
    config.listen = *std::move(address);
  }
  const auto log = [&](const std::string& sentence) {
    if (!options.quiet) fmt::print(stderr, "ppdnmf: {}\n", in_flags(sentence));
  };
  PPDNMF_TRY(const auto relay, relay::Relay::open(config, log));
  log(fmt::format("{} passes bytes on at {} between {} members; all must see the same digits: {}",
                  identity.public_identity().name(), identity::text_of(config.listen),
                  checked->content().members.size(), spoken(checked->digest())));
  host::catch_interrupts();
  relay->run([] { return host::interrupted(); });
  log("the relay ends; members wait for it to come back");
  return {};
}

}  // namespace ppdnmf::app
