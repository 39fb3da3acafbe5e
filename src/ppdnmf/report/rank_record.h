// What a search for the number of components leaves: in run.json, and the X of every rank that was tried in files.
#ifndef PPDNMF_REPORT_RANK_RECORD_H_
#define PPDNMF_REPORT_RANK_RECORD_H_

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/nmf/loss_kind.h>
#include <ppdnmf/nmf/rank_choice.h>

namespace ppdnmf::report {

// One rank that was tried.
struct CandidateRecord {
  Index rank = 0;
  double loss = 0;       // in units of the data, the smallest of its starts, on the data that this start worked on
  double stability = 0;  // the mean of its silhouettes
  std::vector<double> silhouettes;
  Matrix X;  // the means of its starts' components
};

struct RankRecord {
  Index rank = 0;                 // the chosen one
  std::string reason;             // in a sentence
  Index first = 0;                // runs of ranks from here
  Index last = 0;                 // to here decided
  std::vector<double> found;      // of each component that was chosen: the part of these runs in which it was found
  std::vector<double> stability;  // and its mean cosine to what was found there
  std::vector<CandidateRecord> candidates;
};

// Losses are those of data divided by `scale`.
[[nodiscard]] RankRecord make_rank_record(std::span<const nmf::RankRuns> tried, const nmf::RankChoice& choice,
                                          nmf::LossKind loss, double scale);

// candidates/X_<rank>.npy for every candidate; those of an earlier run go. Fails with kFile.
[[nodiscard]] Status write_candidates(const std::filesystem::path& folder, const RankRecord& record);
// What run.json and these files of a folder say. Fails with kFile.
[[nodiscard]] Result<RankRecord> read_rank_record(const std::filesystem::path& folder);

// The folder, and a candidate's file in it.
inline constexpr const char* kCandidates = "candidates";
[[nodiscard]] std::string candidate_file(Index rank);

}  // namespace ppdnmf::report

#endif  // PPDNMF_REPORT_RANK_RECORD_H_
