#include <ppdnmf/base/parts.h>

#include <gtest/gtest.h>

#include <vector>

#include <ppdnmf/base/test_executor.h>

namespace ppdnmf {
namespace {

Bytes counting(std::size_t size) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * i >> 3U);
  return bytes;
}

Digest in_parts(ByteSpan bytes, Executor& executor = serial_executor()) {
  Sha256 hash;
  add_in_parts(hash, bytes, executor);
  return hash.finish();
}

TEST(Parts, CoverEveryEntryOnce) {
  Backwards executor;
  for (const std::size_t size : {0U, 1U, 6U, 7U, 8U, 13U, 14U, 100U}) {
    std::vector<int> touched(size);
    for_each_part(executor, size, 7, [&](std::size_t number, std::size_t first, std::size_t count) {
      EXPECT_EQ(first, 7 * number);
      for (std::size_t i = first; i < first + count; ++i) touched[i] += 1;
    });
    EXPECT_EQ(touched, std::vector<int>(size, 1)) << size;
  }
}

TEST(Parts, ASingleOneNeedsNoThread) {
  Backwards executor;
  for_each_part(executor, 7, 7, [](std::size_t, std::size_t, std::size_t) {});
  EXPECT_EQ(executor.calls, 0);
}

TEST(Parts, ShortBytesEnterADigestAsTheyAre) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kDigestPart}) {
    const Bytes bytes = counting(size);
    EXPECT_EQ(in_parts(bytes), sha256(bytes)) << size;
  }
}

TEST(Parts, LongBytesEnterADigestByTheDigestsOfTheirParts) {
  const Bytes bytes = counting(2 * kDigestPart + 5);
  const ByteSpan all(bytes);
  Bytes digests;
  for (const ByteSpan part :
       {all.first(kDigestPart), all.subspan(kDigestPart, kDigestPart), all.subspan(2 * kDigestPart)}) {
    const Digest digest = sha256(part);
    digests.insert(digests.end(), digest.begin(), digest.end());
  }
  EXPECT_EQ(in_parts(bytes), sha256(digests));
}

TEST(Parts, EveryByteCountsAndNoOrderOfTasks) {
  Bytes bytes = counting(3 * kDigestPart + 1);
  const Digest digest = in_parts(bytes);
  Backwards executor;
  EXPECT_EQ(in_parts(bytes, executor), digest);
  EXPECT_EQ(executor.calls, 1);
  for (const std::size_t at : {std::size_t{0}, kDigestPart - 1, kDigestPart, 3 * kDigestPart}) {
    bytes[at] ^= 1U;
    EXPECT_NE(in_parts(bytes), digest) << at;
    bytes[at] ^= 1U;
  }
}

}  // namespace
}  // namespace ppdnmf
