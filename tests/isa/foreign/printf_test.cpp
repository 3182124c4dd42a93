// SPDX-License-Identifier: MIT
// printf's formats, and printf by way of a buffer: of HIP, of OpenCL, and records that are none.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>

#include "tests/isa/foreign/printed.h"
#include "tests/isa/foreign/run_object.h"

namespace wavetwin::isa {
namespace {

std::string formatted(const std::string& format, const std::vector<uint64_t>& words) {
  PrintfWords arguments({reinterpret_cast<const uint8_t*>(words.data()), words.size() * 8});
  return format_printf(format, arguments);
}
std::string refusal(const std::string& format, const std::vector<uint64_t>& words) {
  try {
    formatted(format, words);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// What filling the buffer with words ends in; the first is the bytes taken.
std::string error_of_fill(const std::vector<uint32_t>& words) {
  Machine machine(foreign("printf_buffer"));
  const uint64_t list = machine.poisoned("words", 4 * words.size());
  machine.memory().write(list, words.data(), 4 * words.size());
  ExecuteOptions options;
  options.output = [](const HostText&) {};
  return machine.error_of("fill", 1, 1, {list, words.size()}, options);
}

// What printing a record ends in, with these formats in the object's metadata.
std::string error_of_record(const std::vector<std::string>& formats, const std::vector<uint32_t>& words) {
  GlobalMemory memory;
  const PrintfBuffer buffer(memory, 1 << 20, formats);
  const uint32_t bytes = static_cast<uint32_t>(4 * words.size());
  memory.write(1 << 20, &bytes, 4);
  memory.write((1 << 20) + 8, words.data(), bytes);
  try {
    buffer.print([](const HostText&) {});
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("printf: flags, widths, precisions and lengths are the host's") {
  const uint64_t minus_one = ~uint64_t{0}, pi = std::bit_cast<uint64_t>(3.14159);
  CHECK(formatted("plain %% text", {}) == "plain % text");
  CHECK(formatted("%d|%i|%u", {minus_one, 5, minus_one}) == "-1|5|4294967295");
  CHECK(formatted("%hd|%hhu|%hhd", {0x18000, 0x1ff, 0x80}) == "-32768|255|-128");
  CHECK(formatted("%ld|%lld|%zu|%jd|%td|%qd|%Ld", {minus_one, minus_one, minus_one, 1, 2, 3, 4}) ==
        "-1|-1|18446744073709551615|1|2|3|4");
  CHECK(formatted("[%-6d][%06d][%+d][% d][%#x][%#o][%X]", {1, 2, 3, 4, 0xab, 8, 0xcd}) ==
        "[1     ][000002][+3][ 4][0xab][010][CD]");
  CHECK(formatted("[%*d][%-*d][%*d][%.*f][%.*f]",
                  {4, 1, 4, 2, static_cast<uint64_t>(-4), 3, 1, pi, static_cast<uint64_t>(-1), pi}) ==
        "[   1][2   ][3   ][3.1][3.141590]");
  CHECK(formatted("%f %.0f %e %G %a %lf %Lf", {pi, pi, pi, pi, std::bit_cast<uint64_t>(1.0), pi, pi}) ==
        host_printf("%f %.0f %e %G %a %f %f", 3.14159, 3.14159, 3.14159, 3.14159, 1.0, 3.14159, 3.14159));
  CHECK(formatted("%c%c", {'a', 'b'}) == "ab");
  CHECK(formatted("%p", {0x1234}) == "0x1234");
  CHECK(formatted("%n%d", {0, 6}) == "6");
  // "ab", and "abcdefgh" with its end in a second word.
  CHECK(formatted("%s|%5s|%.3s|%d", {0x6261, 0x6261, 0x6867666564636261, 0, 3}) == "ab|   ab|abc|3");
}

TEST_CASE("printf: what is no conversion, or has no argument, is an error that quotes the format") {
  CHECK(refusal("a %y", {1}) == "printf: no conversion at byte 2 of the format 'a %y'");
  CHECK(contains(refusal("50%", {1}), "no conversion at byte 2"));
  CHECK(contains(refusal("%", {}), "no conversion"));
  CHECK(contains(refusal("%lhd", {1}), "the length 'lh'"));
  CHECK(contains(refusal("%lc", {1}), "a wide character"));
  CHECK(contains(refusal("%ls", {1}), "a wide string"));
  CHECK(contains(refusal("%9999999d", {1}), "a width or precision above 1048576"));
  CHECK(contains(refusal("%.*d", {0x7fffffff, 1}), "a width or precision above 1048576"));
  CHECK(contains(refusal("%d %d", {1}), "more conversions than there are arguments"));
  CHECK(contains(refusal("%s", {}), "more conversions than there are arguments"));
  CHECK(contains(refusal("%v4hlf", {1, 2}), "a vector, which only OpenCL prints"));
  for (const char* format : {"%v5hld", "%vd", "%v99d"})
    CHECK(contains(refusal(format, {1}), "no size of an OpenCL vector"));
  CHECK(contains(refusal("%v4d", {1}), "a vector without a length"));
  CHECK(contains(refusal("%v4hls", {1}), "no conversion of a vector"));
}

TEST_CASE("printf by way of a buffer prints constant and other formats after the launch") {
  constexpr uint32_t kGroups = 6, kItems = 64;
  Machine machine(foreign("printf_buffer"));
  const uint64_t out = machine.zeroed("out", 4 * kGroups * kItems), text = machine.zeroed("text", 64);
  machine.memory().write(text, "<%d,%d>", 7);
  ExecuteOptions options;
  options.output = [](const HostText&) {};
  const ExecuteReport report = machine.run("print", kGroups, kItems, {out, text}, options);
  CHECK(report.dispatch.findings.total() == 0);
  std::vector<std::string> lines, expected;
  for (uint32_t group = 0; group < kGroups; ++group) {
    for (uint32_t item = 0; item < kItems; ++item) {
      expected.push_back(host_printf("%u.%02d: %5.2f|%s|%s|%c%%|%#llx|%p\n", group, item, item * 0.5, "text",
                                     "<%d,%d>", 'a' + static_cast<int>(item) % 26, 1ull << item,
                                     reinterpret_cast<void*>(out)));
    }
    expected.push_back("<5,6>");
  }
  for (const HostText& printed : report.printed) lines.push_back(printed.text);
  CHECK(lines.size() == expected.size());
  CHECK(lines[0] == expected[0]);
  CHECK(lines[1] == expected[1]);
  std::sort(lines.begin(), lines.end());
  std::sort(expected.begin(), expected.end());
  CHECK(lines == expected);
  for (const uint32_t result : machine.words(out, kGroups * kItems)) REQUIRE(result == 0);
}

TEST_CASE("printf of OpenCL prints scalars, strings, and vectors of every size") {
  Machine machine(foreign("printf.cl"));
  const uint64_t in = machine.zeroed("in", 8);
  const float value = 2.25;
  machine.memory().write(in + 4, &value, 4);
  ExecuteOptions options;
  options.output = [](const HostText&) {};
  const ExecuteReport report = machine.run("print", 1, 2, {in}, options);
  const std::string expected =
      host_printf("a:0  0.00 [a:b] [    ] x 0 -1 ff %p\n", reinterpret_cast<void*>(in)) +
      host_printf("a:1  2.25 [a:b] [    ] x -1 -2 ff %p\n", reinterpret_cast<void*>(in)) +
      "2.250000,1.500000,-2.000000,3.000000|-1,2,-3|-1,2|0x1,0x2,0x3,0x4,0x5,0x6,0x7,0xff|002.2,-00.5|1."
      "500000,2.250000|"
      "65535,65535,65535,65535,65535,65535,65535,65535,65535,65535,65535,65535,65535,65535,65535,65535\n"
      "-1,2,1099511627776 a,b\n";
  CHECK(printed_by(report).out == expected);
}

TEST_CASE("a record of the printf buffer that is none is an error that names its place") {
  CHECK(error_of_fill({0}).empty());
  CHECK(contains(error_of_fill({0xfffffff0}), "hidden_printf_buffer: 4294967280 bytes of records in"));
  CHECK(contains(error_of_fill({2, 0}), "the record at byte 8: the control word needs 4 bytes, 2 are left"));
  CHECK(contains(error_of_fill({8, 0, 0}), "the control word 0x0 says 0 bytes, 8 are left"));
  CHECK(contains(error_of_fill({8, 12 << 2, 0}), "the control word 0x30 says 12 bytes, 8 are left"));
  CHECK(contains(error_of_fill({8, 8 << 2 | 2, 0}), "the control word 0x22 says 8 bytes"));
  CHECK(contains(error_of_fill({12, 12 << 2 | 2, 0xabc, 0}), "amdhsa.printf has no format 0xabc"));
  CHECK(contains(error_of_fill({12, 12 << 2, 0x61616161, 0x61616161}), "a string without an end"));
  CHECK(contains(error_of_fill({24, 12 << 2, 0x61, 0, 12 << 2, 0x6425, 0}),
                 "the record at byte 20: printf: the format has more conversions than there are arguments"));
}

TEST_CASE("formats of the metadata that are none, and arguments that do not fit them, are errors") {
  CHECK(error_of_record({"1:1:4:%d"}, {1, 5}).empty());
  CHECK(contains(error_of_record({"1:1:4:%d"}, {2, 5}), "amdhsa.printf has no format 2"));
  CHECK(contains(error_of_record({"1:2:4:8:%d"}, {1, 5}), "format 1 has 12 bytes of arguments, 4 are left"));
  CHECK(contains(error_of_record({"1:1:4:%d%d"}, {1, 5}), "more conversions than there are arguments"));
  CHECK(contains(error_of_record({"1:1:16:%d"}, {1, 5, 5, 5, 5}), "an integer of 16 bytes"));
  CHECK(contains(error_of_record({"1:1:16:%f"}, {1, 5, 5, 5, 5}), "a float of 16 bytes"));
  CHECK(contains(error_of_record({"1:1:4:%v8hlf"}, {1, 5}), "a vector of 4 bytes"));
  CHECK(contains(error_of_record({"1:1:8:%v2ld"}, {1, 5, 5}), "a vector with elements of 4 bytes for 8"));
  CHECK(contains(error_of_record({"1:1:4:%v4hhf"}, {1, 5}), "floats of one byte"));
  for (const char* format : {"", "1", "1:0"}) {
    CAPTURE(std::string(format));
    CHECK(contains(error_of_record({format}, {1}), "a format without a number and a count"));
  }
  for (const char* format :
       {"x:0:a", "1:x:a", "1:1:x:a", "1:1:-4:a", "0:0:xyz,a", "99999999999999999999:0:a"}) {
    CAPTURE(std::string(format));
    CHECK(contains(error_of_record({format}, {1}), "' is no number"));
  }
  CHECK(contains(error_of_record({"1:2:4:a"}, {1}), "a format of 2 arguments with 1 sizes"));
  CHECK(contains(error_of_record({"1:1:4000000000:a"}, {1}), "an argument of 4000000000 bytes"));
}

TEST_CASE(
    "what is in the printf buffer is printed although the kernel ends in an error, to the stream it names") {
  Machine machine(foreign("printf_buffer"));
  const uint32_t words[] = {36, 12 << 2, 0x61, 0, 12 << 2 | 1, 0x62, 0, 12 << 2, ~0u, ~0u};
  const uint64_t list = machine.poisoned("words", sizeof words);
  machine.memory().write(list, words, sizeof words);
  Printed printed;
  const std::string text =
      machine.error_of("fill_and_trap", 1, 1, {list, std::size(words)}, printed.options());
  CHECK(contains(text, "s_trap 2"));
  CHECK(printed.out == "a");
  CHECK(printed.err == "b");
}

}  // namespace wavetwin::isa
