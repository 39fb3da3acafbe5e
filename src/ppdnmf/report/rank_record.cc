#include <ppdnmf/report/rank_record.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include <ppdnmf/io/file.h>
#include <ppdnmf/io/npy.h>
#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/nmf/measures.h>

namespace ppdnmf::report {
namespace {

namespace fs = std::filesystem;

void remove_candidates(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder / kCandidates, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("X_") && name.ends_with(".npy")) fs::remove(entry.path(), ignored);
  }
  fs::remove(folder / kCandidates, ignored);  // only if nothing else is in it
}

template <typename T>
void take(const nlohmann::json& json, const char* name, T& out) {
  if (json.contains(name) && !json[name].is_null()) out = json[name].get<T>();
}

}  // namespace

std::string candidate_file(Index rank) { return fmt::format("{}/X_{}.npy", kCandidates, rank); }

RankRecord make_rank_record(std::span<const nmf::RankRuns> tried, const nmf::RankChoice& choice, nmf::LossKind loss,
                            double scale) {
  RankRecord out;
  out.rank = choice.X.cols();
  out.reason = choice.reason;
  out.first = choice.first;
  out.last = choice.last;
  out.found = choice.found;
  out.stability = choice.stability;
  for (const nmf::RankRuns& runs : tried) {
    nmf::RankCandidate candidate = nmf::candidate_of(runs);
    // A descent compares squared errors, a record halves of them.
    const double value = loss == nmf::LossKind::kSquares ? candidate.value / 2 : candidate.value;
    out.candidates.push_back({candidate.rank, nmf::scaled_loss(loss, value, scale), candidate.stability,
                              std::move(candidate.silhouettes), std::move(candidate.X)});
  }
  return out;
}

Status write_candidates(const fs::path& folder, const RankRecord& record) {
  remove_candidates(folder);
  std::error_code problem;
  fs::create_directories(folder / kCandidates, problem);
  if (problem) {
    return error(ErrorCode::kFile, "{}: the folder cannot be created: {}", (folder / kCandidates).string(),
                 problem.message());
  }
  for (const CandidateRecord& candidate : record.candidates)
    PPDNMF_TRY_STATUS(io::write_npy(folder / candidate_file(candidate.rank), candidate.X));
  return {};
}

Result<RankRecord> read_rank_record(const fs::path& folder) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 28U;
  const fs::path file = folder / "run.json";
  PPDNMF_TRY(const Bytes bytes, io::read_file(file, kMaxBytes));
  RankRecord out;
  try {
    const auto json = nlohmann::json::parse(io::as_text(bytes));
    take(json, "rank", out.rank);
    take(json, "reason", out.reason);
    take(json, "first_counted", out.first);
    take(json, "last_counted", out.last);
    take(json, "found", out.found);
    take(json, "stability", out.stability);
    for (const auto& one : json.at("candidates")) {
      CandidateRecord& candidate = out.candidates.emplace_back();
      take(one, "rank", candidate.rank);
      take(one, "loss", candidate.loss);
      take(one, "stability", candidate.stability);
      take(one, "silhouettes", candidate.silhouettes);
    }
  } catch (const nlohmann::json::exception& problem) {
    return error(ErrorCode::kFile, "{}: is not the record of a search for the rank: {}", file.string(), problem.what());
  }
  for (CandidateRecord& candidate : out.candidates) {
    PPDNMF_TRY(io::Table X, io::read_matrix(folder / candidate_file(candidate.rank)));
    candidate.X = std::move(X.values);
  }
  return out;
}

}  // namespace ppdnmf::report
