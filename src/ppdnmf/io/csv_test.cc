#include <ppdnmf/io/csv.h>

#include <clocale>
#include <cmath>

#include <ppdnmf/io/test_files.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::io {
namespace {

using Names = std::vector<std::string>;

Result<Table> parse(std::string_view text, char separator = ',') { return parse_csv(bytes_of(text), separator); }
std::string refusal(std::string_view text) { return message_of(parse(text)); }

void expect_table(std::string_view text, const Names& rows, const Names& columns, char separator = ',') {
  const auto table = parse(text, separator);
  ASSERT_TRUE(table) << text << ": " << message_of(table);
  EXPECT_EQ(table->values, real_matrix()) << text;
  EXPECT_EQ(table->row_names, rows) << text;
  EXPECT_EQ(table->column_names, columns) << text;
}

TEST(Csv, FindsNames) {
  expect_table("0,1.5,2\n3,.25,5e0\n", {}, {});
  expect_table("a,b,c\n0,1.5,2\n3,.25,5\n", {}, {"a", "b", "c"});
  expect_table("r1,0,1.5,2\nr2,3,.25,5\n", {"r1", "r2"}, {});
  expect_table("type,a,b,c\nr1,0,1.5,2\nr2,3,.25,5\n", {"r1", "r2"}, {"a", "b", "c"});
  expect_table(",a,b,c\nr1,0,1.5,2\nr2,3,.25,5\n", {"r1", "r2"}, {"a", "b", "c"});
  // pandas: numbers as names, the corner is empty.
  expect_table(",0,1,2\n0,0,1.5,2\n1,3,.25,5\n", {"0", "1"}, {"0", "1", "2"});
  // R's write.table: one cell less in line 1. R's write.csv: everything but numbers in quotes.
  expect_table("\"a\",\"b\",\"c\"\n\"r1\",0,1.5,2\n\"r2\",3,.25,5\n", {"r1", "r2"}, {"a", "b", "c"});
  expect_table("\"\",\"1\",\"2\",\"3\"\n\"1\",0,1.5,2\n\"2\",3,.25,5\n", {"1", "2"}, {"1", "2", "3"});
  expect_table("\"1\",\"2\",\"3\"\n0,1.5,2\n3,.25,5\n", {}, {"1", "2", "3"});
}

TEST(Csv, ReadsWhatProgramsWrite) {
  expect_table(
      "\xEF\xBB\xBF"
      "0,1.5,2\r\n3,.25,5\r\n",
      {}, {});
  expect_table("# numpy.savetxt writes such a line\n0,1.5,2\n3,.25,5", {}, {});
  expect_table("0,1.5,2\n3,.25,5\n\n\r\n", {}, {});
  expect_table(" 0 , +1.5,\t2\n3,0.25 ,5.0e+00\n", {}, {});
  expect_table("\"0\",\"1.5\",\"2\"\n\"3\",\"0.25\",\"5\"\n", {}, {});
  expect_table("a;b;c\n0;1.5;2\n3;.25;5\n", {}, {"a", "b", "c"});
  expect_table("a\tb\tc\n0\t1.5\t2\n3\t.25\t5\n", {}, {"a", "b", "c"}, '\t');
  expect_table("\"x, \"\"y\"\"\",\"two\nlines\",c\n0,1.5,2\n3,.25,5\n", {}, {"x, \"y\"", "two\nlines", "c"});
}

TEST(Csv, OneColumn) {
  EXPECT_EQ(parse("1\n2\n")->values, (Matrix(2, 1) << 1, 2).finished());
  EXPECT_EQ(parse("name\n1\n2\n")->column_names, Names{"name"});
}

TEST(Csv, NotFiniteIsReadSoThatItCanBeNamed) {
  const auto table = parse("nan,inf\n-inf,1e999\n1e-999,-1e999\n");
  ASSERT_TRUE(table);
  EXPECT_TRUE(std::isnan(table->values(0, 0)));
  EXPECT_EQ(table->values(0, 1), INFINITY);
  EXPECT_EQ(table->values(1, 0), -INFINITY);
  EXPECT_EQ(table->values(1, 1), INFINITY);
  EXPECT_EQ(table->values(2, 0), 0);
  EXPECT_EQ(table->values(2, 1), -INFINITY);
}

TEST(Csv, RefusalsNameTheLine) {
  EXPECT_EQ(refusal("1,2\n3,4\n5\n"), "line 3: has 1 cells where 2 are expected");
  EXPECT_EQ(refusal("a,b\n1,2\n3,4,5\n"), "line 3: has 3 cells where 2 are expected");
  EXPECT_EQ(refusal("1,2\n3,4,5\n"), "line 2: has 3 cells where 2 are expected");
  EXPECT_EQ(refusal("a,b\n1,2\n3,NA\n"), "line 3, column 2: 'NA' is not a number");
  EXPECT_EQ(refusal("a,b\n1,2\n3,\n"), "line 3, column 2: the cell is empty");
  EXPECT_EQ(refusal("a,b\n1,2\n3,1.2.3\n"), "line 3, column 2: '1.2.3' is not a number");
  EXPECT_EQ(refusal("a,b\n1,2\n\n3,4\n"), "line 3: is empty");
  EXPECT_EQ(refusal("1,2x,3\n4,5,6\n"),
            "line 1, column 2: '2x' stands between numbers; if the line holds names, put all in quotes");
  EXPECT_EQ(refusal("l,1\n5,6\n"),
            "line 2, column 1: '5' is a number where other lines have a name; put names in quotes");
  EXPECT_EQ(refusal("a,b\n1,\"2\n"), "line 2: a quote is opened and never closed");
  EXPECT_EQ(refusal("\"a\"b,c\n1,2\n"), "line 1: 'b' follows behind a closing quote");
  EXPECT_EQ(refusal("\"two\nlines\",b\n1,x\n"), "line 3, column 2: 'x' is not a number");
  EXPECT_EQ(refusal("a,b\n"), "it holds names but no numbers");
  EXPECT_EQ(refusal("\n\n"), "line 1: is empty where the table should start");
  EXPECT_EQ(refusal("\xFF\xFE"
                    "1"),
            "it is UTF-16 text; save it as UTF-8");
  EXPECT_EQ(refusal("a,b\n1,0x10\n"), "line 2, column 2: '0x10' is not a number");
}

TEST(Csv, RefusesMoreThanTheLimit) {
  EXPECT_EQ(message_of(parse_csv(bytes_of("1,2\n3,4\n"), ',', {.max_entries = 3})),
            "it holds more than 3 numbers; no more can be read");
}

TEST(Csv, DoesNotAskTheLocale) {
  const char* changed = std::setlocale(LC_ALL, "de_DE.UTF-8");  // where the point is a comma, if installed
  expect_table("0,1.5,2\n3,.25,5e0\n", {}, {});
  EXPECT_EQ(format_csv({real_matrix(), {}, {}, {}}), "0,1.5,2\n3,0.25,5\n");
  if (changed != nullptr) (void)std::setlocale(LC_ALL, "C");
}

TEST(Csv, WritesWhatItReads) {
  Table table{Matrix::Random(3, 2), {"plain", "1", "a \"quote\", a comma"}, {"#x", " blank "}, {}};
  for (const char separator : {',', '\t'}) {
    const auto again = parse(format_csv(table, separator), separator);
    ASSERT_TRUE(again) << message_of(again);
    EXPECT_EQ(again->values, table.values);
    EXPECT_EQ(again->row_names, table.row_names);
    EXPECT_EQ(again->column_names, table.column_names);
  }
}

TEST(Text, NumbersAreWholeCells) {
  for (const char* text : {"", "+", "-", "+-1", "--1", "1 2", "1,5", "e5", "0x1", "1e", "one"}) {
    EXPECT_FALSE(parse_number(text)) << text;
  }
  EXPECT_EQ(parse_number("+1"), 1.0);
  EXPECT_EQ(parse_number("-0.5E+1"), -5.0);
  EXPECT_EQ(parse_count("12"), 12U);
  EXPECT_FALSE(parse_count("-1"));
  EXPECT_FALSE(parse_count("99999999999999999999"));
}

TEST(Text, MessagesStayPrintable) {
  EXPECT_EQ(in_quotes("a\tb\x01\xFFü"), "'a?b??ü'");
  EXPECT_EQ(in_quotes(std::string(100, 'x')), "'" + std::string(40, 'x') + "...'");
  EXPECT_EQ(printable("\xED\xA0\x80\xC0\x80\xF4\x90\x80\x80"), "?????????");
}

}  // namespace
}  // namespace ppdnmf::io
