// SPDX-License-Identifier: MIT
// Memory of the coroutine frames of one workgroup: size classes with free lists over big blocks.
//
// Frames are 64-byte aligned, since kernels keep Lane<T> in them. When a workgroup ends, reset() takes back
// every frame at once, also of waves that never finished: all that lives in a kernel is trivially
// destructible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace wavetwin {

class FramePool {
 public:
  static constexpr size_t kAlignment = 64;

  FramePool() = default;
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;
  ~FramePool();

  void* allocate(size_t bytes);
  static void release(void* frame);  // back to the pool it came from
  void reset();                      // every frame is gone; the blocks are kept

  // The pool of the workgroup that runs on this thread; frames of its coroutines come from there.
  static FramePool& current();
  // Makes a pool current for a while.
  class Use {
   public:
    explicit Use(FramePool& pool);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    FramePool* before_;
  };

  size_t bytes_in_use() const { return in_use_; }
  size_t peak_bytes() const { return peak_; }

 private:
  struct Header;
  struct Block {
    uint8_t* data;
    size_t bytes;
  };
  static constexpr size_t kGranule = 1024;  // frames are rounded up to this
  static constexpr size_t kClasses = 64;    // 1 KiB .. 64 KiB; larger frames get a block of their own size
  static constexpr size_t kBlockBytes = 128 * 1024;

  uint8_t* carve(size_t bytes);

  std::vector<Block> blocks_;
  size_t block_ = 0;   // block being carved
  size_t offset_ = 0;  // bytes of it already carved
  std::vector<void*> free_[kClasses + 1];
  size_t in_use_ = 0;
  size_t peak_ = 0;
};

}  // namespace wavetwin
