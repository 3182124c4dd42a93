; SPDX-License-Identifier: MIT
; LLVM IR as other front ends write it.
target triple = "amdgcn-amd-amdhsa"

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.set.inactive.i32(i32, i32)
declare i32 @llvm.amdgcn.strict.wwm.i32(i32)
declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32, i32, i32, i1)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.ssub.sat.i32(i32, i32)
declare i64 @llvm.usub.sat.i64(i64, i64)
declare i64 @llvm.bswap.i64(i64)

; A prefix sum over whole rows of 16 lanes, of which one in four is active: the others count as 1000.
define amdgpu_kernel void @whole_wave(ptr addrspace(1) %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %c = and i32 %t, 3
  %b = icmp eq i32 %c, 1
  br i1 %b, label %in, label %end
in:
  %s = call i32 @llvm.amdgcn.set.inactive.i32(i32 %t, i32 1000)
  %d1 = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %s, i32 273, i32 15, i32 15, i1 false)
  %a1 = add i32 %s, %d1
  %d2 = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %a1, i32 274, i32 15, i32 15, i1 false)
  %a2 = add i32 %a1, %d2
  %w = call i32 @llvm.amdgcn.strict.wwm.i32(i32 %a2)
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %w, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

define amdgpu_kernel void @integers(ptr addrspace(1) %out, double %x, i64 %q) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %td = sitofp i32 %t to double
  %m = fmul double %x, %td
  %i0 = call i32 @llvm.fptosi.sat.i32.f64(double %m)
  %br = call i32 @llvm.bitreverse.i32(i32 %t)
  %fs = call i32 @llvm.fshl.i32(i32 %i0, i32 %br, i32 %t)
  %ss = call i32 @llvm.ssub.sat.i32(i32 %br, i32 %fs)
  %tq = zext i32 %t to i64
  %us = call i64 @llvm.usub.sat.i64(i64 %q, i64 %tq)
  %bs = call i64 @llvm.bswap.i64(i64 %us)
  %sd = sdiv i64 %q, -37
  %ur = urem i64 %bs, 1000003
  %x1 = xor i64 %sd, %ur
  %x2 = trunc i64 %x1 to i32
  %base = mul i32 %t, 4
  %p0 = getelementptr i32, ptr addrspace(1) %out, i32 %base
  store i32 %i0, ptr addrspace(1) %p0
  %p1 = getelementptr i32, ptr addrspace(1) %p0, i32 1
  store i32 %fs, ptr addrspace(1) %p1
  %p2 = getelementptr i32, ptr addrspace(1) %p0, i32 2
  store i32 %ss, ptr addrspace(1) %p2
  %p3 = getelementptr i32, ptr addrspace(1) %p0, i32 3
  store i32 %x2, ptr addrspace(1) %p3
  ret void
}

; Atomics that the part has, and those that become loops; 64 lanes on one word each.
define amdgpu_kernel void @atomics(ptr addrspace(1) %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %flat = addrspacecast ptr addrspace(1) %out to ptr
  %o0 = atomicrmw fadd ptr addrspace(1) %out, float 1.0 syncscope("agent") monotonic
  %p1 = getelementptr i32, ptr addrspace(1) %out, i32 1
  %o1 = atomicrmw umax ptr addrspace(1) %p1, i32 %t seq_cst
  %p2 = getelementptr i32, ptr addrspace(1) %out, i32 2
  %o2 = atomicrmw fmax ptr addrspace(1) %p2, double 2.5 seq_cst
  %p4 = getelementptr i32, ptr addrspace(1) %out, i32 4
  %td = sitofp i32 %t to double
  %o4 = atomicrmw fsub ptr addrspace(1) %p4, double %td seq_cst
  %p6 = getelementptr i32, ptr addrspace(1) %out, i32 6
  %o6 = atomicrmw uinc_wrap ptr addrspace(1) %p6, i32 20 seq_cst
  %p7 = getelementptr i32, ptr addrspace(1) %out, i32 7
  %tt = trunc i32 %t to i16
  %o7 = atomicrmw add ptr addrspace(1) %p7, i16 %tt seq_cst
  %p8 = getelementptr i32, ptr addrspace(1) %out, i32 8
  %o8 = atomicrmw fadd ptr addrspace(1) %p8, <2 x bfloat> <bfloat 1.0, bfloat 2.0> seq_cst
  %p9 = getelementptr i32, ptr addrspace(1) %out, i32 9
  %o9 = atomicrmw fmin ptr addrspace(1) %p9, half 0xHC000 seq_cst
  %f10 = getelementptr i32, ptr %flat, i32 10
  %o10 = atomicrmw fadd ptr %f10, double 0.5 seq_cst
  %f12 = getelementptr i32, ptr %flat, i32 12
  %o12 = atomicrmw add ptr %f12, i64 5 seq_cst
  ret void
}
