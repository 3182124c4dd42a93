// SPDX-License-Identifier: MIT
// The single one-hots of A, B and C of a matrix instruction, dense or sparse. How: tests/layout/one_hot.h.
#pragma once

#include "tests/layout/one_hot.h"

namespace wavetwin::golden {

// A or B, and where the wave has it.
struct Factor {
  const OperandMap& map;
  unsigned first;  // VGPR
  mfma::Format format;
};

// A hot element shows in element `d` of D, with the number of element `partner` of the other factor.
struct Route {
  unsigned d, partner;
};
// By place of the hot factor: its elements there, and their routes.
struct HotPlace {
  std::vector<unsigned> elements;
  std::vector<Route> routes;
};
using Routes = std::vector<HotPlace>;

// D(i, j) += A(i, k) B(k, j), block by block.
Routes routes_of_a(const RegisterMap& map);
Routes routes_of_b(const RegisterMap& map);

// Every place of `hot` alone.
OneHotOutcome check_factor(const RegisterMap& map, OneHotWave& wave, const Factor& hot, const Factor& partner,
                           const Routes& routes);

// Every place of C alone, A = 0: D is C, with the sign that the instruction gives it.
OneHotOutcome check_c(const RegisterMap& map, OneHotWave& wave);

}  // namespace wavetwin::golden
