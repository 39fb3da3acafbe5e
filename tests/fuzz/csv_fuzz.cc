#include <algorithm>
#include <cmath>
#include <string>

#include "fuzz_limits.h"
#include <ppdnmf/base/result.h>
#include <ppdnmf/io/csv.h>

// What is read and written again reads the same: names with quotes and line ends, numbers to the last bit. Empty names
// are left out: an empty first cell says that row names follow.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)ppdnmf::io::parse_csv({data, size}, '\t', ppdnmf::kFuzzLimits);
  const auto table = ppdnmf::io::parse_csv({data, size}, ',', ppdnmf::kFuzzLimits);
  if (!table) return 0;
  for (const auto* names : {&table->row_names, &table->column_names}) {
    if (std::find(names->begin(), names->end(), "") != names->end()) return 0;
  }
  const std::string text = ppdnmf::io::format_csv(*table);
  const ppdnmf::ByteSpan bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  const auto again = ppdnmf::io::parse_csv(bytes, ',', ppdnmf::kFuzzLimits);
  PPDNMF_CHECK(again.has_value());
  PPDNMF_CHECK(again->row_names == table->row_names && again->column_names == table->column_names);
  PPDNMF_CHECK(again->values.rows() == table->values.rows() && again->values.cols() == table->values.cols());
  for (ppdnmf::Index i = 0; i < table->values.size(); ++i) {
    const double a = table->values.data()[i];
    const double b = again->values.data()[i];
    PPDNMF_CHECK(a == b || (std::isnan(a) && std::isnan(b)));
  }
  return 0;
}
