// Random matrices, and states that are saved and loaded, for the tests of this folder.
#ifndef PPDNMF_NMF_TEST_MATRICES_H_
#define PPDNMF_NMF_TEST_MATRICES_H_

#include <gtest/gtest.h>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf {

// Entries uniform in [low, high).
inline Matrix random_matrix(Stream& stream, Index rows, Index columns, double low = 0, double high = 1) {
  Matrix m(rows, columns);
  for (Index t = 0; t < m.size(); ++t) m.data()[t] = low + (high - low) * stream.uniform();
  return m;
}

inline Stream test_stream(std::uint64_t seed) { return {Seed::from_number(seed), 'T'}; }

// The state of one machine as another process would load it.
template <typename Machine>
void expect_loaded(const Machine& from, Machine& to) {
  ByteWriter out;
  from.save(out);
  const Bytes saved = out.take();
  ByteReader in(saved);
  to.load(in);
  EXPECT_TRUE(in.status());
  EXPECT_TRUE(to.in_range());
}

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_TEST_MATRICES_H_
