// A text file a piece at a time, each of whole lines.
#ifndef PPDNMF_CONVERT_TEXT_LINES_H_
#define PPDNMF_CONVERT_TEXT_LINES_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/file.h>

namespace ppdnmf::convert {

class TextLines {
 public:
  // `separators`: of cells that may stand between double quotes (io::CsvRecordReader); a line end between these ends no
  // line. Empty: quotes mean nothing. Fails as InputFile::open does.
  [[nodiscard]] static Result<TextLines> open(const std::filesystem::path& path, std::string_view separators = {});

  // The next lines, about so many bytes and at least one line; empty at the end. They stand until the next call. Fails
  // with kFile if the file cannot be read, or if a line is longer than 1 GiB.
  [[nodiscard]] Result<std::string_view> next(std::size_t bytes = std::size_t{1} << 20U);
  // How much of the file has been read, from 0 to 1.
  [[nodiscard]] double part() const { return static_cast<double>(read_) / static_cast<double>(file_.size()); }
  [[nodiscard]] std::uint64_t size() const { return file_.size(); }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  TextLines(std::string name, io::InputFile file, std::string_view separators)
      : name_(std::move(name)), file_(std::move(file)), separators_(separators) {}
  // Where the last whole line of what is there ends; 0: no line is whole. Looks on from where it looked before.
  [[nodiscard]] std::size_t whole();

  std::string name_;
  io::InputFile file_;
  std::string separators_;
  std::uint64_t read_ = 0;
  std::string text_;       // what was given, and what comes behind it
  std::size_t given_ = 0;  // of it
  std::size_t looked_ = 0;
  std::size_t end_ = 0;
  bool within_ = false;  // quotes, where it has been looked
  bool begins_ = true;   // a cell, but for blanks
};

}  // namespace ppdnmf::convert

#endif  // PPDNMF_CONVERT_TEXT_LINES_H_
