// The marks of a ZIP archive's parts, for its reader and its writer.
#ifndef PPDNMF_IO_ZIP_FORMAT_H_
#define PPDNMF_IO_ZIP_FORMAT_H_

#include <cstdint>

namespace ppdnmf::io::zip {

inline constexpr std::uint32_t kLocal = 0x04034b50;
inline constexpr std::uint32_t kEntry = 0x02014b50;
inline constexpr std::uint32_t kEnd = 0x06054b50;
inline constexpr std::uint32_t kEnd64 = 0x06064b50;
inline constexpr std::uint32_t kLocator64 = 0x07064b50;
inline constexpr std::uint32_t kElsewhere = 0xffffffff;  // the number stands in a field of 64 bits

}  // namespace ppdnmf::io::zip

#endif  // PPDNMF_IO_ZIP_FORMAT_H_
