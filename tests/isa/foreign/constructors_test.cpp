// SPDX-License-Identifier: MIT
// Constructors of device variables run when the object is loaded, before the kernel.
#include <doctest/doctest.h>

#include <cstring>

#include "golden/io/file.h"
#include "tests/cli/program.h"
#include "tests/unit/io/scratch_directory.h"

namespace wavetwin::golden {

TEST_CASE("exec: device variables are constructed before the kernel runs, in order") {
  const ScratchDirectory dir;
  write_text(dir / "launch.json", std::string(R"({"code_object": ")") + FOREIGN_DIR + R"(constructors.co",
    "kernel": "constructed", "block": [1, 1, 1],
    "args": [{"buffer": "o", "bytes": 12, "fill": "zero"}], "outputs": {"o": "o.bin"}})");
  const Outcome outcome = run_wavetwin({"exec", (dir / "launch.json").string()});
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const auto bytes = read_bytes(dir / "o.bin");
  REQUIRE(bytes.size() == 12);
  uint32_t words[3];
  std::memcpy(words, bytes.data(), sizeof words);
  CHECK(words[0] == 31);
  CHECK(words[1] == 42);
  CHECK(words[2] == 3);
}

}  // namespace wavetwin::golden
