// SPDX-License-Identifier: MIT
// MUBUF: where the lanes of a buffer instruction go and which of them are in range, in every mode of the
// resource. Expected values follow the CDNA4 ISA guide 9.1.5 (addresses, swizzling) and 9.1.5.1 (ranges).
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <random>

#include "tests/isa/memory/memory_fixture.h"

namespace wavetwin::isa {
namespace {

constexpr unsigned kWords = 1 << 16;  // of the memory; the buffer starts in its middle
constexpr uint64_t kStart = kWords * 2;
constexpr uint64_t kExec = 0xf0f0ff0f1234567fu;
constexpr unsigned kFormat32 = 4;  // a data format that is not INVALID

// The fields of a resource, and how the instruction uses it.
struct Mode {
  uint32_t stride = 0, records = 0, soffset = 0, inst_offset = 0;
  unsigned index_stride = 0;  // code: 8 << code indices
  unsigned format = kFormat32;
  bool swizzle = false, add_tid = false, idxen = false, offen = false;

  std::string text() const {
    return fmt::format(
        "stride {} records {} soffset {} offset {} index_stride {} swizzle {} add_tid {} idxen {} offen {}",
        stride, records, soffset, inst_offset, 8u << index_stride, swizzle, add_tid, idxen, offen);
  }
  // With add_tid the data format holds the stride's high bits.
  uint32_t word1() const { return (stride & 0x3fff) << 16 | uint32_t{swizzle} << 31; }
  uint32_t word3() const {
    return (add_tid ? stride >> 14 : format) << 15 | index_stride << 21 | uint32_t{add_tid} << 23;
  }
};

struct Lane {
  uint32_t vindex, voffset;
};

struct Want {
  uint64_t byte;  // from the start of the buffer
  bool in_range;
};

// The element of `bytes` at `part` bytes of the access of one lane.
Want guide(const Mode& m, const Lane& v, unsigned lane, unsigned part, unsigned bytes) {
  const uint64_t index = uint64_t{m.idxen ? v.vindex : 0} + (m.add_tid ? lane : 0);
  const uint64_t offset = uint64_t{m.offen ? v.voffset : 0} + m.inst_offset;
  uint64_t place = m.stride * index + offset;
  if (m.swizzle) {
    constexpr uint64_t kElement = 4;
    const uint64_t index_stride = 8u << m.index_stride;
    const uint64_t index_msb = index / index_stride, index_lsb = index % index_stride;
    const uint64_t offset_msb = offset / kElement, offset_lsb = offset % kElement;
    place = (index_msb * m.stride + offset_msb * kElement) * index_stride + index_lsb * kElement + offset_lsb;
  }
  bool in_range;
  if (m.add_tid && !m.idxen) {
    in_range = true;  // private buffers are not checked
  } else if (m.idxen && m.stride != 0) {
    in_range = index < m.records;
  } else {
    // assumption: with soffset, as AMD's emulator says of gfx950; the guide has only the offset here.
    in_range = offset + m.soffset + part + bytes <= m.records;
  }
  return {m.soffset + place + part, in_range};
}

uint32_t pattern(uint64_t word) { return static_cast<uint32_t>(word * 2654435761u ^ 0x5a5a5a5a); }

// One execution of `row` with random indices and offsets in VADDR, beside what the guide says.
class Run {
 public:
  Run(RowId row, const Mode& mode, unsigned bytes, uint64_t seed) : row_(row), mode_(mode), bytes_(bytes) {
    std::mt19937_64 random(seed);
    for (Lane& lane : lanes_) {
      lane.vindex = static_cast<uint32_t>(random() % 70);
      lane.voffset = static_cast<uint32_t>(random() % 64 * (bytes >= 4 ? 4 : 1));
      if (random() % 8 == 0) lane.voffset += mode.records;
      if (random() % 8 == 0) lane.vindex += mode.records;
    }
    // Far outside, where 32-bit sums would come round.
    if (mode.offen && !mode.add_tid && !(mode.idxen && mode.stride != 0)) lanes_[0].voffset = 0xfffffffcu;
    for (uint64_t i = 0; i < kWords; ++i) memory_.push_back(pattern(i));
  }

  void run() {
    CAPTURE(name_of(row_));
    CAPTURE(mode_.text());
    GlobalMemory memory;
    base_ = memory.allocate("tested", kWords * 4);
    memory.write(base_, memory_.data(), kWords * 4);
    probe(
        memory, [this](WaveState& state, Environment&) { execute(state); },
        [this](WaveState& state, Environment&) { look(state); });
    std::vector<uint32_t> after(kWords);
    memory.read(base_, after.data(), kWords * 4);
    CHECK(after == wanted_memory());
  }

 private:
  bool store() const { return row_at(row_).dst[0] == NONE; }
  bool atomic() const { return row_at(row_).has(RETURNS); }
  unsigned dwords() const { return (bytes_ + 3) / 4; }
  static uint32_t stored(unsigned lane) { return 0xab000000u + lane; }
  // The bytes at `byte` of the memory.
  uint32_t word_at(uint64_t byte, unsigned bytes) const {
    uint32_t value = 0;
    std::memcpy(&value, reinterpret_cast<const uint8_t*>(memory_.data()) + byte, bytes);
    return value;
  }

  void execute(WaveState& state) {
    const uint64_t base = base_ + kStart;
    state.set_pair(kResource, base);
    state.scalar[kResource + 1] |= mode_.word1();
    state.scalar[kResource + 2] = mode_.records;
    state.scalar[kResource + 3] = mode_.word3();
    state.scalar[6] = mode_.soffset;
    const unsigned offset_register = mode_.idxen ? 1 : 0;
    set_row(state, kAddress + offset_register, [&](unsigned lane) { return lanes_[lane].voffset; });
    if (mode_.idxen) set_row(state, kAddress, [&](unsigned lane) { return lanes_[lane].vindex; });
    for (unsigned d = 0; d < 4; ++d) {
      set_row(state, kDst + d, [](unsigned) { return 0xdeadbeef; });
      set_row(state, kData + d, [](unsigned lane) { return stored(lane); });
    }
    state.set_exec(kExec);
    isa::run(state, encode_mubuf(row_at(row_), mode_.offen || mode_.idxen ? kAddress : 0,
                                 store() || atomic() ? kData : kDst,
                                 {.offen = mode_.offen,
                                  .idxen = mode_.idxen,
                                  .returns = atomic(),
                                  .offset = mode_.inst_offset,
                                  .soffset = mode_.soffset ? 6u : 128u}));
  }

  void look(const WaveState& state) const {
    if (store()) return;
    const unsigned first = atomic() ? kData : kDst;
    for (unsigned lane = 0; lane < kWaveSize; ++lane) {
      const bool active = kExec >> lane & 1;
      for (unsigned d = 0; d < dwords(); ++d) {
        const Want want = guide(mode_, lanes_[lane], lane, 4 * d, std::min(bytes_, 4u));
        uint32_t value = want.in_range ? word_at(kStart + want.byte, std::min(bytes_, 4u)) : 0;
        if (!active) value = atomic() ? stored(lane) : 0xdeadbeef;
        CAPTURE(lane);
        CAPTURE(d);
        REQUIRE(at(state, first + d, lane) == value);
      }
    }
  }

  std::vector<uint32_t> wanted_memory() const {
    std::vector<uint32_t> after = memory_;
    if (!store() && !atomic()) return after;
    for (unsigned lane = 0; lane < kWaveSize; ++lane) {
      if (!(kExec >> lane & 1)) continue;
      const Want want = guide(mode_, lanes_[lane], lane, 0, bytes_);
      if (!want.in_range) continue;
      uint8_t* const place = reinterpret_cast<uint8_t*>(after.data()) + kStart + want.byte;
      const uint32_t value = stored(lane);
      std::memcpy(place, &value, bytes_);
    }
    return after;
  }

  RowId row_;
  Mode mode_;
  unsigned bytes_;
  std::array<Lane, kWaveSize> lanes_{};
  std::vector<uint32_t> memory_;
  uint64_t base_ = 0;
};

// Every combination of the flags, with strides and offsets that tell them apart.
std::vector<Mode> modes() {
  std::vector<Mode> list;
  for (unsigned flags = 0; flags < 16; ++flags) {
    for (const uint32_t stride : {0u, 16u, 68u}) {
      for (const uint32_t soffset : {0u, 20u}) {
        Mode m;
        m.idxen = flags & 1;
        m.offen = flags & 2;
        m.add_tid = flags & 4;
        m.swizzle = flags & 8;
        m.stride = stride;
        m.soffset = soffset;
        m.index_stride = (flags + stride / 4) % 4;
        m.inst_offset = stride == 16 ? 0 : 12;
        m.records = m.idxen && stride != 0 ? 60 : 150;
        list.push_back(m);
      }
    }
  }
  return list;
}

}  // namespace

TEST_CASE(
    "buffer loads: index, offsets, stride, thread id and swizzling as the guide adds them up, zeros out of "
    "range") {
  uint64_t seed = 1;
  for (const Mode& mode : modes()) {
    Run(RowId::BUFFER_LOAD_DWORD, mode, 4, seed++).run();
    Run(RowId::BUFFER_LOAD_UBYTE, mode, 1, seed++).run();
  }
}

TEST_CASE("buffer stores go where loads would, and are dropped out of range") {
  uint64_t seed = 1000;
  for (const Mode& mode : modes()) Run(RowId::BUFFER_STORE_DWORD, mode, 4, seed++).run();
}

TEST_CASE("wide buffer loads are judged dword by dword where the range counts bytes") {
  uint64_t seed = 2000;
  for (const Mode& mode : modes()) {
    if (!mode.swizzle) Run(RowId::BUFFER_LOAD_DWORDX4, mode, 16, seed++).run();
  }
}

TEST_CASE("buffer atomics of 64 bits are in range as a whole or not at all, and return 0 outside") {
  // Guide 9.1.5.1, note 3. The buffer ends in the middle of lane 2's element.
  GlobalMemory memory;
  const uint64_t base = memory.allocate("tested", 64);
  memory.fill(base, 64, 7);
  probe(
      memory,
      [&](WaveState& state, Environment&) {
        state.set_pair(kResource, base);
        state.scalar[kResource + 2] = 20;
        state.scalar[kResource + 3] = Mode{}.word3();
        set_row(state, kAddress, [](unsigned lane) { return 8 * lane; });
        for (unsigned d = 0; d < 2; ++d)
          set_row(state, kData + d, [](unsigned lane) { return 0x100 + lane; });
        state.set_exec(0xf);
        run(state, encode_mubuf(row_at(RowId::BUFFER_ATOMIC_SWAP_X2), kAddress, kData, {.returns = true}));
      },
      [](WaveState& state, Environment&) {
        for (unsigned lane = 0; lane < 5; ++lane) {
          for (unsigned d = 0; d < 2; ++d) {
            CAPTURE(lane);
            CHECK(at(state, kData + d, lane) == (lane < 2 ? 0x07070707 : lane < 4 ? 0 : 0x100 + lane));
          }
        }
      });
  std::array<uint32_t, 16> words;
  memory.read(base, words.data(), 64);
  for (unsigned i = 0; i < 16; ++i) CHECK(words[i] == (i < 4 ? 0x100 + i / 2 : 0x07070707));
}

TEST_CASE("with thread ids the data format holds stride[17:14]") {
  Mode m;
  m.add_tid = true;
  m.stride = 1 << 14 | 4;
  m.swizzle = false;
  // Lanes up to 6 lie in the memory.
  GlobalMemory memory;
  const uint64_t base = memory.allocate("tested", kWords * 4);
  std::vector<uint32_t> words;
  for (uint64_t i = 0; i < kWords; ++i) words.push_back(pattern(i));
  memory.write(base, words.data(), kWords * 4);
  probe(
      memory,
      [&](WaveState& state, Environment&) {
        state.set_pair(kResource, base);
        state.scalar[kResource + 1] |= m.word1();
        state.scalar[kResource + 3] = m.word3();
        state.set_exec(0x7f);
        run(state, encode_mubuf(row_at(RowId::BUFFER_LOAD_DWORD), 0, kDst, {.offen = false}));
        for (unsigned lane = 0; lane < 7; ++lane) {
          CAPTURE(lane);
          CHECK(at(state, kDst, lane) == pattern(uint64_t{m.stride} * lane / 4));
        }
      },
      nothing);
}

TEST_CASE("a buffer whose data format is INVALID is unbound: loads give 0, stores and atomics are dropped") {
  // Guide 9.1.4 and 9.1.8: the format keeps its meaning in instructions that bring their own.
  Mode m;
  m.format = 0;
  m.offen = true;
  m.records = kWords * 2;
  GlobalMemory memory;
  const uint64_t base = memory.allocate("tested", 1024);
  memory.fill(base, 1024, 7);
  probe(
      memory,
      [&](WaveState& state, Environment& env) {
        fill_lds(env, [](uint32_t) { return 0xeeeeeeee; });
        state.set_pair(kResource, base);
        state.scalar[kResource + 2] = m.records;
        state.scalar[kResource + 3] = m.word3();
        set_row(state, kAddress, [](unsigned lane) { return 4 * lane; });
        state.set_exec(~uint64_t{0});
        for (const RowId row :
             {RowId::BUFFER_LOAD_DWORD, RowId::BUFFER_LOAD_SBYTE, RowId::BUFFER_LOAD_SHORT_D16_HI}) {
          CAPTURE(name_of(row));
          set_row(state, kDst, [](unsigned) { return 1; });
          run(state, encode_mubuf(row_at(row), kAddress, kDst, {}));
          for (unsigned lane = 0; lane < kWaveSize; ++lane) REQUIRE(at(state, kDst, lane) == 0);
        }
        run(state, encode_mubuf(row_at(RowId::BUFFER_LOAD_DWORD), kAddress, 0, {.lds = true}));
        CHECK(lds_word(env, 0) == 0);
        set_row(state, kData, [](unsigned) { return 5; });
        run(state, encode_mubuf(row_at(RowId::BUFFER_STORE_DWORD), kAddress, kData, {}));
        run(state, encode_mubuf(row_at(RowId::BUFFER_ATOMIC_ADD), kAddress, kData, {.returns = true}));
      },
      [](WaveState& state, Environment&) {
        for (unsigned lane = 0; lane < kWaveSize; ++lane) REQUIRE(at(state, kData, lane) == 0);
      });
  std::vector<uint8_t> after(1024);
  memory.read(base, after.data(), after.size());
  CHECK(after == std::vector<uint8_t>(1024, 7));
}

}  // namespace wavetwin::isa
