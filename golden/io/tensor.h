// SPDX-License-Identifier: MIT
// A named-type block of elements, as safetensors stores it: row major, little endian, no padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace wavetwin::golden {

// The element types of safetensors; their names there are the enumerator names.
enum class DType : uint8_t {
  F64,
  F32,
  F16,
  BF16,
  F8_E4M3,
  F8_E5M2,
  F8_E8M0,
  U8,
  I8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64,
  BOOL
};

uint64_t size_of(DType dtype);       // bytes of one element
const char* to_string(DType dtype);  // "F8_E4M3"
std::optional<DType> dtype_from(std::string_view name);
bool is_float(DType dtype);  // F64, F32, F16, BF16: types whose NaNs compare equal
bool is_signed_integer(DType dtype);

using Shape = std::vector<uint64_t>;

std::string to_string(const Shape& shape);  // "[16,4096]"
// Number of elements; a scalar (empty shape) has one. Throws Error when the product does not fit 64 bits.
uint64_t element_count(const Shape& shape);

struct Tensor {
  DType dtype = DType::U8;
  Shape shape;
  std::vector<std::byte> data;  // element_count(shape) * size_of(dtype) bytes

  Tensor() = default;
  // Zero-filled.
  Tensor(DType type, Shape extents);
  Tensor(DType type, Shape extents, std::vector<std::byte> bytes);

  uint64_t elements() const { return element_count(shape); }

  // Typed views; T must have the size of the element (float for F32, uint8_t for every 8-bit format, ...).
  template <class T>
  std::span<T> view() {
    check_element_size(sizeof(T));
    return {reinterpret_cast<T*>(data.data()), data.size() / sizeof(T)};
  }
  template <class T>
  std::span<const T> view() const {
    check_element_size(sizeof(T));
    return {reinterpret_cast<const T*>(data.data()), data.size() / sizeof(T)};
  }

  // The element's bits, zero-extended.
  uint64_t bits(uint64_t index) const;
  // The element's value; exact for everything but 64-bit integers above 2^53. F8_E8M0 codes are 2^(code-127).
  double value(uint64_t index) const;

 private:
  void check_element_size(size_t bytes) const;
};

bool operator==(const Tensor& a, const Tensor& b);  // type, shape and bytes

// A tensor with the bytes of `values`.
template <class T>
Tensor make_tensor(DType dtype, Shape shape, std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto bytes = std::as_bytes(values);
  return Tensor(dtype, std::move(shape), std::vector<std::byte>(bytes.begin(), bytes.end()));
}

// Value of one element given its bits (the table that Tensor::value uses).
double decode_element(DType dtype, uint64_t bits);
// Bits of `value` rounded to nearest even; finite overflow of the 8-bit float types becomes NaN (E4M3) or
// Inf.
uint64_t encode_element(DType dtype, double value);

// Tensors by name, in the order of their names.
using Tensors = std::map<std::string, Tensor>;

}  // namespace wavetwin::golden
