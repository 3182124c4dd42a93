// SPDX-License-Identifier: MIT
#include "golden/cases/primitive_words.h"

#include <fmt/format.h>

#include "common/kernels/primitives.h"
#include "golden/harness/table.h"

namespace wavetwin::golden {
namespace {

struct Word {
  const char* names;
  const char* proof;
  const char* evidence;
};

// Words that have no case of their own name.
constexpr Word kWords[] = {
    {"mfma_scaled (fp8 and fp4 for either operand)", "primitives/mfma_scaled_*", "inferred"},
    {"mfma_bf16 (16x16x32)", "primitives/mfma_bf16", "inferred"},
    {"mfma16_bf16 (16x16x16)", "primitives/mfma16_bf16", "inferred"},
    {"rsrc, buffer loads and stores, masked off", "primitives/memory", "specified"},
    {"ld_i32, ld_f32, ld_bf, ld_i64", "primitives/memory", "specified"},
    {"gload, gstore (1, 2, 4 words), nontemporal and device scope", "primitives/memory", "specified"},
    {"atomic_add_dev", "primitives/memory", "specified"},
    {"batched_rounds", "primitives/memory", "specified"},
    {"span copies (rows_loads, rows_store)", "gemv/*", "specified"},
    {"barrier", "primitives/mailbox-*, gemv/*", "specified"},
    {"Mailbox put, put_words, put_bf, poll", "primitives/mailbox-*", "specified"},
    {"spin_until, publish, await_flags", "primitives/mailbox-*", "specified"},
    {"epoch_begin, epoch_end", "primitives/mailbox-*", "specified"},
    {"memrealtime, stamp (timeline builds)", "primitives/mailbox_timeline-r1", "specified"},
    {"kernel_symbol", "the symbols of every kernel (a test)", "specified"},
    {"traced", "none: mechanics of the original DSL without a counterpart", "-"},
};

}  // namespace

std::string primitive_words_text() {
  std::vector<std::vector<std::string>> cells = {{"word", "proved by", "evidence"}};
  for (const Primitive& word : kPrimitives) {
    cells.push_back({word.name, fmt::format("primitives/{}", word.name), wavetwin::to_string(word.evidence)});
  }
  for (const Word& word : kWords) cells.push_back({word.names, word.proof, word.evidence});
  return aligned(cells);
}

}  // namespace wavetwin::golden
