// SPDX-License-Identifier: MIT
// Users' tensors in place of generated ones: used where they are right, refused by name and place where not.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "golden/cases/back.h"
#include "golden/harness/inputs.h"
#include "golden/harness/judge.h"
#include "golden/harness/run.h"
#include "golden/io/safetensors.h"
#include "sim/core/error.h"

namespace wavetwin {
namespace {

using namespace wavetwin::golden;
using back::Stage;

constexpr BackProblem kProblem{4, 2, 1, 64, BackData::model, 0};

std::unique_ptr<KernelCase> case_of(BackKeys keys) {
  BackProblem problem = kProblem;
  problem.keys = keys;
  return back_case(Stage::split, problem, {});
}

// Runs the case with one tensor from a file, as `wavetwin run --input NAME=FILE:t` does.
void run_with(const KernelCase& kernel_case, const std::string& input, const Tensor& tensor) {
  const auto path = std::filesystem::temp_directory_path() / "wavetwin_back_contract.safetensors";
  write_safetensors(path.string(), {{"t", tensor}}, {});
  const CaseInputs inputs =
      make_inputs(kernel_case, std::vector{parse_replacement(input + "=" + path.string() + ":t")});
  const RunResult result = run_case(kernel_case, inputs.tensors, *make_sim_backend(), {});
  for (const std::string& finding : result.findings) FAIL_CHECK(finding);
  const Reference reference = kernel_case.reference(inputs.tensors, result.regions);
  const Judgement judgement = judge_against_oracle(kernel_case, reference, "sim", result.regions, false);
  CHECK_MESSAGE(judgement.agreement == Agreement::equal, judgement.report);
}

std::string refusal(const KernelCase& kernel_case, const std::string& input,
                    const std::function<void(Tensor&)>& change) {
  Tensor tensor = kernel_case.generate().at(input);
  change(tensor);
  try {
    run_with(kernel_case, input, tensor);
  } catch (const Error& error) {
    return error.what();
  }
  return "(accepted)";
}

template <class T>
auto set(uint64_t index, T value) {
  return [=](Tensor& tensor) { tensor.view<T>()[index] = value; };
}

void check_says(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) CHECK_MESSAGE(text.find(part) != std::string::npos, part, " in: ", text);
}

TEST_CASE("back inputs: other key counts, tables and larger caches of users are used") {
  const auto kernel_case = case_of(BackKeys::table);
  const Tensors made = kernel_case->generate();
  Tensor counts = made.at("klen");
  counts.view<uint32_t>()[0] = 130;  // fewer live chunks than the generated 640
  run_with(*kernel_case, "klen", counts);
  Tensor table = made.at("kt");
  for (uint32_t& entry : table.view<uint32_t>().subspan(0, 640)) entry = 255;  // one window slot for all
  run_with(*kernel_case, "kt", table);
  Tensor cache(DType::U8, {made.at("comp").shape[0] + 3, made.at("comp").shape[1]});
  std::copy(made.at("comp").data.begin(), made.at("comp").data.end(), cache.data.begin());
  run_with(*kernel_case, "comp", cache);
}

TEST_CASE("back inputs: what the kernel's contract excludes is refused by input and place") {
  const auto kernel_case = case_of(BackKeys::table);
  check_says(refusal(*kernel_case, "kt", set<uint32_t>(640 + 5, 256)),
             {"'kt'", "[1,5]", "page 8", "'swa' has 8 pages"});
  check_says(refusal(*kernel_case, "kt", set<uint32_t>(7, 0x80000400)),
             {"'kt'", "[0,7]", "0x80000400", "page 16", "'comp' has 16 pages"});
  check_says(refusal(*kernel_case, "klen", set<uint32_t>(1, 641)), {"'klen'", "more than 640 keys at [1]"});
  check_says(refusal(*kernel_case, "q", set<uint16_t>(512 * 16 + 3, 0x7F80)), {"infinity or NaN at [1,0,3]"});
  const auto all_records = [](uint8_t code) {
    return [code](Tensor& pages) {
      for (uint64_t page = 0; page < pages.shape[0]; ++page) {
        auto bytes = pages.view<uint8_t>().subspan(page * pages.shape[1]);
        for (uint32_t slot = 0; slot < 32; ++slot) bytes[back::scale_row_at(32u, slot) + 2] = code;
      }
    };
  };
  check_says(refusal(*kernel_case, "swa", all_records(255)), {"'swa'", "scale byte 2", "is 255"});
  check_says(refusal(*kernel_case, "swa", all_records(0)), {"'swa'", "scale byte 2", "is 0"});
  check_says(refusal(*kernel_case, "swa",
                     [](Tensor& t) {
                       t = Tensor(DType::U8, {8, 100});
                     }),
             {"'swa'", "[8,19008]", "[8,100]", "any other first dimension"});
  check_says(refusal(*kernel_case, "kt", [](Tensor& t) { t.dtype = DType::I32; }), {"'kt'", "U32", "I32"});
}

TEST_CASE("back inputs: sinks, positions, weights and scales outside the contract are refused") {
  const BackProblem problem{4, 1, 1, 64, BackData::model, 0};
  const auto combine = back_case(Stage::combine, problem, {}), woa = back_case(Stage::woa, problem, {});
  check_says(refusal(*combine, "sink", set<float>(2, -HUGE_VALF)), {"'sink'", "beyond", "[2]"});
  check_says(refusal(*combine, "pos", set<int64_t>(0, 512)), {"'pos'", "position 512 at [0]", "512 rows"});
  check_says(refusal(*woa, "woa", set<uint8_t>(4097, 0xFF)), {"'woa'", "NaN code at [1,1]"});
  check_says(refusal(*woa, "woa_s", set<uint8_t>(129, 255)), {"'woa_s'", "255", "[1,1]"});
}

TEST_CASE("back inputs: block tables name blocks of the cache, top-k rows pages of the table") {
  const auto kernel_case = case_of(BackKeys::built);
  check_says(refusal(*kernel_case, "block_table", set<uint32_t>(0, 16)),
             {"'block_table'", "block 16 at [0,0]", "16 pages"});
  check_says(refusal(*kernel_case, "topk", set<int32_t>(1, 2048)),
             {"'topk'", "row 2048", "[0,1]", "page 32"});
  check_says(refusal(*kernel_case, "request", set<uint32_t>(0, 1)),
             {"'request'", "request 1 at [0]", "has 1"});
  check_says(refusal(*kernel_case, "window_len", set<uint32_t>(0, 129)),
             {"'window_len'", "129 at [0]", "128"});
}

TEST_CASE("back inputs: a built key table has compressed rows through the block table, then the window") {
  BackProblem problem{4, 7, 2, 64, BackData::model, 0};
  problem.keys = BackKeys::built;
  const auto kernel_case = back_case(Stage::split, problem, {});
  const Tensors inputs = kernel_case->generate();
  const Program program = kernel_case->program(inputs);
  const auto buffer = [&](const char* name) {
    for (const BufferSpec& spec : program.buffers) {
      if (spec.name == name) return spec.initial.front().data;
    }
    return std::vector<std::byte>{};
  };
  const Tensor kt(DType::U32, {7, 640}, buffer("kt")), klen(DType::U32, {14}, buffer("klen"));
  const auto entry = kt.view<uint32_t>();
  const auto counts = klen.view<uint32_t>();
  for (uint32_t t = 0; t < 7; ++t) {
    const auto pos = static_cast<uint32_t>(inputs.at("pos").view<int64_t>()[t]);
    const bool pad = inputs.at("slots").view<int64_t>()[t] < 0;
    CHECK(pad == (t == 6));
    const uint32_t top = pad ? 0 : std::min((pos + 1) / 2, 512u), near = pad ? 0 : std::min(pos + 1, 128u);
    CHECK(counts[t] == top + near);
    CHECK(counts[7 + t] == top);
    for (uint32_t k = 0; k < 640; ++k) {
      INFO("token ", t, " key ", k);
      uint32_t expected = 0xFFFFFFFFu;
      const int32_t row = inputs.at("topk").view<int32_t>()[t * 512 + std::min(k, 511u)];
      if (k < top && row >= 0) {
        const uint32_t page = inputs.at("block_table").view<uint32_t>()[t / 6 * 32 + row / 64];
        expected = 0x80000000u + page * 64 + row % 64;
      } else if (k >= top && k < top + near) {
        expected = inputs.at("window").view<uint32_t>()[t * 128 + k - top];
      }
      CHECK(entry[t * 640 + k] == expected);
    }
  }
}

}  // namespace
}  // namespace wavetwin
