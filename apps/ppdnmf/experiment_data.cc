#include "apps/ppdnmf/experiment_data.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>

#include <ppdnmf/experiment/face_data.h>
#include <ppdnmf/experiment/synthetic_data.h>
#include <ppdnmf/io/sparse.h>
#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/run/inputs.h>

namespace ppdnmf::app {
namespace {

constexpr std::int64_t kResolutions[] = {10, 100, 1'000, 10'000, 1'000'000};
constexpr std::int64_t kQuickResolutions[] = {10, 1'000'000};
constexpr crypto::KeyOptions kStandardKeys{3072, crypto::KeyProfile::kStandard};
constexpr crypto::KeyOptions kQuickKeys{2048, crypto::KeyProfile::kFast};

// All that decides the numbers of this program's version. The number of threads and the folder do not.
Digest digest_of(const ExperimentPlan& plan, const ExperimentOptions& options, const Matrix& Z, Index rank,
                 const experiment::PaperParameters& paper, const std::vector<Index>& columns) {
  ByteWriter out;
  out.put_string("ppdnmf experiment 1");
  out.put_string(plan.name);
  out.put(options.seed);
  for (const int number : {plan.trials, plan.joining_trials, plan.check_rounds, paper.iterations, paper.admm})
    out.put(number);
  for (const double number : {paper.mu, paper.eta, paper.weight}) out.put(number);
  out.put<std::uint64_t>(plan.check_keys.bits);
  for (const experiment::Variant& v : plan.variants)
    out.put_string(fmt::format("{}:{}", experiment::variant_name(v), v.n_max));
  for (const Index share : columns) out.put<std::int64_t>(share);
  out.put<std::int64_t>(rank);
  const Digest data =
      sha256({reinterpret_cast<const std::uint8_t*>(Z.data()), static_cast<std::size_t>(Z.size()) * sizeof(double)});
  out.put_array(data.data(), data.size());
  return sha256(out.take());
}

std::uint64_t trial_seed(const ExperimentOptions& options, int trial) {
  return options.seed + static_cast<std::uint64_t>(trial);
}

// Trials that share the data and differ in start, graph and secrets.
void set_shared_problem(ExperimentPlan& plan, const ExperimentOptions& options, Matrix Z, std::vector<Index> columns,
                        Index rank, const experiment::PaperParameters& paper) {
  plan.digest = digest_of(plan, options, Z, rank, paper, columns);
  const auto common = std::make_shared<experiment::TrialProblem>();
  common->Z = std::move(Z);
  common->columns = std::move(columns);
  common->rank = rank;
  common->paper = paper;
  plan.problem = [common, options](int trial) {
    experiment::TrialProblem problem = *common;
    problem.seed = trial_seed(options, trial);
    problem.keep_pictures = trial == 0;
    return problem;
  };
}

Result<io::ImageShape> image_shape(const ExperimentOptions& options, const io::Table& table) {
  const Index rows = table.values.rows();
  PPDNMF_TRY(const std::optional<io::ImageShape> given, parse_image(options.image, rows));
  if (given) return *given;
  if (table.image) return *table.image;
  const auto side = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(rows))));
  if (side * side == rows) return io::ImageShape{side, side};
  return error(ErrorCode::kUsage, "{}: {} rows are not the pixels of square images; give their size with --image",
               options.data, rows);
}

Status scale_pixels(const ExperimentOptions& options, Matrix& Z, ExperimentPlan& plan) {
  constexpr double kLargest = 255;
  const double largest = Z.maxCoeff();
  if (largest > kLargest) {
    return error(ErrorCode::kInvalidData, "{}: the largest entry is {}, but pixels go from 0 to 1 or from 0 to 255",
                 options.data, largest);
  }
  if (largest > 1) {
    Z /= kLargest;
    plan.notes.emplace_back("Pixels are divided by 255.");
  }
  if (options.negative) {
    Z = (1 - Z.array()).cwiseMax(0);
    plan.notes.emplace_back("The images are taken to be photographic negatives and inverted.");
  }
  return {};
}

// The paper's shares are nine times 245 and once 224; other data are shared evenly.
Result<std::vector<Index>> face_columns(const run::Inputs& inputs, std::uint32_t agents) {
  constexpr Index kFaces = 2429;
  if (inputs.table.values.cols() == kFaces && agents == 0)
    return std::vector<Index>{245, 245, 245, 245, 245, 245, 245, 245, 245, 224};
  return run::columns_per_agent(inputs, agents, {});
}

void note_quick(ExperimentPlan& plan, const std::string& what) { plan.notes.push_back("This is a quick run: " + what); }

}  // namespace

Result<ExperimentPlan> plan_synthetic(const ExperimentOptions& options) {
  constexpr int kTrials = 100;
  constexpr int kQuickTrials = 4;
  ExperimentPlan plan;
  plan.name = "synthetic";
  plan.title = "The paper's synthetic experiment (its figure 1a), and what it does not show";
  plan.columns_are = "synthetic data";
  plan.trials = options.trials > 0 ? options.trials : options.quick ? kQuickTrials : kTrials;
  plan.variants = experiment::all_variants(kResolutions);
  plan.check_keys = options.quick ? kQuickKeys : kStandardKeys;
  plan.check_rounds = options.quick ? 6 : 300;
  plan.notes.emplace_back(
      "Data: L = 30, M = 200, K = 5, X and Y exponential with means 0.033 and 0.8, Gaussian noise of variance 3.6e-4, "
      "negative entries set to zero; "
      "ten agents with 4 to 40 columns, mean degree three; mu = 0.1, eta = 1, g = 0.033, 100 iterations of 30 ADMM "
      "steps.");
  if (options.quick) note_quick(plan, fmt::format("{} of the paper's {} trials.", plan.trials, kTrials));
  plan.digest = digest_of(plan, options, Matrix::Zero(1, 1), experiment::kSyntheticRank,
                          experiment::kSyntheticParameters, experiment::synthetic_columns());
  plan.problem = [options](int trial) {
    experiment::TrialProblem problem;
    problem.seed = trial_seed(options, trial);
    problem.Z = experiment::make_synthetic_data(problem.seed).Z;
    problem.columns = experiment::synthetic_columns();
    problem.rank = experiment::kSyntheticRank;
    problem.paper = experiment::kSyntheticParameters;
    return problem;
  };
  return plan;
}

Result<ExperimentPlan> plan_faces(const ExperimentOptions& options) {
  constexpr int kTrials = 3;
  constexpr int kQuickIterations = 10;
  constexpr Index kPaperRank = 49;
  constexpr Index kStandInFaces = 240;
  constexpr Index kStandInRank = 16;
  ExperimentPlan plan;
  plan.name = "faces";
  plan.title = "The paper's experiment on faces (its figures 1b and 1c), and what it does not show";
  plan.stand_in = options.data.empty();
  plan.columns_are = plan.stand_in ? "made images" : "faces";
  plan.trials = plan.joining_trials = options.trials > 0 ? options.trials : options.quick ? 1 : kTrials;
  plan.variants = options.quick ? experiment::all_variants(kQuickResolutions) : experiment::all_variants(kResolutions);
  plan.check_keys = options.quick ? kQuickKeys : kStandardKeys;
  plan.check_rounds = options.quick ? 2 : 6;

  run::Inputs inputs;
  if (plan.stand_in) {
    io::Table table;
    table.values = experiment::make_face_data(kStandInFaces, options.seed);
    table.image = experiment::kFaceShape;
    inputs = run::made_inputs(std::move(table));
    plan.notes.emplace_back(
        "These are not the paper's data: without --data the program makes small images of its own that look a little "
        "like faces, so that the "
        "command can be tried. Numbers and pictures on this page say nothing about the MIT-CBCL faces.");
  } else {
    PPDNMF_TRY(inputs, run::load_inputs({{options.data}, options.clip_negative, options.image}));
    PPDNMF_TRY_STATUS(io::write_out(inputs.table));
    plan.notes = inputs.notes;
  }
  plan.notes.emplace_back(
      "The MIT-CBCL faces (\"CBCL Face Database #1, MIT Center For Biological and Computation Learning\": 2429 "
      "training images of 19 x 19 pixels) "
      "cannot be shipped with this program; docs/experiments.md says where to get the set.");
  Matrix Z = std::move(inputs.table.values);
  PPDNMF_TRY_STATUS(scale_pixels(options, Z, plan));
  inputs.table.values = Z;
  PPDNMF_TRY(plan.image, image_shape(options, inputs.table));
  PPDNMF_TRY(const std::vector<Index> columns, face_columns(inputs, options.agents));
  const Index rank = options.rank > 0 ? options.rank : plan.stand_in ? kStandInRank : kPaperRank;
  PPDNMF_TRY_STATUS(nmf::check_factorizable(Z, rank));
  experiment::PaperParameters paper = experiment::kFacesParameters;
  if (options.quick) {
    paper.iterations = kQuickIterations;
    note_quick(plan, fmt::format("{} iterations instead of 100, two values of N_max, {} trial{}.", paper.iterations,
                                 plan.trials, plan.trials == 1 ? "" : "s"));
  }
  plan.notes.push_back(fmt::format(
      "Data: {} x {}, K = {}, {} agents; mu = {}, eta = {}, g = {}, {} iterations of {} ADMM steps. Trials "
      "differ in the start "
      "and in the graph; the paper has 100 of them.",
      Z.rows(), Z.cols(), rank, columns.size(), paper.mu, paper.eta, paper.weight, paper.iterations, paper.admm));
  set_shared_problem(plan, options, std::move(Z), columns, rank, paper);
  return plan;
}

Result<ExperimentPlan> plan_joining(const ExperimentOptions& options) {
  constexpr int kTrials = 20;
  constexpr int kQuickTrials = 3;
  ExperimentPlan plan;
  plan.name = "joining";
  plan.title = "What joining is worth";
  plan.columns_are = "the data";
  plan.trials = plan.joining_trials = options.trials > 0 ? options.trials : options.quick ? kQuickTrials : kTrials;
  PPDNMF_TRY(run::Inputs inputs, run::load_inputs({{options.data}, options.clip_negative, {}}));
  PPDNMF_TRY_STATUS(io::write_out(inputs.table));
  plan.notes = inputs.notes;
  const Matrix& Z = inputs.table.values;
  PPDNMF_TRY(const std::vector<Index> columns, run::columns_per_agent(inputs, options.agents, {}));
  PPDNMF_TRY_STATUS(nmf::check_factorizable(Z, options.rank));
  plan.notes.push_back(fmt::format("Data: {}, {} x {}, K = {}, {} agents with {} to {} columns.", options.data,
                                   Z.rows(), Z.cols(), options.rank, columns.size(), columns.back(), columns.front()));
  set_shared_problem(plan, options, Z, columns, options.rank, {});
  return plan;
}

}  // namespace ppdnmf::app
