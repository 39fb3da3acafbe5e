// One member's part in a real run, from its files to its results: what the command `agent` and Python's Agent share.
#ifndef PPDNMF_SITE_AGENT_RUN_H_
#define PPDNMF_SITE_AGENT_RUN_H_

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/identity/private_identity.h>
#include <ppdnmf/identity/renewal.h>
#include <ppdnmf/identity/sealing.h>
#include <ppdnmf/io/limits.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/nmf/exposures.h>
#include <ppdnmf/report/reference.h>
#include <ppdnmf/site/daemon.h>

namespace ppdnmf::site {

using PassphraseQuestion = std::function<Result<identity::Passphrase>()>;

// The identities in a .key file; `passphrase` is asked if the file is sealed. Fails as read_key_file, the question and
// KeyRing::decode do.
[[nodiscard]] Result<identity::KeyRing> open_keys(const std::filesystem::path& file,
                                                  const PassphraseQuestion& passphrase);
// The one of them that is a member; the new one if neither is.
[[nodiscard]] identity::PrivateIdentity identity_for(const consortium::Consortium& consortium, identity::KeyRing keys);

struct AgentRequest {
  std::filesystem::path consortium;  // the file that all members have
  std::filesystem::path identity;    // this member's .key file
  PassphraseQuestion passphrase;
  // This member's own columns, asked for when the two files above are known to be good.
  std::function<Result<io::Table>(const io::ReadLimits&)> read_data;
  std::string data_place;  // what sentences call the data
  bool clip_negative = false;
  // Shown the data once they are arranged as the consortium says; may be empty.
  std::function<Status(io::Table& data)> arranged;
  report::PictureRequest pictures;          // of the report: what X is drawn as and matched with
  nmf::ExposureOptions exposures;           // what is worked out for Y, for its owner alone
  std::filesystem::path start_from;         // the X from which the consortium continues; empty: none
  std::filesystem::path known;              // the columns of X that the consortium keeps; empty: none
  std::filesystem::path folder;             // for the results and the run's state; made if it is missing
  bool force = false;                       // write into a folder that holds other results
  std::optional<identity::Address> listen;  // nothing: the address in the consortium, if somebody dials us
  std::optional<net::Proxy> proxy;          // neighbours and the relay are dialled through it
  std::filesystem::path approval;           // the steward's; empty: NAME.approval beside the key
  std::filesystem::path ledger;             // private runs: the file of budgets; empty: NAME.ledger beside the key
  std::string data_name;                    // private runs: the owner's name for these data in it
  bool exact_anyway = false;                // exact totals of columns that have been in private runs
  // Private runs: whose each column is (data/persons.h), asked for when the data are arranged; empty: nobody says.
  std::function<Result<std::vector<std::string>>(const io::Table& data)> read_persons;
  std::chrono::seconds max_wait{0};  // in which no message brings the run further; 0: for ever
  std::chrono::seconds linger{60};   // after the end, for neighbours that miss the last messages
  std::string version;
};

struct AgentResult : DaemonResult {
  io::Table data;  // as the run took them
};

// Reads and checks the files, prepares the folder (one with a journal is gone on with), says to the listener what all
// members must see, and takes part until the run has ended and its results are in the folder (run_daemon). Fails as
// read_consortium, CheckedConsortium::create, open_keys, arrange_rows, check_columns, prepare_pictures and run_daemon
// do; with kUsage if the identity is not a member's; with kFile if the folder cannot be made or holds results of
// another run; as read_approval and check_approval do if the file names a steward for this member.
[[nodiscard]] Result<AgentResult> take_part(const AgentRequest& request, Executor& executor,
                                            const DaemonListener& listener);

struct AgentFactors {
  Matrix X, Y;
};
// What a run left in its folder. Fails with kFile, also if it is not of these data.
[[nodiscard]] Result<AgentFactors> read_factors(const std::filesystem::path& folder, const io::Table& data);

}  // namespace ppdnmf::site

#endif  // PPDNMF_SITE_AGENT_RUN_H_
