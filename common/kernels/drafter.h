// SPDX-License-Identifier: MIT
// Attention of the MiniMax-M3 DSpark drafter, one rank: 16 query heads on one KV head of 128 dims, R requests
// of seven query rows each, a sliding window of 4096 keys, an FP8 cache. One persistent launch: partitions of
// a request's key blocks with head norm and RoPE fused in, then merge tasks that quantise to MXFP8.
// drafter.md beside this names the published functions and counts the tiles' LDS bank conflicts.
//
// The published kernel's page fixes the tiles, the block math, the loads and the window; what it leaves open
// is decided here and binds both twins: MAXB, the order of qkv_rows' slots, the head norm's order and
// roundings, the plan of partitions, the partial's o in f32, the merge formula and the kernarg segment.
#pragma once

#include <cstdint>

#include "common/device_ptr.h"
#include "common/kernels/device.h"

namespace wavetwin::drafter {

inline constexpr uint32_t kRows = 7;        // query rows of a request
inline constexpr uint32_t kHeads = 16;      // query heads of the rank
inline constexpr uint32_t kDim = 128;       // dims of a head
inline constexpr uint32_t kRot = 64;        // rotated dims, pairs (d, d + 32)
inline constexpr int32_t kWindow = 4096;    // keys a row sees, its own position included
inline constexpr uint32_t kBlock = 128;     // keys of a cache block
inline constexpr uint32_t kMaxBlocks = 34;  // 4102 keys lie in at most this many blocks
inline constexpr uint32_t kMaxRequests = 16;
inline constexpr uint32_t kQueries = kRows * kHeads;           // rows of TQ in use
inline constexpr uint32_t kQkvRow = kHeads * kDim + 2 * kDim;  // bf16 of a qkv row: q, k, v
inline constexpr uint32_t kKeyBytes = 256;                     // cache: 128 e4m3 of K, then 128 of V
inline constexpr uint32_t kBlockBytes = kBlock * kKeyBytes;

inline constexpr uint32_t kSmScaleBits = 0x3DB504F3u;  // 128^-0.5
inline constexpr uint32_t kQkCBits = 0x3E0293EEu;      // log2(e) 128^-0.5
inline constexpr uint32_t kLog2EBits = 0x3FB8AA3Bu;    // log2(e)
inline constexpr uint32_t kNegInfBits = 0xFF800000u;
inline constexpr uint32_t kEpsBits = 0x358637BDu;  // 1e-6 of the head norm

// ---- LDS: tiles of 128 rows of 32 words; a row's 16-byte chunks are XOR-swizzled by row % 8 ----

inline constexpr uint32_t kTileWords = 4096;
inline constexpr uint32_t kTileRow = 32;
// Row m = 16 j + head of TQ is that query; row `key` of TK a key; row d of TV dim d of the 128 keys, in
// the order of the PV operand.
inline constexpr uint32_t kTq = 0, kTk0 = 1, kTk1 = 2, kTv0 = 3, kTv1 = 4, kTiles = 5;
inline constexpr uint32_t kLdsWords = kTiles * kTileWords;

// Word index of word w of row r of tile t.
template <class T, class R, class W>
WAVETWIN_INDEX auto tw(T t, R r, W w) {
  return t * kTileWords         // the tile
         + r * kTileRow         // the row
         + (w / 4 ^ r % 8) * 4  // the chunk, swizzled
         + w % 4;
}
// Word of a TV row that holds key `key` of the block (its byte is key % 4): byte 32 g + 4 i + e holds key
// 16 i + 4 g + e.
template <class U>
WAVETWIN_INDEX U tv_word(U key) {
  return 8 * (key % 16 / 4) + key / 16;
}

// ---- what a thread of qkv_rows works on ----

// Thread tid owns dims a .. a + 3 and b .. b + 3; in rotated lanes these are each other's partners.
template <class U>
WAVETWIN_INDEX U dims_a(U tid) {
  return 64 * (tid % 16 / 8) + 4 * (tid % 8);
}
inline constexpr uint32_t kDimsB = 32;  // b - a

inline constexpr uint32_t kSlotRounds = 4;  // 16 threads a head row; 128 slots
inline constexpr uint32_t kFirstK = kQueries, kFirstV = kFirstK + kRows, kSlots = kFirstV + kRows;
// Query row of slot t, and first element of its 128 in a qkv row.
WAVETWIN_INDEX uint32_t slot_row(uint32_t t) {
  return t < kFirstK ? t / kHeads : t < kFirstV ? t - kFirstK : t < kSlots ? t - kFirstV : kRows - 1;
}
WAVETWIN_INDEX uint32_t slot_column(uint32_t t) {
  return t < kFirstK ? t % kHeads * kDim : t < kFirstV ? kHeads * kDim : kHeads * kDim + kDim;
}

// ---- which keys ----

struct Window {
  int32_t p0, p6;       // positions of the first and last query row
  int32_t lo, hi;       // first and last key of the rows' windows; hi < lo: none
  int32_t first, last;  // their blocks
};
// Stale metadata gives a window, too: nothing leaves 32 bits whatever p0 is, for seq > -2^31.
WAVETWIN_INDEX Window window_of(int32_t p0, int32_t p6, int32_t seq) {
  const int32_t lo = p0 > kWindow - 1 ? p0 - (kWindow - 1) : 0;
  const int32_t limit = (lo >> 7) + static_cast<int32_t>(kMaxBlocks);  // first block that is never looked at
  const int32_t hi = ((seq - 1) >> 7) < limit ? seq - 1 : limit * static_cast<int32_t>(kBlock) - 1;
  return {p0, p6, lo, hi, lo >> 7, hi >> 7};
}
// The block needs masks: some row does not see some key of it.
WAVETWIN_INDEX bool is_edge(Window w, int32_t block) {
  const int32_t start = block * static_cast<int32_t>(kBlock);
  const int32_t low = w.lo > w.p6 - (kWindow - 1) ? w.lo : w.p6 - (kWindow - 1);
  return start < low || start + static_cast<int32_t>(kBlock) - 1 > w.hi;
}
// First key of a block; wraps for blocks that a stale window names, and then no key of it is visible.
WAVETWIN_INDEX uint32_t block_start(int32_t block) { return static_cast<uint32_t>(block) * kBlock; }
// Column of the block table row that block is looked up in: inside the row whatever the metadata says.
WAVETWIN_INDEX int32_t table_column(int32_t block, int32_t hi, int32_t width) {
  const int32_t last = hi >> 7;
  const int32_t low = block < last ? block : last;
  const int32_t column = low > 0 ? low : 0;
  return column < width - 1 ? column : width - 1;
}
WAVETWIN_INDEX int32_t physical_block(int32_t entry, int32_t blocks) {
  const int32_t low = entry > 0 ? entry : 0;
  return low < blocks - 1 ? low : blocks - 1;
}

// Partitions of a request.
WAVETWIN_INDEX uint32_t partitions(uint32_t requests) {
  const uint32_t share = kBlocks / requests;
  return share < kMaxBlocks ? share : kMaxBlocks;
}
WAVETWIN_INDEX uint32_t block_count(Window w) {
  return w.last < w.first ? 0 : static_cast<uint32_t>(w.last - w.first + 1);
}
// Partitions with blocks: the first ones.
WAVETWIN_INDEX uint32_t live_partitions(Window w, uint32_t requests) {
  const uint32_t blocks = block_count(w), parts = partitions(requests);
  return blocks < parts ? blocks : parts;
}
// Blocks top, top - step, ... of one partition, from the newest: new rows lie in the top two blocks, so they
// are in the first block of their owner.
struct Partition {
  int32_t top, step;
  uint32_t count;

  WAVETWIN_INDEX int32_t block(uint32_t i) const { return top - step * static_cast<int32_t>(i); }
};
WAVETWIN_INDEX Partition partition(Window w, uint32_t requests, uint32_t p) {
  const uint32_t blocks = block_count(w), parts = partitions(requests);
  return {w.last - static_cast<int32_t>(p), static_cast<int32_t>(parts),
          p < blocks ? (blocks - 1 - p) / parts + 1 : 0};
}

// ---- partials: m f32 [128], l f32 [128], o f32 [112][128]; rows 112 .. 127 of m and l are never written
// ----

inline constexpr uint32_t kPartL = 512, kPartO = 1024;
inline constexpr uint32_t kPartBytes = kPartO + kQueries * kDim * 4;
// Of partition p of request r, from the partials' base.
template <class U>
WAVETWIN_INDEX U part_at(uint32_t r, U p) {
  return (r * kMaxBlocks + p) * kPartBytes;
}

// ---- flags, as pairs ----

inline constexpr uint32_t kMergeFlags = kMaxRequests * kMaxBlocks;
inline constexpr uint32_t kMergeHeads = 4;  // heads of a merge task, 128 threads each
inline constexpr uint32_t kHeadQuads = kHeads / kMergeHeads;
inline constexpr uint32_t kFlagPairs = kMergeFlags + kMaxRequests * kRows * kHeadQuads;
inline constexpr uint32_t kMlWords = kMaxBlocks * 2 * kMergeHeads;  // (m, l) of a merge task, in LDS

// ---- kernarg segments ----

struct Args {
  DevicePtr<const uint32_t> qkv;        // bf16 [7R][2304]
  DevicePtr<const uint32_t> qn, kn;     // bf16 [128]: weights of the head norms, less 1
  DevicePtr<const uint32_t> cos_sin;    // bf16 [positions][64]: 32 cosines, 32 sines
  DevicePtr<const uint32_t> positions;  // i64 [7R]
  DevicePtr<const uint32_t> slots;      // i64 [7R], -1: the row is not written to the cache
  uint64_t cache;                       // u8 [nblk][128][256]
  int32_t nblk;
  int32_t bt_width;
  DevicePtr<const int32_t> block_table;  // i32 [R][bt_width]
  DevicePtr<const int32_t> seq_lens;     // i32 [R]: keys of a request, 0 for a padded one
  DevicePtr<uint32_t> a8;                // e4m3 [7R][2048]
  DevicePtr<uint32_t> as8;               // i32 E8M0 [7R][64]
  DevicePtr<uint32_t> partials;          // [R][34] of kPartBytes
  DevicePtr<uint32_t> flags;             // kFlagPairs pairs
  uint64_t dump;                         // the tiles of each workgroup [workgroup][5][4096 words], or 0
  uint32_t tag;
  uint32_t requests;  // 1 .. 16
};
static_assert(sizeof(Args) == 128);

// The block math by itself, on tiles from memory: block i is top - i.
struct BlockArgs {
  DevicePtr<const uint32_t> tiles;  // [workgroup] of TQ, then K, V of each block
  DevicePtr<uint32_t> partials;     // [workgroup] of kPartBytes
  int32_t p0, lo, hi, top;
  uint32_t blocks;
  uint32_t padding;
};
static_assert(sizeof(BlockArgs) == 40);

// Kernels drafter_<stage>. kv: workgroup r * 34 + i loads block first + i of request r into K0 / V0.
// rows: workgroup r takes the two newest blocks of request r. Both dump their tiles. merge: one workgroup a
// task. The others are the block math with or without masks, of one block or of a chain.
enum class Stage : uint32_t { kv, rows, merge, run };
inline constexpr const char* kStages[] = {"kv", "rows", "merge", "run"};
#define WAVETWIN_DRAFTER_BLOCK_KERNELS(X) \
  X(math_masked, false, true)             \
  X(math_plain, false, false)             \
  X(acc_masked, true, true)               \
  X(acc_plain, true, false)
inline constexpr const char* kBlockKernels[] = {"math_masked", "math_plain", "acc_masked", "acc_plain"};

WAVETWIN_INDEX uint32_t stage_lds_bytes(Stage stage) {
  return 4 * (stage == Stage::merge ? kMlWords : kLdsWords);
}

}  // namespace wavetwin::drafter
