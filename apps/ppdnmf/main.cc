#include <cstdio>
#include <exception>
#include <new>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/exit_codes.h"

int main(int argc, char** argv) {
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
