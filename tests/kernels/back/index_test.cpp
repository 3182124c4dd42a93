// SPDX-License-Identifier: MIT
// Geometry, plans, scratch and LDS layouts of the attention back, and its operand placement.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <tuple>

#include "common/kernels/back.h"
#include "common/mfma/layout.h"
#include "golden/cases/back.h"
#include "sim/core/error.h"

namespace wavetwin::back {
namespace {

TEST_CASE("back: dims of two and four ranks") {
  const Dims two{2}, four{4};
  CHECK(two.heads() == 32);
  CHECK(two.head_tiles() == 2);
  CHECK(two.groups() == 4);
  CHECK(two.o_rows() == 4096);
  CHECK(two.q_rows() == 16384);
  CHECK(two.woa_tasks() == 128);
  CHECK(two.wob_tasks() == 320);
  CHECK(four.heads() == 16);
  CHECK(four.head_tiles() == 1);
  CHECK(four.groups() == 2);
  CHECK(four.o_rows() == 2048);
  CHECK(four.q_rows() == 8192);
  CHECK(four.woa_tasks() == 64);
  CHECK(four.wob_tasks() == 320);
  for (const uint32_t tp : {0u, 1u, 3u, 8u}) CHECK_FALSE(Dims{tp}.valid());
}

TEST_CASE("back: cases of other rank or token counts are refused by name") {
  const auto refused = [](const golden::BackProblem& problem) {
    return golden::back_case(Stage::run, problem, {});
  };
  for (const uint32_t tp : {1u, 8u}) {
    CHECK_THROWS_WITH_AS(refused({tp, 1, 1, 64, golden::BackData::model, 0}),
                         doctest::Contains("over 2 or 4"), Error);
  }
  for (const uint32_t tokens : {0u, 49u})
    CHECK_THROWS_AS(refused({2, tokens, 1, 64, golden::BackData::model, 0}), Error);
}

struct PlanRow {
  uint32_t tp, tokens, head_groups, chunk_keys, chunks, splits, combines, combine0, woa0, wob0;
  bool early_wob;
};
constexpr PlanRow kPlans[] = {
    {2, 1, 2, 64, 10, 10, 4, 10, 14, 142, true},
    {2, 6, 2, 64, 10, 60, 24, 60, 84, 212, true},
    {2, 9, 2, 64, 10, 90, 36, 90, 126, 254, true},
    {2, 10, 2, 64, 10, 100, 40, 100, 140, 12, false},
    {2, 16, 2, 64, 10, 160, 64, 160, 224, 96, false},
    {2, 25, 2, 64, 10, 250, 100, 250, 94, 222, false},
    {2, 26, 1, 128, 5, 130, 104, 130, 234, 106, false},
    {2, 48, 1, 128, 5, 240, 192, 240, 176, 48, false},
    {4, 1, 1, 128, 5, 5, 2, 5, 7, 71, true},
    {4, 16, 1, 128, 5, 80, 32, 80, 112, 176, true},
    {4, 27, 1, 128, 5, 135, 54, 135, 189, 253, true},
    {4, 28, 1, 128, 5, 140, 56, 140, 196, 4, false},
    {4, 48, 1, 128, 5, 240, 96, 240, 80, 144, false},
};

TEST_CASE("back: plans of both rank counts") {
  for (const PlanRow& row : kPlans) {
    INFO("tp ", row.tp, " tokens ", row.tokens);
    const Form form = form_of(row.tp, row.tokens);
    const Plan p = plan(form, row.tokens);
    CHECK(form.valid());
    CHECK(form.head_groups == row.head_groups);
    CHECK(form.chunk_keys() == row.chunk_keys);
    CHECK(form.chunks() == row.chunks);
    CHECK(p.splits == row.splits);
    CHECK(p.combines == row.combines);
    CHECK(p.combine0 == row.combine0);
    CHECK(p.woa0 == row.woa0);
    CHECK(p.wob0 == row.wob0);
    CHECK(p.early_wob == row.early_wob);
  }
}

TEST_CASE(
    "back: a workgroup has at most one split, one combine, one wo_a and two wo_b tasks, and all are placed") {
  for (const uint32_t tp : {2u, 4u}) {
    for (uint32_t tokens = 1; tokens <= kMaxTokens; ++tokens) {
      const Form form = form_of(tp, tokens);
      const Plan p = plan(form, tokens);
      CHECK(form.chunks() * form.chunk_keys() == kKeys);
      CHECK(p.splits <= 250);
      CHECK(p.combines <= 192);
      const uint32_t woa = form.dims().woa_tasks(), wob = form.dims().wob_tasks();
      CHECK(woa <= kBlocks);
      CHECK((wob > kBlocks && wob <= 2 * kBlocks));
      uint32_t placed[3] = {0, 0, 0};
      for (uint32_t bid = 0; bid < kBlocks; ++bid) {
        placed[0] += first_task(bid, p.combine0) < p.combines;
        placed[1] += first_task(bid, p.woa0) < woa;
        const uint32_t first = first_task(bid, p.wob0);
        placed[2] += 1 + (first + kBlocks < wob);
        const bool attention = bid < p.splits || first_task(bid, p.combine0) < p.combines;
        if (p.early_wob) CHECK_FALSE((attention && first_task(bid, p.woa0) < woa));
      }
      CHECK(placed[0] == p.combines);
      CHECK(placed[1] == woa);
      CHECK(placed[2] == wob);
    }
  }
}

TEST_CASE("back: scratch regions lie where the layout puts them") {
  const Scratch small = scratch(form_of(2, 6), 6, 0);
  CHECK(small.part == 0);
  CHECK(small.pstat == 1966080);
  CHECK(small.srdy == 1981440);
  CHECK(small.xo == 1981952);
  CHECK(small.xos == 2080256);
  CHECK(small.crdy == 2092544);
  CHECK(small.x8b == 2092800);
  CHECK(small.x8bs == 2117376);
  CHECK(small.ardy == 2120448);
  const Scratch large = scratch(form_of(4, 48), 48, 0);
  CHECK(large.pstat == 3932160);
  CHECK(large.srdy == 3962880);
  CHECK(large.xo == 3964928);
  CHECK(large.xos == 4358144);
  CHECK(large.crdy == 4407296);
  CHECK(large.x8b == 4408064);
  CHECK(large.x8bs == 4506368);
  CHECK(large.ardy == 4518656);
  CHECK(front_end(1) == 36608);
  CHECK(front_end(6) == 215808);
  CHECK(front_end(16) == 574464);
  CHECK(front_end(48) == 1723136);
  CHECK(scratch(form_of(4, 1), 1, front_end(1)).part == 36608);
}

TEST_CASE("back: LDS structs have their sizes and fit a CU") {
  CHECK(split_lds(form_of(2, 25)).bytes == 76032);
  CHECK(split_lds(form_of(2, 26)).bytes == 118528);
  CHECK(split_lds(form_of(4, 1)).bytes == 96640);
  CHECK(back::gemv_lds(form_of(2, 1), tile_rows(1)).bytes == 21024);
  CHECK(back::gemv_lds(form_of(2, 48), tile_rows(48)).bytes == 90624);
  for (const NamedForm& named : kForms) {
    const SplitLds lds = split_lds(named.form);
    for (const uint32_t at : {lds.q, lds.raw, lds.p, lds.st}) CHECK(at % 16 == 0);
    CHECK(lds_bytes(named.form, kTokenTile) <= 160 * 1024);
    CHECK(named.form.p_row() == (named.form.chunk_keys() == 64 ? 34 : 66));
    // wo_b's rows are no wider than wo_a's, whose space they use.
    CHECK(named.form.wob().words() <= named.form.woa().words());
    CHECK(named.form.wob().groups() <= named.form.woa().groups());
    CHECK(named.form.wob().valid());
    CHECK_FALSE(named.form.wob().ragged());
  }
  CHECK(kQRow == 260);
  CHECK(kRawRow == 146);
}

TEST_CASE("back: statistics of head tiles and key tiles do not overlap") {
  for (const NamedForm& named : kForms) {
    std::set<uint32_t> seen;
    const uint32_t tiles = named.form.dims().head_tiles();
    for (uint32_t ht = 0; ht < tiles; ++ht) {
      for (uint32_t kt = 0; kt < named.form.key_tiles(); ++kt) {
        for (uint32_t r = 0; r < kTile; ++r) seen.insert(stat_at(named.form, ht, kt, r));
      }
    }
    CHECK(seen.size() == named.form.dims().heads() * named.form.key_tiles());
    CHECK(*seen.rbegin() + 1 == seen.size());
  }
}

TEST_CASE(
    "back: the QK operands meet every dim exactly once, the key's bytes and q's words at the same dim") {
  std::set<uint32_t> dims;
  for (uint32_t g = 0; g < 4; ++g) {
    for (uint32_t c = 0; c < 7; ++c) {
      for (uint32_t h = 0; h < 2; ++h) {
        for (uint32_t e = 0; e < 8; ++e) {
          const uint32_t dim = 4 * nope_word(c, g) + 8 * h + e;
          CHECK(dim == 2 * q_nope_word(c, h, g) + e);
          CHECK(dim / 64 == c);  // the scale byte in use
          dims.insert(dim);
        }
      }
    }
    for (uint32_t c = 0; c < 2; ++c) {
      for (uint32_t e = 0; e < 8; ++e) {
        const uint32_t dim = kNope + 2 * (rope_word(c, g) - kNope / 4) + e;
        CHECK(dim == 2 * q_rope_word(c, g) + e);
        dims.insert(dim);
      }
    }
  }
  CHECK(dims.size() == kHeadDim);
  CHECK(*dims.rbegin() == kHeadDim - 1);
}

TEST_CASE("back: the 32 products of PV hold every dim of a head once") {
  const mfma::Shape& shape = *mfma::find_exact("v_mfma_f32_16x16x16_bf16");
  std::set<uint32_t> dims;
  for (uint32_t wave = 0; wave < kWaves; ++wave) {
    for (uint32_t dt = 0; dt < 4; ++dt) {
      for (uint32_t row = 0; row < 16; ++row) {
        // Row r16 of A is dim 64 w + 4 r16 + dt; the element comes out in lane group g, register i.
        const mfma::Place place = mfma::cd_layout(shape).place({0, static_cast<uint8_t>(row), 0});
        const uint32_t g = place.lane / 16, i = place.vgpr();
        const uint32_t dim = 64 * wave + 16 * g + 4 * i + dt;
        CHECK(dim == 64 * wave + 4 * row + dt);
        dims.insert(dim);
      }
    }
  }
  CHECK(dims.size() == kHeadDim);
}

TEST_CASE("back: token tiles cover the tokens, at most 16 each") {
  for (uint32_t tokens = 1; tokens <= kMaxTokens; ++tokens) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < token_tiles(tokens); ++i) {
      const TokenTile tile = token_tile(tokens, i);
      CHECK(tile.t0 == next);
      CHECK((tile.n >= 1 && tile.n <= kTokenTile));
      next += tile.n;
    }
    CHECK(next == tokens);
  }
}

TEST_CASE("back: live chunks are those that begin before the last key") {
  for (const NamedForm& named : kForms) {
    for (uint32_t count = 0; count <= kKeys; ++count) {
      uint32_t live = 0;
      for (uint32_t c = 0; c < named.form.chunks(); ++c) live += c * named.form.chunk_keys() < count;
      CHECK(live_chunks(named.form, count) == live);
    }
  }
}

}  // namespace
}  // namespace wavetwin::back
