// The IFMA kernel as the processor runs it: a child computes a power with a secret exponent while this process steps
// through it and notes every instruction's address. Two exponents must give the same trace, else a branch depended on
// them. (Addresses of data are checked on the emulated lanes by constant_time_check; the kernel's table reads are
// register permutations and masked moves.)
//   branch_trace_check ifma            the same trace for all exponents
//   branch_trace_check leaking_branch  a square-and-multiply loop: the traces must differ
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

#include <ppdnmf/crypto/internal/power.h>

namespace ppdnmf::crypto::internal {
namespace {

constexpr int kSkipped = 77;

struct Trace {
  bool complete = false;
  std::uint64_t steps = 0;
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a over instruction addresses

  void add(std::uint64_t address) {
    hash = (hash ^ address) * 1099511628211U;
    ++steps;
  }
};

// Steps a child through `work`, from one SIGTRAP to the next.
Trace trace(const std::function<void()>& work) {
  Trace out;
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(kSkipped);
    static_cast<void>(raise(SIGTRAP));
    work();
    static_cast<void>(raise(SIGTRAP));
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return out;
  for (bool stepping = true; stepping;) {
    if (ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0 || waitpid(child, &status, 0) != child) break;
    if (!WIFSTOPPED(status)) break;
    user_regs_struct registers{};
    ptrace(PTRACE_GETREGS, child, nullptr, &registers);
    // The closing raise ends the trace; it comes as a system call (tgkill) whose signal is SIGTRAP.
    constexpr std::uint64_t kTgkill = 234;
    stepping = registers.orig_rax != kTgkill || out.steps < 1000;
    out.add(registers.rip);
    out.complete = !stepping;
  }
  ptrace(PTRACE_KILL, child, nullptr, nullptr);
  waitpid(child, &status, 0);
  return out;
}

volatile std::uint64_t sink = 0;

std::function<void()> leaking(std::uint64_t exponent) {
  return [exponent] {
    std::uint64_t product = 1;
    for (int bit = 63; bit >= 0; --bit) {
      product *= product;
      if (((exponent >> bit) & 1) != 0) sink = product *= 3;
    }
    for (int i = 0; i < 1000; ++i) sink = static_cast<std::uint64_t>(i);
  };
}

int run(bool ifma) {
  if (ifma && !crypto::ifma_available()) {
    std::puts("skipped: this processor has no AVX-512 IFMA");
    return kSkipped;
  }
  Stream stream(Seed::from_number(1), 1);
  crypto::internal::Integer n = crypto::internal::Integer::random_bits(512, stream);
  mpz_setbit(n.raw(), 511);
  mpz_setbit(n.raw(), 0);
  const auto ring = crypto::internal::SquareRing::create(n, ifma ? crypto::Kernel::kIfma : crypto::Kernel::kGmp);
  crypto::SecretWords base = ring->make_group();
  for (std::size_t lane = 0; lane < crypto::internal::kLanes; ++lane) {
    ring->load_value(base.data(), lane, crypto::internal::Integer::random_below(ring->modulus(), stream));
  }
  const crypto::internal::FixedBase fixed(*ring, crypto::internal::Integer(3), 64, 8);
  crypto::SecretWords out = ring->make_group();
  // Everything is allocated before the first fork, and the first trace is thrown away, so that all children start from
  // the same heap and the same bound symbols.
  const std::vector<std::uint64_t> exponents{0, 0, 0xffffff, 0x5a5a5a};
  std::vector<std::vector<std::uint64_t>> each;
  std::vector<std::function<void()>> work;
  each.reserve(exponents.size());
  for (const std::uint64_t& exponent : exponents) each.emplace_back(crypto::internal::kLanes, exponent * 0x10001);
  work.reserve(exponents.size());
  for (std::size_t i = 0; i < exponents.size(); ++i) {
    work.push_back(ifma ? std::function<void()>([&, i] {
      crypto::internal::power(*ring, out.data(), base.data(), {{&exponents[i], 1}, 24});
      fixed.power(out.data(), each[i]);
    })
                        : leaking(exponents[i]));
  }
  std::vector<Trace> traces(exponents.size());
  for (std::size_t i = 0; i < work.size(); ++i) traces[i] = trace(work[i]);
  traces[0] = traces[1];
  for (std::size_t i = 1; i < traces.size(); ++i) {
    if (!traces[i].complete) {
      std::puts("skipped: this process may not trace its child");
      return kSkipped;
    }
    std::printf("exponent %06lx: %lu instructions, trace %016lx\n", exponents[i], traces[i].steps, traces[i].hash);
  }
  bool same = true;
  for (const Trace& one : traces) same = same && one.hash == traces.front().hash && one.steps == traces.front().steps;
  return same == ifma ? 0 : 1;
}

}  // namespace
}  // namespace ppdnmf::crypto::internal

int main(int argc, char** argv) {
  return argc == 2 ? ppdnmf::crypto::internal::run(std::strcmp(argv[1], "ifma") == 0) : 2;
}
