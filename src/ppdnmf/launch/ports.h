#ifndef PPDNMF_LAUNCH_PORTS_H_
#define PPDNMF_LAUNCH_PORTS_H_

#include <cstdint>
#include <vector>

#include <ppdnmf/base/result.h>

namespace ppdnmf::launch {

// Different ports of 127.0.0.1 on which nobody listened a moment ago, others at every call, and none that the kernel
// gives away by itself. Another process may still take one before it is used: whoever finds it taken asks again. Fails
// with kFile if the system has none.
[[nodiscard]] Result<std::vector<std::uint16_t>> free_ports(std::size_t count);

}  // namespace ppdnmf::launch

#endif  // PPDNMF_LAUNCH_PORTS_H_
