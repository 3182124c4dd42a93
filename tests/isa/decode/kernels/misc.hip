// SPDX-License-Identifier: MIT
// Everything else compilers emit: f64, integers of all widths, dynamic indexing, structs, switches, calls,
// packed f32 / f16, bit operations, buffers, direct loads to LDS.
#include "tests/isa/decode/kernels/device.h"

namespace {

struct Record {
  uint8_t tag;
  uint16_t count;
  int32_t value;
  double weight;
};

__attribute__((device, noinline)) int64_t mixed_division(int64_t a, int64_t b) {
  return b == 0 ? a : a / b + a % b;
}

}  // namespace

extern "C" GLOBAL void transpose(const float* in, float* out, int width) {
  SHARED float tile[32][33];
  const int x = static_cast<int>(item() % 32), y = static_cast<int>(item() / 32);
  for (int i = 0; i < 32; i += 8) tile[y + i][x] = in[(y + i) * width + x];
  barrier();
  for (int i = 0; i < 32; i += 8) out[(y + i) * width + x] = tile[x][y + i];
}

extern "C" GLOBAL void reduce(const double* in, double* out, int n) {
  SHARED double partial[1024];
  double sum = 0;
  for (int i = static_cast<int>(item()); i < n; i += 1024) sum += __builtin_fma(in[i], in[i], -0.5);
  partial[item()] = sum;
  barrier();
  for (uint32_t step = 512; step > 0; step /= 2) {
    if (item() < step) partial[item()] += partial[item() + step];
    barrier();
  }
  if (item() == 0)
    out[group()] =
        __builtin_floor(partial[0]) / (1.0 + __builtin_sqrt(partial[1])) + __builtin_fmin(sum, 2.0);
}

extern "C" GLOBAL void records(Record* r, int64_t* out, int which, int count) {
  int64_t table[8];
  for (int i = 0; i < 8; ++i) table[i] = out[i] * (i + 1);
  Record& mine = r[item()];
  switch (mine.tag) {
    case 0:
      mine.value = -mine.value;
      break;
    case 1:
      mine.count = static_cast<uint16_t>(mine.count * 3 + 1);
      break;
    case 2:
      mine.weight *= static_cast<double>(mine.value);
      break;
    case 3:
      mine.value = __builtin_popcount(static_cast<uint32_t>(mine.value)) + __builtin_clz(mine.count | 1);
      break;
    case 4:
      mine.value = __builtin_ctz(static_cast<uint32_t>(mine.value) | 256);
      break;
    case 5:
      mine.value = static_cast<int32_t>(__builtin_bitreverse32(static_cast<uint32_t>(mine.value)));
      break;
    default:
      mine.weight = static_cast<double>(mine.count);
  }
  table[which & 7] += mine.value;
  for (int i = 0; i < count; ++i) table[(i + which) & 7] ^= table[i & 7] << (i & 63);
  out[item()] = mixed_division(table[which & 7], mine.value) + static_cast<int64_t>(mine.weight);
}

extern "C" GLOBAL void registers(F32x16* io, int index) {
  F32x16 v = io[lane()];
  v[index & 15] += 1.0f;
  float picked = 0;
  for (int i = 0; i < 4; ++i) picked += v[(index * 3 + i) & 15];
  v[0] = picked;
  io[lane()] = v;
}

extern "C" GLOBAL void top_k(const float* in, int* out, int n) {
  float best = -__builtin_inff();
  int at = -1;
  for (int i = static_cast<int>(lane()); i < n; i += 64) {
    if (in[i] > best) best = in[i], at = i;
  }
  for (uint32_t step = 1; step < 64; step *= 2) {
    const float other = shuffle(best, lane() ^ step);
    const int other_at = __builtin_amdgcn_ds_bpermute(static_cast<int>((lane() ^ step) * 4), at);
    if (other > best || (other == best && other_at < at)) best = other, at = other_at;
  }
  const uint64_t voters = __builtin_amdgcn_ballot_w64(at > 5);
  if (lane() == 0) out[group()] = at + __builtin_popcountll(voters);
  out[64 + lane()] = __builtin_amdgcn_ds_swizzle(at, 0x041f) + __builtin_amdgcn_readfirstlane(at);
}

extern "C" GLOBAL void gate(const F32x2* in, F32x2* out, const F16x2* half, F16x2* half_out) {
  const F32x2 x = in[item()], g = in[item() + 256];
  F32x2 y = x * g + x;
  y = __builtin_elementwise_fma(y, g, x);
  y[0] = y[0] / (1.0f + __builtin_amdgcn_exp2f(-y[0]));
  y[1] = __builtin_amdgcn_logf(__builtin_fabsf(y[1])) + __builtin_amdgcn_rcpf(y[0]) + __builtin_floorf(x[0]);
  out[item()] = y;
  F16x2 h = half[item()];
  h = h * h + h;
  h = __builtin_elementwise_max(h, half[item() + 1]);
  half_out[item()] = h;
  out[item() + 256][0] =
      static_cast<float>(static_cast<int>(x[0])) + static_cast<float>(static_cast<uint32_t>(g[0]));
  out[item() + 256][1] = static_cast<float>(static_cast<double>(x[1]) * 0.1) + static_cast<float>(h[0]);
}

extern "C" GLOBAL void buffers(void* memory, int bytes, float* out, uint32_t offset) {
  const __amdgpu_buffer_rsrc_t r = __builtin_amdgcn_make_buffer_rsrc(memory, 0, bytes, 0x00027000);
  const uint32_t at = item() * 16 + offset;
  const I32x4 wide = __builtin_amdgcn_raw_buffer_load_b128(r, static_cast<int>(at), 0, 0);
  const int word = __builtin_amdgcn_raw_buffer_load_b32(r, static_cast<int>(item() * 4), 64, 1);
  const uint8_t byte =
      static_cast<uint8_t>(__builtin_amdgcn_raw_buffer_load_b8(r, static_cast<int>(item()), 0, 0));
  const short half =
      static_cast<short>(__builtin_amdgcn_raw_buffer_load_b16(r, static_cast<int>(item() * 2), 0, 2));
  __builtin_amdgcn_raw_buffer_store_b32(word + byte + half, r, static_cast<int>(at), 0, 17);
  out[item()] = static_cast<float>(wide[0] + wide[3]);
}

extern "C" GLOBAL void straight_to_lds(const float* in, float* out) {
  SHARED float staged[1024];
  __builtin_amdgcn_global_load_lds((__attribute__((address_space(1))) void*)(in + item() * 4),
                                   (__attribute__((address_space(3))) void*)staged, 16, 0, 0);
  __builtin_amdgcn_s_waitcnt(0x0f70);
  barrier();
  out[item()] = staged[1023 - item()];
  const auto swapped = __builtin_amdgcn_permlane32_swap(bits(out[item()]), item(), false, false);
  const auto rows = __builtin_amdgcn_permlane16_swap(swapped[0], swapped[1], false, false);
  out[item() + 64] = real(rows[0] ^ rows[1]);
}

extern "C" GLOBAL void integers(const uint32_t* in, uint32_t* out, const uint64_t* wide_in,
                                uint64_t* wide_out) {
  const uint32_t a = in[item()], b = in[item() + 64], c = in[item() + 128];
  out[item()] = (a & b) | (~a & c);
  out[item() + 64] = (a << 3) + b;
  out[item() + 128] = __builtin_amdgcn_alignbit(a, b, 7) + __builtin_amdgcn_alignbyte(a, b, 1) +
                      __builtin_amdgcn_perm(a, b, c);
  out[item() + 192] = __builtin_amdgcn_ubfe(a, 5, 11) ^
                      static_cast<uint32_t>(__builtin_amdgcn_sbfe(static_cast<int>(b), 3, 9));
  out[item() + 256] = a / b + a % c + (a > b ? a : b) + (a ^ b ^ c);
  out[item() + 320] = static_cast<uint32_t>((static_cast<uint64_t>(a) * b) >> 32) + (a * b);
  const uint64_t x = wide_in[item()], y = wide_in[item() + 64];
  wide_out[item()] = x * y + (x << (y & 63)) - (y >> 5);
  wide_out[item() + 64] = x > y ? x / 7 : y ^ x;
  wide_out[item() + 128] =
      static_cast<uint64_t>(static_cast<int64_t>(x) >> (a & 63)) + __builtin_popcountll(y);
  out[item() + 384] = static_cast<uint16_t>(a) * static_cast<uint16_t>(b) + (static_cast<uint8_t>(c) << 4);
}
