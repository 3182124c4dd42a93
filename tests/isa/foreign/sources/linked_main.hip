// SPDX-License-Identifier: MIT
// One of two parts of an object: what the other part, the linker and the loader have to provide.
#define GLOBAL extern "C" __attribute__((global))
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))
#define NOINLINE __attribute__((noinline))
typedef unsigned u32;

extern DEVICE u32 far_table[8];
extern DEVICE u32 far_function(u32 x);
typedef u32 (*Function)(u32);
extern DEVICE Function far_functions[2];
DEVICE __attribute__((weak)) u32 weak_here(u32 x) { return x + 1000; }       // the other part has a strong one
DEVICE __attribute__((weak)) u32 weak_alone = 17;
DEVICE u32* moved_pointer = far_table + 3;                                   // needs a relocation
DEVICE u32* const moved_pointers[3] = {far_table, far_table + 1, &weak_alone};

struct Node {
  const Node* next;
  u32 value;
};
extern DEVICE const Node nodes[3];
DEVICE const Node nodes[3] = {{&nodes[2], 1}, {nullptr, 2}, {&nodes[1], 3}};

struct Shape {
  DEVICE virtual u32 area(u32 x) const { return x; }
};
struct Square : Shape {
  DEVICE u32 area(u32 x) const override { return x * x; }
};
struct Slab : Shape {
  DEVICE u32 area(u32 x) const override { return 3 * x + 1; }
};

extern SHARED u32 dynamic_lds[];
SHARED u32 static_lds[64];
DEVICE NOINLINE u32 read_lds(u32 i) { return static_lds[i] + dynamic_lds[i]; }

DEVICE NOINLINE u32 fibonacci(u32 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
DEVICE NOINLINE u32 of_any_size(u32 n) {
  volatile u32* list = static_cast<u32*>(__builtin_alloca(4 * (n + 1)));
  for (u32 i = 0; i <= n; ++i) list[i] = i * n;
  u32 sum = 0;
  for (u32 i = 0; i <= n; ++i) sum += list[i];
  return sum;
}

GLOBAL __attribute__((amdgpu_flat_work_group_size(64, 64))) void linked(u32* out) {
  const u32 i = __builtin_amdgcn_workitem_id_x();
  u32* words = out + 11 * i;
  words[0] = far_table[i % 8];
  words[1] = far_function(i);
  words[2] = far_functions[i % 2](i);
  words[3] = weak_here(i);
  words[4] = *moved_pointer;
  words[5] = *moved_pointers[i % 3];
  words[6] = 0;
  for (const Node* node = &nodes[i % 3]; node; node = node->next) words[6] = words[6] * 10 + node->value;
  const Square square;
  const Slab slab;
  const Shape* volatile shape = i % 2 ? static_cast<const Shape*>(&square) : &slab;
  words[7] = shape->area(i);
  static_lds[i] = i;
  dynamic_lds[i] = 7 * i;
  __builtin_amdgcn_s_barrier();
  words[8] = read_lds(63 - i);
  words[9] = fibonacci(i % 10);
  words[10] = of_any_size(i);
  __atomic_fetch_add(&weak_alone, 1, __ATOMIC_RELAXED);
}
GLOBAL void linked_after(u32* out) { out[0] = weak_alone; }
