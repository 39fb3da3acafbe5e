#include <ppdnmf/privacy/column_ledger.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ppdnmf::privacy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr ColumnKey kKey = {1, 2, 3};

ColumnDigest column(double value) { return digest_of_column(kKey, std::vector<double>{value, 0, 1}); }

std::vector<ColumnDigest> columns(int first, int end) {
  std::vector<ColumnDigest> out;
  for (int i = end - 1; i >= first; --i) out.push_back(column(i));
  return out;
}

TEST(ColumnLedger, TheColumnThatWasInMostRunsSaysWhatIsSpent) {
  ColumnLedger ledger(kKey);
  EXPECT_EQ(ledger.find(columns(0, 9)).columns, 0);
  ASSERT_TRUE(ledger.debit("a1", 0.5, columns(0, 10)));
  ASSERT_TRUE(ledger.debit("b2", 0.25, columns(9, 20)));
  const auto known = ledger.find(columns(5, 30));
  EXPECT_EQ(known.columns, 15);
  EXPECT_EQ(known.spent.largest, 0.75);
  EXPECT_THAT(known.spent.runs, ElementsAre("a1", "b2"));
  EXPECT_EQ(ledger.find(columns(10, 20)).spent.largest, 0.25);
  EXPECT_EQ(ledger.find(columns(20, 40)).columns, 0);
}

// What is known stays known beside a column that is new: one more patient is no other data.
TEST(ColumnLedger, OneAddedColumnForgetsNothing) {
  ColumnLedger ledger(kKey);
  ASSERT_TRUE(ledger.debit("a1", 0.5, columns(0, 10)));
  EXPECT_EQ(ledger.find(columns(0, 11)).spent.largest, 0.5);
  EXPECT_EQ(ledger.find({column(3)}).spent.largest, 0.5);
}

TEST(ColumnLedger, ARunIsDebitedOnceHoweverOftenItIsAsked) {
  ColumnLedger ledger(kKey);
  ASSERT_TRUE(ledger.debit("a1", 0.5, columns(0, 3)));
  const Bytes before = ledger.bytes();
  ASSERT_TRUE(ledger.debit("a1", 0.5, columns(0, 3)));
  EXPECT_EQ(ledger.bytes(), before);
  EXPECT_THAT(ledger.debit("a1", 0.6, columns(0, 3)).error().message, HasSubstr("already"));
  // The same column twice in one run is one column that was in it.
  ASSERT_TRUE(ledger.debit("b2", 0.5, {column(7), column(7)}));
  EXPECT_EQ(ledger.find({column(7)}).spent.largest, 0.5);
}

TEST(ColumnLedger, DigestsDependOnTheKeyTheEntriesAndTheKind) {
  ColumnKey other = kKey;
  other[31] = 1;
  const std::vector<double> z = {1, 2};
  std::set<ColumnDigest> digests = {digest_of_column(kKey, z),
                                    digest_of_column(other, z),
                                    digest_of_person(kKey, ""),
                                    digest_of_column(kKey, std::vector<double>{2, 1}),
                                    digest_of_column(kKey, std::vector<double>{1, 2, 0}),
                                    digest_of_person(kKey, "p"),
                                    digest_of_column(kKey, std::vector<double>{})};
  EXPECT_EQ(digests.size(), 7U);
}

TEST(ColumnLedger, TheBytesComeBackAndAnyOtherAreRefused) {
  ColumnLedger ledger(kKey);
  ASSERT_TRUE(ledger.debit("a1", 0.5, columns(0, 10)));
  ASSERT_TRUE(ledger.debit("b2", 1.0 / 3, columns(5, 15)));
  const Bytes bytes = ledger.bytes();
  const auto again = ColumnLedger::parse(bytes);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->bytes(), bytes);
  EXPECT_EQ(again->key(), kKey);
  EXPECT_EQ(again->find(columns(0, 20)).spent.largest, 0.5 + 1.0 / 3);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    ASSERT_FALSE(ColumnLedger::parse(ByteSpan(bytes).first(size))) << size;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    Bytes changed = bytes;
    changed[i] ^= 1U;
    ASSERT_FALSE(ColumnLedger::parse(changed)) << i;
  }
}

TEST(ColumnLedger, AHundredThousandColumnsTakeTwentyFourBytesEach) {
  ColumnLedger ledger(kKey);
  ASSERT_TRUE(ledger.debit("a1", 0.5, columns(0, 100'000)));
  ASSERT_TRUE(ledger.debit("b2", 0.5, columns(1, 100'001)));
  EXPECT_EQ(ledger.find(columns(0, 100'000)).spent.largest, 1);
  EXPECT_LT(ledger.bytes().size(), 24 * 100'001 + 200U);
}

}  // namespace
}  // namespace ppdnmf::privacy
