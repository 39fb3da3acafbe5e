#include <ppdnmf/base/bytes.h>

#include <gtest/gtest.h>

#include <limits>

namespace ppdnmf {
namespace {

TEST(Bytes, ComeBackAsTheyWere) {
  ByteWriter writer;
  writer.put<std::uint8_t>(7);
  writer.put<std::int64_t>(-5);
  writer.put(0.1);
  writer.put<Int128>(static_cast<Int128>(-3) << 100);
  writer.put_string("name");
  writer.put_bytes(Bytes{1, 2, 3});
  const Bytes bytes = writer.take();
  ByteReader reader(bytes);
  EXPECT_EQ(reader.get<std::uint8_t>(), 7);
  EXPECT_EQ(reader.get<std::int64_t>(), -5);
  EXPECT_EQ(reader.get<double>(), 0.1);
  EXPECT_TRUE(reader.get<Int128>() == static_cast<Int128>(-3) << 100);
  EXPECT_EQ(reader.get_string(), "name");
  EXPECT_EQ(reader.get_bytes(), (Bytes{1, 2, 3}));
  EXPECT_TRUE(reader.status());
}

TEST(Bytes, AreNotMovedWhileTheyFitIntoWhatWasExpected) {
  const Bytes part(1000, 1);
  ByteWriter exact(3 * part.size());
  for (int i = 0; i < 3; ++i) exact.put_array(part.data(), part.size());
  EXPECT_EQ(exact.take().capacity(), 3 * part.size());  // a buffer that grew would be larger
  ByteWriter longer(part.size());
  for (int i = 0; i < 3; ++i) longer.put_array(part.data(), part.size());
  EXPECT_EQ(longer.take(), Bytes(3 * part.size(), 1));
}

TEST(Bytes, EveryTruncationIsNoticed) {
  ByteWriter writer;
  writer.put<std::uint32_t>(1);
  writer.put_string("abc");
  const Bytes bytes = writer.take();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ByteReader reader(ByteSpan(bytes).first(size));
    (void)reader.get<std::uint32_t>();
    (void)reader.get_string();
    EXPECT_FALSE(reader.status()) << size;
  }
}

TEST(Bytes, AnEnormousLengthAllocatesNothing) {
  ByteWriter writer;
  writer.put(std::numeric_limits<std::uint64_t>::max());
  const Bytes bytes = writer.take();
  ByteReader reader(bytes);
  EXPECT_TRUE(reader.get_bytes().empty());
  EXPECT_FALSE(reader.status());
}

TEST(Bytes, LeftOversAreNoticed) {
  ByteReader reader(ByteSpan{});
  EXPECT_TRUE(reader.status());
  const Bytes bytes = {1};
  EXPECT_FALSE(ByteReader(bytes).status());
}

}  // namespace
}  // namespace ppdnmf
