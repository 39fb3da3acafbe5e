#include <ppdnmf/audit/model/totals.h>

#include <algorithm>

#include <ppdnmf/data/dense.h>
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
  const std::shared_ptr<const nmf::Loss> loss = protocol::loss_of(s);
  nmf::DescentOptions options;
  options.rounds = s.iterations;
  options.starts = s.starts;
  options.tolerance = s.tolerance;
  const auto start = [&](int number) {
    return number == 0 ? view.X0 : view.later_starts.at(static_cast<std::size_t>(number) - 1);
  };
  nmf::Descent descent(options, start, loss);
  nmf::Holder own(data::view(view.alone().Z), serial_executor(), loss);
  own.begin(s.rank, view.scale);
  OthersTotals out;
  out.loss = loss;
  bool rows_told = !loss->wants_row_totals();
  if (rows_told && !descent.begin({view.scale, {}})) return out;
  for (const auto& [number, payload] : view.alone().totals) {
    const protocol::Words words = protocol::words_of(payload);
    if (number < protocol::kOpeningSums || static_cast<int>(out.requests.size()) >= rounds) continue;
    if (!rows_told && words.size() == static_cast<std::size_t>(s.rows)) {
      rows_told = true;
      if (!descent.begin({view.scale, protocol::from_words(words)})) break;
      continue;
    }
    if (words.size() != protocol::SumScheme::words(s)) continue;
    std::vector<double> numbers = protocol::from_words(words);
    const nmf::Moments all = loss->from_numbers(numbers, s.rows, s.rank, false);
    const std::vector<double> mine = loss->to_numbers(own.answer(descent.request()), false);
    for (std::size_t t = 0; t < numbers.size(); ++t) numbers[t] -= mine[t];
    out.requests.push_back(descent.request());
    out.others.push_back(loss->from_numbers(numbers, s.rows, s.rank, false));
    if (!descent.absorb(all) || descent.measures_only()) break;
  }
  return out;
}

Vector moments_of(const std::vector<nmf::DescentRequest>& requests, const Matrix& columns, Index rank,
                  const std::shared_ptr<const nmf::Loss>& loss) {
  const auto length = static_cast<Index>(loss->words(columns.rows(), rank));
  Vector out(static_cast<Index>(requests.size()) * length);
  nmf::Holder holder(data::view(columns), serial_executor(), loss);
  holder.begin(rank, 1);
  for (std::size_t e = 0; e < requests.size(); ++e) {
    const std::vector<double> numbers = loss->to_numbers(holder.answer(requests[e]), false);
    out.segment(static_cast<Index>(e) * length, length) = Eigen::Map<const Vector>(numbers.data(), length);
  }
  return out;
}

Vector moments_of(const OthersTotals& totals) {
  std::vector<double> all;
  for (const nmf::Moments& others : totals.others) {
    const std::vector<double> numbers = totals.loss->to_numbers(others, false);
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  return Eigen::Map<const Vector>(all.data(), static_cast<Index>(all.size()));
}

std::uint32_t first_round(const AttackerView& view) {
  for (const auto& [number, payload] : view.alone().totals) {
    const bool round = payload.size() == protocol::SumScheme::words(view.settings) * sizeof(protocol::Word);
    if (number >= protocol::kOpeningSums && round) return number;
  }
  return protocol::kNever;
}

}  // namespace ppdnmf::audit
