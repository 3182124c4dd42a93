// SPDX-License-Identifier: MIT
#include "golden/io/launch_file.h"

#include <doctest/doctest.h>

#include <random>

#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

const std::string kGood =
    R"({"code_object": "k.co", "kernel": "f", "grid": [2, 3], "block": [128], "dynamic_lds": 16,
  "args": [{"buffer": "a", "bytes": 4096, "file": "a.bin"}, {"buffer": "o", "bytes": 64, "fill": "zero", "address": 8},
           {"i32": -1}, {"f32": 0.5}, {"bytes": "00ff"}, 7], "outputs": {"o": "o.bin"}})";

}  // namespace

TEST_CASE("launch file: every member arrives") {
  const LaunchFile launch = parse_launch_file(kGood, "test");
  CHECK(launch.code_object == "k.co");
  CHECK(launch.kernel == "f");
  CHECK(launch.grid == std::array<uint32_t, 3>{2, 3, 1});
  CHECK(launch.block == std::array<uint32_t, 3>{128, 1, 1});
  CHECK(launch.dynamic_lds == 16);
  REQUIRE(launch.arguments.size() == 6);
  CHECK(launch.arguments[0].buffer->file == "a.bin");
  CHECK(launch.arguments[1].buffer->zero);
  CHECK(launch.arguments[1].buffer->address == 8);
  CHECK(launch.arguments[2].bytes == std::vector<uint8_t>{255, 255, 255, 255});
  CHECK(launch.arguments[3].bytes == std::vector<uint8_t>{0, 0, 0, 0x3f});
  CHECK(launch.arguments[4].bytes == std::vector<uint8_t>{0, 255});
  CHECK(launch.arguments[5].untyped);
  CHECK(launch.outputs.at("o") == "o.bin");
}

TEST_CASE("launch file: what it prints is what it reads") {
  const LaunchFile launch = parse_launch_file(kGood, "test");
  const LaunchFile again = parse_launch_file(launch_file_text(launch), "again");
  CHECK(launch_file_text(again) == launch_file_text(launch));
}

namespace {

std::string refusal(const std::string& text) {
  try {
    parse_launch_file(text, "test.json");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// A block of 64 bytes with these fields.
std::string block(const std::string& fields) {
  return R"({"code_object": "k.co", "kernarg": {"bytes": 64, "fields": [)" + fields + "]}}";
}
std::string arguments(const std::string& values) {
  return R"({"code_object": "k.co", "args": [)" + values + "]}";
}

}  // namespace

TEST_CASE("launch file: every refusal is one line with file, member and reason, in words of its own") {
  const struct {
    std::string text;
    const char* reason;
  } kBad[] = {
      {R"({"code_object": "k.co", "grid": [1e999]})", "'grid[0]': 1e999 is larger than any number"},
      {arguments(R"(1, {"f32": -1e400})"), "'args[1].f32': -1e400 is larger than any number"},
      {block(R"({"offset": 0, "u64": 18446744073709551616})"),
       "'kernarg.fields[0].u64' is not a whole number"},
      {R"({"code_object": "a.co", "code_object": "b.co"})", "'code_object' occurs twice"},
      {arguments(R"({"buffer": "a", "bytes": 4, "bytes": 8})"), "'args[0].bytes' occurs twice"},
      {block(R"({"offset": 0, "f32": 1e300})"), "'kernarg.fields[0].f32' 1e+300 does not fit F32"},
      {arguments(R"({"f16": 65520})"), "'args[0].f16' 65520 does not fit F16"},
      {arguments(R"({"bf16": 3.4e38})"), "'args[0].bf16' 3.4e+38 does not fit BF16"},
      {block(R"({"offset": 0, "u64": 1}, {"offset": 4, "u32": 1})"),
       "overlap: 'kernarg.fields[0]' (bytes 0 to 7) and 'kernarg.fields[1]' (from byte 4)"},
      {block(R"({"offset": 8, "u32": 1}, {"offset": 4, "buffer": "a", "bytes": 4})"),
       "overlap: 'kernarg.fields[1]' (bytes 4 to 11) and 'kernarg.fields[0]' (from byte 8)"},
      {block(R"({"offset": 60, "u64": 1})"), "'kernarg.fields[0]' reaches to byte 68 of a block of 64"},
      {block(R"({"offset": 0})"), "'kernarg.fields[0]' is not exactly one value"},
      {block(R"({"u32": 1})"), "'kernarg.fields[0]' has no 'offset'"},
      {R"({"code_object": "k.co", "kernarg": {"bytes": 65537}})", "'kernarg.bytes' is not a whole number"},
      {arguments("1.5"), "'args[0]' is neither a whole number nor an object"},
      {arguments(R"({"f32": null})"), "'args[0].f32' is not a number"},
      {arguments(R"({"buffer": ""})"), "'args[0].buffer' is an empty name"},
      {arguments(R"({"buffer": "a", "file": ""})"), "'args[0].file' is an empty name"},
      {arguments(R"({"buffer": "a", "offset": 8, "bytes": 4})"), "'args[0]' has an 'offset'"},
      {arguments(R"({"buffer": "a", "bytes": -4})"), "'args[0].bytes' is not a whole number from 0"},
      {arguments(R"({"bytes": "0g"})"), "'args[0].bytes' has something else than hexadecimal digits"},
      {R"({"code_object": ""})", "'code_object' is an empty name"},
      {R"({"code_object": 7})", "'code_object' is not text"},
      {R"({"code_object": "k.co", "outputs": {"a": "x", "b": "x"}})", "'outputs.b' goes to 'x', as 'a' does"},
      {R"({"code_object": "k.co", "outputs": {"a": "x", "b": "./x"}})",
       "'outputs.b' goes to './x', as 'a' does"},
      {R"({"code_object": "k.co", "outputs": {"a": "x.safetensors", "b": "y/../x.safetensors:a"}})",
       "'outputs.b' goes to 'y/../x.safetensors:a', as 'a' does"},
      {arguments(R"({"buffer": "a", "dtype": "F32", "shape": [70368744177664, 70368744177664]})"),
       "'args[0].shape' makes more than 70368744177664 bytes of F32"},
      {R"({"code_object": "k.co")", "not valid JSON: parse error at line 1, column 23"},
      {std::string(100000, '['), "is nested too deeply"},
      {"{\"code_object\": \"\xff\"}", "not valid JSON"},
      {"", "not valid JSON"},
      {R"({"code_object": "k.co", "a\nb": 1})", "unknown member 'a?b'"},
      {R"({"code_object": "k.co\u001b[2J"})", "'code_object' has a control character in 'k.co?[2J'"},
      {arguments(R"({"buffer": "a\nb", "bytes": 4})"), "'args[0].buffer' has a control character"},
      {R"({"code_object": "k.co", "outputs": {"a\nb": "x"}})", "'outputs' has a control character"},
      {arguments(R"({"f\n": 4})"), "unknown kind 'f?'"},
  };
  for (const auto& [text, reason] : kBad) {
    const std::string got = refusal(text);
    CAPTURE(text.substr(0, 200));
    CAPTURE(got);
    CHECK(got.starts_with("test.json: "));
    CHECK(got.find(reason) != std::string::npos);
    CHECK(got.find("json.exception") == std::string::npos);
    CHECK(got.find('\n') == std::string::npos);
    CHECK(got.size() < 400);
  }
}

TEST_CASE("launch file: type and shape of a buffer without a file say its bytes") {
  const LaunchFile launch = parse_launch_file(
      arguments(R"({"buffer": "a", "dtype": "BF16", "shape": [3, 5]}, {"buffer": "b", "dtype": "F32"},
                   {"buffer": "c", "dtype": "F32", "shape": [2], "file": "c.bin"})"),
      "test");
  CHECK(launch.arguments[0].buffer->bytes == 30);
  CHECK_FALSE(launch.arguments[1].buffer->bytes);
  CHECK_FALSE(launch.arguments[2].buffer->bytes);  // the file's
}

TEST_CASE("launch file: the largest finite values and fields that only touch are taken") {
  const LaunchFile launch = parse_launch_file(
      block(
          R"({"offset": 4, "f32": 3.4028234e38}, {"offset": 0, "f16": 65504}, {"offset": 2, "bf16": 3.3895e38})"),
      "test");
  CHECK(launch.fields[0].value.bytes == std::vector<uint8_t>{0xff, 0xff, 0x7f, 0x7f});
  CHECK(launch.fields[1].value.bytes == std::vector<uint8_t>{0xff, 0x7b});
  CHECK(launch.fields[2].value.bytes == std::vector<uint8_t>{0x7f, 0x7f});
}

TEST_CASE("launch file: mutated text is read or refused with an Error") {
  const uint64_t seed = 7;
  MESSAGE("seed ", seed);
  std::mt19937_64 random(seed);
  unsigned refused = 0;
  for (unsigned run = 0; run < 5000; ++run) {
    std::string text = kGood;
    for (unsigned change = 0; change <= random() % 4; ++change)
      text[random() % text.size()] = "{}[]\":,0aé-"[random() % 12];
    try {
      parse_launch_file(text, "mutant");
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(refused > 1000);
}

}  // namespace wavetwin::golden
