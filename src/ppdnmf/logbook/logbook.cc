#include <ppdnmf/logbook/logbook.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <system_error>
#include <utility>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::logbook {
namespace {

std::vector<Entry> first_lines(const Subject& subject) {
  std::vector<Entry> lines;
  lines.push_back(Entry(kAgreed)
                      .with("version", subject.version)
                      .with("consortium", hex(subject.consortium))
                      .with("self", subject.self->name()));
  for (const identity::PublicIdentity* member : subject.members) {
    lines.push_back(Entry(kMember).with("name", member->name()).with("identity", base64(member->encode())));
  }
  return lines;
}

// What is in the file: whole lines, and bytes behind them.
struct Found {
  Link link;
  std::size_t whole = 0;
  std::size_t torn = 0;
  bool same = false;  // it is about the same subject
};

Result<Found> look_through(std::string_view text, const Subject& subject) {
  const std::vector<Entry> first = first_lines(subject);
  Found found;
  while (found.whole < text.size()) {
    const std::size_t end = text.find('\n', found.whole);
    if (end == std::string_view::npos) break;  // torn
    const auto line = read_line(text.substr(found.whole, end - found.whole), found.link);
    if (!line) {
      if (end + 1 == text.size()) break;  // the last one: a disk may keep the end of a line and lose its middle
      return error(ErrorCode::kFile, "line {} {}; put the file as it was back, or begin anew in another folder",
                   found.link.lines + 1, line.error().message);
    }
    if (found.link.lines == 1) {
      found.same = line->entry.what() == kAgreed && line->entry.text("consortium") == first[0].text("consortium") &&
                   line->entry.text("self") == first[0].text("self");
    }
    found.whole = end + 1;
  }
  found.torn = text.size() - found.whole;
  return found;
}

}  // namespace

Bytes signed_text(const Link& before) {
  ByteWriter out;
  out.put_string("ppdnmf log signature 1");
  out.put(before.lines);
  out.put_array(before.digest.data(), before.digest.size());
  return out.take();
}

Result<Logbook> Logbook::open(const std::filesystem::path& folder, const Subject& subject,
                              std::chrono::sys_seconds now) {
  const std::filesystem::path path = folder / kFileName;
  const auto failure = [&](const char* what) {
    return error(ErrorCode::kFile, "{}: cannot be {}: {}", path.string(), what, io::errno_text());
  };
  std::error_code ignored;
  Found found;
  std::vector<std::string> notes;
  if (std::filesystem::file_size(path, ignored) > 0 && !ignored) {
    PPDNMF_TRY(const Bytes bytes, io::read_file(path, kMaxLogBytes));
    auto seen = look_through(io::as_text(bytes), subject);
    if (!seen) return at(path.string(), std::move(seen).error());
    found = *std::move(seen);
    if (found.link.lines > 0 && !found.same) {
      const std::filesystem::path aside = folder / (hex(found.link.digest).substr(0, 12) + ".log");
      if (::rename(path.c_str(), aside.c_str()) != 0) return failure("moved aside");
      notes.push_back(fmt::format("the log of an earlier run is now {}", aside.string()));
      found = {};
    }
  }
  Logbook book(path.string(),
               io::Descriptor(::open(path.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW,
                                     static_cast<mode_t>(io::kModeSecret))));
  if (book.file_.get() < 0) return failure("opened");
  if (::fchmod(book.file_.get(), static_cast<mode_t>(io::kModeSecret)) != 0) return failure("kept from others");
  if (::ftruncate(book.file_.get(), static_cast<off_t>(found.whole)) != 0) return failure("mended");
  book.bytes_ = found.whole;
  book.link_ = found.link;
  book.notes_ = std::move(notes);
  std::vector<Entry> lines;
  if (found.link.lines == 0) lines = first_lines(subject);
  if (found.torn > 0) {
    lines.push_back(Entry(kMended).with("bytes", static_cast<std::int64_t>(found.torn)));
    book.notes_.push_back(fmt::format("the last line of {} was torn: its {} bytes were removed, and the log says so",
                                      path.string(), found.torn));
  }
  PPDNMF_TRY_STATUS(book.append(lines, now));
  return book;
}

Status Logbook::write(const std::string& lines, const Link& after) {
  if (!io::write_all(file_.get(), {reinterpret_cast<const std::uint8_t*>(lines.data()), lines.size()})) {
    const std::string why = io::errno_text();
    (void)::ftruncate(file_.get(), static_cast<off_t>(bytes_));  // if this fails too, the next open() mends it
    return error(ErrorCode::kFile, "{}: cannot be written: {}", name_, why);
  }
  bytes_ += lines.size();
  link_ = after;
  return {};
}

Status Logbook::append(std::span<const Entry> entries, std::chrono::sys_seconds now) {
  if (entries.empty()) return {};
  Link after = link_;
  std::string lines;
  for (const Entry& entry : entries) lines += write_line(entry, now, after);
  return write(lines, after);
}

Status Logbook::sign(const identity::PrivateIdentity& identity, std::chrono::sys_seconds now) {
  Link after = link_;
  const std::string line =
      write_line(Entry(kSigned).with("signature", base64(identity.sign(signed_text(link_)))), now, after);
  PPDNMF_TRY_STATUS(write(line, after));
  if (::fdatasync(file_.get()) == 0) return {};
  return error(ErrorCode::kFile, "{}: cannot be made durable: {}", name_, io::errno_text());
}

}  // namespace ppdnmf::logbook
