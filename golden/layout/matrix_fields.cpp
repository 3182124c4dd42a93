// SPDX-License-Identifier: MIT
#include "golden/layout/matrix_fields.h"

#include <fmt/format.h>

#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

using mfma::Format;
using mfma::InputClass;

[[noreturn]] void refuse(const char* instruction, const std::string& why) {
  throw Error(fmt::format("{}: {}", instruction, why));
}

void check_range(const char* instruction, const char* option, unsigned value, unsigned last) {
  if (value > last) refuse(instruction, fmt::format("{} {} is not one of 0..{}", option, value, last));
}

// The format of A (or B) of an f8f6f4 instruction: by name, by code, or both alike.
Format f8f6f4_format(const mfma::Shape& shape, const std::optional<Format>& name,
                     const std::optional<unsigned>& code, const char* name_option, const char* code_option) {
  if (code && *code >= mfma::kF8F6F4Formats) {
    refuse(shape.name, fmt::format("{} {} is not one of the format codes 0..4 (e4m3, e5m2, e2m3, e3m2, e2m1)",
                                   code_option, *code));
  }
  if (name && static_cast<unsigned>(*name) >= mfma::kF8F6F4Formats) {
    refuse(shape.name, fmt::format("{} {} is not one of e4m3, e5m2, e2m3, e3m2, e2m1", name_option,
                                   wavetwin::to_string(*name)));
  }
  if (name && code && static_cast<unsigned>(*name) != *code) {
    refuse(shape.name,
           fmt::format("{} {} and {} {} ({}) contradict each other", name_option, wavetwin::to_string(*name),
                       code_option, *code, wavetwin::to_string(static_cast<Format>(*code))));
  }
  return name ? *name : static_cast<Format>(code.value_or(0));
}

void check_own_format(const char* instruction, const std::optional<Format>& name, Format own,
                      const char* option) {
  if (name && *name != own) {
    refuse(instruction, fmt::format("{} {}: it takes {} elements only", option, wavetwin::to_string(*name),
                                    wavetwin::to_string(own)));
  }
}

void take_f8f6f4(const mfma::Shape& shape, const MatrixFields& fields, DenseFields& f) {
  f.a_format = f8f6f4_format(shape, fields.a_format, fields.cbsz, "--a-format", "--cbsz");
  f.b_format = f8f6f4_format(shape, fields.b_format, fields.blgp, "--b-format", "--blgp");
  if (fields.abid.value_or(0) != 0)
    refuse(shape.name, "--abid: nothing is broadcast; the field tells scaled from unscaled");
}

// CBSZ and ABID.
void take_broadcast(const mfma::Shape& shape, const MatrixFields& fields, DenseFields& f) {
  const unsigned cbsz = fields.cbsz.value_or(0), abid = fields.abid.value_or(0);
  if (cbsz == 0 && abid == 0) return;
  if (shape.blocks == 1) refuse(shape.name, "--cbsz and --abid: one block, nothing to broadcast A to");
  if (shape.input == InputClass::f64) refuse(shape.name, "--cbsz and --abid: f64 does not broadcast");
  unsigned last = 0;
  while (2u << last <= shape.blocks) ++last;
  check_range(shape.name, "--cbsz", cbsz, last);
  if (abid >= 1u << cbsz)
    refuse(shape.name, fmt::format("--abid {} is not one of the {} blocks that --cbsz {} groups", abid,
                                   1u << cbsz, cbsz));
  f.cbsz = cbsz;
  f.abid = abid;
  const bool all = 1u << cbsz == shape.blocks;  // else 7.1.6.1 and 13.3.6.1 of the ISA guide differ
  f.meanings.push_back(fmt::format("CBSZ {}, ABID {}: of every {} blocks all read block {} of A{}", cbsz,
                                   abid, 1u << cbsz, abid,
                                   all || cbsz == 0 ? "" : "; option mfma_broadcast: groups, its default"));
}

void take_blgp(const mfma::Shape& shape, const MatrixFields& fields, DenseFields& f) {
  const unsigned blgp = fields.blgp.value_or(0);
  check_range(shape.name, "--blgp", blgp, 7);
  if (blgp == 0) return;
  if (shape.input == InputClass::f64) {
    f.negate = blgp;
    std::string names;
    for (unsigned i = 0; i < 3; ++i) {
      if (blgp >> i & 1) names += std::string(names.empty() ? "" : ", ") + "ABC"[i];
    }
    f.meanings.push_back(fmt::format("BLGP {}: changes the sign of {}", blgp, names));
    return;
  }
  f.lane_pattern = blgp;
  constexpr const char* kPatterns[] = {"",
                                       "lanes 0..31 of B in both halves",
                                       "lanes 32..63 of B in both halves",
                                       "B rotated down by 16 lanes",
                                       "lanes 0..15 of B in every row",
                                       "lanes 16..31 of B in every row",
                                       "lanes 32..47 of B in every row",
                                       "lanes 48..63 of B in every row"};
  f.meanings.push_back(fmt::format("BLGP {}: {}", blgp, kPatterns[blgp]));
}

}  // namespace

DenseFields dense_fields(const mfma::Shape& shape, const MatrixFields& fields) {
  DenseFields f;
  f.a_format = shape.a;
  f.b_format = shape.b;
  if (shape.input == InputClass::f8f6f4) {
    take_f8f6f4(shape, fields, f);
  } else {
    check_own_format(shape.name, fields.a_format, shape.a, "--a-format");
    check_own_format(shape.name, fields.b_format, shape.b, "--b-format");
    take_broadcast(shape, fields, f);
    take_blgp(shape, fields, f);
  }
  if (!shape.scaled && (fields.opsel_a || fields.opsel_b))
    refuse(shape.name, "--opsel-a and --opsel-b: it has no scale operands");
  f.opsel_a = fields.opsel_a.value_or(0);
  f.opsel_b = fields.opsel_b.value_or(0);
  check_range(shape.name, "--opsel-a", f.opsel_a, 3);
  check_range(shape.name, "--opsel-b", f.opsel_b, 3);
  return f;
}

unsigned sparse_set(const mfma::SparseShape& shape, const MatrixFields& fields) {
  check_own_format(shape.name, fields.a_format, shape.a, "--a-format");
  check_own_format(shape.name, fields.b_format, shape.b, "--b-format");
  if (fields.opsel_a || fields.opsel_b)
    refuse(shape.name, "--opsel-a and --opsel-b: it has no scale operands");
  if (fields.blgp.value_or(0) != 0) refuse(shape.name, "--blgp: SMFMAC has no lane pattern of B");
  const unsigned cbsz = fields.cbsz.value_or(0), abid = fields.abid.value_or(0);
  check_range(shape.name, "--cbsz", cbsz, 3);
  if (cbsz != 0 && abid != 0)
    refuse(shape.name, "--abid: with --cbsz other than 0 the first index set is read whatever it says");
  check_range(shape.name, "--abid", abid, mfma::sparse_index_sets(shape) - 1);
  return mfma::sparse_index_set(shape, cbsz, abid);
}

}  // namespace wavetwin::golden
