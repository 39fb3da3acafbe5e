#include <ppdnmf/experiment/hospital_data.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <ppdnmf/base/random.h>
#include <ppdnmf/report/channels.h>

namespace ppdnmf::experiment {
namespace {

constexpr std::uint8_t kHospitalStream = 'T';
constexpr double kFavourite = 4;     // a signature has so much more of the class of substitutions that it prefers
constexpr double kSizeSpread = 0.4;  // of the logarithm of a tumour's number of mutations

const report::ChannelScheme& channels() { return report::channel_scheme(report::ChannelKind::kSbs96); }

std::vector<Index> shuffled(Index count, Stream& stream) {
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[stream.below(k)]);
  return order;
}

// Uneven, as signatures are: a few channels have most of each. Every one prefers another class.
Matrix make_signatures(Stream& stream) {
  const auto classes = static_cast<Index>(channels().classes.size());
  const Index width = channels().size() / classes;
  const std::vector<Index> preferred = shuffled(classes, stream);
  Matrix signatures(channels().size(), kSignatures);
  for (Index k = 0; k < kSignatures; ++k) {
    for (Index row = 0; row < signatures.rows(); ++row) {
      const double share = stream.exponential();
      const bool favourite = row / width == preferred[static_cast<std::size_t>(k)];
      signatures(row, k) = share * std::sqrt(share) * (favourite ? kFavourite : 1);
    }
    signatures.col(k) /= signatures.col(k).sum();
  }
  return signatures;
}

// How many of its mutations each tumour of a hospital owes to each signature, on average.
Matrix make_exposures(Index hospital, Stream& stream) {
  Matrix exposures = Matrix::Zero(kSignatures, kTumours);
  for (Index k = 0; k < kSignatures; ++k) {
    const Index carriers = k == 0 ? kTumoursCommon : k == hospital + 1 ? kTumoursOwn : kTumoursSeldom;
    const std::vector<Index> order = shuffled(kTumours, stream);
    for (Index i = 0; i < carriers; ++i)
      exposures(k, order[static_cast<std::size_t>(i)]) = stream.exponential() + stream.exponential();
  }
  for (Index tumour = 0; tumour < kTumours; ++tumour) {
    auto column = exposures.col(tumour);
    if (!(column.sum() > 0)) column[0] = 1;
    column *= kMutations * std::exp(kSizeSpread * stream.normal()) / column.sum();
  }
  return exposures;
}

// The events of a process of rate one within a time of `mean`.
double poisson(double mean, Stream& stream) {
  double events = 0;
  double time = stream.exponential();
  while (time <= mean) {
    time += stream.exponential();
    ++events;
  }
  return events;
}

}  // namespace

HospitalData make_hospital_data(std::uint64_t seed) {
  Stream stream(Seed::from_number(seed), kHospitalStream);
  HospitalData data;
  data.signatures = make_signatures(stream);
  data.counts.resize(data.signatures.rows(), kHospitals * kTumours);
  for (Index hospital = 0; hospital < kHospitals; ++hospital) {
    const Matrix means = data.signatures * make_exposures(hospital, stream);
    for (Index tumour = 0; tumour < kTumours; ++tumour) {
      for (Index row = 0; row < means.rows(); ++row)
        data.counts(row, hospital * kTumours + tumour) = poisson(means(row, tumour), stream);
    }
    data.columns.push_back(kTumours);
  }
  return data;
}

std::string hospital_name(Index hospital) { return {static_cast<char>('A' + hospital)}; }

io::Table hospital_table(const HospitalData& data, Index hospital) {
  io::Table table;
  table.values = data.counts.middleCols(hospital * kTumours, kTumours);
  table.row_names = channels().names;
  for (Index tumour = 0; tumour < kTumours; ++tumour)
    table.column_names.push_back(fmt::format("{}{:03}", hospital_name(hospital), tumour + 1));
  return table;
}

io::Table signature_table(const HospitalData& data) {
  io::Table table;
  table.values = data.signatures;
  table.row_names = channels().names;
  for (Index k = 0; k < kSignatures; ++k) table.column_names.push_back(fmt::format("signature {}", k + 1));
  return table;
}

}  // namespace ppdnmf::experiment
