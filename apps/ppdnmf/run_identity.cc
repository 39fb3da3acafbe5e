#include "apps/ppdnmf/run_identity.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "apps/ppdnmf/clock.h"
#include "apps/ppdnmf/passphrase.h"
#include <ppdnmf/base/encoding.h>
#include <ppdnmf/identity/day.h>
#include <ppdnmf/identity/files.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::app {
namespace {

nlohmann::ordered_json json_of(const identity::PublicIdentity& identity) {
  return {{"name", identity.name()},
          {"fingerprint", hex(identity.fingerprint())},
          {"digits", spoken(identity.fingerprint())},
          {"valid_from", identity::day_text(identity.valid_from())},
          {"valid_until", identity::day_text(identity.valid_until())}};
}

void print(const identity::PublicIdentity& identity) {
  const auto today = now();
  const char* remark = today >= identity.valid_until() ? " (expired)"
                       : today < identity.valid_from() ? " (not valid yet: is the clock right?)"
                                                       : "";
  fmt::print("name         {}\nfingerprint  {}\nvalid        {} to {}{}\n", identity.name(),
             spoken(identity.fingerprint()), identity::day_text(identity.valid_from()),
             identity::day_text(identity.valid_until()), remark);
}

Result<std::optional<identity::Passphrase>> chosen_passphrase(const NewIdentityOptions& options) {
  if (options.passphrase_fd) {
    return read_passphrase(*options.passphrase_fd).map([](identity::Passphrase p) {
      return std::optional(std::move(p));
    });
  }
  if (!options.passphrase) return std::optional<identity::Passphrase>();
  return ask_passphrase(fmt::format("A passphrase for {}", options.name), true).map([](identity::Passphrase p) {
    return std::optional(std::move(p));
  });
}

nlohmann::ordered_json json_of(const identity::ShownIdentity& shown) {
  auto json = json_of(shown.identity);
  if (shown.before) json["before"] = json_of(*shown.before);
  return json;
}

void print(const identity::ShownIdentity& shown) {
  print(shown.identity);
  if (shown.before) {
    fmt::print("renews       {}, valid until {}; signed with its key\n", spoken(shown.before->fingerprint()),
               identity::day_text(shown.before->valid_until()));
  }
}

// A .pub or a .key file; of the latter the public part.
Result<identity::ShownIdentity> read_shown(const std::filesystem::path& path) {
  PPDNMF_TRY(Bytes bytes, io::read_file(path, identity::kMaxIdentityFileBytes));
  const bool key = io::as_text(bytes).starts_with("ppdnmf private identity");
  auto shown = key ? identity::KeyRing::shown_in(bytes) : identity::parse_shown(io::as_text(bytes));
  crypto::wipe(bytes.data(), bytes.size());
  if (!shown) return at(path.string(), std::move(shown).error());
  return shown;
}

}  // namespace

Status run_identity_new(const NewIdentityOptions& options) {
  if (const Status status = identity::check_name(options.name); !status) return at("--name", status.error());
  PPDNMF_TRY(const std::optional<identity::Passphrase> passphrase, chosen_passphrase(options));
  PPDNMF_TRY(const identity::PrivateIdentity identity, identity::PrivateIdentity::generate(options.name, now()));
  std::error_code failure;
  std::filesystem::create_directories(options.out, failure);
  if (failure) return error(ErrorCode::kFile, "{}: cannot be created: {}", options.out.string(), failure.message());
  const identity::IdentityPaths paths = identity::identity_paths(options.out, options.name);
  PPDNMF_TRY_STATUS(identity::write_identity(paths, identity, passphrase ? &*passphrase : nullptr, options.force));
  if (options.json) {
    auto json = json_of(identity.public_identity());
    json["key"] = paths.key.string();
    json["pub"] = paths.pub.string();
    json["sealed"] = passphrase.has_value();
    fmt::print("{}\n", json.dump(2));
    return {};
  }
  if (options.quiet) return {};
  print(identity.public_identity());
  fmt::print("{}  stays here: whoever has it{} can act as {}\n{}  goes to whoever writes the consortium file\n",
             paths.key.string(), passphrase ? " and its passphrase" : "", options.name, paths.pub.string());
  return {};
}

Status run_identity_renew(const RenewIdentityOptions& options) {
  PPDNMF_TRY(const crypto::SecretBytes bytes, identity::read_key_file(options.key));
  std::optional<identity::Passphrase> passphrase;
  if (identity::KeyRing::is_sealed(bytes.span())) {
    PPDNMF_TRY(passphrase, passphrase_for(options.key, options.passphrase_fd));
  }
  const identity::Passphrase* const given = passphrase ? &*passphrase : nullptr;
  auto keys = identity::KeyRing::decode(bytes.span(), given);
  if (!keys) return at(options.key.string(), std::move(keys).error());
  PPDNMF_TRY(const identity::KeyRing renewed, std::move(*keys).renew(now()));
  identity::IdentityPaths paths{options.key, options.key};
  paths.pub.replace_extension(".pub");
  PPDNMF_TRY_STATUS(identity::replace_identity(paths, renewed, given));
  const identity::ShownIdentity shown{renewed.identity().public_identity(), renewed.before()->public_identity()};
  if (options.json) fmt::print("{}\n", json_of(shown).dump(2));
  if (options.json || options.quiet) return {};
  print(shown);
  fmt::print(
      "{} holds both: where a consortium file names the old one, it is used until it ends\n"
      "{}  goes to whoever writes the next consortium file\n",
      paths.key.string(), paths.pub.string());
  return {};
}

Status run_identity_show(const ShowIdentityOptions& options) {
  PPDNMF_TRY(const identity::ShownIdentity shown, read_shown(options.file));
  if (options.json) {
    fmt::print("{}\n", json_of(shown).dump(2));
  } else {
    print(shown);
  }
  return {};
}

}  // namespace ppdnmf::app
