// A4: answers with one weight to two different questions, or to one question with two weights, are two equations in few
// unknowns. An agent must give one answer per round and repeat that one only.
#ifndef PPDNMF_AUDIT_ATTACKS_A4_ASKED_TWICE_H_
#define PPDNMF_AUDIT_ATTACKS_A4_ASKED_TWICE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// A question and the answer to it, in plain integers.
struct Answered {
  std::vector<std::int64_t> question;  // -u of the asker
  std::vector<std::int64_t> answer;
};

// The weight, from two different questions that were answered with the same one. Blinding does not help: the asker
// chose questions that are far apart. Nothing if the questions are the same.
[[nodiscard]] std::optional<std::int64_t> weight_from_two(const Answered& first, const Answered& second);

// What an attacker sends instead of each question (plain integers): the question, and another one for the same
// round.
[[nodiscard]] Deviation asking_twice(AgentId attacker);

// Pairs of different answers that `of` gave to the attacker in one round, with their questions.
[[nodiscard]] std::vector<std::pair<Answered, Answered>> answered_twice(const AttackerView& view, AgentId of);

// Its rows of the audit's table.
void plan_asking_twice(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A4_ASKED_TWICE_H_
