#include <ppdnmf/protocol/noise_share.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/privacy/discrete_gaussian.h>
#include <ppdnmf/protocol/purposes.h>

namespace ppdnmf::protocol {
namespace {

constexpr std::uint32_t kOfRounds = 0;
constexpr std::uint32_t kOfOpening = 1;

// 256 bits that nobody knows who does not know the secret, for these totals alone.
Seed seed_of(const Seed& secret, const Digest& told) {
  const Seed own = secret.derive(kNoiseStream, 0);
  Digest secret_bytes = sha256({own.reveal_secret_bytes(), told});
  Seed seed = Seed::from_bytes(secret_bytes);
  overwrite(secret_bytes.data(), secret_bytes.size());
  return seed;
}

privacy::DiscreteGaussian gaussian_of(std::uint64_t variance) {
  const auto noise = privacy::DiscreteGaussian::create({variance, 1});
  PPDNMF_CHECK(noise);  // the plan chooses no other
  return *noise;
}

}  // namespace

Digest told_after(const Digest& told, std::span<const Word> total, bool stop) {
  const std::uint64_t size = total.size_bytes();
  const auto* const first = reinterpret_cast<const std::uint8_t*>(&size);
  const std::uint8_t end = stop ? 1 : 0;
  return sha256({told, {first, sizeof size}, bytes_of(total), {&end, 1}});
}

std::vector<double> noise_share(const privacy::NoisePlan& plan, const Seed& secret, const Digest& told,
                                std::uint64_t number) {
  const privacy::DiscreteGaussian noise = gaussian_of(plan.share_variance);
  Stream stream(seed_of(secret, told), kNoiseStream, kOfRounds, number);
  std::vector<double> share(static_cast<std::size_t>(plan.entries));
  for (double& value : share) value = plan.unit * static_cast<double>(noise.sample(stream));
  return share;
}

std::vector<double> noise_share(const privacy::OpeningPlan& plan, const Seed& secret, const Digest& told) {
  const privacy::DiscreteGaussian on = gaussian_of(plan.share_variance);
  const privacy::DiscreteGaussian off = gaussian_of(plan.share_variance / 2);
  Stream stream(seed_of(secret, told), kNoiseStream, kOfOpening);
  const double unit = std::ldexp(1, -2 * plan.bits);
  std::vector<double> share(static_cast<std::size_t>(plan.entries));
  std::size_t next = 0;
  for (std::size_t column = 0; next < share.size(); ++column) {
    for (std::size_t row = 0; row <= column; ++row)
      share[next++] = unit * static_cast<double>((row == column ? on : off).sample(stream));
  }
  return share;
}

void add_share(std::vector<double> share, std::span<double> values) {
  PPDNMF_CHECK(share.size() == values.size());
  std::transform(values.begin(), values.end(), share.begin(), values.begin(), std::plus<>());
  overwrite(share.data(), sizeof(double) * share.size());
}

}  // namespace ppdnmf::protocol
