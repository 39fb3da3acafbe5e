#include <ppdnmf/audit/model/totals.h>

#include <algorithm>

#include <ppdnmf/nmf/descent.h>
#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/sum_scheme.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::audit {
namespace {

Index length_of(Index rows, Index rank) { return rows * rank + rank * (rank + 1) / 2 + 1; }

// In the order in which they travel.
void put(const nmf::Moments& m, Vector& out, Index at) {
  for (Index t = 0; t < m.S.size(); ++t) out(at++) = m.S.data()[t];
  for (Index k = 0; k < m.T.cols(); ++k) {
    for (Index j = 0; j <= k; ++j) out(at++) = m.T(j, k);
  }
  out(at) = m.squared_error;
}

}  // namespace

nmf::Moments moments_from(const std::vector<double>& values, Index rows, Index rank) {
  nmf::Moments m{Matrix(rows, rank), Matrix(rank, rank), values.back()};
  auto next = values.begin();
  for (Index t = 0; t < m.S.size(); ++t) m.S.data()[t] = *next++;
  for (Index k = 0; k < rank; ++k) {
    for (Index j = 0; j <= k; ++j) m.T(j, k) = m.T(k, j) = *next++;
  }
  return m;
}

std::vector<double> values_of(const nmf::Moments& moments) {
  Vector values(length_of(moments.S.rows(), moments.S.cols()));
  put(moments, values, 0);
  return {values.begin(), values.end()};
}

OthersTotals others_totals(const AttackerView& view, int rounds) {
  const protocol::RunSettings& s = view.settings;
  nmf::DescentOptions options;
  options.rounds = s.iterations;
  options.starts = s.starts;
  options.tolerance = s.tolerance;
  nmf::Descent descent(options, [&](int) { return view.X0; });
  const auto own = nmf::dense_holder(view.alone().Z);
  own->begin(s.rank, view.scale);
  OthersTotals out;
  for (const auto& [number, payload] : view.alone().totals) {
    const protocol::Words words = protocol::words_of(payload);
    if (number < protocol::kOpeningSums || words.size() != protocol::SumScheme::words(s) ||
        static_cast<int>(out.requests.size()) >= rounds)
      continue;
    const nmf::Moments all = moments_from(protocol::from_words(words), s.rows, s.rank);
    const nmf::Moments mine = own->answer(descent.request());
    out.requests.push_back(descent.request());
    out.others.push_back({all.S - mine.S, all.T - mine.T, all.squared_error - mine.squared_error});
    if (!descent.absorb(all) || descent.measures_only()) break;
  }
  return out;
}

Vector moments_of(const std::vector<nmf::DescentRequest>& requests, const Matrix& columns, Index rank) {
  const Index length = length_of(columns.rows(), rank);
  Vector out(static_cast<Index>(requests.size()) * length);
  const auto holder = nmf::dense_holder(columns);
  holder->begin(rank, 1);
  for (std::size_t e = 0; e < requests.size(); ++e) {
    put(holder->answer(requests[e]), out, static_cast<Index>(e) * length);
  }
  return out;
}

Vector moments_of(const OthersTotals& totals) {
  const nmf::Moments& first = totals.others.front();
  const Index length = length_of(first.S.rows(), first.S.cols());
  Vector out(static_cast<Index>(totals.others.size()) * length);
  for (std::size_t e = 0; e < totals.others.size(); ++e) put(totals.others[e], out, static_cast<Index>(e) * length);
  return out;
}

std::uint32_t first_round(const AttackerView& view) {
  for (const auto& [number, payload] : view.alone().totals) {
    const bool round = payload.size() == protocol::SumScheme::words(view.settings) * sizeof(protocol::Word);
    if (number >= protocol::kOpeningSums && round) return number;
  }
  return protocol::kNever;
}

}  // namespace ppdnmf::audit
