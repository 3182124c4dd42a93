// SPDX-License-Identifier: MIT
// The facts both GEMV twins share: every index function is one-to-one and covers what it must.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/kernels/gemv.h"
#include "common/mfma/layout.h"

namespace wavetwin {
namespace {

const mfma::Shape& gemv_mfma() { return *mfma::find_exact("v_mfma_scale_f32_16x16x128_f8f6f4"); }

// Forms of the kernels, and every other split that divides a window.
std::vector<GemvForm> forms() {
  std::vector<GemvForm> all;
  for (const GemvKernel& kernel : kGemvKernels) all.push_back(kernel.shape.form());
  for (uint32_t nsteps : {1u, 7u, 8u, 9u, 10u, 16u, 20u, 40u}) {
    all.push_back({nsteps * kStepK, nsteps, 0, false});
    for (uint32_t split : {1u, 2u, 4u, 5u, 8u}) {
      for (bool tiled : {false, true}) {
        const GemvForm form{nsteps * kStepK, nsteps, split, tiled};
        if (form.valid()) all.push_back(form);
      }
    }
  }
  return all;
}

std::string text(const GemvForm& form) {
  return "k " + std::to_string(form.k) + " nsteps " + std::to_string(form.nsteps) + " split " +
         std::to_string(form.split) + (form.tiled ? " tiled" : "");
}

TEST_CASE("gemv: every step of a window belongs to exactly one wave of its row tile") {
  for (const GemvForm& form : forms()) {
    INFO(text(form));
    REQUIRE(form.valid());
    std::map<std::pair<uint32_t, uint32_t>, int> owners;  // (row tile, step)
    const uint32_t waves = form.split != 0 && !form.tiled ? form.split : kWaves;
    for (uint32_t wave = 0; wave < waves; ++wave) {
      for (uint32_t i = 0; i < form.steps_per_wave(); ++i) {
        const Step step = steps(form, wave, i);
        CHECK(step.live == (step.st < form.nsteps));
        if (step.live) ++owners[{row_tile_of(form, wave), step.st}];
      }
    }
    CHECK(owners.size() == form.row_tiles() * form.nsteps);
    for (const auto& [step, count] : owners)
      CHECK_MESSAGE(count == 1, "row tile ", step.first, " step ", step.second);
  }
}

TEST_CASE("gemv: only a ragged window has a step that is not live, and it is past the window") {
  for (const GemvForm& form : forms()) {
    INFO(text(form));
    int dead = 0;
    for (uint32_t wave = 0; wave < kWaves; ++wave) {
      for (uint32_t i = 0; i < form.steps_per_wave(); ++i) dead += !steps(form, wave, i).live;
    }
    CHECK((dead != 0) == form.ragged());
    if (form.split == 0) CHECK(dead == static_cast<int>(form.steps_per_wave() * kWaves - form.nsteps));
  }
}

TEST_CASE("gemv: waves past an untiled split repeat the last part") {
  const GemvForm form{4096, 32, 4, false};
  for (uint32_t wave = 4; wave < kWaves; ++wave) {
    for (uint32_t i = 0; i < 8; ++i) CHECK(steps(form, wave, i).st == 24 + i);
  }
}

TEST_CASE("device: tile_map divides exactly for every thread and every row width in use") {
  std::set<uint32_t> widths{1, 2, 4, 8, 10, 16, 20, 32, 64, 80, 128, 160, 256, 512};
  for (const GemvKernel& kernel : kGemvKernels) {
    widths.insert(kernel.shape.form().words() / 4);
    widths.insert(kernel.shape.form().groups() / 4);
  }
  for (const uint32_t width : widths) {
    for (uint32_t tid = 0; tid < kThreads; ++tid) {
      const TileAt<uint32_t> at = tile_map(tid, width);
      CHECK_MESSAGE((at.row == tid / width && at.col == tid % width), "width ", width, " tid ", tid);
    }
  }
  CHECK(tile_reciprocal(160) == 6554);
  CHECK(tile_reciprocal(80) == 13108);
  CHECK(tile_reciprocal(20) == 52429);
  CHECK(tile_reciprocal(10) == 104858);
}

TEST_CASE("device: first_task places a stage's tasks on all workgroups, once each") {
  for (const uint32_t base : {0u, 7u, 255u, 256u, 700u}) {
    std::set<uint32_t> tasks;
    for (uint32_t bid = 0; bid < kBlocks; ++bid) tasks.insert(first_task(bid, base));
    CHECK(tasks.size() == kBlocks);
    CHECK(*tasks.rbegin() == kBlocks - 1);
    CHECK(first_task(base % kBlocks, base) == 0);
  }
}

// The words that store_span's threads write, as rows_store places them.
std::map<uint32_t, int> stored_words(uint32_t width, uint32_t n) {
  std::map<uint32_t, int> written;
  const SpanItems items = span_items(width, kTokenTile);
  for (uint32_t tid = 0; tid < kThreads; ++tid) {
    const TileAt<uint32_t> at = tile_map(tid, items.items);
    for (uint32_t i = 0; i < items.rounds && i * items.rows_per_round < n; ++i) {
      const uint32_t row = at.row + items.rows_per_round * i;
      if (row >= n || tid >= items.rows_per_round * items.items) continue;
      for (uint32_t e = 0; e < 4; ++e) ++written[row * lds_row(width) + 4 * at.col + e];
    }
  }
  return written;
}

TEST_CASE("gemv: rows_store covers every word of its rows once and no padding") {
  for (const GemvKernel& kernel : kGemvKernels) {
    const GemvForm form = kernel.shape.form();
    for (const uint32_t width : {form.words(), form.groups()}) {
      for (uint32_t n = 1; n <= kTokenTile; ++n) {
        INFO(kernel.name, " width ", width, " rows ", n);
        const auto written = stored_words(width, n);
        CHECK(written.size() == width * n);
        for (const auto& [word, count] : written) {
          REQUIRE(count == 1);
          REQUIRE(word % lds_row(width) < width);
          REQUIRE(word / lds_row(width) < n);
        }
      }
    }
  }
}

TEST_CASE("gemv: span_items covers n rows and no round is empty") {
  for (const uint32_t width : {40u, 64u, 80u, 128u, 320u, 512u, 640u, 1024u, 2048u}) {
    for (uint32_t n = 1; n <= kTokenTile; ++n) {
      const SpanItems items = span_items(width, n);
      CHECK(items.rows_per_round >= 1);
      CHECK(items.rows_per_round * items.items <= kThreads);
      CHECK(items.rounds * items.rows_per_round >= n);
      CHECK((items.rounds - 1) * items.rows_per_round < n);
    }
  }
}

TEST_CASE("gemv: lds_at keeps the pitch of lds_row") {
  for (const uint32_t row : {40u, 128u, 320u, 1024u}) {
    for (uint32_t u = 0; u < 3 * row; ++u) CHECK(lds_at(u, row) == u / row * lds_row(row) + u % row);
  }
}

TEST_CASE("gemv: the parts of a workgroup's LDS do not overlap and stay in 160 KiB") {
  for (const GemvKernel& kernel : kGemvKernels) {
    const GemvForm form = kernel.shape.form();
    const GemvLds lds = gemv_lds(form);
    CHECK(lds.xl - lds.red == 8192);
    CHECK(lds.xsl - lds.xl == 4 * kTokenTile * lds_row(form.words()));
    CHECK(lds.bytes - lds.xsl == 4 * kTokenTile * lds_row(form.groups()));
    CHECK(lds.bytes <= 160 * 1024);
    for (const uint32_t at : {lds.red, lds.xl, lds.xsl}) CHECK(at % 16 == 0);
  }
  // Two tasks at a time over K 4096: what the fused attention kernel allots for 1 and for 16 tokens.
  const GemvForm wide{4096, 32, 0, false};
  CHECK(gemv_lds(wide, 1, 2).bytes == 21024);
  CHECK(gemv_lds(wide, 16, 2).bytes == 90624);
}

TEST_CASE("gemv: red_at finds every accumulator where the MFMA leaves it, one-to-one") {
  std::set<uint32_t> seen;
  for (uint32_t w = 0; w < kWaves; ++w) {
    for (uint32_t r = 0; r < kRowTile; ++r) {
      for (uint32_t t = 0; t < kTokenTile; ++t) {
        const mfma::Place place =
            mfma::cd_layout(gemv_mfma()).place({0, static_cast<uint8_t>(r), static_cast<uint8_t>(t)});
        const uint32_t at = red_at(r, t, w);
        CHECK(at == (w * kLanes + place.lane) * kAccElements + place.vgpr());
        seen.insert(at);
      }
    }
  }
  CHECK(seen.size() == kRed);
  CHECK(*seen.rbegin() == kRed - 1);
}

// What step_load and step_mfma rely on: lane l holds row l % 16, bytes 16 j .. and 64 + 16 j .. (j = l / 16),
// and the scale of K block j.
TEST_CASE("gemv: the 16-byte pieces a lane loads are the ones the MFMA layout asks for") {
  const auto layout = mfma::a_layout(gemv_mfma(), mfma::Format::e4m3);
  for (uint32_t row = 0; row < 16; ++row) {
    for (uint32_t k = 0; k < kStepK; ++k) {
      const mfma::Place place = layout.place({0, static_cast<uint8_t>(row), static_cast<uint8_t>(k)});
      const uint32_t j = place.lane / 16;
      CHECK(place.lane % 16 == row);
      const uint32_t piece = place.vgpr() / 4;  // 0: lo, 1: hi
      CHECK(k == 64 * piece + 16 * j + (place.vgpr() % 4) * 4 + place.bit_in_vgpr() / 8);
    }
    for (uint32_t block = 0; block < kStepBlocks; ++block) {
      CHECK(mfma::scale_lane(16, {static_cast<uint8_t>(row), static_cast<uint8_t>(block)}) ==
            16 * block + row);
    }
  }
}

TEST_CASE("gemv: the grid covers every row of every window once; idle workgroups are masked off") {
  for (const GemvKernel& kernel : kGemvKernels) {
    const GemvShape& shape = kernel.shape;
    INFO(kernel.name);
    REQUIRE(shape.valid());
    std::set<std::pair<uint32_t, uint32_t>> rows;
    for (uint32_t bid = 0; bid < shape.grid(); ++bid) {
      const GemvTask task = gemv_task(shape, bid);
      CHECK(task.live == (bid < shape.tasks()));
      CHECK(task.row0 + shape.form().task_rows() <= shape.rows);
      CHECK(task.group == task.row0 / (shape.rows / shape.groups));
      CHECK(task.kbeg == task.window * shape.form().nsteps);
      if (!task.live) continue;
      for (uint32_t r = 0; r < shape.form().task_rows(); ++r) {
        CHECK(rows.insert({task.window, task.row0 + r}).second);
      }
    }
    CHECK(rows.size() == shape.windows * shape.rows);
  }
}

// kernel_symbol(stem, parameters in argument order): _ZN5aiter<length><stem>_<k1v1>_<k2v2>...E.
TEST_CASE("gemv: kernel symbols spell their parameters") {
  for (const GemvKernel& kernel : kGemvKernels) {
    const GemvShape& s = kernel.shape;
    const std::string name = "gemv_n" + std::to_string(s.rows) + "_k" + std::to_string(s.k) + "_split" +
                             std::to_string(s.split) + "_tiled" + std::to_string(s.tiled) + "_win" +
                             std::to_string(s.windows) + "_grp" + std::to_string(s.groups) + "_idle" +
                             std::to_string(s.idle);
    CHECK(kernel.symbol == "_ZN5aiter" + std::to_string(name.size()) + name + "E");
  }
}

TEST_CASE("gemv: forms that cannot be dealt out are not valid") {
  CHECK_FALSE(GemvForm{4096, 32, 5, false}.valid());   // 32 steps into 5 parts
  CHECK_FALSE(GemvForm{4096, 32, 16, false}.valid());  // more parts than waves
  CHECK_FALSE(GemvForm{4100, 32, 0, false}.valid());   // K is no multiple of 128
  CHECK_FALSE(GemvForm{4096, 33, 0, false}.valid());   // window past K
  CHECK_FALSE(GemvForm{4096, 32, 0, true}.valid());    // tiles need a split
}

}  // namespace
}  // namespace wavetwin
