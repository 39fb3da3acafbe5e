#include <ppdnmf/protocol/trust.h>

namespace ppdnmf::protocol {

namespace {

std::vector<std::string> scheme_notes(const Settings& settings) {
  if (scheme_of(settings) == SchemeKind::kMoments) {
    return {
        "trust_members: the second moments of all columns are opened once, exactly. Every member learns them; a column "
        "that has much of a row, or of the norm, can show in them.",
        "A member that runs another program learns no more of the others' columns than these numbers, since no X "
        "enters them, but it can choose the X that all get."};
  }
  if (scheme_of(settings) != SchemeKind::kSum) {
    return {
        "trust_members: the sums over a member's neighbours are exact, without noise, and every member learns them.",
        "Nothing here bounds what a member can read that runs another program; totals over all members it can steer "
        "so that they show columns of the others. Only a private run keeps that from happening."};
  }
  return {
      "trust_members: totals are exact, without noise. Members that run the program as it is learn about the second "
      "moments of all others' columns; a column that has much of a row, or of the norm, can show in them.",
      "A member that runs another program can steer everybody's X and read columns of the others exactly, about "
      "eight in a run of 50 rounds, however many columns there are; nobody would notice. Only a private run keeps "
      "that from happening."};
}

// What is opened before there is an X, or without one, does not depend on the start: two runs can be subtracted.
std::string second_run_note(const Settings& settings) {
  if (scheme_of(settings) == SchemeKind::kMoments) {
    return "A second exact run over the same data can be subtracted: with one member more or fewer it shows that "
           "member's second moments, and with one column more or fewer that very column.";
  }
  return "A second exact run over the same data can be subtracted: with one member more or fewer it shows how many "
         "columns that member has, the sum of their entries and their norm, and with one column more or fewer that "
         "column's sum and norm.";
}

}  // namespace

std::vector<std::string> trust_notes(const Settings& settings) {
  if (settings.epsilon) return {};
  std::vector<std::string> notes = scheme_notes(settings);
  notes.push_back(second_run_note(settings));
  if (settings.crowd == CrowdKind::kDrop) {
    notes.emplace_back(
        "crowd=drop: every member learns of each row whether some member has it in a few of its columns; not which "
        "member, and not how many.");
  }
  return notes;
}

}  // namespace ppdnmf::protocol
