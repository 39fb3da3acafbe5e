#include <ppdnmf/consortium/run_settings.h>

namespace ppdnmf::consortium {

Result<protocol::RunSettings> run_settings(const CheckedConsortium& consortium) {
  const Consortium& content = consortium.content();
  return protocol::make_run_settings(content.settings, content.rows, consortium.graph());
}

}  // namespace ppdnmf::consortium
