// How much of a run's time goes into the cipher.
#ifndef PPDNMF_RUN_TIMED_CIPHER_H_
#define PPDNMF_RUN_TIMED_CIPHER_H_

#include <atomic>
#include <ctime>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/protocol/neighbours/cipher.h>

namespace ppdnmf::run {

inline double clock_seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Processor time of all threads.
inline double processor_seconds() { return clock_seconds(CLOCK_PROCESS_CPUTIME_ID); }

// Adds up processor time from any thread.
class CryptoClock {
 public:
  void add(double seconds) { nanoseconds_ += static_cast<std::int64_t>(1e9 * seconds); }
  [[nodiscard]] double seconds() const { return 1e-9 * static_cast<double>(nanoseconds_); }

 private:
  std::atomic<std::int64_t> nanoseconds_{0};
};

// An executor for ciphers under a TimedCipher: counts the time of tasks that other threads than the caller's take over.
class TimedExecutor final : public Executor {
 public:
  TimedExecutor(Executor& executor, CryptoClock& clock) : executor_(executor), clock_(clock) {}

  void for_each(std::size_t count, const std::function<void(std::size_t)>& task) override {
    const std::thread::id caller = std::this_thread::get_id();
    executor_.for_each(count, [&](std::size_t i) {
      const double before = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
      task(i);
      if (std::this_thread::get_id() != caller) clock_.add(clock_seconds(CLOCK_THREAD_CPUTIME_ID) - before);
    });
  }
  [[nodiscard]] std::size_t threads() const override { return executor_.threads(); }

 private:
  Executor& executor_;
  CryptoClock& clock_;
};

// Runs `work` with a clock around it.
inline void add_time_of(CryptoClock& clock, const std::function<void()>& work) {
  const double before = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
  work();
  clock.add(clock_seconds(CLOCK_THREAD_CPUTIME_ID) - before);
}

// Another cipher with a clock around it: the time of the thread that calls it.
class TimedCipher final : public protocol::neighbours::Cipher {
 private:
  template <typename Work>
  auto timed(Work&& work) {
    const double before = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    auto result = work();
    clock_.add(clock_seconds(CLOCK_THREAD_CPUTIME_ID) - before);
    return result;
  }

 public:
  TimedCipher(std::unique_ptr<protocol::neighbours::Cipher> cipher, CryptoClock& clock)
      : cipher_(std::move(cipher)), clock_(clock) {}

  [[nodiscard]] Bytes greeting(AgentId to) override {
    return timed([&] { return cipher_->greeting(to); });
  }
  [[nodiscard]] Status accept_greeting(AgentId from, ByteSpan payload) override {
    return timed([&] { return cipher_->accept_greeting(from, payload); });
  }
  [[nodiscard]] std::size_t max_greeting_bytes() const override { return cipher_->max_greeting_bytes(); }
  [[nodiscard]] std::size_t payload_bytes() const override { return cipher_->payload_bytes(); }
  void salt(const Digest& salt) override { cipher_->salt(salt); }
  bool prepare_query(protocol::Round round) override {
    return timed([&] { return cipher_->prepare_query(round); });
  }
  bool prepare_reply(protocol::Round round, AgentId asker) override {
    return timed([&] { return cipher_->prepare_reply(round, asker); });
  }
  [[nodiscard]] Result<Bytes> make_query(protocol::Round round, std::span<const std::int64_t> minus_u) override {
    return timed([&] { return cipher_->make_query(round, minus_u); });
  }
  [[nodiscard]] Result<Bytes> make_reply(protocol::Round round, AgentId asker, ByteSpan query,
                                         const protocol::neighbours::ReplyTerms& terms) override {
    return timed([&] { return cipher_->make_reply(round, asker, query, terms); });
  }
  [[nodiscard]] Result<std::vector<std::int64_t>> open(
      protocol::Round round, std::span<const protocol::neighbours::ReceivedReply> replies) override {
    return timed([&] { return cipher_->open(round, replies); });
  }

 private:
  std::unique_ptr<protocol::neighbours::Cipher> cipher_;
  CryptoClock& clock_;
};

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_TIMED_CIPHER_H_
