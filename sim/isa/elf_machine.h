// SPDX-License-Identifier: MIT
// Names of the AMD GPU targets in an ELF header (e_flags, EF_AMDGPU_MACH), so that an error can say what was
// found. Source: LLVM AMDGPUUsage, "AMDGPU EF_AMDGPU_MACH Values".
#pragma once

#include <cstdio>
#include <string>

namespace wavetwin::isa {

inline constexpr unsigned kMachGfx950 = 0x4f;
// Code for every gfx94x and gfx950 part: instructions and registers that all of them have (AMDGPUUsage,
// "Generic Processors").
inline constexpr unsigned kMachGfx94Generic = 0x5f;

inline std::string amdgpu_target_name(unsigned mach) {
  struct Row {
    unsigned mach;
    const char* name;
  };
  static constexpr Row kRows[] = {
      {0x20, "gfx600"},          {0x21, "gfx601"},        {0x22, "gfx700"},
      {0x23, "gfx701"},          {0x24, "gfx702"},        {0x25, "gfx703"},
      {0x26, "gfx704"},          {0x28, "gfx801"},        {0x29, "gfx802"},
      {0x2a, "gfx803"},          {0x2b, "gfx810"},        {0x2c, "gfx900"},
      {0x2d, "gfx902"},          {0x2e, "gfx904"},        {0x2f, "gfx906"},
      {0x30, "gfx908"},          {0x31, "gfx909"},        {0x32, "gfx90c"},
      {0x33, "gfx1010"},         {0x34, "gfx1011"},       {0x35, "gfx1012"},
      {0x36, "gfx1030"},         {0x37, "gfx1031"},       {0x38, "gfx1032"},
      {0x39, "gfx1033"},         {0x3a, "gfx602"},        {0x3b, "gfx705"},
      {0x3c, "gfx805"},          {0x3d, "gfx1035"},       {0x3e, "gfx1034"},
      {0x3f, "gfx90a"},          {0x40, "gfx940"},        {0x41, "gfx1100"},
      {0x42, "gfx1013"},         {0x43, "gfx1150"},       {0x44, "gfx1103"},
      {0x45, "gfx1036"},         {0x46, "gfx1101"},       {0x47, "gfx1102"},
      {0x48, "gfx1200"},         {0x49, "gfx1250"},       {0x4a, "gfx1151"},
      {0x4b, "gfx941"},          {0x4c, "gfx942"},        {0x4e, "gfx1201"},
      {kMachGfx950, "gfx950"},   {0x51, "gfx9-generic"},  {0x52, "gfx10-1-generic"},
      {0x53, "gfx10-3-generic"}, {0x54, "gfx11-generic"}, {0x55, "gfx1152"},
      {0x58, "gfx1153"},         {0x59, "gfx12-generic"}, {kMachGfx94Generic, "gfx9-4-generic"},
  };
  for (const Row& row : kRows) {
    if (row.mach == mach) return row.name;
  }
  char text[32];
  std::snprintf(text, sizeof text, "an unknown target (0x%02x)", mach);
  return text;
}

}  // namespace wavetwin::isa
