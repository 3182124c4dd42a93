// SPDX-License-Identifier: MIT
// BUFFER_LOAD / STORE_FORMAT_* and TBUFFER_*: every format beside the oracle, selects, D16, ranges, LDS.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <map>
#include <random>

#include "sim/core/error.h"
#include "tests/isa/memory/memory_fixture.h"
#include "tests/oracle/salu_memory/typed_buffer_oracle.h"

namespace wavetwin::isa {
namespace {

using reference::TypedChoices;
using reference::TypedFormat;

constexpr unsigned kStride = 16, kLanesInRange = 60;
constexpr uint64_t kExec = 0xfff0ff0f1234567fu;
constexpr uint32_t kOld = 0xdeadbeef;

// What the words of a row's name say.
struct TypedRow {
  const Row& row;
  bool load, typed, d16, high;
  unsigned components;

  explicit TypedRow(const Row& r)
      : row(r),
        load(r.name.find("_LOAD_") != std::string_view::npos),
        typed(r.name.starts_with("TBUFFER")),
        d16(r.name.find("_D16_") != std::string_view::npos),
        high(r.name.find("_HI_") != std::string_view::npos),
        components(static_cast<unsigned>(r.name.size() - r.name.rfind('_') - 1)) {}
  unsigned registers() const { return d16 ? (components + 1) / 2 : components; }
};

std::vector<TypedRow> typed_rows() {
  std::vector<TypedRow> list;
  for (const Row& row : rows()) {
    if (row.name.find("BUFFER_LOAD_FORMAT") != std::string_view::npos ||
        row.name.find("BUFFER_STORE_FORMAT") != std::string_view::npos)
      list.emplace_back(row);
  }
  return list;
}

// dst_sel codes of x, y, z, w (guide 9.1.8): 0, 1, then R, G, B, A from 4.
using Selects = std::array<unsigned, 4>;

Selects identity_selects(const TypedFormat& format) {
  Selects selects{};
  for (unsigned c = 0; c < format.bits.size(); ++c) selects[c] = 4 + c;
  return selects;
}

struct Scene {
  std::vector<uint8_t> memory;                            // kStride bytes a lane
  std::array<std::array<uint32_t, kWaveSize>, 4> data{};  // of stores
};

uint32_t word_for(const TypedFormat& format, std::mt19937_64& random) {
  const uint64_t r = random();
  if (format.integer())
    return r % 3 == 0 ? static_cast<uint32_t>(r >> 8) : static_cast<uint32_t>(r >> 8) % 300 - 150;
  constexpr uint32_t kSpecial[] = {0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f7fffff,
                                   0,          0x80000000, 0x3f800000, 0xbf800000, 0x477fe000,
                                   0x477fefff, 0x38000001, 0x33000000, 0x3f000000};
  if (r % 4 == 0) return kSpecial[r / 4 % std::size(kSpecial)];
  if (r % 4 == 1) return static_cast<uint32_t>(r >> 16);
  const bool scaled = format.number.ends_with("scaled");
  const float value =
      static_cast<float>(static_cast<int64_t>(r >> 40) - (1 << 23)) * (scaled ? 0x1p-7f : 0x1p-22f);
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

Scene make_scene(const TypedFormat& format, uint64_t seed) {
  std::mt19937_64 random(seed);
  Scene scene;
  for (unsigned i = 0; i < kStride * kWaveSize; ++i) scene.memory.push_back(static_cast<uint8_t>(random()));
  for (auto& row : scene.data) {
    for (uint32_t& word : row) word = word_for(format, random);
  }
  return scene;
}

std::vector<uint8_t> element_at(const Scene& scene, const TypedFormat& format, unsigned lane) {
  const auto first = scene.memory.begin() + lane * kStride;
  return {first, first + format.bytes()};
}

// Registers of one lane after a load.
std::array<uint32_t, 4> wanted_registers(const TypedRow& row, const TypedFormat& format,
                                         const Selects& selects, const Scene& scene, unsigned lane,
                                         const TypedChoices& choices) {
  std::array<uint32_t, 4> loaded{};
  if (lane < kLanesInRange) loaded = reference::typed_load(format, element_at(scene, format, lane), choices);
  std::array<uint32_t, 4> registers{};
  for (unsigned c = 0; c < row.components; ++c) {
    const uint32_t one = format.integer() ? 1 : 0x3f800000;
    const uint32_t value = selects[c] == 0 ? 0 : selects[c] == 1 ? one : loaded[selects[c] - 4];
    if (!row.d16) {
      registers[c] = value;
    } else {
      const uint32_t half = reference::typed_narrow(format, value, choices);
      registers[c / 2] |= half << (row.high || c % 2 ? 16 : 0);
    }
  }
  return registers;
}

// Bytes of one lane's element after a store.
std::vector<uint8_t> wanted_element(const TypedRow& row, const TypedFormat& format, const Selects& selects,
                                    const Scene& scene, unsigned lane, const TypedChoices& choices) {
  std::array<uint32_t, 4> values{};
  for (unsigned m = 0; m < 4; ++m) {
    for (unsigned c = row.components; c-- > 0;) {
      if (selects[c] != 4 + m) continue;
      const uint32_t word = scene.data[row.d16 ? c / 2 : c][lane];
      const auto half = static_cast<uint16_t>(word >> (row.high || c % 2 ? 16 : 0));
      values[m] = row.d16 ? reference::typed_widen(format, half) : word;
    }
  }
  return reference::typed_store(format, values, choices);
}

struct Case {
  const TypedRow& row;
  const TypedFormat& format;
  Selects selects;
  TypedChoices choices;
  Scene scene;
};

// Every value of every choice comes up.
TypedChoices choices_of(uint64_t seed) {
  return {seed % 2 == 0, static_cast<TypedChoices::Rounding>(seed % 3), seed % 5 < 2, seed % 7 < 3};
}

void set_up(WaveState& state, Environment& env, const Case& c, uint64_t base, const NumericModel& model) {
  env.numeric_model = &model;
  state.set_pair(kResource, base | uint64_t{kStride} << 48);
  state.scalar[kResource + 2] = kLanesInRange;
  uint32_t word3 = 0;
  for (unsigned i = 0; i < 4; ++i) word3 |= c.selects[i] << 3 * i;
  // A typed instruction does not read the formats of the resource.
  const TypedFormat& f = c.format;
  word3 |= c.row.typed ? 4u << 12 | 4u << 15 : f.number_format << 12 | f.data_format << 15;
  state.scalar[kResource + 3] = word3;
  set_row(state, kAddress, [](unsigned lane) { return lane; });
  for (unsigned r = 0; r < 4; ++r) {
    set_row(state, kDst + r, [](unsigned) { return kOld; });
    set_row(state, kData + r, [&](unsigned lane) { return c.scene.data[r][lane]; });
  }
  state.set_exec(kExec);
  const BufferPlace place{.offen = false, .idxen = true};
  const unsigned data = c.row.load ? kDst : kData;
  run(state, c.row.typed ? encode_mtbuf(c.row.row, kAddress, data, place, f.data_format, f.number_format)
                         : encode_mubuf(c.row.row, kAddress, data, place));
}

std::string describe(const Case& c, unsigned lane) {
  return fmt::format("{} {} selects {}{}{}{} lane {}", c.row.row.name, c.format.name, c.selects[0],
                     c.selects[1], c.selects[2], c.selects[3], lane);
}

void check_registers(const Case& c, const WaveState& state) {
  for (unsigned lane = 0; lane < kWaveSize; ++lane) {
    std::array<uint32_t, 4> want{kOld, kOld, kOld, kOld};
    if (c.row.load && (kExec >> lane & 1)) {
      const auto loaded = wanted_registers(c.row, c.format, c.selects, c.scene, lane, c.choices);
      std::copy_n(loaded.begin(), c.row.registers(), want.begin());
    }
    for (unsigned r = 0; r < 4; ++r) {
      if (at(state, kDst + r, lane) == want[r]) continue;
      FAIL_CHECK(fmt::format("{}: v{} is {:#x}, want {:#x}", describe(c, lane), kDst + r,
                             at(state, kDst + r, lane), want[r]));
      return;
    }
  }
}

void check_memory(const Case& c, const std::vector<uint8_t>& got) {
  for (unsigned lane = 0; lane < kWaveSize; ++lane) {
    const auto first = c.scene.memory.begin() + lane * kStride;
    std::vector<uint8_t> want(first, first + kStride);
    if (!c.row.load && (kExec >> lane & 1) && lane < kLanesInRange) {
      const auto element = wanted_element(c.row, c.format, c.selects, c.scene, lane, c.choices);
      std::copy(element.begin(), element.end(), want.begin());
    }
    for (unsigned b = 0; b < kStride; ++b) {
      if (got[lane * kStride + b] == want[b]) continue;
      FAIL_CHECK(fmt::format("{}: byte {} is {:#x}, want {:#x}; data {:#x}", describe(c, lane), b,
                             got[lane * kStride + b], want[b], c.scene.data[0][lane]));
      return;
    }
  }
}

void run_case(const Case& c) {
  NumericModel model;
  model.format_float_nearest = c.choices.float_nearest;
  model.format_norm_round = static_cast<CodeRound>(c.choices.norm);
  model.format_scaled_nearest = c.choices.scaled_nearest;
  model.format_norm_multiplied = c.choices.norm_multiplied;
  GlobalMemory memory;
  const uint64_t base = memory.allocate("tested", c.scene.memory.size());
  memory.write(base, c.scene.memory.data(), c.scene.memory.size());
  probe(
      memory, [&](WaveState& state, Environment& env) { set_up(state, env, c, base, model); },
      [&](WaveState& state, Environment&) { check_registers(c, state); });
  std::vector<uint8_t> after(c.scene.memory.size());
  memory.read(base, after.data(), after.size());
  check_memory(c, after);
}

}  // namespace

TEST_CASE(
    "typed buffers: every row in every format agrees with the oracle, ranges, selects and EXEC included") {
  const std::vector<TypedRow> list = typed_rows();
  CHECK(list.size() == 34);
  uint64_t seed = 100;
  for (const TypedRow& row : list) {
    CHECK(row.row.implemented);
    for (const TypedFormat& format : reference::typed_formats()) {
      std::vector<Selects> selects{identity_selects(format)};
      if (!row.typed) selects.insert(selects.end(), {{7, 6, 5, 4}, {5, 4, 1, 0}, {6, 1, 4, 4}});
      for (const Selects& s : selects) run_case({row, format, s, choices_of(seed), make_scene(format, seed)});
      ++seed;
    }
  }
}

TEST_CASE("typed buffers: pairs that the guide does not list are refused, an unbound resource reads 0") {
  const TypedRow row(row_at(RowId::TBUFFER_LOAD_FORMAT_X));
  std::map<std::pair<unsigned, unsigned>, bool> listed;
  for (const TypedFormat& f : reference::typed_formats()) listed[{f.data_format, f.number_format}] = true;
  for (unsigned data = 0; data < 16; ++data) {
    for (unsigned number = 0; number < 8; ++number) {
      CAPTURE(data);
      CAPTURE(number);
      const TypedFormat format{data, number, "", {32}, "uint"};
      const Case c{row, format, {}, {}, make_scene(format, 1)};
      GlobalMemory memory;
      const uint64_t base = memory.allocate("tested", c.scene.memory.size());
      memory.write(base, c.scene.memory.data(), c.scene.memory.size());
      const NumericModel model;
      const auto look = [&](WaveState& state, Environment&) {
        if (data == 0) CHECK(at(state, kDst, 0) == 0);
      };
      const auto attempt = [&] {
        probe(
            memory, [&](WaveState& state, Environment& env) { set_up(state, env, c, base, model); }, look);
      };
      if (data == 0 || listed.count({data, number})) {
        CHECK_NOTHROW(attempt());
      } else {
        CHECK_THROWS_AS(attempt(), Error);
      }
    }
  }
}

TEST_CASE("buffer_load_format_x to LDS writes the converted dword of every active lane") {
  const TypedFormat& format = reference::typed_formats()[0];
  REQUIRE(format.name == "8 unorm");
  const TypedRow row(row_at(RowId::BUFFER_LOAD_FORMAT_X));
  const Case c{row, format, identity_selects(format), {}, make_scene(format, 9)};
  GlobalMemory memory;
  const uint64_t base = memory.allocate("tested", c.scene.memory.size());
  memory.write(base, c.scene.memory.data(), c.scene.memory.size());
  const NumericModel model;
  probe(
      memory,
      [&](WaveState& state, Environment& env) {
        fill_lds(env, [](uint32_t) { return kOld; });
        set_up(state, env, c, base, model);
        state.scalar[kM0] = 64;
        run(state, encode_mubuf(row.row, kAddress, 0, {.offen = false, .idxen = true, .lds = true}));
        for (unsigned lane = 0; lane < kWaveSize; ++lane) {
          const uint32_t want =
              kExec >> lane & 1 ? wanted_registers(row, format, c.selects, c.scene, lane, {})[0] : kOld;
          CAPTURE(lane);
          CHECK(lds_word(env, 64 + 4 * lane) == want);
        }
      },
      nothing);
}

TEST_CASE("typed buffers: with add_tid the stride keeps its 14 bits, and the lane is the index") {
  // Guide 9.1.5: only untyped instructions take the high stride bits from the data format.
  const TypedFormat* format = nullptr;
  for (const TypedFormat& f : reference::typed_formats()) {
    if (f.name == "16_16 uint") format = &f;
  }
  REQUIRE(format != nullptr);
  GlobalMemory memory;
  std::vector<uint32_t> words(kWaveSize * kStride / 4);
  for (uint32_t i = 0; i < words.size(); ++i) words[i] = 0x10000 * (i + 1) + i;
  const uint64_t base = memory.allocate("tested", words.size() * 4);
  memory.write(base, words.data(), words.size() * 4);
  probe(
      memory,
      [&](WaveState& state, Environment&) {
        state.set_pair(kResource, base | uint64_t{kStride} << 48);
        state.scalar[kResource + 2] = 1;
        state.scalar[kResource + 3] =
            4 | 5 << 3 | format->number_format << 12 | format->data_format << 15 | 1u << 23;
        state.set_exec(~uint64_t{0});
        run(state, encode_mubuf(row_at(RowId::BUFFER_LOAD_FORMAT_XY), 0, kDst, {.offen = false}));
        for (unsigned lane = 0; lane < kWaveSize; ++lane) {
          CHECK(at(state, kDst, lane) == lane * 4);
          CHECK(at(state, kDst + 1, lane) == lane * 4 + 1);
        }
      },
      nothing);
}

}  // namespace wavetwin::isa
