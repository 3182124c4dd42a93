// SPDX-License-Identifier: MIT
#include "sim/numerics/mfma_model.h"

#include <charconv>
#include <cstdio>
#include <optional>

#include "sim/core/error.h"

namespace wavetwin::mfma {
namespace {

// Text forms. A reader returns nothing for text that is not a legal value.

std::optional<bool> read_switch(std::string_view text) {
  if (text == "on") return true;
  if (text == "off") return false;
  return std::nullopt;
}
const char* switch_text(bool value) { return value ? "on" : "off"; }

std::optional<unsigned> read_number(std::string_view text, unsigned low, unsigned high) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high)
    return std::nullopt;
  return value;
}

std::optional<uint32_t> read_word(std::string_view text) {
  if (text.substr(0, 2) != "0x" && text.substr(0, 2) != "0X") return std::nullopt;
  text.remove_prefix(2);
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Option kinds: how one member of MfmaModel is read from and shown as text.

using Model = MfmaModel;

template <bool Model::*kMember>
bool set_switch(Model& model, std::string_view text) {
  const auto value = read_switch(text);
  if (value) model.*kMember = *value;
  return value.has_value();
}
template <bool Model::*kMember>
std::string get_switch(const Model& model) {
  return switch_text(model.*kMember);
}

// Products a step: one of the listed counts or K.
template <uint8_t Model::*kMember, unsigned... kCounts>
bool set_products(Model& model, std::string_view text) {
  if (text == "K") return model.*kMember = kWholeK, true;
  const auto value = read_number(text, 1, 128);
  if (!value || ((*value != kCounts) && ...)) return false;
  model.*kMember = static_cast<uint8_t>(*value);
  return true;
}
template <uint8_t Model::*kMember>
std::string get_products(const Model& model) {
  return model.*kMember == kWholeK ? "K" : std::to_string(model.*kMember);
}

template <uint8_t Model::*kMember>
bool set_bits(Model& model, std::string_view text) {
  const auto value = read_number(text, 4, 48);
  if (value) model.*kMember = static_cast<uint8_t>(*value);
  return value.has_value();
}
template <uint8_t Model::*kMember>
std::string get_bits(const Model& model) {
  return std::to_string(model.*kMember);
}

template <uint8_t Model::*kMember>
bool set_cut(Model& model, std::string_view text) {
  if (text == "off") return model.*kMember = kNoCut, true;
  const auto value = read_number(text, 1, 255);
  if (value) model.*kMember = static_cast<uint8_t>(*value);
  return value.has_value();
}
template <uint8_t Model::*kMember>
std::string get_cut(const Model& model) {
  return model.*kMember == kNoCut ? "off" : std::to_string(model.*kMember);
}

template <Align Model::*kMember>
bool set_align(Model& model, std::string_view text) {
  if (text != "trunc" && text != "floor") return false;
  model.*kMember = text == "trunc" ? Align::trunc : Align::floor;
  return true;
}
template <Align Model::*kMember>
std::string get_align(const Model& model) {
  return model.*kMember == Align::trunc ? "trunc" : "floor";
}

bool set_order(Model& model, std::string_view text) {
  if (text != "ascending" && text != "register-halves") return false;
  model.k_order = text == "ascending" ? Order::ascending : Order::register_halves;
  return true;
}
std::string get_order(const Model& model) {
  return model.k_order == Order::ascending ? "ascending" : "register-halves";
}

bool set_zero_sign(Model& model, std::string_view text) {
  if (text != "plus" && text != "ieee") return false;
  model.zero_sign = text == "plus" ? ZeroSign::plus : ZeroSign::ieee;
  return true;
}
std::string get_zero_sign(const Model& model) { return model.zero_sign == ZeroSign::plus ? "plus" : "ieee"; }

bool set_scale_zero(Model& model, std::string_view text) {
  if (text != "pow2" && text != "zero") return false;
  model.scale_byte_zero = text == "pow2" ? ScaleByteZero::pow2 : ScaleByteZero::zero;
  return true;
}
std::string get_scale_zero(const Model& model) {
  return model.scale_byte_zero == ScaleByteZero::pow2 ? "pow2" : "zero";
}

// A word that is not a NaN would make NaN results look like numbers.
bool set_nan(Model& model, std::string_view text) {
  const auto value = read_word(text);
  if (!value || (*value & 0x7FFFFFFFu) <= 0x7F800000u) return false;
  model.nan_bits = *value;
  return true;
}
std::string get_nan(const Model& model) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08X", model.nan_bits);
  return text;
}

struct Option {
  OptionInfo info;
  bool (*set)(Model&, std::string_view);
  std::string (*get)(const Model&);
};

const Option kOptions[] = {
    {{"L16bit", "8|16|K", "products a step: bf16 and f16 in the shapes new in gfx950"},
     set_products<&Model::l_16bit, 8, 16>,
     get_products<&Model::l_16bit>},
    {{"L16bitLegacy", "8|16|K", "products a step: bf16 and f16 in the shapes that gfx942 has"},
     set_products<&Model::l_16bit_legacy, 8, 16>,
     get_products<&Model::l_16bit_legacy>},
    {{"evenOdd16bit", "on|off", "bf16 and f16: even and odd k in two separately aligned sums"},
     set_switch<&Model::even_odd_16bit>,
     get_switch<&Model::even_odd_16bit>},
    {{"kOrder", "ascending|register-halves", "which k share a step in the 16-bit shapes new in gfx950"},
     set_order,
     get_order},
    {{"fp8Legacy.L", "8|16|32|K", "products a step: 8-bit floats in the 16x16x32 and 32x32x16 shapes"},
     set_products<&Model::l_f8, 8, 16, 32>,
     get_products<&Model::l_f8>},
    {{"fp8Legacy.evenOdd", "on|off", "the same shapes: even and odd k in two separately aligned sums"},
     set_switch<&Model::even_odd_f8>,
     get_switch<&Model::even_odd_f8>},
    {{"f8f6f4.productsPerStep.8bit", "16|32|64|K", "products a step when A or B is an 8-bit format"},
     set_products<&Model::l_f8f6f4_8bit, 16, 32, 64>,
     get_products<&Model::l_f8f6f4_8bit>},
    {{"f8f6f4.productsPerStep.6bit4bit", "16|32|64|K", "products a step when neither is an 8-bit format"},
     set_products<&Model::l_f8f6f4_no8bit, 16, 32, 64>,
     get_products<&Model::l_f8f6f4_no8bit>},
    {{"f8f6f4.evenOdd", "on|off", "even and odd k of a block in two separately aligned sums"},
     set_switch<&Model::even_odd_f8f6f4>,
     get_switch<&Model::even_odd_f8f6f4>},
    {{"F", "4..48", "fractional bits of an aligned product below the largest field exponent"},
     set_bits<&Model::f>,
     get_bits<&Model::f>},
    {{"prodAlign", "trunc|floor", "how an aligned product loses bits"},
     set_align<&Model::product_align>,
     get_align<&Model::product_align>},
    {{"groupAlign", "trunc|floor", "how even/odd sums and block sums of one step are aligned"},
     set_align<&Model::group_align>,
     get_align<&Model::group_align>},
    {{"Fc", "4..48", "fractional bits of aligned C"}, set_bits<&Model::fc>, get_bits<&Model::fc>},
    {{"F2", "4..48", "fractional bits of the total before it is rounded to f32"},
     set_bits<&Model::f2>,
     get_bits<&Model::f2>},
    {{"cCut.16bit", "off|1..255",
      "bf16 and f16: C is dropped when its exponent is more than this below the largest"},
     set_cut<&Model::c_cut_16bit>,
     get_cut<&Model::c_cut_16bit>},
    {{"cCut.fp8Legacy", "off|1..255", "the same for the legacy 8-bit shapes"},
     set_cut<&Model::c_cut_f8>,
     get_cut<&Model::c_cut_f8>},
    {{"cCut.f8f6f4", "off|1..255", "the same for f8f6f4"},
     set_cut<&Model::c_cut_f8f6f4>,
     get_cut<&Model::c_cut_f8f6f4>},
    {{"prodOverflow", "on|off", "a bf16 product of magnitude 2^128 or more is Inf"},
     set_switch<&Model::product_overflow>,
     get_switch<&Model::product_overflow>},
    {{"scalePerProduct", "on|off", "the scale joins each product instead of the block sum"},
     set_switch<&Model::scale_per_product>,
     get_switch<&Model::scale_per_product>},
    {{"nanBits", "0x........", "the word of a NaN result"}, set_nan, get_nan},
    {{"zeroSign", "plus|ieee", "sign of an exactly zero total"}, set_zero_sign, get_zero_sign},
    {{"nanScaleOnZero", "on|off", "scale 0xFF gives NaN even when its block is all zero"},
     set_switch<&Model::nan_scale_on_zero>,
     get_switch<&Model::nan_scale_on_zero>},
    {{"scaleByteZero", "pow2|zero", "scale byte 0 means 2^-127 or zero"}, set_scale_zero, get_scale_zero},
    {{"fp16Ovfl", "on|off",
      "as if MODE.FP16_OVFL were 1: a step that overflows gives the largest finite value"},
     set_switch<&Model::fp16_ovfl>,
     get_switch<&Model::fp16_ovfl>},
};

[[noreturn]] void unknown_option(std::string_view name) {
  std::string names;
  for (const Option& option : kOptions) names += std::string(names.empty() ? "" : ", ") + option.info.name;
  throw Error("unknown MFMA option '" + std::string(name) + "'; the options are " + names);
}

// The option of this name; or, for "cCut", all options below it: cCut.16bit, cCut.fp8Legacy, cCut.f8f6f4.
std::vector<const Option*> find_options(std::string_view name) {
  std::vector<const Option*> found;
  const std::string group = std::string(name) + ".";
  for (const Option& option : kOptions) {
    const std::string_view full = option.info.name;
    if (full == name) return {&option};
    if (full.substr(0, group.size()) == group) found.push_back(&option);
  }
  if (found.empty()) unknown_option(name);
  return found;
}

}  // namespace

void MfmaModel::set(std::string_view name, std::string_view value) {
  MfmaModel changed = *this;
  for (const Option* option : find_options(name)) {
    if (!option->set(changed, value))
      throw Error("MFMA option " + std::string(option->info.name) + " cannot be '" + std::string(value) +
                  "'; it takes " + option->info.values);
  }
  *this = changed;
  modified = describe() != preset;
}

void MfmaModel::set(std::string_view assignment) {
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    throw Error("'" + std::string(assignment) + "' is not an MFMA option setting; write option=value");
  set(assignment.substr(0, equals), assignment.substr(equals + 1));
}

std::string MfmaModel::get(std::string_view name) const {
  const std::vector<const Option*> found = find_options(name);
  if (found.front()->info.name != name) unknown_option(name);
  return found.front()->get(*this);
}

std::string MfmaModel::describe() const {
  const MfmaModel base = mfma::preset(preset);
  std::string changes;
  for (const Option& option : kOptions) {
    const std::string value = option.get(*this);
    if (value == option.get(base)) continue;
    changes += std::string(changes.empty() ? " with " : ", ") + option.info.name + "=" + value;
  }
  return std::string(preset) + changes;
}

const std::vector<std::string>& preset_names() {
  static const std::vector<std::string> names = {"gfx950-default", "gfx950-wide",    "gfx950-cdna3ext",
                                                 "gfx942",         "fma-sequential", "exact-rne"};
  return names;
}

MfmaModel preset(std::string_view name) {
  MfmaModel model;
  for (const std::string& known : preset_names())
    if (name == known) model.preset = known.c_str();
  if (name == "gfx950-wide") {
    // Reading "twice the bits of A a step": 16-bit steps of 16 in the new shapes, two scale blocks without
    // 8-bit.
    model.l_16bit = 16;
    model.l_f8f6f4_no8bit = 64;
  } else if (name == "gfx950-cdna3ext") {
    // Reading "twice the outputs": gfx942's step widths, so an 8-bit scale block takes two steps of 16.
    model.l_f8f6f4_8bit = 16;
  } else if (name == "gfx942") {
    model.part = Part::gfx942;
  } else if (name == "fma-sequential" || name == "exact-rne") {
    model.rule = name == "exact-rne" ? Rule::exact_rne : Rule::fma_sequential;
    model.product_overflow = false;
  } else if (name != "gfx950-default") {
    std::string names;
    for (const std::string& known : preset_names()) names += (names.empty() ? "" : ", ") + known;
    throw Error("unknown MFMA model '" + std::string(name) + "'; the models are " + names);
  }
  return model;
}

const std::vector<OptionInfo>& option_list() {
  static const std::vector<OptionInfo> list = [] {
    std::vector<OptionInfo> infos;
    for (const Option& option : kOptions) infos.push_back(option.info);
    return infos;
  }();
  return list;
}

Evidence arithmetic_evidence(const Shape& shape, const MfmaModel& model) {
  switch (shape.input) {
    case InputClass::f32:
    case InputClass::f64:
    case InputClass::i8:
      return Evidence::inferred;
    default:
      break;
  }
  if (model.rule != Rule::steps || model.modified) return Evidence::unknown;
  return model.part == Part::gfx942 ? Evidence::measured : Evidence::inferred;
}

const char* arithmetic_source(const Shape& shape, const MfmaModel& model) {
  switch (shape.input) {
    case InputClass::i8:
      return "exact products and a 32-bit sum that wraps, or is clamped under MODE.FP16_OVFL (AMD CDNA4 ISA "
             "guide "
             "7.1.2)";
    case InputClass::f32:
      return "fma chain in ascending k (AMD CDNA4 ISA guide 7.4; 32x32x1 probed on MI300X)";
    case InputClass::f64:
      return "fma chain in ascending k (AMD CDNA4 ISA guide, chapter 7)";
    default:
      break;
  }
  if (model.rule != Rule::steps) return "debugging rule, no hardware works like this";
  if (model.modified) return "options set by the user";
  if (model.part == Part::gfx942) return "measured on MI300X (published MMA-Sim probes and model)";
  return "gfx942's measured rule extended to gfx950; no public gfx950 measurement exists";
}

Evidence layout_evidence(const Shape& shape) {
  // The guide prints the general rule and the layouts new in gfx950 (CDNA4: 7.1.4, 7.1.5.1). The F64 4x4x4
  // layout was probed on gfx90a.
  const bool probed = shape.input == InputClass::f64 && shape.m == 4;
  return probed ? Evidence::inferred : Evidence::specified;
}

}  // namespace wavetwin::mfma
