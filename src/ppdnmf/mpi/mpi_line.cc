#include <ppdnmf/mpi/mpi_line.h>

#include <fmt/format.h>
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
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
  MPI_Comm machine = MPI_COMM_NULL;
  int neighbours = 1;
  if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine) == MPI_SUCCESS) {
    MPI_Comm_size(machine, &neighbours);
    MPI_Comm_free(&machine);
  }
  session.usual_threads_ = threads_for(neighbours);
  if (provided < MPI_THREAD_SERIALIZED)
    return error(ErrorCode::kInternal, "this MPI cannot be called from more than one thread");
  return session;
}

Session::Session(Session&& other) noexcept
    : process_(other.process_),
      processes_(other.processes_),
      usual_threads_(other.usual_threads_),
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
  void long_for(MPI_Request& request) const {
    using Clock = std::chrono::steady_clock;
    constexpr int kYields = 200;
    constexpr auto kShortest = std::chrono::microseconds(20);
    constexpr auto kLongest = std::chrono::microseconds(1000);
    constexpr auto kPatience = std::chrono::milliseconds(500);
    constexpr auto kGivenUp = std::chrono::minutes(10);
    std::chrono::microseconds pause = kShortest;
    Clock::time_point told{};
    for (int turn = 0; !is_done(request); ++turn) {
      if (turn < kYields) {
        ::sched_yield();
        continue;
      }
      std::this_thread::sleep_for(pause);
      pause = std::min(kLongest, pause * 5 / 4);
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
    constexpr int kYields = 200000;
    for (int turn = 0; turn < kYields; ++turn) {
      if (is_done(request)) return;
      ::sched_yield();
    }
    long_for(request);
  }

 private:
  bool is_done(MPI_Request& request) const {
    int done = 0;
    line.check(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    return done != 0;
  }
};

MpiLine::MpiLine(const Session& session, LineEnd end) : processes_(session.processes()), end_(std::move(end)) {}

MpiLine::~MpiLine() = default;

void MpiLine::check(int status) {
  if (status == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  end_.lost(fmt::format("MPI: {}", std::string_view(text.data(), static_cast<std::size_t>(length))));
}

void MpiLine::announce(int process, std::size_t bytes, bool to_all) {
  const Head head{bytes, to_all ? 1U : 0U};
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Isend(&head, sizeof head, MPI_BYTE, process, kTag, MPI_COMM_WORLD, &request));
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
  Wait{*this}.shortly_for(request);
}

void MpiLine::send(int process, ByteSpan bytes) {
  announce(process, bytes.size(), false);
  if (bytes.size() > kEager) wait_until_ready(process);
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
  for (int process = 1; process < processes_; ++process) announce(process, task.size(), true);
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
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Irecv(&head, sizeof head, MPI_BYTE, process, kTag, MPI_COMM_WORLD, &request));
  Wait{*this}.long_for(request);
  Bytes bytes(head.bytes);
  if (head.to_all != 0 || bytes.size() > kEager) say_ready(process);
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
