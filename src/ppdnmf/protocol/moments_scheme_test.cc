#include <ppdnmf/protocol/moments_scheme.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <numbers>

#include <ppdnmf/nmf/test_matrices.h>
#include <ppdnmf/protocol/noise_share.h>
#include <ppdnmf/protocol/test_mu.h>

namespace ppdnmf::protocol {
namespace {

constexpr std::uint32_t kAgents = 3;
constexpr std::uint32_t kHonest = 2;
constexpr Index kRows = 6;
constexpr Index kRank = 2;
constexpr int kRounds = 3;
constexpr double kDelta = 1e-3;

// A plan whose account says mu = sqrt(2 rho) = 1, or a little less.
privacy::MomentsPlan plan_of_mu_one(int rounds) {
  privacy::PlanRequest request{{privacy::epsilon_of(privacy::Cost{0.5, 0}, kDelta) * 0.999, kDelta},
                               kRows,
                               kRank,
                               rounds,
                               kAgents,
                               kHonest,
                               100,
                               32};
  const auto plan = privacy::plan_moments(request, rounds > 0 ? 0.6 : 1);
  EXPECT_TRUE(plan) << plan.error().message;
  return *plan;
}

privacy::MomentsPlan with_half_the_noise(privacy::MomentsPlan plan) {
  plan.opening.share_variance /= 4;
  plan.rounds.share_variance /= 4;
  return plan;
}

RunSettings settings_of(const privacy::MomentsPlan& plan) {
  RunSettings s;
  s.rows = kRows;
  s.rank = kRank;
  s.scheme = SchemeKind::kMoments;
  s.iterations = 1 + plan.rounds.rounds;
  s.privacy = PrivacySettings{{1, kDelta}, nmf::ColumnNorm::kL2, plan.rounds, 100, plan.opening};
  return s;
}

Matrix start_of(int number) {
  Stream stream = nmf::test_stream(50 + static_cast<std::uint64_t>(number));
  return nmf::random_matrix(stream, kRows, kRank);
}

Matrix columns_of(std::uint32_t agent) {
  Stream stream = nmf::test_stream(100 + agent);
  return nmf::random_matrix(stream, kRows, 5, 0, 1);
}

Matrix worst_column() {
  Stream stream = nmf::test_stream(7);
  return nmf::random_matrix(stream, kRows, 1);
}

Matrix with_worst(Matrix Z) {
  Z.conservativeResize(Eigen::NoChange, Z.cols() + 1);
  Z.rightCols(1) = worst_column();
  return Z;
}

std::unique_ptr<nmf::Holder> begun(const Matrix& Z) {
  auto columns = nmf::unit_holder(Z, nmf::ColumnNorm::kL2);
  columns->begin(kRank, 1);
  return columns;
}

// Runs that are told the same totals compute X once.
class Remembered final : public CommonSteps {
 public:
  [[nodiscard]] Result<Bytes> find_or_compute(const Digest& totals,
                                              const std::function<Result<Bytes>()>& compute) override {
    if (!steps_.contains(totals)) {
      PPDNMF_TRY(steps_[totals], compute());
    }
    return steps_[totals];
  }

 private:
  std::map<Digest, Bytes> steps_;
};

struct Party {
  Party(const RunSettings& settings, const Matrix& Z, Seed own, CommonSteps* steps)
      : secret(std::move(own)),
        columns(begun(Z)),
        scheme(settings, kAgents, start_of, Seed::from_number(1), *columns, secret, steps) {}
  Seed secret;
  std::unique_ptr<nmf::Holder> columns;
  MomentsScheme scheme;
};

std::vector<double> opening_part(nmf::Holder& columns, int bits) {
  std::vector<double> values = columns.rounded_second_moments(bits).values;
  for (double& value : values) value = std::ldexp(value, -2 * bits);
  return values;
}

void subtract(const std::vector<double>& part, std::vector<double>& from) {
  for (std::size_t t = 0; t < from.size(); ++t) from[t] -= part[t];
}

// Somebody who knows all columns but one and what the last agent adds, and who adds up last, so that all get the totals
// that it likes: it makes them ask with an X in which that column is as long as can be. What it sees is the honest
// totals less all that it knows, along the way the column would move them, in units of the noise that the account
// counts.
class Attacker {
 public:
  Attacker(const privacy::MomentsPlan& plan, const privacy::MomentsPlan& believed)
      : plan_(plan), believed_(believed), settings_(settings_of(plan)), wanted_(kRows, kRank) {
    wanted_.col(0) = worst_column().normalized();
    wanted_.col(1) = columns_of(9).col(0).normalized();
    const Matrix G = 10 * wanted_ * wanted_.transpose();
    for (Index k = 0; k < kRows; ++k) planted_.insert(planted_.end(), G.col(k).data(), G.col(k).data() + k + 1);
    const auto found = nmf::factor_second_moments(G, {kRank, privacy::noise_of(plan.opening, kAgents), 3}, start_of);
    EXPECT_TRUE(found);
    found_ = *found;
  }

  // The distance seen; with the column among the first agent's, if it is present.
  double run(std::uint64_t seed, bool present) {
    along_ = squares_ = 0;
    parties_.clear();
    known_.clear();
    for (std::uint32_t i = 0; i < kAgents; ++i) {
      const Matrix Z = columns_of(i);
      known_.push_back(begun(Z));
      parties_.push_back(std::make_unique<Party>(settings_, i == 0 && present ? with_worst(Z) : Z,
                                                 Seed::from_number(seed).derive(1, i), &steps_));
    }
    worst_ = begun(worst_column());
    Outbox out{RunId{}};
    for (auto& party : parties_) asks_.push_back(party->scheme.begin({}, out));
    see_opening();
    tell(planted_, out);
    const double noise = privacy::noise_of(plan_.rounds, kAgents);
    nmf::SpanDescent descent({std::max(1, plan_.rounds.rounds), noise, noise / plan_.rounds.t_weight}, found_);
    for (int n = 0; n < plan_.rounds.rounds; ++n) {
      EXPECT_TRUE(parties_[0]->scheme.X() == descent.X());
      see_round(static_cast<std::uint64_t>(n), descent);
      constexpr double kLarge = 1000;
      const Matrix S = kLarge * descent.U().transpose() * wanted_;
      std::vector<double> told(S.data(), S.data() + S.size());
      told.insert(told.end(), {kLarge, 0, kLarge});
      tell(told, out);
      EXPECT_TRUE(descent.absorb(S, kLarge * Matrix::Identity(kRank, kRank)));
    }
    for (auto& ask : asks_) EXPECT_TRUE(std::holds_alternative<Ended>(*ask));
    asks_.clear();
    return along_ / std::sqrt(squares_);
  }

  [[nodiscard]] double reached() const { return std::sqrt(squares_); }

 private:
  // What the honest ones sent, less the last agent's noise.
  std::vector<double> sent(const Digest& told) {
    std::vector<double> totals(std::get<SumOf>(*asks_[0]).values.size());
    for (std::uint32_t i = 0; i < kAgents; ++i) {
      std::vector<double> values = std::get<SumOf>(*asks_[i]).values;
      if (i + 1 < kAgents) parties_[i]->scheme.add_noise(values, told);
      add_share(values, totals);
    }
    return totals;
  }

  void see_opening() {
    std::vector<double> left = sent(Digest{1});
    for (auto& columns : known_) subtract(opening_part(*columns, plan_.opening.bits), left);
    const std::vector<double> way = opening_part(*worst_, plan_.opening.bits);
    const double s = privacy::noise_of(believed_.opening, kHonest);
    std::size_t t = 0;
    for (Index k = 0; k < kRows; ++k) {
      for (Index j = 0; j <= k; ++j, ++t) {
        const double weight = (j == k ? 1 : 2) / (s * s);
        along_ += weight * left[t] * way[t];
        squares_ += weight * way[t] * way[t];
      }
    }
  }

  void see_round(std::uint64_t n, const nmf::SpanDescent& descent) {
    const nmf::Bounds bounds{plan_.rounds.bound, plan_.rounds.t_weight, plan_.rounds.unit};
    std::vector<double> left = sent(Digest{2, static_cast<std::uint8_t>(n)});
    for (auto& columns : known_) subtract(columns->bounded_answer_in(descent.U(), descent.X(), bounds).values, left);
    const std::vector<double> way = worst_->bounded_answer_in(descent.U(), descent.X(), bounds).values;
    const double s = privacy::noise_of(believed_.rounds, kHonest);
    for (std::size_t t = 0; t < way.size(); ++t) {
      along_ += left[t] * way[t] / (s * s);
      squares_ += way[t] * way[t] / (s * s);
    }
  }

  void tell(const std::vector<double>& totals, Outbox& out) {
    asks_.clear();
    for (auto& party : parties_) asks_.push_back(party->scheme.absorb(totals, false, out));
    for (auto& ask : asks_) ASSERT_TRUE(ask) << ask.error().message;
  }

  privacy::MomentsPlan plan_, believed_;
  RunSettings settings_;
  Matrix wanted_;
  std::vector<double> planted_;
  nmf::SpanAndFactor found_;
  Remembered steps_;
  std::vector<std::unique_ptr<Party>> parties_;
  std::vector<std::unique_ptr<nmf::Holder>> known_;
  std::unique_ptr<nmf::Holder> worst_;
  std::vector<Result<Ask>> asks_;
  double along_ = 0;
  double squares_ = 0;
};

double lower_bound_on_mu(const privacy::MomentsPlan& plan, const privacy::MomentsPlan& believed) {
  Attacker attacker(plan, believed);
  return least_mu([&](std::uint64_t seed, bool present) { return attacker.run(seed, present); });
}

TEST(MomentsScheme, AnAttackerWhoSteersAndKnowsAllButOneColumnStaysBelowTheAccount) {
  for (const int rounds : {0, kRounds}) {
    const privacy::MomentsPlan plan = plan_of_mu_one(rounds);
    const double mu = std::sqrt(2 * plan.cost().rho);
    EXPECT_NEAR(mu, 1, 0.01);
    const double bound = lower_bound_on_mu(plan, plan);
    EXPECT_LT(bound, mu) << rounds << " rounds";
    EXPECT_GT(bound, 0.6 * mu) << "the account is not far above it either";
    // The test can fail: half the noise.
    EXPECT_GT(lower_bound_on_mu(with_half_the_noise(plan), plan), mu) << rounds << " rounds";
  }
}

TEST(MomentsScheme, TheAttackerGetsWhatTheAccountCounts) {
  for (const int rounds : {0, kRounds}) {
    const privacy::MomentsPlan plan = plan_of_mu_one(rounds);
    Attacker attacker(plan, plan);
    (void)attacker.run(1, true);
    const double mu = std::sqrt(2 * plan.cost().rho);
    EXPECT_LE(attacker.reached(), mu * (1 + 1e-9));
    EXPECT_GT(attacker.reached(), 0.9 * mu) << "its column is as long as can be in every round";
  }
}

TEST(MomentsScheme, OneMoreColumnMovesWhatIsOpenedByItsPartAndNothingElse) {
  const privacy::MomentsPlan plan = plan_of_mu_one(0);
  const Seed secret = Seed::from_number(3);
  const auto sent = [&](const Matrix& Z) {
    Party party(settings_of(plan), Z, secret.derive(1, 0), nullptr);
    Outbox out{RunId{}};
    auto ask = party.scheme.begin({}, out);
    std::vector<double> values = std::get<SumOf>(*ask).values;
    party.scheme.add_noise(values, Digest{1});
    return *to_words(values, kAgents);
  };
  const Words without = sent(columns_of(0));
  const Words with = sent(with_worst(columns_of(0)));
  const Words part = *to_words(opening_part(*begun(worst_column()), plan.opening.bits), kAgents);
  for (std::size_t t = 0; t < part.size(); ++t) EXPECT_TRUE(with[t] - without[t] == part[t]) << t;
}

TEST(MomentsScheme, NoiseOnTheDiagonalHasTwiceTheVariance) {
  privacy::OpeningPlan plan = plan_of_mu_one(0).opening;
  plan.entries = 200 * 201 / 2.0;
  const Seed secret = Seed::from_number(1);
  const std::vector<double> share = noise_share(plan, secret, Digest{1});
  double on = 0;
  double off = 0;
  std::size_t t = 0;
  for (Index k = 0; k < 200; ++k) {
    for (Index j = 0; j <= k; ++j, ++t) (j == k ? on : off) += share[t] * share[t];
  }
  const double variance = privacy::noise_of(plan, 1) * privacy::noise_of(plan, 1);
  EXPECT_NEAR(on / 200, variance, 5 * variance * std::sqrt(2.0 / 200));
  EXPECT_NEAR(off / 19900, variance / 2, 5 * variance / 2 * std::sqrt(2.0 / 19900));
  EXPECT_EQ(share, noise_share(plan, secret, Digest{1}));
  EXPECT_NE(share, noise_share(plan, secret, Digest{2})) << "other totals before, other noise";
  EXPECT_NE(share, noise_share(plan, Seed::from_number(2), Digest{1}));
}

TEST(MomentsScheme, APlantedOpeningThatNoColumnsCanGiveIsRefused) {
  const privacy::MomentsPlan plan = plan_of_mu_one(0);
  Party party(settings_of(plan), columns_of(0), Seed::from_number(1), nullptr);
  Outbox out{RunId{}};
  ASSERT_TRUE(party.scheme.begin({}, out));
  const std::vector<double> planted(kRows * (kRows + 1) / 2, 1e6);
  const auto refused = party.scheme.absorb(planted, false, out);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kPeer);
}

}  // namespace
}  // namespace ppdnmf::protocol
