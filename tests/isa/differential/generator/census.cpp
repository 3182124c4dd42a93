// SPDX-License-Identifier: MIT
#include "tests/isa/differential/generator/census.h"

namespace wavetwin::differential {
namespace {

Statement threads(std::vector<std::string> lines) {
  return {Statement::Kind::threads, std::move(lines), {}, {}};
}
Statement uniform(std::string line) { return {Statement::Kind::uniform, {std::move(line)}, {}, {}}; }
Statement barrier() { return {Statement::Kind::barrier, {}, {}, {}}; }
Statement cross(std::vector<std::string> text) { return {Statement::Kind::cross, std::move(text), {}, {}}; }

// Variables of every census kernel: $0 to $3 u32, $4 and $5 u64, $6 to $8 f32; all but $8 start as operands.
Kernel start(std::vector<Statement> body, std::vector<SharedArray> shared = {}) {
  Kernel k;
  k.threads = 128;
  k.n0 = 0x12345678;
  k.n1 = 0x9abcdef1;
  k.variables = {Type::u32, Type::u32, Type::u32, Type::u32, Type::u64,
                 Type::u64, Type::f32, Type::f32, Type::f32};
  k.shared = std::move(shared);
  k.uniforms = {"u32 s0 = a.n0 + group;"};
  k.body = {
      threads({"$0 = load<u32>(a.in, $id);", "$1 = load<u32>(a.in, $id * 3 + 7);", "$2 = $0 * 0x9e3779b9u;",
               "$3 = $1 * 0x85ebca6bu + $id;", "$4 = load<u64>(a.in, $id + 100);",
               "$5 = $4 * 0x9e3779b97f4a7c15u;", "$6 = small_real($2 >> 8);", "$7 = small_real($3 >> 8);"})};
  k.body.insert(k.body.end(), body.begin(), body.end());
  return k;
}

const char* const kOwn = "a.own + $id * kOwnBytes";

void memory(std::vector<Kernel>& list) {
  list.push_back(start({threads(
      {"$0 = settled($0) + 1;", "a.cells->own[$id] = $0;", "$1 = settled($1) + a.cells->own[$id];"})}));
  list.push_back(start({threads({"$0 = clocks_advance();"})}));
  list.push_back(start({uniform("s0 = mode_after<2>() * 16 + mode_after(s0) * 4;"),
                        uniform("s0 += mode_after<1>();"), threads({"$0 = s0;"})}));
  // Offsets up to 1.5 times the buffer: a third of the loads lies behind it.
  list.push_back(start({threads(
      {"$0 = buffer_word(a.in, 4096, $2 % 1536 * 4);", "$1 = buffer_half(a.in, 4096, $2 % 3072 * 2);",
       "$2 = buffer_byte(a.in, 4096, $3 % 6144);", "$3 = buffer_four(a.in, 4096, $3 % 384 * 16);"})}));
  list.push_back(
      start({threads({"buffer_put(a.own, kOwnBytes * 200, $id * kOwnBytes + $2 % 32 * 4, $0);",
                      "buffer_put(a.own, kOwnBytes * 200, $id * kOwnBytes + $3 % 32 * 4, $1);"})}));
  list.push_back(start({threads({std::string("put_three(") + kOwn + " + $2 % 4 * 16, $0, $1, $2);",
                                 std::string("put_four(") + kOwn + " + 64 + $3 % 4 * 16, $3, $0, $1, $2);",
                                 std::string("$0 = get_four(") + kOwn + " + 64 + $3 % 4 * 16);"})}));
  list.push_back(start({threads(
      {"$4 = atomic_compare_exchange(&a.cells->wide_own[$id], $id % 3 ? a.cells->wide_own[$id] : u64(7), "
       "$4);",
       "$5 = atomic_compare_exchange(&a.cells->wide_own[$id], $5, u64(1));",
       "$0 = atomic_compare_exchange(&a.cells->own[$id], $id % 3 ? a.cells->own[$id] : u32(7), $1);"})}));
}

void lds(std::vector<Kernel>& list) {
  list.push_back(start({threads({"lds0[t] = $4;", "lds1[t] = $0;"}), barrier(),
                        threads({"$5 = atomic_add(&lds0[t], $5);", "$1 = atomic_xor(&lds1[t], $1);",
                                 "atomic_add(&lds1[t], $3);", "atomic_min(&lds0[t], $4);"}),
                        barrier(), threads({"$4 = lds0[(t + 1) % 128];", "$0 = lds1[(t + 77) % 128];"})},
                       {{Type::u64, "lds0", 128}, {Type::u32, "lds1", 128}}));
  // Places 64 words apart: one instruction for two.
  list.push_back(
      start({threads({"lds0[t] = $0;", "lds0[t + 128] = $1;", "lds0[t + 256] = $2;", "lds0[t + 384] = $3;"}),
             barrier(),
             threads({"$0 = lds0[t ^ 1] * 3 + lds0[(t ^ 1) + 128];",
                      "$1 = lds0[(t ^ 3) + 256] * 5 + lds0[(t ^ 3) + 384];"})},
            {{Type::u32, "lds0", 512}}));
  list.push_back(start({threads({"lds0[t] = $4;"}), barrier(), cross({"$5", "read_transposed", "&lds0[t]"})},
                       {{Type::u64, "lds0", 128}}));
  list.push_back(start({threads({"copy_to_lds(&lds0[t / 64 * 256], a.in + $2 % 512 * 16, t % 64);"}),
                        barrier(), threads({"$0 = lds0[($3 ^ t) % 512];"})},
                       {{Type::u32, "lds0", 512}}));
}

void arithmetic(std::vector<Kernel>& list) {
  list.push_back(start({cross({"$6", "add_dpp<0x111>", "$6"}), cross({"$6", "add_dpp<0x112>", "$6"}),
                        cross({"$7", "add_dpp<0x1b>", "$7"}), cross({"$7", "add_dpp<0x142>", "$7"})}));
  list.push_back(start({threads(
      {"$6 = from_e4m3<1>($2) + from_e4m3<3>($3);", "$7 = from_e5m2<2>($3);", "$8 = sum_e4m3($2 ^ $3);"})}));
  list.push_back(
      start({threads({"$0 = to_e4m3($6 * 0.3f, $7 * 7, $0);", "$1 = to_e5m2($6 * 0.3f, $7 * 100, $1);",
                      "$2 = exact_to_e4m3(f32(small_integer($2, 1)), $3, $2);"})}));
  list.push_back(start({threads(
      {"$6 = scaled_from_e4m3($2, small_power($3));", "$0 = scaled_bf16_from_e4m3($2, small_power($3));",
       "$1 = scaled_to_e4m3($6 != $6 ? 1.0f : small_real($2 >> 3) * 0.3f, $7, 4.0f);"})}));
  list.push_back(
      start({threads({"$8 = dot2_bf16(u32(code_of(bf16($6))) << 16 | code_of(bf16($7)), "
                      "u32(code_of(bf16(small_real($0)))) << 16 | code_of(bf16(small_real($1))), $7);"})}));
  list.push_back(
      start({threads({"$6 = power_of_two(f32(i32($2 % 200) - 100));", "$7 = logarithm(small_power($2));",
                      "$8 = reciprocal_root(small_power($3));"})}));
  list.push_back(
      start({threads({"$8 = largest($6, $7, small_real($0)) + median_of($6, $7, small_real($1)) * 1024;",
                      "$6 = fraction_of(absolute($6) * 0.3f);", "$7 = fraction_of(small_real($1));"})}));
  list.push_back(start(
      {cross({"$6", "mfma_16x16x32_bf16", "$2", "$3"}), cross({"$7", "mfma_32x32x16_bf16", "$3", "$2"})}));
  list.push_back(start(
      {cross({"$6", "mfma_scale_16x16x128", "$2", "$3"}), cross({"$7", "mfma_scale_32x32x64", "$3", "$2"})}));
}

// What clang emits so seldom that the random kernels have one or two of each, with results that are lost
// again.
void rare(std::vector<Kernel>& list) {
  // On shared values; s_bfe_i64, s_cmpk_eq_i32, s_lshl4_add_u32, s_cmp_ge_i32.
  list.push_back(start({uniform("const u64 s1 = u64(i64(u64{s0} * a.n1 << 56) >> 56);"),
                        uniform("const u32 s2 = choose(s0 == 0x5678u, a.n1, a.n0 * 3);"),
                        uniform("const u32 s3 = (s0 << 4) + a.n1;"),
                        threads({"$4 = add($4, s1);", "$0 = s2;", "$1 = s3;",
                                 "if (i32(s0) < i32(a.n1)) atomic_add(&a.cells->sum[0], s0); else "
                                 "atomic_add(&a.cells->sum[1], $2);"})}));
  // Comparisons and extremes of halves, a number from a byte.
  list.push_back(start({threads(
      {"if (load<u16>(a.in, $id * 5) >= load<u16>(a.in, $id + 9)) $0 = $2 + load<u32>(a.in, $3);",
       "if (load<u16>(a.in, $2) >= bit_reverse(load<u16>(a.in, $3))) $1 += load<u32>(a.in, $0);",
       "if (!(f16(0.5f) < bits_as<f16>(u16($3)))) $3 += $1;",
       "$2 = u32(larger(i32($2) >> 16, i32(i16($3)))) * 5 + u32(smaller(i32($3) >> 16, i32(i16($2))));",
       "$6 = f32($0 >> 16 & 255);"})}));
  // Twelve bytes at once, bytes of scratch memory, a high half and an atomic without a result in LDS.
  list.push_back(start({threads({"lds0[t] = $0;", "lds1[t + 128] = u16($2 >> 16);"}), barrier(),
                        threads({"atomic_or(&lds0[t], $1);"}), barrier(),
                        threads({"$0 = lds0[(t + 5) % 128] + lds1[(t + 1) % 128 + 128];",
                                 "$1 = get_three(a.in + $3 % 512 * 4);", "$2 = by_scratch_bytes($2, $3);"})},
                       {{Type::u32, "lds0", 128}, {Type::u16, "lds1", 256}}));
}

}  // namespace

std::vector<Kernel> census_kernels(size_t group) {
  std::vector<Kernel> list;
  memory(list);
  lds(list);
  arithmetic(list);
  rare(list);
  for (size_t i = 0; i < list.size(); ++i) {
    list[i].name = std::string(i < 10 ? "c000" : "c00") + std::to_string(i);
    list[i].group = group;
  }
  return list;
}

}  // namespace wavetwin::differential
