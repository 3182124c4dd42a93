// SPDX-License-Identifier: MIT
// Code objects in which one field lies. Each is refused with one line that names the file, or loaded where
// the field does not matter; nothing is read outside the file, and no size is believed before it is checked.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "sim/isa/code_object.h"
#include "sim/isa/elf_format.h"
#include "sim/isa/executable.h"
#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes object_bytes() {
  std::ifstream in(ASM_DIR "arguments.co", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// What loading and decoding says; empty when it works.
std::string outcome(const Bytes& bytes) {
  try {
    const Executable executable(CodeObject::parse(bytes, "bad.co"));
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

void check_line(const std::string& text) {
  if (text.empty()) return;
  CHECK(text.starts_with("bad.co: "));
  CHECK(text.find('\n') == std::string::npos);
  CHECK(text.size() < 1500);
}

template <typename T>
T read_at(const Bytes& bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void put(Bytes& bytes, size_t at, uint64_t value, unsigned size) {
  std::memcpy(bytes.data() + at, &value, size);
}

// Every value that a size or an offset should not have.
std::vector<uint64_t> extremes(const Bytes& bytes) {
  return {0,
          1,
          7,
          bytes.size() - 1,
          bytes.size(),
          bytes.size() + 1,
          uint64_t{1} << 31,
          uint64_t{1} << 32,
          uint64_t{1} << 40,
          uint64_t{1} << 63,
          ~uint64_t{0} - 7,
          ~uint64_t{0}};
}

struct Field {
  size_t at;
  unsigned size;
};

std::vector<Field> fields_of(const Bytes& bytes) {
  const auto header = read_at<ElfHeader>(bytes, 0);
  std::vector<Field> fields{{24, 8}, {32, 8}, {40, 8}, {52, 2}, {54, 2}, {56, 2}, {58, 2}, {60, 2}, {62, 2}};
  const auto add = [&](uint64_t table, unsigned count, std::initializer_list<Field> members, size_t stride) {
    for (unsigned i = 0; i < count; ++i) {
      for (const Field& member : members) fields.push_back({table + i * stride + member.at, member.size});
    }
  };
  add(header.program_offset, header.program_count,
      {{0, 4}, {4, 4}, {8, 8}, {16, 8}, {24, 8}, {32, 8}, {40, 8}, {48, 8}}, sizeof(ProgramHeader));
  add(header.section_offset, header.section_count,
      {{0, 4}, {4, 4}, {8, 8}, {16, 8}, {24, 8}, {32, 8}, {40, 4}, {44, 4}, {48, 8}, {56, 8}},
      sizeof(SectionHeader));
  for (unsigned i = 0; i < header.section_count; ++i) {
    const auto section = read_at<SectionHeader>(bytes, header.section_offset + i * sizeof(SectionHeader));
    constexpr uint32_t kSymbols = 2, kDynamicSymbols = 11, kRela = 4;
    const unsigned count = static_cast<unsigned>(section.size / 24);
    if (section.type == kSymbols || section.type == kDynamicSymbols)
      add(section.offset, count, {{0, 4}, {4, 1}, {6, 2}, {8, 8}, {16, 8}}, sizeof(ElfSymbol));
    if (section.type == kRela) add(section.offset, count, {{0, 8}, {8, 8}, {16, 8}}, sizeof(ElfRela));
  }
  return fields;
}

// The place and size of the metadata in the file.
Field metadata_note(const Bytes& bytes) {
  const std::string name("AMDGPU\0", 7);
  const auto at = std::search(bytes.begin(), bytes.end(), name.begin(), name.end());
  REQUIRE(at != bytes.end());
  const auto desc = static_cast<size_t>(at - bytes.begin()) + 8;
  return {desc, read_at<uint32_t>(bytes, desc - 16)};
}

}  // namespace

TEST_CASE("malformed objects: every ELF field with every extreme value is refused in one line or harmless") {
  const Bytes good = object_bytes();
  REQUIRE(outcome(good).empty());
  unsigned refused = 0;
  for (const Field& field : fields_of(good)) {
    for (const uint64_t value : extremes(good)) {
      CAPTURE(field.at);
      CAPTURE(value);
      Bytes bytes = good;
      put(bytes, field.at, value, field.size);
      const std::string text = outcome(bytes);
      check_line(text);
      refused += !text.empty();
    }
  }
  CHECK(refused > 300);
}

TEST_CASE("malformed objects: a file cut anywhere is refused in one line or still whole") {
  const Bytes good = object_bytes();
  unsigned refused = 0;
  for (size_t size = 0; size < good.size(); size += size < 1024 ? 1 : 37) {
    CAPTURE(size);
    const std::string text = outcome(Bytes(good.begin(), good.begin() + static_cast<ptrdiff_t>(size)));
    check_line(text);
    refused += !text.empty();
    if (size < 64) CHECK_FALSE(text.empty());
  }
  CHECK(refused > 1000);
}

TEST_CASE("malformed objects: each word of a kernel descriptor with extreme values") {
  const Bytes good = object_bytes();
  const CodeObject object = CodeObject::parse(good, "good.co");
  const auto header = read_at<ElfHeader>(good, 0);
  const auto first = read_at<ProgramHeader>(good, header.program_offset + sizeof(ProgramHeader));
  const size_t at = object.kernels().front().descriptor_address - first.address + first.offset;
  REQUIRE(at + kKernelDescriptorBytes <= good.size());
  for (unsigned word = 0; word < kKernelDescriptorBytes; word += 4) {
    for (const uint64_t value : extremes(good)) {
      CAPTURE(word);
      CAPTURE(value);
      Bytes bytes = good;
      put(bytes, at + word, value, 4);
      check_line(outcome(bytes));
    }
  }
  Bytes narrow = good;
  put(narrow, at + 56, read_at<uint16_t>(good, at + 56) | 1u << 10, 2);
  CHECK(contains(outcome(narrow), "asks for 32-lane waves"));
  Bytes outside = good;
  put(outside, at + 16, uint64_t{1} << 40, 8);
  CHECK(contains(outcome(outside), "the entry of kernel '"));
}

TEST_CASE("malformed objects: metadata that nests without end, or claims more than there is") {
  const Bytes good = object_bytes();
  const Field note = metadata_note(good);
  REQUIRE(note.size > 200);
  const auto with = [&](const std::string& start, char filler) {
    Bytes bytes = good;
    std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(note.at), note.size, static_cast<uint8_t>(filler));
    std::copy(start.begin(), start.end(), bytes.begin() + static_cast<ptrdiff_t>(note.at));
    return outcome(bytes);
  };
  const std::string many("\xff\xff\xff\xff", 4);
  for (const auto& [start, filler] : {std::pair<std::string, char>{"", '\x91'},  // lists of one list
                                      {"", '\x81'},                              // maps of one map
                                      {"\xdd" + many, '\x91'},  // a list of 4294967295 elements
                                      {"\xdf" + many, '\xa0'},  // a map of as many
                                      {"\xdb" + many, 'a'},     // a string of 4 GiB
                                      {"\xc6" + many, 'a'},     // bytes of 4 GiB
                                      {"\xc9" + many, 'a'},     // an extension of 4 GiB
                                      {"\x81\xaf"
                                       "amdhsa.kernels\x91",
                                       '\x91'},  // NOLINT: a kernel that is a list of lists
                                      {"\x81\xae"
                                       "amdhsa.kernels\xdd" +
                                           many,
                                       '\x80'}}) {  // 4294967295 kernels
    const std::string text = with(start, filler);
    CAPTURE(text);
    CHECK(contains(text, "metadata"));
    check_line(text);
  }
  CHECK(contains(with("", '\xc0'), "metadata: the root is not a map"));
}

}  // namespace wavetwin::isa
