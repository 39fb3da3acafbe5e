#include <malloc.h>

#include <cstdio>
#include <exception>
#include <new>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/exit_codes.h"

int main(int argc, char** argv) {
  // What is large goes back to the system as soon as nobody needs it. Left alone, the C library comes to keep it, in
  // pieces that do not fit what is wanted next.
  constexpr int kLarge = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLarge);
  try {
    return ppdnmf::app::run_program(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "ppdnmf: there is not enough memory for this\n");
    return ppdnmf::app::exit_code(ppdnmf::ErrorCode::kInternal);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "ppdnmf: a defect in ppdnmf: %s\n", problem.what());
    return ppdnmf::app::exit_code(ppdnmf::ErrorCode::kInternal);
  }
}
