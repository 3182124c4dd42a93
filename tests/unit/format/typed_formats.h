// SPDX-License-Identifier: MIT
// Pairs each format with its oracle, for the tests that run over all of them. A new format is a line here.
#pragma once

#include "common/format/bf16.h"
#include "common/format/e2m1.h"
#include "common/format/e2m3.h"
#include "common/format/e3m2.h"
#include "common/format/e4m3.h"
#include "common/format/e4m3fnuz.h"
#include "common/format/e5m2.h"
#include "common/format/e5m2fnuz.h"
#include "common/format/f16.h"
#include "tests/oracle/format/format_oracle.h"

namespace wavetwin {

inline const reference::Format& oracle_of(E4M3) { return reference::e4m3(); }
inline const reference::Format& oracle_of(E5M2) { return reference::e5m2(); }
inline const reference::Format& oracle_of(E3M2) { return reference::e3m2(); }
inline const reference::Format& oracle_of(E2M3) { return reference::e2m3(); }
inline const reference::Format& oracle_of(E2M1) { return reference::e2m1(); }
inline const reference::Format& oracle_of(E4M3FNUZ) { return reference::e4m3fnuz(); }
inline const reference::Format& oracle_of(E5M2FNUZ) { return reference::e5m2fnuz(); }
inline const reference::Format& oracle_of(F16) { return reference::f16(); }
inline const reference::Format& oracle_of(BF16) { return reference::bf16(); }

// The code as the format's own type.
template <class F>
F code_of(uint32_t bits) {
  return F{static_cast<decltype(F::bits)>(bits)};
}

#define WAVETWIN_ENCODED_FORMATS E4M3, E5M2, E3M2, E2M3, E2M1, F16, BF16
#define WAVETWIN_ALL_FORMATS WAVETWIN_ENCODED_FORMATS, E4M3FNUZ, E5M2FNUZ

}  // namespace wavetwin
