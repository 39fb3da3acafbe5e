#include <ppdnmf/audit/plan.h>

#include <utility>

#include <ppdnmf/audit/model/plan_rows.h>

namespace ppdnmf::audit {
namespace {

constexpr protocol::ExchangeKind kPrinted = protocol::ExchangeKind::kAsPrinted;
constexpr protocol::ExchangeKind kHardened = protocol::ExchangeKind::kHardened;
constexpr protocol::ExchangeKind kSum = protocol::ExchangeKind::kSum;

void add_weights(Plan& plan) {
  for (const auto& [exchange, full] : {std::pair{kPrinted, 20}, {kHardened, 100}}) {
    const AuditSetup s{exchange};
    plan.add(Plan::row("A1", s, "share of weights and factors found by common divisors", Measure::kShare),
             plan.seeds(full, 3), [s](std::uint64_t seed) { return weights_trial(s, seed); });
  }
}

void add_leaf(Plan& plan) {
  const char* measure = "relative error of its column after three BCD iterations";
  plan.add(
      Plan::row("A2", "as printed", "the only neighbour of an agent with one column", measure, Measure::kError, false),
      plan.seeds(50, 5), [](std::uint64_t seed) { return leaf_trial(kPrinted, false, 1, seed); });
  plan.add(
      Plan::row("A2", "as printed", "the only neighbour of an agent with one face", measure, Measure::kError, false),
      plan.seeds(10, 1), [](std::uint64_t seed) { return leaf_trial(kPrinted, true, 1, seed); });
  plan.add(Plan::row("A2", "hardened", "a neighbour in a ring of 4; 20 columns each",
                     "relative error of a neighbour's mean column", Measure::kError, true),
           plan.seeds(100, 5), [](std::uint64_t seed) { return leaf_trial(kHardened, false, 20, seed); });
}

void add_answers(Plan& plan) {
  const char* exponent = "share of weights found as exponents";
  plan.add(Plan::row("A3", "broken replier", "anybody who sees question and answer", exponent, Measure::kShare, false),
           plan.seeds(20, 3), [](std::uint64_t seed) { return exponent_trial(true, seed); });
  plan.add(Plan::row("A3", "hardened", "anybody who sees question and answer", exponent, Measure::kShare, true),
           plan.seeds(100, 3), [](std::uint64_t seed) { return exponent_trial(false, seed); });
  plan.add(
      Plan::row("A4", "broken replier", "an asker that asks twice", "share of weights found", Measure::kShare, false),
      plan.seeds(100, 10), careless_trial);
  for (const protocol::ExchangeKind exchange : {kPrinted, kHardened}) {
    const AuditSetup s{exchange};
    plan.add(Plan::row("A4", s, "share of second questions that were answered", Measure::kShare), plan.seeds(100, 3),
             [s](std::uint64_t seed) { return asked_twice_trial(s, seed); });
  }
  const char* direction = "sine of the angle to a neighbour's u_j - u_i";
  AuditSetup s{kPrinted, "ring", 3, 20, 20, 8, 3, false, false};
  plan.add(Plan::row("A5", s, direction, Measure::kError), plan.seeds(20, 3),
           [s](std::uint64_t seed) { return direction_trial(s, false, seed); });
  s.exchange = kHardened;
  AuditRow unmasked = Plan::row("A5", s, direction, Measure::kError);
  unmasked.exchange = "hardened, masks off";
  unmasked.accepted = false;
  plan.add(unmasked, plan.seeds(20, 3), [s](std::uint64_t seed) { return direction_trial(s, false, seed); });
  plan.add(Plan::row("A5", s, direction, Measure::kError), plan.seeds(100, 3),
           [s](std::uint64_t seed) { return direction_trial(s, true, seed); });
  plan.add(Plan::row("A6", "hardened", "an active neighbour", "share of malformed keys and ciphertexts accepted",
                     Measure::kShare, true),
           plan.seeds(20, 2), malformed_trial);
}

void add_pooled(Plan& plan) {
  const char* position = "coalitions of up to 5 in random graphs of 10";
  plan.add(Plan::row("A7, A11", "hardened", position, "share of agents seen alone by fewer than is printed",
                     Measure::kShare, true),
           plan.seeds(200, 20), [](std::uint64_t seed) { return pooled_trial(true, seed); });
  plan.add(Plan::row("A7, A11", "hardened", position, "share of agents not seen alone by as many as are printed",
                     Measure::kShare, true),
           plan.seeds(200, 20), [](std::uint64_t seed) { return pooled_trial(false, seed); });
  const char* share = "relative error of one agent's share of a total";
  plan.add(Plan::row("A7, A11", "sum", "5 of 6 agents together, the printed number", share, Measure::kError, false),
           plan.seeds(20, 2), [](std::uint64_t seed) { return pooled_totals_trial(1, seed); });
  plan.add(Plan::row("A7, A11", "sum", "4 of 6 agents together, one fewer", share, Measure::kError, true),
           plan.seeds(100, 5), [](std::uint64_t seed) { return pooled_totals_trial(2, seed); });
}

void add_fit(Plan& plan, AuditSetup s, const FitOptions& options, int full, int quick, const char* curve) {
  AuditRow row = Plan::row("A8", s, "relative error of all others' columns", Measure::kError);
  row.position += fmt::format("; {} rows, rank {}", s.rows, s.rank);
  row.columns = static_cast<double>(s.exchange == kSum ? s.each * (s.agents - 1) : s.each);
  row.curve = curve;
  plan.add(row, plan.seeds(full, quick), [s, options](std::uint64_t seed) { return fit_trial(s, options, seed); });
}

// Fits take nearly all of the audit's time: the more unknowns, the fewer seeds. The rows with the fewest columns that a
// real run accepts have a hundred.
void add_fits(Plan& plan) {
  const FitOptions few{9, 4, 15};
  const FitOptions totals{20, 40, 30};
  const FitOptions many{9, 2, 15};
  const FitOptions many_totals{20, 2, 15};
  add_fit(plan, {kHardened, "ring", 3, 10, 1, 30, 5, false, true}, few, 20, 2, "");
  add_fit(plan, {kHardened, "complete", 4, 10, 1, 30, 5, false, true}, few, 10, 0, "");
  add_fit(plan, {kHardened, "ring", 5, 10, 1, 30, 5, false, true}, few, 5, 0, "");
  add_fit(plan, {kHardened, "ring", 3, 20, 1, 30, 5, false, false}, few, 5, 0, "");
  for (const bool bare : {true, false}) {
    const char* curve = bare ? "hardened, bare" : "hardened";
    for (const auto& [each, full] : {std::pair{1, 10}, {2, 10}, {3, 5}, {5, 3}}) {
      add_fit(plan, {kHardened, "ring", 3, 20, each, 10, 3, false, bare}, few, full, each < 2 ? 2 : 0, curve);
    }
    add_fit(plan, {kHardened, "ring", 3, 20, 10, 10, 3, false, bare}, many, 3, 0, curve);
  }
  add_fit(plan, {kHardened, "ring", 3, 40, 20, 8, 2, false, false}, many, 100, 2, "hardened");
  for (const auto& [others, full] : {std::pair{1, 10}, {2, 10}, {3, 10}, {5, 10}, {10, 3}}) {
    add_fit(plan, {kSum, "line", 2, 40, others, 10, 3, false, false}, totals, full, others < 5 ? 2 : 0, "sum");
  }
  for (const Index others : {1, 2, 3}) {
    add_fit(plan, {kSum, "line", 2, 40, others, 30, 5, false, false}, totals, 10, 0, "");
  }
  add_fit(plan, {kSum, "ring", 3, 40, 20, 8, 2, false, false}, many_totals, 100, 2, "sum");
}

void add_membership(Plan& plan) {
  for (const Index each : {5, 20, 50}) {
    for (const std::uint32_t agents : {3U, 10U}) {
      if (agents == 10 && each != 20) continue;
      const Index others = each * (agents - 1);
      AuditSetup s{kSum, "ring", agents, 20, each, 30, 5, false, false};
      const auto add = [&](protocol::ExchangeKind exchange, Knowledge knowledge, int score, const char* measure,
                           const char* curve, int full, int quick) {
        s.exchange = exchange;
        AuditRow row = Plan::row("A9", s, measure, Measure::kAuc);
        row.columns = static_cast<double>(others);
        row.curve = agents == 3 ? curve : "";
        if (knowledge == Knowledge::kFactor) row.exchange = "any: X alone";
        plan.add(row, plan.seeds(full, quick),
                 [s, knowledge, score](std::uint64_t seed) { return membership_trial(s, knowledge, score, seed); });
      };
      add(kSum, Knowledge::kFactor, 1, "AUC, gradient at the final X", "AUC, X alone", 100, 10);
      // Where fewer columns than rows stand behind the totals, the span tells; else the likelihood.
      add(kSum, Knowledge::kTranscript, others < s.rows ? 0 : 1, "AUC, totals", "AUC, sum", 40, 3);
      add(kHardened, Knowledge::kTranscript, 1, "AUC, simulated neighbourhoods", "AUC, hardened", 40, 5);
    }
  }
}

void add_planes(Plan& plan) {
  const char* measure = "part of the neighbours' y outside the plane found";
  for (const bool bare : {true, false}) {
    for (const Index each : {1, 20}) {
      const AuditSetup s{kHardened, "ring", 21, each, each, 96, 4, true, bare};
      plan.add(Plan::row("A10", s, measure, Measure::kError), plan.seeds(bare || each == 1 ? 20 : 100, 2),
               [s](std::uint64_t seed) { return plane_trial(s, seed); });
    }
  }
}

// What curious and active agents try on sums, on the smallest network and with the fewest columns that are allowed.
void add_sums(Plan& plan) {
  const AuditSetup s{kSum, "ring", 4, 20, 20, 8, 3, false, false};
  const auto row = [&](const char* attack, bool off, const char* measure, Measure kind) {
    AuditRow out = Plan::row(attack, s, measure, kind);
    if (off) out.exchange = "sum, masks off";
    out.accepted = out.accepted && !off;
    return out;
  };
  plan.add(Plan::row("A4", "broken replier", "a relay that gets two parts of one sum", "share of differences found",
                     Measure::kShare, false),
           plan.seeds(100, 10), careless_part_trial);
  plan.add(row("A4", false, "share of parts that were sent a second time, changed", Measure::kShare),
           plan.seeds(100, 3), [s](std::uint64_t seed) { return told_twice_trial(s, seed); });
  for (const bool off : {true, false}) {
    plan.add(row("A5", off, "sine of the angle to a neighbour's S, T and error", Measure::kError),
             plan.seeds(off ? 20 : 100, 3), [=](std::uint64_t seed) { return part_direction_trial(s, !off, seed); });
  }
  for (const bool off : {true, false}) {
    plan.add(row("A12", off, "share of sums opened after one agent was told another total", Measure::kShare),
             plan.seeds(off ? 20 : 100, 3), [=](std::uint64_t seed) { return told_apart_trial(s, !off, seed); });
  }
  plan.add(row("A13", false, "error of the final X after poisoning over what it should be", Measure::kRatio),
           plan.seeds(100, 3), [s](std::uint64_t seed) { return poisoned_part_trial(s, seed); });
}

void add_active(Plan& plan) {
  for (const bool bare : {true, false}) {
    const AuditSetup s{kHardened, "ring", 4, 20, 20, 8, 3, false, bare};
    const int full = bare ? 20 : 100;
    plan.add(Plan::row("A12", s, bare ? "share of single weights read" : "share of single entries of u read",
                       Measure::kShare),
             plan.seeds(full, 3), [s](std::uint64_t seed) { return probing_trial(s, seed); });
    plan.add(Plan::row("A13", s,
                       bare ? "largest weight after poisoning over what it should be"
                            : "error of the final X after poisoning over what it should be",
                       Measure::kRatio),
             plan.seeds(full, 3), [s](std::uint64_t seed) { return poisoning_trial(s, seed); });
  }
}

}  // namespace

std::vector<Measurement> audit_plan(bool quick) {
  Plan plan(quick);
  add_weights(plan);
  add_leaf(plan);
  add_answers(plan);
  add_pooled(plan);
  add_fits(plan);
  add_membership(plan);
  add_planes(plan);
  add_active(plan);
  add_sums(plan);
  add_private(plan);
  return plan.take();
}

}  // namespace ppdnmf::audit
