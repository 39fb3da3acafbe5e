#include <ppdnmf/io/inflate.h>

#include <zlib.h>

#include <algorithm>
#include <limits>

namespace ppdnmf::io {
namespace {

constexpr std::uint64_t kStep = std::uint64_t{1} << 20U;
constexpr std::uint64_t kLargestStep = std::uint64_t{1} << 28U;  // below zlib's 32 bits

tl::unexpected<Error> broken_stream() { return error(ErrorCode::kFile, "its compressed data are broken"); }

class Inflater {
 public:
  // `raw`: without the header and the checksum of a zlib stream.
  explicit Inflater(ByteSpan compressed, bool raw = false) : left_(compressed) {
    ready_ = ::inflateInit2(&stream_, raw ? -MAX_WBITS : MAX_WBITS) == Z_OK;
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  Inflater(Inflater&&) = delete;
  Inflater& operator=(Inflater&&) = delete;
  ~Inflater() {
    if (ready_) ::inflateEnd(&stream_);
  }

  // Appends up to `count` bytes; fewer only at the end of the data or of the stream. `count` fits zlib's 32 bits.
  Status append(Bytes& out, std::size_t count) {
    if (!ready_) return error(ErrorCode::kFile, "there is not enough memory to decompress it");
    const std::size_t before = out.size();
    out.resize(before + count);
    stream_.next_out = out.data() + before;
    stream_.avail_out = static_cast<uInt>(count);
    int code = Z_OK;
    while (code == Z_OK && stream_.avail_out > 0) {
      if (stream_.avail_in == 0) feed();
      code = ::inflate(&stream_, Z_NO_FLUSH);
    }
    out.resize(out.size() - stream_.avail_out);
    finished_ = code == Z_STREAM_END;
    // Z_BUF_ERROR: no input is left; how much came out tells the caller whether that matters.
    return code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR ? Status{} : broken_stream();
  }
  [[nodiscard]] bool finished() const { return finished_; }

 private:
  void feed() {
    const std::size_t count = std::min<std::size_t>(left_.size(), std::numeric_limits<uInt>::max());
    stream_.next_in = const_cast<Bytef*>(left_.data());  // zlib reads it only
    stream_.avail_in = static_cast<uInt>(count);
    left_ = left_.subspan(count);
  }
  ByteSpan left_;
  z_stream stream_{};
  bool ready_ = false;
  bool finished_ = false;
};

Result<Bytes> inflate_to_the_end(Inflater& inflater, std::uint64_t max_bytes) {
  Bytes out;
  while (!inflater.finished()) {
    const std::size_t before = out.size();
    if (before > max_bytes) return error(ErrorCode::kFile, "a variable in it is larger than {} bytes", max_bytes);
    // One byte above the bound is asked for, so that going beyond it shows.
    const std::uint64_t step = std::clamp<std::uint64_t>(before, kStep, kLargestStep);
    PPDNMF_TRY_STATUS(inflater.append(out, static_cast<std::size_t>(std::min(step, max_bytes - before + 1))));
    if (out.size() == before && !inflater.finished())
      return error(ErrorCode::kFile, "its compressed data are cut short");
  }
  if (out.size() > max_bytes) return error(ErrorCode::kFile, "a variable in it is larger than {} bytes", max_bytes);
  return out;
}

}  // namespace

Result<Bytes> inflate_start(ByteSpan compressed, std::size_t count) {
  Inflater inflater(compressed);
  Bytes out;
  PPDNMF_TRY_STATUS(inflater.append(out, count));
  return out;
}

Result<Bytes> inflate_all(ByteSpan compressed, std::uint64_t max_bytes) {
  Inflater inflater(compressed);
  return inflate_to_the_end(inflater, max_bytes);
}

Result<Bytes> inflate_raw(ByteSpan compressed, std::uint64_t size) {
  Inflater inflater(compressed, true);
  return inflate_to_the_end(inflater, size);
}

}  // namespace ppdnmf::io
