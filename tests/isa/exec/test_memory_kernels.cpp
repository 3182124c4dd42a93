// SPDX-License-Identifier: MIT
// Expected values are worked out here from the addresses the kernels use.
#include <doctest/doctest.h>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {

TEST_CASE("raw buffer: dwords past num_records read 0 and are not stored") {
  Machine machine("memory");
  const uint64_t buffer = machine.memory().allocate("buffer", 1040);
  std::vector<uint32_t> content(260);
  for (uint32_t i = 0; i < content.size(); ++i) content[i] = 1000 + i;
  machine.memory().write(buffer, content.data(), 1040);
  const uint64_t out = machine.poisoned("out", 1024);
  machine.run("buffer_bounds", 1, 64, {buffer, out});
  const auto loaded = machine.words(out, 256);
  for (uint32_t i = 0; i < 256; ++i) {
    CAPTURE(i);
    CHECK(loaded[i] == (i < 50 ? 1000 + i : 0));  // 200 bytes are 50 dwords
  }
  const auto left = machine.words(buffer, 260);
  for (uint32_t i = 0; i < 260; ++i) {
    CAPTURE(i);
    const bool stored = i >= 4 && i < 50;  // offset:16
    CHECK(left[i] == (stored ? 0x11111111u * (i % 4 + 1) : 1000 + i));
  }
}

TEST_CASE("structured buffer: the index is compared with num_records") {
  Machine machine("memory");
  const uint64_t buffer = machine.memory().allocate("buffer", 120);
  std::vector<uint32_t> content(30);
  for (uint32_t i = 0; i < 30; ++i) content[i] = 500 + i;
  machine.memory().write(buffer, content.data(), 120);
  const uint64_t out = machine.poisoned("out", 256);
  machine.run("buffer_structured", 1, 64, {buffer, out});
  const auto loaded = machine.words(out, 64);
  for (uint32_t lane = 0; lane < 64; ++lane) {
    CAPTURE(lane);
    CHECK(loaded[lane] == (lane < 10 ? 500 + 3 * lane + 1 : 0));
  }
}

TEST_CASE("scratch: bytes, halves and unaligned dwords of one lane do not touch another's") {
  Machine machine("memory");
  const uint64_t out = machine.poisoned("out", 1024);
  machine.run("scratch_bytes", 1, 64, {out});
  const auto words = machine.words(out, 256);
  for (uint32_t lane = 0; lane < 64; ++lane) {
    CAPTURE(lane);
    // Bytes 4..7: 01 lane 00+lane 01 (dword 0x04030201, then the half at 6, then the byte at 5).
    const uint32_t half = 0x100 + lane;
    CHECK(words[4 * lane] == (0x01u | lane << 8 | half << 16));
    // Bytes 11..18: the dwords 0x04030201 and 0x100 + lane; 8..10 and 19 were never written.
    CHECK((words[4 * lane + 1] >> 24) == 0x01);
    CHECK(words[4 * lane + 2] == (0x00040302u | (half & 0xff) << 24));
    CHECK((words[4 * lane + 3] & 0xffffff) == (half >> 8));
  }
}

TEST_CASE("flat: the apertures lead to LDS and scratch, everything else to memory") {
  Machine machine("memory");
  const uint64_t out = machine.poisoned("out", 512);
  machine.run("flat_apertures", 1, 64, {out});
  const auto words = machine.words(out, 128);
  for (uint32_t lane = 0; lane < 64; ++lane) {
    CAPTURE(lane);
    CHECK(words[2 * lane] == 0x1000 + lane);
    CHECK(words[2 * lane + 1] == 0x2000 + lane);
  }
}

TEST_CASE("ds_read_b64_tr: 16 lanes exchange the elements of their chunks") {
  Machine machine("memory");
  const uint64_t b16 = machine.poisoned("b16", 512), b8 = machine.poisoned("b8", 512);
  machine.run("lds_transpose", 1, 64, {b16, b8});
  const auto halves = machine.words(b16, 128), bytes = machine.words(b8, 128);
  const auto half_in_lds = [](uint32_t i) { return i; };
  const auto byte_in_lds = [](uint32_t i) { return i / 2 >> (i % 2 * 8) & 0xff; };
  for (uint32_t lane = 0; lane < 64; ++lane) {
    CAPTURE(lane);
    const uint32_t group = lane / 16 * 16;
    for (uint32_t n = 0; n < 4; ++n) {
      const uint32_t source = group + (lane % 16) / 4 + 4 * n;
      CHECK((halves[2 * lane + n / 2] >> (16 * (n % 2)) & 0xffff) == half_in_lds(4 * source + lane % 4));
    }
    for (uint32_t n = 0; n < 8; ++n) {
      const uint32_t source = group + (lane % 16) / 8 + 2 * n;
      CHECK((bytes[2 * lane + n / 4] >> (8 * (n % 4)) & 0xff) == byte_in_lds(8 * source + lane % 8));
    }
  }
}

TEST_CASE("global_load_lds: M0 is the base, the lane number the place, inactive lanes leave LDS alone") {
  Machine machine("memory");
  const uint64_t in = machine.memory().allocate("in", 1024), out = machine.poisoned("out", 1280);
  std::vector<uint32_t> content(256);
  for (uint32_t i = 0; i < 256; ++i) content[i] = 0xabc000 + i;
  machine.memory().write(in, content.data(), 1024);
  // LDS lanes 16..31 of the wide load stay unwritten: the exec mask kept lanes 0..15 and 32..63.
  const auto report = machine.run("load_to_lds", 1, 64, {in, out});
  const auto words = machine.words(out, 320);
  for (uint32_t i = 0; i < 64; ++i) CHECK(words[i] == 0xabc000 + i);
  for (uint32_t i = 0; i < 256; ++i) {
    CAPTURE(i);
    const uint32_t lane = i / 4;
    CHECK(words[64 + i] == (lane >= 16 && lane < 32 ? kPoison : 0xabc000 + i));
  }
  CHECK(report.dispatch.findings.total(FindingKind::lds_never_written) != 0);
}

TEST_CASE("DS lane operations: inactive sources give 0") {
  Machine machine("memory");
  const uint64_t out = machine.zeroed("out", 768);
  machine.run("lds_lanes", 1, 64, {out});
  const auto words = machine.words(out, 192);
  for (uint32_t lane = 0; lane < 60; ++lane) {
    CAPTURE(lane);
    CHECK(words[lane] == 0x500 + (lane ^ 3));
    // Push: lane i sends to lane 2 i mod 64; the later of i and i + 32 wins if it is active.
    const uint32_t sender = lane / 2 + 32 < 60 ? lane / 2 + 32 : lane / 2;
    CHECK(words[64 + lane] == (lane % 2 == 0 ? 0x500 + sender : 0));
    CHECK(words[128 + lane] == (63 - lane < 60 ? 0x500 + 63 - lane : 0));
  }
}

TEST_CASE("a store outside every buffer names pc, instruction, workgroup, wave, lane, address and buffer") {
  Machine machine("memory");
  const uint64_t buffer = machine.zeroed("results", 1024);
  const std::string text = machine.error_of("out_of_bounds", 1, 128, {buffer});
  INFO(text);
  for (const char* part : {"pc 0x", "global_store_dword v1, v0, s[4:5]", "workgroup 0", "wave 0", "lane 5",
                           "results", "out_of_bounds", "store"}) {
    CAPTURE(part);
    CHECK(contains(text, part));
  }
  CHECK(contains(text, hex_address("", buffer + 0x7fff0000).substr(1)));
}

TEST_CASE("a workgroup may use all 160 KiB of LDS") {
  Machine machine("memory");
  const uint64_t out = machine.poisoned("out", 4);
  machine.run("lds_160k", 1, 64, {out});
  CHECK(machine.words(out, 1)[0] == 42);
}

}  // namespace wavetwin::isa
