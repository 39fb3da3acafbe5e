#include <ppdnmf/io/pgm.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

#include <ppdnmf/io/file.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::io {
namespace {

struct PgmHeader {
  bool binary = false;
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  std::uint64_t largest = 0;
};

// Leaves `words` behind the largest value; in a binary file one blank and then the pixels follow.
Result<PgmHeader> parse_header(WordReader& words) {
  const std::string_view magic = words.next();
  if (magic != "P2" && magic != "P5") return error(ErrorCode::kFile, "it is not a PGM image (P2 or P5)");
  words.skip_comments('#');
  PgmHeader header;
  header.binary = magic == "P5";
  for (std::uint64_t* field : {&header.width, &header.height, &header.largest}) {
    const std::string_view word = words.next();
    if (word.empty()) return error(ErrorCode::kFile, "it ends within its header: it is not complete");
    const auto number = parse_count(word);
    if (!number) return error(ErrorCode::kFile, "its header holds {} where a number should be", in_quotes(word));
    *field = *number;
  }
  if (header.largest < 1 || header.largest > 65535) {
    return error(ErrorCode::kFile, "its largest value is {}, outside 1 to 65535", header.largest);
  }
  return header;
}

tl::unexpected<Error> wrong_length(const PgmHeader& header, std::size_t there) {
  return error(ErrorCode::kFile, "{} x {} pixels do not fit the {} bytes that follow: it is not one complete image",
               header.width, header.height, there);
}

tl::unexpected<Error> too_bright(std::uint64_t pixel, const PgmHeader& header) {
  return error(ErrorCode::kFile, "a pixel is {}, above its largest value {}", pixel, header.largest);
}

// Files go row by row; a column of our matrix goes image column by image column.
std::size_t place(std::uint64_t i, const PgmHeader& header) {
  return static_cast<std::size_t>((i % header.width) * header.height + i / header.width);
}

Status read_binary(const PgmHeader& header, std::string_view raster, Image& image) {
  const std::uint64_t bytes_each = header.largest > 255 ? 2 : 1;
  const auto byte = [&](std::uint64_t i) { return static_cast<std::uint8_t>(raster[i]); };
  for (std::uint64_t i = 0; i < header.width * header.height; ++i) {
    const unsigned pixel = bytes_each == 1 ? byte(i) : byte(2 * i) * 256U + byte(2 * i + 1);
    if (pixel > header.largest) return too_bright(pixel, header);
    image.pixels[place(i, header)] = static_cast<double>(pixel) / static_cast<double>(header.largest);
  }
  return {};
}

Status read_words(const PgmHeader& header, WordReader& words, Image& image) {
  for (std::uint64_t i = 0; i < header.width * header.height; ++i) {
    const std::string_view word = words.next();
    if (word.empty()) return error(ErrorCode::kFile, "it ends after {} pixels: it is not complete", i);
    const auto pixel = parse_count(word);
    if (!pixel) return error(ErrorCode::kFile, "line {}: {} is not a pixel value", words.line(), in_quotes(word));
    if (*pixel > header.largest) return too_bright(*pixel, header);
    image.pixels[place(i, header)] = static_cast<double>(*pixel) / static_cast<double>(header.largest);
  }
  if (!words.next().empty()) return error(ErrorCode::kFile, "line {}: more follows after the last pixel", words.line());
  return {};
}

Result<std::vector<std::filesystem::path>> list_images(const std::filesystem::path& folder) {
  std::error_code code;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
    std::error_code ignored;
    if (lower(it->path().extension().string()) == ".pgm" && !it->path().filename().string().starts_with('.') &&
        !it->is_directory(ignored)) {
      files.push_back(it->path());
    }
  }
  if (code) return error(ErrorCode::kFile, "{}: the folder cannot be read: {}", folder.string(), code.message());
  if (files.empty()) return error(ErrorCode::kFile, "{}: the folder holds no .pgm image", folder.string());
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.native() < b.native(); });
  return files;
}

}  // namespace

Result<Image> parse_pgm(ByteSpan bytes, const ReadLimits& limits) {
  WordReader words(as_text(bytes));
  PPDNMF_TRY(const PgmHeader header, parse_header(words));
  PPDNMF_TRY_STATUS(check_size(header.height, header.width, limits));
  const std::uint64_t count = header.width * header.height;
  std::string_view raster = words.rest();
  Image image;
  image.shape = {static_cast<Index>(header.height), static_cast<Index>(header.width)};
  if (header.binary) {
    if (raster.empty()) return wrong_length(header, 0);
    raster.remove_prefix(1);
    const std::uint64_t wanted = count * (header.largest > 255 ? 2 : 1);
    if (raster.size() < wanted || !trim(raster.substr(wanted)).empty()) return wrong_length(header, raster.size());
    image.pixels.resize(count);
    PPDNMF_TRY_STATUS(read_binary(header, raster, image));
  } else {
    if (count > raster.size()) return wrong_length(header, raster.size());
    image.pixels.resize(count);
    PPDNMF_TRY_STATUS(read_words(header, words, image));
  }
  return image;
}

Result<Table> read_pgm_folder(const std::filesystem::path& folder, const ReadLimits& limits) {
  PPDNMF_TRY(const auto files, list_images(folder));
  Table table;
  for (std::size_t i = 0; i < files.size(); ++i) {
    PPDNMF_TRY(const Bytes bytes, read_file(files[i], limits.max_file_bytes));
    auto parsed = parse_pgm(bytes, limits);
    if (!parsed) return at(files[i].string(), std::move(parsed).error());
    const ImageShape shape = parsed->shape;
    if (i == 0) {
      auto values = make_matrix(parsed->pixels.size(), files.size(), limits);
      if (!values) return at(folder.string(), std::move(values).error());
      table.values = *std::move(values);
      table.image = shape;
    } else if (shape.height != table.image->height || shape.width != table.image->width) {
      return error(ErrorCode::kFile,
                   "{}: the image is {} x {}, but {} is {} x {}; all must have one size (width x height)",
                   files[i].string(), shape.width, shape.height, files[0].filename().string(), table.image->width,
                   table.image->height);
    }
    table.values.col(static_cast<Index>(i)) =
        Eigen::Map<const Eigen::VectorXd>(parsed->pixels.data(), table.values.rows());
    table.column_names.push_back(files[i].filename().string());
  }
  return table;
}

}  // namespace ppdnmf::io
