#include <ppdnmf/protocol/search_bytes.h>

#include <cstdint>
#include <utility>

namespace ppdnmf::protocol {

void put(const nmf::RankChoice& choice, ByteWriter& out) {
  out.put<std::int64_t>(choice.X.cols());
  out.put_array(choice.X.data(), static_cast<std::size_t>(choice.X.size()));
  out.put_array(choice.found.data(), choice.found.size());
  out.put_array(choice.stability.data(), choice.stability.size());
  out.put<std::int64_t>(choice.first);
  out.put<std::int64_t>(choice.last);
  out.put_string(choice.reason);
}

nmf::RankChoice get_choice(ByteReader& in, Index rows) {
  nmf::RankChoice choice;
  choice.X.resize(rows, in.get<std::int64_t>());
  in.get_array(choice.X.data(), static_cast<std::size_t>(choice.X.size()));
  for (std::vector<double>* numbers : {&choice.found, &choice.stability}) {
    numbers->resize(static_cast<std::size_t>(choice.X.cols()));
    in.get_array(numbers->data(), numbers->size());
  }
  choice.first = in.get<std::int64_t>();
  choice.last = in.get<std::int64_t>();
  choice.reason = in.get_string();
  return choice;
}

void put_tried(const std::vector<nmf::RankRuns>& tried, ByteWriter& out) {
  out.put<std::uint64_t>(tried.size());
  for (const nmf::RankRuns& runs : tried) {
    out.put_array(runs.values.data(), runs.values.size());
    for (const Matrix& X : runs.X) out.put_array(X.data(), static_cast<std::size_t>(X.size()));
  }
}

std::vector<nmf::RankRuns> get_tried(ByteReader& in, const RunSettings& settings) {
  std::vector<nmf::RankRuns> tried;
  const auto count = in.get<std::uint64_t>();
  // More than there can be are damage, which is no reason to take memory for them.
  if (count > static_cast<std::uint64_t>(settings.rank - settings.least_rank) + 1) return tried;
  for (Index rank = settings.least_rank; !in.failed() && tried.size() < count; ++rank) {
    nmf::RankRuns runs{rank, std::vector<double>(static_cast<std::size_t>(settings.starts)), {}};
    in.get_array(runs.values.data(), runs.values.size());
    runs.X.assign(runs.values.size(), Matrix::Zero(settings.rows, rank));
    for (Matrix& X : runs.X) in.get_array(X.data(), static_cast<std::size_t>(X.size()));
    tried.push_back(std::move(runs));
  }
  return tried;
}

}  // namespace ppdnmf::protocol
