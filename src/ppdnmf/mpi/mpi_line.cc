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

  template <typename Done>
  void until(const Done& done) const {
    using Clock = std::chrono::steady_clock;
    constexpr int kYields = 200;
    constexpr auto kShortest = std::chrono::microseconds(20);
    constexpr auto kLongest = std::chrono::microseconds(1000);
    constexpr auto kPatience = std::chrono::milliseconds(500);
    std::chrono::microseconds pause = kShortest;
    Clock::time_point told{};
    for (int turn = 0;; ++turn) {
      int over = 0;
      line.check(done(&over));
      if (over != 0) return;
      if (turn < kYields) {
        ::sched_yield();
        continue;
      }
      std::this_thread::sleep_for(pause);
      pause = std::min(kLongest, pause * 5 / 4);
      if (!line.end_.told_to_stop || !line.end_.told_to_stop()) continue;
      if (told == Clock::time_point{}) told = Clock::now();
      if (Clock::now() - told > kPatience)
        line.end_.lost("another process of this run has ended, or all were told to stop");
    }
  }
  void until(MPI_Request& request) const {
    until([&](int* over) { return MPI_Test(&request, over, MPI_STATUS_IGNORE); });
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

void MpiLine::send(int process, ByteSpan bytes, bool to_all) {
  const Wait wait{*this};
  const Head head{bytes.size(), to_all ? 1U : 0U};
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Isend(&head, sizeof head, MPI_BYTE, process, kTag, MPI_COMM_WORLD, &request));
  wait.until(request);
  for (std::size_t done = 0; !to_all && done < bytes.size(); done += kPiece) {
    const auto count = static_cast<int>(std::min(kPiece, bytes.size() - done));
    check(MPI_Isend(bytes.data() + done, count, MPI_BYTE, process, kTag, MPI_COMM_WORLD, &request));
    wait.until(request);
  }
}

void MpiLine::send_to_all(ByteSpan bytes) {
  const Wait wait{*this};
  for (std::size_t done = 0; done < bytes.size(); done += kPiece) {
    const auto count = static_cast<int>(std::min(kPiece, bytes.size() - done));
    MPI_Request request = MPI_REQUEST_NULL;
    // Process 0 only reads what it sends.
    auto* const from = const_cast<std::uint8_t*>(bytes.data() + done);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    check(MPI_Ibcast(from, count, MPI_BYTE, 0, MPI_COMM_WORLD, &request));
    wait.until(request);
  }
}

Bytes MpiLine::receive(int process) {
  const Wait wait{*this};
  Head head;
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Irecv(&head, sizeof head, MPI_BYTE, process, kTag, MPI_COMM_WORLD, &request));
  wait.until(request);
  Bytes bytes(head.bytes);
  for (std::size_t done = 0; done < bytes.size(); done += kPiece) {
    const auto count = static_cast<int>(std::min(kPiece, bytes.size() - done));
    if (head.to_all != 0) {
      check(MPI_Ibcast(bytes.data() + done, count, MPI_BYTE, 0, MPI_COMM_WORLD, &request));
    } else {
      check(MPI_Irecv(bytes.data() + done, count, MPI_BYTE, process, kTag, MPI_COMM_WORLD, &request));
    }
    wait.until(request);
  }
  return bytes;
}

void MpiLine::tell_all(ByteSpan task) {
  const bool tree = task.size() >= kWorthATree;
  for (int process = 1; process < processes_; ++process) send(process, task, tree);
  if (tree && processes_ > 1) send_to_all(task);
}

void MpiLine::tell(int process, ByteSpan task) { send(process, task, false); }
Bytes MpiLine::hear(int process) { return receive(process); }
Bytes MpiLine::next_task() { return receive(0); }
void MpiLine::answer(ByteSpan answer) { send(0, answer, false); }

}  // namespace ppdnmf::mpi
