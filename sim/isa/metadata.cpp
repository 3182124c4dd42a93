// SPDX-License-Identifier: MIT
#include "sim/isa/metadata.h"

#include <nlohmann/json.hpp>

#include "sim/core/error.h"
#include "sim/isa/byte_reader.h"

namespace wavetwin::isa {
namespace {

using Json = nlohmann::json;

constexpr unsigned kMaxDepth = 32;
constexpr uint32_t kMaxKernargBytes = 1u << 16;

// Looks at the structure only: nesting deeper than any metadata would exhaust the parser's stack.
class DepthCheck : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool key(string_t&) override { return true; }
  bool start_object(size_t) override { return ++depth_ <= kMaxDepth; }
  bool end_object() override { return --depth_, true; }
  bool start_array(size_t) override { return ++depth_ <= kMaxDepth; }
  bool end_array() override { return --depth_, true; }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  unsigned depth_ = 0;
};

// Reads typed members of one map; every complaint names the map and the key.
class MapReader {
 public:
  MapReader(const Json& map, std::string where, const std::string& file, uint64_t offset)
      : map_(map), where_(std::move(where)), file_(file), offset_(offset) {
    if (!map_.is_object()) fail("is not a map");
  }

  std::string text(const char* key, bool required = false) const {
    const auto it = find(key, required);
    if (it == map_.end()) return {};
    if (!it->is_string()) fail(std::string("'") + key + "' is not a string");
    return it->get<std::string>();
  }

  uint32_t number(const char* key, uint32_t fallback, bool required = false) const {
    const auto it = find(key, required);
    if (it == map_.end()) return fallback;
    if (!it->is_number_unsigned() || it->get<uint64_t>() > 0xffffffffu) {
      fail(std::string("'") + key + "' is not an unsigned 32-bit number");
    }
    return it->get<uint32_t>();
  }

  bool boolean(const char* key) const {
    const auto it = find(key, false);
    return it != map_.end() && it->is_boolean() && it->get<bool>();
  }

  const Json* array(const char* key, bool required) const {
    const auto it = find(key, required);
    if (it == map_.end()) return nullptr;
    if (!it->is_array()) fail(std::string("'") + key + "' is not an array");
    return &*it;
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw FileError(file_, offset_, ByteReader::one_line("metadata: " + where_ + " " + reason));
  }

 private:
  Json::const_iterator find(const char* key, bool required) const {
    const auto it = map_.find(key);
    if (it == map_.end() && required) fail(std::string("has no '") + key + "'");
    return it;
  }

  const Json& map_;
  std::string where_;
  const std::string& file_;
  uint64_t offset_;
};

KernelArgumentInfo read_argument(const MapReader& map) {
  KernelArgumentInfo a;
  a.name = map.text(".name");
  a.type_name = map.text(".type_name");
  a.kind = map.text(".value_kind", true);
  a.address_space = map.text(".address_space");
  a.offset = map.number(".offset", 0, true);
  a.size = map.number(".size", 0, true);
  if (uint64_t{a.offset} + a.size > kMaxKernargBytes) map.fail("reaches past any kernarg block");
  return a;
}

KernelMetadata read_kernel(const MapReader& map, const std::string& file, uint64_t offset) {
  KernelMetadata k;
  k.name = map.text(".name", true);
  k.descriptor_symbol = map.text(".symbol");
  if (k.descriptor_symbol.empty()) k.descriptor_symbol = k.name + ".kd";
  k.kind = map.text(".kind");
  k.kernarg_size = map.number(".kernarg_segment_size", 0);
  k.group_segment_fixed_size = map.number(".group_segment_fixed_size", 0);
  k.private_segment_fixed_size = map.number(".private_segment_fixed_size", 0);
  k.wavefront_size = map.number(".wavefront_size", 64);
  k.max_flat_workgroup_size = map.number(".max_flat_workgroup_size", 1024);
  k.vgpr_count = map.number(".vgpr_count", 0);
  k.agpr_count = map.number(".agpr_count", 0);
  k.sgpr_count = map.number(".sgpr_count", 0);
  k.dynamic_stack = map.boolean(".uses_dynamic_stack");
  k.uniform_workgroups = map.number(".uniform_work_group_size", 0) != 0;
  if (k.kernarg_size > kMaxKernargBytes) map.fail("has a kernarg block above 64 KiB");
  if (const Json* size = map.array(".reqd_workgroup_size", false); size && size->size() == 3) {
    std::array<uint32_t, 3> required{};
    for (size_t i = 0; i < 3; ++i) {
      if (!(*size)[i].is_number_unsigned()) map.fail("'.reqd_workgroup_size' is not three numbers");
      required[i] = (*size)[i].get<uint32_t>();
    }
    k.required_workgroup_size = required;
  }
  if (const Json* arguments = map.array(".args", false)) {
    for (size_t i = 0; i < arguments->size(); ++i) {
      const std::string where = "kernel '" + k.name + "', argument " + std::to_string(i) + ",";
      k.arguments.push_back(read_argument(MapReader((*arguments)[i], where, file, offset)));
    }
  }
  return k;
}

}  // namespace

Metadata parse_metadata(std::span<const uint8_t> bytes, const std::string& file, uint64_t offset) {
  DepthCheck depth;
  if (!Json::sax_parse(bytes.begin(), bytes.end(), &depth, Json::input_format_t::msgpack, false)) {
    throw FileError(file, offset, "the metadata note is not valid MessagePack");
  }
  const Json root = Json::from_msgpack(bytes.begin(), bytes.end(), false, false);
  const MapReader map(root, "the root", file, offset);
  Metadata metadata;
  metadata.target = map.text("amdhsa.target");
  if (const Json* kernels = map.array("amdhsa.kernels", false)) {
    for (size_t i = 0; i < kernels->size(); ++i) {
      const MapReader kernel((*kernels)[i], "kernel " + std::to_string(i), file, offset);
      metadata.kernels.push_back(read_kernel(kernel, file, offset));
    }
  }
  if (const Json* formats = map.array("amdhsa.printf", false)) {
    for (const Json& format : *formats) {
      if (!format.is_string()) map.fail("has a format in 'amdhsa.printf' that is not a string");
      metadata.printf_formats.push_back(format.get<std::string>());
    }
  }
  return metadata;
}

}  // namespace wavetwin::isa
