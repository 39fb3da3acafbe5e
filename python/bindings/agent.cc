#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arrays.h"
#include "background.h"
#include "bind.h"
#include "errors.h"
#include "version.h"
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/net/transport.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/site/agent_run.h>

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

// Everything a run touches: it may outlive its caller.
struct RealRun {
  site::AgentRequest request;
  io::Table samples;
  std::optional<identity::Passphrase> passphrase;
  std::size_t threads = 0;  // 0: all processors

  std::variant<site::ProgressLine, std::string>
      news;  // what the listener is to hear: progress, or a sentence for the log
  site::AgentFactors factors;
  double squared_error = 0;
  std::vector<std::string> row_names, notes;
};

Status run_agent_to_the_end(RealRun& run, Monitor& monitor) {
  run.request.passphrase = [&]() -> Result<identity::Passphrase> {
    if (run.passphrase) return *std::exchange(run.passphrase, std::nullopt);
    return error(ErrorCode::kUsage, "{}: needs its passphrase: give passphrase=getpass.getpass",
                 run.request.identity.string());
  };
  run.request.read_data = [&](const io::ReadLimits&) -> Result<io::Table> { return std::move(run.samples); };
  // What the listener answers does not matter: one member cannot end everybody's run.
  const auto tell = [&](std::variant<site::ProgressLine, std::string> news) {
    run.news = std::move(news);
    (void)monitor.report({});
  };
  site::DaemonListener listener;
  listener.log = [&](const std::string& sentence) { tell(sentence); };
  listener.progress = [&](const site::ProgressLine& line) { tell(line); };
  listener.interrupted = [&] { return monitor.given_up(); };
  host::ThreadPool pool(host::threads_or_all(run.threads));
  PPDNMF_TRY(site::AgentResult result, site::take_part(run.request, pool, listener));
  PPDNMF_TRY(run.factors, site::read_factors(run.request.folder, result.data));
  run.squared_error = nmf::fit_of(run.factors.X, *result.data.view(), run.factors.Y).squared_error;
  run.row_names = std::move(result.data.row_names);
  run.notes = std::move(result.notes);
  if (!result.unheard.empty()) run.notes.push_back(site::words_for_unheard(result.unheard));
  return {};
}

py::dict progress_dict(const site::ProgressLine& line) {
  py::dict fields;
  fields["phase"] = std::string(site::word_of(line.phase));
  fields["iteration"] = line.iterations;
  fields["rounds"] = line.rounds;
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
      if (!callback.is_none()) callback(progress_dict(*line));
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
                   const std::string& known, bool exact_anyway, std::vector<std::string> persons,
                   std::vector<std::string> feature_names, std::vector<std::string> sample_names,
                   const std::string& show, const std::string& reference, double prune, int intervals,
                   const py::object& callback, const py::object& log) {
  // A run that Ctrl-C has left may still be about to close its folder.
  wait_for_left_work();
  net::prepare_process_for_transport();
  const auto run = std::make_shared<RealRun>();
  run->passphrase = secret_copy(passphrase);
  run->threads = threads;
  run->samples.values = columns_of(samples);
  run->samples.row_names = std::move(feature_names);
  run->samples.column_names = std::move(sample_names);
  site::AgentRequest& request = run->request;
  request.consortium = consortium;
  request.identity = identity;
  request.data_place = "the samples (whose features are rows here)";
  request.folder = out;
  request.max_wait = std::chrono::seconds(max_wait);
  request.data_name = data_name;
  request.ledger = ledger;
  request.known = known;
  request.exact_anyway = exact_anyway;
  request.pictures = {require(report::parse_show(show)), reference};
  request.exposures = {prune, intervals};
  if (!persons.empty()) {
    if (persons.size() != static_cast<std::size_t>(run->samples.columns()))
      throw py::value_error("persons must name one person for each sample");
    request.read_persons = [persons = std::move(persons)](const io::Table&) -> Result<std::vector<std::string>> {
      return persons;
    };
  }
  request.version = kVersion;
  if (!listen.empty()) {
    auto address = identity::parse_address(listen);
    require(address ? Status() : at("listen", address.error()));
    request.listen = *std::move(address);
  }
  run_in_background([run](Monitor& monitor) { return run_agent_to_the_end(*run, monitor); }, OnGivingUp::kLeaveIt,
                    listener_for(run, callback, log));
  py::dict result;
  result["components"] = transposed(std::move(run->factors.X));
  result["coordinates"] = transposed(std::move(run->factors.Y));
  result["squared_error"] = run->squared_error;
  result["feature_names"] = run->row_names;
  result["notes"] = run->notes;
  return result;
}

}  // namespace

void bind_agent(py::module_& module) {
  module.def("run_agent", &run_agent, py::arg("samples"), py::kw_only(), py::arg("consortium"), py::arg("identity"),
             py::arg("out"), py::arg("passphrase"), py::arg("listen"), py::arg("threads"), py::arg("max_wait"),
             py::arg("data_name"), py::arg("ledger"), py::arg("known"), py::arg("exact_anyway"), py::arg("persons"),
             py::arg("feature_names"), py::arg("sample_names"), py::arg("show"), py::arg("reference"), py::arg("prune"),
             py::arg("intervals"), py::arg("callback") = py::none(), py::arg("log") = py::none(),
             "Takes part in a real run until it has ended, with these samples.");
}

}  // namespace ppdnmf::python
