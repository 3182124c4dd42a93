// SPDX-License-Identifier: MIT
#include "sim/isa/hostcall_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "common/format/f16.h"
#include "sim/core/error.h"
#include "sim/isa/byte_reader.h"

namespace wavetwin::isa {
namespace {

constexpr size_t kWord = 8;
constexpr int kLongestField = 1 << 20;  // of a width or a precision: what is longer is a wild number

// One conversion specification: %[flags][width][.precision][vector][length]conversion.
struct Specification {
  std::string flags;
  int width = -1, precision = -1;  // -1: not given
  unsigned elements = 0;           // of a vector; 0: it is none
  std::string length;
  char conversion = 0;

  // With another length modifier.
  std::string text(const char* modifier) const {
    std::string out = "%" + flags;
    if (width >= 0) out += std::to_string(width);
    if (precision >= 0) out += "." + std::to_string(precision);
    return out + modifier + conversion;
  }
};

template <typename Value>
std::string print(const std::string& specification, Value value) {
  const int bytes = std::snprintf(nullptr, 0, specification.c_str(), value);
  if (bytes < 0) throw Error("printf: the host cannot print '" + specification + "'");
  std::string out(static_cast<size_t>(bytes) + 1, '\0');
  std::snprintf(out.data(), out.size(), specification.c_str(), value);
  out.pop_back();
  return out;
}

class Formatter {
 public:
  Formatter(const std::string& format, PrintfArguments& arguments) : format_(format), arguments_(arguments) {}

  std::string run() {
    std::string out;
    while (at_ < format_.size()) {
      const size_t percent = std::min(format_.find('%', at_), format_.size());
      out.append(format_, at_, percent - at_);
      at_ = percent;
      if (at_ < format_.size()) out += next_specification();
    }
    return out;
  }

 private:
  char peek() const { return at_ < format_.size() ? format_[at_] : '\0'; }

  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(ByteReader::one_line(
        fmt::format("printf: {} at byte {} of the format '{}'", reason, start_, format_)));
  }

  // A number, or an argument for *.
  int number() {
    int64_t value = 0;
    const bool is_argument = peek() == '*';
    if (is_argument) {
      ++at_;
      value = static_cast<int32_t>(arguments_.integer());
    }
    while (!is_argument && peek() >= '0' && peek() <= '9' && value <= kLongestField)
      value = 10 * value + (format_[at_++] - '0');
    if (value > kLongestField || value < -kLongestField) fail("a width or precision above 1048576");
    return static_cast<int>(value);
  }

  Specification read() {
    Specification s;
    start_ = at_++;
    while (std::string_view("-+ #0'I").find(peek()) != std::string_view::npos && peek() != '\0') {
      if (peek() != 'I') s.flags += peek();  // the locale's digits are those of "C"
      ++at_;
    }
    s.width = number();
    if (s.width < 0) s.flags += '-', s.width = -s.width;  // C: a negative * is a flag and a width
    if (s.width == 0) s.width = -1;
    if (peek() == '.') {
      ++at_;
      s.precision = std::max(number(), -1);  // C: a negative * is as if it were not there
    }
    if (peek() == 'v') s.elements = vector_size();
    while (std::string_view("hlqjztL").find(peek()) != std::string_view::npos && peek() != '\0')
      s.length += format_[at_++];
    s.conversion = peek();
    ++at_;
    return s;
  }

  unsigned vector_size() {
    unsigned size = 0;
    while (++at_ < format_.size() && peek() >= '0' && peek() <= '9' && size <= 16)
      size = 10 * size + static_cast<unsigned>(peek() - '0');
    constexpr unsigned kSizes[] = {2, 3, 4, 8, 16};
    if (std::find(std::begin(kSizes), std::end(kSizes), size) == std::end(kSizes))
      fail("no size of an OpenCL vector");
    return size;
  }

  std::string next_specification() {
    const Specification s = read();
    if (s.conversion == '%') return "%";
    if (s.conversion == '\0') fail("no conversion");
    if (s.elements != 0) return vector(s);
    if (std::string_view("diouxX").find(s.conversion) != std::string_view::npos)
      return integer(s, is_long(s), arguments_.integer());
    if (is_float(s)) return print(s.text(""), arguments_.floating());  // long double of kernels is double
    switch (s.conversion) {
      case 'c':
        if (is_long(s)) fail("a wide character");
        return print(s.text(""), static_cast<int>(arguments_.integer()));
      case 's':
        if (is_long(s)) fail("a wide string");
        return print(s.text(""), arguments_.string().c_str());
      case 'p':
        return print(s.text(""), std::bit_cast<void*>(arguments_.integer()));
      case 'n':
        arguments_.integer();
        return {};
      default:
        fail("no conversion");
    }
  }

  static std::string integer(const Specification& s, bool is_long, uint64_t value) {
    const bool is_signed = s.conversion == 'd' || s.conversion == 'i';
    if (is_long) {
      return is_signed ? print(s.text("ll"), static_cast<long long>(value))
                       : print(s.text("ll"), static_cast<unsigned long long>(value));
    }
    const char* length = s.length == "hl" ? "" : s.length.c_str();
    return is_signed ? print(s.text(length), static_cast<int>(value))
                     : print(s.text(length), static_cast<unsigned>(value));
  }

  static bool is_float(const Specification& s) {
    return std::string_view("fFeEgGaA").find(s.conversion) != std::string_view::npos;
  }

  std::string vector(const Specification& s) {
    constexpr std::string_view kLengths[] = {"hh", "h", "hl", "l"};
    const auto length = std::find(std::begin(kLengths), std::end(kLengths), s.length);
    if (length == std::end(kLengths)) fail("a vector without a length (hh, h, hl or l)");
    const unsigned bytes = 1u << (length - std::begin(kLengths));
    const bool floats = is_float(s);
    if (!floats && std::string_view("diouxX").find(s.conversion) == std::string_view::npos)
      fail("no conversion of a vector");
    const PrintfVector v = arguments_.vector(s.elements);
    // Vectors of less than four bytes come with elements of four.
    if (v.bytes != bytes && (floats || v.bytes != 4 || bytes > 4))
      fail(fmt::format("a vector with elements of {} bytes for {}", v.bytes, bytes));
    std::string out;
    for (const uint64_t bits : v.elements) {
      if (!out.empty()) out += ',';
      out += floats ? print(s.text(""), float_of(bits, bytes)) : integer(s, bytes == 8, bits);
    }
    return out;
  }

  double float_of(uint64_t bits, unsigned bytes) const {
    if (bytes == 8) return std::bit_cast<double>(bits);
    if (bytes == 4) return std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (bytes == 1) fail("no conversion, floats of one byte,");
    return decode(F16{static_cast<uint16_t>(bits)});
  }

  bool is_long(const Specification& s) const {
    if (s.length.empty() || s.length == "h" || s.length == "hh") return false;
    constexpr std::string_view kLong[] = {"l", "ll", "q", "j", "z", "t", "L"};
    if (std::find(std::begin(kLong), std::end(kLong), s.length) == std::end(kLong))
      fail("no conversion, the length '" + s.length + "'");
    return true;
  }

  const std::string& format_;
  PrintfArguments& arguments_;
  size_t at_ = 0, start_ = 0;
};

}  // namespace

uint64_t PrintfWords::integer() {
  if (bytes_.size() < kWord) throw Error("printf: the format has more conversions than there are arguments");
  uint64_t value;
  std::memcpy(&value, bytes_.data(), kWord);
  bytes_ = bytes_.subspan(kWord);
  return value;
}

double PrintfWords::floating() { return std::bit_cast<double>(integer()); }

std::string PrintfWords::string() {
  if (bytes_.empty()) throw Error("printf: the format has more conversions than there are arguments");
  const auto end = std::find(bytes_.begin(), bytes_.end(), uint8_t{0});
  if (end == bytes_.end())
    throw Error(fmt::format("printf: a string without an end in the {} bytes that are left", bytes_.size()));
  const std::string text(bytes_.begin(), end);
  const size_t taken = (text.size() + 1 + kWord - 1) / kWord * kWord;
  bytes_ = bytes_.subspan(std::min(taken, bytes_.size()));
  return text;
}

PrintfVector PrintfWords::vector(unsigned) { throw Error("printf: a vector, which only OpenCL prints"); }

std::string format_printf(const std::string& format, PrintfArguments& arguments) {
  return Formatter(format, arguments).run();
}

}  // namespace wavetwin::isa
