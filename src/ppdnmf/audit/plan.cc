#include <ppdnmf/audit/plan.h>

#include <ppdnmf/audit/attacks/a10_first_plane.h>
#include <ppdnmf/audit/attacks/a12_probing.h>
#include <ppdnmf/audit/attacks/a12_told_apart.h>
#include <ppdnmf/audit/attacks/a13_poisoned_part.h>
#include <ppdnmf/audit/attacks/a13_poisoning.h>
#include <ppdnmf/audit/attacks/a14_rare_rows.h>
#include <ppdnmf/audit/attacks/a15_dominant_column.h>
#include <ppdnmf/audit/attacks/a16_steering.h>
#include <ppdnmf/audit/attacks/a1_common_divisor.h>
#include <ppdnmf/audit/attacks/a2_leaf_column.h>
#include <ppdnmf/audit/attacks/a3_bare_power.h>
#include <ppdnmf/audit/attacks/a4_asked_twice.h>
#include <ppdnmf/audit/attacks/a4_told_twice.h>
#include <ppdnmf/audit/attacks/a5_direction.h>
#include <ppdnmf/audit/attacks/a5_part_direction.h>
#include <ppdnmf/audit/attacks/a6_malformed.h>
#include <ppdnmf/audit/attacks/a7_pooled_parts.h>
#include <ppdnmf/audit/attacks/a7_pooled_sums.h>
#include <ppdnmf/audit/attacks/a8_fit_sums.h>
#include <ppdnmf/audit/attacks/a8_fit_totals.h>
#include <ppdnmf/audit/attacks/a9_membership.h>
#include <ppdnmf/audit/attacks/a9_private.h>
#include <ppdnmf/audit/attacks/search_starts.h>
#include <ppdnmf/audit/model/plan_rows.h>

namespace ppdnmf::audit {
namespace {

// Every attack, in the order of the table. A new one gets a line here and a pair of files in attacks/.
constexpr void (*kAttacks[])(Plan& plan) = {
    plan_common_divisors,     // A1
    plan_leaf_columns,        // A2
    plan_bare_powers,         // A3
    plan_asking_twice,        // A4
    plan_directions,          // A5
    plan_malformed,           // A6
    plan_pooled_sums,         // A7, A11
    plan_pooled_parts,        // A7, A11
    plan_fits_to_sums,        // A8
    plan_fits_to_totals,      // A8
    plan_membership,          // A9
    plan_first_planes,        // A10
    plan_probing,             // A12
    plan_poisoning,           // A13
    plan_telling_twice,       // A4
    plan_part_directions,     // A5
    plan_telling_apart,       // A12
    plan_poisoned_parts,      // A13
    plan_noisy_fits,          // A8
    plan_private_membership,  // A9
    plan_rare_rows,           // A14
    plan_dominant_columns,    // A15
    plan_steering,            // A16
    plan_poisson_fits,        // A8
    plan_poisson_membership,  // A9
    plan_poisson_rare_rows,   // A14
    plan_search_starts,       // A9, A14
};

}  // namespace

std::vector<Measurement> audit_plan(bool quick) {
  Plan plan(quick);
  for (const auto add_rows : kAttacks) add_rows(plan);
  return plan.take();
}

Result<std::vector<Measurement>> audit_plan(bool quick, const std::vector<std::string>& attacks) {
  std::vector<Measurement> all = audit_plan(quick);
  if (attacks.empty()) return all;
  std::vector<Measurement> out;
  for (const std::string& attack : attacks) {
    const std::size_t before = out.size();
    for (const Measurement& one : all) {
      if (one.row.attack == attack) out.push_back(one);
    }
    if (out.size() == before)
      return error(ErrorCode::kUsage, "--attacks: there is no attack '{}' here; they are A1 to A16", attack);
  }
  return out;
}

}  // namespace ppdnmf::audit
