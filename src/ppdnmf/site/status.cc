#include <ppdnmf/site/status.h>

#include <fcntl.h>
#include <sys/file.h>

#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/descriptor.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/site/internal/json_fields.h>

namespace ppdnmf::site {
namespace {

using internal::Json;
using internal::JsonFields;

std::filesystem::path path_in(const std::filesystem::path& folder) { return folder / "status.json"; }

Json json_of(const AgentStatus::Peer& peer) {
  Json json = Json::object();
  json["name"] = peer.name;
  json["connected"] = peer.connected;
  json["since"] = io::iso_time(peer.since);
  json["waited_for"] = peer.waited_for;
  json["waited_since"] = io::iso_time(peer.waited_since);
  return json;
}

Json json_of(const AgentStatus& status) {
  Json json = Json::object();
  json["member"] = status.member;
  json["digits"] = status.digits;
  json["phase"] = word_of(status.phase);
  json["iterations"] = status.iterations;
  json["planned_iterations"] = status.planned_iterations;
  json["rounds"] = status.rounds;
  json["error"] = internal::number_json(status.error);
  json["common"] = internal::number_json(status.common);
  json["peers"] = Json::array();
  for (const AgentStatus::Peer& peer : status.peers) json["peers"].push_back(json_of(peer));
  json["problem"] = status.problem;
  json["problem_at"] = io::iso_time(status.problem_at);
  json["because"] = status.because;
  json["pid"] = status.pid;
  json["restarts"] = status.restarts;
  json["began"] = io::iso_time(status.began);
  json["written"] = io::iso_time(status.written);
  json["lock"] = status.lock;
  return json;
}

AgentStatus::Peer peer_in(const Json& json, bool& good) {
  JsonFields in(json);
  AgentStatus::Peer out;
  out.name = in.text("name");
  out.connected = in.truth("connected");
  out.since = in.time("since");
  out.waited_for = in.truth("waited_for");
  out.waited_since = in.time("waited_since");
  good = in.good();
  return out;
}

std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

// A file inside the folder, however the status spells it.
bool stays_inside(const std::filesystem::path& lock) {
  if (lock.empty() || lock.is_absolute()) return false;
  for (const auto& part : lock) {
    if (part == "..") return false;
  }
  return true;
}

}  // namespace

Status write_status(const std::filesystem::path& folder, const AgentStatus& status) {
  return io::write_file(path_in(folder), text_of(json_of(status)), io::kModeSecret);
}

Result<AgentStatus> read_status(const std::filesystem::path& folder) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 22U;
  if (std::error_code ignored; !std::filesystem::exists(path_in(folder), ignored))
    return error(ErrorCode::kFile, "{}: there is no status.json of an agent here: give its `out`", folder.string());
  PPDNMF_TRY(const Bytes bytes, io::read_file(path_in(folder), kMaxBytes));
  auto status = parse_status(io::as_text(bytes));
  if (!status) return error(ErrorCode::kFile, "{}: {}", path_in(folder).string(), status.error().message);
  return status;
}

Result<AgentStatus> parse_status(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  JsonFields in(json);
  AgentStatus out;
  out.member = in.text("member");
  out.digits = in.text("digits");
  out.phase = in.phase("phase");
  out.iterations = in.count("iterations");
  out.planned_iterations = in.count("planned_iterations");
  out.rounds = in.count("rounds");
  out.error = in.number("error");
  out.common = in.number("common");
  for (const Json& peer : in.list("peers")) {
    bool good = false;
    out.peers.push_back(peer_in(peer, good));
    in.spoil(!good);
  }
  out.problem = in.text("problem");
  out.problem_at = in.time("problem_at");
  out.because = in.text("because");
  out.pid = in.count("pid");
  out.restarts = in.count("restarts");
  out.began = in.time("began");
  out.written = in.time("written");
  out.lock = in.text("lock");
  in.spoil(!stays_inside(out.lock));
  if (!in.good()) return error(ErrorCode::kInvalidData, "is not the status of an agent of this version");
  return out;
}

std::string status_json(const AgentStatus& status, bool running) {
  Json json = Json::object();
  json["running"] = running;
  const Json written = json_of(status);
  for (const auto& [key, value] : written.items()) json[key] = value;
  return text_of(json);
}

bool is_running(const std::filesystem::path& folder, const AgentStatus& status) {
  const io::Descriptor lock(::open((folder / status.lock).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  return lock.get() >= 0 && ::flock(lock.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace ppdnmf::site
