// A whole file as bytes.
#ifndef PPDNMF_IO_FILE_H_
#define PPDNMF_IO_FILE_H_

#include <cstdint>
#include <filesystem>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::io {

// Fails with kFile, the path in front, if there is no such file, it is a folder or no regular file, it may not be
// read, it is empty or longer than `max_bytes`, or the memory is not there.
[[nodiscard]] Result<Bytes> read_file(const std::filesystem::path& path, std::uint64_t max_bytes);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_FILE_H_
