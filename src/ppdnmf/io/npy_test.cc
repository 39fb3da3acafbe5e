#include <ppdnmf/io/npy.h>

#include <cmath>
#include <limits>

#include <ppdnmf/io/scalars.h>
#include <ppdnmf/io/test_files.h>

namespace ppdnmf::io {
namespace {

using ::testing::HasSubstr;

TEST(Npy, ReadsWhatNumpyWrote) {
  for (const char* name : {"real_f8.npy", "real_big_f8.npy", "real_f4.npy", "real_big_f4.npy", "real_f2.npy",
                           "real_big_f2.npy", "real_fortran.npy", "real_version2.npy", "real_version3.npy"}) {
    const auto table = parse_npy(testdata_bytes(name));
    ASSERT_TRUE(table) << name << ": " << message_of(table);
    EXPECT_EQ(table->values, real_matrix()) << name;
    EXPECT_TRUE(table->row_names.empty() && table->column_names.empty());
  }
  for (const char* name :
       {"counts_u1.npy", "counts_i1.npy", "counts_u2.npy", "counts_big_u2.npy", "counts_i2.npy", "counts_u4.npy",
        "counts_i4.npy", "counts_big_i4.npy", "counts_u8.npy", "counts_big_u8.npy", "counts_i8.npy"}) {
    const auto table = parse_npy(testdata_bytes(name));
    ASSERT_TRUE(table) << name << ": " << message_of(table);
    EXPECT_EQ(table->values, counts_matrix()) << name;
  }
  EXPECT_EQ(parse_npy(testdata_bytes("bool.npy"))->values, (Matrix(2, 3) << 0, 0, 1, 1, 1, 1).finished());
}

TEST(Npy, SomeColumnsOfAFileAreThoseOfTheWhole) {
  for (const char* name : {"real_f8.npy", "real_big_f4.npy", "real_fortran.npy", "vector.npy"}) {
    const auto file = NpyFile::open(testdata(name));
    ASSERT_TRUE(file) << name;
    const Matrix whole = parse_npy(testdata_bytes(name))->values;
    for (Index first = 0; first < whole.cols(); ++first) {
      for (Index count = 1; first + count <= whole.cols(); ++count) {
        Matrix some(whole.rows(), count);
        ASSERT_TRUE(file->read_columns({first, count}, some.data())) << name;
        EXPECT_EQ(some, whole.middleCols(first, count)) << name << " " << first << " " << count;
      }
    }
  }
}

TEST(Npy, TakesAVectorAsOneColumn) {
  EXPECT_EQ(parse_npy(testdata_bytes("vector.npy"))->values, (Matrix(3, 1) << 0, 1.5, 2).finished());
}

TEST(Npy, RefusesOtherArraysInASentence) {
  const auto refusal = [](const char* name) { return message_of(parse_npy(testdata_bytes(name))); };
  EXPECT_EQ(refusal("bad_scalar.npy"), "it has 0 dimensions; a matrix has two");
  EXPECT_EQ(refusal("bad_three.npy"), "it has 3 dimensions; a matrix has two");
  EXPECT_EQ(refusal("bad_object.npy"), "it is an array of Python objects; save it as numbers");
  EXPECT_EQ(refusal("bad_complex.npy"), "its numbers are complex; save real ones");
  EXPECT_EQ(refusal("bad_record.npy"), "it is an array of records; save one plain matrix of numbers");
  EXPECT_EQ(refusal("bad_text.npy"), "its number type '<U2' cannot be read; save it as float64");
  EXPECT_EQ(refusal("bad_longdouble.npy"), "its number type '<f16' cannot be read; save it as float64");
  EXPECT_EQ(refusal("bad_empty.npy"), "it holds an empty matrix (0 rows, 3 columns)");
}

TEST(Npy, RefusesEveryTruncation) {
  const Bytes whole = testdata_bytes("real_f8.npy");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(parse_npy(ByteSpan(whole).first(size))) << size;
  }
  EXPECT_THAT(message_of(parse_npy(ByteSpan(whole).first(whole.size() - 1))), HasSubstr("it is not complete"));
}

Bytes with_header(std::string_view header) {
  ByteWriter writer;
  for (const char c : std::string_view("\x93NUMPY\x01\x00", 8)) writer.put(static_cast<std::uint8_t>(c));
  writer.put(static_cast<std::uint16_t>(header.size()));
  writer.put_array(header.data(), header.size());
  return writer.take();
}

TEST(Npy, AnEnormousHeaderAllocatesNothing) {
  EXPECT_EQ(message_of(parse_npy(with_header("{'descr':'<f8','fortran_order':False,'shape':(1000000,1000000)}"))),
            "it claims 1000000 x 1000000 entries; at most 268435456 can be read");
  EXPECT_THAT(message_of(parse_npy(with_header(
                  "{'descr':'<f8','fortran_order':False,'shape':(9223372036854775807,9223372036854775807)}"))),
              HasSubstr("it claims"));
  EXPECT_EQ(message_of(parse_npy(with_header("{'descr':'<f8','fortran_order':False,'shape':(16384,16384)}"))),
            "16384 x 16384 numbers need 2147483648 bytes, but 0 are there: it is not complete");
}

TEST(Npy, RefusesBrokenHeaders) {
  for (const char* header :
       {"", "{}", "{'descr':'<f8','fortran_order':False}", "{'descr':'<f8','fortran_order':False,'shape':(1,1),'x':1}",
        "{'descr':'<f8','fortran_order':0,'shape':(1,1)}", "{'descr':'<f8','fortran_order':False,'shape':(-1,1)}",
        "{'descr':'<f8','descr':'<f8','shape':(1,1)}", "{'descr':3,'fortran_order':False,'shape':(1,1)}",
        "{'descr':'<f8','fortran_order':False,'shape':(1,1)} x", "{'descr':'<f8' 'fortran_order':False,'shape':(1,1)}",
        "{'descr':'<f8','fortran_order':False,'shape':(1 1)}", "{'descr':'<f8"}) {
    EXPECT_EQ(message_of(parse_npy(with_header(header))), "its .npy header is broken") << header;
  }
  EXPECT_EQ(message_of(parse_npy(bytes_of("PK\x03\x04"))), "it is not an .npy file");
  EXPECT_EQ(message_of(parse_npy(bytes_of("\x93NUMPY\x09\x01\x01\x01\x01\x01\x01"))),
            "its .npy format version 9 is not known");
}

TEST(Npy, WritesWhatItReads) {
  Matrix values = Matrix::Random(7, 3);
  values(2, 1) = std::numeric_limits<double>::denorm_min();
  const Bytes bytes = encode_npy(values);
  EXPECT_EQ((bytes.size() - sizeof(double) * 21) % 64, 0U) << "the data start at a multiple of 64 bytes, as NumPy's do";
  EXPECT_EQ(parse_npy(bytes)->values, values);
}

TEST(Scalars, HalvesAreIeee) {
  EXPECT_EQ(half_to_double(0x3C00), 1.0);
  EXPECT_EQ(half_to_double(0xC000), -2.0);
  EXPECT_EQ(half_to_double(0x7BFF), 65504.0);
  EXPECT_EQ(half_to_double(0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(half_to_double(0x0400), std::ldexp(1.0, -14));
  EXPECT_TRUE(std::isinf(half_to_double(0x7C00)));
  EXPECT_TRUE(std::isnan(half_to_double(0x7C01)));
}

}  // namespace
}  // namespace ppdnmf::io
