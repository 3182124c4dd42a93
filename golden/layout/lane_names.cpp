// SPDX-License-Identifier: MIT
#include "golden/layout/lane_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/lane_map.h"
#include "golden/layout/numbers.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

// DPP controls by name: the code of the first, and the numbers that may follow the colon.
struct Control {
  const char* name;
  unsigned code;
  int first, last;  // none: first > last
};
constexpr Control kControls[] = {
    {"row_shl", dpp_ctrl::kRowShl, 1, 15},
    {"row_shr", dpp_ctrl::kRowShr, 1, 15},
    {"row_ror", dpp_ctrl::kRowRor, 1, 15},
    {"wave_shl", dpp_ctrl::kWaveShl1, 1, 1},
    {"wave_rol", dpp_ctrl::kWaveRol1, 1, 1},
    {"wave_shr", dpp_ctrl::kWaveShr1, 1, 1},
    {"wave_ror", dpp_ctrl::kWaveRor1, 1, 1},
    {"row_mirror", dpp_ctrl::kRowMirror, 1, 0},
    {"row_half_mirror", dpp_ctrl::kRowHalfMirror, 1, 0},
    {"row_newbcast", dpp_ctrl::kRowNewBcast, 0, 15},
};

const TransposingRead kReads[] = {
    {"ds_read_b64_tr_b16", 16, 4, Evidence::specified,
     "CDNA4 ISA guide 12.12; Triton pull requests 5750 and 8525, AMD's rocjitsu for the lanes"},
    {"ds_read_b64_tr_b8", 8, 8, Evidence::specified,
     "CDNA4 ISA guide 12.12; Triton pull requests 5750 and 8525, AMD's rocjitsu for the lanes"},
    {"ds_read_b64_tr_b4", 4, 16, Evidence::inferred,
     "ROCm rocRoller's GPU test and Triton pull request 7736; rocjitsu differs, not verified on a part"},
    {"ds_read_b96_tr_b6", 6, 16, Evidence::inferred, "ROCm rocRoller's GPU test"},
};

constexpr const char* kPlain[] = {"ds_bpermute_b32", "ds_permute_b32", "ds_swizzle_b32",
                                  "v_permlane16_swap_b32", "v_permlane32_swap_b32"};

std::string before_colon(const std::string& text) { return text.substr(0, text.find(':')); }

unsigned parse_quad_perm(const std::string& text) {
  std::string list = text.substr(std::min(text.find(':'), text.size() - 1) + 1);
  std::erase_if(list, [](char c) { return c == '[' || c == ']'; });
  const std::vector<unsigned> lanes = parse_numbers(list);
  const bool legal = lanes.size() == 4 && *std::max_element(lanes.begin(), lanes.end()) < 4;
  if (!legal) throw Error(text + ": write quad_perm:[a,b,c,d] with lanes 0..3 of the quad");
  return lanes[0] | lanes[1] << 2 | lanes[2] << 4 | lanes[3] << 6;
}

void refuse(const std::string& name, const char* option) {
  throw Error(fmt::format("{}: {} means nothing to it", name, option));
}

}  // namespace

const TransposingRead* find_transposing_read(const std::string& name) {
  for (const TransposingRead& read : kReads) {
    if (name == read.name) return &read;
  }
  return nullptr;
}

bool is_dpp_name(const std::string& text) {
  const std::string name = before_colon(text);
  if (name == "quad_perm" || name == "row_bcast") return true;
  return std::any_of(std::begin(kControls), std::end(kControls),
                     [&](const Control& control) { return name == control.name; });
}

unsigned parse_dpp(const std::string& text) {
  const std::string name = before_colon(text);
  const std::string number = name.size() == text.size() ? "" : text.substr(name.size() + 1);
  if (name == "quad_perm") return parse_quad_perm(text);
  if (name == "row_bcast") {
    if (number == "15") return dpp_ctrl::kRowBcast15;
    if (number == "31") return dpp_ctrl::kRowBcast31;
    throw Error(text + ": write row_bcast:15 or row_bcast:31");
  }
  for (const Control& control : kControls) {
    if (name != control.name) continue;
    if (control.first > control.last) {
      if (number.empty()) return control.code;
      throw Error(text + ": " + name + " takes no number");
    }
    const std::optional<uint64_t> value = parse_number(number);
    const bool legal = value && *value >= static_cast<unsigned>(control.first) &&
                       *value <= static_cast<unsigned>(control.last);
    if (!legal)
      throw Error(fmt::format("{}: write {}:N with N in {}..{}", text, name, control.first, control.last));
    const bool whole_wave = control.first == control.last;  // the code holds the 1 already
    return control.code + (whole_wave ? 0 : static_cast<unsigned>(*value));
  }
  throw Error("unknown DPP control '" + text +
              "': quad_perm:[a,b,c,d], row_shl:N, row_shr:N, row_ror:N, "
              "wave_shl:1, wave_rol:1, wave_shr:1, wave_ror:1, row_mirror, row_half_mirror, row_bcast:15, "
              "row_bcast:31 or row_newbcast:N");
}

std::string dpp_name(unsigned control) {
  if (control <= 0xff) {
    return fmt::format("quad_perm:[{},{},{},{}]", control & 3, control >> 2 & 3, control >> 4 & 3,
                       control >> 6);
  }
  if (control == dpp_ctrl::kRowBcast15) return "row_bcast:15";
  if (control == dpp_ctrl::kRowBcast31) return "row_bcast:31";
  for (const Control& c : kControls) {
    if (c.first > c.last ? control == c.code : c.first == c.last && control == c.code)
      return c.first > c.last ? std::string(c.name) : fmt::format("{}:1", c.name);
    if (c.first < c.last && control >= c.code + static_cast<unsigned>(c.first) &&
        control <= c.code + static_cast<unsigned>(c.last))
      return fmt::format("{}:{}", c.name, control - c.code);
  }
  throw Error(fmt::format("no DPP control has the code {:#x}", control));
}

std::string swizzle_mode(unsigned offset) {
  const unsigned low = offset & 31, middle = offset >> 5 & 31, high = offset >> 10 & 31;
  if (offset >= 0xe000) return fmt::format("FFT: the lane's low 5 bits reversed above the mask {:#04x}", low);
  if (offset >= 0xc000) {
    return fmt::format("rotate {} by {} within 32 lanes; lane bits of the mask {:#04x} stay",
                       high & 1 ? "down" : "up", middle, low);
  }
  if (offset & 0x8000)
    return fmt::format("quad permute [{},{},{},{}]", offset & 3, offset >> 2 & 3, offset >> 4 & 3,
                       offset >> 6 & 3);
  return fmt::format("source = ((lane & {:#04x}) | {:#04x}) ^ {:#04x} within 32 lanes", low, middle, high);
}

bool is_lane_instruction(const std::string& name) {
  if (is_dpp_name(name) || find_transposing_read(name) != nullptr) return true;
  return std::any_of(std::begin(kPlain), std::end(kPlain), [&](const char* n) { return name == n; });
}

const std::vector<std::string>& lane_instruction_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names(std::begin(kPlain), std::end(kPlain));
    for (const TransposingRead& read : kReads) names.push_back(read.name);
    for (const Control& control : kControls)
      names.push_back(control.first > control.last ? control.name : fmt::format("{}:1", control.name));
    names.insert(names.end(), {"quad_perm:[0,1,2,3]", "row_bcast:15", "row_bcast:31"});
    return names;
  }();
  return kNames;
}

std::array<uint8_t, 64> parse_lanes(const std::string& text) {
  std::array<uint8_t, 64> lanes{};
  const std::string rule = before_colon(text);
  if (rule == "xor" || rule == "add") {
    const std::optional<uint64_t> value = parse_number(text.substr(std::min(rule.size() + 1, text.size())));
    if (!value || *value > 63) throw Error("--lanes " + text + ": write xor:N or add:N with N in 0..63");
    for (unsigned lane = 0; lane < 64; ++lane)
      lanes[lane] = static_cast<uint8_t>((rule == "xor" ? lane ^ *value : lane + *value) & 63);
    return lanes;
  }
  const std::vector<unsigned> list = parse_numbers(text);
  if (list.size() != 64 || *std::max_element(list.begin(), list.end()) > 63)
    throw Error("--lanes: write xor:N, add:N or 64 lanes 0..63 separated by commas");
  for (unsigned lane = 0; lane < 64; ++lane) lanes[lane] = static_cast<uint8_t>(list[lane]);
  return lanes;
}

void check_lane_fields(const std::string& name, const LaneFields& f) {
  if (!is_lane_instruction(name)) throw Error("'" + name + "' moves nothing between lanes");
  const bool dpp = is_dpp_name(name), permutes = name == "ds_permute_b32" || name == "ds_bpermute_b32";
  if (f.offset && !permutes && name != "ds_swizzle_b32") refuse(name, "--offset");
  if (f.offset && *f.offset > 0xffff)
    throw Error(fmt::format("{}: --offset {:#x} does not fit 16 bits", name, *f.offset));
  if (name == "ds_swizzle_b32" && !f.offset)
    throw Error("ds_swizzle_b32: its pattern is its offset: --offset");
  if (f.lanes && !permutes) refuse(name, "--lanes");
  if ((f.row_mask || f.bank_mask) && !dpp) refuse(name, "--row-mask and --bank-mask");
  if (f.bound_ctrl && !dpp) refuse(name, "--bound-ctrl");
  if (f.row_mask.value_or(0) > 15 || f.bank_mask.value_or(0) > 15)
    throw Error(name + ": --row-mask and --bank-mask are 0..15");
}

}  // namespace wavetwin::golden
