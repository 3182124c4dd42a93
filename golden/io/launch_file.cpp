// SPDX-License-Identifier: MIT
#include "golden/io/launch_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "golden/io/array_file.h"
#include "golden/io/file.h"
#include "golden/io/json_input.h"
#include "golden/io/printable.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;  // for writing

constexpr unsigned kMaxDepth = 8;
constexpr uint64_t kMaxBytes = uint64_t{1} << 46;

// Where one is in the file, for errors.
struct Place {
  const std::string& file;
  std::string member;

  Place in(const std::string& name) const { return {file, member.empty() ? name : member + "." + name}; }
  Place at(size_t index) const { return {file, member + "[" + std::to_string(index) + "]"}; }
  [[noreturn]] void fail(const std::string& reason) const {
    throw FileError(file, (member.empty() ? "the launch" : "'" + printable(member) + "'") + " " + reason);
  }
};

uint64_t unsigned_of(const Json& json, const Place& place, uint64_t limit) {
  if (!json.is_number_unsigned() || json.get<uint64_t>() > limit) {
    place.fail(fmt::format("is not a whole number from 0 to {}", limit));
  }
  return json.get<uint64_t>();
}

// Names appear in reports, which are lines.
void require_no_control(const std::string& text, const Place& place) {
  const bool control =
      std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (control) place.fail("has a control character in '" + printable(text) + "'");
}

std::string text_of(const Json& json, const Place& place) {
  if (!json.is_string()) place.fail("is not text");
  std::string text = json.get<std::string>();
  require_no_control(text, place);
  return text;
}

void require_object(const Json& json, const Place& place) {
  if (!json.is_object()) place.fail("is not an object");
}

void require_known(const Json& json, const Place& place, std::initializer_list<const char*> known) {
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      place.fail(fmt::format("has an unknown member '{}' (it may have: {})", printable(key),
                             fmt::join(known, ", ")));
    }
  }
}

std::vector<uint32_t> extents_of(const Json& json, const Place& place) {
  if (!json.is_array() || json.empty() || json.size() > 3)
    place.fail("is not a list of one to three numbers");
  std::vector<uint32_t> extents;
  for (size_t i = 0; i < json.size(); ++i) {
    extents.push_back(static_cast<uint32_t>(unsigned_of(json[i], place.at(i), 0xffffffffu)));
  }
  return extents;
}

std::array<uint32_t, 3> extent_of(const Json& json, const Place& place) {
  return three_extents(extents_of(json, place));
}

std::vector<uint8_t> little_endian(uint64_t value, size_t bytes) {
  std::vector<uint8_t> result(bytes);
  for (size_t i = 0; i < bytes; ++i) result[i] = static_cast<uint8_t>(value >> (8 * i));
  return result;
}

LaunchValue integer_value(const Json& json, const Place& place, size_t bytes, bool is_signed) {
  if (!json.is_number_integer()) place.fail("is not a whole number");
  const bool negative = json.is_number_integer() && !json.is_number_unsigned() && json.get<int64_t>() < 0;
  if (negative && !is_signed) place.fail("is negative");
  const uint64_t bits = negative ? static_cast<uint64_t>(json.get<int64_t>()) : json.get<uint64_t>();
  if (bytes == 4) {
    const bool fits =
        negative ? json.get<int64_t>() >= INT32_MIN : bits <= (is_signed ? 0x7fffffffu : 0xffffffffu);
    if (!fits) place.fail("does not fit 32 bits");
  } else if (is_signed && !negative && bits > 0x7fffffffffffffffu) {
    place.fail("does not fit 64 bits");
  }
  LaunchValue value;
  value.bytes = little_endian(bits, bytes);
  value.integer = static_cast<int64_t>(bits);
  return value;
}

// Rounded to nearest even. JSON has no infinities: who wants one gives its bits as "u32" or "bytes".
LaunchValue float_value(const Json& json, const Place& place, DType dtype) {
  if (!json.is_number()) place.fail("is not a number");
  const uint64_t bits = encode_element(dtype, json.get<double>());
  if (!std::isfinite(decode_element(dtype, bits))) {
    place.fail(fmt::format("{} does not fit {}", json.get<double>(), to_string(dtype)));
  }
  LaunchValue value;
  value.bytes = little_endian(bits, size_of(dtype));
  return value;
}

LaunchValue hex_value(const Json& json, const Place& place) {
  const std::string text = text_of(json, place);
  if (text.size() % 2 != 0) place.fail("has an odd number of hexadecimal digits");
  LaunchValue value;
  for (size_t i = 0; i < text.size(); i += 2) {
    unsigned byte = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + i + 2, byte, 16);
    if (error != std::errc() || end != text.data() + i + 2)
      place.fail("has something else than hexadecimal digits");
    value.bytes.push_back(static_cast<uint8_t>(byte));
  }
  return value;
}

uint64_t bytes_of(DType dtype, const Shape& shape, const Place& place) {
  uint64_t bytes = size_of(dtype);
  for (const uint64_t extent : shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes) || bytes > kMaxBytes)
      place.fail(fmt::format("makes more than {} bytes of {}", kMaxBytes, to_string(dtype)));
  }
  return bytes;
}

LaunchValue buffer_value(const Json& json, const Place& place, bool in_block) {
  if (json.contains("offset") && !in_block) place.fail("has an 'offset', which only fields of a block have");
  require_known(json, place, {"buffer", "bytes", "file", "fill", "address", "dtype", "shape", "offset"});
  LaunchBuffer buffer;
  buffer.name = text_of(json["buffer"], place.in("buffer"));
  if (buffer.name.empty()) place.in("buffer").fail("is an empty name");
  if (json.contains("bytes")) buffer.bytes = unsigned_of(json["bytes"], place.in("bytes"), kMaxBytes);
  if (json.contains("file")) {
    buffer.file = text_of(json["file"], place.in("file"));
    if (buffer.file.empty()) place.in("file").fail("is an empty name");
  }
  if (json.contains("address")) buffer.address = unsigned_of(json["address"], place.in("address"), kMaxBytes);
  if (json.contains("fill")) {
    const std::string fill = text_of(json["fill"], place.in("fill"));
    if (fill != "zero" && fill != "poison") place.in("fill").fail("is neither \"zero\" nor \"poison\"");
    if (!buffer.file.empty()) place.fail("has both 'file' and 'fill'");
    buffer.zero = fill == "zero";
  }
  if (json.contains("dtype")) {
    buffer.dtype = dtype_from(text_of(json["dtype"], place.in("dtype")));
    if (!buffer.dtype) place.in("dtype").fail("is no safetensors type (F32, BF16, F8_E4M3, ...)");
  }
  if (json.contains("shape")) {
    if (!json["shape"].is_array()) place.in("shape").fail("is not a list");
    buffer.shape.emplace();
    for (const Json& extent : json["shape"]) {
      buffer.shape->push_back(unsigned_of(extent, place.in("shape"), kMaxBytes));
    }
  }
  if (!buffer.bytes && buffer.file.empty() && buffer.dtype && buffer.shape)
    buffer.bytes = bytes_of(*buffer.dtype, *buffer.shape, place.in("shape"));
  LaunchValue value;
  value.buffer = std::move(buffer);
  return value;
}

LaunchValue typed_value(const Json& json, const Place& place, bool in_block) {
  if (json.size() != (in_block ? 2u : 1u)) place.fail("is not exactly one value");
  for (const auto& [key, member] : json.items()) {
    if (in_block && key == "offset") continue;
    const Place here = place.in(key);
    if (key == "i32") return integer_value(member, here, 4, true);
    if (key == "u32") return integer_value(member, here, 4, false);
    if (key == "i64") return integer_value(member, here, 8, true);
    if (key == "u64") return integer_value(member, here, 8, false);
    if (key == "f64") return float_value(member, here, DType::F64);
    if (key == "f32") return float_value(member, here, DType::F32);
    if (key == "f16") return float_value(member, here, DType::F16);
    if (key == "bf16") return float_value(member, here, DType::BF16);
    if (key == "bytes") return hex_value(member, here);
    place.fail(fmt::format(
        "has an unknown kind '{}' (buffer, i32, u32, i64, u64, f16, bf16, f32, f64, bytes)", printable(key)));
  }
  place.fail("has no value");
}

LaunchValue value_of(const Json& json, const Place& place, bool in_block) {
  LaunchValue value;
  if (json.is_number_integer()) {
    value = integer_value(json, place, 8, true);
    value.untyped = true;
  } else if (!json.is_object()) {
    place.fail(
        R"(is neither a whole number nor an object like {"f32": 1.5} or {"buffer": "a", "bytes": 64})");
  } else {
    value =
        json.contains("buffer") ? buffer_value(json, place, in_block) : typed_value(json, place, in_block);
  }
  value.place = place.member;
  return value;
}

uint64_t bytes_in_block(const LaunchField& field) {
  return field.value.buffer ? 8 : field.value.bytes.size();
}

// Two fields on one byte are a mistake: which of them would count?
void require_apart(const LaunchFile& launch, const Place& place) {
  std::vector<const LaunchField*> order;
  for (const LaunchField& field : launch.fields) order.push_back(&field);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->offset < b->offset; });
  for (size_t i = 1; i < order.size(); ++i) {
    const LaunchField &before = *order[i - 1], &after = *order[i];
    if (before.offset + bytes_in_block(before) <= after.offset) continue;
    place.fail(fmt::format("has fields that overlap: '{}' (bytes {} to {}) and '{}' (from byte {})",
                           before.value.place, before.offset, before.offset + bytes_in_block(before) - 1,
                           after.value.place, after.offset));
  }
}

void read_kernarg(const Json& json, const Place& place, LaunchFile& launch) {
  require_object(json, place);
  require_known(json, place, {"bytes", "fields"});
  if (!json.contains("bytes")) place.fail("has no 'bytes'");
  launch.kernarg_bytes = unsigned_of(json["bytes"], place.in("bytes"), 65536);
  if (!json.contains("fields")) return;
  if (!json["fields"].is_array()) place.in("fields").fail("is not a list");
  for (size_t i = 0; i < json["fields"].size(); ++i) {
    const Json& field = json["fields"][i];
    const Place here = place.in("fields").at(i);
    require_object(field, here);
    if (!field.contains("offset")) here.fail("has no 'offset'");
    LaunchField out{unsigned_of(field["offset"], here.in("offset"), 65536), value_of(field, here, true)};
    const uint64_t end = out.offset + bytes_in_block(out);
    if (end > *launch.kernarg_bytes) {
      here.fail(fmt::format("reaches to byte {} of a block of {}", end, *launch.kernarg_bytes));
    }
    launch.fields.push_back(std::move(out));
  }
  require_apart(launch, place);
}

ArrayTarget target_of(const std::string& file, const std::string& buffer, const Place& place) {
  try {
    return parse_array_target(file, buffer);
  } catch (const Error& error) {
    throw FileError(place.file, fmt::format("'{}': {}", printable(place.in(buffer).member), error.what()));
  }
}

void read_outputs(const Json& json, const Place& place, LaunchFile& launch) {
  require_object(json, place);
  std::map<std::pair<std::string, std::string>, std::string> taken;  // file and tensor -> buffer
  for (const auto& [buffer, value] : json.items()) {
    require_no_control(buffer, place);
    const std::string file = text_of(value, place.in(buffer));
    if (file.empty()) place.in(buffer).fail("is an empty name");
    const ArrayTarget target = target_of(file, buffer, place);
    const std::string path = std::filesystem::path(target.path).lexically_normal().string();
    const auto [at, fresh] = taken.emplace(std::pair(path, target.tensor), buffer);
    if (!fresh) place.in(buffer).fail(fmt::format("goes to '{}', as '{}' does", file, at->second));
    launch.outputs[buffer] = file;
  }
}

void read_values(const Json& json, const Place& root, LaunchFile& launch) {
  if (json.contains("args") && json.contains("kernarg")) root.fail("has both 'args' and 'kernarg'");
  if (json.contains("args")) {
    const Place here = root.in("args");
    if (!json["args"].is_array()) here.fail("is not a list");
    for (size_t i = 0; i < json["args"].size(); ++i) {
      launch.arguments.push_back(value_of(json["args"][i], here.at(i), false));
    }
  }
  if (json.contains("kernarg")) read_kernarg(json["kernarg"], root.in("kernarg"), launch);
  if (json.contains("outputs")) read_outputs(json["outputs"], root.in("outputs"), launch);
}

// The document; what is wrong with it as an error of the file.
Json document(const std::string& text, const std::string& name) {
  try {
    return parse_json(text, kMaxDepth);
  } catch (const JsonProblem& problem) {
    if (problem.syntax)
      throw FileError(name, problem.offset, std::string("not valid JSON: ") + problem.what());
    throw FileError(name, problem.what());
  }
}

OrderedJson value_json(const LaunchValue& value) {
  if (!value.buffer) {
    std::string hex;
    for (const uint8_t byte : value.bytes) hex += fmt::format("{:02x}", byte);
    if (value.integer && value.bytes.size() == 4) return {{"i32", *value.integer}};
    if (value.integer) return {{"i64", *value.integer}};
    return {{"bytes", hex}};
  }
  const LaunchBuffer& buffer = *value.buffer;
  OrderedJson json = {{"buffer", buffer.name}};
  if (buffer.bytes) json["bytes"] = *buffer.bytes;
  if (!buffer.file.empty()) {
    json["file"] = buffer.file;
  } else {
    json["fill"] = buffer.zero ? "zero" : "poison";
  }
  return json;
}

}  // namespace

LaunchFile parse_launch_file(const std::string& text, const std::string& name) {
  const Place root{name, ""};
  const Json json = document(text, name);
  require_object(json, root);
  require_known(
      json, root,
      {"code_object", "kernel", "grid", "grid_items", "block", "dynamic_lds", "args", "kernarg", "outputs"});
  LaunchFile launch;
  launch.name = name;
  if (!json.contains("code_object")) root.fail("has no 'code_object'");
  launch.code_object = text_of(json["code_object"], root.in("code_object"));
  if (launch.code_object.empty()) root.in("code_object").fail("is an empty name");
  if (json.contains("kernel")) launch.kernel = text_of(json["kernel"], root.in("kernel"));
  if (json.contains("grid") && json.contains("grid_items")) root.fail("has both 'grid' and 'grid_items'");
  if (json.contains("grid")) launch.grid = extent_of(json["grid"], root.in("grid"));
  if (json.contains("grid_items")) launch.grid_items = extents_of(json["grid_items"], root.in("grid_items"));
  if (json.contains("block")) launch.block = extent_of(json["block"], root.in("block"));
  if (json.contains("dynamic_lds")) {
    launch.dynamic_lds =
        static_cast<uint32_t>(unsigned_of(json["dynamic_lds"], root.in("dynamic_lds"), 1u << 30));
  }
  read_values(json, root, launch);
  return launch;
}

std::array<uint32_t, 3> three_extents(const std::vector<uint32_t>& extents) {
  std::array<uint32_t, 3> three{1, 1, 1};
  std::copy(extents.begin(), extents.end(), three.begin());
  return three;
}

LaunchFile read_launch_file(const std::filesystem::path& path) {
  LaunchFile launch = parse_launch_file(read_text(path), path.string());
  launch.directory = path.parent_path();
  return launch;
}

std::string launch_file_text(const LaunchFile& launch) {
  OrderedJson json;
  json["code_object"] = launch.code_object;
  json["kernel"] = launch.kernel;
  if (launch.grid_items.empty()) {
    json["grid"] = launch.grid;
  } else {
    json["grid_items"] = launch.grid_items;
  }
  json["block"] = launch.block;
  json["dynamic_lds"] = launch.dynamic_lds;
  if (launch.kernarg_bytes) {
    json["kernarg"] = {{"bytes", *launch.kernarg_bytes}, {"fields", OrderedJson::array()}};
  } else {
    json["args"] = OrderedJson::array();
    for (const LaunchValue& value : launch.arguments) json["args"].push_back(value_json(value));
  }
  json["outputs"] = OrderedJson::object();
  for (const auto& [buffer, file] : launch.outputs) json["outputs"][buffer] = file;
  // Names may come from a code object, whose metadata nothing forces to be UTF-8.
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

namespace {

// A member of Triton's JSON; `fallback` when it is not there.
uint32_t triton_number(const Json& json, const Place& place, const char* key, uint32_t fallback) {
  if (!json.contains(key)) return fallback;
  return static_cast<uint32_t>(unsigned_of(json[key], place.in(key), std::numeric_limits<uint32_t>::max()));
}

}  // namespace

std::optional<TritonMetadata> read_triton_metadata(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return std::nullopt;
  const std::string file = path.string();
  const Json json = document(read_text(path), file);
  if (!json.is_object() || !json.contains("num_warps")) return std::nullopt;
  const Place root{file, ""};
  TritonMetadata metadata;
  if (json.contains("name")) metadata.name = text_of(json["name"], root.in("name"));
  uint32_t warp = triton_number(json, root, "warp_size", 64);
  if (json.contains("target") && json["target"].is_object()) {
    warp = triton_number(json["target"], root.in("target"), "warp_size", warp);
  }
  const uint64_t threads = uint64_t{triton_number(json, root, "num_warps", 1)} * warp;
  constexpr uint64_t kMostThreads = 1024;  // work-items of a workgroup
  if (threads == 0 || threads > kMostThreads) {
    root.in("num_warps")
        .fail(fmt::format("of {} lanes makes {} threads; a workgroup has 1 to {}", warp, threads,
                          kMostThreads));
  }
  metadata.threads = static_cast<uint32_t>(threads);
  metadata.shared = triton_number(json, root, "shared", 0);
  return metadata;
}

}  // namespace wavetwin::golden
