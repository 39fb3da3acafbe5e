#include "apps/ppdnmf/network_options.h"

#include <CLI/CLI.hpp>

namespace ppdnmf::app {

void add_split_options(CLI::App& command, run::NetworkOptions& options) {
  command.add_option("--agents", options.agents, "split one file's columns evenly between this many agents (10)")
      ->check(CLI::Range(1U, 1U << 20));
  command.add_option("--split", options.split, "columns of each agent, as 3,5,12")->delimiter(',');
}

void add_exchange_options(CLI::App& command, run::NetworkOptions& options) {
  command
      .add_option("--topology", options.topology,
                  "random:D (mean degree), ring, line, star, complete, or a file of edges")
      ->capture_default_str();
  command.add_option("--updates", options.updates, "corrected, or as-printed in the paper")
      ->check(CLI::IsMember({"corrected", "as-printed"}))
      ->capture_default_str();
  command
      .add_option(
          "--exchange", options.exchange,
          "sum: masked sums over all agents, about 50 cheap exchanges, one X; hardened: the paper's, sums over "
          "neighbours, 300 exchanges under Paillier (the default beside an option that only it has); as-printed in "
          "the paper: not private")
      ->check(CLI::IsMember({"sum", "hardened", "as-printed"}))
      ->capture_default_str();
  command.add_option("--starts", options.starts, "exchange sum: so many short starts, of which the best goes on")
      ->capture_default_str();
  command
      .add_option("--cipher", options.cipher,
                  "paillier (and masks on all sums), or none: plain numbers, the same results bit for bit")
      ->check(CLI::IsMember({"paillier", "none"}))
      ->capture_default_str();
  command.add_option("--key-bits", options.key_bits, "length of the Paillier keys, 2048 to 4096")
      ->capture_default_str();
  command.add_option("--key-profile", options.key_profile, "standard, or fast: one more assumption, honest peers only")
      ->check(CLI::IsMember({"standard", "fast"}))
      ->capture_default_str();
  command.add_option("--n-max", options.n_max, "resolution: factors travel as round(n-max U)")->capture_default_str();
  command.add_option("--u-bound", options.u_bound, "largest entry of the factor that can travel")
      ->capture_default_str();
  command.add_option("--weight", options.weight, "the paper's g, or auto: from each agent's curvature")
      ->capture_default_str();
  command.add_option("--local-rounds", options.local_rounds, "X updates between exchanges (10; 1 as printed)")
      ->check(CLI::Range(1, 1'000'000));
  command
      .add_option("--admm-tolerance", options.admm_tolerance,
                  "end an X step early when it moves less than this; 0: never")
      ->capture_default_str();
}

void add_privacy_options(CLI::App& command, run::NetworkOptions& options) {
  command.add_option("--epsilon", options.epsilon,
                     "exchange sum: differentially private per column, with noise that keeps this budget");
  command.add_option("--delta", options.delta, "with --epsilon: a number well below 1/columns, such as 1e-6");
  command
      .add_option("--normalise", options.normalise,
                  "with --epsilon: divide every column by its sum (l1) or its length (l2)")
      ->check(CLI::IsMember({"l1", "l2"}));
  command.add_option("--assume-honest", options.assume_honest,
                     "with --epsilon: so many agents at least add their noise and tell it to nobody (all but one)");
}

void add_ledger_options(CLI::App& command, std::filesystem::path& ledger, std::string& data_name) {
  command.add_option("--ledger", ledger, "private runs: file of budgets, in which the run is debited first");
  command.add_option("--data-name", data_name, "private runs: the name of these data in the ledger");
}

void note_given_options(const CLI::App& command, run::NetworkOptions& options) {
  for (const char* name : {"--admm-x", "--admm-y", "--mu", "--eta", "--weight", "--n-max", "--u-bound",
                           "--local-rounds", "--admm-tolerance", "--key-bits", "--key-profile"}) {
    if (command.count(name) > 0) options.no_use_for_sum.emplace_back(name);
  }
  if (command.count("--exchange") > 0) return;
  if (options.updates == "as-printed") options.no_use_for_sum.emplace_back("--updates as-printed");
  if (options.no_use_for_sum.empty()) return;
  options.exchange = "hardened";
  options.exchange_follows = options.no_use_for_sum.front();
}

}  // namespace ppdnmf::app
