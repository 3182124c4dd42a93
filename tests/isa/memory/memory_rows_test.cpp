// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <random>

#include "tests/isa/memory/memory_fixture.h"
#include "tests/oracle/salu_memory/memory_oracle.h"

namespace wavetwin::isa {
namespace {

using reference::Access;
using reference::Meaning;

constexpr unsigned kStride = 32;          // bytes between the lanes' places
constexpr unsigned kBytes = kProbeBytes;  // of the tested memory
constexpr uint64_t kExec = 0xf0f0ff0f1234567fu;

// What a row's test works on: the bytes before, the data registers, the bytes and registers wanted after.
struct Scene {
  std::vector<uint8_t> bytes;
  std::vector<uint32_t> data, data2, old;  // [8][64] each
};

// A code with `e` exponent and `f` fraction bits: interesting exponents times interesting fractions, zeros,
// denormals, infinities and NaNs of both kinds included; for the top 32 bits of an f64, f is 20.
uint32_t float_code(unsigned e, unsigned f, std::mt19937_64& random) {
  const uint32_t top = (1u << e) - 1, bias = top / 2, all = (1u << f) - 1;
  const uint32_t fields[] = {0, 0, 1, bias - 1, bias, bias, bias + 1, top - 1, top};
  const uint32_t fractions[] = {0, 0, 1, 1u << (f - 1), all, static_cast<uint32_t>(random()) & all};
  return (random() % 2 ? 1u << (e + f) : 0) | fields[random() % std::size(fields)] << f |
         fractions[random() % std::size(fractions)];
}

// Dword `dword` of an operand.
uint32_t word_for(const std::string& op, unsigned dword, std::mt19937_64& random) {
  const auto has = [&](const char* part) { return op.find(part) != std::string::npos; };
  const uint64_t r = random();
  if (has("F64") && dword % 2 == 1) return float_code(11, 20, random);
  if (has("F64")) return r % 2 ? 0 : r % 4 ? static_cast<uint32_t>(r >> 16) : 1;
  if (has("BF16")) return float_code(8, 7, random) | float_code(8, 7, random) << 16;
  if (has("F16")) return float_code(5, 10, random) | float_code(5, 10, random) << 16;
  if (has("F32")) return float_code(8, 23, random);
  if (r % 8 == 1) return ~0u;  // a NaN to a float's eyes
  return r % 4 == 0 ? static_cast<uint32_t>(r >> 8 & 7) : static_cast<uint32_t>(r >> 16);
}

Scene make_scene(const Meaning& meaning, uint64_t seed) {
  std::mt19937_64 random(seed);
  Scene scene;
  scene.bytes.resize(kBytes);
  for (size_t i = 0; i < kBytes; i += 4) {
    const uint32_t word = word_for(meaning.op, i / 4 % 2, random);
    std::memcpy(scene.bytes.data() + i, &word, 4);
  }
  for (auto* registers : {&scene.data, &scene.data2, &scene.old}) {
    registers->resize(8 * kWaveSize);
    for (unsigned d = 0; d < 8; ++d) {
      for (unsigned lane = 0; lane < kWaveSize; ++lane)
        (*registers)[d * kWaveSize + lane] = word_for(meaning.op, d, random);
    }
  }
  // Let some compares succeed, and some that differ in the sign only.
  for (unsigned lane = 0; lane < kWaveSize; ++lane) {
    for (unsigned d = 0; lane % 3 != 2 && d < 2; ++d) {
      uint32_t word;
      std::memcpy(&word, scene.bytes.data() + lane * kStride + 8 + 4 * d, 4);
      const bool last = d + 1 == meaning.bytes / 4;
      scene.data2[d * kWaveSize + lane] = word ^ (lane % 3 == 1 && last ? 0x80000000u : 0);
    }
  }
  return scene;
}

uint64_t bytes_at(const std::vector<uint8_t>& bytes, size_t at, unsigned count) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, count);
  return value;
}

uint64_t registers_at(const std::vector<uint32_t>& registers, unsigned lane, unsigned bytes) {
  return registers[lane] | (bytes == 8 ? uint64_t{registers[kWaveSize + lane]} << 32 : 0);
}

struct Wanted {
  std::vector<uint8_t> bytes;
  std::vector<uint32_t> registers;  // [8][64] of the destination
};

// Every lane works on the bytes at lane * kStride + 8. `returns`: an atomic gives the old value.
Wanted wanted_after(const Meaning& m, const Scene& scene, bool returns, unsigned denorm) {
  Wanted wanted{scene.bytes, scene.old};
  for (unsigned lane = 0; lane < kWaveSize; ++lane) {
    if (!(kExec >> lane & 1)) continue;
    const size_t at = lane * kStride + 8;
    if (m.access == Access::store) {
      for (unsigned b = 0; b < m.bytes; ++b) {
        const unsigned from = b + (m.high_half ? 2 : 0);
        wanted.bytes[at + b] = static_cast<uint8_t>(scene.data[from / 4 * kWaveSize + lane] >> from % 4 * 8);
      }
    } else if (m.access == Access::load) {
      for (unsigned d = 0; d < (m.bytes + 3) / 4; ++d) {
        wanted.registers[d * kWaveSize + lane] =
            static_cast<uint32_t>(bytes_at(scene.bytes, at + 4 * d, std::min(m.bytes, 4u)));
      }
      uint32_t& word = wanted.registers[lane];
      if (m.sign && m.bytes == 1) word = static_cast<uint32_t>(static_cast<int8_t>(word));
      if (m.sign && m.bytes == 2) word = static_cast<uint32_t>(static_cast<int16_t>(word));
      if (m.low_half) word &= 0xffff;
      if (m.high_half) word = (word & 0xffff) << 16;
    } else {
      const uint64_t old = bytes_at(scene.bytes, at, m.bytes);
      const uint64_t now =
          reference::atomic_oracle(m.op, m.bytes, old, registers_at(scene.data, lane, m.bytes),
                                   registers_at(scene.data2, lane, m.bytes), denorm);
      std::memcpy(wanted.bytes.data() + at, &now, m.bytes);
      for (unsigned d = 0; returns && d < m.bytes / 4; ++d) {
        wanted.registers[d * kWaveSize + lane] = static_cast<uint32_t>(old >> 32 * d);
      }
    }
  }
  return wanted;
}

void set_registers(WaveState& state, unsigned first, const std::vector<uint32_t>& values) {
  std::copy(values.begin(), values.end(), state.vgprs + first * kWaveSize);
}

void check_registers(const std::string& name, const WaveState& state, const Wanted& wanted) {
  for (unsigned i = 0; i < wanted.registers.size(); ++i) {
    const uint32_t got = state.vgprs[kDst * kWaveSize + i];
    if (got == wanted.registers[i]) continue;
    FAIL_CHECK(fmt::format("{}: v{} lane {} is {:#x}, want {:#x}", name, kDst + i / kWaveSize, i % kWaveSize,
                           got, wanted.registers[i]));
    return;
  }
}

void check_bytes(const std::string& name, const std::vector<uint8_t>& got, const Wanted& wanted) {
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i] == wanted.bytes[i]) continue;
    FAIL_CHECK(fmt::format("{}: byte {} (lane {}) is {:#x}, want {:#x}", name, i, i / kStride, got[i],
                           wanted.bytes[i]));
    return;
  }
}

enum class Space { global, global_sgpr, flat, flat_lds, flat_scratch, scratch, buffer, lds };

// Encodes the row with v[kAddress], v[kData], v[kDst] and an offset of 8 in all.
std::vector<uint32_t> encode(const Row& row, Space space, bool returns) {
  const uint32_t op = row.opcode;
  // Fields that the row does not use are zero.
  const uint32_t data = row.src[1] != NONE ? kData << 8 : 0;
  const bool result = row.dst[0] != NONE && (!row.has(RETURNS) || returns);
  const uint32_t dst = result ? kDst << 24 : 0;
  if (space == Space::lds) {
    return encode_ds(row, 8, kAddress, data >> 8, dst >> 24, row.src[2] != NONE ? kData2 : 0);
  }
  // MUBUF: data and destination share a field.
  if (space == Space::buffer) {
    const unsigned vdata = row.dst[0] != NONE && !row.has(RETURNS) ? kDst : kData;
    return encode_mubuf(row, kAddress, vdata, {.returns = returns, .offset = 8});
  }
  const uint32_t segment = space == Space::scratch                                 ? 1
                           : space == Space::global || space == Space::global_sgpr ? 2
                                                                                   : 0;
  const uint32_t sve = space == Space::scratch ? 1u << 13 : 0;
  const uint32_t saddr = space == Space::global_sgpr ? 4 : segment == 0 ? 0 : 0x7f;
  return {0xdc000000u | op << 18 | segment << 14 | sve | uint32_t{returns} << 16 | 8,
          kAddress | data | dst | saddr << 16};
}

std::string_view prefix(const Row& row) {
  const size_t end = row.name.find('_');
  return row.name.substr(0, end + 1);
}

// One row in one address space: fills the memory, executes the instruction, compares what it left.
class RowRun {
 public:
  // `denorm`: MODE's field for the operation's format.
  RowRun(const Row& row, const Meaning& meaning, Space space, bool returns, uint64_t seed, unsigned denorm)
      : row_(row),
        meaning_(meaning),
        space_(space),
        returns_(returns),
        denorm_(denorm),
        name_(fmt::format("{} in space {}, returns {}", row.name, static_cast<int>(space), returns)),
        scene_(make_scene(meaning, seed)) {
    wanted_ = wanted_after(meaning, scene_, returns, applied_denorm());
  }

  void run() {
    GlobalMemory memory;
    base_ = memory.allocate("tested", kBytes);
    memory.write(base_, scene_.bytes.data(), kBytes);
    probe(
        memory, [this](WaveState& state, Environment& env) { execute(state, env); },
        [this](WaveState& state, Environment& env) { look(state, env); });
    if (!in_lds() && !in_scratch()) memory.read(base_, after_.data(), kBytes);
    check_bytes(name_, after_, wanted_);
  }

 private:
  // Guide 9.2.2, table 53: LDS follows MODE but for ADD_F64; in memory ADD_F32 flushes and the rest does not.
  unsigned applied_denorm() const {
    if (in_lds()) return meaning_.op == "ADD_F64" ? 3 : denorm_;
    return meaning_.op == "ADD_F32" ? 0 : 3;
  }
  bool in_lds() const { return space_ == Space::lds || space_ == Space::flat_lds; }
  bool in_scratch() const { return space_ == Space::scratch || space_ == Space::flat_scratch; }
  // CMPSWAP takes {new, compare} in consecutive registers, DS the compare value first.
  bool compares() const {
    return meaning_.op.find("CMPSWAP") != std::string::npos || meaning_.op == "MSKOR" ||
           meaning_.op == "WRAP";
  }

  // Calls f(address, mask) so that every dword of the tested bytes is in one lane of one call; scratch
  // belongs to the lane whose bytes it holds, and what lies behind the last lane's to the last.
  template <class F>
  static void for_each_dword(F f) {
    for (unsigned part = 0; part < kStride + 64; part += 4) {
      std::array<uint32_t, kWaveSize> address;
      for (unsigned lane = 0; lane < kWaveSize; ++lane) address[lane] = lane * kStride + part;
      f(address, part < kStride ? LaneMask::all() : LaneMask::lane(kWaveSize - 1));
    }
  }

  void fill(Environment& env) const {
    for_each_dword([&](const std::array<uint32_t, kWaveSize>& address, LaneMask mask) {
      std::array<uint32_t, kWaveSize> word{};
      mask.for_each([&](unsigned lane) { std::memcpy(&word[lane], scene_.bytes.data() + address[lane], 4); });
      if (in_lds()) env.lds().store(address.data(), mask, 4, word.data());
      if (in_scratch()) env.scratch.store(address.data(), mask, 4, word.data());
    });
  }

  void set_addresses(WaveState& state) const {
    const uint32_t high = space_ == Space::flat_lds       ? 0x00010000u
                          : space_ == Space::flat_scratch ? 0x00020000u
                                                          : 0;
    const bool device = space_ == Space::global || space_ == Space::flat;
    for (unsigned lane = 0; lane < kWaveSize; ++lane) {
      const uint64_t offset = lane * kStride;
      const uint64_t address = device ? base_ + offset : uint64_t{high} << 32 | offset;
      state.vgprs[kAddress * kWaveSize + lane] = static_cast<uint32_t>(address);
      state.vgprs[(kAddress + 1) * kWaveSize + lane] = static_cast<uint32_t>(address >> 32);
    }
    state.set_pair(4, base_);
    state.set_pair(8, base_);
    state.scalar[10] = kBytes;
    state.scalar[11] = 0x00027000;
  }

  void set_data(WaveState& state) const {
    set_registers(state, kDst, scene_.old);
    const bool ds = space_ == Space::lds;
    set_registers(state, kData, compares() && ds ? scene_.data2 : scene_.data);
    if (ds) set_registers(state, kData2, scene_.data);
    if (ds || !compares()) return;
    const auto count = static_cast<ptrdiff_t>(meaning_.bytes / 4 * kWaveSize);
    std::vector<uint32_t> both(scene_.data.begin(), scene_.data.begin() + count);
    both.insert(both.end(), scene_.data2.begin(), scene_.data2.begin() + count);
    set_registers(state, kData, both);
  }

  void execute(WaveState& state, Environment& env) const {
    if (in_lds() || in_scratch()) fill(env);
    set_addresses(state);
    set_data(state);
    state.set_exec(kExec);
    // The other field says the opposite, so that a mix-up shows.
    const bool f32 = meaning_.op.find("F32") != std::string::npos;
    const unsigned other = 3 - denorm_;
    state.mode.bits = 0x300 | (f32 ? denorm_ : other) << 4 | (f32 ? other : denorm_) << 6;
    const Instruction in = decode_tested(encode(row_, space_, returns_));
    execute_function(in)(state, in);
  }

  void look(WaveState& state, Environment& env) {
    if (space_ == Space::buffer && row_.has(RETURNS)) {
      check_returned_in_data(state);
    } else {
      check_registers(name_, state, wanted_);
    }
    if (in_lds()) env.lds().peek(0, kBytes, after_.data());
    if (!in_scratch()) return;
    for_each_dword([&](const std::array<uint32_t, kWaveSize>& address, LaneMask mask) {
      std::array<uint32_t, kWaveSize> word{};
      env.scratch.load(address.data(), mask, 4, word.data());
      mask.for_each([&](unsigned lane) { std::memcpy(after_.data() + address[lane], &word[lane], 4); });
    });
  }

  // Buffer atomics return into their data registers.
  void check_returned_in_data(const WaveState& state) const {
    for (unsigned i = 0; returns_ && i < meaning_.bytes / 4 * kWaveSize; ++i) {
      if (!(kExec >> i % kWaveSize & 1)) continue;
      if (state.vgprs[kData * kWaveSize + i] == wanted_.registers[i]) continue;
      FAIL_CHECK(name_ << ": returned value, lane " << i % kWaveSize);
      return;
    }
  }

  const Row& row_;
  const Meaning& meaning_;
  Space space_;
  bool returns_;
  unsigned denorm_;
  std::string name_;
  Scene scene_;
  Wanted wanted_;
  uint64_t base_ = 0;
  std::vector<uint8_t> after_ = std::vector<uint8_t>(kBytes);
};

// Float atomics in every denormal mode.
void run_row(const Row& row, const Meaning& meaning, Space space, bool returns, uint64_t seed) {
  const bool is_float = meaning.op.find("F16") != std::string::npos ||
                        meaning.op.find("F32") != std::string::npos ||
                        meaning.op.find("F64") != std::string::npos;
  for (unsigned denorm = is_float ? 0 : 3; denorm < 4; ++denorm)
    RowRun(row, meaning, space, returns, seed, denorm).run();
}

}  // namespace

TEST_CASE("vector memory rows agree with the oracle in every address space they have") {
  unsigned rows_tested = 0;
  for (const Row& row : rows()) {
    const bool buffer = row.format == Format::mubuf;
    if ((row.format != Format::flat && !buffer) || !row.implemented) continue;
    const auto meaning = reference::vector_memory_meaning(std::string(row.name.substr(prefix(row).size())));
    if (!meaning) continue;
    ++rows_tested;
    std::vector<Space> spaces;
    if (buffer) spaces = {Space::buffer};
    if (row.has(SEG_GLOBAL)) spaces.insert(spaces.end(), {Space::global, Space::global_sgpr});
    if (row.has(SEG_FLAT)) spaces.insert(spaces.end(), {Space::flat, Space::flat_lds});
    if (row.has(SEG_SCRATCH)) spaces.insert(spaces.end(), {Space::scratch, Space::flat_scratch});
    for (const Space space : spaces) {
      for (uint64_t seed = 1; seed <= 3; ++seed) {
        run_row(row, *meaning, space, false, seed);
        if (row.has(RETURNS)) run_row(row, *meaning, space, true, seed);
      }
    }
  }
  CHECK(rows_tested > 95);
}

TEST_CASE("DS rows agree with the oracle") {
  unsigned rows_tested = 0;
  for (const Row& row : rows()) {
    if (row.format != Format::ds || !row.implemented || row.has(TWO_OFFSETS)) continue;
    const auto meaning = reference::ds_meaning(std::string(row.name.substr(3)));
    if (!meaning) continue;
    ++rows_tested;
    for (uint64_t seed = 1; seed <= 3; ++seed) run_row(row, *meaning, Space::lds, row.dst[0] != NONE, seed);
  }
  CHECK(rows_tested > 95);
}

TEST_CASE("DS two-element rows use two offsets in units of the element, or 64 of them") {
  for (const Row& row : rows()) {
    if (row.format != Format::ds || !row.has(TWO_OFFSETS)) continue;
    const unsigned bytes = row.name.find("B64") != std::string_view::npos ? 8 : 4;
    const unsigned unit = row.name.find("ST64") != std::string_view::npos ? 64 * bytes : bytes;
    const unsigned dwords = bytes / 4;
    const bool write = row.name.starts_with("DS_WRITE2"), exchange = row.name.starts_with("DS_WRXCHG2");
    const std::string name(row.name);
    const uint32_t data_fields = row.src[1] != NONE ? kData << 8 | kData2 << 16 : 0;
    GlobalMemory memory;
    const Instruction in =
        decode_tested(std::vector<uint32_t>{0xd8000000u | uint32_t{row.opcode} << 17 | 1 | 3 << 8,
                                            kAddress | data_fields | (write ? 0 : kDst << 24)});
    const auto word_at = [](uint32_t address) { return 0x5000 + address; };
    probe(
        memory,
        [&](WaveState& state, Environment& env) {
          for (uint32_t at = 0; at + 4 <= kBytes; at += 4) {
            const std::array<uint32_t, kWaveSize> address{at}, word{word_at(at)};
            env.lds().store(address.data(), LaneMask::lane(0), 4, word.data());
          }
          for (unsigned d = 0; d < dwords; ++d) {
            state.vgprs[(kData + d) * kWaveSize] = 0x100 + d;
            state.vgprs[(kData2 + d) * kWaveSize] = 0x200 + d;
          }
          state.vgprs[kAddress * kWaveSize] = 16;
          state.set_exec(1);
          execute_function(in)(state, in);
        },
        [&](WaveState& state, Environment& env) {
          for (unsigned element = 0; element < 2; ++element) {
            const uint32_t at = 16 + (element == 0 ? 1 : 3) * unit;
            for (unsigned d = 0; d < dwords; ++d) {
              CAPTURE(name);
              CHECK(lds_word(env, at + 4 * d) ==
                    (write || exchange ? 0x100 * (element + 1) + d : word_at(at + 4 * d)));
              if (!write)
                CHECK(state.vgprs[(kDst + element * dwords + d) * kWaveSize] == word_at(at + 4 * d));
            }
          }
        });
  }
}

}  // namespace wavetwin::isa
