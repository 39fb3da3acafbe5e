#include <ppdnmf/consortium/run_settings.h>

#include <utility>

namespace ppdnmf::consortium {

Result<protocol::RunSettings> run_settings(const CheckedConsortium& consortium,
                                           std::shared_ptr<const nmf::KnownColumns> known) {
  const Consortium& content = consortium.content();
  return protocol::make_run_settings(content.settings, content.rows, consortium.graph(), std::move(known));
}

}  // namespace ppdnmf::consortium
