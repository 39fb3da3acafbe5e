#include <ppdnmf/report/png.h>

#include <zlib.h>

#include <string_view>

#include <ppdnmf/base/result.h>

namespace ppdnmf::report {
namespace {

void put_u32(Bytes& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

// Length, type, data, and a check sum over type and data.
void put_chunk(Bytes& out, std::string_view type, const Bytes& data) {
  put_u32(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t start = out.size();
  out.insert(out.end(), type.begin(), type.end());
  out.insert(out.end(), data.begin(), data.end());
  put_u32(out, static_cast<std::uint32_t>(::crc32(0, out.data() + start, static_cast<uInt>(out.size() - start))));
}

}  // namespace

Bytes encode_png(io::ImageShape shape, ByteSpan pixels) {
  const auto height = static_cast<std::size_t>(shape.height);
  const auto width = static_cast<std::size_t>(shape.width);
  PPDNMF_CHECK(pixels.size() == height * width);
  Bytes raw;  // each row starts with the number of its filter: 0, none
  raw.reserve(height * (width + 1));
  for (std::size_t row = 0; row < height; ++row) {
    raw.push_back(0);
    const ByteSpan line = pixels.subspan(row * width, width);
    raw.insert(raw.end(), line.begin(), line.end());
  }
  uLongf size = ::compressBound(static_cast<uLong>(raw.size()));
  Bytes packed(size);
  PPDNMF_CHECK(::compress(packed.data(), &size, raw.data(), static_cast<uLong>(raw.size())) == Z_OK);
  packed.resize(size);

  Bytes head;
  put_u32(head, static_cast<std::uint32_t>(width));
  put_u32(head, static_cast<std::uint32_t>(height));
  for (const std::uint8_t byte : {8, 0, 0, 0, 0})
    head.push_back(byte);  // 8 bits, grey, the only methods, not interlaced
  Bytes out;
  for (const char c : std::string_view("\x89PNG\r\n\x1A\n")) out.push_back(static_cast<std::uint8_t>(c));
  put_chunk(out, "IHDR", head);
  put_chunk(out, "IDAT", packed);
  put_chunk(out, "IEND", {});
  return out;
}

}  // namespace ppdnmf::report
