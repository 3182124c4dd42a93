// SPDX-License-Identifier: MIT
// Attention back of DeepSeek-V4.1: from the rotated query of up to 48 tokens to this rank's part of wo_b, one
// persistent launch of kBlocks workgroups. Four stages hand over through flags in a scratch buffer:
//
//   split    (token, chunk of keys)  flash decoding of the chunk for every head -> partial, (max, sum)
//   combine  (token, 8 heads)        chunks merged with the sink, inverse RoPE, MXFP8 -> xo
//   wo_a     32 rows of a group      xo . wo_a, bf16, MXFP8 of the 32 rows -> x8b
//   wo_b     16 rows                 x8b . wo_b, bf16 -> out
//
// Geometry: the configuration of the published model and the launch geometry of its fused decode kernels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/device_ptr.h"
#include "common/kernels/device.h"
#include "common/kernels/gemv.h"

namespace wavetwin::back {

inline constexpr uint32_t kHidden = 5120;
inline constexpr uint32_t kHeadDim = 512;  // K and V are the same 512 dims
inline constexpr uint32_t kNope = 448;     // dims without position: e4m3 in the cache
inline constexpr uint32_t kRope = 64;      // rotated dims 448 .. 511: bf16 in the cache
inline constexpr uint32_t kHalf = 32;      // cosines, then as many sines, of a row of cos_sin
inline constexpr uint32_t kAllHeads = 64;  // of all ranks
inline constexpr uint32_t kAllGroups = 8;
inline constexpr uint32_t kGroupRows = 1024;  // rows of wo_a of one group
inline constexpr uint32_t kGroupK = 4096;     // K of wo_a: eight heads
inline constexpr uint32_t kTopK = 512;        // compressed rows of a token, at most
inline constexpr uint32_t kWindow = 128;      // window rows of a token, at most
inline constexpr uint32_t kKeys = kTopK + kWindow;
inline constexpr uint32_t kTile = 16;  // keys, and heads, of one MFMA
inline constexpr uint32_t kCombineHeads = 8;
inline constexpr uint32_t kWoaRows = 32;
inline constexpr uint32_t kWoaSplit = 4;
inline constexpr uint32_t kNegBits = 0xFF7FFFFFu;      // -FLT_MAX: the score of an absent key
inline constexpr uint32_t kLog2EBits = 0x3FB8AA3Bu;    // log2 e
inline constexpr uint32_t kQkScaleBits = 0x3D8293EEu;  // 512^-0.5 log2 e
inline constexpr uint32_t kTimelinePoints = 16;

// A cache page of `block` slots: block data rows of kData bytes (448 e4m3, 64 bf16), then block scale rows of
// kScaleBytes (one E8M0 code each 64 dims, the last byte is padding).
inline constexpr uint32_t kData = 576;
inline constexpr uint32_t kScaleBytes = 8;
inline constexpr uint32_t kRecord = kData + kScaleBytes;
inline constexpr uint32_t kScaleDims = 64;  // dims of one scale byte

// Bytes of slot `in_page` of a page: its data row, and its scale row past the data rows.
template <class U>
WAVETWIN_INDEX U data_row_at(U in_page) {
  return in_page * kData;
}
template <class U>
WAVETWIN_INDEX U scale_row_at(U block, U in_page) {
  return block * kData + in_page * kScaleBytes;
}

// Key table entries: a window slot, a compressed slot with the top bit set, or kNoKey.
inline constexpr uint32_t kNoKey = 0xFFFFFFFFu;
inline constexpr uint32_t kSlotMask = 0x7FFFFFFFu;

struct Dims {
  uint32_t tp;  // ranks the heads and groups are split over

  WAVETWIN_INDEX bool valid() const { return tp == 2 || tp == 4; }
  WAVETWIN_INDEX uint32_t heads() const { return kAllHeads / tp; }
  WAVETWIN_INDEX uint32_t head_tiles() const { return heads() / kTile; }
  WAVETWIN_INDEX uint32_t head_octets() const { return heads() / kCombineHeads; }
  WAVETWIN_INDEX uint32_t groups() const { return kAllGroups / tp; }
  WAVETWIN_INDEX uint32_t q_rows() const { return heads() * kHeadDim; }
  WAVETWIN_INDEX uint32_t o_rows() const { return groups() * kGroupRows; }  // K of wo_b
  WAVETWIN_INDEX uint32_t woa_tasks() const { return o_rows() / kWoaRows; }
  WAVETWIN_INDEX uint32_t wob_tasks() const { return kHidden / kRowTile; }
};

WAVETWIN_INDEX uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
WAVETWIN_INDEX uint32_t round_up(uint32_t a, uint32_t b) { return ceil_div(a, b) * b; }

// Bytes from page to page where the cache's owner has no other wish: whole data rows.
WAVETWIN_INDEX uint32_t page_stride(uint32_t block) { return round_up(block * kRecord, kData); }

// Token tiles of the GEMVs.
struct TokenTile {
  uint32_t t0, n;
};
WAVETWIN_INDEX TokenTile token_tile(uint32_t tokens, uint32_t i) {
  const uint32_t t0 = kTokenTile * i;
  return {t0, tokens - t0 < kTokenTile ? tokens - t0 : kTokenTile};
}
WAVETWIN_INDEX uint32_t tile_rows(uint32_t tokens) { return tokens < kTokenTile ? tokens : kTokenTile; }

// Wave groups that the head tiles of a split unit are spread over: two while both the tiles and the grid
// allow it (twice the units of half the keys), else one (a wave's keys are loaded once for every head tile).
WAVETWIN_INDEX uint32_t head_groups(Dims dims, uint32_t tokens) {
  return dims.head_tiles() == 2 && tokens * ceil_div(kKeys, 64) <= kBlocks ? 2 : 1;
}

// What is fixed when a kernel is compiled.
struct Form {
  uint32_t tp;
  uint32_t head_groups;

  WAVETWIN_INDEX Dims dims() const { return {tp}; }
  WAVETWIN_INDEX bool valid() const {
    return dims().valid() && (head_groups == 1 || (head_groups == 2 && dims().head_tiles() == 2));
  }
  // 16-key tiles of a chunk: one a wave of a head group.
  WAVETWIN_INDEX uint32_t key_tiles() const { return kWaves / head_groups; }
  // Head tiles of a wave in QK.
  WAVETWIN_INDEX uint32_t wave_head_tiles() const { return dims().head_tiles() / head_groups; }
  WAVETWIN_INDEX uint32_t chunk_keys() const { return kTile * key_tiles(); }
  WAVETWIN_INDEX uint32_t chunks() const { return kKeys / chunk_keys(); }
  // A head's p of a chunk in LDS, words.
  WAVETWIN_INDEX uint32_t p_row() const { return chunk_keys() / 2 + 2; }
  WAVETWIN_INDEX GemvForm woa() const { return {kGroupK, kGroupK / kStepK, kWoaSplit, true}; }
  WAVETWIN_INDEX GemvForm wob() const { return {dims().o_rows(), dims().o_rows() / kStepK, 0, false}; }
};
WAVETWIN_INDEX Form form_of(uint32_t tp, uint32_t tokens) { return {tp, head_groups({tp}, tokens)}; }

// Where the stages' tasks are placed. The GEMVs start past the attention units, so that workgroups without
// attention work have their weights in flight from the start.
struct Plan {
  uint32_t splits, combines;
  uint32_t combine0, woa0, wob0;  // workgroup of a stage's first task
  bool early_wob;                 // wo_b's weights before wo_a: no wo_a workgroup has attention work
};
WAVETWIN_INDEX Plan plan(Form form, uint32_t tokens) {
  const uint32_t splits = tokens * form.chunks();
  const uint32_t combines = tokens * form.dims().head_octets();
  const uint32_t woa_tasks = form.dims().woa_tasks();
  const uint32_t woa0 = (splits + combines) % kBlocks;
  return {splits,
          combines,
          splits % kBlocks,
          woa0,
          (woa0 + woa_tasks) % kBlocks,
          splits + combines + woa_tasks <= kBlocks};
}
WAVETWIN_INDEX uint32_t live_chunks(Form form, uint32_t kv_len) {
  return ceil_div(kv_len, form.chunk_keys());
}

// ---- scratch regions, byte offsets from the scratch base; each starts at a multiple of 256 ----

struct Scratch {
  uint32_t part;   // bf16 [tokens][chunks][heads][512]
  uint32_t pstat;  // f32 [tokens][chunks][heads]{max, sum}
  uint32_t srdy;   // pair [tokens][chunks]
  uint32_t xo;     // e4m3 [tokens][q_rows]
  uint32_t xos;    // i32 E8M0 [tokens][q_rows / 32]
  uint32_t crdy;   // pair [tokens][heads / 8]
  uint32_t x8b;    // e4m3 [tokens][o_rows]
  uint32_t x8bs;   // i32 E8M0 [tokens][o_rows / 32]
  uint32_t ardy;   // pair [woa_tasks]
  uint32_t end;
};
WAVETWIN_INDEX Scratch scratch(Form form, uint32_t tokens, uint32_t start) {
  const Dims dims = form.dims();
  const uint32_t units = tokens * form.chunks();
  Scratch at{};
  at.part = round_up(start, 256);
  at.pstat = round_up(at.part + units * dims.heads() * kHeadDim * 2, 256);
  at.srdy = round_up(at.pstat + units * dims.heads() * 8, 256);
  at.xo = round_up(at.srdy + units * kPairBytes, 256);
  at.xos = round_up(at.xo + tokens * dims.q_rows(), 256);
  at.crdy = round_up(at.xos + tokens * dims.q_rows() / 32 * 4, 256);
  at.x8b = round_up(at.crdy + tokens * dims.head_octets() * kPairBytes, 256);
  at.x8bs = round_up(at.x8b + tokens * dims.o_rows(), 256);
  at.ardy = round_up(at.x8bs + tokens * dims.o_rows() / 32 * 4, 256);
  at.end = at.ardy + dims.woa_tasks() * kPairBytes;
  return at;
}

// Bytes that the front kernel's regions take before these in a scratch buffer of both: the query GEMVs'
// quantised inputs, flags and f32 pairs.
WAVETWIN_INDEX uint32_t front_end(uint32_t tokens) {
  const uint32_t sizes[] = {tokens * kHidden,         // x8
                            tokens * 160 * 4,         // x8s
                            2 * tokens * kPairBytes,  // xrdy
                            2 * tokens * 1792 * 8,    // qkvp
                            tokens * 1280,            // qx8
                            tokens * 40 * 4,          // qx8s
                            tokens * kPairBytes};     // qrdy
  uint32_t at = 0;
  for (const uint32_t bytes : sizes) at = round_up(at + bytes, 256);
  return at;
}

// ---- LDS, byte offsets: the split stage's struct and the GEMVs' share the same bytes ----

inline constexpr uint32_t kQRow = kHeadDim / 2 + 4;  // words of a head's q: 16 B of padding
inline constexpr uint32_t kRawRow = kRecord / 4;     // words of a key's record; odd rows are 8 B aligned only

struct SplitLds {
  uint32_t q, raw, p, st, bytes;
};
WAVETWIN_INDEX SplitLds split_lds(Form form) {
  const uint32_t heads = form.dims().heads();
  const uint32_t q = 4 * heads * kQRow;
  const uint32_t raw = 4 * form.chunk_keys() * kRawRow;
  const uint32_t p = 4 * heads * form.p_row();
  const uint32_t st = 4 * 2 * heads * form.key_tiles();
  return {0, q, q + raw, q + raw + p, q + raw + p + st};
}
// Two tasks' partials, and activation rows of the wider GEMV.
WAVETWIN_INDEX GemvLds gemv_lds(Form form, uint32_t rows) { return wavetwin::gemv_lds(form.woa(), rows, 2); }
WAVETWIN_INDEX uint32_t lds_bytes(Form form, uint32_t rows) {
  const uint32_t split = split_lds(form).bytes, gemv = gemv_lds(form, rows).bytes;
  return split > gemv ? split : gemv;
}

// Word of p that holds keys `key` and key + 1 (an even key) of a head, bf16.
template <class U>
WAVETWIN_INDEX U p_at(Form form, U head, U key) {
  return head * form.p_row() + key / 2;
}

// f32 of `st` that holds the maximum of head r of head tile `ht` over key tile kt; the sums follow behind
// heads * key_tiles of them.
template <class U>
WAVETWIN_INDEX U stat_at(Form form, U ht, uint32_t kt, U r) {
  return (ht * form.key_tiles() + kt) * kTile + r;
}

// ---- the MFMA operands of the split stage (lane l: r16 = l % 16, g = l / 16) ----

// Word of a record that holds the first of the 16 bytes of lane group g: nope part c (0 .. 6), rope part c
// (0, 1).
template <class U>
WAVETWIN_INDEX U nope_word(uint32_t c, U g) {
  return 16 * c + 4 * g;
}
template <class U>
WAVETWIN_INDEX U rope_word(uint32_t c, U g) {
  return kNope / 4 + 16 * c + 4 * g;
}
// Word of a q row that goes with bytes 8 h .. 8 h + 7 of nope part c, and with rope part c.
template <class U>
WAVETWIN_INDEX U q_nope_word(uint32_t c, uint32_t h, U g) {
  return 32 * c + 8 * g + 4 * h;
}
template <class U>
WAVETWIN_INDEX U q_rope_word(uint32_t c, U g) {
  return kNope / 2 + 16 * c + 4 * g;
}

// Element of out, even, for token t's column; a push's pair has half its index.
template <class U>
WAVETWIN_INDEX U out_element(U t, uint32_t out_stride, U column) {
  return t * out_stride + column;
}
// Bytes of one rank's pairs.
WAVETWIN_INDEX uint32_t push_bytes(uint32_t tokens, uint32_t out_stride) {
  return tokens * out_stride / 2 * kPairBytes;
}

// ---- region elements ----

// Row of part and pstat: token, chunk, head.
template <class U>
WAVETWIN_INDEX U part_row(Form form, uint32_t t, uint32_t chunk, U head) {
  return (t * form.chunks() + chunk) * form.dims().heads() + head;
}

// ---- the kernarg segment ----

// In the order of the published launch, then what that launch fixes when it is compiled.
struct Args {
  DevicePtr<const uint32_t> q;     // bf16 [tokens][heads][512]
  DevicePtr<const uint32_t> kt;    // key table [tokens][640]
  DevicePtr<const uint32_t> klen;  // keys of each token (0 .. 640), then as many top-k counts (not read here)
  uint64_t swa;                    // window cache: address,
  uint64_t swa_stride;             // bytes from page to page,
  uint32_t swa_block;              // slots of a page
  uint64_t comp;                   // compressed cache: address,
  uint64_t comp_stride;            // bytes from page to page,
  uint32_t comp_block;             // slots of a page
  uint64_t zrec;                   // kRecord zero bytes: the record of an absent key
  DevicePtr<const uint32_t> pos;   // i64 [tokens]
  DevicePtr<const float> sink;     // f32 [heads]
  uint32_t qk_scale;               // bits of the f32
  DevicePtr<const float> cos_sin;  // f32 [positions][64]
  DevicePtr<const uint8_t> woa;    // e4m3 [o_rows][4096]
  DevicePtr<const uint8_t> woa_s;  // E8M0 [o_rows / 32][128]
  DevicePtr<const uint8_t> wob;    // e4m3 [5120][o_rows]
  DevicePtr<const uint8_t> wob_s;  // E8M0 [160][o_rows / 32]
  DevicePtr<uint32_t> out;         // bf16 [tokens][out_stride]; of a push: pairs [tp][tokens][out_stride / 2]
  uint32_t out_stride;             // elements, even
  DevicePtr<uint32_t> scratch;
  DevicePtr<uint32_t> epoch;  // kEpochWords words
  uint64_t tl;                // clock [kBlocks][kTimelinePoints] of timeline builds, or 0
  uint32_t layer;             // < 64
  uint32_t tokens;            // 1 .. 48
  uint32_t ratio;             // 0: window keys only
  uint32_t scratch_start;     // bytes before the first region
};
static_assert(sizeof(Args) == 200 && alignof(Args) == 8);
static_assert(offsetof(Args, comp) == 48 && offsetof(Args, cos_sin) == 104 && offsetof(Args, layer) == 184);

// The forms with kernels: name, tensor parallel ranks, head groups. Symbols are
// attention_back_<stage>_<name>, stage one of split, combine, woa, wob, push, run. (The published kernel
// spells its compile-time parameters in its symbol; here the token count and the ratio are arguments.)
#define WAVETWIN_BACK_FORMS(X) \
  X(tp2_hg2, 2, 2)             \
  X(tp2_hg1, 2, 1)             \
  X(tp4, 4, 1)

// push is wo_b with every output pair sent to all ranks instead of stored; run is everything, with stores.
enum class Stage : uint32_t { split, combine, woa, wob, push, run };
inline constexpr uint32_t kStages = 6;
inline constexpr const char* kStageNames[kStages] = {"split", "combine", "woa", "wob", "push", "run"};

struct NamedForm {
  const char* name;
  Form form;
};
#define WAVETWIN_BACK_ROW(name, ...) {#name, {__VA_ARGS__}},
inline constexpr NamedForm kForms[] = {WAVETWIN_BACK_FORMS(WAVETWIN_BACK_ROW)};
#undef WAVETWIN_BACK_ROW

// Static LDS of a stage's kernel.
WAVETWIN_INDEX uint32_t stage_lds_bytes(Form form, Stage stage) {
  switch (stage) {
    case Stage::split:
      return split_lds(form).bytes;
    case Stage::combine:
      return 0;
    case Stage::woa:
    case Stage::wob:
    case Stage::push:
      return gemv_lds(form, kTokenTile).bytes;
    case Stage::run:
      return lds_bytes(form, kTokenTile);
  }
  return 0;
}

// Workgroups of a stage launched on its own.
WAVETWIN_INDEX uint32_t stage_tasks(Form form, uint32_t tokens, Stage stage) {
  const Plan p = plan(form, tokens);
  switch (stage) {
    case Stage::split:
      return p.splits;
    case Stage::combine:
      return p.combines;
    case Stage::woa:
      return form.dims().woa_tasks();
    case Stage::wob:
    case Stage::push:
    case Stage::run:
      return kBlocks;
  }
  return 0;
}

}  // namespace wavetwin::back
