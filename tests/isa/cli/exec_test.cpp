// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <utility>

#include "golden/io/safetensors.h"
#include "tests/isa/cli/launch_bench.h"

namespace wavetwin::golden {
namespace {

using Bench = LaunchBench;

template <typename T>
T at(const std::vector<uint8_t>& bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

// The kernel copies its whole block to the buffer at offset 0.
std::string echo(const std::string& fields) {
  return R"({"code_object": "arguments.co", "kernel": "echo_block", "kernarg": {"bytes": 256, "fields": [
             {"offset": 0, "buffer": "o", "bytes": 256, "fill": "zero"}, )" +
         fields + R"(]}, "outputs": {"o": "o.bin"}})";
}

void check_bad(const Bench& bench, std::initializer_list<const char*> parts,
               std::vector<std::string> more = {}) {
  const Outcome outcome = bench.exec(std::move(more));
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 2);
  CHECK(is_one_line(outcome.err));
  for (const char* part : parts) {
    CAPTURE(part);
    CHECK(contains(outcome.err, part));
  }
}

}  // namespace

TEST_CASE("exec: every kind of argument reaches the kernarg block") {
  const Bench bench(echo(R"(
    {"offset": 8, "i32": -5}, {"offset": 12, "u32": 4000000000}, {"offset": 16, "i64": -6}, {"offset": 24, "u64": 7},
    {"offset": 32, "f32": 1.5}, {"offset": 36, "f16": 1.5}, {"offset": 38, "bf16": 1.5}, {"offset": 40, "bytes": "0102ff"},
    {"offset": 48, "buffer": "other", "bytes": 64, "fill": "poison"},
    {"offset": 56, "buffer": "other", "address": 16}, {"offset": 64, "f64": 2.5}, {"offset": 72, "u64": 0})"));
  const Outcome outcome = bench.exec();
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const auto block = bench.bytes("o.bin");
  REQUIRE(block.size() == 256);
  CHECK(at<int32_t>(block, 8) == -5);
  CHECK(at<uint32_t>(block, 12) == 4000000000u);
  CHECK(at<int64_t>(block, 16) == -6);
  CHECK(at<uint64_t>(block, 24) == 7);
  CHECK(at<float>(block, 32) == 1.5f);
  CHECK(at<uint16_t>(block, 36) == 0x3e00);
  CHECK(at<uint16_t>(block, 38) == 0x3fc0);
  CHECK(at<uint32_t>(block, 40) == 0x00ff0201);
  CHECK(at<uint64_t>(block, 48) != 0);
  CHECK(at<uint64_t>(block, 56) == at<uint64_t>(block, 48) + 16);
  CHECK(at<double>(block, 64) == 2.5);
  write_safetensors(bench / "ref.safetensors",
                    {{"o", make_tensor<uint8_t>(DType::U8, {256}, std::span<const uint8_t>(block))}});
  const Outcome met = bench.exec({"--expect", "o=" + (bench / "ref.safetensors").string() + ":o"});
  CHECK(met.exit_code == 0);
  CHECK(contains(met.out, "o: 256 elements equal"));
}

TEST_CASE("exec: arguments in the metadata's order; a number where a pointer is expected is an address") {
  const std::string head = R"({"code_object": "arguments.co", "kernel": "copy_arguments", "args": [)";
  const Bench good(head + R"({"buffer": "o", "bytes": 256}, 42, {"f16": 2}], "outputs": {"o": "o.bin"}})");
  REQUIRE(good.exec().exit_code == 0);
  CHECK(at<uint32_t>(good.bytes("o.bin"), 8) == 42);
  CHECK(at<uint16_t>(good.bytes("o.bin"), 12) == 0x4000);
  const Bench null(head + R"({"u64": 0}, {"u32": 1}, {"f16": 2}]})");
  check_bad(null,
            {"global_store_dword", "workgroup 0", "wave 0", "lane 0", "4 bytes at 0x0 is out of bounds"});
  const Bench few(head + R"({"buffer": "o", "bytes": 256}]})");
  check_bad(few, {"copy_arguments", "argument 1 'n' is missing"});
  const Bench wide(head + R"({"buffer": "o", "bytes": 256}, {"u64": 1}, {"f16": 2}]})");
  check_bad(wide, {"argument 1 'n' has 4 bytes", "8"});
}

TEST_CASE("exec: a grid in work-items reaches the hidden arguments, from the file or the command line") {
  const std::string head = R"({"code_object": "arguments.co", "kernel": "copy_arguments", )";
  const std::string tail = R"("args": [{"buffer": "o", "bytes": 256, "fill": "zero"}, 3, {"bytes": "0000"}],
                              "outputs": {"o": "o.bin"}})";
  const auto check_shape = [](const Bench& bench, const std::vector<std::string>& more) {
    const Outcome outcome = bench.exec(more);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const auto block = bench.bytes("o.bin");
    const uint32_t counts[] = {0, 1, 1};
    const uint16_t sizes[] = {128, 2, 1}, remainders[] = {70, 0, 0};
    for (unsigned axis = 0; axis < 3; ++axis) {
      CHECK(at<uint32_t>(block, 24 + 4 * axis) == counts[axis]);
      CHECK(at<uint16_t>(block, 36 + 2 * axis) == sizes[axis]);
      CHECK(at<uint16_t>(block, 42 + 2 * axis) == remainders[axis]);
    }
    CHECK(at<uint16_t>(block, 88) == 2);
  };
  check_shape(Bench(head + R"("grid_items": [70, 2], "block": [128, 2], )" + tail), {});
  check_shape(Bench(head + R"("grid_items": [5], "block": [128, 2], )" + tail), {"--grid-items", "70,2"});
  check_shape(Bench(head + R"("grid": [2], )" + tail), {"--grid-items", "70,0x2", "--block", "128,2"});
  const Bench items(head + R"("grid_items": [70, 2], "block": [128, 2], )" + tail);
  REQUIRE(items.exec({"--grid", "1"}).exit_code == 0);
  CHECK(at<uint32_t>(items.bytes("o.bin"), 24) == 1);
  CHECK(at<uint16_t>(items.bytes("o.bin"), 42) == 0);
  CHECK(at<uint16_t>(items.bytes("o.bin"), 88) == 3);
  check_bad(Bench(head + R"("grid": [1], "grid_items": [64], )" + tail),
            {"the launch has both 'grid' and 'grid_items'"});
  for (const char* bad : {"1,2,3,4", "1,,2", "-1", "4294967296", "x"})
    check_bad(items, {"--grid-items ", bad, "one to three whole numbers of 32 bits"}, {"--grid-items", bad});
  check_bad(items, {"--grid-items", "--grid"}, {"--grid-items", "4", "--grid", "4"});
  check_bad(items, {"grid 0 x 1 x 1 is empty"}, {"--grid-items", "0"});
  check_bad(items, {"block 0 x 1 x 1 is empty"}, {"--block", "0"});
  const Outcome other = run_wavetwin({"exec", "--template", (items / "arguments.co").string(), "--kernel",
                                      "copy_arguments", "--grid-items", "100,3"});
  CHECK(contains(other.out, "\"grid_items\": [\n    100,\n    3\n  ]"));
}

TEST_CASE("exec: safetensors in and out, several buffers in one file, the same name is the same memory") {
  const Bench bench(
      R"({"code_object": "memory.co", "kernel": "load_to_lds", "kernarg": {"bytes": 64, "fields": [
      {"offset": 0, "buffer": "in", "file": "in.safetensors:x"}, {"offset": 8, "buffer": "out", "bytes": 1280,
       "dtype": "F32", "shape": [5, 64]}, {"offset": 16, "buffer": "in"}]},
      "outputs": {"in": "all.safetensors:a", "out": "all.safetensors:b"}})");
  std::vector<float> values(256);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  Tensors inputs;
  inputs.emplace("x", make_tensor<float>(DType::F32, {16, 16}, std::span<const float>(values)));
  write_safetensors(bench / "in.safetensors", inputs);
  const Outcome outcome = bench.exec();
  CAPTURE(outcome.err);
  // Lanes 16 to 31 read LDS that nobody wrote.
  REQUIRE(outcome.exit_code == 1);
  CHECK(contains(outcome.err, "finding: read of never-written LDS"));
  const auto file = SafetensorsFile::open(bench / "all.safetensors");
  CHECK(file.read("a").shape == Shape{16, 16});
  const Tensor out = file.read("b");
  CHECK(out.dtype == DType::F32);
  CHECK(out.shape == Shape{5, 64});
  CHECK(out.view<float>()[63] == 63.0f);
  SUBCASE("--expect on equal data says so, on other data it ends in the report") {
    CHECK(contains(bench.exec({"--expect", "out=" + (bench / "all.safetensors").string() + ":b"}).out,
                   "out: 320 elements equal"));
    Tensor wrong = out;
    wrong.view<float>()[70] += 1;
    write_safetensors(bench / "wrong.safetensors", {{"b", wrong}});
    const Outcome differs = bench.exec({"--expect", "out=" + (bench / "wrong.safetensors").string() + ":b"});
    CHECK(differs.exit_code == 1);
    CHECK(contains(differs.out, "tensor 'out' F32 [5,64]: 1 of 320 elements differ"));
    CHECK(contains(differs.out, "(row 1, column 6)"));
    const Outcome json =
        bench.exec({"--json", "--expect", "out=" + (bench / "wrong.safetensors").string() + ":b"});
    CHECK(json.exit_code == 1);
    CHECK(is_one_line(json.out));
    CHECK(json.out.starts_with("{"));
    CHECK(contains(json.err, "1 of 320 elements differ"));
    wrong = out;
    for (size_t i = 0; i < out.view<float>().size(); ++i) wrong.view<float>()[i] = out.view<float>()[i ^ 16];
    write_safetensors(bench / "wrong.safetensors", {{"b", wrong}});
    CHECK(contains(bench.exec({"--expect", "out=" + (bench / "wrong.safetensors").string() + ":b"}).out,
                   "would be explained by 'out' written with columns c and c ^ 16 exchanged"));
  }
  SUBCASE("--expect of another size is an error") {
    const Outcome outcome = bench.exec({"--expect", "in=" + (bench / "all.safetensors").string() + ":b"});
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, "buffer 'in' of 1024 bytes is not F32 [5,64]"));
  }
}

TEST_CASE("exec: wrong input ends in one line that says what is wrong") {
  check_bad(Bench("{"), {"launch.json", "not valid JSON"});
  check_bad(Bench(R"({"code_object": "missing.co"})"),
            {"missing.co: cannot read: No such file or directory"});
  check_bad(Bench(R"({"code_object": "memory.co", "kernel": "nothing"})"),
            {"no kernel 'nothing'", "lds_transpose"});
  check_bad(Bench(R"({"code_object": "memory.co", "kernel": "lds_160k", "dynamic_lds": 4})"),
            {"163844 bytes of LDS"});
  check_bad(Bench(R"({"code_object": "memory.co", "kernel": "lds_160k", "colour": 1})"),
            {"unknown member 'colour'"});
  check_bad(Bench(echo(R"({"offset": 8, "buffer": "o", "bytes": 100})")),
            {"buffer 'o' has 256 bytes", "100"});
  check_bad(Bench(echo(R"({"offset": 250, "u64": 1})")), {"kernarg.fields[1]", "258"});
  check_bad(Bench(echo(R"({"offset": 4, "u64": 1})")), {"launch.json", "kernarg.fields[1]", "overlap"});
  check_bad(Bench(echo(R"({"offset": 8, "i32": 3000000000})")), {"kernarg.fields[1].i32", "32 bits"});
  check_bad(
      Bench(R"({"code_object": "arguments.co", "kernel": "copy_arguments", "args": [{"buffer": "o"}]})"),
      {"'args[0]': buffer 'o' has neither 'bytes' nor 'dtype' and 'shape'"});
  for (const char* file : {"launch.json", "arguments.co", "./launch.json"}) {
    CAPTURE(file);
    check_bad(Bench(R"({"code_object": "arguments.co", "kernel": "copy_arguments", "args":
                        [{"buffer": "o", "bytes": 256}, 1, {"f16": 2}], "outputs": {"o": ")" +
                    std::string(file) + R"("}})"),
              {"'outputs.o'", "is the input"});
  }
  Bench target(R"({"code_object": "other.co"})");
  auto bytes = target.bytes("memory.co");
  bytes[48] = 0x4c;
  std::ofstream(target / "other.co", std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  check_bad(target, {"other.co", "gfx942"});
}

TEST_CASE("exec: what a launch can never do is found before it runs, with the launch file and its member") {
  const std::string head =
      R"({"code_object": "arguments.co", "kernel": "echo_block", "kernarg": {"bytes": 256, "fields": [)";
  const auto with = [&](const std::string& fields, const std::string& rest = "") {
    return head + fields + "]}" + rest + "}";
  };
  const std::string good = R"({"offset": 0, "buffer": "o", "bytes": 256, "fill": "zero"})";
  check_bad(Bench(R"({"code_object": "arguments.co", "kernel": "echo_block", "kernarg": {"bytes": 248}})"),
            {"launch.json: 'kernarg.bytes': a block of 248 bytes; kernel 'echo_block' reads 256"});
  check_bad(Bench(R"({"code_object": "arguments.co", "kernel": "copy_arguments", "kernarg": {"bytes": 12}})"),
            {"launch.json: 'kernarg.bytes': a block of 12 bytes; kernel 'copy_arguments' reads 14"});
  check_bad(Bench(R"({"code_object": "arguments.co", "kernel": "echo_block"})"),
            {"launch.json: kernel 'echo_block' reads 256 bytes of arguments and has no metadata"});
  check_bad(Bench(with(R"({"offset": 0, "buffer": "big", "bytes": 1099511627776, "fill": "zero"})")),
            {"launch.json: 'kernarg.fields[0]': buffer 'big' of 1099511627776 bytes does not fit"});
  check_bad(Bench(with(R"({"offset": 0, "buffer": "big", "bytes": 1099511627776})",
                       R"(, "outputs": {"big": "x"})")),
            {"launch.json: 'outputs.big': buffer 'big' of 1099511627776 bytes does not fit"});
  check_bad(Bench(with(R"({"offset": 0, "buffer": "queue", "bytes": 64})")),
            {"launch.json: 'kernarg.fields[0]': the name 'queue' is the launch's own"});
  check_bad(Bench(with(R"({"offset": 0, "buffer": "o", "file": "gone.bin"})")),
            {"launch.json: 'kernarg.fields[0]': ", "gone.bin: cannot read: No such file"});
  check_bad(Bench(with(good, R"(, "outputs": {"x": "x.bin"})")),
            {"launch.json: ", "no buffer 'x' (it has: o)"});
  for (const char* file : {"/nowhere/o.bin", "/nowhere/o.safetensors:o", ".", "o.npy", "o.st:o"}) {
    const Bench bench(with(good, R"(, "outputs": {"o": ")" + std::string(file) + "\"}"));
    const Outcome outcome = bench.exec();
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(is_one_line(outcome.err));
    CHECK(contains(outcome.err, "launch.json: 'outputs.o': "));
    CHECK(outcome.out.empty());  // it did not run
  }
  const Bench fine(with(good));
  const Outcome unknown = fine.exec({"--expect", "x=" + (fine / "memory.co").string()});
  CHECK(unknown.exit_code == 2);
  CHECK(contains(unknown.err, "the launch has no buffer 'x' (it has: o)"));
  CHECK(unknown.out.empty());
  check_bad(Bench(R"({"code_object": "/dev/zero"})"), {"/dev/zero", "device"});
  check_bad(fine, {"--kernel goes with --template"}, {"--kernel", "echo_block"});
  check_bad(fine, {"launch.json and --template: one of them"}, {"--template", "x.co"});
}

TEST_CASE("code objects: a file that cannot be read is named with the system's reason") {
  const auto check_read = [](const std::string& file, const char* message) {
    CAPTURE(file);
    const Outcome outcome = run_wavetwin({"disasm", file});
    CHECK(outcome.exit_code == 2);
    CHECK(is_one_line(outcome.err));
    CHECK(contains(outcome.err, message));
  };
  check_read("", "'': cannot read: No such file or directory");
  check_read("/", "/: cannot read: it is a directory");
  check_read("/dev/zero", "/dev/zero: cannot read: it is a device");
  check_read("/proc/self/mem", "/proc/self/mem: cannot read: Input/output error");
  check_read("/proc/self/environ", "/proc/self/environ: not an ELF file");  // has no size, but can be read
}

TEST_CASE("exec: files larger than the machine's memory are refused by name") {
  const Bench bench(echo(R"({"offset": 8, "buffer": "big", "file": "big.bin"})"));
  write_text(bench / "big.bin", "x");
  std::error_code code;  // sparse; a file system may have no room for such a size
  std::filesystem::resize_file(bench / "big.bin", uint64_t{1} << 40, code);
  if (code) return;
  check_bad(bench,
            {"launch.json: 'kernarg.fields[1]': ", "big.bin: cannot read: 1099511627776 bytes do not fit"});
  write_text(bench / "launch.json", R"({"code_object": "big.bin"})");
  check_bad(bench, {"big.bin: cannot read: 1099511627776 bytes do not fit"});
}

TEST_CASE("exec: a buffer of 1 TiB costs what is touched") {
  const Bench bench(
      R"({"code_object": "arguments.co", "kernel": "echo_block", "kernarg": {"bytes": 256, "fields": [
         {"offset": 0, "buffer": "big", "bytes": 1099511627776}]}})");
  CHECK(bench.exec().exit_code == 0);
}

TEST_CASE("exec --template: Triton's JSON with numbers no launch can have is refused by name") {
  const Bench bench("{}");
  const std::string object = (bench / "arguments.co").string();
  const auto refused = [&](const std::string& json, const std::string& part) {
    write_text(bench / "arguments.json", json);
    const Outcome outcome = run_wavetwin({"exec", "--template", object, "--kernel", "copy_arguments"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(is_one_line(outcome.err));
    CHECK(contains(outcome.err, "arguments.json: "));
    CHECK(contains(outcome.err, part));
  };
  refused(R"({"num_warps": 67108865})", "'num_warps' of 64 lanes makes 4294967360 threads");
  refused(R"({"num_warps": 4294967297})", "'num_warps' is not a whole number from 0 to 4294967295");
  refused(R"({"num_warps": 0})", "makes 0 threads");
  refused(R"({"num_warps": 4, "target": {"warp_size": 1e999}})", "'target.warp_size': 1e999 is larger");
  refused(R"({"num_warps": 4, "shared": -1})", "'shared' is not a whole number");
  refused("{", "not valid JSON");
  write_text(bench / "arguments.json", R"({"other": 1})");  // somebody else's
  CHECK(run_wavetwin({"exec", "--template", object, "--kernel", "copy_arguments"}).exit_code == 0);
}

TEST_CASE("exec: a store out of bounds names everything that is needed to find it") {
  const Bench bench(R"({"code_object": "memory.co", "kernel": "out_of_bounds",
                        "kernarg": {"bytes": 64, "fields": [{"offset": 0, "buffer": "result", "bytes": 1024}]}})");
  check_bad(bench, {"out_of_bounds", "pc 0x", "global_store_dword v1, v0, s[4:5]", "workgroup 0", "wave 0",
                    "lane 5", "result"});
}

TEST_CASE("exec: no progress is reported, not waited for") {
  const Bench bench(R"({"code_object": "sync.co", "kernel": "counted_spin", "grid": [2],
                        "kernarg": {"bytes": 64, "fields": [{"offset": 0, "buffer": "flag", "bytes": 4, "fill": "zero"}]}})");
  const Outcome outcome = bench.exec({"--max-idle-rounds", "50"});
  CHECK(outcome.exit_code == 2);
  for (const char* part : {"no progress", "workgroup 0", "wave 0", "pc 0x", "flag"})
    CHECK(contains(outcome.err, part));
}

TEST_CASE("exec: --json prints counts; --mode changes what the kernel sees") {
  const Bench bench(
      R"({"code_object": "registers.co", "kernel": "hardware_registers", "kernarg": {"bytes": 64,
                        "fields": [{"offset": 0, "buffer": "o", "bytes": 16}]}, "outputs": {"o": "o.bin"}})");
  const Outcome outcome = bench.exec({"--json", "--mode", "round_f32=zero", "--mode", "fp16_ovfl=on"});
  REQUIRE(outcome.exit_code == 0);
  CHECK(is_one_line(outcome.out));
  for (const char* part : {"\"instructions\":", "\"mfmas\":0", "\"rounds\":1", "\"seconds\":", "\"mips\":"}) {
    CHECK(contains(outcome.out, part));
  }
  CHECK(at<uint32_t>(bench.bytes("o.bin"), 0) == (0x3f3u | 1u << 23));
  check_bad(bench, {"--mode denorm_f32=maybe", "flush"}, {"--mode", "denorm_f32=maybe"});
}

TEST_CASE("exec --help shows what a launch file holds") {
  const Outcome outcome = run_wavetwin({"exec", "--help"});
  CHECK(outcome.exit_code == 0);
  for (const char* member : {"code_object", "kernel",  "grid",   "block",   "dynamic_lds",
                             "args",        "kernarg", "fields", "offset",  "buffer",
                             "bytes",       "file",    "fill",   "address", "dtype",
                             "shape",       "outputs", "i32",    "bf16",    "safetensors:tensor",
                             ".npy"}) {
    CAPTURE(member);
    CHECK(contains(outcome.out, member));
  }
}

TEST_CASE("exec --template: a launch file from the metadata, and from Triton's JSON beside the object") {
  const Bench bench("{}");
  const std::string object = (bench / "arguments.co").string();
  const Outcome plain = run_wavetwin({"exec", "--template", object, "--kernel", "copy_arguments"});
  REQUIRE(plain.exit_code == 0);
  for (const char* part : {"\"kernel\": \"copy_arguments\"", "\"buffer\": \"out\"", "\"i32\": 0"}) {
    CHECK(contains(plain.out, part));
  }
  write_text(bench / "arguments.json",
             R"({"name": "copy_arguments", "num_warps": 2, "shared": 512, "target": {"warp_size": 64}})");
  const Outcome triton = run_wavetwin({"exec", "--template", object});
  REQUIRE(triton.exit_code == 0);
  CHECK(contains(triton.out, "\"dynamic_lds\": 512"));
  CHECK(contains(triton.out, "128"));
  // What it prints runs once the second pointer-free arguments are left alone.
  write_text(bench / "launch.json", triton.out);
  CHECK(bench.exec().exit_code == 0);
}

TEST_CASE("list FILE.co shows kernels, arguments, registers, LDS and MODE") {
  const Outcome outcome = run_wavetwin({"list", std::string(ASM_DIR) + "arguments.co"});
  REQUIRE(outcome.exit_code == 0);
  for (const char* part : {"copy_arguments", "32 VGPRs", "16 bytes static", "denorm_f32=keep",
                           "global_buffer", "out", "hidden arguments", "echo_block", "raw block"}) {
    CAPTURE(part);
    CHECK(contains(outcome.out, part));
  }
}

}  // namespace wavetwin::golden
