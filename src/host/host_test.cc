#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <vector>

#include "host/interrupt.h"
#include "host/thread_pool.h"

namespace ppdnmf {
namespace {

TEST(ThreadPool, CallsEachTaskOnce) {
  for (const std::size_t threads : {1U, 2U, 5U}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const std::size_t count : {0U, 1U, 3U, 1000U}) {
      std::vector<std::atomic<int>> calls(count);
      pool.for_each(count, [&](std::size_t i) { ++calls[i]; });
      for (const auto& n : calls) EXPECT_EQ(n, 1);
    }
  }
}

TEST(Interrupt, IsRememberedInsteadOfEndingTheProcess) {
  catch_interrupts();
  EXPECT_FALSE(interrupted());
  std::raise(SIGTERM);
  EXPECT_TRUE(interrupted());
}

}  // namespace
}  // namespace ppdnmf
