#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "arrays.h"
#include "background.h"
#include <ppdnmf/base/encoding.h>
#include "bind.h"
#include <ppdnmf/consortium/check.h>
#include <ppdnmf/consortium/columns.h>
#include <ppdnmf/consortium/member_data.h>
#include <ppdnmf/site/daemon.h>
#include "errors.h"
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/identity/files.h>
#include <ppdnmf/io/read_matrix.h>
#include "version.h"

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

// Everything a run touches: it may outlive its caller.
struct RealRun {
  std::filesystem::path consortium, identity;
  std::optional<identity::Passphrase> passphrase;
  std::string listen;
  std::size_t threads = 1;
  site::DaemonConfig config;

  std::variant<site::ProgressLine, std::string> news;  // what the listener is to hear: progress, or a sentence for the log
  Matrix X, Y;
  double squared_error = 0;
  std::vector<std::string> row_names, notes;
};

Result<identity::PrivateIdentity> open_identity(const RealRun& run) {
  PPDNMF_TRY(const crypto::SecretBytes bytes, identity::read_key_file(run.identity));
  if (identity::PrivateIdentity::is_sealed(bytes.span()) && !run.passphrase) {
    return error(ErrorCode::kUsage, "{}: needs its passphrase: give passphrase=getpass.getpass", run.identity.string());
  }
  auto identity = identity::PrivateIdentity::decode(bytes.span(), run.passphrase ? &*run.passphrase : nullptr);
  if (!identity) return at(run.identity.string(), std::move(identity).error());
  return identity;
}

Status arrange_data(RealRun& run, const consortium::CheckedConsortium& consortium) {
  PPDNMF_TRY(io::CheckedTable checked,
             consortium::arrange_rows(std::move(run.config.data), "the samples (whose features are rows here)", false,
                          consortium.content()));
  PPDNMF_TRY_STATUS(consortium::check_columns(consortium, run.config.self, checked.table.values.cols()));
  run.config.data = std::move(checked.table);
  run.config.warnings = std::move(checked.notes);
  return {};
}

// Resuming is the rule, so a folder with a journal is no mistake; results without one are somebody else's.
Status prepare_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) return error(ErrorCode::kFile, "{}: cannot be made: {}", folder.string(), failure.message());
  if (std::filesystem::exists(folder / "journal", failure)) return {};
  return site::check_no_results(folder, false);
}

Status read_results(RealRun& run) {
  PPDNMF_TRY(io::Table X, io::read_matrix(run.config.folder / "X.npy"));
  PPDNMF_TRY(io::Table Y, io::read_matrix(run.config.folder / "Y.npy"));
  const Matrix& Z = run.config.data.values;
  if (X.values.rows() != Z.rows() || Y.values.cols() != Z.cols() || X.values.cols() != Y.values.rows()) {
    return error(ErrorCode::kFile, "{}: X.npy and Y.npy are not those of these samples", run.config.folder.string());
  }
  run.X = std::move(X.values);
  run.Y = std::move(Y.values);
  run.squared_error = (Z - run.X * run.Y).squaredNorm();
  run.row_names = run.config.data.row_names;
  return {};
}

Status take_part(RealRun& run, Monitor& monitor) {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  PPDNMF_TRY(consortium::Consortium content, consortium::read_consortium(run.consortium));
  const auto consortium = consortium::CheckedConsortium::create(std::move(content), now);
  if (!consortium) return at(run.consortium.string(), consortium.error());
  PPDNMF_TRY(const identity::PrivateIdentity identity, open_identity(run));
  run.passphrase.reset();
  const auto self = consortium->find(identity.public_identity());
  if (!self) {
    return error(ErrorCode::kUsage, "{} is no member of {}", run.identity.string(), run.consortium.string());
  }
  run.config.consortium = &*consortium;
  run.config.identity = &identity;
  run.config.self = *self;
  run.config.version = kVersion;
  if (!run.listen.empty()) {
    auto address = consortium::parse_address(run.listen);
    if (!address) return at("listen", std::move(address).error());
    run.config.listen = *std::move(address);
  }
  PPDNMF_TRY_STATUS(arrange_data(run, *consortium));
  PPDNMF_TRY_STATUS(prepare_folder(run.config.folder));

  // What the listener answers does not matter: one member cannot end everybody's run.
  const auto tell = [&](std::variant<site::ProgressLine, std::string> news) {
    run.news = std::move(news);
    (void)monitor.report({});
  };
  tell(fmt::format("{} of {} members; all must see the same digits: {}", identity.public_identity().name(),
                   consortium->content().members.size(), spoken(consortium->digest())));
  for (const std::string& warning : run.config.warnings) tell(warning);
  if (consortium->content().throw_away_seed) {  // the report says so by itself
    tell(std::string("every secret of this run follows from a seed in its file: it protects nobody's data"));
  }
  const site::DaemonListener listener{[&](const std::string& sentence) { tell(sentence); },
                                [&](const site::ProgressLine& line) { tell(line); }, [&] { return monitor.given_up(); }};
  host::ThreadPool pool(run.threads);
  PPDNMF_TRY(run.notes, ppdnmf::site::take_part(run.config, pool, listener));
  return read_results(run);
}

py::dict to_dict(const site::ProgressLine& line) {
  py::dict fields;
  fields["phase"] = std::string(site::word_of(line.phase));
  fields["iteration"] = line.bcd;
  fields["rounds"] = line.exchanges;
  fields["relative_error"] = line.common;
  fields["own_error"] = line.error;
  fields["bytes"] = line.bytes;
  fields["waiting_for"] = line.waiting_for;
  fields["because"] = line.because;
  return fields;
}

Listener listener_for(const std::shared_ptr<RealRun>& run, const py::object& callback, const py::object& log) {
  if (callback.is_none() && log.is_none()) return {};
  return [run, callback, log](const report::HistoryRow&) {
    if (const auto* line = std::get_if<site::ProgressLine>(&run->news)) {
      if (!callback.is_none()) callback(to_dict(*line));
    } else if (!log.is_none()) {
      log(std::get<std::string>(run->news));
    }
    return false;
  };
}

std::optional<identity::Passphrase> secret_copy(const std::optional<py::bytes>& passphrase) {
  if (!passphrase) return std::nullopt;
  const std::string_view bytes = *passphrase;
  if (bytes.empty() || bytes.size() > 1024) throw py::value_error("passphrase must have 1 to 1024 bytes");
  identity::Passphrase copy{crypto::SecretBytes(bytes.size())};
  std::copy(bytes.begin(), bytes.end(), copy.bytes.data());
  return copy;
}

py::dict run_agent(const Array& samples, const std::string& consortium, const std::string& identity,
                   const std::string& out, const std::optional<py::bytes>& passphrase, const std::string& listen,
                   std::size_t threads, int max_wait, const std::string& data_name, const std::string& ledger,
                   std::vector<std::string> feature_names, std::vector<std::string> sample_names,
                   const py::object& callback, const py::object& log) {
  // A run that Ctrl-C has left may still be about to close its folder.
  wait_for_left_work();
  net::prepare_process_for_transport();
  const auto run = std::make_shared<RealRun>();
  run->consortium = consortium;
  run->identity = identity;
  run->passphrase = secret_copy(passphrase);
  run->listen = listen;
  run->threads = threads;
  run->config.data.values = columns_of(samples);
  run->config.data.row_names = std::move(feature_names);
  run->config.data.column_names = std::move(sample_names);
  run->config.folder = out;
  run->config.most_wait = std::chrono::seconds(max_wait);
  run->config.data_name = data_name;
  run->config.ledger =
      ledger.empty() ? std::filesystem::path(identity).replace_extension(".ledger") : std::filesystem::path(ledger);
  run_in_background([run](Monitor& monitor) { return site::take_part(*run, monitor); }, OnGivingUp::kLeaveIt,
                    listener_for(run, callback, log));
  py::dict result;
  result["components"] = transposed(std::move(run->X));
  result["coordinates"] = transposed(std::move(run->Y));
  result["squared_error"] = run->squared_error;
  result["feature_names"] = run->row_names;
  result["notes"] = run->notes;
  return result;
}

}  // namespace

void bind_agent(py::module_& module) {
  module.def("run_agent", &run_agent, py::arg("samples"), py::kw_only(), py::arg("consortium"), py::arg("identity"),
             py::arg("out"), py::arg("passphrase"), py::arg("listen"), py::arg("threads"), py::arg("max_wait"),
             py::arg("data_name"), py::arg("ledger"), py::arg("feature_names"), py::arg("sample_names"),
             py::arg("callback") = py::none(), py::arg("log") = py::none(),
             "Takes part in a real run until it has ended, with these samples.");
}

}  // namespace ppdnmf::python
