#include <cstdio>
#include <cstdlib>

#include <ppdnmf/base/result.h>

namespace ppdnmf {

tl::unexpected<Error> at(std::string_view place, Error error) {
  error.message = fmt::format("{}: {}", place, error.message);
  return tl::unexpected(std::move(error));
}

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: a defect in ppdnmf: %s does not hold\n", file, line, condition);
  std::abort();
}

}  // namespace ppdnmf
