// SPDX-License-Identifier: MIT
// sources/values.hip, compiled in many ways, against the same file on the host.
#include <doctest/doctest.h>

#include <sstream>

#include "tests/isa/foreign/run_object.h"

extern "C" {
extern const unsigned char values_arguments[];
extern const unsigned values_arguments_bytes, values_arguments_alignment;
void values_on_host(unsigned item, unsigned* out);
}

namespace wavetwin::isa {

TEST_CASE("values of every shape are the host's, whatever way the kernel was compiled") {
  constexpr uint32_t kWords = 31;
  std::istringstream ways(FOREIGN_WAYS);
  for (std::string way; ways >> way;) {
    CAPTURE(way);
    Machine machine(foreign("values." + way));
    const uint64_t out = machine.zeroed("out", 4 * kWords * 64);
    std::vector<uint8_t> block;
    push(block, out);
    block.resize((block.size() + values_arguments_alignment - 1) / values_arguments_alignment *
                 values_arguments_alignment);
    block.insert(block.end(), values_arguments, values_arguments + values_arguments_bytes);
    const ExecuteReport report = machine.run("values", shape_of({1, 1, 1}, {64, 1, 1}), block);
    CHECK(report.dispatch.findings.total() == 0);
    if (!report.dispatch.findings.kept().empty()) MESSAGE(report.dispatch.findings.kept()[0].line());
    const auto words = machine.words(out, kWords * 64);
    for (uint32_t i = 0; i < 64; ++i) {
      CAPTURE(i);
      std::vector<uint32_t> wanted(kWords);
      values_on_host(i, wanted.data());
      CHECK(std::vector<uint32_t>(words.begin() + kWords * i, words.begin() + kWords * (i + 1)) == wanted);
    }
  }
}

}  // namespace wavetwin::isa
