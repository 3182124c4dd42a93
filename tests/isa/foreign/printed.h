// SPDX-License-Identifier: MIT
// What kernels printed, collected.
#pragma once

#include <cstdio>
#include <string>

#include "sim/isa/isa_kernel.h"

namespace wavetwin::isa {

// Both streams in one text each.
struct Printed {
  std::string out, err;

  void add(const HostText& text) { (text.stream == HostStream::out ? out : err) += text.text; }
  ExecuteOptions options() {
    ExecuteOptions options;
    options.output = [this](const HostText& text) { add(text); };
    return options;
  }
};

inline Printed printed_by(const ExecuteReport& report) {
  Printed printed;
  for (const HostText& text : report.printed) printed.add(text);
  return printed;
}

// As the host prints it.
template <typename... Arguments>
std::string host_printf(const char* format, Arguments... arguments) {
  char text[512];
  std::snprintf(text, sizeof text, format, arguments...);
  return text;
}

}  // namespace wavetwin::isa
