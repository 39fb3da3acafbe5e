// An agent's part in a differentially private run of masked sums (docs/privacy.md).
//
// Every round opens the sum over all agents of their columns' bounded, rounded parts and of every agent's share of
// the noise; X follows from these totals alone. No error, norm or number of columns is opened, nothing is rejected and
// nothing stops the run early but a wish that does not depend on data.
#ifndef PPDNMF_PROTOCOL_PRIVATE_SCHEME_H_
#define PPDNMF_PROTOCOL_PRIVATE_SCHEME_H_

#include <cstdint>
#include <vector>

#include <ppdnmf/base/random.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/noisy_descent.h>
#include <ppdnmf/protocol/noise_share.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/protocol/scheme.h>

namespace ppdnmf::protocol {

class PrivateScheme final : public Scheme {
 public:
  // settings.privacy is there (checked). `columns` and `secret` are the agent's own and outlive this.
  PrivateScheme(const RunSettings& settings, std::uint32_t agents, const Matrix& X0, nmf::Holder& columns,
                const Seed& secret);

  [[nodiscard]] Result<Ask> begin(const Opening& opening, Outbox& out) override;
  [[nodiscard]] Result<Ask> absorb(std::span<const double> totals, bool stop, Outbox& out) override;
  void add_noise(std::span<double> values, const Digest& told) const override;
  void request_stop() override { stop_ = true; }

  [[nodiscard]] const Matrix& X() const override { return descent_.X(); }
  [[nodiscard]] Matrix Y() const override { return columns_.Y(); }
  [[nodiscard]] std::uint64_t rounds() const override;
  [[nodiscard]] std::uint64_t rounds_completed() const override;

  void save(ByteWriter& out) const override;
  [[nodiscard]] Status load(ByteReader& in, const std::optional<Opening>& opening) override;

 private:
  [[nodiscard]] Ask ask();
  void report(double own_error, Outbox& out) const;

  RunSettings settings_;
  nmf::Holder& columns_;
  const Seed& secret_;
  nmf::NoisyDescent descent_;
  bool begun_ = false;
  bool stop_ = false;    // this agent wants the run to end
  bool asked_ = false;   // a part is on its way
  double answered_ = 0;  // this agent's squared error in the last Y step
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_PRIVATE_SCHEME_H_
