// An archive that stays on disk: its directory, and every array that it lists.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include <ppdnmf/io/disk_file.h>
#include <ppdnmf/io/npz_columns.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string name = "/tmp/ppdnmf_fuzz_XXXXXX";
  const int file = ::mkstemp(name.data());
  const bool written = file >= 0 && ::write(file, data, size) == static_cast<ssize_t>(size);
  (void)::unlink(name.c_str());
  if (!written) return 0;
  const auto opened = ppdnmf::io::DiskFile::adopt("a fuzzed file", ppdnmf::io::Descriptor(file));
  if (!opened) return 0;
  const auto entries = ppdnmf::io::open_npz_columns(*opened);
  if (!entries || entries->columns == nullptr) return 0;
  const ppdnmf::data::Columns& columns = *entries->columns;
  ppdnmf::data::walk(columns, {0, columns.count()}, [&](const ppdnmf::data::Block& block, const auto&) {
    for (ppdnmf::Index m = 0; m < block.count; ++m) {
      ppdnmf::data::for_entries(block, m, [&](ppdnmf::Index row, double) {
        if (row < 0 || row >= block.rows) std::abort();
      });
    }
  });
  return 0;
}
