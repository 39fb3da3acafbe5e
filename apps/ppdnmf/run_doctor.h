// What `doctor` does, once its options are read.
#ifndef PPDNMF_APPS_RUN_DOCTOR_H_
#define PPDNMF_APPS_RUN_DOCTOR_H_

#include <filesystem>
#include <optional>
#include <string>

#include <ppdnmf/base/result.h>

namespace ppdnmf::app {

struct DoctorOptions {
  std::filesystem::path consortium, identity;
  std::string listen, proxy;
  std::optional<int> passphrase_fd;
  int patience = 5;
  bool json = false;
};

// Prints what was found. Fails with kPeer if something is wrong.
[[nodiscard]] Status run_doctor(const DoctorOptions& options);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_DOCTOR_H_
