#include <ppdnmf/audit/model/plan_rows.h>

#include <fmt/format.h>

namespace ppdnmf::audit {
namespace {

std::string scheme_name(const AuditSetup& s) {
  if (s.epsilon > 0) return s.noise > 0 ? fmt::format("sum, epsilon {:g}", s.epsilon) : "sum, noise off";
  if (s.bare) return "hardened, bare";
  if (s.scheme == protocol::SchemeKind::kAsPrinted) return "as printed";
  if (s.poisson) {
    return fmt::format("sum, Poisson loss, {}{}", *s.poisson == nmf::Curvature::kFull ? "full" : "scaled",
                       s.starts > 1 ? fmt::format(", {} starts", s.starts) : "");
  }
  return s.scheme == protocol::SchemeKind::kSum ? "sum" : "hardened";
}

std::string position_of(const AuditSetup& s) {
  if (s.agents == 2) return fmt::format("the other of two agents; it has {} column{}", s.each, s.each == 1 ? "" : "s");
  return fmt::format("one agent in a {} of {}; the others have {} column{} each", s.topology, s.agents, s.each,
                     s.each == 1 ? "" : "s");
}

}  // namespace

AuditRow Plan::row(const char* attack, const AuditSetup& s, const char* measure, Measure kind) {
  AuditRow out = row(attack, "", "", measure, kind, is_accepted(s));
  out.scheme = scheme_name(s);
  out.position = position_of(s);
  const bool noisy = s.epsilon > 0 && s.noise > 0;
  out.epsilon = noisy ? s.epsilon : 0;
  if (noisy && (kind == Measure::kAuc || kind == Measure::kPromise)) out.rho = account_of(s);
  return out;
}

AuditRow Plan::row(const char* attack, const char* scheme, const char* position, const char* measure, Measure kind,
                   bool accepted) {
  AuditRow out;
  out.attack = attack;
  out.scheme = scheme;
  out.position = position;
  out.measure = measure;
  out.kind = kind;
  out.accepted = accepted;
  return out;
}

AuditRow Plan::switched_off(AuditRow row, const char* scheme) {
  row.scheme = scheme;
  row.accepted = false;
  return row;
}

AuditSetup smallest_sum() { return {kSum, "ring", 4, 20, 20, 8, 3, false, false}; }

}  // namespace ppdnmf::audit
