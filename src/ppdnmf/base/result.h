// What went wrong, and values that may not be there.
//
// Bad data, peers, files and environments are reported with Result<T>; a caller cannot use the value without having
// asked. Programmer errors are PPDNMF_CHECKed: they end the process, since no caller could handle them.
#ifndef PPDNMF_BASE_RESULT_H_
#define PPDNMF_BASE_RESULT_H_

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace ppdnmf {

// Who has to do something about it. The command line's exit codes follow these.
enum class ErrorCode {
  kUsage,        // an option or argument that makes no sense: the person who typed it
  kInvalidData,  // data that cannot be factorised: the owner of the data
  kFile,         // a file that cannot be read or written
  kNumeric,      // the computation left the numbers it can represent
  kPeer,         // another agent sent something it must not
  kInterrupted,  // stopped on request; a checkpoint may exist
  kUnheard,      // everything is done here, but another agent may not have heard the end
  kInternal,     // a defect in this program
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // one sentence: what was wrong, where, what to do
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

// Usage: return error(ErrorCode::kFile, "{}: cannot be read", path);
template <typename... Args>
[[nodiscard]] tl::unexpected<Error> error(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected(Error{code, fmt::format(format, std::forward<Args>(args)...)});
}

// The same error with a place in front of its message: "faces.npy: ...".
[[nodiscard]] tl::unexpected<Error> at(std::string_view place, Error error);

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace ppdnmf

#define PPDNMF_CONCAT_INNER(a, b) a##b
#define PPDNMF_CONCAT(a, b) PPDNMF_CONCAT_INNER(a, b)

// PPDNMF_TRY(auto x, f()): x is f()'s value, or the enclosing function returns f()'s error.
#define PPDNMF_TRY(declaration, expression)                                    \
  auto PPDNMF_CONCAT(try_, __LINE__) = (expression);                           \
  if (!PPDNMF_CONCAT(try_, __LINE__)) {                                        \
    return ::tl::unexpected(std::move(PPDNMF_CONCAT(try_, __LINE__)).error()); \
  }                                                                            \
  declaration = *std::move(PPDNMF_CONCAT(try_, __LINE__)) /* NOLINT(bugprone-macro-parentheses) */

// The same for a Status.
#define PPDNMF_TRY_STATUS(expression)                         \
  do {                                                        \
    if (auto try_status = (expression); !try_status) {        \
      return ::tl::unexpected(std::move(try_status).error()); \
    }                                                         \
  } while (false)

#define PPDNMF_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::ppdnmf::check_failed(#condition, __FILE__, __LINE__))

#endif  // PPDNMF_BASE_RESULT_H_
