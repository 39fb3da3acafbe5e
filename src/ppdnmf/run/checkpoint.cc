#include <ppdnmf/run/checkpoint.h>

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/file.h>

namespace ppdnmf::run {
namespace {

constexpr std::string_view kMagic = "ppdnmf checkpoint 2";

std::filesystem::path checkpoint_path(const std::filesystem::path& folder) { return folder / "checkpoint.bin"; }

}  // namespace

Status write_checkpoint(const std::filesystem::path& folder, const Digest& key, const Checkpoint& checkpoint) {
  ByteWriter out;
  out.put_string(kMagic);
  out.put_array(key.data(), key.size());
  out.put(checkpoint.seconds_total);
  out.put<std::uint64_t>(checkpoint.seconds.size());
  out.put_array(checkpoint.seconds.data(), checkpoint.seconds.size());
  out.put_bytes(checkpoint.state);
  Bytes bytes = out.take();
  const Digest checksum = sha256(bytes);
  bytes.insert(bytes.end(), checksum.begin(), checksum.end());
  return io::write_file(checkpoint_path(folder), ByteSpan(bytes), io::kModeSecret);
}

Result<Checkpoint> read_checkpoint(const std::filesystem::path& folder, const Digest& key) {
  const std::filesystem::path path = checkpoint_path(folder);
  PPDNMF_TRY(const Bytes bytes, io::read_file(path, std::uint64_t{1} << 40));
  // The checksum at the end: damage must not become numbers that look right.
  const std::size_t size = bytes.size() - std::min(bytes.size(), sizeof(Digest));
  const Digest checksum = sha256(ByteSpan(bytes).first(size));
  ByteReader in(ByteSpan(bytes).first(size));
  const bool ours =
      std::equal(checksum.begin(), checksum.end(), bytes.begin() + static_cast<std::ptrdiff_t>(size), bytes.end()) &&
      in.get_string() == kMagic;
  Digest found{};
  in.get_array(found.data(), found.size());
  Checkpoint checkpoint;
  checkpoint.seconds_total = in.get<double>();
  checkpoint.seconds.resize(std::min<std::uint64_t>(in.get<std::uint64_t>(), in.left() / sizeof(double)));
  in.get_array(checkpoint.seconds.data(), checkpoint.seconds.size());
  checkpoint.state = in.get_bytes();
  if (!ours || !in.status()) return error(ErrorCode::kFile, "{}: is not a checkpoint, or is damaged", path.string());
  if (found != key) {
    return error(ErrorCode::kUsage,
                 "{}: belongs to a run with other data, another seed or another command; give the same ones",
                 path.string());
  }
  return checkpoint;
}

void remove_checkpoint(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::remove(checkpoint_path(folder), ignored);
  remove_torn_checkpoints(folder);
}

void remove_torn_checkpoints(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(".checkpoint.bin.") && name.ends_with(".tmp"))  // io/atomic_file.h
      std::filesystem::remove(entry.path(), ignored);
  }
}

Error interrupted_error(const std::filesystem::path& folder) {
  if (folder.empty()) return {ErrorCode::kInterrupted, "interrupted"};
  return {ErrorCode::kInterrupted, fmt::format("interrupted; the same command with `resume` continues from {}",
                                               checkpoint_path(folder).string())};
}

}  // namespace ppdnmf::run
