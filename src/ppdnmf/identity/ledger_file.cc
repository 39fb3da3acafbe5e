#include <ppdnmf/identity/ledger_file.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <optional>
#include <system_error>
#include <utility>

#include <ppdnmf/identity/entropy.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/privacy/ledger.h>

namespace ppdnmf::identity {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 24;
constexpr std::uint64_t kMaxColumnBytes = std::uint64_t{1} << 36;

// Held as long as it lives. A file of its own, since the ledger's is replaced while the lock is held.
class Lock {
 public:
  explicit Lock(const std::filesystem::path& path)
      : file_(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, io::kModeSecret)) {
    if (file_ < 0) return;
    int locked = 0;
    do {
      locked = ::flock(file_, LOCK_EX);
    } while (locked != 0 && errno == EINTR);
    held_ = locked == 0;
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  Lock(Lock&&) = delete;
  Lock& operator=(Lock&&) = delete;
  ~Lock() {
    if (file_ >= 0) ::close(file_);
  }
  [[nodiscard]] bool held() const { return held_; }

 private:
  int file_;
  bool held_ = false;
};

// Both files as they would be afterwards.
struct Debited {
  privacy::Ledger names;
  privacy::ColumnLedger columns;
};

std::filesystem::path columns_path(std::filesystem::path ledger) { return ledger += ".columns"; }

// Nothing: there is no such file.
Result<std::optional<privacy::ColumnLedger>> read_columns(const std::filesystem::path& ledger) {
  const std::filesystem::path path = columns_path(ledger);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::optional<privacy::ColumnLedger>();
  PPDNMF_TRY(const Bytes bytes, io::read_file(path, kMaxColumnBytes));
  auto columns = privacy::ColumnLedger::parse(bytes);
  if (!columns) return at(path.string(), std::move(columns).error());
  return std::optional(*std::move(columns));
}

privacy::ColumnLedger new_columns() {
  const Seed secret = draw_seed();
  privacy::ColumnKey key{};
  std::copy_n(secret.reveal_secret_bytes().begin(), key.size(), key.begin());
  return privacy::ColumnLedger(key);
}

Result<privacy::Ledger> read_names(const std::filesystem::path& path, const std::string& name) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return error(
        ErrorCode::kFile,
        "{}: is not there: make it, with a line 'data {} epsilon E delta D' that says what all runs over these "
        "data together may spend",
        path.string(), name);
  }
  PPDNMF_TRY(const Bytes bytes, io::read_file(path, kMaxBytes));
  auto ledger = privacy::Ledger::parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!ledger) return at(path.string(), std::move(ledger).error());
  return ledger;
}

Result<Debited> debited(const std::filesystem::path& path, const std::string& name, const std::string& run, double rho,
                        const LedgerColumns& columns) {
  PPDNMF_TRY(privacy::Ledger names, read_names(path, name));
  PPDNMF_TRY(std::optional<privacy::ColumnLedger> before, read_columns(path));
  Debited out{std::move(names), before ? *std::move(before) : new_columns()};
  std::vector<privacy::ColumnDigest> digests = column_digests(out.columns.key(), columns);
  privacy::Spent known = out.columns.find(digests).spent;
  // Whoever was killed between the two files was let in already.
  if (known.runs.contains(run)) known.largest = 0;
  auto taken = out.names.debit(name, run, rho, known);
  if (taken) taken = out.columns.debit(run, rho, std::move(digests));
  if (!taken) return at(path.string(), std::move(taken).error());
  return out;
}

}  // namespace

std::vector<privacy::ColumnDigest> column_digests(const privacy::ColumnKey& key, const LedgerColumns& columns) {
  std::vector<Index> order(static_cast<std::size_t>(columns.columns->rows()));
  std::iota(order.begin(), order.end(), Index{0});
  if (!columns.row_names.empty()) {
    PPDNMF_CHECK(columns.row_names.size() == order.size());
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
      return columns.row_names[static_cast<std::size_t>(a)] < columns.row_names[static_cast<std::size_t>(b)];
    });
  }
  std::vector<privacy::ColumnDigest> out;
  std::vector<double> column(order.size());
  std::vector<double> space;
  data::walk(*columns.columns, {0, columns.columns->count()}, [&](const data::Block& block, const data::Range&) {
    for (Index m = 0; m < block.count; ++m) {
      const double* const z = data::dense_column(block, m, space);
      std::transform(order.begin(), order.end(), column.begin(), [&](Index l) { return z[l] + 0.0; });  // -0 is 0
      if (std::any_of(column.begin(), column.end(), [](double entry) { return entry != 0; }))
        out.push_back(privacy::digest_of_column(key, column));
    }
  });
  for (const std::string& person : columns.persons) out.push_back(privacy::digest_of_person(key, person));
  return out;
}

Status debit_ledger(const std::filesystem::path& path, const std::string& name, const std::string& run, double rho,
                    const LedgerColumns& columns) {
  std::filesystem::path lock_path = path;
  lock_path += ".lock";
  const Lock lock(lock_path);
  if (!lock.held())
    return error(ErrorCode::kFile, "{}: cannot be locked: {}", lock_path.string(), std::strerror(errno));
  PPDNMF_TRY(const Debited after, debited(path, name, run, rho, columns));
  PPDNMF_TRY_STATUS(io::write_file(columns_path(path), after.columns.bytes(), io::kModeSecret));
  return io::write_file(path, after.names.text(), io::kModeSecret);
}

Status check_ledger(const std::filesystem::path& path, const std::string& name, const std::string& run, double rho,
                    const LedgerColumns& columns) {
  return debited(path, name, run, rho, columns).map([](const Debited&) {});
}

Result<std::size_t> known_columns(const std::filesystem::path& path, const LedgerColumns& columns) {
  PPDNMF_TRY(const std::optional<privacy::ColumnLedger> ledger, read_columns(path));
  return ledger ? ledger->find(column_digests(ledger->key(), columns)).columns : 0;
}

}  // namespace ppdnmf::identity
