// SPDX-License-Identifier: MIT
#include "golden/io/launch_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "golden/io/file.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

using Json = nlohmann::ordered_json;

// Where one is in the file, for errors.
struct Place {
  const std::string& file;
  std::string member;

  Place in(const std::string& name) const { return {file, member.empty() ? name : member + "." + name}; }
  Place at(size_t index) const { return {file, member + "[" + std::to_string(index) + "]"}; }
  [[noreturn]] void fail(const std::string& reason) const {
    throw FileError(file, (member.empty() ? std::string("the launch") : "'" + member + "'") + " " + reason);
  }
};

uint64_t unsigned_of(const Json& json, const Place& place, uint64_t limit) {
  if (!json.is_number_unsigned() || json.get<uint64_t>() > limit) {
    place.fail(fmt::format("is not a whole number from 0 to {}", limit));
  }
  return json.get<uint64_t>();
}

std::string text_of(const Json& json, const Place& place) {
  if (!json.is_string()) place.fail("is not text");
  return json.get<std::string>();
}

void require_object(const Json& json, const Place& place) {
  if (!json.is_object()) place.fail("is not an object");
}

void require_known(const Json& json, const Place& place, std::initializer_list<const char*> known) {
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      place.fail(fmt::format("has an unknown member '{}' (it may have: {})", key, fmt::join(known, ", ")));
    }
  }
}

// One to three numbers, missing ones are 1.
std::array<uint32_t, 3> extent_of(const Json& json, const Place& place) {
  if (!json.is_array() || json.empty() || json.size() > 3)
    place.fail("is not a list of one to three numbers");
  std::array<uint32_t, 3> extent{1, 1, 1};
  for (size_t i = 0; i < json.size(); ++i) {
    extent[i] = static_cast<uint32_t>(unsigned_of(json[i], place.at(i), 0xffffffffu));
  }
  return extent;
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

LaunchValue float_value(const Json& json, const Place& place, DType dtype) {
  if (!json.is_number()) place.fail("is not a number");
  LaunchValue value;
  value.bytes = little_endian(encode_element(dtype, json.get<double>()), size_of(dtype));
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

LaunchValue buffer_value(const Json& json, const Place& place) {
  require_known(json, place, {"buffer", "bytes", "file", "fill", "address", "dtype", "shape", "offset"});
  LaunchBuffer buffer;
  buffer.name = text_of(json["buffer"], place.in("buffer"));
  if (json.contains("bytes")) buffer.bytes = unsigned_of(json["bytes"], place.in("bytes"), uint64_t{1} << 46);
  if (json.contains("file")) buffer.file = text_of(json["file"], place.in("file"));
  if (json.contains("address"))
    buffer.address = unsigned_of(json["address"], place.in("address"), uint64_t{1} << 46);
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
      buffer.shape->push_back(unsigned_of(extent, place.in("shape"), uint64_t{1} << 46));
    }
  }
  LaunchValue value;
  value.buffer = std::move(buffer);
  return value;
}

LaunchValue value_of(const Json& json, const Place& place, bool in_block) {
  if (json.is_number_integer()) {
    LaunchValue value = integer_value(json, place, 8, true);
    value.untyped = true;
    return value;
  }
  require_object(json, place);
  if (json.contains("buffer")) return buffer_value(json, place);
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
        "has an unknown kind '{}' (buffer, i32, u32, i64, u64, f16, bf16, f32, f64, bytes)", key));
  }
  place.fail("is empty");
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
    const uint64_t bytes = out.value.buffer ? 8 : out.value.bytes.size();
    if (out.offset + bytes > *launch.kernarg_bytes) {
      here.fail(
          fmt::format("reaches to byte {} of a block of {}", out.offset + bytes, *launch.kernarg_bytes));
    }
    launch.fields.push_back(std::move(out));
  }
}

Json value_json(const LaunchValue& value) {
  if (!value.buffer) {
    std::string hex;
    for (const uint8_t byte : value.bytes) hex += fmt::format("{:02x}", byte);
    if (value.integer && value.bytes.size() == 4) return {{"i32", *value.integer}};
    if (value.integer) return {{"i64", *value.integer}};
    return {{"bytes", hex}};
  }
  const LaunchBuffer& buffer = *value.buffer;
  Json json = {{"buffer", buffer.name}};
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
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw FileError(name, error.byte, std::string("not valid JSON: ") + error.what());
  }
  require_object(json, root);
  require_known(json, root,
                {"code_object", "kernel", "grid", "block", "dynamic_lds", "args", "kernarg", "outputs"});
  LaunchFile launch;
  if (!json.contains("code_object")) root.fail("has no 'code_object'");
  launch.code_object = text_of(json["code_object"], root.in("code_object"));
  if (json.contains("kernel")) launch.kernel = text_of(json["kernel"], root.in("kernel"));
  if (json.contains("grid")) launch.grid = extent_of(json["grid"], root.in("grid"));
  if (json.contains("block")) launch.block = extent_of(json["block"], root.in("block"));
  if (json.contains("dynamic_lds")) {
    launch.dynamic_lds =
        static_cast<uint32_t>(unsigned_of(json["dynamic_lds"], root.in("dynamic_lds"), 1u << 30));
  }
  if (json.contains("args") && json.contains("kernarg")) root.fail("has both 'args' and 'kernarg'");
  if (json.contains("args")) {
    const Place here = root.in("args");
    if (!json["args"].is_array()) here.fail("is not a list");
    for (size_t i = 0; i < json["args"].size(); ++i) {
      launch.arguments.push_back(value_of(json["args"][i], here.at(i), false));
    }
  }
  if (json.contains("kernarg")) read_kernarg(json["kernarg"], root.in("kernarg"), launch);
  if (json.contains("outputs")) {
    const Place here = root.in("outputs");
    require_object(json["outputs"], here);
    for (const auto& [buffer, file] : json["outputs"].items())
      launch.outputs[buffer] = text_of(file, here.in(buffer));
  }
  return launch;
}

LaunchFile read_launch_file(const std::filesystem::path& path) {
  LaunchFile launch = parse_launch_file(read_text(path), path.string());
  launch.directory = path.parent_path();
  return launch;
}

std::string launch_file_text(const LaunchFile& launch) {
  Json json;
  json["code_object"] = launch.code_object;
  json["kernel"] = launch.kernel;
  json["grid"] = launch.grid;
  json["block"] = launch.block;
  json["dynamic_lds"] = launch.dynamic_lds;
  if (launch.kernarg_bytes) {
    json["kernarg"] = {{"bytes", *launch.kernarg_bytes}, {"fields", Json::array()}};
  } else {
    json["args"] = Json::array();
    for (const LaunchValue& value : launch.arguments) json["args"].push_back(value_json(value));
  }
  json["outputs"] = Json::object();
  for (const auto& [buffer, file] : launch.outputs) json["outputs"][buffer] = file;
  return json.dump(2) + "\n";
}

std::optional<TritonMetadata> read_triton_metadata(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  const Json json = Json::parse(read_text(path), nullptr, false);
  if (!json.is_object() || !json.contains("num_warps") || !json["num_warps"].is_number_unsigned())
    return std::nullopt;
  TritonMetadata metadata;
  const auto number = [](const Json& object, const char* key, uint32_t fallback) {
    return object.is_object() && object.contains(key) && object[key].is_number_unsigned()
               ? object[key].get<uint32_t>()
               : fallback;
  };
  if (json.contains("name") && json["name"].is_string()) metadata.name = json["name"].get<std::string>();
  uint32_t warp = number(json, "warp_size", 64);
  if (json.contains("target")) warp = number(json["target"], "warp_size", warp);
  metadata.threads = number(json, "num_warps", 1) * warp;
  metadata.shared = number(json, "shared", 0);
  return metadata;
}

}  // namespace wavetwin::golden
