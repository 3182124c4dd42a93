// SPDX-License-Identifier: MIT
// The layouts against what kernels do with their buffers: a conversion gives the bytes that a kernel gives.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "common/kernels/drafter.h"
#include "common/kernels/gemv.h"
#include "golden/io/safetensors.h"
#include "golden/layout/bank_report.h"
#include "tests/cli/program.h"
#include "tests/layout/memory/naive.h"

namespace wavetwin::golden {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "wavetwin-kernel-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string at(const std::string& file) const { return (path_ / file).string(); }
  Tensors read(const std::string& file) const { return SafetensorsFile::open(path_ / file).read_all(); }

 private:
  fs::path path_;
};

void run(const std::vector<std::string>& arguments) {
  const Outcome outcome = run_wavetwin(arguments);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
}

std::vector<std::byte> piece(const Tensor& tensor, uint64_t index, uint64_t bytes) {
  const auto first = tensor.data.begin() + static_cast<ptrdiff_t>(index * bytes);
  return {first, first + static_cast<ptrdiff_t>(bytes)};
}

// Cycles that the banks need for one mnemonic of wave 0 at offsets first .. end - 1, from `trace --banks`.
unsigned executed_cycles(const std::string& name, const std::string& mnemonic, uint32_t first, uint32_t end) {
  const Outcome traced = run_wavetwin({"trace", name, "--banks"});
  CAPTURE(traced.err);
  CHECK(traced.exit_code == 0);
  unsigned sum = 0;
  std::istringstream lines(traced.out);
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find("offset:");
    if (line.find(" " + mnemonic + " ") == std::string::npos || at == std::string::npos) continue;
    std::istringstream rest(line.substr(at + 7));
    unsigned offset = 0, times = 0, degree = 0, cycles = 0;
    rest >> offset >> times >> degree >> cycles;
    if (offset >= first && offset < end) sum += cycles;
  }
  return sum;
}

}  // namespace

TEST_CASE("kernels: the drafter's tiles are the cache's K and V converted to the tile layouts") {
  constexpr int32_t kP0 = 4100;
  const Folder folder;
  run({"run", "drafter/kv-r1-p4100-keys/0", "--output", folder.at("out.safetensors"), "--save-inputs",
       folder.at("in.safetensors")});
  const Tensors in = folder.read("in.safetensors"), out = folder.read("out.safetensors");
  const auto cache = make_memory_layout("drafter_kv", {drafter::kBlock, 0});
  const auto k_tile = make_memory_layout("drafter_k_tile", {}),
             v_tile = make_memory_layout("drafter_v_tile", {});
  const auto k_plain = plain_layout(*k_tile), v_plain = plain_layout(*v_tile);
  const drafter::Window window = drafter::window_of(kP0, kP0 + 6, in.at("seq_lens").view<int32_t>()[0]);
  int checked = 0;
  for (int32_t block = window.first + 1; block < window.last;
       ++block, ++checked) {  // every key in the window
    CAPTURE(block);
    const int32_t physical = in.at("block_table").view<int32_t>()[static_cast<size_t>(block)];
    const BufferBytes kv =
        convert_memory(*cache, *plain_layout(*cache),
                       {piece(in.at("cache"), static_cast<uint64_t>(physical), drafter::kBlockBytes)});
    const auto workgroup = static_cast<uint64_t>(block - window.first);
    CHECK(convert_memory(*k_plain, *k_tile, {kv[0]})[0] ==
          piece(out.at("tk0"), workgroup, 4 * drafter::kTileWords));
    CHECK(convert_memory(*v_plain, *v_tile, {kv[1]})[0] ==
          piece(out.at("tv0"), workgroup, 4 * drafter::kTileWords));
  }
  CHECK(checked >= 30);
}

TEST_CASE("kernels: attention reads the same keys from pages that went through their matrices") {
  const Folder folder;
  const std::string kCase = "attention_back/split-tp2-t1-r1-b32-exact/0";
  // Goldens are not what this is about: an empty folder of them.
  run({"run", kCase, "--output", folder.at("out.safetensors"), "--save-inputs", folder.at("in.safetensors"),
       "--golden", folder.at("")});
  for (const std::string pages : {"swa", "comp"}) {
    run({"layout", "convert", "--from", "fp8_ds_mla", "--to", "row_major", "--page-block", "32",
         folder.at("in.safetensors") + ":" + pages, folder.at("plain.safetensors") + ":kv"});
    run({"layout", "convert", "--from", "row_major", "--to", "fp8_ds_mla", "--page-block", "32",
         folder.at("plain.safetensors") + ":kv", folder.at(pages + ".safetensors") + ":pages"});
  }
  // The tails of pages, which no kernel reads, are now 0: other bytes, the same attention.
  CHECK(folder.read("swa.safetensors").at("pages").data != folder.read("in.safetensors").at("swa").data);
  run({"run", kCase, "--input", "swa=" + folder.at("swa.safetensors") + ":pages", "--input",
       "comp=" + folder.at("comp.safetensors") + ":pages", "--output", folder.at("again.safetensors")});
  CHECK(folder.read("again.safetensors") == folder.read("out.safetensors"));
}

TEST_CASE("kernels: the executed GEMV's operand reads conflict as its LDS image says") {
  // K 1024 in four parts: wave 0 has steps 0 and 1; 17 tokens are a tile of 16 and one of 1.
  const GemvLds lds = gemv_lds(GemvForm{1024, 8, 4, true});
  unsigned want = 0;
  for (const uint64_t tokens : {16, 1}) {
    const auto image = make_memory_layout("gemv_lds", {tokens, 1024});
    const auto all = bank_accesses({image->accesses()[0]}, BankModel::measured);
    for (size_t i = 0; i < 4; ++i) want += bank_use(all[i].instruction, all[i].addresses).cycles();
  }
  CHECK(executed_cycles("gemv/small_tiled-t17-model/0", "ds_read_b128", lds.xl, lds.xsl) == want);
  CHECK(want == 48);
  CHECK(run_wavetwin({"trace", "gemv/small_tiled-t17-model/0", "--banks", "--count", "3"}).exit_code == 2);
}

TEST_CASE("kernels: the executed drafter's stores to its tiles conflict as the layouts say") {
  const std::string kCase = "drafter/kv-r1-p4100-keys/0";
  const auto stores = [](const char* tile) {  // of wave 0
    unsigned cycles = 0;
    for (const BankAccess& store :
         bank_accesses({make_memory_layout(tile, {})->accesses()[1]}, BankModel::measured)) {
      cycles += bank_use(store.instruction, store.addresses).cycles();
    }
    return cycles;
  };
  constexpr uint32_t kTile = 4 * drafter::kTileWords;
  CHECK(executed_cycles(kCase, "ds_write_b128", kTile * drafter::kTk0, kTile * drafter::kTk1) ==
        stores("drafter_k_tile"));
  CHECK(executed_cycles(kCase, "ds_write_b32", kTile * drafter::kTv0, kTile * drafter::kTv1) ==
        stores("drafter_v_tile"));
  CHECK(stores("drafter_v_tile") == 8 * 32);
}

}  // namespace wavetwin::golden
