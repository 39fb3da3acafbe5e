#include <ppdnmf/site/progress_line.h>

#include <ppdnmf/site/internal/json_fields.h>

namespace ppdnmf::site {

using internal::Json;

std::string progress_line(const ProgressLine& progress) {
  Json json = Json::object();
  json["phase"] = word_of(progress.phase);
  json["iterations"] = progress.iterations;
  json["rounds"] = progress.rounds;
  json["error"] = internal::number_json(progress.error);
  json["common"] = internal::number_json(progress.common);
  json["loss"] = internal::number_json(progress.loss);
  json["closing"] = progress.closing;
  json["bytes"] = progress.bytes;
  json["waiting_for"] = progress.waiting_for;
  json["because"] = progress.because;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<ProgressLine> parse_progress_line(std::string_view line) {
  ProgressLine out;
  if (line.size() <= kMaxProgressLineBytes) {
    const Json json = Json::parse(line, nullptr, false);
    internal::JsonFields in(json);
    out.phase = in.phase("phase");
    out.iterations = in.count("iterations");
    out.rounds = in.count("rounds");
    out.error = in.number("error");
    out.common = in.number("common");
    out.loss = in.number("loss");
    out.closing = in.truth("closing");
    out.bytes = static_cast<std::uint64_t>(in.count("bytes"));
    out.waiting_for = in.texts("waiting_for");
    out.because = in.text("because");
    if (in.good()) return out;
  }
  return error(ErrorCode::kInvalidData, "a line of {} bytes is no report of an agent", line.size());
}

}  // namespace ppdnmf::site
