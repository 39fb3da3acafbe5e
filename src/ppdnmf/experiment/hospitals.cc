#include <ppdnmf/experiment/hospitals.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/nmf/matching.h>
#include <ppdnmf/privacy/meaning.h>
#include <ppdnmf/report/report_words.h>
#include <ppdnmf/sim/assembly.h>
#include <ppdnmf/sim/simulation.h>
#include <ppdnmf/sim/topology.h>

namespace ppdnmf::experiment {
namespace {

constexpr int kStarts = 3;
constexpr double kSame = 0.999;  // components with this cosine are the same to whoever reads them

Findings beside(const Matrix& signatures, const Matrix& X) {
  Findings findings;
  const Matrix cosines = nmf::cosines(signatures, X);
  const std::vector<Index> pairs = nmf::best_pairs(cosines);
  findings.X.resize(X.rows(), signatures.cols());
  for (Index k = 0; k < signatures.cols(); ++k) {
    const Index partner = pairs[static_cast<std::size_t>(k)];
    findings.X.col(k) = X.col(partner);
    findings.cosines.push_back(cosines(k, partner));
  }
  return findings;
}

Result<Findings> find_in_one_place(const HospitalData& data, const data::Range& columns, std::uint64_t seed,
                                   Executor& executor) {
  nmf::FactorizeOptions options;
  options.rank = kSignatures;
  options.loss = nmf::LossKind::kPoisson;
  options.starts = kStarts;
  PPDNMF_TRY(nmf::Factorization run,
             nmf::Factorization::create(data::view(data.counts, columns), options, Seed::from_number(seed), executor));
  while (!run.done()) PPDNMF_TRY_STATUS(run.step());
  return beside(data.signatures, run.X());
}

Result<sim::Simulation> run_hospital_network(const protocol::Settings& settings, const HospitalData& data,
                                             std::uint64_t seed, Executor& executor) {
  PPDNMF_TRY(protocol::Graph graph,
             sim::make_topology("complete", static_cast<std::uint32_t>(kHospitals), Seed::from_number(seed)));
  PPDNMF_TRY(const protocol::RunSettings chosen, protocol::make_run_settings(settings, data.counts.rows(), graph));
  PPDNMF_TRY(sim::SimulationConfig config, sim::assemble(chosen, graph, seed, sim::secrecy_of(settings), executor));
  PPDNMF_TRY(sim::Simulation run,
             sim::Simulation::create(std::move(config), std::move(graph), data::split(data.counts, data.columns)));
  PPDNMF_TRY(const bool finished, run.run(executor, {}, [] { return sim::Simulation::Wish::kGoOn; }));
  PPDNMF_CHECK(finished);
  return run;
}

Status find_together(const HospitalData& data, Executor& executor, HospitalsOutcome& outcome) {
  protocol::Settings settings;
  settings.rank = kSignatures;
  settings.loss = nmf::LossKind::kPoisson;
  settings.starts = kStarts;
  PPDNMF_TRY(const sim::Simulation run, run_hospital_network(settings, data, outcome.seed, executor));
  outcome.together = beside(data.signatures, run.agent(0).X());
  outcome.sums = run.rounds_completed();
  outcome.bytes = run.bytes_sent();
  return {};
}

Status find_privately(const HospitalData& data, Executor& executor, HospitalsOutcome& outcome) {
  protocol::Settings settings;
  settings.rank = kSignatures;
  settings.epsilon = kDemoEpsilon;
  settings.delta = kDemoDelta;
  settings.normalise = nmf::ColumnNorm::kL2;
  settings.columns = data.counts.cols();
  PPDNMF_TRY(const sim::Simulation run, run_hospital_network(settings, data, outcome.seed, executor));
  outcome.privately = beside(data.signatures, run.agent(0).X());
  outcome.right_guesses = privacy::largest_right(run.settings().privacy->cost().rho);
  return {};
}

double smallest_agreement(const Findings& a, const Findings& b) { return nmf::cosines(a.X, b.X).diagonal().minCoeff(); }

// --- sentences ------------------------------------------------------------------------------------------------------

std::string number_word(int count) { return count == 0 ? "none" : count == 1 ? "one" : report::count_word(count); }

// Of the four signatures.
std::string amount(const Findings& findings) {
  return findings.found() == kSignatures ? fmt::format("all {}", number_word(kSignatures))
                                         : number_word(findings.found());
}

// Whether every hospital misses something, and nothing but what others have.
bool all_miss_what_is_rare(const HospitalsOutcome& o) {
  for (std::size_t hospital = 0; hospital < o.alone.size(); ++hospital) {
    const Findings& alone = o.alone[hospital];
    const std::size_t own = hospital + 1;
    if (alone.found() == kSignatures || alone.cosines[0] < kFound || alone.cosines[own] < kFound) return false;
  }
  return true;
}

std::string alone_sentence(const HospitalsOutcome& o) {
  return fmt::format("Alone, hospital A finds {} of the {} signatures, B {} and C {}{}.", amount(o.alone[0]),
                     number_word(kSignatures), amount(o.alone[1]), amount(o.alone[2]),
                     all_miss_what_is_rare(o) ? ": of the others each has too few tumours" : "");
}

std::string together_sentence(const HospitalsOutcome& o) {
  return fmt::format(
      "Together, in {} masked sums and with {} sent, they find {} (mean cosine {:.3f}), and no hospital sees another's "
      "tumours.",
      o.sums, report::byte_size(o.bytes), amount(o.together), o.together.mean_cosine());
}

std::string pooled_sentence(const HospitalsOutcome& o) {
  const std::string what = fmt::format("Pooling all {} tumours in one place would find {} ({:.3f})",
                                       kHospitals * kTumours, amount(o.pooled), o.pooled.mean_cosine());
  // Rounded down: nothing is called more alike than it is.
  const double agreement = std::floor(1e5 * o.agreement) / 1e5;
  if (o.agreement >= kSame) return fmt::format("{}: the same components, to a cosine of {:.5f}.", what, agreement);
  return fmt::format("{}: not the same components, the least alike have a cosine of {:.5f}.", what, agreement);
}

std::string private_sentence(const HospitalsOutcome& o) {
  double best_alone = 0;
  for (const Findings& f : o.alone) best_alone = std::max(best_alone, f.mean_cosine());
  const double reached = o.privately.mean_cosine();
  const std::string_view place = reached <= best_alone                ? "no better than the best hospital alone"
                                 : reached < o.together.mean_cosine() ? "between alone and together"
                                                                      : "as good as together";
  return fmt::format(
      "A private run (epsilon {}) finds {} ({:.3f}), {}; of 100 guesses whether a given tumour took part, at most "
      "{:.0f} "
      "are then right, whatever else the guesser knows.",
      kDemoEpsilon, amount(o.privately), reached, place, std::min(100.0, std::ceil(100 * o.right_guesses)));
}

}  // namespace

int Findings::found() const {
  return static_cast<int>(std::count_if(cosines.begin(), cosines.end(), [](double c) { return c >= kFound; }));
}

double Findings::mean_cosine() const {
  return std::accumulate(cosines.begin(), cosines.end(), 0.0) / static_cast<double>(cosines.size());
}

Result<HospitalsOutcome> run_hospitals(const HospitalData& data, std::uint64_t seed, Executor& executor) {
  HospitalsOutcome outcome;
  outcome.seed = seed;
  outcome.signatures = data.signatures;
  for (Index hospital = 0; hospital < kHospitals; ++hospital) {
    PPDNMF_TRY(outcome.alone[static_cast<std::size_t>(hospital)],
               find_in_one_place(data, {hospital * kTumours, kTumours}, seed, executor));
  }
  PPDNMF_TRY(outcome.pooled, find_in_one_place(data, {0, data.counts.cols()}, seed, executor));
  PPDNMF_TRY_STATUS(find_together(data, executor, outcome));
  PPDNMF_TRY_STATUS(find_privately(data, executor, outcome));
  outcome.agreement = smallest_agreement(outcome.together, outcome.pooled);
  return outcome;
}

std::array<std::string, 4> hospital_sentences(const HospitalsOutcome& outcome) {
  return {alone_sentence(outcome), together_sentence(outcome), pooled_sentence(outcome), private_sentence(outcome)};
}

}  // namespace ppdnmf::experiment
