#include <ppdnmf/run/published_run.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/nmf/test_matrices.h>

namespace ppdnmf::run {
namespace {

using testing::Contains;
using testing::HasSubstr;

PublishedRequest published_request() {
  PublishedRequest out;
  out.options.settings.rank = 2;
  out.options.settings.epsilon = 8;
  out.options.settings.delta = 1e-4;
  out.options.settings.normalise = nmf::ColumnNorm::kL2;
  out.options.settings.columns = 200;
  out.caller = {"factorize", "a test", "0", {}};
  return out;
}

Matrix some_data() {
  Stream stream = nmf::test_stream(3);
  return nmf::random_matrix(stream, 8, 2, 0, 1) * nmf::random_matrix(stream, 2, 230, 0, 1);
}

TEST(PublishedRun, DrawsItsNoiseFromTheSystemAndNeverTwiceTheSame) {
  SerialExecutor serial;
  const Matrix Z = some_data();
  const auto first = run_published(published_request(), data::view(Z), serial, {});
  const auto second = run_published(published_request(), data::view(Z), serial, {});
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_TRUE(second);
  EXPECT_EQ(first->X.rows(), 8);
  EXPECT_EQ(first->X.cols(), 2);
  EXPECT_EQ(first->Y.cols(), 230);
  EXPECT_FALSE(first->X == second->X) << "the same seed repeats the noise";
  EXPECT_THAT(first->record.notes, Contains(HasSubstr("X may be published, and nothing else")));
  EXPECT_THAT(first->record.notes, Contains(HasSubstr("differentially private")));
}

TEST(PublishedRun, NeedsAStatedNumberOfColumns) {
  SerialExecutor serial;
  PublishedRequest without = published_request();
  without.options.settings.columns.reset();
  const auto refused = run_published(without, data::own(some_data()), serial, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_THAT(refused.error().message, HasSubstr("`columns`"));
  without.options.settings.columns = 20;
  EXPECT_FALSE(run_published(without, data::own(some_data()), serial, {}));
}

}  // namespace
}  // namespace ppdnmf::run
