// SPDX-License-Identifier: MIT
// The attention back as one persistent kernel, and its stages as kernels of their own; twin of
// sim/kernels/back.cpp.
#include "hip/device/back_combine.h"
#include "hip/device/back_gemv.h"
#include "hip/device/back_split.h"

namespace wavetwin::back {

// Before a stamp that stands for loads that have arrived.
WAVETWIN_INLINE void drain([[maybe_unused]] uint64_t tl) {
#ifdef WAVETWIN_TIMELINE
  if (tl == 0) return;
  wait_stores();
  barrier();
#endif
}

// All stages on this workgroup. wo_b's weights are loaded before wo_a only when no wo_a workgroup has
// attention work: loads complete in order, so they would hold up its activation rows.
template <Form kForm>
WAVETWIN_INLINE void run_back(const Wave& wave, const Context& c, LdsWords lds) {
  const Plan p = plan(kForm, c.args.tokens);
  const uint32_t bid = wave.workgroup_id();
  stamp<kTimelinePoints>(wave, c.args.tl, 0);
#pragma unroll 1
  for (uint32_t unit = first_task(bid, 0); unit < p.splits; unit += kBlocks) {
    stage_split<kForm>(wave, c, lds, unit);
  }
  stamp<kTimelinePoints>(wave, c.args.tl, 1);
#pragma unroll 1
  for (uint32_t unit = first_task(bid, p.combine0); unit < p.combines; unit += kBlocks) {
    stage_combine<kForm>(wave, c, unit);
  }
  barrier();
  stamp<kTimelinePoints>(wave, c.args.tl, 2);
  const uint32_t woa_task = first_task(bid, p.woa0), last = kForm.dims().woa_tasks() - 1;
  const WoaOperands<kForm> ops =
      woa_loads<kForm>(wave, c.args, woa_task < last ? woa_task : last, woa_task <= last);
  const WobTasks tasks = wob_tasks<kForm>(first_task(bid, p.wob0));
  WobOperands<kForm> ops1, ops2;
  if (p.early_wob) {
    ops1 = wob_loads<kForm>(wave, c.args, tasks.first);
    ops2 = wob_loads<kForm>(wave, c.args, tasks.second, tasks.has_second);
  }
  drain(c.args.tl);
  stamp<kTimelinePoints>(wave, c.args.tl, 8);
  if (woa_task <= last) run_woa<kForm>(wave, c, lds, woa_task, ops);
  stamp<kTimelinePoints>(wave, c.args.tl, 3);
  if (!p.early_wob) {
    ops1 = wob_loads<kForm>(wave, c.args, tasks.first);
    ops2 = wob_loads<kForm>(wave, c.args, tasks.second, tasks.has_second);
  }
  stamp<kTimelinePoints>(wave, c.args.tl, 11);
  run_wob<kForm, StoreOut>(wave, c, lds, tasks, ops1, ops2);
  stamp<kTimelinePoints>(wave, c.args.tl, 4);
}

// Every wave has read the epoch before the workgroup's mark allows it to move on.
template <Form kForm>
WAVETWIN_INLINE void run(const Wave& wave, const Args& args, LdsWords lds) {
  const Rsrc epoch = rsrc(pointer(args.epoch));
  const uint32_t ep = uniform(epoch_now(epoch));
  wait_stores();  // the load too
  barrier();
  epoch_begin(wave, epoch, ep);
  run_back<kForm>(wave, context<kForm>(args, ep), lds);
  epoch_end(wave, epoch, ep, [] {});
}

template <Form kForm>
WAVETWIN_INLINE Context stage_context(const Args& args) {
  return context<kForm>(args, uniform(epoch_now(rsrc(pointer(args.epoch)))));
}

template <Form kForm>
WAVETWIN_INLINE void split(const Wave& wave, const Args& args, LdsWords lds) {
  stage_split<kForm>(wave, stage_context<kForm>(args), lds, wave.workgroup_id());
}

template <Form kForm>
WAVETWIN_INLINE void combine(const Wave& wave, const Args& args) {
  stage_combine<kForm>(wave, stage_context<kForm>(args), wave.workgroup_id());
}

template <Form kForm>
WAVETWIN_INLINE void woa(const Wave& wave, const Args& args, LdsWords lds) {
  const WoaOperands<kForm> ops = woa_loads<kForm>(wave, args, wave.workgroup_id(), true);
  run_woa<kForm>(wave, stage_context<kForm>(args), lds, wave.workgroup_id(), ops);
}

template <Form kForm, class Out>
WAVETWIN_INLINE void wob_with(const Wave& wave, const Args& args, LdsWords lds) {
  const WobTasks tasks = wob_tasks<kForm>(wave.workgroup_id());
  const WobOperands<kForm> ops1 = wob_loads<kForm>(wave, args, tasks.first);
  const WobOperands<kForm> ops2 = wob_loads<kForm>(wave, args, tasks.second, tasks.has_second);
  run_wob<kForm, Out>(wave, stage_context<kForm>(args), lds, tasks, ops1, ops2);
}

template <Form kForm>
WAVETWIN_INLINE void wob(const Wave& wave, const Args& args, LdsWords lds) {
  wob_with<kForm, StoreOut>(wave, args, lds);
}
template <Form kForm>
WAVETWIN_INLINE void push(const Wave& wave, const Args& args, LdsWords lds) {
  wob_with<kForm, PushOut>(wave, args, lds);
}

#define WAVETWIN_BACK_KERNEL(stage, name, ...)                                                      \
  extern "C" WAVETWIN_KERNEL void attention_back_##stage##_##name(Args args) {                      \
    constexpr Form kForm{__VA_ARGS__};                                                              \
    static_assert(kForm.valid());                                                                   \
    __shared__ __attribute__((aligned(16))) uint32_t lds[stage_lds_bytes(kForm, Stage::stage) / 4]; \
    stage<kForm>(this_wave(), args, (LdsWords)lds);                                                 \
  }
// combine has no LDS.
#define WAVETWIN_BACK_KERNELS(name, ...)                                     \
  WAVETWIN_BACK_KERNEL(split, name, __VA_ARGS__)                             \
  WAVETWIN_BACK_KERNEL(woa, name, __VA_ARGS__)                               \
  WAVETWIN_BACK_KERNEL(wob, name, __VA_ARGS__)                               \
  WAVETWIN_BACK_KERNEL(push, name, __VA_ARGS__)                              \
  WAVETWIN_BACK_KERNEL(run, name, __VA_ARGS__)                               \
  extern "C" WAVETWIN_KERNEL void attention_back_combine_##name(Args args) { \
    combine<Form{__VA_ARGS__}>(this_wave(), args);                           \
  }
WAVETWIN_BACK_FORMS(WAVETWIN_BACK_KERNELS)

}  // namespace wavetwin::back
