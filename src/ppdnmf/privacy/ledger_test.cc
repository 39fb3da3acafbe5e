#include <ppdnmf/privacy/ledger.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ppdnmf::privacy {
namespace {

using ::testing::HasSubstr;

Ledger parsed(std::string_view text) {
  auto ledger = Ledger::parse(text);
  EXPECT_TRUE(ledger) << ledger.error().message;
  return *std::move(ledger);
}

TEST(Ledger, RunsAddUpToTheBudgetAndNoFurther) {
  Ledger ledger = parsed("data ward7 epsilon 4 delta 1e-6\n");
  const double all = rho_for({4, 1e-6}, kMostDivergence);
  EXPECT_TRUE(ledger.debit("ward7", "a1", 0.6 * all));
  const Status refused = ledger.debit("ward7", "b2", 0.41 * all);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_THAT(refused.error().message, HasSubstr("more than is left"));
  EXPECT_DOUBLE_EQ(ledger.spent("ward7"), 0.6 * all);
  EXPECT_TRUE(ledger.debit("ward7", "b2", 0.39 * all));
  EXPECT_FALSE(ledger.debit("ward7", "c3", 0.02 * all));
}

TEST(Ledger, ARunThatResumesIsNotDebitedAgain) {
  Ledger ledger = parsed("data ward7 epsilon 4 delta 1e-6\n");
  ASSERT_TRUE(ledger.debit("ward7", "a1", 0.2));
  EXPECT_TRUE(ledger.debit("ward7", "a1", 0.2));
  EXPECT_DOUBLE_EQ(ledger.spent("ward7"), 0.2);
  EXPECT_FALSE(ledger.debit("ward7", "a1", 0.21));
}

TEST(Ledger, AccountsDoNotKnowEachOther) {
  Ledger ledger = parsed("data one epsilon 1 delta 1e-6\ndata two epsilon 8 delta 1e-9\n");
  EXPECT_FALSE(ledger.debit("one", "a1", 0.5));
  EXPECT_TRUE(ledger.debit("two", "a1", 0.5));
  EXPECT_EQ(ledger.spent("one"), 0);
  const Status missing = ledger.debit("three", "a1", 0.1);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("'data three epsilon"));
}

TEST(Ledger, TheTextComesBackToTheBit) {
  Ledger ledger = parsed(
      "# ours\nspent two x9 rho 0.1  # last year\n\ndata two epsilon 8 delta 1e-9\r\ndata one epsilon 1 delta 1e-6");
  ASSERT_TRUE(ledger.debit("one", "a1", 1.0 / 300));
  const std::string text = ledger.text();
  EXPECT_EQ(text, parsed(text).text());
  EXPECT_EQ(parsed(text).spent("one"), 1.0 / 300);
  EXPECT_EQ(parsed(text).spent("two"), 0.1);
}

// Numbers that no account can be computed with would end the program.
TEST(Ledger, AbsurdNumbersAreRefusedWithTheirLine) {
  for (const char* text :
       {"data a epsilon 1e308 delta 1e-6", "data a epsilon 1001 delta 1e-6",
        "data a epsilon 1 delta 1e-6\nspent a b rho 1e308", "data a epsilon 1 delta 1e-6\nspent a b rho 1000001"}) {
    const auto refused = Ledger::parse(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_THAT(refused.error().message, HasSubstr("line ")) << text;
  }
  Ledger largest = parsed("data a epsilon 1000 delta 1e-300\nspent a b rho 1e6\nspent a c rho 1e6");
  EXPECT_FALSE(largest.debit("a", "d", 1));
  EXPECT_TRUE(parsed("data a epsilon 1000 delta 1e-300").debit("a", "d", 1));
}

TEST(Ledger, WhatCannotBeReadIsNotEmpty) {
  for (const char* text : {"data a epsilon 1", "data a epsilon x delta 1e-6", "data a epsilon -1 delta 1e-6",
                           "data a epsilon 1 delta 0", "data a epsilon 1 delta 2", "data a epsilon nan delta 1e-6",
                           "spent a b rho 1", "data a epsilon 1 delta 1e-6\nspent a b rho -1",
                           "data a epsilon 1 delta 1e-6\nspent a b rho 1\nspent a b rho 1", "nonsense",
                           "data a epsilon 1 delta 1e-6\ndata a epsilon 9 delta 1e-6"}) {
    const auto refused = Ledger::parse(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidData);
    EXPECT_THAT(refused.error().message, HasSubstr("line ")) << text;
  }
  EXPECT_TRUE(Ledger::parse(""));
}

}  // namespace
}  // namespace ppdnmf::privacy
