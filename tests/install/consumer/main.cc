// What a project that uses the installed library may look like: factorises a small matrix.
#include <cstdio>
#include <utility>

#include <ppdnmf/io/npy.h>
#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/sim/topology.h>

int main() {
  using namespace ppdnmf;
  Matrix Z(4, 3);
  Z << 1, 2, 3, 2, 4, 6, 0, 1, 1, 5, 5, 10;
  nmf::FactorizeOptions options;
  options.rank = 2;
  auto run = nmf::Factorization::create(std::move(Z), options, Seed::from_number(1));
  if (!run) {
    std::fprintf(stderr, "%s\n", run.error().message.c_str());
    return 1;
  }
  while (!run->done()) {
    if (!run->step()) return 1;
  }
  const auto graph = sim::make_topology("ring", 5, Seed::from_number(1));
  std::printf("relative error %.6f, diameter %u\n", run->relative_error(), graph ? graph->diameter() : 0);
  if (!io::write_npy("X.npy", run->X())) return 1;
  return run->relative_error() < 0.05 ? 0 : 1;
}
