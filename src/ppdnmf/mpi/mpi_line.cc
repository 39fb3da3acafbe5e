#include <ppdnmf/mpi/mpi_line.h>

#include <fmt/format.h>
#include <linux/futex.h>
#include <mpi.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace ppdnmf::mpi {
namespace {

constexpr int kTag = 1;
constexpr int kReadyTag = 2;
// So many bytes travel without waiting for the receiver.
constexpr std::size_t kEager = 2048;
constexpr std::size_t kPiece = std::size_t{1} << 28U;  // MPI counts with int
// From this size on a task for all goes along a tree of processes.
constexpr std::size_t kWorthATree = std::size_t{1} << 16U;

// In front of every message.
struct Head {
  std::uint64_t bytes = 0;
  std::uint64_t to_all = 0;
};

// Rung by whoever has sent something. Each lies in a line of the cache of its own.
struct alignas(64) Bell {
  std::atomic<std::uint32_t> rung;
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "several processes see it");

Bell& bell_of(const host::CommonMemory& bells, int process) { return static_cast<Bell*>(bells.data())[process]; }

// Until it has been rung more often than that, but not much longer than so long.
void sleep_until_rung(Bell& bell, std::uint32_t rung, std::chrono::nanoseconds longest) {
  const timespec time{0, static_cast<long>(longest.count())};
  (void)::syscall(SYS_futex, &bell.rung, FUTEX_WAIT, rung, &time, nullptr, 0);
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::size_t threads_for(int neighbours) {
  const auto there = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  cpu_set_t own;
  CPU_ZERO(&own);
  const bool known = ::sched_getaffinity(0, sizeof own, &own) == 0;
  const auto mine = known ? static_cast<std::size_t>(CPU_COUNT(&own)) : there;
  // MPI may have bound this process to some processors, which hardware_concurrency() counts; then they are its own.
  const auto online = static_cast<std::size_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  return std::max<std::size_t>(1, std::min(mine, online / static_cast<std::size_t>(neighbours)));
}

}  // namespace

Result<Session> Session::start(int& argc, char**& argv) {
  // One process that reads another's memory needs a permission that agents do not give (prctl(2), PR_SET_DUMPABLE).
  (void)::setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
  int provided = 0;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS)
    return error(ErrorCode::kInternal, "MPI cannot be started");
  Session session;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &session.process_);
  MPI_Comm_size(MPI_COMM_WORLD, &session.processes_);
  session.look_at_machine();
  session.usual_threads_ = threads_for(session.neighbours_);
  session.share_work();
  session.hang_bells();
  if (provided < MPI_THREAD_SERIALIZED)
    return error(ErrorCode::kInternal, "this MPI cannot be called from more than one thread");
  return session;
}

void Session::look_at_machine() {
  std::array<std::uint8_t, CPU_SETSIZE> own{};
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0) {
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = CPU_ISSET(i, &set) ? 1 : 0;
  }
  std::array<std::uint8_t, CPU_SETSIZE> all = own;
  MPI_Comm machine = MPI_COMM_NULL;
  if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine) == MPI_SUCCESS) {
    MPI_Comm_size(machine, &neighbours_);
    MPI_Comm_rank(machine, &place_);
    MPI_Allreduce(own.data(), all.data(), static_cast<int>(all.size()), MPI_BYTE, MPI_BOR, machine);
    MPI_Comm_free(&machine);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] != 0) processors_.push_back(static_cast<int>(i));
  }
}

void Session::share_work() {
  const std::string said = environment("PPDNMF_MPI_PROCESSORS");
  const auto processors = said.empty() ? processors_.size() : std::strtoul(said.c_str(), nullptr, 10);
  const std::uint8_t own = static_cast<std::size_t>(place_) < std::max<std::size_t>(1, processors) ? 1 : 0;
  at_work_.resize(static_cast<std::size_t>(processes_));
  MPI_Allgather(&own, 1, MPI_BYTE, at_work_.data(), 1, MPI_BYTE, MPI_COMM_WORLD);
}

void Session::hang_bells() {
  int common = neighbours_ == processes_ && processes_ > 1 && environment("PPDNMF_MPI_ONE_MACHINE") != "0" ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &common, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (common == 0) return;
  const std::size_t bytes = static_cast<std::size_t>(processes_) * sizeof(Bell);
  std::array<char, 64> name{};
  std::optional<host::CommonMemory> bells;
  if (process_ == 0) {
    if (Result<host::CommonMemory> made = host::CommonMemory::create(bytes)) {
      made->name().copy(name.data(), name.size() - 1);
      bells.emplace(*std::move(made));
    }
  }
  MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  if (process_ > 0 && name[0] != 0) {
    if (Result<host::CommonMemory> opened = host::CommonMemory::open(name.data(), bytes))
      bells.emplace(*std::move(opened));
  }
  common = bells ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &common, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (bells) bells->forget_name();
  if (common != 0) bells_.emplace(*std::move(bells));
}

std::size_t Session::threads_beside(std::size_t of_each) const {
  return std::max(of_each, std::min(processors_.size(), of_each * static_cast<std::size_t>(neighbours_)));
}

void Session::on_all_processors(const std::function<void()>& start) const {
  cpu_set_t own;
  CPU_ZERO(&own);
  const bool known = ::sched_getaffinity(0, sizeof own, &own) == 0;
  cpu_set_t all;
  CPU_ZERO(&all);
  for (const int processor : processors_) CPU_SET(processor, &all);
  if (known) (void)::sched_setaffinity(0, sizeof all, &all);
  start();
  if (known) (void)::sched_setaffinity(0, sizeof own, &own);
}

Session::Session(Session&& other) noexcept
    : process_(other.process_),
      processes_(other.processes_),
      neighbours_(other.neighbours_),
      place_(other.place_),
      usual_threads_(other.usual_threads_),
      processors_(std::move(other.processors_)),
      at_work_(std::move(other.at_work_)),
      bells_(std::move(other.bells_)),
      open_(std::exchange(other.open_, false)) {}

Session::~Session() {
  if (open_) MPI_Finalize();
}

void Session::abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);  // MPI_Abort may come back
}

// Something that MPI has begun, until it is done.
struct MpiLine::Wait {
  MpiLine& line;

  // As long as another process works, or a network is silent: asleep in between.
  void long_for(MPI_Request& request, bool somebody_rings = true) const {
    using Clock = std::chrono::steady_clock;
    constexpr auto kAwake = std::chrono::microseconds(100);
    constexpr auto kShortest = std::chrono::microseconds(20);
    constexpr auto kLongest = std::chrono::microseconds(1000);
    constexpr auto kLongestAtBell = std::chrono::microseconds(10000);
    constexpr auto kPatience = std::chrono::milliseconds(500);
    constexpr auto kGivenUp = std::chrono::minutes(10);
    std::chrono::microseconds pause = kShortest;
    Clock::time_point told{};
    // By the clock: on a busy machine whoever yields comes back after milliseconds.
    if (is_done_within(kAwake, request)) return;
    for (;;) {
      Bell* const bell =
          somebody_rings && line.session_.bells_ ? &bell_of(*line.session_.bells_, line.session_.process()) : nullptr;
      const std::uint32_t rung = bell != nullptr ? bell->rung.load() : 0;
      if (is_done(request)) return;
      if (bell != nullptr) {
        sleep_until_rung(*bell, rung, pause);
      } else {
        std::this_thread::sleep_for(pause);
      }
      pause = std::min(bell != nullptr ? kLongestAtBell : kLongest, pause * 5 / 4);
      if (!line.end_.told_to_stop || !line.end_.told_to_stop()) continue;
      if (told == Clock::time_point{}) told = Clock::now();
      const auto waited = Clock::now() - told;
      if (waited > kGivenUp) line.end_.lost("another process of this run does not answer");
      if (waited > kPatience && !std::exchange(line.warned_, true))
        line.end_.warn("another process of this run was lost, or all were told to stop and one is still at work");
    }
  }
  // While bytes flow, which they do only as often as both sides look: without sleep, unless nothing comes for long.
  void shortly_for(MPI_Request& request) const {
    constexpr auto kAwake = std::chrono::milliseconds(200);
    if (!is_done_within(kAwake, request)) long_for(request, false);
  }

 private:
  bool is_done_within(std::chrono::microseconds time, MPI_Request& request) const {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end = Clock::now() + time;
    do {
      if (is_done(request)) return true;
      ::sched_yield();
    } while (Clock::now() < end);
    return false;
  }
  bool is_done(MPI_Request& request) const {
    int done = 0;
    line.check(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    return done != 0;
  }
};

MpiLine::MpiLine(const Session& session, LineEnd end)
    : session_(session), processes_(session.processes()), end_(std::move(end)) {}

MpiLine::~MpiLine() = default;

void MpiLine::check(int status) {
  if (status == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  end_.lost(fmt::format("MPI: {}", std::string_view(text.data(), static_cast<std::size_t>(length))));
}

// Whoever sleeps for what has just been sent.
void MpiLine::wake(int process) const {
  if (!session_.bells_) return;
  Bell& bell = bell_of(*session_.bells_, process);
  bell.rung.fetch_add(1);
  (void)::syscall(SYS_futex, &bell.rung, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

// With the message itself if it is short.
void MpiLine::announce(int process, ByteSpan bytes, bool to_all) {
  const Head head{bytes.size(), to_all ? 1U : 0U};
  std::array<std::uint8_t, sizeof head + kEager> first{};
  std::memcpy(first.data(), &head, sizeof head);
  std::size_t size = sizeof head;
  if (bytes.size() <= kEager) {
    std::copy(bytes.begin(), bytes.end(), first.begin() + sizeof head);
    size += bytes.size();
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Isend(first.data(), static_cast<int>(size), MPI_BYTE, process, kTag, MPI_COMM_WORLD, &request));
  wake(process);
  Wait{*this}.long_for(request);
}

// A long message flows when the receiver is there: until it says so the sender may sleep.
void MpiLine::wait_until_ready(int process) {
  std::uint8_t ready = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Irecv(&ready, 1, MPI_BYTE, process, kReadyTag, MPI_COMM_WORLD, &request));
  Wait{*this}.long_for(request);
}

void MpiLine::say_ready(int process) {
  const std::uint8_t ready = 1;
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Isend(&ready, 1, MPI_BYTE, process, kReadyTag, MPI_COMM_WORLD, &request));
  wake(process);
  Wait{*this}.shortly_for(request);
}

void MpiLine::send(int process, ByteSpan bytes) {
  announce(process, bytes, false);
  if (bytes.size() <= kEager) return;
  wait_until_ready(process);
  for (std::size_t done = 0; done < bytes.size(); done += kPiece) {
    const auto count = static_cast<int>(std::min(kPiece, bytes.size() - done));
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Isend(bytes.data() + done, count, MPI_BYTE, process, kTag, MPI_COMM_WORLD, &request));
    Wait{*this}.shortly_for(request);
  }
}

void MpiLine::tell_all(ByteSpan task) {
  if (task.size() < kWorthATree) {
    for (int process = 1; process < processes_; ++process) send(process, task);
    return;
  }
  for (int process = 1; process < processes_; ++process) announce(process, task, true);
  for (int process = 1; process < processes_; ++process) wait_until_ready(process);
  // Process 0 only reads what it sends.
  auto* const from = const_cast<std::uint8_t*>(task.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  if (processes_ > 1) along_the_tree(from, task.size());
}

void MpiLine::along_the_tree(std::uint8_t* bytes, std::size_t size) {
  for (std::size_t done = 0; done < size; done += kPiece) {
    const auto count = static_cast<int>(std::min(kPiece, size - done));
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibcast(bytes + done, count, MPI_BYTE, 0, MPI_COMM_WORLD, &request));
    Wait{*this}.shortly_for(request);
  }
}

Bytes MpiLine::receive(int process) {
  Head head;
  std::array<std::uint8_t, sizeof head + kEager> first{};
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Irecv(first.data(), static_cast<int>(first.size()), MPI_BYTE, process, kTag, MPI_COMM_WORLD, &request));
  Wait{*this}.long_for(request);
  std::memcpy(&head, first.data(), sizeof head);
  if (head.bytes <= kEager) return {first.begin() + sizeof head, first.begin() + sizeof head + head.bytes};
  Bytes bytes(head.bytes);
  say_ready(process);
  if (head.to_all != 0) {
    along_the_tree(bytes.data(), bytes.size());
    return bytes;
  }
  for (std::size_t done = 0; done < bytes.size(); done += kPiece) {
    const auto count = static_cast<int>(std::min(kPiece, bytes.size() - done));
    check(MPI_Irecv(bytes.data() + done, count, MPI_BYTE, process, kTag, MPI_COMM_WORLD, &request));
    Wait{*this}.shortly_for(request);
  }
  return bytes;
}

void MpiLine::tell(int process, ByteSpan task) { send(process, task); }
Bytes MpiLine::hear(int process) { return receive(process); }
Bytes MpiLine::next_task() { return receive(0); }
void MpiLine::answer(ByteSpan answer) { send(0, answer); }

}  // namespace ppdnmf::mpi
