#include <cstddef>
#include <cstdint>
#include <string>

#include <ppdnmf/base/result.h>
#include <ppdnmf/sim/topology.h>

// A graph that was read is connected and loop-free, and reads the same when its edges are written out.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::uint32_t agents = 1U + data[0] % 32U;
  const auto graph = ppdnmf::sim::parse_edge_list({reinterpret_cast<const char*>(data) + 1, size - 1}, agents);
  if (!graph) return 0;
  PPDNMF_CHECK(graph->agents() == agents && graph->diameter() < agents);
  std::string text;
  for (const auto& [a, b] : graph->edges()) {
    PPDNMF_CHECK(a < b && b < agents);
    text += std::to_string(a) + ", " + std::to_string(b) + "  # an edge\r\n";
  }
  const auto again = ppdnmf::sim::parse_edge_list(text, agents);
  PPDNMF_CHECK(again.has_value() && again->edges() == graph->edges());
  return 0;
}
