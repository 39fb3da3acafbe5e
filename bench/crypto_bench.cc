// Paillier: ours against textbook GMP, in one run on one core. Ratios are of CPU time, so a busy machine does not
// change them much. Every line says what it is held against.
//   build/crypto_bench [--quick] [table|kernel|round|threads|keys]
#include <fmt/core.h>
#include <gmp.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/textbook_paillier.h"
#include "bench/timing.h"
#include <ppdnmf/base/executor.h>
#include <ppdnmf/crypto/ciphertext.h>
#include <ppdnmf/crypto/internal/key_data.h>
#include <ppdnmf/crypto/internal/lane_ring.h>
#include <ppdnmf/crypto/mask.h>
#include <ppdnmf/crypto/packing.h>
#include <ppdnmf/crypto/paillier.h>
#include <ppdnmf/host/thread_pool.h>

namespace ppdnmf {
namespace {

using crypto::internal::Integer;

void line(const std::string& what, double textbook, double ours, double target) {
  const double ratio = textbook / ours;
  fmt::print("{:<44} {:>11.1f} {:>11.1f} {:>8.1f}x", what, 1 / textbook, 1 / ours, ratio);
  if (target > 0) fmt::print("   at least {:>5.1f}x: {}", target, ratio >= target ? "yes" : "NO");
  fmt::print("\n");
  std::fflush(stdout);
}

struct TextbookTimes {
  double encrypt = 0, add = 0, multiply = 0, decrypt = 0;
};

TextbookTimes time_textbook(const crypto::PrivateKey& key) {
  const Textbook textbook(key);
  Stream stream(Seed::from_number(1), 1);
  const crypto::internal::Integer m = crypto::internal::Integer::random_below(textbook.n(), stream);
  const crypto::internal::Integer c = textbook.encrypt(m, stream);
  TextbookTimes out;
  crypto::internal::Integer sink;
  out.encrypt = seconds_per_call([&] { sink = textbook.encrypt(m, stream); });
  out.add = seconds_per_call([&] {
              for (int i = 0; i < 100; ++i) sink = textbook.add(c, c);
            }) /
            100;
  out.multiply = seconds_per_call([&] {
                   for (int i = 0; i < 10; ++i) sink = textbook.multiply(c, 54321);
                 }) /
                 10;
  out.decrypt = seconds_per_call([&] { sink = textbook.decrypt(c); });
  return out;
}

struct Targets {
  double peer = 0, own = 0, add = 0, multiply = 0, decrypt = 0;
};

// What the project asks for; 3072 bits may be a fifth less.
Targets targets(crypto::Kernel kernel, crypto::KeyProfile profile, std::size_t bits) {
  const double scale = bits == 3072 ? 0.8 : 1;
  const bool standard = profile == crypto::KeyProfile::kStandard;
  if (kernel == crypto::Kernel::kIfma) {
    if (standard) return {50 * scale, 80 * scale, 4 * scale, 4 * scale, 4 * scale};
    return {120 * scale, 0, 0, 0, 16 * scale};
  }
  if (standard) return {15 * scale, 0, 0, 0, 0};
  return {0, 0, 0, 0, 4 * scale};
}

crypto::KeyOptions options(std::size_t bits, crypto::KeyProfile profile, crypto::Kernel kernel) {
  return {.bits = bits, .profile = profile, .test_only = false, .kernel = kernel};
}

crypto::PrivateKey make_key(std::size_t bits, crypto::KeyProfile profile, crypto::Kernel kernel) {
  Stream stream(Seed::from_number(bits), 1);
  return crypto::PrivateKey::generate(options(bits, profile, kernel), stream).value();
}

crypto::Plaintexts random_plaintexts(const crypto::PublicKey& key, std::size_t count, Stream& stream) {
  crypto::Plaintexts out(key, count);
  for (std::size_t i = 0; i < count; ++i)
    crypto::internal::Integer::random_below(key.data().n, stream).to_words(out.residue(i));
  return out;
}

void compare(std::size_t bits, const TextbookTimes& textbook, crypto::KeyProfile profile, crypto::Kernel kernel) {
  constexpr std::size_t kBatch = 64;
  const std::string name = fmt::format("{} {} {}: ", bits, profile == crypto::KeyProfile::kFast ? "fast" : "standard",
                                       crypto::kernel_name(kernel));
  const Targets wanted = targets(kernel, profile, bits);
  const crypto::PrivateKey key = make_key(bits, profile, kernel);
  SerialExecutor one;
  Stream stream(Seed::from_number(2), 2);
  const crypto::PeerEncryptor peer(key.public_key(), stream);
  const crypto::OwnEncryptor own(key, stream);
  const crypto::Plaintexts m = random_plaintexts(key.public_key(), kBatch, stream);
  const auto each = [&](const std::function<void()>& call) { return seconds_per_call(call) / kBatch; };
  line(name + "encrypt for a peer", textbook.encrypt, each([&] { keep(peer.encrypt(m, stream, one)); }), wanted.peer);
  line(name + "encrypt with own key", textbook.encrypt, each([&] { keep(own.encrypt(m, stream, one)); }), wanted.own);
  const Bytes bytes = own.encrypt(m, stream, one)->bytes();
  const crypto::Ciphertexts c = crypto::Ciphertexts::decode(key.public_key(), bytes, kBatch, one).value();
  crypto::Ciphertexts sink(key.public_key(), kBatch);
  line(name + "add", textbook.add, each([&] { sink = crypto::add(c, c, one).value(); }), wanted.add);
  const crypto::Weight weight = crypto::Weight::create(54321, 16).value();
  line(name + "times a 16-bit number", textbook.multiply, each([&] { sink = crypto::multiply(c, weight, one); }),
       wanted.multiply);
  line(name + "decrypt", textbook.decrypt, each([&] { keep(crypto::decrypt(key, c, one)); }), wanted.decrypt);
  line(name + "decode and check a ciphertext", textbook.add,
       each([&] { sink = crypto::Ciphertexts::decode(key.public_key(), bytes, kBatch, one).value(); }), 0);
}

// Clock cycles per second while this process computes: a chain of additions runs one a cycle.
double cycles_per_second() {
  constexpr std::uint64_t kSteps = 100'000'000;
  std::vector<double> rounds;
  for (int round = 0; round < 5; ++round) {
    std::uint64_t x = 1;
    const double start = cpu_seconds();
    for (std::uint64_t i = 0; i < kSteps; ++i) asm volatile("add $1, %0" : "+r"(x));
    rounds.push_back(static_cast<double>(kSteps) / (cpu_seconds() - start));
  }
  return *std::max_element(rounds.begin(), rounds.end());
}

void kernel_efficiency() {
  if (!crypto::ifma_available()) return;
  fmt::print(
      "\nIFMA kernel: instructions per cycle (8 residues a call; the processor does at most one 512-bit IFMA a "
      "cycle)\n");
  for (const std::size_t bits : {1024U, 1536U, 2048U, 3072U}) {
    Stream stream(Seed::from_number(bits), 3);
    crypto::internal::Integer n = crypto::internal::Integer::random_bits(bits, stream);
    mpz_setbit(n.raw(), bits - 1);
    mpz_setbit(n.raw(), 0);
    const auto ring = crypto::internal::SquareRing::create(n, crypto::Kernel::kIfma);
    const auto D = static_cast<double>(dynamic_cast<const crypto::internal::LaneRing&>(*ring).digits());
    crypto::SecretWords x = ring->make_group();
    for (std::size_t lane = 0; lane < crypto::internal::kLanes; ++lane) {
      ring->load_value(x.data(), lane, crypto::internal::Integer::random_below(ring->modulus(), stream));
    }
    crypto::SecretWords out = ring->make_group();
    const double clock = cycles_per_second();
    const double product = seconds_per_call([&] {
                             for (int i = 0; i < 100; ++i) ring->multiply(out.data(), x.data(), x.data());
                           }) *
                           clock / 100;
    const double square = seconds_per_call([&] {
                            for (int i = 0; i < 100; ++i) ring->square(out.data(), x.data());
                          }) *
                          clock / 100;
    fmt::print(
        "  {}-bit modulus n^2, D = {} digits: product 10 D^2 = {} IFMA in {:.0f} cycles: {:.2f} a cycle{};  "
        "square 7 D^2 + D = {}: {:.2f}   ({:.2f} GHz)\n",
        2 * bits, D, 10 * D * D, product, 10 * D * D / product,
        bits != 2048 ? "" : (10 * D * D / product >= 1 / 1.2 ? " (within 20 %: yes)" : " (within 20 %: NO)"),
        7 * D * D + D, (7 * D * D + D) / square, clock / 1e9);
  }
}

struct RoundCost {
  double seconds = 0;
  std::size_t bytes = 0;
};

// What one agent of degree 3 computes in one iteration: its query, three replies, three checked replies, one
// decryption.
RoundCost one_round(const crypto::PrivateKey& key, Executor& executor, const std::function<double()>& now) {
  constexpr std::size_t kEntries = 17'689;
  constexpr std::size_t kDegree = 3;
  Stream stream(Seed::from_number(3), 3);
  const crypto::PublicKey& pub = key.public_key();
  const crypto::Packing packing = crypto::Packing::create(pub.bits(), 60).value();
  const crypto::OwnEncryptor own(key, stream);
  const crypto::PeerEncryptor peer(pub, stream);
  const crypto::IdentityKey mine = crypto::IdentityKey::generate(stream);
  const crypto::IdentityKey mine_now = crypto::IdentityKey::generate(stream);
  const crypto::IdentityKey theirs = crypto::IdentityKey::generate(stream);
  const crypto::IdentityKey theirs_now = crypto::IdentityKey::generate(stream);
  const crypto::PairKey pair =
      crypto::PairKey::agree({mine, mine_now}, {theirs.public_bytes(), theirs_now.public_bytes()}, Bytes{1}, true)
          .value();
  std::vector<std::int64_t> u(kEntries);
  for (auto& v : u) v = static_cast<std::int64_t>(stream.below(1 << 30));
  const crypto::Weight weight = crypto::Weight::create(0x9abcde, 24).value();

  const double start = now();
  const std::size_t count = packing.plaintexts_for(kEntries);
  const Bytes query = own.encrypt(packing.pack(u, pub).value(), stream, executor)->bytes();
  std::vector<crypto::Ciphertexts> replies;
  for (std::size_t j = 0; j < kDegree; ++j) {
    const crypto::Ciphertexts received = crypto::Ciphertexts::decode(pub, query, count, executor).value();
    crypto::Plaintexts addend = packing.pack(u, pub).value();
    pair.apply(addend, {.asker = 1});
    pair.apply(addend, {.asker = 2});
    const Bytes reply = peer.reply(received, weight, addend, stream, executor)->bytes();
    replies.push_back(crypto::Ciphertexts::decode(pub, reply, count, executor).value());
  }
  const crypto::Plaintexts sums = crypto::decrypt(key, crypto::sum(replies, executor).value(), executor).value();
  // The masks of this shortened neighbourhood do not cancel, so only the time of unpacking is spent, on zeros.
  static_cast<void>(packing.unpack(crypto::Plaintexts(pub, count), kEntries));
  return {now() - start, query.size()};
}

// One-entry-per-ciphertext textbook of the scheme as the paper prints it, on a sample of entries.
RoundCost textbook_round(const crypto::PrivateKey& key) {
  constexpr std::size_t kEntries = 17'689;
  const std::size_t sample = quick ? 2 : 12;
  const Textbook textbook(key);
  Stream stream(Seed::from_number(4), 4);
  const double start = cpu_seconds();
  for (std::size_t i = 0; i < sample; ++i) {
    const crypto::internal::Integer m(stream.below(1 << 30));
    const crypto::internal::Integer query = textbook.encrypt(textbook.n() - m, stream);
    for (int j = 0; j < 3; ++j) {
      const crypto::internal::Integer reply =
          textbook.multiply(textbook.add(query, textbook.encrypt(m, stream)), 0x9abcde);
      static_cast<void>(textbook.decrypt(reply));
    }
  }
  return {(cpu_seconds() - start) / static_cast<double>(sample) * kEntries,
          kEntries * key.public_key().ciphertext_bytes()};
}

void whole_round(crypto::Kernel kernel) {
  fmt::print("\nWhole round, 17,689 entries, degree 3: one agent, one iteration, kernel {}\n",
             crypto::kernel_name(kernel));
  for (const std::size_t bits : {2048U, 3072U}) {
    std::optional<RoundCost> textbook;
    for (const crypto::KeyProfile profile : {crypto::KeyProfile::kStandard, crypto::KeyProfile::kFast}) {
      const crypto::PrivateKey key = make_key(bits, profile, kernel);
      if (!textbook) textbook = textbook_round(key);
      SerialExecutor one;
      std::vector<double> runs;
      RoundCost ours;
      for (int i = 0; i < (quick || kernel == crypto::Kernel::kGmp ? 1 : 3); ++i) {
        ours = one_round(key, one, cpu_seconds);
        runs.push_back(ours.seconds);
      }
      std::sort(runs.begin(), runs.end());
      const double seconds = runs[runs.size() / 2];
      const double ratio = textbook->seconds / seconds;
      const double target =
          bits == 2048 && kernel == crypto::Kernel::kIfma ? (profile == crypto::KeyProfile::kFast ? 3000 : 1000) : 0;
      fmt::print(
          "  {} {:<8}: {:.3f} s, {} bytes a message; textbook {:.0f} s, {} bytes: {:.0f}x in time{}, {:.1f}x in "
          "bytes\n",
          bits, profile == crypto::KeyProfile::kFast ? "fast" : "standard", seconds, ours.bytes, textbook->seconds,
          textbook->bytes, ratio,
          target > 0 ? fmt::format(" (at least {:.0f}x: {})", target, ratio >= target ? "yes" : "NO") : "",
          static_cast<double>(textbook->bytes) / static_cast<double>(ours.bytes));
      std::fflush(stdout);
    }
    constexpr double kAgents = 10;
    constexpr double kRounds = 3000;
    constexpr double kCores = 2;
    constexpr double kDay = 86'400;
    fmt::print(
        "  {} the paper's way, ten agents, 3,000 rounds, two cores: {:.0f} days (extrapolated from the textbook's "
        "time)\n",
        bits, textbook->seconds * kAgents * kRounds / kCores / kDay);
  }
}

// What of a reply can be done before the query comes.
void prepared_reply(crypto::Kernel kernel) {
  constexpr std::size_t kBits = 3072;
  constexpr std::size_t kCount = 512;
  fmt::print("\nA reply of {} ciphertexts, {} bits: seconds before the query comes and after\n", kCount, kBits);
  for (const crypto::KeyProfile profile : {crypto::KeyProfile::kStandard, crypto::KeyProfile::kFast}) {
    const crypto::PrivateKey key = make_key(kBits, profile, kernel);
    SerialExecutor one;
    Stream stream(Seed::from_number(6), 6);
    const crypto::PeerEncryptor peer(key.public_key(), stream);
    const crypto::OwnEncryptor own(key, stream);
    const crypto::Plaintexts m(key.public_key(), kCount);
    const crypto::Weight weight = crypto::Weight::create(0x9abcde, 24).value();
    const Bytes query = own.encrypt(m, stream, one)->bytes();
    const double start = cpu_seconds();
    crypto::RandomFactors factors = peer.draw(kCount, stream, one);
    const double middle = cpu_seconds();
    const crypto::Ciphertexts received = crypto::Ciphertexts::decode(key.public_key(), query, kCount, one).value();
    keep(peer.reply(received, weight, m, std::move(factors), one));
    const double end = cpu_seconds();
    fmt::print("  {:<8}: {:.3f} s before, {:.3f} s after\n", profile == crypto::KeyProfile::kFast ? "fast" : "standard",
               middle - start, end - middle);
  }
}

void two_threads(crypto::Kernel kernel) {
  const crypto::PrivateKey key = make_key(2048, crypto::KeyProfile::kStandard, kernel);
  SerialExecutor one;
  host::ThreadPool two(2);
  double best_one = 1e9;
  double best_two = 1e9;
  double cpu_one = 1e9;
  double cpu_two = 1e9;
  for (int i = 0; i < (quick ? 1 : 7); ++i) {
    const double start = cpu_seconds();
    best_one = std::min(best_one, one_round(key, one, wall_seconds).seconds);
    const double middle = cpu_seconds();
    best_two = std::min(best_two, one_round(key, two, wall_seconds).seconds);
    cpu_one = std::min(cpu_one, middle - start);
    cpu_two = std::min(cpu_two, cpu_seconds() - middle);
  }
  fmt::print(
      "\nTwo threads, whole round, 2048 standard, best of 7: wall time {:.3f} s -> {:.3f} s, {:.2f}x (at least "
      "1.8x: "
      "{}); both threads' CPU time is {:.2f} of one's\n",
      best_one, best_two, best_one / best_two, best_one / best_two >= 1.8 ? "yes" : "NO", cpu_two / cpu_one);
}

void key_generation() {
  constexpr std::size_t kBits = 3072;
  fmt::print("\nKey generation, {} bits, median of 20, CPU seconds\n", kBits);
  for (const crypto::KeyProfile profile : {crypto::KeyProfile::kStandard, crypto::KeyProfile::kFast}) {
    std::vector<double> runs;
    for (std::uint32_t i = 0; i < (quick ? 1U : 20U); ++i) {
      Stream stream(Seed::from_number(kBits), 9, i);
      const double start = cpu_seconds();
      keep(crypto::PrivateKey::generate(options(kBits, profile, crypto::Kernel::kAutomatic), stream));
      runs.push_back(cpu_seconds() - start);
    }
    std::sort(runs.begin(), runs.end());
    const double median = runs[runs.size() / 2];
    const double limit = profile == crypto::KeyProfile::kFast ? 10 : 2;
    fmt::print("  {:<8}: {:.2f} s (slowest {:.2f} s; under {:.0f} s: {})\n",
               profile == crypto::KeyProfile::kFast ? "fast" : "standard", median, runs.back(), limit,
               median < limit ? "yes" : "NO");
    std::fflush(stdout);
  }
}

// What a peer's public key costs before anything is computed with it.
void key_checks() {
  constexpr std::size_t kBits = 3072;
  fmt::print("\nChecking a peer's key, {} bits, CPU seconds\n", kBits);
  for (const crypto::KeyProfile profile : {crypto::KeyProfile::kStandard, crypto::KeyProfile::kFast}) {
    const crypto::KeyOptions agreed = options(kBits, profile, crypto::Kernel::kAutomatic);
    const Bytes bytes = make_key(kBits, profile, crypto::Kernel::kAutomatic).public_key().encode();
    const double start = cpu_seconds();
    keep(crypto::PublicKey::decode(bytes, agreed));
    const double first = cpu_seconds() - start;
    fmt::print("  {:<8}: {:.3f} s, the first in this process {:.3f} s\n",
               profile == crypto::KeyProfile::kFast ? "fast" : "standard",
               seconds_per_call([&] { keep(crypto::PublicKey::decode(bytes, agreed)); }), first);
  }
}

void table(const std::vector<crypto::Kernel>& kernels) {
  fmt::print("Paillier, one core, CPU time, batches of 64\n{:<44} {:>11} {:>11} {:>9}\n", "", "textbook/s", "ours/s",
             "ratio");
  for (const std::size_t bits : {2048U, 3072U}) {
    const TextbookTimes textbook = time_textbook(make_key(bits, crypto::KeyProfile::kStandard, crypto::Kernel::kGmp));
    for (const crypto::Kernel kernel : kernels) {
      for (const crypto::KeyProfile profile : {crypto::KeyProfile::kStandard, crypto::KeyProfile::kFast}) {
        compare(bits, textbook, profile, kernel);
      }
    }
  }
}

int run(std::string_view section) {
  std::vector<crypto::Kernel> kernels{crypto::Kernel::kGmp};
  if (crypto::ifma_available()) kernels.push_back(crypto::Kernel::kIfma);
  const auto wanted = [&](std::string_view name) { return section.empty() || section == name; };
  if (wanted("table")) table(kernels);
  if (wanted("kernel")) kernel_efficiency();
  if (wanted("scheme")) {
    for (const crypto::Kernel kernel : kernels) whole_round(kernel);
    prepared_reply(kernels.back());
  }
  if (wanted("threads")) two_threads(kernels.back());
  if (wanted("keys")) {
    key_generation();
    key_checks();
  }
  return 0;
}

}  // namespace
}  // namespace ppdnmf

int main(int argc, char** argv) {
  std::string_view section;
  for (const std::string_view argument : std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
    ppdnmf::quick = ppdnmf::quick || argument == "--quick";
    if (argument != "--quick") section = argument;
  }
  return ppdnmf::run(section);
}
