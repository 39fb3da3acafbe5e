// For tests only: whether this is a build with a sanitizer.
#ifndef PPDNMF_BASE_TEST_SANITIZED_H_
#define PPDNMF_BASE_TEST_SANITIZED_H_

namespace ppdnmf {

// A sanitizer makes big numbers ten times slower and more: the longest tests take a tenth of their inputs then. It
// looks for wrong memory and threads, which shows on few inputs; that all of them come out right, the ordinary build
// shows.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace ppdnmf

#endif  // PPDNMF_BASE_TEST_SANITIZED_H_
