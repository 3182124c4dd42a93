// SPDX-License-Identifier: MIT
// Coroutine types of simulated kernels: WaveTask is a kernel, SubTask<T> a device function that can wait.
//
//   SubTask<LaneU32> poll(Wave& wave, DevicePtr<uint32_t> flag, uint32_t wanted);   // a Wave& comes first
//   WaveTask kernel(Wave& wave, Args args) {                                        // (after `this` in a
//   member)
//     const LaneU32 v = co_await poll(wave, args.flag, args.tag);
//     ...
//   }
//   launch_kernel(memory, launch, kernel, args, options);                           // sim/core/dispatch.h
//
// Frames come from the workgroup's FramePool. A wave that never finishes is dropped with the pool, so all
// that lives in a kernel or device function must be trivially destructible. Control moves between frames
// through the wave's own loop (not by symmetric transfer), so the host stack does not grow in unoptimised
// builds. An exception leaves the whole wave at once: kernels do not catch.
#pragma once

#include <coroutine>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "sim/core/frame_pool.h"
#include "sim/core/wave.h"
#include "sim/core/wave_program.h"

namespace wavetwin {

namespace task_detail {

// The Wave among a coroutine's parameters: the first, or the one after a member function's object.
template <class... Rest>
Wave& wave_of(Wave& wave, Rest&&...) {
  return wave;
}
template <class Object, class... Rest>
requires(!std::is_same_v<std::remove_cvref_t<Object>, Wave>) Wave& wave_of(Object&&, Wave& wave, Rest&&...) {
  return wave;
}

struct PooledFrame {
  static void* operator new(size_t bytes) { return FramePool::current().allocate(bytes); }
  static void operator delete(void* frame, size_t) { FramePool::release(frame); }
};

}  // namespace task_detail

// A kernel. Suspended at once; the wave's driver (CoroutineWave) resumes it.
class [[nodiscard]] WaveTask {
 public:
  struct promise_type : task_detail::PooledFrame {
    WaveTask get_return_object() {
      return WaveTask(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { throw; }
  };

  std::coroutine_handle<> handle() const { return handle_; }

 private:
  explicit WaveTask(std::coroutine_handle<> handle) : handle_(handle) {}
  std::coroutine_handle<> handle_;
};

namespace task_detail {

template <class T>
struct SubPromiseBase : PooledFrame {
  T* result = nullptr;
  void return_value(const T& value) { *result = value; }
};
template <>
struct SubPromiseBase<void> : PooledFrame {
  void return_void() {}
};

template <class T>
struct SubValue {
  T value;
};
template <>
struct SubValue<void> {};

}  // namespace task_detail

// A device function that can wait: `co_await f(wave, ...)` runs it to its end. T is trivially copyable, or
// void.
template <class T = void>
class [[nodiscard]] SubTask {
  static_assert(std::is_void_v<T> || std::is_trivially_copyable_v<T>);

 public:
  struct promise_type : task_detail::SubPromiseBase<T> {
    Wave* wave;
    std::coroutine_handle<> caller;

    template <class... Args>
    explicit promise_type(Args&&... args) : wave(&task_detail::wave_of(args...)) {}
    SubTask get_return_object() { return SubTask(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Final {
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<promise_type> self) const noexcept {
        self.promise().wave->leaf_ = self.promise().caller;
      }
      void await_resume() const noexcept {}
    };
    Final final_suspend() noexcept { return {}; }
    void unhandled_exception() { throw; }
  };

  // The awaiter is the task itself: it lives in the caller's frame while the callee runs.
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> caller) noexcept {
    promise_type& promise = handle_.promise();
    promise.caller = caller;
    if constexpr (!std::is_void_v<T>) promise.result = &slot_.value;
    promise.wave->leaf_ = handle_;
  }
  T await_resume() noexcept {
    handle_.destroy();
    if constexpr (!std::is_void_v<T>) return slot_.value;
  }

 private:
  explicit SubTask(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  [[no_unique_address]] task_detail::SubValue<T> slot_;
  std::coroutine_handle<promise_type> handle_;
};

// A wave that runs a coroutine kernel.
class CoroutineWave final : public WaveProgram {
 public:
  CoroutineWave(Workgroup& workgroup, uint32_t wave) : wave_(workgroup, wave) {}
  Wave& wave() { return wave_; }
  void start(const WaveTask& task);

  WaitReason resume(Turn& turn) override;
  std::string where() const override;
  void describe(WaveStatus& status) const override;
  bool recurring() const override { return recurring_; }
  LdsRange lds_range() const override { return LdsRange::strict; }

 private:
  uint64_t awaited_hash() const;

  Wave wave_;
  std::coroutine_handle<> top_;
  uint64_t round_ = ~uint64_t{0};  // of the turn before
  uint64_t last_hash_ = 0;
  bool recurring_ = false;
};

// A coroutine kernel with its arguments, for dispatch().
template <class Args>
class CoroutineKernel final : public KernelProgram {
 public:
  static_assert(std::is_trivially_destructible_v<Args>, "kernel arguments live in the coroutine frame");
  using Function = WaveTask (*)(Wave&, Args);
  CoroutineKernel(Function function, const Args& args) : function_(function), args_(args) {}

  std::unique_ptr<WaveProgram> make_wave(Workgroup& workgroup, uint32_t wave) const override {
    auto program = std::make_unique<CoroutineWave>(workgroup, wave);
    program->start(function_(program->wave(), args_));
    return program;
  }

 private:
  Function function_;
  Args args_;
};

}  // namespace wavetwin
