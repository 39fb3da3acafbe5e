// An agent's columns as they enter a run: what the settings say is done to them before anything is computed.
#ifndef PPDNMF_PROTOCOL_OWN_COLUMNS_H_
#define PPDNMF_PROTOCOL_OWN_COLUMNS_H_

#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::protocol {

// Divided by their lengths, if the settings say so, weighed (data/weights.h), then blanked and lowered
// (protocol/crowd.h), if they say that. Every agent does it for itself; coordinates come back in units of `columns`. In
// a run with a cap, which the agents find together, the columns come back as they are until it is given; then they are
// capped first of all. Fails as with_crowd does.
[[nodiscard]] Result<data::SharedColumns> own_columns(data::SharedColumns columns, const RunSettings& settings,
                                                      std::optional<double> cap = std::nullopt);

// Where rows are dropped for all: those that an agent with such own_columns() wants to go, and its columns without what
// goes in the end. Fails as with_crowd does.
[[nodiscard]] std::vector<Index> rows_to_drop(const data::SharedColumns& own, const RunSettings& settings);
[[nodiscard]] Result<data::SharedColumns> without_rows(data::SharedColumns own, const std::vector<Index>& rows,
                                                       const RunSettings& settings);
// What agents with these columns will agree on, for whoever holds all of them; nothing where rows are not dropped.
[[nodiscard]] std::vector<Index> rows_dropped_for_all(const std::vector<data::SharedColumns>& agents,
                                                      const RunSettings& settings);

// For a record: the rows by name, or by number from one, and the sentence about them. All agents know them.
[[nodiscard]] std::string dropped_list(const std::vector<Index>& rows, const std::vector<std::string>& row_names);
[[nodiscard]] std::string dropped_note(const std::vector<Index>& rows, const std::vector<std::string>& row_names);

// For the owner alone, before anything is sent: what is against the rule of the crowd in a run with these settings, or
// what is done about it; nothing where there is nothing to say. Of a run with a cap: the cap, if it is known; else only
// what no cap changes is looked at.
[[nodiscard]] std::optional<std::string> crowd_note(const data::SharedColumns& columns, const RunSettings& settings,
                                                    const std::vector<std::string>& row_names,
                                                    std::optional<double> cap = std::nullopt);
// What an agent of a real run asks before its first message, and again when the cap is known. Fails with kInvalidData,
// saying what to do.
[[nodiscard]] Status check_crowd(const data::SharedColumns& columns, const RunSettings& settings,
                                 const std::vector<std::string>& row_names, std::optional<double> cap = std::nullopt);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_OWN_COLUMNS_H_
