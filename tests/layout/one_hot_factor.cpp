// SPDX-License-Identifier: MIT
#include "tests/layout/one_hot_factor.h"

#include <fmt/format.h>

#include <optional>

namespace wavetwin::golden {
namespace {

Routes places_with_elements(const OperandMap& map) {
  const auto elements = map.elements_by_slot();
  Routes routes(elements.size());
  for (size_t n = 0; n < elements.size(); ++n) routes[n].elements = elements[n];
  return routes;
}

// A factor that holds in every place a numeral of the place's number: of one digit a pass.
class NamedFactor {
 public:
  explicit NamedFactor(const Factor& factor) : factor_(factor), numerals_(numerals(factor.format)) {
    const size_t places = size_t{64} * factor.map.slots(), base = numerals_.codes.size();
    for (size_t names = 1; names < places; names *= base) ++passes_;
    for (size_t pass = 0; pass < passes_; ++pass) {
      OperandImage image(factor.map);
      for (unsigned n = 0; n < places; ++n)
        image.set(place_of(factor.map, n), numerals_.codes[digit(n, pass)]);
      images_.push_back(image.words());
    }
  }
  size_t passes() const { return passes_; }
  const Registers& image(size_t pass) const { return images_[pass]; }
  const OperandMap& map() const { return factor_.map; }
  unsigned first() const { return factor_.first; }
  double value(unsigned number, size_t pass) const { return numerals_.values[digit(number, pass)]; }
  size_t base() const { return numerals_.codes.size(); }
  double numeral(size_t digit) const { return numerals_.values[digit]; }

 private:
  size_t digit(size_t number, size_t pass) const {
    for (; pass > 0; --pass) number /= base();
    return number % base();
  }
  const Factor& factor_;
  const Numerals& numerals_;
  size_t passes_ = 0;
  std::vector<Registers> images_;
};

// One factor's places against the names of the other.
class FactorCheck {
 public:
  FactorCheck(const RegisterMap& map, OneHotWave& wave, const Factor& hot, const Factor& partner)
      : map_(map),
        wave_(wave),
        hot_(hot),
        named_(partner),
        expected_(map),
        sign_(map.operand("A").negated != map.operand("B").negated ? -1 : 1),
        one_(numerals(hot.format).codes[0]),
        sums_(map.operand("D").places.size()) {}

  OneHotOutcome run(const Routes& routes) {
    OneHotOutcome outcome;
    wave_.load(hot_.first, Registers(hot_.map.vgprs));
    for (size_t pass = 0; pass < named_.passes(); ++pass) {
      take_pass(pass);
      for (unsigned place = 0; place < routes.size(); ++place) {
        heat(place);
        expect(routes[place].routes);
        ++outcome.counts.runs;
        if (!expected_.equals(wave_)) {
          outcome.difference = describe(place, routes[place]);
          return outcome;
        }
        expected_.clear();
        cool(place);
      }
    }
    for (const HotPlace& place : routes) {
      ++outcome.counts.places;
      outcome.counts.read += !place.elements.empty();
      outcome.counts.elements += place.elements.size();
    }
    return outcome;
  }

 private:
  void take_pass(size_t pass) {
    wave_.load(named_.first(), named_.image(pass));
    pass_ = pass;
  }
  // Where a lane pattern of B lets one place stand for several k, the numbers of the places of A that it
  // meets add up.
  void expect(const std::vector<Route>& routes) {
    for (const Route& route : routes)
      sums_[route.d] += named_.value(place_number(named_.map(), named_.map().places[route.partner]), pass_);
    for (const Route& route : routes) {
      if (sums_[route.d] != 0) expected_.set(route.d, expected_.code(sign_ * sums_[route.d]));
      sums_[route.d] = 0;
    }
  }
  void heat(unsigned place) {
    wave_.put(hot_.first, place_of(hot_.map, place), hot_.map.bits, one_);
    clear_output();
    wave_.run();
  }
  void cool(unsigned place) { wave_.put(hot_.first, place_of(hot_.map, place), hot_.map.bits, 0); }
  // SMFMAC adds to what is there.
  void clear_output() {
    if (map_.sparse)
      std::fill_n(wave_.vgpr(OneHotWave::kD), size_t{64} * map_.operand("D").vgprs, 0);
    else
      wave_.poison(map_.operand("D").vgprs);
  }

  // The place of the named factor whose numerals stand in the element of D over all passes; nothing when some
  // number there is no numeral.
  std::optional<unsigned> named_place(unsigned hot, unsigned element) {
    size_t number = 0, weight = 1;
    for (size_t pass = 0; pass < named_.passes(); ++pass, weight *= named_.base()) {
      take_pass(pass);
      heat(hot);
      size_t digit = 0;
      const uint64_t got = expected_.read(wave_, element);
      while (digit < named_.base() && expected_.code(sign_ * named_.numeral(digit)) != got) ++digit;
      if (digit == named_.base()) return std::nullopt;
      number += digit * weight;
    }
    if (number >= size_t{64} * named_.map().slots()) return std::nullopt;
    return static_cast<unsigned>(number);
  }

  std::string describe(unsigned place, const HotPlace& hot) {
    unsigned element = 0;
    std::string text = fmt::format("{}: {} is 1 in {} alone: {}", map_.instruction, hot_.map.name,
                                   place_text(hot_.map, place), expected_.difference(wave_, element));
    if (element == map_.operand("D").places.size()) return text;
    const OperandMap& named = named_.map();
    std::string partners;
    for (const Route& route : hot.routes) {
      if (route.d != element) continue;
      partners += (partners.empty() ? "" : " and ") +
                  place_text(named, place_number(named, named.places[route.partner]));
    }
    const std::optional<unsigned> met = named_place(place, element);
    return text + fmt::format("; by the map it meets {}, by the executor {}",
                              partners.empty() ? "nothing" : partners,
                              met ? place_text(named, *met) : "nothing, or more than one place");
  }

  const RegisterMap& map_;
  OneHotWave& wave_;
  const Factor& hot_;
  NamedFactor named_;
  ExpectedOutput expected_;
  int sign_;
  uint64_t one_;
  size_t pass_ = 0;
  std::vector<double> sums_;  // by element of D, 0 between runs
};

// Every element of a factor shows in `count` elements of D, route(element, 0) and so on.
template <typename RouteOf>
Routes routes_of(const OperandMap& hot, unsigned count, RouteOf route) {
  Routes routes = places_with_elements(hot);
  for (HotPlace& place : routes)
    for (const unsigned n : place.elements)
      for (unsigned i = 0; i < count; ++i) place.routes.push_back(route(hot.element(n), i));
  return routes;
}

}  // namespace

Routes routes_of_a(const RegisterMap& map) {
  const OperandMap &b = map.operand("B"), &d = map.operand("D");
  return routes_of(map.operand("A"), map.n, [&](const OperandMap::Element& e, unsigned j) {
    return Route{d.number(e.row, j, e.block), b.number(e.column, j, e.block)};  // its column is k
  });
}

Routes routes_of_b(const RegisterMap& map) {
  const OperandMap &a = map.operand("A"), &d = map.operand("D");
  return routes_of(map.operand("B"), map.m, [&](const OperandMap::Element& e, unsigned i) {
    return Route{d.number(i, e.column, e.block), a.number(i, e.row, e.block)};  // its row is k
  });
}

OneHotOutcome check_factor(const RegisterMap& map, OneHotWave& wave, const Factor& hot, const Factor& partner,
                           const Routes& routes) {
  return FactorCheck(map, wave, hot, partner).run(routes);
}

OneHotOutcome check_c(const RegisterMap& map, OneHotWave& wave) {
  const OperandMap &a = map.operand("A"), &b = map.operand("B"), &c = map.operand("C");
  OneHotOutcome outcome;
  ExpectedOutput expected(map);
  const unsigned first = map.sparse ? OneHotWave::kD : OneHotWave::kC;
  wave.load(OneHotWave::kA, Registers(a.vgprs));
  wave.load(OneHotWave::kB, Registers(b.vgprs));
  const auto elements = c.elements_by_slot();
  for (unsigned place = 0; place < elements.size(); ++place) {
    const mfma::Place at = place_of(c, place);
    const double number = 1.0 + place;
    if (map.sparse) wave.load(OneHotWave::kD, Registers(c.vgprs));
    if (!map.sparse) wave.poison(c.vgprs);
    wave.put(first, at, c.bits, expected.code(number));
    for (const unsigned n : elements[place]) expected.set(n, expected.code(c.negated ? -number : number));
    wave.run();
    ++outcome.counts.runs;
    if (!expected.equals(wave)) {
      unsigned element = 0;
      outcome.difference = fmt::format("{}: C is {} in {} alone: {}", map.instruction, number,
                                       place_text(c, place), expected.difference(wave, element));
      return outcome;
    }
    ++outcome.counts.places;
    outcome.counts.read += !elements[place].empty();
    outcome.counts.elements += elements[place].size();
    expected.clear();
    wave.put(first, at, c.bits, 0);
  }
  return outcome;
}

}  // namespace wavetwin::golden
