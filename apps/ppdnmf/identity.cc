#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/ppdnmf/clock.h"
#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/passphrase.h"
#include <ppdnmf/base/encoding.h>
#include <ppdnmf/identity/day.h>
#include <ppdnmf/identity/files.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::app {
namespace {

struct NewOptions {
  std::string name;
  std::filesystem::path out = ".";
  bool passphrase = false;
  std::optional<int> passphrase_fd;
  bool force = false;
  bool json = false;
  bool quiet = false;
};

struct ShowOptions {
  std::filesystem::path file;
  bool json = false;
};

nlohmann::ordered_json json_of(const identity::PublicIdentity& identity) {
  return {{"name", identity.name()},
          {"fingerprint", hex(identity.fingerprint())},
          {"digits", spoken(identity.fingerprint())},
          {"valid_from", identity::day_text(identity.valid_from())},
          {"valid_until", identity::day_text(identity.valid_until())}};
}

void print(const identity::PublicIdentity& identity) {
  const auto today = now();
  const char* remark = today >= identity.valid_until() ? " (it has ended)"
                       : today < identity.valid_from() ? " (it has not begun: is the clock right?)"
                                                       : "";
  fmt::print("name         {}\nfingerprint  {}\nvalid        {} to {}{}\n", identity.name(),
             spoken(identity.fingerprint()), identity::day_text(identity.valid_from()), identity::day_text(identity.valid_until()), remark);
}

Result<std::optional<identity::Passphrase>> chosen_passphrase(const NewOptions& options) {
  if (options.passphrase_fd) {
    return read_passphrase(*options.passphrase_fd).map([](identity::Passphrase p) { return std::optional(std::move(p)); });
  }
  if (!options.passphrase) return std::optional<identity::Passphrase>();
  return ask_passphrase(fmt::format("A passphrase for {}", options.name), true).map([](identity::Passphrase p) {
    return std::optional(std::move(p));
  });
}

Status run_new(const NewOptions& options) {
  if (const Status status = identity::check_name(options.name); !status) return at("--name", status.error());
  PPDNMF_TRY(const std::optional<identity::Passphrase> passphrase, chosen_passphrase(options));
  PPDNMF_TRY(const identity::PrivateIdentity identity, identity::PrivateIdentity::generate(options.name, now()));
  std::error_code failure;
  std::filesystem::create_directories(options.out, failure);
  if (failure) return error(ErrorCode::kFile, "{}: cannot be made: {}", options.out.string(), failure.message());
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
  fmt::print("{}  stays here: whoever has it{} is {}\n{}  is to hand around\n", paths.key.string(),
             passphrase ? " and its passphrase" : "", options.name, paths.pub.string());
  return {};
}

// A .pub or a .key file; of the latter the public part.
Result<identity::PublicIdentity> read_shown(const std::filesystem::path& path) {
  PPDNMF_TRY(Bytes bytes, io::read_file(path, identity::kMaxIdentityBytes));
  const bool key = io::as_text(bytes).starts_with("ppdnmf private identity");
  auto shown = key ? identity::PrivateIdentity::shown_in(bytes) : identity::PublicIdentity::parse(io::as_text(bytes));
  crypto::wipe(bytes.data(), bytes.size());
  if (!shown) return at(path.string(), std::move(shown).error());
  return shown;
}

Status run_show(const ShowOptions& options) {
  PPDNMF_TRY(const identity::PublicIdentity identity, read_shown(options.file));
  if (options.json) {
    fmt::print("{}\n", json_of(identity).dump(2));
  } else {
    print(identity);
  }
  return {};
}

void add_new(CLI::App& group, Status& outcome) {
  CLI::App* command = group.add_subcommand("new", "Make NAME.key, which stays here, and NAME.pub, to hand around");
  auto options = std::make_shared<NewOptions>();
  command->add_option("--name", options->name, "what the others call this organisation")->required();
  command->add_option("--out", options->out, "folder for the two files")->capture_default_str();
  auto* ask = command->add_flag("--passphrase", options->passphrase, "seal the key with a passphrase, asked for here");
  command->add_option("--passphrase-fd", options->passphrase_fd, "read the passphrase from this open file descriptor")
      ->check(CLI::Range(0, 1 << 20))
      ->excludes(ask);
  command->add_flag("--force", options->force, "replace an identity of this name for good");
  command->add_flag("--json", options->json, "print JSON instead of lines");
  command->add_flag("--quiet", options->quiet, "print nothing but errors");
  command->footer("Example: ppdnmf identity new --name hospital-a");
  command->callback([options, &outcome] { outcome = run_new(*options); });
}

void add_show(CLI::App& group, Status& outcome) {
  CLI::App* command = group.add_subcommand("show", "Name, fingerprint and dates of a .pub or .key file");
  auto options = std::make_shared<ShowOptions>();
  command->add_option("FILE", options->file, "a .pub or .key file")->required();
  command->add_flag("--json", options->json, "print JSON instead of lines");
  command->footer("Example: ppdnmf identity show hospital-a.pub");
  command->callback([options, &outcome] { outcome = run_show(*options); });
}

}  // namespace

void add_identity(CLI::App& app, Status& outcome) {
  CLI::App* group = app.add_subcommand("identity", "The keys by which the members of a run know each other");
  group->require_subcommand(1);
  group->footer("Example: ppdnmf identity new --name hospital-a");
  add_new(*group, outcome);
  add_show(*group, outcome);
}

}  // namespace ppdnmf::app
