// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <filesystem>

#include "golden/io/file.h"
#include "golden/io/manifest.h"
#include "golden/io/safetensors.h"
#include "tests/cli/program.h"
#include "tests/unit/io/scratch_directory.h"

namespace wavetwin::golden {
namespace {

constexpr const char* kCase = "gemv/masked-t1-exact/0";
constexpr const char* kScaled = "v_mfma_scale_f32_16x16x128_f8f6f4";

// The program must exit 2 with one line on stderr that contains every part.
void check_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
  const Outcome outcome = run_wavetwin(arguments);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 2);
  CHECK(is_one_line(outcome.err));
  CHECK(outcome.err.starts_with("wavetwin: "));
  for (const std::string& part : parts) {
    CAPTURE(part);
    CHECK(contains(outcome.err, part));
  }
}

// The same, in words that a person reads.
void check_short(const std::vector<std::string>& arguments, const std::string& part) {
  check_refused(arguments, {part});
  const std::string err = run_wavetwin(arguments).err;
  CHECK(err.size() < 1500);
  CHECK_FALSE(contains(err, "\x1b"));
}

// Inputs of the case, written once, to be broken by the tests.
struct UserInputs {
  ScratchDirectory dir;
  Tensors tensors;
  std::string path = (dir / "mine.safetensors").string();
  UserInputs() {
    REQUIRE(run_wavetwin({"run", kCase, "--save-inputs", path}).exit_code == 0);
    tensors = SafetensorsFile::open(path).read_all();
  }
  void write() const { write_safetensors(path, tensors); }
  void check_input_refused(const std::string& input, const std::vector<std::string>& parts) const {
    check_refused({"run", kCase, "--input", input + "=" + path + ":" + input}, parts);
  }
};

void write_raw(const std::filesystem::path& path, const std::string& bytes) {
  write_atomically(path, [&](std::ostream& out) { out << bytes; });
}

TEST_CASE("broken: numbers that must not be negative, and directories in place of files, are refused") {
  check_refused({"check", kCase, "--max-idle-rounds", "-1"}, {"--max-idle-rounds", "-1 is negative"});
  check_refused({"check", kCase, "--schedule", "-1"}, {"--schedule", "-1 is negative"});
  check_refused({"check", kCase, "--threads", "-1"}, {"--threads", "not in range"});
  check_refused({"disasm", "/tmp"}, {"/tmp", "is a directory"});
  check_refused({"check", kCase, "--golden", "/nonexistent"},
                {"/nonexistent", "is not a directory of goldens"});
}

TEST_CASE("broken: a number is all of a decimal or hexadecimal number that fits, and nothing else") {
  const auto check_number = [](const std::string& text, const std::string& reason) {
    check_refused({"check", kCase, "--schedule", text}, {"--schedule", reason});
  };
  for (const char* text : {"18446744073709551616", "", "010", "1e3", "7x", "0x", "0x10000000000000000"})
    check_number(text, "'" + std::string(text) + "' is not a whole number of 64 bits");
  check_number("-0", "-0 is negative");
  check_refused({"layout", "--memory", "aiter_preshuffle_16x16", "--rows", "0", "--columns", "64"},
                {"--rows: 0 is less than 1"});
  check_refused({"trace", kCase, "--wave", "4294967296"}, {"--wave", "4294967296"});
  check_refused({"quantize", "--block", "-1", "in", "out"}, {"--block", "-1 is negative"});
  CHECK(run_wavetwin({"check", kCase, "--backend", "sim", "--schedule", "0x1F"}).exit_code == 0);
}

TEST_CASE("broken: two answers to one question, and names of files that are empty or too long") {
  check_refused({"list", "gemv", "--mfma"}, {"list: ask for one"});
  check_refused({"list", "--models", "--instructions"}, {"list: ask for one"});
  check_refused({"list", "/nowhere/k.co"}, {"/nowhere/k.co", "cannot read: No such file"});
  check_refused({"list", "./k"}, {"./k", "cannot read: No such file"});
  check_refused({"list", "/tmp"}, {"/tmp", "is a directory"});
  check_refused({"record", kCase, "--golden", ""}, {"--golden", "which directory?"});
  check_refused({"check", kCase, "--golden", ""}, {"--golden", "which directory?"});
  check_refused({"layout", "--instruction", kScaled, "--svg", "a.svg", "--html", "a.svg"},
                {"--svg and --html write the same file"});
  check_refused({"run", kCase, "--output", "a", "--save-inputs", "a"},
                {"--output and --save-inputs write the same file"});
  const std::string name(5000, 'a');
  check_refused({"layout", "convert", "--check", "aiter_preshuffle_16x16", name + ":x"},
                {"File name too long"});
  check_refused({"check", kCase, "--golden", name}, {"is not a directory"});
  check_refused({"check", kCase, "--code-object", "gemv=" + name}, {"the code object is not there"});
}

TEST_CASE("broken: an output that would replace its input is refused, and the input stays") {
  const ScratchDirectory dir;
  const std::string file = (dir / "f.safetensors").string();
  const auto check_kept = [&](const Tensors& tensors, std::vector<std::string> command) {
    write_safetensors(file, tensors);
    const std::string before = read_text(file);
    command.insert(command.end(), {file, (dir / "./f.safetensors").string()});
    check_refused(command, {"f.safetensors", "is the input"});
    CHECK(read_text(file) == before);
  };
  check_kept({{"x", Tensor(DType::F32, {32})}}, {"quantize"});
  check_kept({{"x", Tensor(DType::F8_E4M3, {16, 64})}},
             {"layout", "convert", "--from", "row_major", "--to", "aiter_preshuffle_16x16"});
  check_kept({{"a", Tensor(DType::U8, {1, 16, 128})},
              {"b", Tensor(DType::U8, {1, 128, 16})},
              {"c", Tensor(DType::F32, {1, 16, 16})}},
             {"mfma", "--instruction", kScaled});
}

TEST_CASE("broken: what a file holds cannot flood or colour the terminal") {
  const ScratchDirectory dir;
  const std::string file = (dir / "in").string();
  write_raw(file, std::string(100000, '\x1b'));
  check_short({"layout", "--banks", "ds_read_b128", "--addresses", file}, "is not an LDS byte address");
  const std::string long_name(100000, 'n');
  write_safetensors(file, {{long_name, Tensor(DType::F32, {3})}});
  check_short({"quantize", file, (dir / "out").string()}, "the last extent of [3]");
  Tensors many;
  for (int i = 0; i < 1000; ++i) many.emplace("layer." + std::to_string(i), Tensor(DType::F32, {1}));
  write_safetensors(file, many);
  check_short({"exec", "--template", file}, "not an ELF file");
  check_short({"layout", "convert", "--check", "aiter_preshuffle_16x16", file + ":x"}, "976 more");
}

TEST_CASE("broken: an option with one value leaves the case that follows it alone") {
  const Outcome outcome = run_wavetwin({"check", "--backend", "sim", kCase});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
}

}  // namespace

TEST_CASE("usage: unknown commands, options and values exit 2 with one line") {
  check_refused({}, {"--help"});
  check_refused({"chekc"}, {"chekc"});
  check_refused({"check", "--bakend", "sim"}, {"--bakend"});
  check_refused({"run"}, {"case"});
  check_refused({"check", kCase, "--threads", "many"}, {"--threads"});
  check_refused({"check", kCase, "--threads", "-1"}, {"--threads"});
  check_refused({"check", kCase, "--resident", "some"}, {"--resident some"});
  check_refused({"check", kCase, "--schedule", "x"}, {"--schedule"});
  check_refused({"check", kCase, "--label", "nolabel"}, {"no selected case has the wanted labels"});
}

TEST_CASE("usage: unknown case, backend, model and option are named beside what there is") {
  check_refused({"check", "gemv/none/1"}, {"no case matches 'gemv/none/1'", "wavetwin list"});
  check_refused({"list", "nothing"}, {"'nothing'"});
  check_refused({"run", "gemv/masked-*"}, {"'gemv/masked-*' names", "`run` takes one"});
  check_refused({"check", kCase, "--backend", "sim,gpu"}, {"'gpu'", "sim", "hip"});
  check_refused({"check", kCase, "--model", "gfx1100"}, {"gfx1100", "gfx950-default"});
  check_refused({"check", kCase, "--set", "nonsense=1"}, {"nonsense"});
  check_refused({"check", kCase, "--set", "nonsense"}, {"nonsense"});
}

TEST_CASE("inputs: truncated and oversized files") {
  const UserInputs user;
  const std::string bytes = read_text(user.path);
  write_raw(user.path, bytes.substr(0, bytes.size() - 1));
  user.check_input_refused("x", {"mine.safetensors", "tensor '", "leave the"});
  write_raw(user.path, bytes.substr(0, 5));
  user.check_input_refused("x", {"mine.safetensors", "truncated"});
  write_raw(user.path, bytes + "extra");
  user.check_input_refused("x", {"mine.safetensors", "5 bytes after the last tensor"});
  write_raw(user.path, "PK this is not one of ours, but long enough");
  user.check_input_refused("x", {"mine.safetensors", "truncated or not safetensors"});
}

TEST_CASE("inputs: wrong dtype, wrong shape, missing tensor, unknown input, missing file") {
  UserInputs user;
  const Tensor good = user.tensors.at("x");
  user.tensors.at("x") = Tensor(DType::BF16, good.shape);
  user.write();
  user.check_input_refused("x", {"mine.safetensors: tensor 'x': input 'x' is F8_E4M3, not BF16"});
  user.tensors.at("x") = Tensor(DType::F8_E4M3, {3, 5});
  user.write();
  user.check_input_refused("x", {"mine.safetensors: tensor 'x': input 'x' has shape [1,", "not [3,5]"});
  user.check_input_refused("y", {"has no input 'y' (it has: w, w_scale, x, x_scale)"});
  check_refused({"run", kCase, "--input", "x=" + user.path + ":z"}, {"mine.safetensors: no tensor 'z'"});
  check_refused({"run", kCase, "--input", "x=/nowhere/a.safetensors:x"},
                {"/nowhere/a.safetensors", "No such file"});
  check_refused({"run", kCase, "--input", "x"}, {"NAME=FILE.safetensors:TENSOR"});
  check_refused({"run", kCase, "--input", "x=file"}, {"FILE.safetensors:TENSOR"});
}

TEST_CASE("inputs: a NaN scale, which the kernel's contract excludes, is found with its place") {
  UserInputs user;
  Tensor& scale = user.tensors.at("x_scale");
  scale.view<uint8_t>()[scale.elements() - 1] = 0xFF;
  user.write();
  user.check_input_refused(
      "x_scale", {"mine.safetensors: tensor 'x_scale': input 'x_scale': scale byte 255 (NaN) at [0,"});
}

TEST_CASE("outputs: a directory that cannot be written is refused, and an old file stays") {
  const ScratchDirectory dir;
  write_raw(dir / "file", "not a directory");
  const std::string inside = (dir / "file" / "out.safetensors").string();
  check_refused({"run", kCase, "--output", inside}, {inside, "cannot write: Not a directory"});
  check_refused({"run", kCase, "--output", "/nowhere/out.safetensors"},
                {"/nowhere/out.safetensors", "No such file"});
  check_refused({"record", kCase, "--golden", (dir / "file").string()}, {"file/gemv", "Not a directory"});
  check_refused({"record", kCase, "--golden", (dir / "g").string(), "--full", (dir / "file").string()},
                {"file/gemv", "Not a directory"});
  CHECK_FALSE(std::filesystem::exists(dir / "g"));
  CHECK(read_text(dir / "file") == "not a directory");
}

TEST_CASE("goldens: a better one with other bits stays, and a broken manifest is refused") {
  const ScratchDirectory dir;
  const std::string golden = dir.path().string(), manifest = (dir / "gemv/manifest.txt").string();
  REQUIRE(run_wavetwin({"record", kCase, "--golden", golden}).exit_code == 0);
  // As if a gfx950 had given other words.
  std::string text = read_text(manifest);
  for (size_t at; (at = text.find(" oracle ")) != std::string::npos;) text.replace(at, 8, " hardware ");
  const size_t hash = text.find("] ", text.find("gemv/")) + 2;
  text[hash] = text[hash] == '0' ? '1' : '0';
  write_raw(manifest, text);
  check_refused({"record", kCase, "--golden", golden, "--reason", "I insist"},
                {manifest, kCase, "the golden from the hardware is better"});
  CHECK(read_text(manifest) == text);

  write_raw(manifest, text + "garbage\n");
  check_refused({"record", kCase, "--golden", golden}, {manifest, "line 5"});
  const Outcome check = run_wavetwin({"check", kCase, "--backend", "sim", "--golden", golden});
  CHECK(check.exit_code == 2);
  CHECK(contains(check.out, "line 5"));
}

TEST_CASE("mfma: unknown instruction and formats, codes that are too wide, scales where there are none") {
  const ScratchDirectory dir;
  const std::string in = (dir / "in").string(), out = (dir / "out").string();
  Tensors tensors = {{"a", Tensor(DType::U8, {1, 16, 128})},
                     {"b", Tensor(DType::U8, {1, 128, 16})},
                     {"c", Tensor(DType::F32, {1, 16, 16})}};
  write_safetensors(in, tensors);
  check_refused({"mfma", "--instruction", "v_mfma_f32_1x1x1_f8", in, out}, {"v_mfma_f32_1x1x1_f8"});
  check_refused({"mfma", "--instruction", kScaled, "--a-format", "e9m9", in, out}, {"--a-format e9m9"});
  check_refused({"mfma", "--instruction", kScaled, "--a-format", "bf16", in, out}, {"--a-format bf16"});
  check_refused({"mfma", "--instruction", "v_mfma_f32_16x16x32_bf16", in, out},
                {in, "tensor 'a' is U8, not BF16"});
  check_refused({"mfma", "--instruction", "v_mfma_scale_f32_32x32x64_f8f6f4", in, out},
                {in, "tensor 'a' has shape [1,16,128], not [batch,32,64]"});
  check_refused({"mfma", "--instruction", kScaled, "--model", "gfx942", in, out},
                {"v_mfma_scale_f32_16x16x128"});
  tensors.at("a").view<uint8_t>()[130] = 0x10;
  write_safetensors(in, tensors);
  check_refused(
      {"mfma", "--instruction", kScaled, "--a-format", "e2m1", in, out},
      {in, "tensor 'a' code 0x10 at element 130 [0] (row 1, column 2) has more than the 4 bits of e2m1"});
  tensors.at("b") = Tensor(DType::U8, {2, 128, 16});
  write_safetensors(in, tensors);
  check_refused({"mfma", "--instruction", kScaled, in, out},
                {"tensor 'b' has shape [2,128,16], not [1,128,16]"});
  tensors.at("b") = Tensor(DType::U8, {1, 128, 16});
  tensors.emplace("scale_a", Tensor(DType::U8, {1, 16, 4}));
  write_safetensors(in, tensors);
  check_refused({"mfma", "--instruction", "v_mfma_f32_16x16x128_f8f6f4", in, out},
                {"tensor 'scale_a' does not go with"});
  tensors.erase("c");
  write_safetensors(in, tensors);
  check_refused({"mfma", "--instruction", kScaled, in, out}, {in, "no tensor 'c' (it has: a, b, scale_a)"});
  CHECK_FALSE(std::filesystem::exists(out));
}

TEST_CASE("quantize: bad options, ragged blocks, clashing names and nothing to do") {
  const ScratchDirectory dir;
  const std::string in = (dir / "in").string(), out = (dir / "out").string();
  write_safetensors(in, {{"x", Tensor(DType::F32, {2, 40})}});
  check_refused({"quantize", "--format", "e5m3", in, out}, {"--format e5m3"});
  check_refused({"quantize", "--format", "e4m3fnuz", in, out}, {"--format e4m3fnuz"});
  check_refused({"quantize", "--scale-rule", "nearest", in, out}, {"--scale-rule nearest"});
  check_refused({"quantize", "--format", "e2m1", "--scale-rule", "vllm_rocm", in, out},
                {"not defined for e2m1"});
  check_refused({"quantize", "--block", "0", in, out}, {"--block 0"});
  check_refused({"quantize", in, out},
                {in, "tensor 'x': the last extent of [2,40] is not a multiple of the block 32"});
  write_safetensors(in, {{"x", Tensor(DType::F32, {32})}, {"x_scale", Tensor(DType::F32, {32})}});
  check_refused({"quantize", in, out}, {in, "'x_scale' twice"});
  write_safetensors(in, {{"x", Tensor(DType::I32, {32})}});
  check_refused({"quantize", in, out}, {in, "no F32, BF16 or F16 tensor"});
  CHECK_FALSE(std::filesystem::exists(out));
}

TEST_CASE("diff: files that cannot be read are named") {
  const ScratchDirectory dir;
  write_raw(dir / "short", "abc");
  const std::string path = (dir / "short").string();
  check_refused({"diff", path, path}, {path, "truncated: 3 bytes"});
  check_refused({"diff", "/nowhere/a", path}, {"/nowhere/a", "No such file"});
}

}  // namespace wavetwin::golden
