#include <ppdnmf/crypto/paillier.h>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <utility>

#include "background.h"
#include "bind.h"
#include "encrypted.h"
#include "errors.h"

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

using Integers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;
using Numbers = std::shared_ptr<Encrypted>;

// The result of `compute(monitor)`, a Result<T>, on a thread of its own. What `compute` holds must be its own, since
// Ctrl-C leaves it to itself.
template <typename T, typename Compute>
T in_background(Compute compute) {
  const auto result = std::make_shared<std::optional<T>>();
  run_in_background(
      [result, compute = std::move(compute)](Monitor& monitor) -> Status {
        PPDNMF_TRY(T value, compute(monitor));
        result->emplace(std::move(value));
        return {};
      },
      OnGivingUp::kLeaveIt);
  return std::move(**result);
}

Result<crypto::KeyOptions> key_options(std::size_t bits, const std::string& profile) {
  crypto::KeyOptions options;
  options.bits = bits;
  if (profile != "standard" && profile != "fast") {
    return error(ErrorCode::kUsage, "profile must be 'standard' or 'fast', not '{}'", profile);
  }
  options.profile = profile == "fast" ? crypto::KeyProfile::kFast : crypto::KeyProfile::kStandard;
  return options;
}

std::vector<std::int64_t> values_of(const Integers& values) { return {values.data(), values.data() + values.size()}; }

Bytes bytes_of(const py::bytes& bytes) {
  const std::string_view view = bytes;
  return {view.begin(), view.end()};
}

py::bytes to_python(ByteSpan bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::shared_ptr<PrivateSide> generate(std::size_t bits, const std::string& profile) {
  const crypto::KeyOptions options = require(key_options(bits, profile));
  return in_background<std::shared_ptr<PrivateSide>>([options](Monitor&) -> Result<std::shared_ptr<PrivateSide>> {
    Stream stream = fresh_stream();
    PPDNMF_TRY(crypto::PrivateKey key, crypto::PrivateKey::generate(options, stream));
    return std::make_shared<PrivateSide>(std::move(key));
  });
}

std::string profile_of(const crypto::PublicKey& key) {
  return key.profile() == crypto::KeyProfile::kFast ? "fast" : "standard";
}

Integers decrypt_to_python(const std::shared_ptr<PrivateSide>& key, const Numbers& numbers) {
  const auto values = in_background<std::vector<std::int64_t>>(
      [key, numbers](Monitor& monitor) { return decrypt_all(*key, *numbers, monitor); });
  return Integers(static_cast<py::ssize_t>(values.size()), values.data());
}

void bind_public_key(py::module_& module) {
  py::class_<PublicSide, std::shared_ptr<PublicSide>>(module, "PublicKey")
      .def_static("decode",
                  [](const py::bytes& bytes, std::size_t bits, const std::string& profile) {
                    const crypto::KeyOptions options = require(key_options(bits, profile));
                    return std::make_shared<PublicSide>(require(crypto::PublicKey::decode(bytes_of(bytes), options)));
                  })
      .def("encode", [](const PublicSide& side) { return to_python(side.key().encode()); })
      .def_property_readonly("bits", [](const PublicSide& side) { return side.key().bits(); })
      .def_property_readonly("profile", [](const PublicSide& side) { return profile_of(side.key()); })
      .def("same_as", [](const PublicSide& a, const PublicSide& b) { return a.key().same_as(b.key()); })
      .def("encrypt", [](const std::shared_ptr<PublicSide>& side, const Integers& values, std::size_t slot_bits) {
        return in_background<Numbers>([side, slot_bits, v = values_of(values)](Monitor& monitor) {
          return encrypt_for_peer(side, v, slot_bits, monitor);
        });
      });
}

void bind_private_key(py::module_& module) {
  py::class_<PrivateSide, std::shared_ptr<PrivateSide>>(module, "PrivateKey")
      .def_static("generate", &generate)
      .def_static(
          "decode_secret",
          [](const py::bytes& bytes, std::size_t bits, const std::string& profile) {
            const crypto::KeyOptions options = require(key_options(bits, profile));
            return std::make_shared<PrivateSide>(require(crypto::PrivateKey::decode_secret(bytes_of(bytes), options)));
          })
      .def("encode_secret",
           [](const PrivateSide& side) {
             const crypto::SecretBytes secret = side.key().encode_secret();
             return to_python(secret.span());
           })
      .def_property_readonly("public_key", [](const PrivateSide& side) { return side.public_side(); })
      .def("encrypt",
           [](const std::shared_ptr<PrivateSide>& side, const Integers& values, std::size_t slot_bits) {
             return in_background<Numbers>([side, slot_bits, v = values_of(values)](Monitor& monitor) {
               return encrypt_own(*side, v, slot_bits, monitor);
             });
           })
      .def("decrypt", &decrypt_to_python);
}

void bind_encrypted(py::module_& module) {
  py::class_<Encrypted, Numbers>(module, "Encrypted")
      .def_static("decode",
                  [](const std::shared_ptr<PublicSide>& owner, const py::bytes& bytes, std::size_t count,
                     std::size_t slot_bits) {
                    return in_background<Numbers>([owner, count, slot_bits, b = bytes_of(bytes)](Monitor& monitor) {
                      return from_bytes(owner, b, count, slot_bits, monitor);
                    });
                  })
      .def("encode",
           [](const Numbers& numbers) {
             return to_python(
                 in_background<Bytes>([numbers](Monitor& monitor) { return sendable_bytes(*numbers, monitor); }));
           })
      .def_property_readonly("count", [](const Encrypted& numbers) { return numbers.count; })
      .def_property_readonly("slot_bits", [](const Encrypted& numbers) { return numbers.slot_bits; })
      .def_property_readonly("public_key", [](const Encrypted& numbers) { return numbers.owner; })
      .def("add",
           [](const Numbers& a, const Numbers& b) {
             return in_background<Numbers>([a, b](Monitor&) { return add_encrypted(*a, *b); });
           })
      .def("multiply",
           [](const Numbers& a, std::uint64_t factor) {
             return in_background<Numbers>(
                 [a, factor](Monitor& monitor) { return multiply_encrypted(*a, factor, monitor); });
           })
      .def("negate", [](const Numbers& a) {
        return in_background<Numbers>([a](Monitor&) -> Result<Numbers> { return negate_encrypted(*a); });
      });
}

}  // namespace

void bind_paillier(py::module_& module) {
  bind_public_key(module);
  bind_private_key(module);
  bind_encrypted(module);
}

}  // namespace ppdnmf::python
