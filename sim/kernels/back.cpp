// SPDX-License-Identifier: MIT
// The attention back as one persistent kernel, and its stages as kernels of their own; twin of
// hip/kernels/back.hip.
#include "sim/kernels/back_combine.h"
#include "sim/kernels/back_gemv.h"
#include "sim/kernels/back_kernel.h"
#include "sim/kernels/back_split.h"

namespace wavetwin::back {
namespace {

// Before a stamp that stands for loads that have arrived.
SubTask<> drain(Wave& wave, uint64_t tl) {
  if (tl == 0) co_return;
  co_await wave.wait_stores();
  co_await wave.barrier();
}

// All stages on this workgroup. wo_b's weights are loaded before wo_a only when no wo_a workgroup has
// attention work: loads complete in order, so they would hold up its activation rows.
template <Form kForm>
SubTask<> run_back(Wave& wave, Context c) {
  const Plan p = plan(kForm, c.args.tokens);
  const uint32_t bid = wave.workgroup_id();
  stamp<kTimelinePoints>(wave, c.args.tl, 0);
  for (uint32_t unit = first_task(bid, 0); unit < p.splits; unit += kBlocks) {
    co_await stage_split<kForm>(wave, c, unit);
  }
  stamp<kTimelinePoints>(wave, c.args.tl, 1);
  for (uint32_t unit = first_task(bid, p.combine0); unit < p.combines; unit += kBlocks) {
    co_await stage_combine<kForm>(wave, c, unit);
  }
  wave.stage("between attention and GEMVs");
  co_await wave.barrier();
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
  co_await drain(wave, c.args.tl);
  stamp<kTimelinePoints>(wave, c.args.tl, 8);
  if (woa_task <= last) co_await run_woa<kForm>(wave, c, woa_task, ops);
  stamp<kTimelinePoints>(wave, c.args.tl, 3);
  if (!p.early_wob) {
    ops1 = wob_loads<kForm>(wave, c.args, tasks.first);
    ops2 = wob_loads<kForm>(wave, c.args, tasks.second, tasks.has_second);
  }
  stamp<kTimelinePoints>(wave, c.args.tl, 11);
  co_await run_wob<kForm, StoreOut>(wave, c, tasks, ops1, ops2);
  stamp<kTimelinePoints>(wave, c.args.tl, 4);
}

// Every wave has read the epoch before the workgroup's mark allows it to move on.
template <Form kForm>
WaveTask run(Wave& wave, Args args) {
  wave.stage("epoch begin");
  const BufferView epoch = rsrc(args.epoch, kAllRecords);
  const uint32_t ep = epoch_now(wave, epoch);
  co_await wave.barrier();
  epoch_begin(wave, epoch, ep);
  co_await run_back<kForm>(wave, context<kForm>(args, ep));
  wave.stage("epoch end");
  co_await epoch_end(wave, epoch, ep);
}

template <Form kForm>
WaveTask split(Wave& wave, Args args) {
  const Context c = context<kForm>(args, epoch_now(wave, rsrc(args.epoch, kAllRecords)));
  co_await stage_split<kForm>(wave, c, wave.workgroup_id());
}

template <Form kForm>
WaveTask combine(Wave& wave, Args args) {
  const Context c = context<kForm>(args, epoch_now(wave, rsrc(args.epoch, kAllRecords)));
  co_await stage_combine<kForm>(wave, c, wave.workgroup_id());
}

template <Form kForm>
WaveTask woa(Wave& wave, Args args) {
  const Context c = context<kForm>(args, epoch_now(wave, rsrc(args.epoch, kAllRecords)));
  const WoaOperands<kForm> ops = woa_loads<kForm>(wave, c.args, wave.workgroup_id(), true);
  co_await run_woa<kForm>(wave, c, wave.workgroup_id(), ops);
}

template <Form kForm, class Out>
WaveTask wob_with(Wave& wave, Args args) {
  const Context c = context<kForm>(args, epoch_now(wave, rsrc(args.epoch, kAllRecords)));
  const WobTasks tasks = wob_tasks<kForm>(wave.workgroup_id());
  const WobOperands<kForm> ops1 = wob_loads<kForm>(wave, c.args, tasks.first);
  const WobOperands<kForm> ops2 = wob_loads<kForm>(wave, c.args, tasks.second, tasks.has_second);
  co_await run_wob<kForm, Out>(wave, c, tasks, ops1, ops2);
}

using Kernel = WaveTask (*)(Wave&, Args);
#define WAVETWIN_BACK_KERNELS(name, ...)  \
  {split<Form{__VA_ARGS__}>,              \
   combine<Form{__VA_ARGS__}>,            \
   woa<Form{__VA_ARGS__}>,                \
   wob_with<Form{__VA_ARGS__}, StoreOut>, \
   wob_with<Form{__VA_ARGS__}, PushOut>,  \
   run<Form{__VA_ARGS__}>},
constexpr Kernel kKernels[][kStages] = {WAVETWIN_BACK_FORMS(WAVETWIN_BACK_KERNELS)};
#undef WAVETWIN_BACK_KERNELS

}  // namespace

WaveTask kernel(uint32_t form, Stage stage, Wave& wave, Args args) {
  return kKernels[form][static_cast<uint32_t>(stage)](wave, args);
}

}  // namespace wavetwin::back
