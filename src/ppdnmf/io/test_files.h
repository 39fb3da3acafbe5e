// Helpers for this folder's tests.
#ifndef PPDNMF_IO_TEST_FILES_H_
#define PPDNMF_IO_TEST_FILES_H_

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/io/test_folder.h>

namespace ppdnmf::io {

inline std::filesystem::path testdata(std::string_view name) {
  return std::filesystem::path(PPDNMF_IO_TESTDATA) / name;
}

inline Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

inline Bytes testdata_bytes(std::string_view name) {
  std::ifstream file(testdata(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// REAL and COUNTS of make_testdata.py.
inline Matrix real_matrix() {
  Matrix Z(2, 3);
  Z << 0, 1.5, 2, 3, 0.25, 5;
  return Z;
}
inline Matrix counts_matrix() {
  Matrix Z(2, 3);
  Z << 0, 1, 2, 3, 4, 120;
  return Z;
}

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_TEST_FILES_H_
