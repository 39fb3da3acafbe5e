#include <ppdnmf/experiment/hospitals.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include <ppdnmf/base/test_executor.h>
#include <ppdnmf/experiment/hospitals_page.h>
#include <ppdnmf/io/test_folder.h>

namespace ppdnmf::experiment {
namespace {

using ::testing::HasSubstr;

HospitalsOutcome outcome_of(std::uint64_t seed, Executor& executor = serial_executor()) {
  auto outcome = run_hospitals(make_hospital_data(seed), seed, executor);
  PPDNMF_CHECK(outcome.has_value());
  return *std::move(outcome);
}

// What the demo's sentences claim, on whatever data it makes.
TEST(Hospitals, TheSentencesAreTrueForTenSeeds) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const HospitalsOutcome o = outcome_of(seed);
    EXPECT_EQ(o.together.found(), kSignatures);
    double best_alone = 0;
    for (std::size_t hospital = 0; hospital < o.alone.size(); ++hospital) {
      const Findings& alone = o.alone[hospital];
      EXPECT_LT(alone.found(), o.together.found());
      EXPECT_GT(alone.cosines[0], kFound) << "the common one was missed";
      EXPECT_GT(alone.cosines[hospital + 1], kFound) << "its own was missed";
      best_alone = std::max(best_alone, alone.mean_cosine());
    }
    EXPECT_EQ(o.pooled.found(), o.together.found());
    EXPECT_GT(o.agreement, 0.9999);
    EXPECT_GT(o.privately.mean_cosine(), best_alone);
    EXPECT_LT(o.privately.mean_cosine(), o.together.mean_cosine());
    EXPECT_LT(o.right_guesses, 0.68);
    const auto sentences = hospital_sentences(o);
    EXPECT_THAT(sentences[0], HasSubstr("of the others each has too few tumours"));
    EXPECT_THAT(sentences[1], HasSubstr("they find all four (mean cosine 0.99"));
    EXPECT_THAT(sentences[2], HasSubstr("would find all four"));
    EXPECT_THAT(sentences[2], HasSubstr("the same components, to a cosine of 0.999"));
    EXPECT_THAT(sentences[3], HasSubstr("between alone and together"));
  }
}

Findings with_cosines(std::vector<double> cosines) { return {Matrix(), std::move(cosines)}; }

TEST(Hospitals, SentencesDoNotPraiseWhatWasNotFound) {
  HospitalsOutcome o;
  o.alone = {with_cosines({1, 1, 1, 1}), with_cosines({1, 0, 0, 0}), with_cosines({0, 0, 0, 0})};
  o.together = with_cosines({1, 1, 1, 0.5});
  o.pooled = with_cosines({1, 1, 1, 0.95});
  o.privately = with_cosines({0.9, 0.3, 0.2, 0.1});
  o.agreement = 0.62345678;
  const auto sentences = hospital_sentences(o);
  EXPECT_EQ(sentences[0], "Alone, hospital A finds all four of the four signatures, B one and C none.");
  EXPECT_THAT(sentences[1], HasSubstr("they find three (mean cosine 0.875)"));
  EXPECT_THAT(sentences[2], HasSubstr("not the same components, the least alike have a cosine of 0.62345."));
  EXPECT_THAT(sentences[3], HasSubstr("finds one (0.375), no better than the best hospital alone"));
  // A hospital that misses its own signature has tumours enough.
  o.alone[0] = with_cosines({1, 0, 1, 1});
  EXPECT_EQ(hospital_sentences(o)[0], "Alone, hospital A finds three of the four signatures, B one and C none.");
}

TEST(Hospitals, DataAreWhatThePageSays) {
  const HospitalData data = make_hospital_data(3);
  EXPECT_EQ(data.counts.rows(), 96);
  EXPECT_EQ(data.counts.cols(), kHospitals * kTumours);
  EXPECT_TRUE((data.counts.array() == data.counts.array().floor()).all());
  EXPECT_GE(data.counts.minCoeff(), 0);
  EXPECT_NEAR(data.counts.colwise().sum().mean(), kMutations, 0.2 * kMutations);
  EXPECT_TRUE(data.signatures.colwise().sum().isOnes(1e-12));
  std::set<std::string> names;
  for (Index hospital = 0; hospital < kHospitals; ++hospital) {
    const io::Table table = hospital_table(data, hospital);
    EXPECT_EQ(table.values, data.counts.middleCols(hospital * kTumours, kTumours));
    names.insert(table.column_names.begin(), table.column_names.end());
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(data.counts.cols()));
  EXPECT_NE(make_hospital_data(4).counts, data.counts);
}

TEST(Hospitals, TheOrderOfTasksChangesNoByte) {
  Backwards backwards;
  const HospitalsOutcome one = outcome_of(5);
  const HospitalsOutcome other = outcome_of(5, backwards);
  EXPECT_GT(backwards.calls, 0);
  EXPECT_EQ(one.together.X, other.together.X);
  EXPECT_EQ(one.privately.X, other.privately.X);
  EXPECT_EQ(one.pooled.X, other.pooled.X);
}

class HospitalsPage : public io::FolderTest {};

TEST_F(HospitalsPage, WithoutGnuplotThereAreSentencesAndANoteOfWhatIsMissing) {
  const HospitalsOutcome outcome = outcome_of(1);
  const auto notes = write_hospitals(folder_, make_hospital_data(1), outcome, "0", "no-such-gnuplot");
  ASSERT_TRUE(notes) << notes.error().message;
  ASSERT_EQ(notes->size(), 1);
  EXPECT_THAT(notes->front(), HasSubstr("report.html has no picture: no-such-gnuplot cannot be started"));
  const std::string text = io::file_text(folder_ / "report.html");
  EXPECT_THAT(text, HasSubstr("gnuplot could not draw it"));
  EXPECT_THAT(text, HasSubstr(hospital_sentences(outcome)[2]));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "demo.png"));
}

}  // namespace
}  // namespace ppdnmf::experiment
