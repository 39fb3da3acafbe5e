// Helpers for this folder's tests.
#ifndef PPDNMF_IO_TEST_FILES_H_
#define PPDNMF_IO_TEST_FILES_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "io/table.h"

namespace ppdnmf {

inline std::filesystem::path testdata(std::string_view name) {
  return std::filesystem::path(PPDNMF_IO_TESTDATA) / name;
}

inline Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

inline Bytes testdata_bytes(std::string_view name) {
  std::ifstream file(testdata(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// REAL and COUNTS of make_testdata.py.
inline Matrix real_matrix() { return (Matrix(2, 3) << 0, 1.5, 2, 3, 0.25, 5).finished(); }
inline Matrix counts_matrix() { return (Matrix(2, 3) << 0, 1, 2, 3, 4, 120).finished(); }

// The message of a failure; "" if it was none.
template <typename T>
std::string message_of(const Result<T>& result) {
  return result ? std::string() : result.error().message;
}

// A folder of its own for each test, gone afterwards.
class FolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "ppdnmf_io_test_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::filesystem::path write(const std::string& name, std::string_view content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }
  std::filesystem::path folder_;
};

}  // namespace ppdnmf

#endif  // PPDNMF_IO_TEST_FILES_H_
