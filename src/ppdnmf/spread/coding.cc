#include <ppdnmf/spread/coding.h>

#include <utility>

namespace ppdnmf::spread {
namespace {

bool get_flag(ByteReader& in) { return in.get<std::uint8_t>() != 0; }
void put_flag(ByteWriter& out, bool flag) { out.put<std::uint8_t>(flag ? 1 : 0); }

}  // namespace

void put(ByteWriter& out, const Matrix& matrix) {
  out.put<std::int64_t>(matrix.rows());
  out.put<std::int64_t>(matrix.cols());
  out.put_array(matrix.data(), static_cast<std::size_t>(matrix.size()));
}

Matrix get_matrix(ByteReader& in) {
  const auto rows = in.get<std::int64_t>();
  const auto columns = in.get<std::int64_t>();
  const auto there = static_cast<std::int64_t>(in.left() / sizeof(double));
  PPDNMF_CHECK(rows >= 0 && columns >= 0 && (rows == 0 || columns <= there / rows));
  Matrix matrix(rows, columns);
  in.get_array(matrix.data(), static_cast<std::size_t>(matrix.size()));
  return matrix;
}

std::vector<double> numbers_of(const std::vector<Bytes>& answers) {
  std::vector<double> out;
  for (const Bytes& answer : answers) {
    ByteReader in(answer);
    const std::vector<double> own = get_list<double>(in);
    out.insert(out.end(), own.begin(), own.end());
  }
  return out;
}

void put(ByteWriter& out, const std::vector<std::string>& names) {
  out.put<std::uint64_t>(names.size());
  for (const std::string& name : names) out.put_string(name);
}

std::vector<std::string> get_names(ByteReader& in) {
  std::vector<std::string> names(std::min<std::uint64_t>(in.get<std::uint64_t>(), in.left() / sizeof(std::uint64_t)));
  for (std::string& name : names) name = in.get_string();
  return names;
}

void put(ByteWriter& out, const data::Range& range) {
  out.put<std::int64_t>(range.first);
  out.put<std::int64_t>(range.count);
}

data::Range get_range(ByteReader& in) {
  const auto first = in.get<std::int64_t>();
  return {first, in.get<std::int64_t>()};
}

void put(ByteWriter& out, const nmf::LossOptions& options) {
  out.put(static_cast<std::uint8_t>(options.kind));
  out.put(static_cast<std::uint8_t>(options.curvature));
  const nmf::Penalties& p = options.penalties;
  for (const double number : {p.l1_x, p.l1_y, p.l2_x, p.l2_y, options.site_effects, options.few}) out.put(number);
  out.put<std::int64_t>(options.known);
  put_flag(out, options.missing);
}

nmf::LossOptions get_loss(ByteReader& in) {
  nmf::LossOptions options;
  options.kind = static_cast<nmf::LossKind>(in.get<std::uint8_t>());
  options.curvature = static_cast<nmf::Curvature>(in.get<std::uint8_t>());
  nmf::Penalties& p = options.penalties;
  for (double* const number : {&p.l1_x, &p.l1_y, &p.l2_x, &p.l2_y, &options.site_effects, &options.few})
    *number = in.get<double>();
  options.known = in.get<std::int64_t>();
  options.missing = get_flag(in);
  return options;
}

void put(ByteWriter& out, const nmf::DescentRequest& request, bool with_X) {
  put(out, with_X ? request.X : Matrix());
  put_list(out, request.gauge);
  out.put(request.extrapolation);
  for (const bool flag : {request.restart, request.take_back, request.measure_only, request.thorough, request.unhurried,
                          request.own_parts, request.few})
    put_flag(out, flag);
  put(out, request.shrink);
}

nmf::DescentRequest get_request(ByteReader& in) {
  nmf::DescentRequest request;
  request.X = get_matrix(in);
  request.gauge = get_list<double>(in);
  request.extrapolation = in.get<double>();
  for (bool* const flag : {&request.restart, &request.take_back, &request.measure_only, &request.thorough,
                           &request.unhurried, &request.own_parts, &request.few})
    *flag = get_flag(in);
  request.shrink = get_matrix(in);
  return request;
}

void put(ByteWriter& out, const nmf::Moments& moments) {
  for (const Matrix* const matrix : {&moments.S, &moments.T, &moments.Y_sums}) put(out, *matrix);
  out.put(moments.squared_error);
  out.put(moments.divergence);
}

nmf::Moments get_moments(ByteReader& in) {
  nmf::Moments moments;
  for (Matrix* const matrix : {&moments.S, &moments.T, &moments.Y_sums}) *matrix = get_matrix(in);
  moments.squared_error = in.get<double>();
  moments.divergence = in.get<double>();
  return moments;
}

void put(ByteWriter& out, const nmf::Bounds& bounds) {
  for (const double number : {bounds.bound, bounds.t_weight, bounds.unit}) out.put(number);
}

nmf::Bounds get_bounds(ByteReader& in) {
  nmf::Bounds bounds;
  for (double* const number : {&bounds.bound, &bounds.t_weight, &bounds.unit}) *number = in.get<double>();
  return bounds;
}

void put(ByteWriter& out, const nmf::PartHolder::BoundedBranches& branches) {
  put_list(out, branches.squared_errors);
  put_list(out, branches.sum.values);
  out.put<std::int64_t>(branches.sum.touched);
  out.put(branches.sum.least_weight);
}

nmf::PartHolder::BoundedBranches get_bounded(ByteReader& in) {
  nmf::PartHolder::BoundedBranches branches;
  branches.squared_errors = get_list<double>(in);
  branches.sum.values = get_list<double>(in);
  branches.sum.touched = in.get<std::int64_t>();
  branches.sum.least_weight = in.get<double>();
  return branches;
}

void put(ByteWriter& out, const nmf::PartHolder::Coordinates& coordinates) {
  put(out, coordinates.Y);
  put(out, coordinates.before);
  out.put(coordinates.extrapolation);
  put_list(out, coordinates.gauge);
  put_list(out, coordinates.gauge_before);
}

nmf::PartHolder::Coordinates get_coordinates(ByteReader& in) {
  nmf::PartHolder::Coordinates coordinates;
  coordinates.Y = get_matrix(in);
  coordinates.before = get_matrix(in);
  coordinates.extrapolation = in.get<double>();
  coordinates.gauge = get_list<double>(in);
  coordinates.gauge_before = get_list<double>(in);
  return coordinates;
}

void put(ByteWriter& out, const io::Table& table) {
  put(out, table.row_names);
  put(out, table.column_names);
  put_flag(out, table.nonzeros.has_value());
  if (!table.nonzeros) return put(out, table.values);
  out.put<std::int64_t>(table.nonzeros->rows);
  put_list(out, table.nonzeros->first);
  put_list(out, table.nonzeros->row);
  put_list(out, table.nonzeros->value);
}

io::Table get_table(ByteReader& in) {
  io::Table table;
  table.row_names = get_names(in);
  table.column_names = get_names(in);
  if (!get_flag(in)) {
    table.values = get_matrix(in);
    return table;
  }
  data::Nonzeros Z;
  Z.rows = in.get<std::int64_t>();
  Z.first = get_list<std::size_t>(in);
  Z.row = get_list<int>(in);
  Z.value = get_list<double>(in);
  table.nonzeros = std::move(Z);
  return table;
}

}  // namespace ppdnmf::spread
