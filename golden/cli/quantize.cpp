// SPDX-License-Identifier: MIT
// `wavetwin quantize`: float tensors to MX codes and E8M0 scales.
#include <fmt/format.h>

#include "common/format/format_id.h"
#include "common/format/mx_block.h"
#include "golden/cli/command.h"
#include "golden/io/file.h"
#include "golden/io/printable.h"
#include "golden/io/safetensors.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

struct Options {
  std::string format = "e4m3", rule = "floor", input, output;
  uint64_t block = 32;
};

// What the options say, checked.
struct Quantizer {
  FormatId format;
  ScaleRule rule;
  uint64_t block;

  const FloatFormat& element() const { return *format_info(format).float_format; }
  DType code_dtype() const {
    if (format == FormatId::e4m3) return DType::F8_E4M3;
    return format == FormatId::e5m2 ? DType::F8_E5M2 : DType::U8;
  }
};

Quantizer make_quantizer(const Options& options) {
  const auto format = parse_format(options.format);
  if (!format || format_info(*format).f8f6f4_code < 0) {
    throw Error("--format " + options.format + ": e4m3, e5m2, e2m3, e3m2 or e2m1");
  }
  const auto rule = parse_scale_rule(options.rule);
  if (!rule) throw Error("--scale-rule " + options.rule + ": floor, rceil, ceil, even or vllm_rocm");
  if (options.block == 0) throw Error("--block 0: a block has at least one element");
  const Quantizer quantizer{*format, *rule, options.block};
  if (!supports(*rule, quantizer.element())) {
    throw Error(fmt::format("--scale-rule {} is not defined for {}", options.rule, options.format));
  }
  return quantizer;
}

bool is_quantizable(DType dtype) {
  return dtype == DType::F32 || dtype == DType::BF16 || dtype == DType::F16;
}

// Blocks lie along the last dimension.
void quantize_tensor(const Quantizer& quantizer, const std::string& file, const std::string& name,
                     const Tensor& tensor, Tensors& out) {
  if (tensor.shape.empty() || tensor.shape.back() % quantizer.block != 0) {
    throw FileError(file, fmt::format("tensor '{}': the last extent of {} is not a multiple of the block {}",
                                      printable(name), to_string(tensor.shape), quantizer.block));
  }
  Shape scale_shape = tensor.shape;
  scale_shape.back() /= quantizer.block;
  Tensor codes(quantizer.code_dtype(), tensor.shape), scales(DType::F8_E8M0, scale_shape);
  std::vector<float> values(quantizer.block);
  for (uint64_t b = 0; b < scales.elements(); ++b) {
    for (uint64_t i = 0; i < quantizer.block; ++i) {
      values[i] =
          static_cast<float>(tensor.value(b * quantizer.block + i));  // exact: no type is wider than f32
    }
    uint8_t* block_codes = codes.view<uint8_t>().data() + b * quantizer.block;
    scales.view<uint8_t>()[b] =
        quantize_block(quantizer.rule, quantizer.element(), values.data(), quantizer.block, block_codes).bits;
  }
  const auto add = [&](const std::string& key, Tensor value) {
    if (!out.emplace(key, std::move(value)).second) {
      throw FileError(file, fmt::format("tensor '{}': the output would hold '{}' twice", printable(name),
                                        printable(key)));
    }
  };
  add(name, std::move(codes));
  add(name + "_scale", std::move(scales));
}

void run(const Options& options) {
  const Quantizer quantizer = make_quantizer(options);
  const auto file = SafetensorsFile::open(options.input);
  require_output(options.output, options.input);
  Tensors out;
  uint64_t quantized = 0;
  for (const auto& [name, info] : file.tensors()) {
    if (!is_quantizable(info.dtype)) {
      fmt::print("{}: {} left out, only F32, BF16 and F16 are quantised\n", printable(name),
                 to_string(info.dtype));
      continue;
    }
    quantize_tensor(quantizer, file.path(), name, file.read(name), out);
    ++quantized;
  }
  if (quantized == 0) throw FileError(file.path(), "no F32, BF16 or F16 tensor to quantise");
  write_safetensors(
      options.output, out,
      {{"format", options.format}, {"scale_rule", options.rule}, {"block", std::to_string(options.block)}});
  fmt::print("{} tensors quantised to {} in blocks of {}, scale rule {}\n", quantized, options.format,
             options.block, options.rule);
}

}  // namespace

void add_quantize(CLI::App& app, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "quantize",
      "Quantise tensors to MX blocks: each F32, BF16 or F16 tensor X becomes codes X (F8_E4M3, F8_E5M2, or "
      "U8 with one\n"
      "4- or 6-bit code an element) and X_scale (F8_E8M0), with blocks along the last dimension");
  command->add_option("--format", options->format, "e4m3, e5m2, e2m3, e3m2 or e2m1")->capture_default_str();
  command
      ->add_option("--scale-rule", options->rule,
                   "floor (OCP), rceil, ceil, even as torchao and AITER name them, or vllm_rocm (e4m3 only)")
      ->capture_default_str();
  command->add_option("--block", options->block, "Elements that share a scale")
      ->check(whole_number())
      ->capture_default_str();
  command->add_option("input", options->input, "IN.safetensors")->required();
  command->add_option("output", options->output, "OUT.safetensors")->required();
  command->callback([options] { run(*options); });
}

}  // namespace wavetwin::golden
