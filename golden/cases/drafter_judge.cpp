// SPDX-License-Identifier: MIT
#include "golden/cases/drafter_judge.h"

#include <cmath>
#include <stdexcept>

#include "golden/oracle/drafter.h"
#include "golden/oracle/drafter_exact.h"
#include "golden/oracle/mx.h"

namespace wavetwin::golden {
namespace {

using namespace drafter;

constexpr const char* kTiles[2][2] = {{"tk0", "tv0"}, {"tk1", "tv1"}};

// A region of e4m3 bytes while it is put together: known codes, or values with a bound.
class Codes {
 public:
  void resize(uint64_t elements, bool known) {
    if (known) code.assign(elements, 0);
    if (!known) value.assign(elements, 0);
    if (!known) bound.assign(elements, 0);
  }
  void put(uint64_t at, uint8_t known) {
    if (!code.empty()) code[at] = known;
    if (code.empty()) put(at, oracle::e4m3_values()[known], 0);
  }
  void put(uint64_t at, double middle, double error) {
    value[at] = middle;
    bound[at] = error;
  }
  oracle::Bytes code;
  std::vector<double> value, bound;
};

class Judge {
 public:
  Judge(const DrafterPlan& plan, const Tensors& inputs, const Tensors& produced, bool exact)
      : plan_(plan), inputs_(inputs), produced_(produced), exact_(exact) {}

  Reference reference() {
    if (plan_.attends()) tiles();
    if (plan_.has_rows()) rows();
    for (auto& [name, codes] : codes_) store(name, codes);
    if (plan_.is(Stage::run)) partials();
    if (plan_.merges()) output();
    return std::move(out_);
  }

 private:
  template <class T>
  std::span<const T> input(const char* name) const {
    return inputs_.at(name).view<T>();
  }
  template <class T>
  std::span<const T> result(const char* name) const {
    return produced_.at(name).view<T>();
  }

  // Copies and transposes have no bound; neither have rows that are conditioned.
  bool known() const { return exact_ || plan_.is(Stage::kv); }
  void store(const std::string& name, Codes& codes) {
    if (known()) {
      out_[name].exact = make_tensor<uint8_t>(DType::F8_E4M3, produced_.at(name).shape, codes.code);
    } else {
      out_[name].value = std::move(codes.value);
      out_[name].bound = std::move(codes.bound);
    }
  }

  int32_t entry(uint32_t r, int32_t block) const {
    const Tensor& table = inputs_.at("block_table");
    const auto width = static_cast<int32_t>(table.shape[1]);
    const int32_t column = std::clamp(std::min(block, plan_.windows[r].hi >> 7), 0, width - 1);
    const auto blocks = static_cast<int32_t>(inputs_.at("cache").shape[0]);
    return std::clamp(table.view<int32_t>()[r * static_cast<uint64_t>(width) + column], 0, blocks - 1);
  }

  // K (offset 0) or V (offset 128) of a block as [key][dim], zero outside the window.
  oracle::Bytes cached(uint32_t r, int32_t block, uint32_t offset) const {
    const auto cache = input<uint8_t>("cache");
    const Window& w = plan_.windows[r];
    const uint64_t from = static_cast<uint64_t>(entry(r, block)) * kBlockBytes;
    oracle::Bytes out(kBlock * kDim);
    for (uint32_t key = 0; key < kBlock; ++key) {
      const int64_t position = int64_t{block} * kBlock + key;
      if (position < w.lo || position > w.hi) continue;
      for (uint32_t d = 0; d < kDim; ++d) out[key * kDim + d] = cache[from + key * kKeyBytes + offset + d];
    }
    return out;
  }

  // What loads and the transpose put into the tiles; `rows` overlays the new rows.
  void tiles() {
    for (uint32_t pair = 0; pair < (plan_.is(Stage::kv) ? 1u : 2u); ++pair) {
      Codes &k = codes_[kTiles[pair][0]], &v = codes_[kTiles[pair][1]];
      k.resize(uint64_t{plan_.workgroups()} * kDrafterTileBytes, known());
      v.resize(uint64_t{plan_.workgroups()} * kDrafterTileBytes, known());
      for (uint32_t wg = 0; wg < plan_.workgroups(); ++wg) {
        const DrafterPlan::Dumped d = plan_.dumped(wg);
        if (d.count <= pair) continue;
        const oracle::Bytes keys = cached(d.request, d.block[pair], 0);
        const oracle::Bytes values = cached(d.request, d.block[pair], kDim);
        const uint64_t tile = uint64_t{wg} * kDrafterTileBytes;
        for (uint32_t i = 0; i < kBlock * kDim; ++i) {
          const uint32_t key = i / kDim, dim = i % kDim;
          k.put(tile + oracle::drafter_tile_byte(key, dim), keys[i]);
          v.put(tile + oracle::drafter_tile_byte(dim, oracle::drafter_key_byte(key)), values[i]);
        }
      }
    }
  }

  // 128 values of a head of a row of qkv.
  struct Head {
    oracle::Judged judged;
    oracle::Bytes codes;  // of conditioned data
    void put(Codes& to, uint64_t at, uint32_t d) const {
      if (codes.empty()) to.put(at, judged.value[d], judged.bound[d]);
      if (!codes.empty()) to.put(at, codes[d]);
    }
  };
  Head head(uint32_t row, uint32_t column, const char* weight) const {
    oracle::DrafterHead head{input<uint16_t>("qkv").subspan(row * kQkvRow + column, kDim), {}, {}};
    if (weight != nullptr) {
      const auto position = static_cast<uint64_t>(input<int64_t>("positions")[row]);
      head.weight = input<uint16_t>(weight);
      head.cos_sin = input<uint16_t>("cos_sin").subspan(position * kRot, kRot);
    }
    return {oracle::drafter_head(head), exact_ ? oracle::drafter_exact_head(head) : oracle::Bytes{}};
  }

  void rows() {
    codes_["tq"].resize(uint64_t{plan_.workgroups()} * kQueries * kDim, known());
    codes_["cache"].resize(inputs_.at("cache").elements(), known());  // new rows only are compared
    for (uint32_t row = 0; row < plan_.rows(); ++row) {
      const Window& w = plan_.windows[row / kRows];
      if (block_count(w) == 0) continue;
      for (uint32_t h = 0; h < kHeads; ++h) new_query(row, h);
      const int32_t position = w.p0 + static_cast<int32_t>(row % kRows);
      if (position <= w.hi) new_key(row, position);
    }
  }

  void new_query(uint32_t row, uint32_t h) {
    const Head q = head(row, h * kDim, "qn");
    const uint32_t m = row % kRows * kHeads + h;
    for (uint32_t wg = 0; wg < plan_.workgroups(); ++wg) {
      const DrafterPlan::Dumped dump = plan_.dumped(wg);
      if (dump.count == 0 || dump.request != row / kRows) continue;
      const uint64_t tile = uint64_t{wg} * kQueries * kDim;
      for (uint32_t d = 0; d < kDim; ++d) q.put(codes_["tq"], tile + oracle::drafter_tile_byte(m, d), d);
    }
  }

  void new_key(uint32_t row, int32_t position) {
    const Head k = head(row, kHeads * kDim, "kn"), v = head(row, kHeads * kDim + kDim, nullptr);
    const int64_t slot = input<int64_t>("slots")[row];
    const uint64_t record = static_cast<uint64_t>(slot) * kKeyBytes;
    for (uint32_t d = 0; d < kDim && slot >= 0; ++d) {
      k.put(codes_["cache"], record + d, d);
      v.put(codes_["cache"], record + kDim + d, d);
    }
    const auto key = static_cast<uint32_t>(position) % kBlock;
    for (uint32_t wg = 0; wg < plan_.workgroups(); ++wg) {
      const DrafterPlan::Dumped dump = plan_.dumped(wg);
      if (dump.request != row / kRows) continue;
      for (uint32_t pair = 0; pair < dump.count; ++pair) {
        if (dump.block[pair] != position / static_cast<int32_t>(kBlock)) continue;
        const uint64_t tile = uint64_t{wg} * kDrafterTileBytes;
        for (uint32_t d = 0; d < kDim; ++d) {
          k.put(codes_[kTiles[pair][0]], tile + oracle::drafter_tile_byte(key, d), d);
          v.put(codes_[kTiles[pair][1]], tile + oracle::drafter_tile_byte(d, oracle::drafter_key_byte(key)),
                d);
        }
      }
    }
  }

  // The tiles as they are, and the cache for the blocks that were not dumped.
  oracle::DrafterBlocks blocks(uint32_t wg, const Partition& part, const oracle::Bytes& q) const {
    const uint32_t r = wg / plan_.parts();
    const auto tile = [&](const char* name) {
      return result<uint8_t>(name).subspan(uint64_t{wg} * kDrafterTileBytes, kDrafterTileBytes);
    };
    const Window& w = plan_.windows[r];
    oracle::DrafterBlocks data{q, {}, w.p0, w.lo, w.hi};
    for (uint32_t i = 0; i < part.count; ++i) {
      const int32_t first = part.block(i) * static_cast<int32_t>(kBlock);
      if (i < 2) {
        data.blocks.push_back({first, oracle::drafter_plain_rows(tile(kTiles[i][0])),
                               oracle::drafter_plain_values(tile(kTiles[i][1]))});
      } else {
        data.blocks.push_back({first, cached(r, part.block(i), 0), cached(r, part.block(i), kDim)});
      }
    }
    return data;
  }

  void partials() {
    const uint64_t rows = uint64_t{plan_.problem.requests} * kMaxBlocks * kQueries;
    oracle::DrafterExactPartial words;
    oracle::Judged m, l, o;
    for (oracle::Judged* judged : {&m, &l, &o}) {
      judged->value.assign(rows * (judged == &o ? kDim : 1), 0);
      judged->bound = judged->value;
    }
    words.m.assign(rows, 0);
    words.l = words.m;
    words.o.assign(rows * kDim, 0);
    whole_.resize(plan_.problem.requests);
    for (uint32_t wg = 0; wg < plan_.problem.requests * plan_.parts(); ++wg) {
      const uint32_t r = wg / plan_.parts(), p = wg % plan_.parts();
      const Partition part = partition(plan_.windows[r], plan_.problem.requests, p);
      if (part.count == 0) continue;
      const uint64_t row = (uint64_t{r} * kMaxBlocks + p) * kQueries;
      const oracle::Bytes q = oracle::drafter_plain_rows(
          result<uint8_t>("tq").subspan(uint64_t{wg} * kQueries * kDim, kQueries * kDim));
      const oracle::DrafterBlocks data = blocks(wg, part, q);
      if (exact_) {
        const oracle::DrafterExactPartial judged = oracle::drafter_exact_block(data);
        std::copy(judged.m.begin(), judged.m.end(), words.m.begin() + static_cast<int64_t>(row));
        std::copy(judged.l.begin(), judged.l.end(), words.l.begin() + static_cast<int64_t>(row));
        std::copy(judged.o.begin(), judged.o.end(), words.o.begin() + static_cast<int64_t>(row * kDim));
        continue;
      }
      const oracle::DrafterPartial judged = oracle::drafter_blocks(data);
      put(m, judged.m, row);
      put(l, judged.l, row);
      oracle::Judged both = judged.o;
      oracle::narrow(both, judged.semantic);
      put(o, both, row * kDim);
      whole_[r].add(judged);
    }
    store("part_m", std::move(m), words.m);
    store("part_l", std::move(l), words.l);
    store("part_o", std::move(o), words.o);
  }
  static void put(oracle::Judged& to, const oracle::Judged& from, uint64_t at) {
    std::copy(from.value.begin(), from.value.end(), to.value.begin() + static_cast<int64_t>(at));
    std::copy(from.bound.begin(), from.bound.end(), to.bound.begin() + static_cast<int64_t>(at));
  }
  void store(const char* name, oracle::Judged judged, const std::vector<float>& words) {
    if (exact_) {
      out_[name].exact = make_tensor<float>(DType::F32, produced_.at(name).shape, words);
    } else {
      out_[name].value = std::move(judged.value);
      out_[name].bound = std::move(judged.bound);
    }
  }

  // What a merge task reads: partial i of a row, from the stage's own input.
  struct Stored {
    std::span<const float> m, l, o;
    bool apart;  // m, l and o are regions of their own
    uint64_t part, row;

    uint64_t at(uint32_t i, uint64_t width, uint64_t offset) const {
      return apart ? ((part + i) * kQueries + row) * width
                   : (part + i) * (kPartBytes / 4) + offset / 4 + row * width;
    }
    float m_of(uint32_t i) const { return m[at(i, 1, 0)]; }
    float l_of(uint32_t i) const { return l[at(i, 1, kPartL)]; }
    float o_of(uint32_t i, uint32_t d) const { return o[at(i, kDim, kPartO) + d]; }
  };
  Stored stored(uint32_t head) const {
    const uint64_t part = uint64_t{head / kQueries} * kMaxBlocks, row = head % kQueries;
    if (plan_.is(Stage::run)) {
      return {result<float>("part_m"), result<float>("part_l"), result<float>("part_o"), true, part, row};
    }
    const auto all = input<float>("partials");
    return {all, all, all, false, part, row};
  }

  void output() {
    std::vector<uint8_t> data_words;
    std::vector<uint32_t> code_words;
    RegionReference a8, as8, flags;
    WholeReference meant{{}, 0.998, 0.06};  // P in e4m3 moves a head by up to 3 %, MXFP8 by another 3 %
    for (uint32_t head = 0; head < plan_.rows() * kHeads; ++head) {
      const Stored parts = stored(head);
      const uint32_t n = plan_.live_parts(head / kQueries);
      if (exact_) {
        const oracle::DrafterExactOutput words = oracle::drafter_exact_merge(
            {n, [&](uint32_t i) { return parts.m_of(i); }, [&](uint32_t i) { return parts.l_of(i); },
             [&](uint32_t i, uint32_t d) { return parts.o_of(i, d); }});
        data_words.insert(data_words.end(), words.data.begin(), words.data.end());
        code_words.insert(code_words.end(), words.codes.begin(), words.codes.end());
        continue;
      }
      const oracle::DrafterMxfp8 judged = judge_head(head, n, parts);
      if (plan_.is(Stage::run)) put_meant(head, meant);
      a8.value.insert(a8.value.end(), judged.data.value.begin(), judged.data.value.end());
      a8.bound.insert(a8.bound.end(), judged.data.bound.begin(), judged.data.bound.end());
      as8.value.insert(as8.value.end(), judged.codes.value.begin(), judged.codes.value.end());
      as8.bound.insert(as8.bound.end(), judged.codes.bound.begin(), judged.codes.bound.end());
    }
    if (exact_) {
      a8.exact = make_tensor<uint8_t>(DType::F8_E4M3, produced_.at("a8").shape, data_words);
      as8.exact = make_tensor<uint32_t>(DType::U32, produced_.at("as8").shape, code_words);
    }
    if (!meant.value.empty()) a8.whole = std::move(meant);
    std::vector<uint32_t> pairs(2 * kFlagPairs, 1);
    for (uint32_t i = 0; i < kFlagPairs; ++i) pairs[2 * i + 1] = drafter_tag(plan_.problem.replay ? 1 : 0);
    flags.exact = make_tensor<uint32_t>(DType::U32, {kFlagPairs, 2}, pairs);
    out_["a8"] = std::move(a8);
    out_["as8"] = std::move(as8);
    out_["flags"] = std::move(flags);
    if (!plan_.problem.replay) return;
    out_["a8_again"].exact = produced_.at("a8");
    out_["as8_again"].exact = produced_.at("as8");
  }

  std::span<const uint32_t> codes_of(uint32_t head) const {
    return result<uint32_t>("as8").subspan(uint64_t{head} * (kDim / 32), kDim / 32);
  }

  // The head's attention as it is meant, at the run's own codes.
  void put_meant(uint32_t head, WholeReference& meant) const {
    const oracle::Judged y = whole_[head / kQueries].semantic(head % kQueries);
    for (uint32_t d = 0; d < kDim; ++d) {
      meant.value.push_back(std::ldexp(y.value[d], 127 - static_cast<int>(codes_of(head)[d / 32])));
    }
  }

  // By the merge's own input and, for a whole run, by the whole attention as well.
  oracle::DrafterMxfp8 judge_head(uint32_t head, uint32_t n, const Stored& parts) const {
    oracle::Judged y = oracle::drafter_merge({n, [&](uint32_t i) { return parts.m_of(i); },
                                              [&](uint32_t i) { return parts.l_of(i); },
                                              [&](uint32_t i, uint32_t d) { return parts.o_of(i, d); }});
    if (plan_.is(Stage::run)) {
      oracle::narrow(y, whole_[head / kQueries].quantised(head % kQueries));
      oracle::narrow(y, whole_[head / kQueries].semantic(head % kQueries));
    }
    return oracle::drafter_mxfp8(y, codes_of(head));
  }

  const DrafterPlan& plan_;
  const Tensors& inputs_;
  const Tensors& produced_;
  const bool exact_;  // the data are conditioned
  Reference out_;
  std::map<std::string, Codes> codes_;
  std::vector<oracle::DrafterWhole> whole_;  // by request
};

}  // namespace

Reference judge_drafter(const DrafterPlan& plan, const Tensors& inputs, const Tensors& produced) {
  if (plan.problem.data == DrafterData::exact) {
    try {
      return Judge(plan, inputs, produced, true).reference();
    } catch (const std::logic_error&) {
      // A user's own data in an exact case.
    }
  }
  return Judge(plan, inputs, produced, false).reference();
}

}  // namespace wavetwin::golden
