#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

#include "host/interrupt.h"
#include "host/parent.h"
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

TEST(Interrupt, IsRememberedInsteadOfEndingTheProcess) {
  catch_interrupts();
  EXPECT_FALSE(interrupted());
  std::raise(SIGTERM);
  EXPECT_TRUE(interrupted());
}

// A process that starts another, which asks to be ended with it, and is then killed.
TEST(EndWithParent, AChildDoesNotOutliveItsParent) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const pid_t parent = ::fork();
  ASSERT_GE(parent, 0);
  if (parent == 0) {
    if (::fork() == 0) {
      const char ready = end_with_parent() ? 'y' : 'n';
      if (::write(ends[1], &ready, 1) != 1) std::_Exit(1);
    }
    while (true) ::pause();
  }
  ::close(ends[1]);
  char ready = '?';
  ASSERT_EQ(::read(ends[0], &ready, 1), 1);
  EXPECT_EQ(ready, 'y');
  ASSERT_EQ(::kill(parent, SIGKILL), 0);
  int status = 0;
  EXPECT_EQ(::waitpid(parent, &status, 0), parent);
  // The pipe is closed when its last writer, the child's child, is gone.
  pollfd place{ends[0], POLLIN, 0};
  constexpr int kMilliseconds = 20'000;
  ASSERT_EQ(::poll(&place, 1, kMilliseconds), 1) << "the child lives on";
  EXPECT_EQ(::read(ends[0], &ready, 1), 0);
  ::close(ends[0]);
}

}  // namespace
}  // namespace ppdnmf
