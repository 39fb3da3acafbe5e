#include <ppdnmf/spread/part.h>

#include <optional>
#include <utility>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/data/cap.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/data/unit.h>
#include <ppdnmf/nmf/far_executor.h>
#include <ppdnmf/nmf/loss.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/nmf/prepared_x.h>
#include <ppdnmf/spread/coding.h>

namespace ppdnmf::spread {
namespace {

// The nonzero entries of a leaf, column by column: however its columns are kept, and whichever process has it.
Digest leaf_digest(const data::Columns& columns, const data::Range& leaf) {
  struct Entry {
    std::int64_t row;
    double value;
  };
  static_assert(sizeof(Entry) == 16, "a digest is over every byte of it");
  Sha256 digest;
  std::vector<Entry> entries;
  data::walk(columns, leaf, [&](const data::Block& block, const data::Range&) {
    for (Index m = 0; m < block.count; ++m) {
      entries.assign(1, {-1, 0});
      data::for_entries(block, m, [&](Index row, double z) {
        if (z != 0) entries.push_back({row, z});
      });
      digest.add({reinterpret_cast<const std::uint8_t*>(entries.data()), entries.size() * sizeof(Entry)});
    }
  });
  return digest.finish();
}

Matrix dense_block(const data::Columns& columns, const data::Range& range) {
  data::Scratch scratch;
  std::vector<double> space;
  const data::Block block = columns.lend(range, scratch);
  Matrix out(block.rows, block.count);
  for (Index m = 0; m < block.count; ++m)
    out.col(m) = Eigen::Map<const Eigen::VectorXd>(data::dense_column(block, m, space), block.rows);
  return out;
}

}  // namespace

Part::Part(int process, std::vector<std::uint8_t> at_work, Executor& executor, std::string version)
    : process_(process), at_work_(std::move(at_work)), executor_(executor), version_(std::move(version)) {}

const data::SharedColumns& Part::columns(ByteReader& in) { return columns(in.get<std::uint64_t>()); }

Result<Bytes> Part::carry_out(ByteSpan bytes) {
  ByteReader in(bytes);
  const auto task = static_cast<Task>(in.get<std::uint8_t>());
  if (task >= Task::kHello && task < Task::kLeafSums) return of_files(task, in);
  ByteWriter out(task == Task::kAnswer ? usual_size_ : 0);
  if (task == Task::kRows) {
    of_rows(in, out);
    return out.take();
  }
  if (task == Task::kDropColumns || (task >= Task::kLeafSums && task < Task::kBegin)) {
    if (task == Task::kDropColumns) {
      columns_.erase(in.get<std::uint64_t>());
    } else if (!share_.none()) {
      of_columns(task, in, out);
    }
    return out.take();
  }
  if (!share_.none()) of_holders(task, in, out);
  Bytes answer = out.take();
  if (task == Task::kAnswer) usual_size_ = answer.size() + 1;  // with the word of encode_outcome
  return answer;
}

void Part::of_rows(ByteReader& in, ByteWriter& out) {
  static_cast<void>(in.get<std::uint64_t>());
  const Matrix T = get_matrix(in);
  const Matrix S = get_matrix(in);
  Matrix X = get_matrix(in);
  const auto sweeps = in.get<std::int32_t>();
  const auto part = in.get<double>();
  const auto held = in.get<std::int64_t>();
  if (X.size() > 0) nmf::descend_rows_here({T, S, sweeps, part, held}, X, executor_);
  put(out, X);
}

Result<Bytes> Part::of_files(Task task, ByteReader& in) {
  ByteWriter out;
  if (task == Task::kHello) {
    out.put_string(version_);
  } else if (task != Task::kJoin) {
    PPDNMF_TRY_STATUS(sources_.carry_out(task, in, out));
  } else {
    const auto rows = in.get<std::int64_t>();
    const auto count = in.get<std::int64_t>();
    share_ = shares(rows, count, at_work_)[static_cast<std::size_t>(process_)];
    PPDNMF_TRY(io::JoinedTable joined, sources_.join(in.get<std::uint8_t>() != 0));
    PPDNMF_CHECK(joined.table.columns() == share_.columns.count);
    put(out, joined.notes);
    if (share_.none()) return out.take();
    io::Table& own = joined.table;
    columns_[0] = own.nonzeros ? data::own(*std::move(own.nonzeros)) : data::own(std::move(own.values));
  }
  return out.take();
}

void Part::change_columns(Task task, ByteReader& in) {
  const data::SharedColumns& before = columns(in);
  data::SharedColumns changed;
  if (task == Task::kUnit) {
    changed = data::unit_columns(before, static_cast<data::ColumnNorm>(in.get<std::uint8_t>()));
  } else {
    changed = data::capped_columns(before, in.get<double>(), executor_);
  }
  columns_[in.get<std::uint64_t>()] = std::move(changed);
}

void Part::of_columns(Task task, ByteReader& in, ByteWriter& out) {
  if (task == Task::kUnit || task == Task::kCapped) return change_columns(task, in);
  const data::Columns& own = *columns(in);
  if (task == Task::kLeafSums) {
    put_list(out, data::leaf_sums(own, share_.leaves, static_cast<data::SumOf>(in.get<std::uint8_t>()), executor_));
  } else if (task == Task::kRowTotals) {
    for (const auto& totals : data::leaf_row_totals(own, share_.leaves, executor_))
      out.put_array(totals.data(), totals.size());
  } else if (task == Task::kColumnTotals) {
    put_list(out, data::column_totals(own, executor_));
  } else if (task == Task::kLook) {
    data::EntriesSeen seen;
    data::look_at(own, seen);
    out.put<std::uint8_t>(seen.fit ? 1 : 0);
    out.put<std::uint8_t>(seen.finite ? 1 : 0);
    out.put(seen.largest);
  } else if (task == Task::kDigest) {
    std::vector<Digest> digests(share_.leaves.size());
    data::for_each_leaf(share_.leaves, executor_,
                        [&](std::size_t i, const data::Range& leaf) { digests[i] = leaf_digest(own, leaf); });
    put_list(out, digests);
  } else if (task == Task::kBlock) {
    put(out, dense_block(own, get_range(in)));
  } else if (task == Task::kRestore) {
    Matrix Y = get_matrix(in);
    own.restore_units(Y);
    put(out, Y);
  } else {
    PPDNMF_CHECK(task == Task::kBestFits);
    const Matrix X = get_matrix(in);
    const Matrix guess = get_matrix(in);
    for (const nmf::LocalFit& fit : nmf::best_fits(X, own, share_.leaves, guess, executor_)) {
      out.put(fit.squared_error);
      out.put(fit.squared_norm);
    }
  }
}

void Part::make_holder(ByteReader& in) {
  const auto number = in.get<std::uint64_t>();
  const data::SharedColumns& own = columns(in);
  holders_[number].holder =
      std::make_unique<nmf::PartHolder>(own, share_.leaves, share_.branches, executor_, nmf::loss_of(get_loss(in)));
}

void Part::take_board(ByteReader& in, ByteWriter& out, Held& held) {
  const std::string name = in.get_string();
  Board::Shape shape;
  shape.rows = in.get<std::int64_t>();
  shape.rank = in.get<std::int64_t>();
  shape.of_branch = in.get<std::uint64_t>();
  shape.branches = in.get<std::uint64_t>();
  held.first_branch = in.get<std::uint64_t>();
  Result<host::CommonMemory> memory = host::CommonMemory::open(name, shape.bytes());
  out.put<std::uint8_t>(memory ? 1 : 0);
  if (memory) held.board.emplace(*std::move(memory), shape);
}

void Part::answer_there(ByteReader& in, ByteWriter& out, Held& held) {
  PPDNMF_CHECK(held.board.has_value());
  nmf::DescentRequest request = get_request(in);
  request.X.swap(held.X);
  held.board->get_X(request.X, executor_);
  const bool is_prepared = in.get<std::uint8_t>() != 0;
  const Board::Prepared there = held.board->prepared();
  const nmf::PreparedX prepared{there.grouped, there.gram};
  std::vector<nmf::Moments> branches = held.holder->answer_branches(request, is_prepared ? &prepared : nullptr);
  out.put<std::uint8_t>(held.holder->wants_prepared() ? 1 : 0);
  request.X.swap(held.X);
  for (std::size_t i = 0; i < branches.size(); ++i) {
    if (request.measure_only) {  // nobody looks at them
      branches[i].S.resize(0, 0);
      branches[i].T.resize(0, 0);
    }
    held.board->put(held.first_branch + i, branches[i], out, executor_);
  }
  held.holder->take_memory(std::move(branches.front()));
}

void Part::of_holders(Task task, ByteReader& in, ByteWriter& out) {
  if (task == Task::kHolder) return make_holder(in);
  const auto number = in.get<std::uint64_t>();
  if (task == Task::kDropHolder) return static_cast<void>(holders_.erase(number));
  Held& held = holders_.at(number);
  nmf::PartHolder& own = *held.holder;
  if (task == Task::kEnter) {
    own.enter(columns(in));
  } else if (task == Task::kSettle) {
    own.settle(in.get<std::uint8_t>() != 0);
  } else if (task == Task::kGauge) {
    own.take_gauge(get_list<double>(in));
  } else if (task == Task::kBegin) {
    const auto rank = in.get<std::int64_t>();
    put_list(out, own.begin_leaves(rank, in.get<double>()));
  } else if (task == Task::kBoard) {
    take_board(in, out, held);
  } else if (task == Task::kAnswerThere) {
    answer_there(in, out, held);
  } else if (task == Task::kAnswer) {
    for (const nmf::Moments& moments : own.answer_branches(get_request(in))) put(out, moments);
  } else if (task == Task::kBounded) {
    const nmf::Bounds bounds = get_bounds(in);
    const Matrix X = get_matrix(in);
    const Matrix basis = get_matrix(in);
    put(out, own.bounded_branches(X, bounds, basis.size() == 0 ? nullptr : &basis));
  } else if (task == Task::kRounded) {
    const nmf::RoundedSecondMoments rounded = own.rounded_second_moments(in.get<std::int32_t>());
    put_list(out, rounded.values);
    out.put<std::int64_t>(rounded.shortened);
  } else if (task == Task::kSecond) {
    Matrix G = get_matrix(in);
    own.add_second_moments(G);
    put(out, G);
  } else if (task == Task::kY) {
    put(out, own.Y());
  } else if (task == Task::kGetState) {
    put(out, own.coordinates());
  } else {
    PPDNMF_CHECK(task == Task::kPutState);
    own.take_coordinates(get_coordinates(in));
  }
}

// The word whether it failed comes last: long answers are not moved for it.
Bytes encode_outcome(Result<Bytes> outcome) {
  if (outcome) {
    outcome->push_back(1);
    return *std::move(outcome);
  }
  ByteWriter out;
  out.put(static_cast<std::int32_t>(outcome.error().code));
  out.put_string(outcome.error().message);
  out.put<std::uint8_t>(0);
  return out.take();
}

Result<Bytes> decode_outcome(Bytes bytes) {
  PPDNMF_CHECK(!bytes.empty());
  const bool good = bytes.back() != 0;
  bytes.pop_back();
  if (good) return bytes;
  ByteReader in(bytes);
  const auto code = static_cast<ErrorCode>(in.get<std::int32_t>());
  return tl::unexpected(Error{code, in.get_string()});
}

void serve(Line& line, int process, const std::string& version,
           const std::function<Executor&(std::size_t threads)>& set_threads) {
  std::optional<Part> part;
  for (;;) {
    const Bytes bytes = line.next_task();
    PPDNMF_CHECK(!bytes.empty());
    const auto task = static_cast<Task>(bytes.front());
    if (task == Task::kEnd) return;
    if (task == Task::kThreads) {
      ByteReader in(ByteSpan(bytes).subspan(1));
      const auto threads = in.get<std::uint64_t>();
      part.emplace(process, get_list<std::uint8_t>(in), set_threads(threads), version);
      continue;
    }
    PPDNMF_CHECK(part.has_value());
    Result<Bytes> outcome = part->carry_out(bytes);
    if (is_answered(task)) line.answer(encode_outcome(std::move(outcome)));
  }
}

}  // namespace ppdnmf::spread
