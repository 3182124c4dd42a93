// SPDX-License-Identifier: MIT
#include "sim/isa/exec_buffer_format.h"

#include <bit>
#include <string>

#include "sim/core/error.h"
#include "sim/isa/buffer_access.h"
#include "sim/numerics/buffer_format.h"

namespace wavetwin::isa {
namespace {

constexpr uint8_t kSelectZero = 0, kSelectOne = 1, kSelectX = 4;  // dst_sel (isa guide 9.1.8)

// What one instruction converts: the format, and where each component comes from.
struct TypedBuffer {
  Resource resource;
  const BufferElement* element = nullptr;  // null: unbound, loads give 0 and stores are dropped
  NumberFormat number = NumberFormat::unorm;
  std::array<uint8_t, 4> select{};

  static TypedBuffer of(const WaveState& wave, const Instruction& in) {
    TypedBuffer t;
    t.resource = Resource::read(wave, in.src[2], true);
    const bool from_instruction = in.format == Format::mtbuf;
    const unsigned data = from_instruction ? in.dfmt : t.resource.data_format;
    t.number = from_instruction ? static_cast<NumberFormat>(in.nfmt) : t.resource.number_format;
    if (data != 0 && !is_buffer_format(data, t.number)) {
      throw Error("typed buffer access with data format " + std::to_string(data) + " and number format " +
                  std::to_string(static_cast<unsigned>(t.number)) + ", which do not go together");
    }
    t.element = buffer_element(data);
    t.select = t.resource.select;
    for (unsigned c = 0; from_instruction && c < 4; ++c) {
      const bool there = t.element != nullptr && c < t.element->components;
      t.select[c] = there ? static_cast<uint8_t>(kSelectX + c) : kSelectZero;
    }
    return t;
  }

  uint32_t one() const { return is_integer(number) ? 1u : std::bit_cast<uint32_t>(1.0f); }
};

// Component c of the registers for `values`, the components in memory.
uint32_t selected(const TypedBuffer& t, const std::array<uint32_t, 4>& values, unsigned c) {
  const unsigned select = t.select[c];
  if (select == kSelectOne) return t.one();
  return select >= kSelectX ? values[select - kSelectX] : 0;
}

// The bytes of every lane's element, and which lanes have one.
struct Elements {
  Block words;  // dword-major
  LaneMask in_range;
};

Elements load_elements(WaveState& wave, const Instruction& in, const TypedBuffer& t) {
  Elements elements;
  if (t.element == nullptr) return elements;
  const unsigned bytes = t.element->bytes, last = block_dwords(bytes) - 1;
  const BufferAccess access = buffer_access(wave, in, t.resource, bytes);
  elements.in_range = access.in_range[0] & access.in_range[last];
  if (!elements.in_range.any()) return elements;
  wave.env->note_access(access.address[elements.in_range.first_set()], bytes);
  wave.env->memory().load(access.address.data(), elements.in_range, bytes, elements.words.data(),
                          cache_bits(in));
  return elements;
}

unsigned register_count(const MemoryOp& op) {
  return op.half == Half::whole ? op.components : (op.components + 1u) / 2;
}

// Component c of one lane goes to its register, or to its half of one.
void place_component(const TypedBuffer& t, const MemoryOp& op, const NumericModel& model, unsigned c,
                     uint32_t value, unsigned lane, uint32_t* rows) {
  if (op.half == Half::whole) {
    rows[c * kLanes + lane] = value;
    return;
  }
  const uint32_t narrow = narrow_to_d16(value, t.number, model);
  uint32_t& target = rows[c / 2 * kLanes + lane];
  const bool high = op.half == Half::high || c % 2 == 1;
  target = high ? (c % 2 == 1 ? target : 0) | narrow << 16 : narrow;
}

// Loads and converts; `rows` are the registers of the active lanes.
void load_converted(WaveState& wave, const Instruction& in, const MemoryOp& op, uint32_t* rows) {
  const TypedBuffer t = TypedBuffer::of(wave, in);
  const Elements elements = load_elements(wave, in, t);
  LaneMask{wave.exec()}.for_each([&](unsigned lane) {
    std::array<uint32_t, 4> words{}, values{};
    if (elements.in_range[lane]) {
      for (unsigned d = 0; d < block_dwords(t.element->bytes); ++d) {
        words[d] = elements.words[d * kLanes + lane];
      }
      values = read_buffer_element(*t.element, t.number, words.data(), *wave.env->numeric_model);
    }
    for (unsigned c = 0; c < op.components; ++c) {
      place_component(t, op, *wave.env->numeric_model, c, selected(t, values, c), lane, rows);
    }
  });
}

// Component c of one lane's registers, as a 32-bit value.
uint32_t stored_component(const TypedBuffer& t, const MemoryOp& op, const uint32_t* rows, unsigned c,
                          unsigned lane) {
  if (op.half == Half::whole) return rows[c * kLanes + lane];
  const bool high = op.half == Half::high || c % 2 == 1;
  return widen_from_d16(static_cast<uint16_t>(rows[c / 2 * kLanes + lane] >> (high ? 16 : 0)), t.number);
}

}  // namespace

void load_format_registers(WaveState& wave, const Instruction& in, const MemoryOp& op) {
  if (!has_destination(wave, in)) return wave.env->issue_vm(0);
  Block converted;
  load_converted(wave, in, op, converted.data());
  const unsigned registers = register_count(op);
  uint32_t* const out = destination_block(wave, in.dst);
  LaneMask{wave.exec()}.for_each([&](unsigned lane) {
    for (unsigned r = 0; r < registers; ++r) out[r * kLanes + lane] = converted[r * kLanes + lane];
  });
  wave.env->issue_vm(0);
}

void load_format_lds(WaveState& wave, const Instruction& in, const MemoryOp& op) {
  Block converted{};
  load_converted(wave, in, op, converted.data());
  MemoryOp dword = op;
  dword.bytes = 4;
  store_lds_rows(wave, in, dword, LaneMask{wave.exec()}, converted.data());
  wave.env->issue_vm(0);
}

// The resource's dst_sel counts for stores too (isa guide 9.1.4), which does not say how. assumption: as the
// inverse of what loads do: memory component m takes the first register component whose select names it, and
// 0 when there is none. The identity, which compilers and libraries use, has no such case.
void store_format_registers(WaveState& wave, const Instruction& in, const MemoryOp& op) {
  const TypedBuffer t = TypedBuffer::of(wave, in);
  if (t.element == nullptr) return wave.env->issue_vm(0);
  const unsigned bytes = t.element->bytes, dwords = block_dwords(bytes);
  const BufferAccess access = buffer_access(wave, in, t.resource, bytes);
  const LaneMask fits = access.in_range[0] & access.in_range[dwords - 1];
  Block spare, words;
  const uint32_t* rows = source_block(wave, in.src[1], 0, register_count(op), spare);
  fits.for_each([&](unsigned lane) {
    std::array<uint32_t, 4> values{}, element{};
    for (unsigned c = op.components; c-- > 0;) {
      if (t.select[c] >= kSelectX) values[t.select[c] - kSelectX] = stored_component(t, op, rows, c, lane);
    }
    write_buffer_element(*t.element, t.number, values, *wave.env->numeric_model, element.data());
    for (unsigned d = 0; d < dwords; ++d) words[d * kLanes + lane] = element[d];
  });
  PendingTicket ticket = 0;
  if (fits.any())
    ticket = wave.env->memory().store(access.address.data(), fits, bytes, words.data(), cache_bits(in));
  wave.env->issue_vm(ticket);
}

}  // namespace wavetwin::isa
