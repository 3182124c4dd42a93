// SPDX-License-Identifier: MIT
#include "sim/numerics/numeric_model.h"

#include <algorithm>

#include "sim/core/error.h"

namespace wavetwin {
namespace {

// One option and the member that holds the number of its value.
struct Choice {
  NumericOption info;
  unsigned (*get)(const NumericModel&);
  void (*put)(NumericModel&, unsigned);
};

template <auto kMember>
Choice choice(const char* name, std::vector<const char*> values, const char* reaches, const char* meaning) {
  using Value = std::remove_cvref_t<decltype(NumericModel{}.*kMember)>;
  return {{name, std::move(values), reaches, meaning},
          [](const NumericModel& m) { return static_cast<unsigned>(m.*kMember); },
          [](NumericModel& m, unsigned v) { m.*kMember = static_cast<Value>(v); }};
}

const std::vector<Choice>& choices() {
  using M = NumericModel;
  constexpr const char* kDot2 = "V_DOT2_F32_* V_DOT2C_F32_*";
  constexpr const char* kTrig = "V_SIN_* V_COS_*";
  constexpr const char* kTyped = "*BUFFER_LOAD_FORMAT* *BUFFER_STORE_FORMAT*";
  static const std::vector<Choice> kChoices = {
      choice<&M::bf8_nan_short>("bf8_nan", {"0x7f", "0x7e"}, "V_CVT_*_BF8_*",
                                "the NaN that conversions to bf8 write"),
      choice<&M::nan_to_zero>("nan_to_small", {"max", "zero"}, "V_CVT_*_FP4_* V_CVT_*_FP6_* V_CVT_*_BF6_*",
                              "NaN converted to fp4, fp6 or bf6"),
      choice<&M::stochastic_by_guide>("stochastic", {"hip", "guide"}, "V_CVT_SR_* V_CVT_SCALEF32_SR_*",
                                      "arithmetic of v_cvt_sr_*"),
      choice<&M::scaled_nan_canonical>("scaled_nan", {"ones", "canonical"},
                                       "V_CVT_SCALEF32_*F16_FP* V_CVT_SCALEF32_*F16_BF*",
                                       "NaN results of v_cvt_scalef32_* to f16 and bf16"),
      choice<&M::scale_255_is_number>("scale_255", {"nan", "number"}, "V_CVT_SCALEF32_*",
                                      "scale code 255 of v_cvt_scalef32_*"),
      choice<&M::bf16_nan_kept>("bf16_nan", {"quiet", "kept"}, "V_CVT_PK_BF16_F32",
                                "NaN that conversions to bf16 pass on"),
      choice<&M::rpi_rounds_sum>("cvt_rpi", {"exact", "rounded"}, "V_CVT_RPI_I32_F32",
                                 "the sum x + 0.5 before the floor"),
      choice<&M::u8_nearest>("cvt_u8", {"truncate", "nearest_even"}, "V_CVT_PK_U8_F32 V_CVT_PKACCUM_U8_F32",
                             "rounding to unsigned bytes"),
      choice<&M::norm_truncates>("cvt_norm", {"nearest", "truncate"}, "V_CVT_PKNORM_* V_CVT_NORM_*",
                                 "rounding to 16-bit normalized codes"),
      choice<&M::dot2_sum>("dot2_sum", {"guide", "high_first", "exact"}, kDot2,
                           "order and roundings of the sum: the guide's steps, the high product first, or "
                           "rounded once"),
      choice<&M::dot2_keeps_subnormals>("dot2_denorm", {"flush", "keep"}, kDot2,
                                        "subnormal bf16 sources, addends and results"),
      choice<&M::dot2c_abs_is_neg_hi>("dot2c_abs", {"absolute", "neg_hi"}, "V_DOT2C_F32_F16*",
                                      "ABS: of both halves, or NEG of the high one as in v_dot2c_f32_bf16"),
      choice<&M::trig>("sin_cos", {"nearest", "truncated", "radians"}, kTrig,
                       "the result: rounded, truncated, or of the angle rounded to f32"),
      choice<&M::trig_domain_256>("sin_domain", {"full", "256"}, kTrig,
                                  "arguments beyond 256 turns: as any other, or whole numbers of turns"),
      choice<&M::f64_bits>("f64_approx", {"53", "29", "24"}, "V_RCP_F64 V_RSQ_F64 V_SQRT_F64",
                           "significant bits of the approximation"),
      choice<&M::exp_log_nearest>("exp_log_legacy", {"same", "nearest"}, "V_EXP_LEGACY_F32 V_LOG_LEGACY_F32",
                                  "the result: as v_exp_f32 and v_log_f32, or rounded to nearest"),
      choice<&M::sub_flips_nan>("sub_nan", {"kept", "flipped"}, "V_SUB_F* V_SUBREV_F*",
                                "the sign of a NaN subtrahend that passes on"),
      choice<&M::flush_before_rounding>("flush_test", {"rounded", "exact"}, "V_*",
                                        "which value is below the smallest normal number, when MODE flushes"),
      choice<&M::mix_denorm_f16>("mix_denorm", {"f32", "f16"}, "V_MAD_MIX*",
                                 "the field of MODE.denorm for f16 sources"),
      choice<&M::mac_f16_flushes>("mac_f16", {"mode", "flush"},
                                  "V_MAC_F16 V_MADMK_F16 V_MADAK_F16 V_MAD_LEGACY_F16",
                                  "subnormals: as MODE says, or flushed as v_mad_f16 does"),
      choice<&M::div_underflow_smallest>("div_underflow", {"zero", "smallest"},
                                         "V_DIV_FIXUP_F32 V_DIV_FIXUP_F64",
                                         "quotients below half of the smallest number"),
      choice<&M::mfma_broadcast_by_lanes>(
          "mfma_broadcast", {"groups", "lanes"}, "V_MFMA_*_16B_* V_MFMA_F32_*_4B_* V_MFMA_I32_*_4B_*",
          "CBSZ and ABID: a block of A for each group of 2^CBSZ blocks, or one part of the lanes repeated"),
      choice<&M::mfma_i8_wraps>("mfma_i8", {"saturate", "wrap"}, "V_MFMA_I32_* V_SMFMAC_I32_*",
                                "sums that leave 32 bits while MODE.FP16_OVFL is set"),
      choice<&M::smfmac_pair_expands>(
          "smfmac_pair", {"select", "expand"}, "V_SMFMAC_*",
          "a pair of equal indices: both elements of A meet that element of B, or the second alone"),
      choice<&M::permlane_swaps_all>("permlane_exec", {"keep", "swap"}, "V_PERMLANE*_SWAP_B32",
                                     "lanes that EXEC disables"),
      choice<&M::dpp_reads_disabled>("dpp_disabled", {"invalid", "read"}, "*_DPP",
                                     "source lanes that EXEC disables"),
      choice<&M::buffer_soffset_free>("buffer_soffset", {"checked", "free"}, "BUFFER_* TBUFFER_*",
                                      "soffset in the range check of raw buffers"),
      choice<&M::atomics_descending>(
          "atomic_lanes", {"ascending", "descending"},
          "BUFFER_ATOMIC_* FLAT_ATOMIC_* DS_*_RTN_* DS_ADD_F* DS_PK_ADD_* DS_MIN_F* DS_MAX_F* DS_CMPST_* "
          "DS_RSUB_U* DS_INC_U* DS_DEC_U* DS_MSKOR_B*",
          "the order of lanes that meet at one address"),
      choice<&M::clock_round>(
          "clock_round", {"1024", "256", "4096"}, "S_MEMTIME S_MEMREALTIME",
          "core cycles of a scheduler round; 24 of them are a tick of the real-time clock"),
      choice<&M::format_float_nearest>("format_float", {"zero", "nearest"}, kTyped,
                                       "rounding into narrower floats and D16"),
      choice<&M::format_norm_round>("format_norm", {"half_away", "nearest_even", "truncate"},
                                    "*BUFFER_STORE_FORMAT*", "rounding of floats to unorm and snorm codes"),
      choice<&M::format_scaled_nearest>("format_scaled", {"truncate", "nearest_even"},
                                        "*BUFFER_STORE_FORMAT*",
                                        "rounding of floats to uscaled and sscaled codes"),
      choice<&M::format_norm_multiplied>(
          "format_norm_read", {"divided", "multiplied"}, "*BUFFER_LOAD_FORMAT*",
          "unorm and snorm codes to float: divided by the largest code, or times "
          "its rounded reciprocal"),
  };
  return kChoices;
}

// `*` stands for any text.
bool glob(std::string_view pattern, std::string_view text) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (size_t at = star; at <= text.size(); ++at) {
    if (glob(rest, text.substr(at))) return true;
  }
  return false;
}

}  // namespace

std::string NumericOption::values_text() const {
  std::string text;
  for (const char* value : values) text += std::string(text.empty() ? "" : " | ") + value;
  return text;
}

bool NumericOption::covers(std::string_view instruction) const {
  std::string_view patterns = reaches;
  while (!patterns.empty()) {
    const size_t space = std::min(patterns.find(' '), patterns.size());
    if (glob(patterns.substr(0, space), instruction)) return true;
    patterns.remove_prefix(std::min(space + 1, patterns.size()));
  }
  return false;
}

void NumericModel::set(std::string_view option, std::string_view value) {
  std::string names;
  for (const Choice& c : choices()) {
    names += std::string(names.empty() ? "" : ", ") + c.info.name;
    if (option != c.info.name) continue;
    const auto found = std::find(c.info.values.begin(), c.info.values.end(), value);
    if (found == c.info.values.end()) {
      throw Error("numeric option " + std::string(option) + " takes " + c.info.values_text() + ", not '" +
                  std::string(value) + "'");
    }
    return c.put(*this, static_cast<unsigned>(found - c.info.values.begin()));
  }
  throw Error("no numeric option '" + std::string(option) + "'; there are " + names);
}

std::string NumericModel::describe() const {
  std::string text;
  for (const Choice& c : choices()) {
    const unsigned value = c.get(*this);
    if (value != 0) text += std::string(text.empty() ? "" : ", ") + c.info.name + "=" + c.info.values[value];
  }
  return text.empty() ? "default" : text;
}

bool NumericModel::changes(std::string_view instruction) const {
  return std::any_of(choices().begin(), choices().end(),
                     [&](const Choice& c) { return c.get(*this) != 0 && c.info.covers(instruction); });
}

const std::vector<NumericOption>& numeric_options() {
  static const auto kOptions = [] {
    std::vector<NumericOption> options;
    for (const Choice& c : choices()) options.push_back(c.info);
    return options;
  }();
  return kOptions;
}

}  // namespace wavetwin
