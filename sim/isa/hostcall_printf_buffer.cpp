// SPDX-License-Identifier: MIT
#include "sim/isa/hostcall_printf_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <map>
#include <span>

#include "sim/core/error.h"
#include "sim/isa/byte_reader.h"

namespace wavetwin::isa {
namespace {

// assumption: larger than a runtime's, whose size is its own choice; what does not fit is not printed.
constexpr uint32_t kBytes = 64u << 20;
constexpr uint32_t kLead = 8;

using Bytes = std::span<const uint8_t>;

uint64_t number(const std::string& text, int base) {
  uint64_t value = 0;
  const auto end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value, base);
  if (problem != std::errc{} || stop != end) {
    throw Error(ByteReader::one_line("amdhsa.printf: '" + text + "' is no number"));
  }
  return value;
}

std::vector<std::string> split(const std::string& text, char separator, size_t most) {
  std::vector<std::string> parts;
  size_t from = 0;
  while (parts.size() + 1 < most) {
    const size_t end = text.find(separator, from);
    if (end == std::string::npos) break;
    parts.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  parts.push_back(text.substr(from));
  return parts;
}

// The escapes that LLVM writes: of control characters, and of ':', which separates.
std::string unescape(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    constexpr std::string_view kLetters = "abfnrv", kMeanings = "\a\b\f\n\r\v";
    const size_t letter =
        text[i] == '\\' && i + 1 < text.size() ? kLetters.find(text[i + 1]) : std::string::npos;
    if (letter != std::string::npos) {
      out += kMeanings[letter];
      ++i;
    } else if (text.compare(i, 3, "\\72") == 0) {
      out += ':';
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// Arguments of OpenCL: as many bytes each as the metadata says; a string need not have an end.
class SizedArguments final : public PrintfArguments {
 public:
  SizedArguments(Bytes bytes, const std::vector<uint32_t>& sizes) : bytes_(bytes), sizes_(sizes) {}

  uint64_t integer() override {
    const Bytes from = next();
    if (from.size() != 4 && from.size() != 8) unexpected("an integer", from);
    uint64_t value = 0;
    std::memcpy(&value, from.data(), from.size());
    return value;
  }
  double floating() override {
    const Bytes from = next();
    if (from.size() == 8) return std::bit_cast<double>(value_of<uint64_t>(from));
    if (from.size() != 4) unexpected("a float", from);
    return std::bit_cast<float>(value_of<uint32_t>(from));
  }
  std::string string() override {
    const Bytes from = next();
    return std::string(from.begin(), std::find(from.begin(), from.end(), uint8_t{0}));
  }
  // A vector of three has room for a fourth element.
  PrintfVector vector(unsigned elements) override {
    const Bytes from = next();
    const size_t bytes = from.size() / (elements == 3 ? 4 : elements);
    if (bytes == 0 || bytes > 8) unexpected("a vector", from);
    PrintfVector v{static_cast<unsigned>(bytes), std::vector<uint64_t>(elements)};
    for (unsigned i = 0; i < elements; ++i) std::memcpy(&v.elements[i], from.data() + i * bytes, bytes);
    return v;
  }

 private:
  template <typename T>
  static T value_of(Bytes from) {
    T value;
    std::memcpy(&value, from.data(), sizeof value);
    return value;
  }
  [[noreturn]] static void unexpected(const char* what, Bytes from) {
    throw Error(fmt::format("printf: {} of {} bytes", what, from.size()));
  }
  Bytes next() {
    if (at_ == sizes_.size()) throw Error("printf: the format has more conversions than there are arguments");
    const uint32_t size = sizes_[at_++];
    const Bytes from = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return from;
  }

  Bytes bytes_;
  const std::vector<uint32_t>& sizes_;
  size_t at_ = 0;
};

struct NumberedFormat {
  std::vector<uint32_t> sizes;  // of the arguments
  uint64_t bytes = 0;           // together
  std::string format;
};

// The formats of a code object: of HIP by hash ("0:0:HASH,FORMAT"), of OpenCL by number
// ("NUMBER:COUNT:SIZE:...:FORMAT").
struct Formats {
  std::map<uint64_t, std::string> hashed;
  std::map<uint64_t, NumberedFormat> numbered;

  explicit Formats(const std::vector<std::string>& metadata) {
    for (const std::string& text : metadata) {
      if (text.starts_with("0:0:")) {
        const auto parts = split(text.substr(4), ',', 2);
        if (parts.size() == 2) hashed[number(parts[0], 16)] = parts[1];
      } else {
        add_numbered(split(text, ':', text.size() + 1));
      }
    }
  }

  void add_numbered(const std::vector<std::string>& parts) {
    if (parts.size() < 3) throw Error("amdhsa.printf: a format without a number and a count");
    NumberedFormat format;
    for (size_t i = 2; i + 1 < parts.size(); ++i) {
      const uint64_t size = number(parts[i], 10);
      if (size > kBytes) throw Error("amdhsa.printf: an argument of " + parts[i] + " bytes");
      format.sizes.push_back(static_cast<uint32_t>(size));
      format.bytes += size;
    }
    if (number(parts[1], 10) != format.sizes.size()) {
      throw Error(fmt::format("amdhsa.printf: a format of {} arguments with {} sizes",
                              ByteReader::one_line(parts[1]), format.sizes.size()));
    }
    format.format = unescape(parts.back());
    numbered[number(parts[0], 10)] = std::move(format);
  }
};

uint32_t word_at(Bytes bytes, const char* what) {
  if (bytes.size() < 4) throw Error(fmt::format("{} needs 4 bytes, {} are left", what, bytes.size()));
  uint32_t value;
  std::memcpy(&value, bytes.data(), 4);
  return value;
}

// Prints the first record; gives its bytes.
size_t print_hashed(Bytes bytes, const Formats& formats, const PrintfBuffer::Print& print) {
  const uint32_t control = word_at(bytes, "the control word");
  const size_t size = control >> 2;
  const bool is_constant = (control & 2) != 0;
  if (size < (is_constant ? 12 : 4) || size > bytes.size())
    throw Error(
        fmt::format("the control word {:#x} says {} bytes, {} are left", control, size, bytes.size()));
  PrintfWords arguments(bytes.subspan(4, size - 4));
  std::string format;
  if (is_constant) {
    const uint64_t hash = arguments.integer();
    const auto found = formats.hashed.find(hash);
    if (found == formats.hashed.end()) throw Error(fmt::format("amdhsa.printf has no format {:#x}", hash));
    format = found->second;
  } else {
    format = arguments.string();
  }
  print({(control & 1) != 0 ? HostStream::err : HostStream::out, format_printf(format, arguments)});
  return size;
}

size_t print_numbered(Bytes bytes, const Formats& formats, const PrintfBuffer::Print& print) {
  const uint32_t id = word_at(bytes, "the number of the format");
  const auto found = formats.numbered.find(id);
  if (found == formats.numbered.end()) throw Error(fmt::format("amdhsa.printf has no format {}", id));
  const NumberedFormat& format = found->second;
  if (format.bytes > bytes.size() - 4) {
    throw Error(
        fmt::format("format {} has {} bytes of arguments, {} are left", id, format.bytes, bytes.size() - 4));
  }
  SizedArguments arguments(bytes.subspan(4), format.sizes);
  print({HostStream::out, format_printf(format.format, arguments)});
  return 4 + format.bytes;
}

}  // namespace

PrintfBuffer::PrintfBuffer(GlobalMemory& memory, uint64_t address, const std::vector<std::string>& formats)
    : memory_(memory), formats_(formats) {
  BufferOptions options;
  options.address = address;
  address_ = memory.allocate("hidden_printf_buffer", kBytes, options);
  const uint32_t lead[] = {0, kBytes - kLead};
  memory_.write(address_, lead, sizeof lead);
}

PrintfBuffer::~PrintfBuffer() { memory_.free(address_); }

void PrintfBuffer::print(const Print& print) const {
  uint32_t used = 0;
  memory_.read(address_, &used, sizeof used);
  if (used == 0) return;
  if (used > kBytes - kLead)
    throw Error(fmt::format("hidden_printf_buffer: {} bytes of records in {}", used, kBytes - kLead));
  std::vector<uint8_t> bytes(used);
  memory_.read(address_ + kLead, bytes.data(), used);
  const Formats formats(formats_);
  const auto print_one = formats.numbered.empty() ? print_hashed : print_numbered;
  for (size_t at = 0; at < used;) {
    try {
      at += print_one(Bytes(bytes).subspan(at), formats, print);
    } catch (const Error& error) {
      throw Error(fmt::format("hidden_printf_buffer: the record at byte {}: {}", kLead + at, error.what()));
    }
  }
}

}  // namespace wavetwin::isa
