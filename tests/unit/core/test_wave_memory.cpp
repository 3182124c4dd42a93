// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "tests/unit/core/one_wave.h"
#include "tests/unit/core/scripted_kernel.h"

using namespace wavetwin;

namespace {

struct Buffers {
  DevicePtr<uint32_t> in;   // 4096 bytes, word i is 0x01000000 * byte pattern below
  DevicePtr<uint32_t> out;  // 64 dwords a wave
};

// Runs the kernel with `in` = bytes 0, 1, 2, ... and gives `out`.
struct Ran {
  DispatchReport report;
  std::vector<uint32_t> out;
};
Ran run(WaveTask (*kernel)(Wave&, Buffers), uint32_t threads = 64,
        BufferAccess access = BufferAccess::read_write) {
  GlobalMemory memory;
  Buffers b;
  b.in = memory.allocate_array<uint32_t>("in", 1024, {.access = access});
  b.out = memory.allocate_array<uint32_t>("out", 1024);
  std::vector<uint8_t> bytes(4096);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 7 + (i >> 8));
  memory.write(b.in.address, bytes.data(), bytes.size());
  Ran r;
  r.report = run_small(memory, kernel, b, 2, threads);
  r.out = memory.read_array(b.out, 1024);
  return r;
}

uint8_t pattern(uint64_t i) { return static_cast<uint8_t>(i * 7 + (i >> 8)); }
uint32_t pattern_dword(uint64_t i) {
  return pattern(i) | pattern(i + 1) << 8 | pattern(i + 2) << 16 |
         static_cast<uint32_t>(pattern(i + 3)) << 24;
}

void put(Wave& wave, const Buffers& b, const LaneU32& v, LaneMask mask = kAllLanes) {
  wave.store_element(b.out, wave.thread_id(), v, mask & (wave.workgroup_id() == 0));
}

WaveTask load_unaligned(Wave& wave, Buffers b) {
  const LaneU64 address = b.in.address + convert<uint64_t>(wave.lane() * 17 + 3);
  const Vgprs<4> q = wave.load<4>(address);
  const Vgprs<3> t = wave.load<3>(address);
  const LaneU32 h = wave.load_u16(address), c = wave.load_u8(address);
  const LaneU32 ok = select((q[2] == t[2]) & (h == (q[0] & 0xFFFF)) & (c == (q[0] & 0xFF)), q[3], 0u);
  put(wave, b, ok);
  co_return;
}

WaveTask load_contiguous(Wave& wave, Buffers b) {
  const Vgprs<4> q = wave.load<4>(b.in.address + convert<uint64_t>(wave.lane() * 16));
  put(wave, b, q[1] + 0u);
  co_return;
}

WaveTask masked(Wave& wave, Buffers b) {
  const LaneMask odd = wave.lane() % 2 == 1;
  // Inactive lanes may hold any address.
  const LaneU64 address = select(odd, b.in.address + convert<uint64_t>(wave.lane() * 4), uint64_t{12345});
  put(wave, b, wave.load<1>(address, odd)[0]);
  co_return;
}

WaveTask elements(Wave& wave, Buffers b) {
  const LaneU32 i = wave.lane();
  const Lane<uint8_t> c = wave.load_element(DevicePtr<const uint8_t>{b.in.address}, i);
  const Lane<int16_t> h = wave.load_element(b.in.as<int16_t>(), i);
  const Lane<uint64_t> q = wave.load_element(b.in.as<uint64_t>(), i);
  const uint64_t uniform = wave.load_uniform(b.in.as<uint64_t>(), 5);
  LaneU32 bad = select(convert<uint32_t>(c) == (i * 7 & 0xFF), LaneU32(0u), LaneU32(1u));
  bad |= select((convert<uint32_t>(h) & 0xFF) == (i * 14 & 0xFF), LaneU32(0u), LaneU32(2u));
  bad |= select(
      (high_dword(q) >> 24) == convert<uint32_t>(convert<uint8_t>((i * 8 + 7) * 7 + ((i * 8 + 7) >> 8))),
      LaneU32(0u), LaneU32(4u));
  bad |= select(LaneU64(uniform) == LaneU64(q[5]), LaneU32(0u), LaneU32(8u));
  put(wave, b, bad);
  co_return;
}

WaveTask narrow_stores(Wave& wave, Buffers b) {
  if (wave.workgroup_id() != 0) co_return;
  const LaneU32 lane = wave.lane();
  put(wave, b, LaneU32(0x55555555u));
  const LaneU64 address = b.out.address + convert<uint64_t>(lane * 4);
  wave.store_u8(address + uint64_t{1}, LaneU32(0x1AAu), lane % 2 == 0);
  wave.store_u16(address + uint64_t{2}, LaneU32(0x7BBCCu), lane % 2 == 1);
}

WaveTask clipped_buffer(Wave& wave, Buffers b) {
  const LaneU32 lane = wave.lane();
  const BufferView part = rsrc(b.in, 100);  // dwords 0..24
  const Vgprs<4> q = wave.buffer_load<4>(part, lane * 4);
  put(wave, b, q[0] ^ q[3]);
  co_return;
}

WaveTask clipped_store(Wave& wave, Buffers b) {
  if (wave.workgroup_id() != 0) co_return;
  put(wave, b, LaneU32(9u));
  const BufferView part = rsrc(b.out, 64);  // dwords 0..15
  wave.buffer_store<4>(part, LaneU32(56u), Vgprs<4>::uniform(1), LaneMask::lane(0));
  wave.buffer_store(part, wave.lane() * 4 + 64, LaneU32(2u));
  wave.buffer_store_u8(part, LaneU32(63u), LaneU32(3u), LaneMask::lane(0));
  wave.buffer_store_u16(part, LaneU32(63u), LaneU32(0xFFFFu), LaneMask::lane(0));
}

WaveTask no_records(Wave& wave, Buffers b) {
  const BufferView off = rsrc(uint64_t{16}, 0);  // no buffer there
  const Vgprs<4> q = wave.buffer_load<4>(off, wave.lane() * 16);
  wave.buffer_store<4>(off, wave.lane() * 16, q);
  put(wave, b, q[0] | q[1] | q[2] | q[3] | wave.buffer_load_u8(off, wave.lane()));
  co_return;
}

WaveTask huge_offset(Wave& wave, Buffers b) {
  // 0xFFFFFFFF records check nothing that fits: the last dword is at offset 0xFFFFFFFB.
  const BufferView all = rsrc(b.in.address - 0xFFFFFFF0ull, 0xFFFFFFFFu);
  put(wave, b, wave.buffer_load(all, LaneU32(0xFFFFFFF0u), LaneMask::lane(0)));
  put(wave, b, wave.buffer_load(all, LaneU32(0xFFFFFFFCu), LaneMask::lane(1)), LaneMask::lane(1));
  co_return;
}

WaveTask out_of_bounds(Wave& wave, Buffers b) {
  wave.stage("walk off");
  put(wave, b, wave.load<4>(b.in.address + convert<uint64_t>(wave.lane() * 80))[0]);
  co_return;
}

WaveTask store_out_of_bounds(Wave& wave, Buffers b) {
  wave.store<2>(LaneU64(b.out.address + 4092), Vgprs<2>::uniform(0), LaneMask::lane(9));
  co_return;
}

WaveTask one_byte_too_far(Wave& wave, Buffers b) {
  wave.load<1>(LaneU64(b.in.address + 4096 - 4));
  wave.stage("too far");
  wave.load<1>(LaneU64(b.in.address + 4096 - 3));
  co_return;
}

WaveTask store_to_input(Wave& wave, Buffers b) {
  wave.store_element(b.in, wave.lane(), wave.lane());
  co_return;
}

WaveTask atomic_on_input(Wave& wave, Buffers b) {
  wave.atomic(LaneU64(b.in.address), atomic_op::add<uint32_t>, LaneU32(1u));
  co_return;
}

WaveTask unaligned_atomic(Wave& wave, Buffers b) {
  wave.atomic(LaneU64(b.out.address + 2), atomic_op::add<uint32_t>, LaneU32(1u), LaneMask::lane(3));
  co_return;
}

WaveTask read_unwritten(Wave& wave, Buffers b) {
  wave.stage("look");
  put(wave, b, LaneU32(1u), wave.lane() < 8);
  const LaneU32 v = wave.load_element(b.out, wave.lane());
  put(wave, b, v);
  co_return;
}

WaveTask store_over_edges(Wave& wave, Buffers b) {
  // Sixteen bytes at 56 + 64 l cross from one 64-byte line into the next.
  if (wave.workgroup_id() != 0) co_return;
  const LaneU64 address = b.out.address + convert<uint64_t>(wave.lane() * 64 + 56);
  wave.store<4>(address, Vgprs<4>::uniform(1), wave.lane() < 32);
  wave.store<4>(address, Vgprs<4>::uniform(1), (wave.lane() >= 32) & (wave.lane() < 62), kCacheSc1);
  wave.load<4>(address, wave.lane() < 62);  // written, or pending: no finding
}

WaveTask identity(Wave& wave, Buffers b) {
  if (wave.workgroup_id() == 1) co_return;
  put(wave, b, wave.thread_id(0) | wave.thread_id(1) << 8 | wave.thread_id(2) << 16);
}

WaveTask partial_wave(Wave& wave, Buffers b) {
  // Lanes past thread 99 must not load (they would be out of bounds), nor store.
  const LaneU32 v = wave.load_element(b.in, wave.thread_id() * 10);
  put(wave, b, v);
  co_return;
}

}  // namespace

TEST_CASE("wave: loads of 1, 2, 12 and 16 bytes at unaligned addresses") {
  const Ran r = run(load_unaligned);
  for (unsigned l = 0; l < 64; ++l) {
    CAPTURE(l);
    CHECK(r.out[l] == pattern_dword(17 * l + 3 + 12));
  }
  CHECK(r.report.findings.empty());
}

TEST_CASE("wave: contiguous 16-byte loads") {
  for (const BufferAccess access : {BufferAccess::read_write, BufferAccess::read_only}) {
    const Ran r = run(load_contiguous, 64, access);
    for (unsigned l = 0; l < 64; ++l) CHECK(r.out[l] == pattern_dword(16 * l + 4));
  }
}

TEST_CASE("wave: masked-off lanes load zero and never touch memory") {
  const Ran r = run(masked);
  for (unsigned l = 0; l < 64; ++l) CHECK(r.out[l] == (l % 2 == 1 ? pattern_dword(4 * l) : 0));
}

TEST_CASE("wave: element loads of every size, and uniform loads") {
  const Ran r = run(elements);
  for (unsigned l = 0; l < 64; ++l) {
    CAPTURE(l);
    CHECK(r.out[l] == 0);
  }
}

TEST_CASE("wave: byte and halfword stores leave their neighbours alone") {
  const Ran r = run(narrow_stores);
  for (unsigned l = 0; l < 64; ++l) CHECK(r.out[l] == (l % 2 == 0 ? 0x5555AA55u : 0xBBCC5555u));
}

TEST_CASE("wave: a buffer load gives zero for each dword past num_records") {
  const Ran r = run(clipped_buffer);
  for (unsigned l = 0; l < 64; ++l) {
    const auto dword = [](unsigned d) { return d < 25 ? pattern_dword(4 * d) : 0; };
    CAPTURE(l);
    CHECK(r.out[l] == (dword(l) ^ dword(l + 3)));
  }
}

TEST_CASE("wave: a buffer store drops each dword past num_records, narrow stores whole") {
  const Ran r = run(clipped_store);
  for (unsigned l = 0; l < 64; ++l) {
    CAPTURE(l);
    CHECK(r.out[l] == (l == 14 ? 1u : l == 15 ? 0x03000001u : 9u));
  }
}

TEST_CASE("wave: a buffer without records gives zeros and drops stores without touching memory") {
  const Ran r = run(no_records);
  for (unsigned l = 0; l < 64; ++l) CHECK(r.out[l] == 0);
}

TEST_CASE("wave: 32-bit buffer offsets are unsigned and do not wrap") {
  const Ran r = run(huge_offset);
  CHECK(r.out[0] == pattern_dword(0));
  CHECK(r.out[1] == 0);  // the access would end past num_records
}

TEST_CASE("wave: an access outside every buffer names lane, address, buffer and place") {
  const std::string load = error_of([] { run(out_of_bounds); });
  CHECK(contains(load, "kernel 'small', workgroup 0, wave 0 (walk off): lane 52: load of 16 bytes at 0x"));
  CHECK(contains(load, "0x40 bytes past the end of in (0x1000 bytes"));
  const std::string store = error_of([] { run(store_out_of_bounds); });
  CHECK(contains(store, "lane 9: store of 8 bytes"));
  CHECK(contains(store, "starts at out + 0xffc and runs 0x4 bytes past the end"));
}

TEST_CASE("wave: the last bytes of a buffer can be loaded, one byte more is an error") {
  const std::string error = error_of([] { run(one_byte_too_far); });
  CHECK(contains(error, "(too far): lane 0: load of 4 bytes"));
  CHECK(contains(error, "runs 0x1 bytes past the end"));
}

TEST_CASE("wave: a read-only buffer refuses stores and atomics") {
  CHECK(contains(error_of([] { run(store_to_input, 64, BufferAccess::read_only); }),
                 "changes a read-only buffer: in"));
  CHECK(
      contains(error_of([] { run(atomic_on_input, 64, BufferAccess::read_only); }), "read-only buffer: in"));
}

TEST_CASE("wave: an unaligned atomic is an error") {
  CHECK(contains(error_of([] { run(unaligned_atomic); }), "lane 3: atomic of 4 bytes"));
}

TEST_CASE("wave: never-written memory reads as poison and is a finding") {
  const Ran r = run(read_unwritten);
  CHECK(r.out[7] == 1);
  CHECK(r.out[8] == kPoison);
  CHECK(r.report.findings.total(FindingKind::memory_never_written) >= 56);
  const std::string line = r.report.findings.kept()[0].line();
  CHECK(contains(line, "workgroup 0 wave 0 lane 8 (look)"));
  CHECK(contains(line, "4 of the 4 bytes loaded at out + 0x20"));
}

namespace {

// One access of lane 0 to a buffer of `bytes` bytes at its byte `byte`, by a script; the error, or "".
std::string access_error(uint64_t bytes, ScriptStep step) {
  GlobalMemory memory;
  const uint64_t buffer = memory.allocate("small", bytes);
  memory.fill(buffer, bytes, 0);
  return error_of([&] { run_script(memory, buffer, {step}, 1); });
}

}  // namespace

TEST_CASE("wave: an access of any size fits to the last byte of a buffer, not one byte further or wider") {
  for (const ScriptStep::What what : {ScriptStep::kLoad, ScriptStep::kStore}) {
    for (const uint64_t size : {1u, 3u, 16u, 100u}) {
      for (const unsigned bytes : {1u, 2u, 4u, 8u, 12u, 16u}) {
        for (uint64_t byte = 0; byte <= size; ++byte) {
          CAPTURE(static_cast<int>(what));
          CAPTURE(size);
          CAPTURE(bytes);
          CAPTURE(byte);
          const std::string error = access_error(size, {0, 0, what, byte, bytes});
          CHECK(error.empty() == (byte + bytes <= size));
          CHECK((error.empty() || contains(error, "out of bounds")));
        }
      }
    }
  }
}

TEST_CASE("wave: an atomic of 8 bytes is aligned to 8") {
  for (const uint64_t byte : {0u, 4u, 8u, 9u}) {
    CAPTURE(byte);
    const std::string error = access_error(32, {0, 0, ScriptStep::kAtomic, byte, 8});
    CHECK(error.empty() == (byte % 8 == 0));
    CHECK((error.empty() || contains(error, "lane 0: atomic of 8 bytes")));
  }
}

TEST_CASE("wave: an atomic on bytes that nobody wrote is a finding; the check can be turned off") {
  for (const ScriptStep::What what : {ScriptStep::kAtomic, ScriptStep::kLoad}) {
    for (const bool check : {true, false}) {
      CAPTURE(static_cast<int>(what));
      CAPTURE(check);
      GlobalMemory memory;
      const uint64_t buffer = memory.allocate("data", 64);
      memory.fill(buffer, 4, 0);
      DispatchOptions options;
      options.check_never_written = check;
      const Script script{{0, 0, what, 0}, {0, 0, what, 8}};
      const DispatchReport report = run_script(memory, buffer, script, 1, options);
      CHECK(report.findings.total(FindingKind::memory_never_written) == (check ? 1 : 0));
    }
  }
}

TEST_CASE("wave: a store of 12 and 16 bytes writes each of its dwords, plain or of device scope") {
  for (const uint32_t cache : {0u, kCacheSc1}) {
    for (const unsigned bytes : {4u, 8u, 12u, 16u}) {
      CAPTURE(cache);
      CAPTURE(bytes);
      GlobalMemory memory;
      const uint64_t buffer = memory.allocate("data", 64);
      memory.fill(buffer, 64, 0);
      run_script(memory, buffer, {{0, 0, ScriptStep::kStore, 4, bytes, cache}}, 1);
      uint8_t after[64];
      memory.read(buffer, after, 64);
      for (unsigned i = 0; i < 64; ++i) {
        CAPTURE(i);
        CHECK(int{after[i]} == (i >= 4 && i < 4 + bytes ? 1 : 0));
      }
    }
  }
}

TEST_CASE("wave: a store across a 64-byte line writes all of its bytes, plain or pending") {
  GlobalMemory memory;
  Buffers b{{}, memory.allocate_array<uint32_t>("out", 1024)};
  const DispatchReport report = run_small(memory, store_over_edges, b);
  CHECK(report.findings.empty());
  for (uint64_t l = 0; l < 62; ++l) {
    CAPTURE(l);
    CHECK(memory.never_written(b.out.address + 64 * l + 56, 16).empty());
    CHECK(memory.never_written(b.out.address + 64 * l + 72, 48)[0].bytes == 48);
  }
}

TEST_CASE("wave: thread ids run x fastest over the block") {
  GlobalMemory memory;
  Buffers b{{}, memory.allocate_array<uint32_t>("out", 1024)};
  Launch launch;
  launch.kernel = "ids";
  launch.block = {6, 5, 4};
  launch_kernel(memory, launch, identity, b);
  const std::vector<uint32_t> out = memory.read_array(b.out, 120);
  for (uint32_t i = 0; i < 120; ++i) CHECK(out[i] == (i % 6 | i / 6 % 5 << 8 | i / 30 << 16));
}

TEST_CASE("wave: lanes past the workgroup's last thread never act") {
  const Ran r = run(partial_wave, 100);
  CHECK(r.out[99] == pattern_dword(3960));
  CHECK(r.out[100] == kPoison);
}
