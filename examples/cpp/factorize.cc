// Factorises a matrix, Z = X Y, and writes X.
// usage: factorize Z.csv RANK X.npy
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/io/npy.h>
#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/nmf/factorize.h>

namespace {

using namespace ppdnmf;

Status factorize(const char* data, Index rank, const char* result) {
  PPDNMF_TRY(io::Table table, io::read_matrix(data));
  nmf::FactorizeOptions options;
  options.rank = rank;
  PPDNMF_TRY(auto run, nmf::Factorization::create(std::move(table.values), options, Seed::from_number(1)));
  while (!run.done()) PPDNMF_TRY_STATUS(run.step());
  std::printf("relative error %.6f after %d iterations\n", run.relative_error(), run.iterations());
  return io::write_npy(result, run.X());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: factorize Z.csv RANK X.npy\n");
    return 2;
  }
  const auto done = factorize(argv[1], std::atoi(argv[2]), argv[3]);
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
