// SPDX-License-Identifier: MIT
// `wavetwin layout --banks`: what LDS accesses cost in bank conflicts.
#include <fmt/format.h>

#include "golden/cli/layout_part.h"
#include "golden/cli/memory_options.h"
#include "golden/io/lane_addresses.h"
#include "golden/layout/bank_report.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

// Options that other parts added are read with given<>.
struct Options {
  std::string instruction, addresses, model = "measured";
  StridePattern pattern;
  std::vector<uint32_t> swizzle;
  std::optional<uint64_t> access;
};

constexpr const char* kPatternOptions[] = {"--base", "--lane-rows", "--row-stride", "--chunk-stride",
                                           "--swizzle"};

BankModel model_of(const std::string& name) {
  if (name == "measured") return BankModel::measured;
  if (name == "in_order") return BankModel::in_order;
  throw Error("--bank-model " + name + ": measured or in_order");
}

MemoryShape shape_of(const CLI::App& layout) {
  MemoryOptions options;
  options.rows = given<uint64_t>(layout, "--rows").value_or(0);
  options.columns = given<uint64_t>(layout, "--columns").value_or(0);
  options.format = given<std::string>(layout, "--format").value_or("");
  options.pad_rows = given<uint64_t>(layout, "--pad-rows").value_or(0);
  options.page_block = given<uint64_t>(layout, "--page-block").value_or(0);
  options.page_stride = given<uint64_t>(layout, "--page-stride").value_or(0);
  return options.shape();
}

// What the kernels do with the layout by this instruction ("all": by any); where they have none, the operand
// of 16 rows.
std::vector<LdsAccess> accesses_of(const std::string& name, const MemoryLayout& layout,
                                   const std::string& instruction) {
  std::vector<LdsAccess> accesses;
  std::string known;
  for (LdsAccess& access : layout.accesses()) {
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", access.instruction, access.name);
    if (instruction == "all" || access.instruction == instruction) accesses.push_back(std::move(access));
  }
  if (!accesses.empty()) return accesses;
  if (instruction == "all") throw Error(fmt::format("{} is no LDS image: name the instruction", name));
  try {
    return {operand_access(layout, instruction)};
  } catch (const Error& error) {
    throw Error(fmt::format("{}{}{}", error.what(), known.empty() ? "" : "; kernels access it by ", known));
  }
}

LdsAccess access_of_file(const Options& options) {
  LdsAccess access{options.addresses, options.instruction, {}};
  for (const auto& row : read_lane_addresses(options.addresses)) {
    access.issued.emplace_back();
    for (const auto& address : row) access.issued.back().push_back(address.value_or(kInactiveLane));
  }
  return access;
}

std::vector<BankAccess> accesses(const Options& options, const CLI::App& layout) {
  const auto memory = given<std::string>(layout, "--memory");
  bool pattern = false;
  for (const char* option : kPatternOptions) pattern = pattern || layout.count(option) != 0;
  if (memory.has_value() + !options.addresses.empty() + pattern != 1) {
    throw Error(
        "--banks: say what is accessed: --memory LAYOUT, --addresses FILE, or a pattern (--row-stride, "
        "--chunk-stride, ...)");
  }
  std::vector<LdsAccess> wanted;
  if (memory) {
    wanted = accesses_of(*memory, *make_memory_layout(*memory, shape_of(layout)), options.instruction);
  } else if (pattern) {
    StridePattern described = options.pattern;
    if (!options.swizzle.empty()) {
      described.swizzle_chunk = options.swizzle[0];
      described.swizzle_rows = options.swizzle[1];
      if (described.swizzle_chunk == 0 && described.swizzle_rows == 0)
        described.swizzle_chunk = 1;  // refused below
    }
    wanted.push_back({"pattern", options.instruction, {stride_addresses(described)}});
  } else {
    wanted.push_back(access_of_file(options));
  }
  std::vector<BankAccess> all = bank_accesses(wanted, model_of(options.model));
  if (!options.access) return all;
  if (*options.access >= all.size())
    throw Error(fmt::format("--access {}: there are {} instructions", *options.access, all.size()));
  return {all[*options.access]};
}

std::string title_of(const Options& options, const CLI::App& layout) {
  const std::string of = given<std::string>(layout, "--memory").value_or(options.addresses);
  const std::string what = options.instruction == "all" ? "LDS accesses" : options.instruction;
  return of.empty() ? what : fmt::format("{} of {}", what, of);
}

void answer_banks(const Options& options, const LayoutOutput& output, const CLI::App& layout) {
  if (options.instruction.empty()) {
    if (output.draws())
      throw Error("--svg, --html: of which instruction? (`wavetwin layout --banks` lists them)");
    return output.print(bank_instruction_list());
  }
  if (options.instruction != "all") find_lds_instruction(options.instruction);
  if (options.instruction == "all" && layout.count("--memory") == 0)
    throw Error("--banks all belongs to --memory; name the instruction");
  const auto found = accesses(options, layout);
  if (output.draws() && layout.count("--detail") != 0)
    throw Error("--svg and --html draw what --detail prints; ask for a table without them");
  if (!output.svg.empty()) output.write(output.svg, bank_picture(found));
  if (!output.html.empty()) output.write(output.html, bank_page(title_of(options, layout), found));
  if (output.draws()) return;
  output.print(layout.count("--detail") != 0 ? bank_detail(found) : bank_report(found));
}

}  // namespace

LayoutPart add_bank_layout(CLI::App& layout) {
  auto options = std::make_shared<Options>();
  layout
      .add_option(
          "--banks", options->instruction,
          "LDS bank conflicts of an instruction, for example ds_read_b128; 'all' with --memory: what its "
          "kernels do; without one: lists them")
      ->expected(0, 1)
      ->type_name("[INSTRUCTION]");
  layout
      .add_option("--addresses", options->addresses,
                  "--banks: 64 byte addresses a line (CSV), or arrays of them (.json); '-' or null: lane off")
      ->type_name("FILE");
  const auto number = [&](const char* name, uint32_t& value, const char* help) {
    layout.add_option(name, value, help)->check(whole_number())->capture_default_str();
  };
  number("--base", options->pattern.base, "--banks: lane l accesses BASE");
  number("--lane-rows", options->pattern.rows, "... + row stride * (l % ROWS)");
  number("--row-stride", options->pattern.row_stride, "(bytes)");
  number("--chunk-stride", options->pattern.chunk_stride, "... + chunk stride * (l / ROWS) (bytes)");
  layout
      .add_option("--swizzle", options->swizzle,
                  "... with the index of its BYTES-wide chunk XORed with (l % ROWS) % COUNT")
      ->expected(2)
      ->delimiter(',')
      ->type_name("BYTES,COUNT");
  layout.add_option("--access", options->access, "--banks: only this instruction, counted from 0")
      ->check(whole_number());
  layout.add_option("--bank-model", options->model, "measured, or in_order: 64 banks, lanes in order")
      ->capture_default_str();
  LayoutPart part{[&layout] { return layout.count("--banks") != 0; },
                  [options, &layout](const LayoutOutput& output) { answer_banks(*options, output, layout); },
                  {"--banks", "--memory", "--addresses", "--access", "--bank-model", "--detail"}};
  part.reads.insert(part.reads.end(), std::begin(kPatternOptions), std::end(kPatternOptions));
  part.reads.insert(part.reads.end(), MemoryOptions::names().begin(), MemoryOptions::names().end());
  return part;
}

}  // namespace wavetwin::golden
