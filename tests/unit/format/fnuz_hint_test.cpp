// SPDX-License-Identifier: MIT
#include "common/format/fnuz_hint.h"

#include <doctest/doctest.h>

#include <vector>

#include "common/format/e4m3fnuz.h"

namespace wavetwin {
namespace {

Dialect verdict(const FloatFormat& format, const std::vector<uint8_t>& codes) {
  return dialect_evidence(format, codes.data(), codes.size()).verdict;
}

TEST_CASE("fnuz hint: -0 speaks for OCP, OCP's specials for FNUZ, both contradict") {
  CHECK(verdict(E4M3::kFormat, {0x00, 0x38, 0x7E, 0xFE}) == Dialect::either);
  CHECK(verdict(E4M3::kFormat, {}) == Dialect::either);
  CHECK(verdict(E4M3::kFormat, {0x80, 0x38}) == Dialect::ocp);
  CHECK(verdict(E4M3::kFormat, {0x7F, 0x38}) == Dialect::fnuz);
  CHECK(verdict(E4M3::kFormat, {0xFF, 0x38}) == Dialect::fnuz);
  CHECK(verdict(E4M3::kFormat, {0xFF, 0x80}) == Dialect::contradictory);
  for (uint8_t code : {0x7C, 0x7D, 0x7F, 0xFC, 0xFF}) CHECK(verdict(E5M2::kFormat, {code}) == Dialect::fnuz);
  CHECK(verdict(E5M2::kFormat, {0x7B, 0xFB}) == Dialect::either);
}

TEST_CASE("fnuz hint: the evidence is counted") {
  const uint8_t codes[] = {0x80, 0x80, 0x7F, 0x01};
  const DialectEvidence evidence = dialect_evidence(E4M3::kFormat, codes, 4);
  CHECK(evidence.codes == 4);
  CHECK(evidence.only_ocp == 2);
  CHECK(evidence.only_fnuz == 1);
}

TEST_CASE("fnuz hint: codes read in the wrong dialect show as a factor of two") {
  std::vector<float> ocp, fnuz, four_times;
  for (uint8_t code = 1; code < 0x7F; ++code) {
    ocp.push_back(decode(E4M3{code}));
    fnuz.push_back(decode(E4M3FNUZ{code}));
    four_times.push_back(4 * fnuz.back());
  }
  const size_t n = ocp.size();
  CHECK(power_ratio(ocp.data(), fnuz.data(), n).power == 1);
  CHECK(power_ratio(ocp.data(), fnuz.data(), n).is_mix_up);
  CHECK(power_ratio(fnuz.data(), ocp.data(), n).power == -1);
  CHECK(power_ratio(four_times.data(), fnuz.data(), n).power == 2);
  CHECK(power_ratio(fnuz.data(), four_times.data(), n).power == -2);
  CHECK(power_ratio(fnuz.data(), four_times.data(), n).agreeing == n);
  CHECK(!power_ratio(ocp.data(), ocp.data(), n).is_mix_up);
}

TEST_CASE("fnuz hint: few pairs, or pairs that mostly agree, are no mix-up") {
  std::vector<float> wanted(20, 3.0f), got(20, 6.0f);
  CHECK(power_ratio(got.data(), wanted.data(), 8).is_mix_up);
  CHECK(!power_ratio(got.data(), wanted.data(), 7).is_mix_up);
  got[0] = got[1] = 3.5f;
  CHECK(power_ratio(got.data(), wanted.data(), 20).is_mix_up);
  got[2] = -6.0f;
  CHECK(!power_ratio(got.data(), wanted.data(), 20).is_mix_up);
}

}  // namespace
}  // namespace wavetwin
