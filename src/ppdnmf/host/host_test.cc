#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <thread>
#include <vector>

#include <ppdnmf/host/common_memory.h>
#include <ppdnmf/host/interrupt.h>
#include <ppdnmf/host/thread_pool.h>

namespace ppdnmf::host {
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

TEST(ThreadPool, ServesTasksThatHaveTasks) {
  for (const std::size_t threads : {1U, 2U, 4U}) {
    ThreadPool pool(threads);
    std::vector<std::atomic<int>> calls(600);
    pool.for_each(20, [&](std::size_t i) { pool.for_each(30, [&](std::size_t j) { ++calls[30 * i + j]; }); });
    for (const auto& n : calls) EXPECT_EQ(n, 1);
  }
}

TEST(ThreadPool, IdleThreadsHelpInsideATask) {
  ThreadPool pool(2);
  // Two inner tasks that can only end together: one thread alone would wait for ever. Many times, so that the other
  // thread has gone to sleep before and must be woken.
  for (int n = 0; n < 200; ++n) {
    std::atomic<int> begun{0};
    pool.for_each(1, [&](std::size_t) {
      pool.for_each(2, [&](std::size_t) {
        ++begun;
        while (begun < 2) std::this_thread::yield();
      });
    });
    EXPECT_EQ(begun, 2);
  }
}

TEST(CommonMemory, WhatOneWritesTheOtherReads) {
  auto made = CommonMemory::create(10000);
  ASSERT_TRUE(made) << made.error().message;
  auto opened = CommonMemory::open(made->name(), 10000);
  ASSERT_TRUE(opened) << opened.error().message;
  auto* const here = static_cast<char*>(made->data());
  const auto* const there = static_cast<const char*>(opened->data());
  EXPECT_NE(static_cast<const char*>(here), there);
  EXPECT_EQ(there[9999], 0);
  here[9999] = 'x';
  EXPECT_EQ(there[9999], 'x');
}

TEST(CommonMemory, IsOpenedByItsNameAndWithItsSizeUntilItForgetsTheName) {
  auto made = CommonMemory::create(4096);
  ASSERT_TRUE(made);
  EXPECT_FALSE(CommonMemory::open(made->name(), 8192)) << "behind its end there is none";
  EXPECT_TRUE(CommonMemory::open(made->name(), 4096));
  made->forget_name();
  EXPECT_FALSE(CommonMemory::open(made->name(), 4096));
  auto again = CommonMemory::create(4096);
  ASSERT_TRUE(again);
  const std::string name = again->name();
  { const CommonMemory ends = *std::move(again); }
  EXPECT_FALSE(CommonMemory::open(name, 4096));
}

TEST(CommonMemory, MoreThanTheMachineHasIsRefused) {
  const auto made = CommonMemory::create(std::size_t{1} << 60U);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kFile);
}

TEST(Interrupt, IsRememberedInsteadOfEndingTheProcess) {
  catch_interrupts();
  EXPECT_FALSE(interrupted());
  std::raise(SIGTERM);
  EXPECT_TRUE(interrupted());
}

}  // namespace
}  // namespace ppdnmf::host
