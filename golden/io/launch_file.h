// SPDX-License-Identifier: MIT
// launch.json: which kernel of which code object runs, on what. Also the JSON that Triton writes beside a
// .hsaco.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "golden/io/tensor.h"

namespace wavetwin::golden {

// A buffer argument: the same name twice is the same memory.
struct LaunchBuffer {
  std::string name;
  std::optional<uint64_t> bytes;  // nothing: the size of the file, or of an earlier mention
  std::string file;               // as read_array() spells it; empty: filled
  bool zero = false;              // fill: zero; else never-written (poison)
  uint64_t address = 0;           // bytes added to the buffer's address
  std::optional<DType> dtype;     // for outputs in safetensors; with `shape` it stands for `bytes`, too
  std::optional<Shape> shape;
};

// One argument or one field of a raw kernarg block.
struct LaunchValue {
  std::string place;  // of the member in the file, for errors: "args[1]"
  std::optional<LaunchBuffer> buffer;
  std::vector<uint8_t> bytes;      // of a number or of raw bytes
  std::optional<int64_t> integer;  // the number, if it is one: an address where a pointer is expected
  bool untyped = false;            // a bare number: takes the size of the argument
};

struct LaunchField {
  uint64_t offset = 0;
  LaunchValue value;
};

struct LaunchFile {
  std::string name;                 // of the file, for errors
  std::filesystem::path directory;  // relative paths in the file start here
  std::string code_object, kernel;
  std::array<uint32_t, 3> grid{1, 1, 1};  // workgroups
  // In place of `grid`: work-items along one to three axes, as an AQL packet states them. No multiple of the
  // block makes the last workgroup of an axis partial.
  std::vector<uint32_t> grid_items;
  std::array<uint32_t, 3> block{64, 1, 1};  // work-items
  uint32_t dynamic_lds = 0;
  std::vector<LaunchValue> arguments;
  std::optional<uint64_t> kernarg_bytes;  // a raw block in place of arguments
  std::vector<LaunchField> fields;
  std::map<std::string, std::string> outputs;  // buffer name -> file
};

// One to three extents; those that are not there are 1.
std::array<uint32_t, 3> three_extents(const std::vector<uint32_t>& extents);

// Throws FileError naming the file, the member and what is wrong with it: unknown members and members that
// occur twice, numbers that do not fit their type (a finite number that would become infinite, too), fields
// that overlap or leave the block, outputs that share a file.
LaunchFile read_launch_file(const std::filesystem::path& path);
// The same from text; `name` stands for the file in errors.
LaunchFile parse_launch_file(const std::string& text, const std::string& name);

// The text of a launch file, to start from.
std::string launch_file_text(const LaunchFile& launch);

// What Triton's JSON says about a kernel.
struct TritonMetadata {
  std::string name;
  uint32_t threads = 0;  // num_warps * warp_size
  uint32_t shared = 0;   // dynamic LDS bytes
};
// Nothing when there is no `path` or it is not Triton's. FileError for a number that no launch can have.
std::optional<TritonMetadata> read_triton_metadata(const std::filesystem::path& path);

}  // namespace wavetwin::golden
