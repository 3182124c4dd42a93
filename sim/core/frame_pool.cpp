// SPDX-License-Identifier: MIT
#include "sim/core/frame_pool.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "sim/core/error.h"

namespace wavetwin {

// Sits in the 64 bytes in front of every frame.
struct FramePool::Header {
  FramePool* pool;
  size_t bytes;  // of the frame with its header, rounded up to kGranule
};

namespace {

uint8_t* aligned_block(size_t bytes) {
  void* data = std::aligned_alloc(FramePool::kAlignment, bytes);
  if (data == nullptr) throw std::bad_alloc();
  return static_cast<uint8_t*>(data);
}

thread_local FramePool* current_pool = nullptr;

}  // namespace

FramePool& FramePool::current() {
  if (current_pool == nullptr) throw Error("a simulated kernel was called outside a launch");
  return *current_pool;
}
FramePool::Use::Use(FramePool& pool) : before_(current_pool) { current_pool = &pool; }
FramePool::Use::~Use() { current_pool = before_; }

FramePool::~FramePool() {
  for (const Block& block : blocks_) std::free(block.data);
}

void* FramePool::allocate(size_t bytes) {
  static_assert(sizeof(Header) <= kAlignment);
  const size_t total = (bytes + kAlignment + kGranule - 1) / kGranule * kGranule;
  std::vector<void*>& free = free_[std::min(total / kGranule, kClasses)];
  uint8_t* start = nullptr;
  for (size_t i = free.size(); i-- > 0 && start == nullptr;) {
    if (static_cast<Header*>(free[i])->bytes < total) continue;  // only large frames differ within a list
    start = static_cast<uint8_t*>(free[i]);
    free.erase(free.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (start == nullptr) {
    start = carve(total);
    new (start) Header{this, total};
  }
  in_use_ += static_cast<Header*>(static_cast<void*>(start))->bytes;
  peak_ = std::max(peak_, in_use_);
  return start + kAlignment;
}

void FramePool::release(void* frame) {
  void* start = static_cast<uint8_t*>(frame) - kAlignment;
  Header* header = static_cast<Header*>(start);
  FramePool& pool = *header->pool;
  pool.in_use_ -= header->bytes;
  pool.free_[std::min(header->bytes / kGranule, kClasses)].push_back(start);
}

void FramePool::reset() {
  for (std::vector<void*>& list : free_) list.clear();
  block_ = 0;
  offset_ = 0;
  in_use_ = 0;
}

uint8_t* FramePool::carve(size_t bytes) {
  while (block_ < blocks_.size() && blocks_[block_].bytes - offset_ < bytes) {
    ++block_;
    offset_ = 0;
  }
  if (block_ == blocks_.size()) {
    const size_t block_bytes = std::max(bytes, kBlockBytes);
    blocks_.push_back({aligned_block(block_bytes), block_bytes});
  }
  uint8_t* start = blocks_[block_].data + offset_;
  offset_ += bytes;
  return start;
}

}  // namespace wavetwin
