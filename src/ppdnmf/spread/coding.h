// What travels between the processes of one site, as bytes. They run the same program on machines of one kind
// (Part::hello), so that a number is its bytes in memory; what does not fit is a defect, and found before memory is
// taken.
#ifndef PPDNMF_SPREAD_CODING_H_
#define PPDNMF_SPREAD_CODING_H_

#include <string>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/nmf/loss_options.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/nmf/moments.h>
#include <ppdnmf/nmf/part_holder.h>

namespace ppdnmf::spread {

void put(ByteWriter& out, const Matrix& matrix);
[[nodiscard]] Matrix get_matrix(ByteReader& in);

// Lists of numbers, with their length in front.
template <typename T>
void put_list(ByteWriter& out, const std::vector<T>& list) {
  out.put<std::uint64_t>(list.size());
  out.put_array(list.data(), list.size());
}
template <typename T>
[[nodiscard]] std::vector<T> get_list(ByteReader& in) {
  std::vector<T> list(std::min<std::uint64_t>(in.get<std::uint64_t>(), in.left() / sizeof(T)));
  in.get_array(list.data(), list.size());
  return list;
}
// The numbers of all lists, one list in each answer.
[[nodiscard]] std::vector<double> numbers_of(const std::vector<Bytes>& answers);
void put(ByteWriter& out, const std::vector<std::string>& names);
[[nodiscard]] std::vector<std::string> get_names(ByteReader& in);

void put(ByteWriter& out, const data::Range& range);
[[nodiscard]] data::Range get_range(ByteReader& in);

void put(ByteWriter& out, const nmf::LossOptions& options);
[[nodiscard]] nmf::LossOptions get_loss(ByteReader& in);
// `with_X`: false if whoever gets it has X from elsewhere.
void put(ByteWriter& out, const nmf::DescentRequest& request, bool with_X = true);
[[nodiscard]] nmf::DescentRequest get_request(ByteReader& in);
void put(ByteWriter& out, const nmf::Moments& moments);
[[nodiscard]] nmf::Moments get_moments(ByteReader& in);
void put(ByteWriter& out, const nmf::Bounds& bounds);
[[nodiscard]] nmf::Bounds get_bounds(ByteReader& in);
void put(ByteWriter& out, const nmf::PartHolder::BoundedBranches& branches);
[[nodiscard]] nmf::PartHolder::BoundedBranches get_bounded(ByteReader& in);
void put(ByteWriter& out, const nmf::PartHolder::Coordinates& coordinates);
[[nodiscard]] nmf::PartHolder::Coordinates get_coordinates(ByteReader& in);

// Values, or nonzero entries, with their names.
void put(ByteWriter& out, const io::Table& table);
[[nodiscard]] io::Table get_table(ByteReader& in);

}  // namespace ppdnmf::spread

#endif  // PPDNMF_SPREAD_CODING_H_
