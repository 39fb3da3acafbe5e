// A Matrix Market file as 'ppdnmf convert' reads it, held against the reader that has it in memory.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "fuzz_limits.h"
#include "same_numbers.h"
#include <ppdnmf/convert/convert.h>
#include <ppdnmf/io/mtx.h>
#include <ppdnmf/io/read_matrix.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path folder = [] {
    std::string name = "/tmp/ppdnmf_fuzz_XXXXXX";
    return std::filesystem::path(::mkdtemp(name.data()));
  }();
  const std::filesystem::path from = folder / "a.mtx";
  std::ofstream(from, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const auto in_memory = ppdnmf::io::parse_mtx({data, size}, ppdnmf::kSparseFuzzLimits);
  if (!in_memory && in_memory.error().message.find("can be read") != std::string::npos) return 0;  // large ones
  const auto converted = ppdnmf::convert::convert({from.string(), folder / "a.npz", true, false, {}});
  if (in_memory.has_value() != converted.has_value()) std::abort();
  if (!converted) return 0;
  auto read = ppdnmf::io::read_matrix(folder / "a.npz", ppdnmf::kSparseFuzzLimits);
  if (!read || read->rows() != in_memory->rows() || read->columns() != in_memory->columns()) std::abort();
  if (!ppdnmf::same_numbers(*in_memory->view(), *read->view())) std::abort();
  return 0;
}
