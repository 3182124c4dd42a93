// SPDX-License-Identifier: MIT
// `wavetwin layout --memory`, `--banks` and `layout convert` as a user types them.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "golden/io/file.h"
#include "golden/io/safetensors.h"
#include "golden/layout/bank_report.h"
#include "golden/layout/memory_query.h"
#include "golden/layout/memory_window.h"
#include "tests/cli/program.h"
#include "tests/layout/memory/naive.h"

namespace wavetwin::golden {
namespace {

namespace fs = std::filesystem;

// Splits at spaces; @ is the folder.
Outcome layout(const std::string& arguments, const fs::path& folder = {}) {
  std::vector<std::string> all{"layout"};
  std::istringstream in(arguments);
  for (std::string word; in >> word;) {
    if (word.starts_with('@')) word = (folder / word.substr(1)).string();
    all.push_back(word);
  }
  return run_wavetwin(all);
}

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "wavetwin-memory-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return path_; }
  void write(const std::string& file, const Tensors& tensors) const {
    write_safetensors(path_ / file, tensors);
  }
  Tensors read(const std::string& file) const { return SafetensorsFile::open(path_ / file).read_all(); }
  // Succeeds, or shows why not.
  void run(const std::string& arguments) const {
    CAPTURE(arguments);
    const Outcome outcome = layout(arguments, path_);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
  }

 private:
  fs::path path_;
};

Tensor random_tensor(DType dtype, Shape shape, uint64_t seed = 1) {
  return Tensor(dtype, shape, random_bytes(seed, element_count(shape) * size_of(dtype)));
}

void check_text(const std::string& arguments, const std::string& expected) {
  CAPTURE(arguments);
  const Outcome outcome = layout(arguments);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == expected);
}

}  // namespace

TEST_CASE("layout --memory: an element's byte and operand, and the element of a byte") {
  check_text(
      "--memory aiter_preshuffle_16x16 --rows 32 --columns 64 --get-address --i 17 --k 33",
      "element       buffer  byte  hex    bits  MFMA operand                                       "
      "                       evidence\n"
      "data[17][33]  data    1553  0x611  0..7  v_mfma_scale_f32_16x16x128_f8f6f4 A, row tile 1, K step "
      "0: v0{33}.[15:8]  specified\n");
  check_text("--memory aiter_preshuffle_16x16 --rows 32 --columns 64 --address 0x611 --csv",
             "buffer,byte,bits,element,bits of the element\ndata,1553,0..7,data[17][33],0..7\n");
  check_text("--memory row_major --rows 3 --columns 4 --format e2m1 --register-layout",
             "data  0         1         2         3\n"
             "0     0.[0..3]  0.[4..7]  1.[0..3]  1.[4..7]\n"
             "1     2.[0..3]  2.[4..7]  3.[0..3]  3.[4..7]\n"
             "2     4.[0..3]  4.[4..7]  5.[0..3]  5.[4..7]\n");
  check_text("--memory row_major --rows 1 --columns 4 --format e2m3 --matrix-layout --csv",
             "data,+0,+1,+2,+3,+4,+5,+6,+7,+8,+9,+10,+11,+12,+13,+14,+15\n"
             "0,data[0][0] data[0][1].[0..1],data[0][1].[2..5] data[0][2].[0..3],data[0][2].[4..5] "
             "data[0][3],,,,,,,,,,,,,\n");
  check_text("--memory row_major --rows 1 --columns 2 --format bf16 --matrix-layout --csv",
             "data,+0,+2,+4,+6,+8,+10,+12,+14,+16,+18,+20,+22,+24,+26,+28,+30\n"
             "0,data[0][0],data[0][1],,,,,,,,,,,,,,\n");
  check_text("--memory row_major --rows 1 --columns 4 --format e2m3 --address 1 --markdown",
             "| buffer | byte | bits | element | bits of the element |\n|---|---|---|---|---|\n"
             "| data | 1 | 0..3 | data[0][1] | 2..5 |\n| data | 1 | 4..7 | data[0][2] | 0..3 |\n");
  check_text(
      "--memory aiter_e8m0_shuffle --rows 40 --columns 9 --address 511 --json",
      "[\n  {\"buffer\": \"data\", \"byte\": \"511\", \"bits\": \"0..7\", \"element\": \"padding, must be "
      "0\", \"bits of the element\": \"-\"}\n]\n");
}

TEST_CASE("layout --memory: the list is the registry, and an answer comes within 50 ms") {
  const Outcome list = layout("--memory --markdown");
  CHECK(list.exit_code == 0);
  CHECK(list.out == render(memory_layout_list(), TableForm::markdown));
  const Outcome banks = layout("--banks --markdown");
  CHECK(banks.out == render(bank_instruction_list(), TableForm::markdown));
  const Outcome large = layout(
      "--memory aiter_preshuffle_16x16 --rows 65536 --columns 65536 --get-address --i 60000 --k 60000");
  CHECK(large.exit_code == 0);
  if (!program_is_sanitized()) CHECK(large.seconds < 0.05);
}

TEST_CASE("layout --memory: the tables in the documentation are the registry's") {
  const std::string text = read_text(fs::path(WAVETWIN_SOURCE_DIR) / "golden/layout/MEMORY_LAYOUTS.md");
  CHECK(text.find(render(memory_layout_list(), TableForm::markdown)) != std::string::npos);
  CHECK(text.find(render(bank_instruction_list(), TableForm::markdown)) != std::string::npos);
}

TEST_CASE("layout --memory: register and matrix layout of every layout are each other's inverse") {
  for (const MemoryLayoutInfo& info : memory_layouts()) {
    CAPTURE(info.name);
    const MemoryQuery query(info.name, info.smallest);
    const MemoryLayout& of = query.layout();
    std::map<std::string, std::string> holds;  // "buffer byte" -> cell
    for (const MemoryBuffer& buffer : of.buffers()) {
      const TextTable table = query.matrix_layout(buffer.name);
      const unsigned unit = static_cast<unsigned>(std::stoul(table.columns[2]));
      for (const auto& row : table.rows)
        for (unsigned i = 1; i < row.size(); ++i)
          holds[buffer.name + " " + std::to_string(std::stoul(row[0]) + unit * (i - 1))] = row[i];
    }
    for (const MemoryPart& part : of.parts()) {
      const TextTable table = query.register_layout(part.name);
      REQUIRE(table.rows.size() == part.rows);
      for (uint64_t row = 0; row < part.rows; ++row) {
        for (uint64_t column = 0; column < part.columns; ++column) {
          const std::string cell = holds[of.buffers()[part.buffer].name + " " + table.rows[row][column + 1]];
          const std::string name =
              part.name + "[" + std::to_string(row) + "][" + std::to_string(column) + "]";
          if (cell.rfind(name, 0) != 0) FAIL_CHECK(name << " is not at " << table.rows[row][column + 1]);
        }
      }
    }
  }
}

TEST_CASE("layout --memory: of a large layout the picture and the page show the part around the element") {
  const Folder folder;
  folder.run(
      "--memory aiter_preshuffle_16x16 --rows 4096 --columns 7168 --i 100 --k 300 --html @m.html --svg "
      "@m.svg");
  const std::string page = read_text(folder.path() / "m.html"), svg = read_text(folder.path() / "m.svg");
  CHECK(page.find("\"row\":64,\"rowEnd\":128,\"column\":256,\"columnEnd\":384") != std::string::npos);
  CHECK(page.find("\"start\":[0,100,300]") != std::string::npos);
  CHECK(page.find("\"whole\":false") != std::string::npos);
  CHECK(svg.find("rows 64..127 of 4096, columns 256..383 of 7168") != std::string::npos);
  CHECK(svg.find("class=\"hit\"") != std::string::npos);
  CHECK(fs::file_size(folder.path() / "m.html") < 600000);
}

TEST_CASE(
    "layout --memory: every layout has a page and a picture that load nothing, with every element once") {
  const auto count = [](const std::string& text, const std::string& part) {
    size_t n = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
  };
  for (const MemoryLayoutInfo& info : memory_layouts()) {
    CAPTURE(info.name);
    const MemoryQuery query(info.name, info.smallest);
    const std::string page = query.page("", std::nullopt, "");
    CHECK(count(page, "http") == 1);
    for (const char* loader : {"src=", "@import", "url(", "fetch(", "import(", "XMLHttp"})
      CHECK(count(page, loader) == 0);
    const MemoryPart& part = query.layout().parts()[0];
    const MemoryWindow window = memory_window(query.layout(), std::nullopt);
    // In the matrix and in memory.
    CHECK(count(query.picture("", std::nullopt), " byte ") >= 2 * window.parts[0].elements());
    CHECK(window.parts[0].elements() <= part.rows * part.columns);
  }
}

TEST_CASE("layout --banks: a kernel's reads, a file of addresses, a stride") {
  const Folder folder;
  const Outcome kernel = layout("--banks ds_read_b128 --memory drafter_k_tile --access 3");
  CHECK(kernel.exit_code == 0);
  CHECK(kernel.out.find("operand of 16 rows #3  ds_read_b128  1       4") != std::string::npos);
  CHECK(layout("--banks ds_read_b128 --memory drafter_k_tile --access 3 --bank-model in_order")
            .out.find("2       8") != std::string::npos);
  std::ofstream(folder.path() / "a.csv") << "# one row of words, then one bank\n"
                                         << [] {
                                              std::string text;
                                              for (int l = 0; l < 64; ++l)
                                                text += std::to_string(4 * l) + ",";
                                              text += "\n";
                                              for (int l = 0; l < 64; ++l) text += l == 5 ? "- " : "0x100 ";
                                              return text;
                                            }();
  const Outcome csv = layout("--banks ds_read_b32 --addresses @a.csv --csv", folder.path());
  CHECK(csv.exit_code == 0);
  CHECK(csv.out.find("total,-,1,2,2,-,inferred") != std::string::npos);
  std::ofstream(folder.path() / "a.json") << "[" << [] {
    std::string text;
    for (int l = 0; l < 64; ++l) text += (l == 0 ? "" : ",") + (l < 2 ? std::to_string(256 * l) : "null");
    return text;
  }() << "]";
  const Outcome json = layout("--banks ds_read_b32 --addresses @a.json --csv", folder.path());
  CHECK(json.out.find("ds_read_b32,2,2,1,bank 0: words 0 64,inferred") != std::string::npos);
  const Outcome stride =
      layout("--banks ds_read_b128 --lane-rows 16 --row-stride 128 --chunk-stride 16 --swizzle 16,8");
  CHECK(stride.out.find("pattern  ds_read_b128  1       4") != std::string::npos);
  folder.run("--banks ds_read_b128 --lane-rows 16 --row-stride 128 --chunk-stride 16 --svg @b.svg");
  CHECK(read_text(folder.path() / "b.svg").find("<svg") == 0);
  folder.run("--memory aiter_e8m0_shuffle --rows 40 --columns 9 --i 39 --k 8 --svg @m.svg");
  CHECK(read_text(folder.path() / "m.svg").find("class=\"hit\"") != std::string::npos);
}

#ifdef WAVETWIN_LDS_FORMS
TEST_CASE(
    "trace --banks: atomics, two elements, counters; every form of output; what moves between lanes is "
    "named") {
  const Folder folder;
  std::ofstream(folder.path() / "lds.json")
      << R"({"code_object": ")" << WAVETWIN_LDS_FORMS << R"(", "grid": [1], "block": [64]})";
  const auto trace = [&](std::vector<std::string> more) {
    std::vector<std::string> all{"trace", (folder.path() / "lds.json").string(), "--banks"};
    for (std::string& argument : more)
      all.push_back(argument.starts_with('@') ? (folder.path() / argument.substr(1)).string() : argument);
    const Outcome outcome = run_wavetwin(all);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    return outcome.out;
  };
  const std::string csv = trace({"--csv"});
  CHECK(csv.starts_with("pc,instruction,times,degree,cycles,without conflicts,worst,evidence\n"));
  for (const char* row : {
           ",\"ds_write_b32 v1, v0\",1,1,2,2,-,unknown\n",
           ",\"ds_write2st64_b32 v1, v0, v0 offset0:1 offset1:2\",1,1,4,4,-,unknown\n",
           ",\"ds_add_u32 v1, v0\",1,1,2,2,-,unknown\n",
           // All lanes want one word: half a wave at a time, each lane for itself.
           ",\"ds_add_u32 v2, v0 offset:256\",1,32,64,2,bank 0: words 64 (32 times),unknown\n",
           ",\"ds_max_rtn_u32 v40, v2, v0\",1,32,64,2,bank 0: words 0 (32 times),unknown\n",
           ",\"ds_read2_b32 v[40:41], v1 offset1:1\",1,1,2,2,-,inferred\n",
           ",ds_append v40 offset:16,1,1,1,1,-,unknown\n",
           ",\"ds_bpermute_b32 v40, v1, v0\",1,-,-,-,-,not counted\n",
           "total,-,8,32,139,15,-,unknown\n",
       }) {
    CAPTURE(row);
    CHECK(csv.find(row) != std::string::npos);
  }
  CHECK(trace({"--markdown"}).starts_with("| pc | instruction | times |"));
  CHECK(trace({"--json"}).starts_with("[\n  {\"pc\": "));
  trace({"--svg", "@t.svg", "--html", "@t.html"});
  CHECK(read_text(folder.path() / "t.svg").find("ds_max_rtn_u32 v40, v2, v0, 64 cycles") !=
        std::string::npos);
  CHECK(read_text(folder.path() / "t.html").find("\"times\":true") != std::string::npos);
  const std::string launch = (folder.path() / "lds.json").string();
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"trace", launch, "--csv"},
        {"trace", launch, "--banks", "--csv", "--json"},
        {"trace", launch, "--banks", "--html", "/nonexistent/t.html"}}) {
    const Outcome outcome = run_wavetwin(wrong);
    CHECK(outcome.exit_code == 2);
    CHECK(is_one_line(outcome.err));
  }
}
#endif

TEST_CASE("layout convert: weights, scales and rows not of 32 or columns not of 8 come back exactly") {
  const Folder folder;
  const Tensor weight = random_tensor(DType::F8_E4M3, {64, 128});
  const Tensor scale = random_tensor(DType::F8_E8M0, {37, 13});
  folder.write("in.safetensors", {{"w", weight}, {"s", scale}});
  folder.run("convert --from row_major --to aiter_preshuffle_16x16 @in.safetensors:w @w.safetensors");
  const Tensor shuffled = folder.read("w.safetensors").at("w");
  CHECK(shuffled.dtype == DType::F8_E4M3);
  CHECK(shuffled.shape == weight.shape);
  CHECK(shuffled.data != weight.data);
  folder.run("convert --from aiter_preshuffle_16x16 --to row_major @w.safetensors @back.safetensors:x");
  CHECK(folder.read("back.safetensors").at("x") == weight);

  folder.run("convert --from row_major --to aiter_e8m0_shuffle @in.safetensors:s @s.safetensors");
  const Tensor padded = folder.read("s.safetensors").at("s");
  CHECK(padded.dtype == DType::F8_E8M0);
  CHECK(padded.shape == Shape{64, 16});
  folder.run(
      "convert --from aiter_e8m0_shuffle --to row_major --rows 37 --columns 13 @s.safetensors "
      "@s_back.safetensors");
  CHECK(folder.read("s_back.safetensors").at("s") == scale);
  // AITER's own allocation is recognised by the rows of the tensor.
  folder.run(
      "convert --from row_major --to aiter_e8m0_shuffle --pad-rows 256 @in.safetensors:s @t.safetensors");
  CHECK(folder.read("t.safetensors").at("s").shape == Shape{256, 16});
  folder.run(
      "convert --from aiter_e8m0_shuffle --to row_major --rows 37 --columns 13 @t.safetensors "
      "@t_back.safetensors");
  CHECK(folder.read("t_back.safetensors").at("s") == scale);
}

TEST_CASE("layout convert: any element type, matrices of experts, packed 4-bit elements") {
  const Folder folder;
  for (const DType dtype : {DType::BF16, DType::F32, DType::U8, DType::I8, DType::F16, DType::I32}) {
    CAPTURE(to_string(dtype));
    const Tensor weight = random_tensor(dtype, {2, 16, 64}, 5);
    folder.write("in.safetensors", {{"w", weight}});
    folder.run("convert --from row_major --to aiter_preshuffle_16x16 @in.safetensors @w.safetensors");
    const Tensor shuffled = folder.read("w.safetensors").at("w");
    CHECK(shuffled.dtype == dtype);
    CHECK(shuffled.shape == weight.shape);
    folder.run("convert --from aiter_preshuffle_16x16 --to row_major @w.safetensors @back.safetensors");
    CHECK(folder.read("back.safetensors").at("w") == weight);
  }
  const Tensor packed = random_tensor(DType::U8, {32, 64}, 6);
  folder.write("fp4.safetensors", {{"w", packed}});
  folder.run(
      "convert --from row_major --to aiter_preshuffle_16x16 --format e2m1 @fp4.safetensors @w.safetensors");
  const Tensor by_pairs = folder.read("w.safetensors").at("w");
  folder.run("convert --from row_major --to aiter_preshuffle_16x16 @fp4.safetensors @bytes.safetensors");
  CHECK(by_pairs.data == folder.read("bytes.safetensors").at("w").data);
}

TEST_CASE("layout convert: a cache and its matrices, with pages of any size") {
  const Folder folder;
  const Tensor nope = random_tensor(DType::F8_E4M3, {96, 448}, 1),
               rope = random_tensor(DType::BF16, {96, 64}, 2),
               scale = random_tensor(DType::F8_E8M0, {96, 7}, 3);
  folder.write("kv.safetensors", {{"kv_nope", nope}, {"kv_rope", rope}, {"kv_scale", scale}});
  folder.run(
      "convert --from row_major --to fp8_ds_mla --page-block 32 @kv.safetensors:kv @pages.safetensors:p");
  const Tensor pages = folder.read("pages.safetensors").at("p");
  CHECK(pages.dtype == DType::U8);
  CHECK(pages.shape == Shape{3, 33 * 576});
  folder.run(
      "convert --from fp8_ds_mla --to row_major --page-block 32 @pages.safetensors:p @back.safetensors:kv");
  const Tensors back = folder.read("back.safetensors");
  CHECK(back.at("kv_nope") == nope);
  CHECK(back.at("kv_rope") == rope);
  CHECK(back.at("kv_scale") == scale);
  // As vLLM shapes it: [pages][slots][584].
  Tensor view(DType::U8, {3, 32, 584});
  for (size_t i = 0; i < 3; ++i)
    std::copy_n(pages.data.begin() + static_cast<ptrdiff_t>(i * 33 * 576), 32 * 584,
                view.data.begin() + static_cast<ptrdiff_t>(i * 32 * 584));
  folder.write("view.safetensors", {{"cache", view}});
  folder.run("convert --from fp8_ds_mla --to row_major @view.safetensors @view_back.safetensors:kv");
  CHECK(folder.read("view_back.safetensors") == back);
}

TEST_CASE("layout convert: what `wavetwin quantize` writes is row_major_mx_1x32") {
  const Folder folder;
  folder.write("q.safetensors", {{"w", random_tensor(DType::F8_E4M3, {8, 64})},
                                 {"w_scale", random_tensor(DType::F8_E8M0, {8, 2}, 2)}});
  folder.run("convert --from row_major_mx_1x32 --to row_major_mx_1x32 @q.safetensors:w @same.safetensors");
  CHECK(folder.read("same.safetensors") == folder.read("q.safetensors"));
}

TEST_CASE("layout convert --check: equal, different with lanes and a guess, and sizes only") {
  const Folder folder;
  folder.write("w.safetensors", {{"w", random_tensor(DType::F8_E4M3, {64, 128})}});
  folder.run("convert --from row_major --to aiter_preshuffle_16x16 @w.safetensors @s.safetensors");
  folder.run("convert --check aiter_preshuffle_16x16 --reference @w.safetensors @s.safetensors");
  folder.run(
      "convert --check row_major --reference-layout aiter_preshuffle_16x16 --reference @s.safetensors "
      "@w.safetensors");
  const Outcome wrong = layout(
      "convert --check aiter_preshuffle_16x16 --reference @w.safetensors @w.safetensors --list 2 --csv",
      folder.path());
  CHECK(wrong.exit_code == 1);
  CHECK(wrong.out.find("verdict,not in this layout\n") != std::string::npos);
  CHECK(wrong.out.find("looks like,row_major: every byte\n") != std::string::npos);
  CHECK(wrong.out.find("fed wrongly,\"v_mfma_scale_f32_16x16x128_f8f6f4 A: lanes 0..63") !=
        std::string::npos);
  CHECK(wrong.out.find("wrong,\"data byte 16 (0x10): 0x") != std::string::npos);
  const Outcome structure = layout("convert --check aiter_preshuffle_16x16 @w.safetensors", folder.path());
  CHECK(structure.exit_code == 0);
  CHECK(structure.out.find("size and padding only") != std::string::npos);

  Tensor scale = random_tensor(DType::U8, {64, 16});
  folder.write("e.safetensors", {{"s", scale}});
  const Outcome padding =
      layout("convert --check aiter_e8m0_shuffle --rows 40 --columns 9 @e.safetensors", folder.path());
  CHECK(padding.exit_code == 1);
  CHECK(padding.out.find("want 0x00, padding") != std::string::npos);
}

TEST_CASE("layout --memory, --banks, convert: what cannot be answered is one line and exit code 2") {
  const Folder folder;
  folder.write("w.safetensors", {{"w", random_tensor(DType::F8_E4M3, {64, 128})},
                                 {"v", random_tensor(DType::F32, {64, 128})},
                                 {"s", random_tensor(DType::U8, {64, 16})},
                                 {"c", random_tensor(DType::U8, {1, 128, 256})}});
  std::ofstream(folder.path() / "short.csv") << "0 4 8\n";
  std::ofstream(folder.path() / "word.csv") << "zero\n";
  std::ofstream(folder.path() / "empty.csv") << "# nothing\n";
  std::ofstream(folder.path() / "bad.json") << "{\"a\": 1}";
  std::ofstream(folder.path() / "torn.json") << "[[1, 2";
  const std::string to_aiter = "convert --from row_major --to aiter_preshuffle_16x16 ";
  struct Case {
    std::string arguments, says;
  };
  const Case cases[] = {
      {"--memory nope", "did you mean"},
      {"--memory aiter_preshufle_16x16", "did you mean aiter_preshuffle_16x16?"},
      {"--memory row_major", "say --rows"},
      {"--memory row_major --rows 4 --columns 4 --get-address --i 4", "outside 4 x 4"},
      {"--memory row_major --rows 4 --columns 4 --get-address --i 1 --k 1 --j 1", "--k and --j"},
      {"--memory row_major --rows 4 --columns 4 --address 16", "outside the 16 bytes"},
      {"--memory row_major --rows 4 --columns 4 --address 1x", "--address 1x"},
      {"--memory row_major --rows 4 --columns 4 --address 1 --get-address", "ask one thing"},
      {"--memory row_major --rows 4 --columns 4 --part scale --get-address", "did you mean data?"},
      {"--memory row_major --rows 4 --columns 4 --buffer scale --address 0", "did you mean data?"},
      {"--memory row_major --rows -4 --columns 4", "--rows"},
      {"--memory row_major --rows 4 --columns 4 --format e9", "--format e9"},
      {"--memory row_major --rows 4 --columns 4 --i 1", "--get-address"},
      {"--memory row_major --rows 4 --columns 4 --html @x.html --matrix-layout", "--html"},
      {"--memory row_major --rows 4 --columns 4 --html @x.html --i 4", "outside 4 x 4"},
      {"--memory row_major --rows 4 --columns 4 --html /nonexistent/x.html", "/nonexistent"},
      {"--memory row_major --rows 999 --columns 999 --register-layout", "too large"},
      {"--memory row_major --rows 999 --columns 999 --matrix-layout", "too many"},
      {"--memory row_major --rows 4 --columns 4 --part data", "--part belongs"},
      {"--memory row_major --rows 4 --columns 4 --buffer data --get-address", "--buffer belongs"},
      {"--memory row_major --rows 4 --columns 4 --register-layout --matrix-layout", "ask one thing"},
      {"--memory --rows 4", "which layout"},
      {"--banks ds_read_b128 --memory drafter_k_tile --html @x.html --detail", "--detail"},
      {"--banks --html @x.html", "which instruction"},
      {"--memory --svg @x.svg", "which memory layout"},
      {"--memory row_major --rows 4 --columns 4 --lane 3", "--lane"},
      {"--banks ds_read_b127", "did you mean ds_read_b128?"},
      {"--banks ds_read_b128", "say what is accessed"},
      {"--banks ds_read_b128 --memory drafter_k_tile --row-stride 4", "say what is accessed"},
      {"--banks all --row-stride 4", "--banks all"},
      {"--banks all --memory row_major --rows 16 --columns 128", "is no LDS image"},
      {"--banks ds_read_b128 --memory drafter_v_tile --access 99", "--access 99"},
      {"--banks ds_read_b64 --memory drafter_v_tile", "kernels access it by ds_read_b128"},
      {"--banks ds_read_b128 --memory drafter_k_tile --bank-model fast", "--bank-model fast"},
      {"--banks ds_read_b128 --swizzle 16,0", "--swizzle"},
      {"--banks ds_read_b32 --addresses @absent.csv", "absent.csv"},
      {"--banks ds_read_b32 --addresses @short.csv", "line 1: 3 addresses"},
      {"--banks ds_read_b32 --addresses @word.csv", "'zero'"},
      {"--banks ds_read_b32 --addresses @empty.csv", "no addresses"},
      {"--banks ds_read_b32 --addresses @bad.json", "expected an array"},
      {"--banks ds_read_b32 --addresses @torn.json", "torn.json"},
      {"convert @w.safetensors:w @x.safetensors", "--from and --to"},
      {to_aiter + "@w.safetensors:w", "where to write"},
      {to_aiter + "@absent.safetensors @x.safetensors", "absent.safetensors"},
      {to_aiter + "@w.safetensors @x.safetensors", "has 4 tensors"},
      {to_aiter + "@w.safetensors:wx @x.safetensors", "did you mean w?"},
      {to_aiter + "--rows 60 @w.safetensors:w @x.safetensors", "--rows 60"},
      {to_aiter + "--rows 32 @w.safetensors:w @x.safetensors", "takes 4096 bytes"},
      {"convert --from row_major --to aiter_e8m0_shuffle @w.safetensors:w @x.safetensors", "e8m0"},
      {"convert --from row_major --to drafter_k_tile @w.safetensors:w @x.safetensors", "--rows 64"},
      {"convert --from row_major --to drafter_k_tile --rows 128 --columns 64 @w.safetensors:w @x.safetensors",
       "--columns 64"},
      {"convert --from row_major --to row_major_mx_1x32 @w.safetensors:w @x.safetensors", "w_scale"},
      {"convert --from row_major --to fp8_ds_mla @w.safetensors:w @x.safetensors", "w_nope"},
      {"convert --from row_major_mx_1x32 --to aiter_preshuffle_16x16 @w.safetensors:w @x.safetensors",
       "w_scale"},
      {"convert --from aiter_preshuffle_16x16 --to fp8_ds_mla @w.safetensors:w @x.safetensors",
       "--columns 128"},
      {"convert --from drafter_kv --to drafter_k_tile @w.safetensors:c @x.safetensors",
       "not the same elements"},
      {"convert --from aiter_e8m0_shuffle --to row_major --rows 40 --columns 9 @w.safetensors:s "
       "@x.safetensors",
       "padding of aiter_e8m0_shuffle"},
      {"convert --from aiter_e8m0_shuffle --to row_major --rows 100 @w.safetensors:s @x.safetensors",
       "bytes"},
      {"convert --from nope --to row_major @w.safetensors:w @x.safetensors", "no memory layout 'nope'"},
      {"convert --check row_major --from row_major @w.safetensors:w", "excludes"},
      {"convert --check row_major @w.safetensors:w @x.safetensors", "writes nothing"},
      {"convert --check row_major --reference @w.safetensors:v @w.safetensors:w", "w.safetensors"},
      {"convert --check row_major --csv --json @w.safetensors:w", "exclude each other"},
      {to_aiter + "@w.safetensors: @x.safetensors", "no tensor name"},
      {to_aiter + "@w.safetensors:w /nonexistent/x.safetensors", "/nonexistent"},
  };
  for (const auto& [arguments, says] : cases) {
    CAPTURE(arguments);
    const Outcome outcome = layout(arguments, folder.path());
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.starts_with("wavetwin: "));
    CHECK(is_one_line(outcome.err));
    CHECK(outcome.err.find(says) != std::string::npos);
  }
  CHECK_FALSE(fs::exists(folder.path() / "x.safetensors"));
  CHECK_FALSE(fs::exists(folder.path() / "x.svg"));
  CHECK_FALSE(fs::exists(folder.path() / "x.html"));
}

}  // namespace wavetwin::golden
