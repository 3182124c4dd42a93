// SPDX-License-Identifier: MIT
// Scalar operands of two and more registers start at an even register, those of four and more at a multiple
// of 4 (guide 3.6.3, 8.1): anything else is no instruction, and the refusal says which and why.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <optional>

#include "sim/core/error.h"
#include "sim/isa/decode.h"
#include "sim/isa/exec.h"
#include "tests/isa/decode/random_encoding.h"

namespace wavetwin::isa::test {
namespace {

// Where the encoding has the operand: bit of the first dword on, and how many registers a step is.
struct Field {
  const char* name;
  unsigned bit, registers = 1;
};

constexpr int kDst = -2, kSdst = -1;  // else the number of the source

std::optional<Field> field_of(const Instruction& in, int operand) {
  const bool source = operand >= 0 && operand < 3;
  switch (in.format) {
    case Format::sop1:
    case Format::sop2:
    case Format::sopc:
      if (operand == kDst) return Field{"SDST", 16};
      return Field{"SSRC", operand == 0 ? 0u : 8u};
    case Format::sopk:
      return Field{"SOPK SDST", 16};
    case Format::smem:
      if (operand == 0) return Field{in.src[0].dwords == 4 ? "SBASE resource" : "SBASE", 0, 2};
      if (operand == kDst && in.src[1]) return {};  // the register of the data, returned to
      return Field{"SDATA", 6};
    case Format::flat:
      return Field{"SADDR", 48};
    case Format::vop3:
      if (source) return Field{"VOP3 SRC", 32 + 9 * static_cast<unsigned>(operand)};
      return Field{"VOP3 SDST", operand == kSdst ? 8u : 0u};
    case Format::vop3p:
      return Field{"VOP3P SRC", 32 + 9 * static_cast<unsigned>(operand)};
    case Format::vop1:
    case Format::vop2:
    case Format::vopc:
      if (in.form == Form::e64) {
        if (source) return Field{"promoted SRC", 32 + 9 * static_cast<unsigned>(operand)};
        return Field{"promoted SDST", operand == kSdst ? 8u : 0u};
      }
      if (in.form == Form::sdwa && operand == kDst && (in.dwords[1] >> 15 & 1)) return Field{"SDWA SDST", 40};
      if (in.form == Form::base && operand == 0) return Field{"SRC0", 0};
      return {};  // the implicit VCC
    default:
      return {};
  }
}

struct Slot {
  int number;
  const Operand* operand;
};

std::vector<Slot> slots_of(const Instruction& in) {
  std::vector<Slot> slots = {{kDst, &in.dst}, {kSdst, &in.sdst}};
  for (int i = 0; i < 5; ++i) slots.push_back({i, &in.src[static_cast<size_t>(i)]});
  return slots;
}

std::string refusal_of(const Words& words) {
  std::string why;
  return try_decode(words, 0, &why).valid() ? "accepted" : why;
}

// "v_add_f64: scalar operand s[5:6] is not aligned to 2 registers"
std::string expected(const Instruction& in, unsigned first, unsigned dwords) {
  std::string name;
  for (const char c : row_of(in).name) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return fmt::format("{}: scalar operand s[{}:{}] is not aligned to {} registers", name, first,
                     first + dwords - 1, dwords > 2 ? 4 : 2);
}

// Every register that the operand may not start at.
void check_slot(const Instruction& in, const Words& words, const Field& field, const Operand& operand) {
  const unsigned alignment = operand.dwords > 2 ? 4 : 2;
  for (unsigned off = field.registers; off < alignment; off += field.registers) {
    Words moved = words;
    moved[field.bit / 32] += off / field.registers << field.bit % 32;
    CAPTURE(fmt::format("{:08x}", fmt::join(moved, " ")));
    CHECK(refusal_of(moved) == expected(in, operand.index + off, operand.dwords));
  }
}

}  // namespace

TEST_CASE(
    "decode: scalar tuples that are not aligned are refused in every field, naming instruction and operand") {
  EncodingGenerator generator(7);
  std::map<std::string, std::map<const Row*, unsigned>> tested;
  for (const Row& row : rows()) {
    for (const Form form : {Form::base, Form::e64, Form::sdwa, Form::dpp}) {
      const uint32_t trait = form == Form::e64    ? E64
                             : form == Form::sdwa ? SDWA
                             : form == Form::dpp  ? DPP
                                                  : 0;
      if (trait != 0 && !row.has(trait)) continue;
      const Segment segment = row.has(SEG_GLOBAL) ? Segment::global : Segment::flat;
      if (row.format == Format::flat && !row.has(SEG_GLOBAL)) continue;
      for (unsigned draw = 0; draw < 12; ++draw) {
        Words words = generator.of_row(row, form, segment);
        const Instruction in = try_decode(words, 0);
        if (!in.valid()) continue;
        for (const Slot& slot : slots_of(in)) {
          const bool tuple = slot.operand->kind == OperandKind::sgpr && slot.operand->dwords > 1;
          const auto field = tuple && slot.operand->index < 96 ? field_of(in, slot.number) : std::nullopt;
          if (!field) continue;
          check_slot(in, words, *field, *slot.operand);
          ++tested[field->name][&row];
        }
      }
    }
  }
  for (const auto& [name, rows_of_field] : tested) MESSAGE(name, ": ", rows_of_field.size(), " rows");
  for (const char* name :
       {"SDST", "SSRC", "SOPK SDST", "SBASE", "SBASE resource", "SDATA", "SADDR", "VOP3 SRC", "VOP3 SDST",
        "VOP3P SRC", "promoted SRC", "promoted SDST", "SDWA SDST", "SRC0"}) {
    CAPTURE(std::string(name));
    CHECK(tested[name].size() > 0);
  }
}

TEST_CASE(
    "decode: trap temporaries are aligned like SGPRs; VCC, EXEC and the other pairs start at their low "
    "half") {
  const auto mov = [](unsigned source) {
    return Words{0xbe800100u | 2u << 16 | source};
  };  // s_mov_b64 s[2:3], ..
  CHECK(refusal_of(mov(109)) == "s_mov_b64: scalar operand ttmp[1:2] is not aligned to 2 registers");
  for (const unsigned half : {103u, 105u, 107u, 127u}) {
    CAPTURE(half);
    CHECK(refusal_of(mov(half)) ==
          "s_mov_b64: scalar operand " + std::to_string(half) + " is no tuple of 2 registers");
    CHECK(refusal_of(mov(half - 1)) == "accepted");
  }
}

TEST_CASE("decode: executing a refused encoding says what is wrong with it") {
  const Program program = decode_program(Words{0xbe820105, 0xbf810000}, 0x100);  // s_mov_b64 s[2:3], s[5:6]
  const Instruction& in = program.instructions[0];
  REQUIRE_FALSE(in.valid());
  WaveState state;
  CHECK_THROWS_WITH_AS(
      execute_function(in)(state, in),
      "pc 0x100 [be820105]: these dwords are no gfx950 instruction (s_mov_b64: scalar operand "
      "s[5:6] is not aligned to 2 registers): .long 0xbe820105",
      Error);
}

}  // namespace wavetwin::isa::test
