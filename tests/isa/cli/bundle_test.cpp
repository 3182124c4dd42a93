// SPDX-License-Identifier: MIT
// Offload bundles and host files in place of code objects, through every command that takes one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/isa/bundle_writer.h"
#include "tests/isa/cli/launch_bench.h"

namespace wavetwin::golden {
namespace {

const std::string kEcho =
    R"({"code_object": "FILE", "kernel": "echo_block", "outputs": {"o": "o.bin"},
        "kernarg": {"bytes": 256, "fields": [{"offset": 0, "buffer": "o", "bytes": 256, "fill": "zero"},
                                             {"offset": 128, "u32": 77}]}})";

std::string launch_of(const std::string& file) {
  std::string text = kEcho;
  return text.replace(text.find("FILE"), 4, file);
}

void write_bytes(const std::filesystem::path& path, const std::vector<uint8_t>& bytes) {
  write_text(path, std::string(bytes.begin(), bytes.end()));
}

// list, disasm and exec on `file`, which holds arguments.co.
void check_taken(const LaunchBench& bench, const std::string& file) {
  CAPTURE(file);
  const std::string path = (bench / file).string();
  const Outcome list = run_wavetwin({"list", path});
  CAPTURE(list.err);
  CHECK(list.exit_code == 0);
  CHECK(contains(list.out, "echo_block"));
  const Outcome disasm = run_wavetwin({"disasm", path, "--kernel", "echo_block"});
  CHECK(disasm.exit_code == 0);
  CHECK(contains(disasm.out, "s_load_dwordx2"));
  write_text(bench / "launch.json", launch_of(file));
  const Outcome exec = bench.exec();
  CAPTURE(exec.err);
  REQUIRE(exec.exit_code == 0);
  const auto bytes = bench.bytes("o.bin");
  CHECK(bytes[128] == 77);
  CHECK(run_wavetwin({"exec", "--template", path, "--kernel", "copy_arguments"}).exit_code == 0);
}

void check_refused(const LaunchBench& bench, const std::string& file,
                   std::initializer_list<const char*> parts) {
  write_text(bench / "launch.json", launch_of(file));
  const std::string path = (bench / file).string();
  for (const std::vector<std::string>& command : {std::vector<std::string>{"list", path},
                                                  {"disasm", path},
                                                  {"exec", bench.launch()},
                                                  {"exec", "--template", path},
                                                  {"trace", bench.launch()}}) {
    const Outcome outcome = run_wavetwin(command);
    CAPTURE(command[0]);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(is_one_line(outcome.err));
    CHECK(contains(outcome.err, file.substr(0, file.find('#'))));
    for (const char* part : parts) CHECK(contains(outcome.err, part));
  }
}

std::vector<uint8_t> joined(std::vector<uint8_t> first, const std::vector<uint8_t>& second) {
  first.resize((first.size() + 4095) / 4096 * 4096);
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

TEST_CASE("bundles: the gfx950 entry of plain and compressed bundles is listed, disassembled and run") {
  const LaunchBench bench("{}");
  const auto plain = isa::bundle("gfx950:sramecc+:xnack-", bench.bytes("arguments.co"));
  write_bytes(bench / "plain.hipfb", plain);
  check_taken(bench, "plain.hipfb");
  for (const uint16_t method : {isa::kZlibMethod, isa::kZstdMethod}) {
    CAPTURE(method);
    for (const uint16_t version : {1, 2, 3}) {
      const auto small = isa::compressed(plain, version, method);
      write_bytes(bench / "small.hipfb", small);
      check_taken(bench, "small.hipfb");
      // The second of two is found behind the first: version 1 does not say where it ends.
      write_bytes(
          bench / "small.hipfb",
          joined(isa::compressed(isa::bundle("gfx942", bench.bytes("memory.co")), version, method), small));
      check_taken(bench, "small.hipfb");
    }
  }
}

TEST_CASE("bundles: a bundle for another target or by another method is refused by name") {
  const LaunchBench bench("{}");
  const auto object = bench.bytes("arguments.co");
  const auto other = isa::bundle("gfx942", object);
  write_bytes(bench / "b.hipfb", other);
  check_refused(bench, "b.hipfb", {"no gfx950 entry; it holds: ", "hipv4-amdgcn-amd-amdhsa--gfx942"});
  write_bytes(bench / "b.hipfb", isa::compressed(other, 3));
  check_refused(bench, "b.hipfb", {"no gfx950 entry; it holds: ", "gfx942"});
  write_bytes(bench / "b.hipfb", isa::compressed(other, 2, isa::kZlibMethod));
  check_refused(bench, "b.hipfb", {"no gfx950 entry; it holds: ", "gfx942"});
  write_bytes(bench / "b.hipfb", isa::compressed(other, 2, 7));
  check_refused(bench, "b.hipfb", {"unknown method 7"});
  // The entry says gfx950, the object inside does not.
  auto wrong = object;
  wrong[48] = 0x4c;
  write_bytes(bench / "b.hipfb", isa::bundle("gfx950", wrong));
  check_refused(bench, "b.hipfb", {"the code object is for gfx942"});
}

TEST_CASE("bundles: damaged zlib data are refused, whatever size the header states") {
  const LaunchBench bench("{}");
  const auto good = isa::compressed(isa::bundle("gfx950", bench.bytes("arguments.co")), 2, isa::kZlibMethod);
  const auto refuse = [&](std::vector<uint8_t> bad, std::initializer_list<const char*> parts) {
    write_bytes(bench / "b.hipfb", bad);
    check_refused(bench, "b.hipfb", parts);
  };
  auto bad = good;
  bad[24 + 40] ^= 0x10;
  refuse(bad, {"zlib: "});
  bad = good;
  bad.back() ^= 1;  // the checksum
  refuse(bad, {"zlib: incorrect data check"});
  bad = good;
  --bad[12];  // one byte less than there are
  refuse(bad, {"the zlib stream does not hold the stated "});
  bad = good;
  ++bad[12];
  refuse(bad, {"the zlib stream does not hold the stated "});
  bad = good;
  bad.resize(bad.size() - 6);
  bad[8] = static_cast<uint8_t>(bad[8] - 6);
  if (good[8] >= 6) refuse(bad, {"zlib: the data end too early"});
}

TEST_CASE("offload binaries: every version is taken, alone, in rows and in a host object") {
  const LaunchBench bench("{}");
  const auto object = bench.bytes("arguments.co");
  const std::string amd = "amdgcn-amd-amdhsa";
  const isa::DeviceImage ours{amd, "gfx950:xnack-", object}, other{amd, "gfx942", bench.bytes("memory.co")};
  for (const uint32_t version : {1u, 2u, 3u}) {
    CAPTURE(version);
    write_bytes(bench / "images.out", isa::offload_binary(version, {ours}));
    check_taken(bench, "images.out");
    write_bytes(bench / "images.out",
                joined(isa::offload_binary(version, {other}), isa::offload_binary(version, {ours})));
    check_taken(bench, "images.out");
    write_bytes(bench / "host.o", isa::host_object(isa::offload_binary(version, {ours}), ".llvm.offloading"));
    check_taken(bench, "host.o");
    if (version == 1) continue;
    write_bytes(bench / "images.out", isa::offload_binary(version, {other, ours, {amd, "gfx950", object}}));
    check_taken(bench, "images.out#2");
    check_refused(bench, "images.out", {"holds 2 gfx950 code objects: write "});
  }
  // As llvm-offload-binary makes it of a file that is not named .o.
  write_bytes(bench / "images.out", isa::offload_binary(1, {{amd, "gfx950", object, 0}}));
  check_taken(bench, "images.out");
}

TEST_CASE("offload binaries: what cannot be taken is named") {
  const LaunchBench bench("{}");
  const auto object = bench.bytes("arguments.co");
  const std::string amd = "amdgcn-amd-amdhsa";
  const auto refuse = [&](const std::vector<uint8_t>& bad, std::initializer_list<const char*> parts) {
    write_bytes(bench / "images.out", bad);
    check_refused(bench, "images.out", parts);
  };
  refuse(isa::offload_binary(2, {{amd, "gfx942", object}, {amd, "gfx950", object, 2}}),
         {"no gfx950 object; it holds: amdgcn-amd-amdhsa gfx942, amdgcn-amd-amdhsa gfx950 (bitcode)"});
  refuse(isa::offload_binary(1, {{"nvptx64-nvidia-cuda", "gfx950", object}}),
         {"nvptx64-nvidia-cuda gfx950 (object)"});
  refuse(isa::offload_binary(2, {}), {"it holds: nothing"});
  const auto good = isa::offload_binary(3, {{amd, "gfx950", object}});
  const auto with = [&](size_t at, uint8_t value) {
    auto bad = good;
    bad[at] = value;
    return bad;
  };
  refuse(with(4, 9), {"unknown version 9"});
  refuse(with(14, 1), {"reaches past the end of the file"});
  refuse(with(32, 1), {"compressed offload binary", "llvm-offload-binary"});
  refuse(with(26, 1), {"claims 65537 entries"});
  refuse(with(18, 1), {"offload binary entries", "reaches past the end"});
  refuse(with(40 + 18, 1), {"claims 65538 strings"});
  refuse(with(40 + 26, 1), {"device image", "reaches past the end"});
  refuse({good.begin(), good.begin() + 20}, {"reaches past the end"});
}

TEST_CASE("host files: a program with .hip_fatbin is taken, of several objects one by its number") {
  const LaunchBench bench("{}");
  const auto one = isa::bundle("gfx950", bench.bytes("arguments.co"));
  write_bytes(bench / "host.o", isa::host_object(one));
  check_taken(bench, "host.o");
  check_taken(bench, "host.o#1");
  check_refused(bench, "host.o#2", {"holds 1 gfx950 code objects and no number 2"});
  write_bytes(
      bench / "host.o",
      isa::host_object(joined(isa::compressed(isa::bundle("gfx950", bench.bytes("memory.co")), 3), one)));
  check_taken(bench, "host.o#2");
  check_refused(bench, "host.o", {"holds 2 gfx950 code objects: write ", "host.o#1 to "});
  write_bytes(bench / "host.o", isa::host_object(isa::bundle("gfx942", bench.bytes("memory.co"))));
  check_refused(bench, "host.o", {"no gfx950 entry; it holds: ", "gfx942"});
  check_refused(bench, "arguments.co#3", {"has no object 3"});
}

TEST_CASE("malformed objects: every command ends in one line with the file's name") {
  const LaunchBench bench("{}");
  const auto good = bench.bytes("arguments.co");
  const auto with = [&](size_t at, std::vector<uint8_t> bytes) {
    auto bad = good;
    std::copy(bytes.begin(), bytes.end(), bad.begin() + static_cast<ptrdiff_t>(at));
    return bad;
  };
  const std::vector<uint8_t> all_ones(8, 0xff);
  write_bytes(bench / "bad.co", {good.begin(), good.begin() + 100});
  check_refused(bench, "bad.co", {"reaches past the end of the file (100 bytes)"});
  write_bytes(bench / "bad.co", {});
  check_refused(bench, "bad.co", {"bad.co: "});
  write_bytes(bench / "bad.co", with(32, all_ones));  // e_phoff
  check_refused(bench, "bad.co", {"bad.co: "});
  write_bytes(bench / "bad.co", with(40, all_ones));  // e_shoff
  check_refused(bench, "bad.co", {"bad.co: "});
  const std::string name("AMDGPU", 6);
  const auto note = std::search(good.begin(), good.end(), name.begin(), name.end());
  REQUIRE(note != good.end());
  const auto at = static_cast<size_t>(note - good.begin()) + 8;
  write_bytes(bench / "bad.co", with(at, std::vector<uint8_t>(200, 0x91)));  // lists in lists
  check_refused(bench, "bad.co", {"the metadata note is not valid MessagePack"});
  write_bytes(bench / "bad.co", with(at - 16, all_ones));  // sizes of the note
  check_refused(bench, "bad.co", {"a note reaches past its segment"});
}

TEST_CASE("exec --template: an argument's name that is not UTF-8 is printed as far as it can be") {
  const LaunchBench bench("{}");
  auto object = bench.bytes("arguments.co");
  const std::vector<uint8_t> name{0xa3, 'o', 'u', 't'};
  const auto at = std::search(object.begin(), object.end(), name.begin(), name.end());
  REQUIRE(at != object.end());
  *(at + 1) = 0xff;
  write_bytes(bench / "odd.co", object);
  const Outcome outcome =
      run_wavetwin({"exec", "--template", (bench / "odd.co").string(), "--kernel", "copy_arguments"});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "\xef\xbf\xbdut"));
}

TEST_CASE("host files: a real executable, with and without device code") {
  const LaunchBench bench("{}");
  const std::string program = "/bin/true", section = (bench / "f.hipfb").string(),
                    out = (bench / "app").string();
  write_bytes(section, isa::bundle("gfx950", bench.bytes("arguments.co")));
  const std::string command =
      std::string(OBJCOPY) + " --add-section .hip_fatbin=" + section + " " + program + " " + out;
  REQUIRE(std::system(command.c_str()) == 0);
  check_taken(bench, "app");
  std::filesystem::copy_file(program, bench / "plain_app");
  check_refused(bench, "plain_app",
                {"a host file without device code: it has no section .hip_fatbin or .llvm.offloading"});
}

}  // namespace wavetwin::golden
