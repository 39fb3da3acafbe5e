// One function per subcommand: adds it to the program and, when it is chosen, leaves its outcome in `outcome`.
#ifndef PPDNMF_APPS_COMMANDS_H_
#define PPDNMF_APPS_COMMANDS_H_

#include <ppdnmf/base/result.h>

namespace CLI {
class App;
}

namespace ppdnmf::app {

class Several;

// The whole program: reads the command line, does what it says, and returns an exit code.
[[nodiscard]] int run_program(int argc, char** argv);
// The same for a program of these commands, which leave their outcome there.
[[nodiscard]] int run_commands(CLI::App& app, const Status& outcome, int argc, char** argv);

// Of one process, or of several that have the columns together; these outlive the program.
void add_agent(CLI::App& app, Status& outcome, Several* several = nullptr);
void add_factorize(CLI::App& app, Status& outcome, Several* several = nullptr);

void add_approve(CLI::App& app, Status& outcome);
void add_audit(CLI::App& app, Status& outcome);
void add_consortium(CLI::App& app, Status& outcome);
void add_convert(CLI::App& app, Status& outcome);
void add_demo(CLI::App& app, Status& outcome);
void add_doctor(CLI::App& app, Status& outcome);
void add_settings(CLI::App& app, Status& outcome);
void add_simulate(CLI::App& app, Status& outcome);
void add_estimate(CLI::App& app, Status& outcome);
void add_experiment(CLI::App& app, Status& outcome);
void add_identity(CLI::App& app, Status& outcome);
void add_launch(CLI::App& app, Status& outcome);
void add_log(CLI::App& app, Status& outcome);
void add_page(CLI::App& app, Status& outcome);
void add_rank(CLI::App& app, Status& outcome);
void add_relay(CLI::App& app, Status& outcome);
void add_status(CLI::App& app, Status& outcome);
void add_transform(CLI::App& app, Status& outcome);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_COMMANDS_H_
