#include <ppdnmf/io/persons.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ppdnmf::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<std::string> kColumns = {"x", "y, z", "w"};

std::string why_not(std::string_view text, const std::vector<std::string>& names = kColumns) {
  const auto persons = parse_persons(text, names, 3);
  return persons ? "nothing" : persons.error().message;
}

TEST(PersonsFile, OnePersonForEachColumnInTheirOrder) {
  EXPECT_THAT(*parse_persons("# ours\nann\nbob\r\n\"ann\"\n", {}, 3), ElementsAre("ann", "bob", "ann"));
  EXPECT_THAT(*parse_persons("ann\nbob\nann", kColumns, 3), ElementsAre("ann", "bob", "ann"));
}

TEST(PersonsFile, ColumnsByTheirNamesInAnyOrder) {
  EXPECT_THAT(*parse_persons("w,ann\n\"y, z\",bob\nx,ann\n", kColumns, 3), ElementsAre("ann", "bob", "ann"));
}

TEST(PersonsFile, WhatDoesNotFitIsOneSentenceWithItsPlace) {
  EXPECT_THAT(why_not("ann\nbob\n"), HasSubstr("has 2 persons, but the data have 3 columns"));
  EXPECT_THAT(why_not(""), HasSubstr("has 0 persons"));
  EXPECT_THAT(why_not("x,ann\n"), HasSubstr("the column 'y, z' is missing"));
  EXPECT_THAT(why_not("x,ann\nq,bob\n"), HasSubstr("line 2: the data have no column 'q'"));
  EXPECT_THAT(why_not("x,ann\nx,bob\n"), HasSubstr("line 2: the column 'x' is there twice"));
  EXPECT_THAT(why_not("x,ann\nbob\n"), HasSubstr("line 2: should hold"));
  EXPECT_THAT(why_not("ann\nx,bob\n"), HasSubstr("line 2: should hold"));
  EXPECT_THAT(why_not("x,ann,bob\n"), HasSubstr("line 1: should hold"));
  EXPECT_THAT(why_not("x,\n"), HasSubstr("line 1: should hold"));
  EXPECT_THAT(why_not(",ann\n"), HasSubstr("line 1: should hold"));
  EXPECT_THAT(why_not("x,ann\n", {}), HasSubstr("the data have no column names"));
  EXPECT_THAT(why_not("x,ann\nx,bob\n", {"x", "x", "y"}), HasSubstr("two columns of the data are called 'x'"));
  EXPECT_NE(why_not("\"ann\n"), "nothing");
}

}  // namespace
}  // namespace ppdnmf::io
