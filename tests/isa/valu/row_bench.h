// SPDX-License-Identifier: MIT
// One vector row on a wave's registers, in any encoding and with any modifiers, beside the oracle: what every
// lane of the result, the lane masks, EXEC and all other registers must be.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/isa/environment.h"
#include "tests/isa/valu/operand_sets.h"
#include "tests/isa/valu/wave_fixture.h"

namespace wavetwin::test {

// How one execution differs from the plain one.
struct Setup : reference::Modifiers {
  uint32_t mode = 0x3f0;
  uint64_t exec = ~uint64_t{0};
  // Operand code of a source that is a scalar register (kScalar) or an inline constant; 0: a VGPR.
  std::array<unsigned, 3> scalar{};
  int in_place = -1;        // the destination is also this source
  bool named_mask = false;  // SDWA compares: an SGPR pair in place of VCC
  // Named options of the simulator and the same choices for the oracle; null: the defaults.
  const NumericModel* model = nullptr;
  const reference::Choices* choices = nullptr;
};

class RowBench {
 public:
  static constexpr unsigned kDst = 0, kSrc[3] = {32, 64, 96};  // room for 32 registers each
  static constexpr unsigned kScalar = 40;                      // an SGPR pair with interesting values
  static constexpr unsigned kMaskSource = 10, kMaskResult = 12;

  // Fills all registers; the same seed gives the same operands. With `finite` no operand is infinite or NaN:
  // a NaN in one lane makes the executor repeat all of them without the host's arithmetic.
  RowBench(const isa::Row& row, uint64_t seed, bool finite = false);

  // Executes once; reports the first difference and returns false when there is one.
  bool check(const Setup& setup);
  // In how many lanes the oracle gives different answers, an exact one and one within a unit being different.
  unsigned differing(const Setup& a, const Setup& b) const;
  // Counts the classes of the operands that were used.
  void tally(OperandTally& tally) const;

  // From now on the operands, MODE and everything but EXEC and the DPP fields stay as in the next check: the
  // oracle's answer for each pair of a lane and the lane that feeds it is kept.
  void keep_answers() { answers_.assign(64 * 65, {}); }

 private:
  struct Answer {
    bool known = false, mask = false;
    unsigned ulp = 0;
    double absolute = 0;
    reference::OperandWords computed{}, d{};  // before and after omod and clamp
  };

  void prepare(Random& random, bool finite);
  // Undoes the last execution.
  void restore(const Setup& setup);
  reference::LaneInput lane_input(const Setup& setup, unsigned lane, int from) const;
  Answer answer(const Setup& setup, unsigned lane, int from) const;
  const Answer& kept_answer(const Setup& setup, unsigned lane, int from);
  bool lane_matches(const Setup& setup, unsigned lane, const Answer& want) const;
  bool rest_matches(const Setup& setup, uint64_t want_mask) const;
  std::vector<uint32_t> encoding(const Setup& setup) const;
  std::string describe(const Setup& setup, unsigned lane, int from, const Answer& want) const;

  bool has_mask() const { return row_.dst[0] == isa::LANES || row_.dst[1] == isa::LANES; }
  unsigned mask_pair(const Setup& setup) const;
  unsigned dst(const Setup& setup) const {
    return setup.in_place < 0 ? kDst : kSrc[static_cast<size_t>(setup.in_place)];
  }
  unsigned result_dwords() const { return static_cast<unsigned>(shape_.result.registers); }
  uint32_t old(unsigned r, unsigned lane) const { return before_[r * 64 + lane]; }

  const isa::Row& row_;
  reference::Shape shape_;
  const reference::LaneFunction* oracle_ = nullptr;
  isa::Environment env_;  // only when options are set
  mutable TestWave wave_;
  std::vector<uint32_t> before_, agprs_;  // all vector registers
  std::array<uint32_t, isa::kScalarFileSize> scalars_{};
  unsigned written_ = kDst;  // first register of the last result
  uint32_t literal_ = 0;
  int literal_source_ = -1;
  std::vector<Answer> answers_;
  Answer fresh_;
};

// The oracle's view of a row's operands.
reference::Shape shape_of(const isa::Row& row);

// The rows whose expression works on one lane.
bool is_lane_row(const isa::Row& row);
unsigned source_count(const isa::Row& row);
// A seed of its own for each row.
uint64_t seed_of(const isa::Row& row);

}  // namespace wavetwin::test
