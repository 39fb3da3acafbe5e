// What an agent of a consortium runs with.
#ifndef PPDNMF_CONSORTIUM_RUN_SETTINGS_H_
#define PPDNMF_CONSORTIUM_RUN_SETTINGS_H_

#include <ppdnmf/base/result.h>
#include <ppdnmf/consortium/check.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::consortium {

// `known`: what the file's digest is of, if it has one. Fails with kUsage as make_run_settings does.
[[nodiscard]] Result<protocol::RunSettings> run_settings(const CheckedConsortium& consortium,
                                                         std::shared_ptr<const nmf::KnownColumns> known = nullptr);

}  // namespace ppdnmf::consortium

#endif  // PPDNMF_CONSORTIUM_RUN_SETTINGS_H_
