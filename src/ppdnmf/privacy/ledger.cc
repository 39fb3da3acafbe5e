#include <ppdnmf/privacy/ledger.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace ppdnmf::privacy {
namespace {

// Far beyond what protects anything, and small enough to compute with.
constexpr double kMaxLimitEpsilon = 1000;
constexpr double kLargestRho = 1e6;

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  line = line.substr(0, line.find('#'));
  for (;;) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return words;
    line.remove_prefix(first);
    const std::size_t length = std::min(line.find_first_of(" \t\r"), line.size());
    words.push_back(line.substr(0, length));
    line.remove_prefix(length);
  }
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

Result<Ledger> Ledger::parse(std::string_view text) {
  Ledger ledger;
  // Budgets first, so that lines may come in any order.
  for (const std::string_view kind : {"data", "spent"}) {
    std::size_t number = 0;
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t end = std::min(text.find('\n', from), text.size());
      const std::string_view line = text.substr(from, end - from);
      from = end + 1;
      ++number;
      const auto words = words_of(line);
      if (words.empty()) continue;
      const bool known = words[0] == "data" || words[0] == "spent";
      if (known && words[0] != kind) continue;
      if (auto read = ledger.read_line(line); !read) return at(fmt::format("line {}", number), std::move(read).error());
    }
  }
  return ledger;
}

Status Ledger::read_line(std::string_view line) {
  const auto words = words_of(line);
  if (words.size() == 6 && words[0] == "data" && words[2] == "epsilon" && words[4] == "delta") {
    const auto epsilon = number_of(words[3]);
    const auto delta = number_of(words[5]);
    if (!epsilon || !delta || !(*epsilon > 0 && *epsilon <= kMaxLimitEpsilon && *delta > 0 && *delta < 1)) {
      return error(ErrorCode::kInvalidData,
                   "epsilon must be a number above 0, at most {:g}, and delta one between 0 and 1", kMaxLimitEpsilon);
    }
    if (!accounts_.try_emplace(std::string(words[1]), Account{{*epsilon, *delta}, {}}).second)
      return error(ErrorCode::kInvalidData, "a second budget for the data '{}'", words[1]);
    return {};
  }
  if (words.size() == 5 && words[0] == "spent" && words[3] == "rho") {
    const auto rho = number_of(words[4]);
    if (!rho || !(*rho >= 0 && *rho <= kLargestRho))
      return error(ErrorCode::kInvalidData, "rho must be a number from 0 to {:g}, not '{}'", kLargestRho, words[4]);
    const auto account = accounts_.find(std::string(words[1]));
    if (account == accounts_.end())
      return error(ErrorCode::kInvalidData, "spent of the data '{}', which have no budget", words[1]);
    if (!account->second.runs.try_emplace(std::string(words[2]), *rho).second)
      return error(ErrorCode::kInvalidData, "the run '{}' was debited twice", words[2]);
    return {};
  }
  return error(ErrorCode::kInvalidData, "'{}' is neither 'data NAME epsilon E delta D' nor 'spent NAME RUN rho R'",
               line);
}

Status Ledger::debit(const std::string& name, const std::string& run, double rho, const Spent& known) {
  PPDNMF_CHECK(rho >= 0 && std::isfinite(rho) && !run.empty() &&
               std::all_of(run.begin(), run.end(), [](unsigned char c) { return std::isalnum(c) != 0; }));
  const auto found = accounts_.find(name);
  if (found == accounts_.end()) {
    return error(ErrorCode::kUsage,
                 "there is no budget for the data '{}': write what all runs over them together may spend, as the line "
                 "'data {} epsilon 4 delta 1e-6'",
                 name, name);
  }
  Account& account = found->second;
  if (const auto before = account.runs.find(run); before != account.runs.end()) {
    if (before->second == rho) return {};
    return error(ErrorCode::kUsage, "this run has been debited rho {:g} already, not {:g}", before->second, rho);
  }
  const double before = spent(name, known);
  std::set<std::string> runs = known.runs;
  for (const auto& [earlier, cost] : account.runs) runs.insert(earlier);
  const double divergence = kMostDivergence * static_cast<double>(runs.size() + 1);
  const double allowed = rho_for(account.budget, divergence);
  if (!(before + rho <= allowed)) {
    const double left = std::max(0.0, allowed - before);
    return error(ErrorCode::kUsage,
                 "this run would spend more than is left of the budget for the data '{}': epsilon {:.3g} of {:g} is "
                 "spent at delta {:g}{}; what is left is enough for a run with `epsilon={:.3g}`",
                 name, epsilon_of(Cost{before, divergence}, account.budget.delta), account.budget.epsilon,
                 account.budget.delta,
                 known.largest > 0 ? " by the column that was in most runs, under whatever name" : "",
                 epsilon_of(Cost{left, kMostDivergence}, account.budget.delta));
  }
  account.runs.emplace(run, rho);
  return {};
}

double Ledger::spent(const std::string& name, const Spent& known) const {
  double sum = 0;
  if (const auto account = accounts_.find(name); account != accounts_.end()) {
    sum = known.largest;
    for (const auto& [run, rho] : account->second.runs) sum += known.runs.contains(run) ? 0 : rho;
  }
  return sum;
}

std::string Ledger::text() const {
  std::string out;
  for (const auto& [name, account] : accounts_) {
    out += fmt::format("data {} epsilon {} delta {}\n", name, account.budget.epsilon, account.budget.delta);
    for (const auto& [run, rho] : account.runs) out += fmt::format("spent {} {} rho {}\n", name, run, rho);
  }
  return out;
}

}  // namespace ppdnmf::privacy
