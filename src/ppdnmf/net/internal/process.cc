#include <ppdnmf/net/internal/process.h>

#include <grpc/grpc.h>
#include <grpc/support/log.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <vector>

#include <ppdnmf/net/transport.h>
#include <ppdnmf/net/words.h>

namespace ppdnmf::net {
namespace {

std::mutex watches_mutex;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::vector<std::function<void(const std::string&)>*>& watches() {
  // Never destroyed: gRPC's threads may log until the very end of the process.
  static auto* const list = new std::vector<std::function<void(const std::string&)>*>;
  return *list;
}

void hear_log(gpr_log_func_args* line) {
  constexpr std::string_view kBegin = "Handshaking failed: ";
  const std::string_view message = line->message;
  if (!std::string_view(line->file).ends_with("chttp2_server.cc") || !message.starts_with(kBegin)) return;
  const std::string why = words_for_handshake(message.substr(kBegin.size()));
  const std::lock_guard lock(watches_mutex);
  for (const auto* hear : watches()) (*hear)(why);
}

void clear_environment() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (text.starts_with("GRPC_")) names.emplace_back(text.substr(0, text.find('=')));
  }
  for (const std::string& name : names) unsetenv(name.c_str());
  // gRPC 1.51 cannot be asked for TLS 1.3 alone, but takes a list of ciphers for TLS 1.2 from here. Ours are for RSA
  // certificates, of which there are none, so that no TLS 1.2 handshake finds a cipher. TLS 1.3 has a list of its own.
  setenv("GRPC_SSL_CIPHER_SUITES", "ECDHE-RSA-AES256-GCM-SHA384", 1);
  // Names mean here what they mean to the other programs of the machine (and c-ares leaks for "localhost").
  setenv("GRPC_DNS_RESOLVER", "native", 1);
}

}  // namespace

void start_grpc() {
  static std::once_flag once;
  std::call_once(once, [] {
    clear_environment();
    gpr_set_log_function(hear_log);
    gpr_set_log_verbosity(GPR_LOG_SEVERITY_DEBUG);  // the line about handshakes is one for debugging
    grpc_init();
  });
}

HandshakeWatch::HandshakeWatch(std::function<void(const std::string&)> hear) : hear_(std::move(hear)) {
  const std::lock_guard lock(watches_mutex);
  watches().push_back(&hear_);
}

HandshakeWatch::~HandshakeWatch() {
  const std::lock_guard lock(watches_mutex);
  std::erase(watches(), &hear_);
}

void prepare_process_for_transport() { start_grpc(); }

}  // namespace ppdnmf::net
