#include <ppdnmf/protocol/settings.h>

#include <algorithm>
#include <bit>

#include <ppdnmf/nmf/loss.h>
#include <ppdnmf/privacy/choice.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/protocol/settings_table.h>

namespace ppdnmf::protocol {
namespace {

// Of every rank, where the number of components is looked for; rounds are those of each start.
constexpr int kSearchStarts = 10;
constexpr int kSearchRounds = 40;
constexpr double kSearchCap = 0.75;

// A setting that was given and that the scheme has no use for; null: there is none.
const Setting* unknown_to(SchemeKind scheme, const Settings& settings) {
  for (const Setting& setting : settings_table()) {
    if (!setting.knows(scheme) && is_given(setting, settings)) return &setting;
  }
  return nullptr;
}

// What would tell of the data beside the account, or has no meaning in a private run.
Status check_private(const Settings& s) {
  if (!s.delta) return error(ErrorCode::kUsage, "`epsilon` needs `delta`: a number well below 1/columns, such as 1e-6");
  if (!s.normalise) {
    return error(ErrorCode::kUsage,
                 "`epsilon` needs `normalise=l1` or l2: what a column adds to the totals must have a bound "
                 "that does not come from the data");
  }
  if (s.starts > 1 && scheme_of(s) != SchemeKind::kMoments) {
    return error(
        ErrorCode::kUsage,
        "`starts={}` has no meaning in a private run of sums, which opens no error to compare them by: leave it "
        "out, or choose `scheme=moments`",
        s.starts);
  }
  if (s.tolerance > 0) {
    return error(ErrorCode::kUsage, "`tolerance` has no meaning in a private run: it opens no error to stop by");
  }
  if (s.site_effects) {
    return error(
        ErrorCode::kUsage,
        "`site_effects` cannot be had in a private run: what a column adds to the totals would depend on others");
  }
  if (s.missing == MissingKind::kNan) {
    return error(ErrorCode::kUsage,
                 "`missing=nan` cannot be had in a private run: how many columns have a row would be opened exactly");
  }
  if (s.cap)
    return error(ErrorCode::kUsage, "`cap` cannot be had in a private run: the counts that it takes would be exact");
  if (s.loss == nmf::LossKind::kPoisson) {
    return error(ErrorCode::kUsage,
                 "`loss=poisson` cannot be had in a private run: what a column adds to its totals has no bound that "
                 "noise could be made for");
  }
  return {};
}

// One opening, and X from it: there is no error to stop by, and every start is a random one.
Status check_moments(const Settings& s) {
  if (s.loss == nmf::LossKind::kPoisson)
    return error(ErrorCode::kUsage, "`loss=poisson` needs `scheme=sum`: second moments tell squared errors only");
  if (s.site_effects)
    return error(ErrorCode::kUsage, "`site_effects` needs `scheme=sum`: second moments do not tell what is common");
  if (s.missing == MissingKind::kNan)
    return error(ErrorCode::kUsage, "`missing=nan` needs `scheme=sum`: second moments are those of whole columns");
  if (s.tolerance > 0)
    return error(ErrorCode::kUsage, "`tolerance` has no meaning for `scheme=moments`: it opens no error to stop by");
  if (s.start != nmf::Start::kRandom)
    return error(ErrorCode::kUsage, "`scheme=moments` needs `start=random`: it compares several starts");
  if (!s.epsilon && s.iterations.value_or(1) > 1) {
    return error(
        ErrorCode::kUsage,
        "`iterations={}` has no meaning for `scheme=moments` without `epsilon`: what is opened once is all there "
        "is",
        *s.iterations);
  }
  return {};
}

Status check_penalised(const Settings& s, SchemeKind scheme) {
  if (scheme == SchemeKind::kSum && !s.epsilon) return {};
  for (const char* name : {"l1_x", "l1_y", "l2_x", "l2_y"}) {
    if (is_given(*find_setting(name), s))
      return error(ErrorCode::kUsage, "`{}` needs `scheme=sum` without `epsilon`: leave it out", name);
  }
  return {};
}

// Several ranks from one opening, or exact sums: everything else would open its totals anew for every start of every
// rank.
Status check_search(const Settings& s, SchemeKind scheme) {
  const std::string range = fmt::format("`rank={}`", text_of(find_setting("rank")->get(s)));
  if (!sums_only(scheme)) {
    return error(ErrorCode::kUsage,
                 "{} needs `scheme=sum`: to look for the number of components, agents add up what all starts of a rank "
                 "tell, which `scheme={}` does not do",
                 range, word_of(scheme));
  }
  if (s.epsilon && scheme == SchemeKind::kSum) {
    return error(ErrorCode::kUsage,
                 "{} in a private run needs `scheme=moments`, whose one opening serves all ranks: with `scheme=sum` "
                 "every start of every rank would spend budget of its own",
                 range);
  }
  if (!s.epsilon && scheme == SchemeKind::kMoments) {
    return error(ErrorCode::kUsage,
                 "{} with `scheme=moments` needs `epsilon`, since components are told from noise of a known size: add "
                 "it, or choose `scheme=sum`",
                 range);
  }
  if (s.start != nmf::Start::kRandom)
    return error(ErrorCode::kUsage, "{} needs `start=random`: it compares several starts of every rank", range);
  if (s.missing == MissingKind::kNan || s.site_effects || penalties_of(s).any()) {
    return error(ErrorCode::kUsage,
                 "{} needs complete data, without penalties and without `site_effects`: the number of components is "
                 "looked for in what all columns share",
                 range);
  }
  return {};
}

Status check_not_private(const Settings& s) {
  for (const Setting& setting : settings_table()) {
    if (setting.private_run && is_given(setting, s))
      return error(ErrorCode::kUsage, "`{}` is for private runs: add `epsilon`", setting.name);
  }
  return {};
}

// How a private run's budget is best spent, if there is enough to say so.
std::optional<privacy::Choice> plan_of(const Settings& s, Index rows, const Graph& graph) {
  if (!s.epsilon || !s.delta || !s.columns || s.rank < 1 || rows < 1) return std::nullopt;
  privacy::PlanRequest request;
  request.budget = {*s.epsilon, *s.delta};
  request.rows = rows;
  request.rank = s.rank;
  request.agents = graph.agents();
  request.honest = std::min(*s.assume_honest, graph.agents());
  request.columns = static_cast<double>(*s.columns);
  if (!privacy::check_budget(request.budget, request.columns)) return std::nullopt;
  return privacy::choose_way(request);
}

}  // namespace

nmf::Penalties penalties_of(const Settings& s) { return {s.l1_x, s.l1_y, s.l2_x, s.l2_y}; }

SchemeKind scheme_of(const Settings& settings) {
  if (settings.scheme) return *settings.scheme;
  // Of a private run's ways only one opening serves several ranks.
  if (settings.epsilon && settings.least_rank > 0 && unknown_to(SchemeKind::kMoments, settings) == nullptr)
    return SchemeKind::kMoments;
  return unknown_to(SchemeKind::kSum, settings) == nullptr ? SchemeKind::kSum : SchemeKind::kHardened;
}

std::string scheme_follows_from(const Settings& settings) {
  if (settings.scheme) return {};
  const Setting* setting = unknown_to(SchemeKind::kSum, settings);
  return setting == nullptr ? "" : fmt::format("`{}={}`", setting->name, text_of(setting->get(settings)));
}

bool is_private(const Settings& settings) {
  const auto table = settings_table();
  return std::any_of(table.begin(), table.end(),
                     [&](const Setting& setting) { return setting.private_run && is_given(setting, settings); });
}

Settings with_defaults(Settings settings) {
  settings.scheme = scheme_of(settings);
  for (const Setting& setting : settings_table()) {
    if (setting.optional && !is_given(setting, settings) && setting.knows(*settings.scheme))
      setting.set(settings, setting.fallback);
  }
  return settings;
}

Settings chosen(Settings settings, Index rows, const Graph& graph) {
  if (settings.epsilon && !settings.assume_honest) settings.assume_honest = std::max(graph.agents(), 2U) - 1;
  const std::optional<privacy::Choice> plan = plan_of(settings, rows, graph);
  if (plan && !settings.scheme && settings.least_rank == 0 && unknown_to(SchemeKind::kSum, settings) == nullptr)
    settings.scheme = plan->moments ? SchemeKind::kMoments : SchemeKind::kSum;
  Settings s = with_defaults(settings);
  if (s.scheme == SchemeKind::kMoments) {
    if (!s.iterations) s.iterations = 1 + (plan && plan->moments ? plan->rounds : 0);
    if (s.least_rank > 0 && s.starts == 1) s.starts = kSearchStarts;
    return s;
  }
  if (s.scheme == SchemeKind::kSum) {
    const bool poisson = s.loss == nmf::LossKind::kPoisson;
    if (s.least_rank > 0) {
      // All starts travel together, and a matrix for every row of each of them would be most of it.
      if (poisson && !s.curvature) s.curvature = nmf::Curvature::kScaled;
      if (s.starts == 1) s.starts = kSearchStarts;
      // A few columns with very many counts would otherwise have components of their own.
      if (poisson && !s.cap && !s.normalise) s.cap = kSearchCap;
      if (!s.iterations) s.iterations = kSearchRounds;
      return s;
    }
    if (poisson && !s.curvature) s.curvature = nmf::automatic_curvature(rows, s.rank);
    const int rounds = nmf::usual_rounds(s.loss, s.curvature.value_or(nmf::Curvature::kFull));
    if (!s.iterations) s.iterations = s.epsilon ? privacy::kPrivateRounds : automatic_rounds(s.starts, rounds);
    return s;
  }
  // The printed algorithm repeats nothing between rounds.
  if (!s.local_rounds) s.local_rounds = s.updates == nmf::Updates::kAsPrinted ? 1 : RunSettings{}.local_rounds;
  if (!s.admm_x) s.admm_x = automatic_admm_x(graph);
  if (!s.iterations) s.iterations = automatic_iterations(*s.admm_x);
  s.u_bound = std::max(*s.u_bound, static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(rows))));
  return s;
}

Status validate(const Settings& s) {
  for (const Setting& setting : settings_table()) PPDNMF_TRY_STATUS(check_value(setting, setting.get(s)));
  const SchemeKind scheme = scheme_of(s);
  if (const Setting* setting = unknown_to(scheme, s)) {
    const std::string_view known = sums_only(scheme) ? "hardened" : "sum";
    return error(ErrorCode::kUsage, "`{}={}` has no meaning for `scheme={}`: leave it out, or choose `scheme={}`",
                 setting->name, text_of(setting->get(s)), word_of(scheme), known);
  }
  if (s.starts > 1 && s.start == nmf::Start::kOnes) {
    return error(ErrorCode::kUsage, "`starts={}` with `start=ones` would repeat the same start", s.starts);
  }
  if (s.curvature && s.loss != nmf::LossKind::kPoisson)
    return error(ErrorCode::kUsage, "`curvature` is for `loss=poisson`: leave it out, or choose that loss");
  if (s.site_effects && s.loss != nmf::LossKind::kSquares)
    return error(ErrorCode::kUsage, "`site_effects` needs `loss=squares`: no other loss has parts of agents' own");
  if (s.site_effects && penalties_of(s).any())
    return error(ErrorCode::kUsage, "`site_effects` has a penalty of its own: leave it out, or those on X and Y");
  if (s.site_effects && s.missing == MissingKind::kNan)
    return error(ErrorCode::kUsage, "`site_effects` needs complete data: leave it out, or `missing=nan`");
  if (s.cap && s.normalise && !s.epsilon) {
    return error(
        ErrorCode::kUsage,
        "`cap` has no meaning beside `normalise`, which makes all columns equally large: leave out one of them");
  }
  if (s.epsilon && s.trust_members) {
    return error(ErrorCode::kUsage,
                 "`trust_members` is for exact totals, and `epsilon` makes a private run, which needs no such trust: "
                 "leave out `trust_members`");
  }
  PPDNMF_TRY_STATUS(check_penalised(s, scheme));
  if (s.least_rank > 0) PPDNMF_TRY_STATUS(check_search(s, scheme));
  if (scheme == SchemeKind::kMoments) PPDNMF_TRY_STATUS(check_moments(s));
  return s.epsilon ? check_private(s) : check_not_private(s);
}

std::optional<crypto::KeyOptions> key_options(const Settings& settings) {
  const Settings s = with_defaults(settings);
  if (s.cipher == CipherKind::kNone || sums_only(*s.scheme)) return std::nullopt;
  return crypto::KeyOptions{.bits = static_cast<std::size_t>(*s.key_bits), .profile = *s.key_profile};
}

}  // namespace ppdnmf::protocol
