// SPDX-License-Identifier: MIT
// `wavetwin layout convert`: tensors from one memory layout to another, and tensors that claim to be in one.
#include <fmt/format.h>

#include "golden/cli/layout_part.h"
#include "golden/cli/layout_tensors.h"
#include "golden/cli/memory_options.h"
#include "golden/io/file.h"
#include "golden/io/safetensors.h"
#include "golden/layout/memory_check_report.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

constexpr const char* kPlain = "row_major";

struct Options {
  std::string from, to, check, input, output, reference, reference_layout = kPlain;
  uint64_t list = 8;
  bool ignore_padding = false, csv = false, markdown = false, json = false;
  MemoryOptions shape;
};

TableForm form_of(const Options& options) {
  if (options.csv + options.markdown + options.json > 1)
    throw Error("--csv, --markdown and --json exclude each other");
  return options.csv        ? TableForm::csv
         : options.markdown ? TableForm::markdown
         : options.json     ? TableForm::json
                            : TableForm::text;
}

// Tensors in a layout of this name. `row_major` is the plain form of whatever `partner` holds.
struct Loaded {
  std::unique_ptr<MemoryLayout> layout;
  std::vector<Tensor> tensors;
  BufferBytes bytes;
};

// Parts and buffers as every shape of the layout has them.
std::unique_ptr<MemoryLayout> any_of(const std::string& name) {
  return make_memory_layout(name, find_memory_layout(name).smallest);
}

Loaded load(const std::string& name, const MemoryShape& shape, const TensorSource& source,
            std::vector<Tensor> tensors) {
  Loaded loaded{make_memory_layout(name, shape), std::move(tensors), {}};
  loaded.bytes = bytes_of(source, name, *loaded.layout, loaded.tensors);
  return loaded;
}

// The matrices that `name` (any layout) takes, row major.
Loaded load_plain(const std::string& name, const MemoryShape& given, TensorSource& source,
                  MemoryShape& shape) {
  const auto form = plain_layout(*any_of(name));
  std::vector<Tensor> tensors = read_buffers(source, *form);
  shape = shape_of_plain(given, tensors[0]);
  // A layout that fixes its elements' format says more than a type.
  if (!given.format && any_of(name)->parts()[0].format) shape.format.reset();
  Loaded loaded{plain_layout(*make_memory_layout(name, shape)), std::move(tensors), {}};
  loaded.bytes = bytes_of(source, fmt::format("{} for {}", kPlain, name), *loaded.layout, loaded.tensors);
  return loaded;
}

Loaded load_layout(const std::string& name, const MemoryShape& given, TensorSource& source,
                   MemoryShape& shape) {
  const auto form = any_of(name);
  std::vector<Tensor> tensors = read_buffers(source, *form);
  shape = shape_of_tensor(given, name, tensors[0]);
  return load(name, shape, source, std::move(tensors));
}

void refuse_padding(const Options& options, const TensorSource& source, const std::string& name,
                    const Loaded& loaded) {
  if (options.ignore_padding) return;
  const auto found = nonzero_padding(*loaded.layout, loaded.bytes, 1);
  if (found.empty()) return;
  throw FileError(source.path, found[0].byte,
                  fmt::format("padding of {} is 0x{:02x}, not 0: not in this layout, or never initialised "
                              "(--ignore-padding converts it all the same)",
                              name, std::to_integer<unsigned>(found[0].value)));
}

void convert(const Options& options) {
  if (options.from.empty() || options.to.empty())
    throw Error("layout convert: say --from and --to, or --check");
  if (options.output.empty())
    throw Error("layout convert: say where to write: IN.safetensors OUT.safetensors");
  if (!options.reference.empty()) throw Error("--reference belongs to --check");
  find_memory_layout(options.from);
  find_memory_layout(options.to);
  TensorSource in = parse_tensor_source(options.input);
  MemoryShape shape;
  Loaded from;
  std::unique_ptr<MemoryLayout> to;
  if (options.from == kPlain) {
    from = load_plain(options.to, options.shape.shape(), in, shape);
    to = make_memory_layout(options.to, shape);
  } else {
    from = load_layout(options.from, options.shape.shape(), in, shape);
    refuse_padding(options, in, options.from, from);
    MemoryShape target = shape;
    target.rows = from.layout->parts()[0].rows;
    if (from.layout->parts().size() == 1) target.columns = from.layout->parts()[0].columns;
    to = options.to == kPlain ? plain_layout(*from.layout) : make_memory_layout(options.to, target);
  }
  check_same_elements(options.from, *from.layout, options.to, *to);
  const TensorSource out = parse_tensor_source(options.output);
  require_output(out.path, in.path);
  const std::string prefix = out.tensor.empty() ? in.tensor : out.tensor;
  const Tensors result =
      tensors_of(prefix, *to, convert_memory(*from.layout, *to, from.bytes), *from.layout, from.tensors);
  write_safetensors(out.path, result, {{"layout", options.to}});
  for (const auto& [name, tensor] : result)
    fmt::print("{}:{} {}{} in {}\n", out.path, name, to_string(tensor.dtype), to_string(tensor.shape),
               options.to);
}

// The matrices to compare with, row major.
BufferBytes reference_of(const Options& options, const std::string& name, MemoryShape& shape) {
  TensorSource source = parse_tensor_source(options.reference);
  MemoryShape found;
  if (options.reference_layout == kPlain) {
    const Loaded plain = load_plain(name, shape, source, found);
    shape = found;
    return plain.bytes;
  }
  const Loaded other = load_layout(options.reference_layout, shape, source, found);
  shape.rows = other.layout->parts()[0].rows;
  if (other.layout->parts().size() == 1) shape.columns = other.layout->parts()[0].columns;
  return convert_memory(*other.layout, *plain_layout(*other.layout), other.bytes);
}

int check(const Options& options) {
  if (!options.from.empty() || !options.to.empty()) throw Error("--check excludes --from and --to");
  if (!options.output.empty()) throw Error("--check writes nothing: give one file");
  find_memory_layout(options.check);
  find_memory_layout(options.reference_layout);
  MemoryShape shape = options.shape.shape(), found;
  TensorSource in = parse_tensor_source(options.input);
  const bool compares = !options.reference.empty();
  const BufferBytes reference = compares ? reference_of(options, options.check, shape) : BufferBytes{};
  const Loaded claimed = load_layout(options.check, shape, in, found);
  if (compares) {
    const auto plain = plain_layout(*claimed.layout);
    for (size_t i = 0; i < reference.size(); ++i) {
      if (reference.size() != plain->buffers().size() || reference[i].size() != plain->buffers()[i].bytes())
        throw FileError(options.reference, fmt::format("does not hold {}", parts_text(*plain)));
    }
  }
  const TextTable table =
      compares ? check_report(*claimed.layout, options.check,
                              check_memory(*claimed.layout, options.check, found, claimed.bytes, reference,
                                           options.list))
               : structure_report(*claimed.layout, options.check,
                                  nonzero_padding(*claimed.layout, claimed.bytes, options.list));
  fmt::print("{}", render(table, form_of(options)));
  return is_wrong(table) ? kDifferent : kEqual;
}

void add_options(CLI::App& command, Options& options) {
  command.add_option("--from", options.from, "Layout of the input");
  command.add_option("--to", options.to, "Layout of the output");
  command
      .add_option("--check", options.check, "Say where the input is not in this layout; nothing is written")
      ->type_name("LAYOUT");
  command
      .add_option("--reference", options.reference,
                  "--check: the same matrices; without it only sizes and padding are checked")
      ->type_name("FILE[:TENSOR]");
  command.add_option("--reference-layout", options.reference_layout, "Layout of the reference")
      ->capture_default_str();
  command.add_option("--list", options.list, "--check: wrong bytes to list")
      ->check(whole_number())
      ->capture_default_str();
  command.add_flag("--ignore-padding", options.ignore_padding,
                   "Convert although padding of the input that should be 0 is not");
  options.shape.add_to(command);
  command.add_flag("--csv", options.csv, "--check: comma-separated values");
  command.add_flag("--markdown", options.markdown, "--check: a Markdown table");
  command.add_flag("--json", options.json, "--check: an array of objects");
  command.add_option("input", options.input, "IN.safetensors[:TENSOR]")->required();
  command.add_option("output", options.output, "OUT.safetensors[:TENSOR]");
}

}  // namespace

void add_layout_convert(CLI::App& layout, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = layout.add_subcommand(
      "convert",
      "Tensors from one memory layout to another (`wavetwin layout --memory` lists them). row_major is the\n"
      "plain form of any: one tensor, or one for each matrix, named TENSOR_scale, TENSOR_k, ... as the "
      "layout "
      "names it");
  add_options(*command, *options);
  command->callback([options, &exit_code] {
    if (options->check.empty()) return convert(*options);
    exit_code = check(*options);
  });
}

}  // namespace wavetwin::golden
