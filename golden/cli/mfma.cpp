// SPDX-License-Identifier: MIT
// `wavetwin mfma`: one MFMA instruction on logical matrices from a file.
#include "sim/numerics/mfma.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/cli/command.h"
#include "golden/harness/compare.h"
#include "golden/harness/model.h"
#include "golden/io/file.h"
#include "golden/io/safetensors.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

struct Options {
  std::string instruction, a_format, b_format, model, input, output;
  std::vector<std::string> settings;
};

// Matrices of one file, one code an element in the low bits.
struct Matrices {
  uint64_t batch = 0;
  std::vector<uint64_t> a, b, c;
  std::vector<uint8_t> scale_a, scale_b;  // empty: 1.0
};

// The safetensors types that hold a format: its own, and U8 codes for the 8-bit and narrower ones.
std::vector<DType> dtypes_of(FormatId format) {
  switch (format) {
    case FormatId::e4m3:
      return {DType::F8_E4M3, DType::U8};
    case FormatId::e5m2:
      return {DType::F8_E5M2, DType::U8};
    case FormatId::bf16:
      return {DType::BF16};
    case FormatId::f16:
      return {DType::F16};
    case FormatId::f32:
      return {DType::F32};
    case FormatId::f64:
      return {DType::F64};
    case FormatId::i8:
      return {DType::I8};
    case FormatId::i32:
      return {DType::I32};
    default:
      return {DType::U8};
  }
}

std::string names_of(const std::vector<DType>& dtypes) {
  std::string text;
  for (const DType dtype : dtypes) text += (text.empty() ? "" : " or ") + std::string(to_string(dtype));
  return text;
}

class MatrixReader {
 public:
  explicit MatrixReader(const SafetensorsFile& file) : file_(file) {}

  uint64_t batch() const { return batch_; }
  bool has(const char* name) const { return file_.tensors().contains(name); }

  // [batch, rows, columns] of one of the types; the first tensor read sets the batch.
  Tensor read(const char* name, const std::vector<DType>& dtypes, uint64_t rows, uint64_t columns) {
    Tensor tensor = file_.read(name);
    if (std::find(dtypes.begin(), dtypes.end(), tensor.dtype) == dtypes.end()) {
      fail(name, fmt::format("is {}, not {}", to_string(tensor.dtype), names_of(dtypes)));
    }
    const bool fits = tensor.shape.size() == 3 && tensor.shape[1] == rows && tensor.shape[2] == columns;
    if (!fits || (batch_ != 0 && tensor.shape[0] != batch_)) {
      fail(name, fmt::format("has shape {}, not [{},{},{}]", to_string(tensor.shape),
                             batch_ == 0 ? "batch" : std::to_string(batch_), rows, columns));
    }
    if (tensor.shape[0] == 0) fail(name, "has batch 0");
    batch_ = tensor.shape[0];
    return tensor;
  }

  // Codes of a format, checked to fit its width.
  std::vector<uint64_t> codes(const char* name, FormatId format, uint64_t rows, uint64_t columns) {
    const Tensor tensor = read(name, dtypes_of(format), rows, columns);
    const unsigned bits = format_info(format).bits;
    std::vector<uint64_t> codes(tensor.elements());
    for (uint64_t i = 0; i < codes.size(); ++i) {
      codes[i] = tensor.bits(i);
      if (bits < 8 && codes[i] >> bits != 0) {
        fail(name, fmt::format("code 0x{:02x} at element {} {} has more than the {} bits of {}", codes[i], i,
                               position_text(unravel(tensor.shape, i)), bits, to_string(format)));
      }
    }
    return codes;
  }

  std::vector<uint8_t> scales(const char* name, uint64_t rows, uint64_t blocks) {
    const Tensor tensor = read(name, {DType::F8_E8M0, DType::U8}, rows, blocks);
    const auto bytes = tensor.view<uint8_t>();
    return {bytes.begin(), bytes.end()};
  }

  [[noreturn]] void fail(const char* name, const std::string& why) const {
    throw FileError(file_.path(), fmt::format("tensor '{}' {}", name, why));
  }

 private:
  const SafetensorsFile& file_;
  uint64_t batch_ = 0;
};

FormatId chosen_format(const char* option, const std::string& name, FormatId own, bool free_choice) {
  if (name.empty()) return own;
  const auto format = parse_format(name);
  if (!format) throw Error(fmt::format("{} {}: unknown format", option, name));
  const bool in_instruction = format_info(*format).f8f6f4_code >= 0;
  if (free_choice ? !in_instruction : *format != own) {
    throw Error(fmt::format("{} {}: this instruction reads {}", option, name,
                            free_choice ? "e4m3, e5m2, e2m3, e3m2 or e2m1" : to_string(own)));
  }
  return *format;
}

Matrices read_matrices(const SafetensorsFile& file, const mfma::Shape& shape, FormatId a_format,
                       FormatId b_format, DType c_dtype) {
  MatrixReader reader(file);
  Matrices in;
  in.a = reader.codes("a", a_format, shape.m, shape.k);
  in.b = reader.codes("b", b_format, shape.k, shape.n);
  const Tensor c = reader.read("c", {c_dtype}, shape.m, shape.n);
  for (uint64_t i = 0; i < c.elements(); ++i) in.c.push_back(c.bits(i));
  in.batch = reader.batch();
  const uint64_t blocks = shape.k / mfma::kScaleBlock;
  for (const auto& [name, info] : file.tensors()) {
    const bool known = name == "a" || name == "b" || name == "c" || name == "scale_a" || name == "scale_b";
    if (!known) reader.fail(name.c_str(), "is none of a, b, c, scale_a, scale_b");
  }
  for (const char* name : {"scale_a", "scale_b"}) {
    if (reader.has(name) && !shape.scaled)
      reader.fail(name, fmt::format("does not go with {}, which has no scales", shape.name));
  }
  if (reader.has("scale_a")) in.scale_a = reader.scales("scale_a", shape.m, blocks);
  if (reader.has("scale_b")) in.scale_b = reader.scales("scale_b", shape.n, blocks);
  return in;
}

// One matrix of a batch; an empty batch stays empty.
template <class T>
std::span<const T> matrix(const std::vector<T>& all, uint64_t batch, uint64_t index) {
  const uint64_t elements = all.size() / batch;
  return std::span(all).subspan(index * elements, elements);
}

Tensor multiply(const mfma::MfmaModel& model, const mfma::Shape& shape, FormatId a_format, FormatId b_format,
                const Matrices& in, DType d_dtype) {
  Tensor result(d_dtype, {in.batch, shape.m, shape.n});
  std::vector<uint64_t> d(static_cast<size_t>(shape.m) * shape.n);
  for (uint64_t i = 0; i < in.batch; ++i) {
    mfma::mfma(model, shape, a_format, b_format,
               {matrix(in.a, in.batch, i), matrix(in.b, in.batch, i), matrix(in.c, in.batch, i),
                matrix(in.scale_a, in.batch, i), matrix(in.scale_b, in.batch, i), d});
    for (size_t e = 0; e < d.size(); ++e) {
      const uint64_t bytes = size_of(d_dtype);
      std::memcpy(result.data.data() + (i * d.size() + e) * bytes, &d[e], bytes);
    }
  }
  return result;
}

const mfma::Shape& shape_named(const std::string& name) {
  if (const mfma::Shape* shape = mfma::find_shape(name)) return *shape;
  throw Error(fmt::format("unknown instruction '{}' (`wavetwin list --mfma` shows them)", name));
}

void run(const Options& options) {
  const mfma::Shape& shape = shape_named(options.instruction);
  const mfma::MfmaModel model = make_model(options.model, options.settings);
  const bool any_format = shape.input == mfma::InputClass::f8f6f4;
  const FormatId a_format =
      chosen_format("--a-format", options.a_format, mfma::a_format_of(model, shape), any_format);
  const FormatId b_format =
      chosen_format("--b-format", options.b_format, mfma::b_format_of(model, shape), any_format);
  const DType d_dtype = shape.input == mfma::InputClass::f64  ? DType::F64
                        : shape.input == mfma::InputClass::i8 ? DType::I32
                                                              : DType::F32;
  const Matrices in = read_matrices(SafetensorsFile::open(options.input), shape, a_format, b_format, d_dtype);
  require_output(options.output, options.input);
  const Evidence evidence = mfma::arithmetic_evidence(shape, model);
  const Tensor d = multiply(model, shape, a_format, b_format, in, d_dtype);
  write_safetensors(options.output, {{"d", d}},
                    {{"instruction", shape.name},
                     {"a_format", to_string(a_format)},
                     {"b_format", to_string(b_format)},
                     {"model", model_text(model)},
                     {"evidence", wavetwin::to_string(evidence)}});
  fmt::print("{} {} x {}, batch {}, model {}\nevidence {}: {}\n", shape.name, to_string(a_format),
             to_string(b_format), in.batch, model.describe(), wavetwin::to_string(evidence),
             mfma::arithmetic_source(shape, model));
}

std::string option_help() {
  std::string text = "Options of the model (--set NAME=VALUE):\n";
  for (const mfma::OptionInfo& option : mfma::option_list()) {
    text += fmt::format("  {:<20} {:<28} {}\n", option.name, option.values, option.meaning);
  }
  return text;
}

}  // namespace

void add_mfma(CLI::App& app, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "mfma",
      "Run one MFMA instruction on matrices: a [batch,M,K], b [batch,K,N], c [batch,M,N] and, for scaled "
      "instructions,\n"
      "scale_a [batch,M,K/32], scale_b [batch,N,K/32] (F8_E8M0 or U8; left out: 1.0); writes d [batch,M,N].\n"
      "BF16, F16, F32, F64, I8, F8_E4M3 and F8_E5M2 are native dtypes; e2m3, e3m2, e2m1, e4m3fnuz and "
      "e5m2fnuz are U8\n"
      "with one code an element. M, N, K are those of the instruction");
  command->add_option("--instruction", options->instruction, "v_mfma_scale_f32_16x16x128_f8f6f4, ...")
      ->required();
  command->add_option("--a-format", options->a_format, "Format of A in f8f6f4 instructions (default e4m3)");
  command->add_option("--b-format", options->b_format, "Format of B in f8f6f4 instructions (default e4m3)");
  command->add_option("--model", options->model, "Preset of the arithmetic: " + model_preset_names())
      ->type_name("PRESET");
  command
      ->add_option("--set", options->settings,
                   "Change one option of the preset; a list with commas, or repeated")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->type_name("OPTION=VALUE");
  command->add_option("input", options->input, "IN.safetensors")->required();
  command->add_option("output", options->output, "OUT.safetensors")->required();
  command->footer(option_help);
  command->callback([options] { run(*options); });
}

}  // namespace wavetwin::golden
