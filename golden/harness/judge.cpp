// SPDX-License-Identifier: MIT
#include "golden/harness/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "golden/harness/compare.h"
#include "golden/harness/install.h"
#include "golden/io/file.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

// Adds the outcome of one region; one difference makes the whole run different.
void add(Judgement& judgement, uint64_t elements, bool equal) {
  judgement.elements += elements;
  if (!equal) {
    judgement.agreement = Agreement::different;
  } else if (elements != 0 && judgement.agreement == Agreement::not_compared) {
    judgement.agreement = Agreement::equal;
  }
}

std::function<std::string(std::span<const uint64_t>)> locate_of(const RegionSpec& region) {
  // The order of an unordered region's elements says nothing about who produced them.
  return region.comparison == Comparison::unordered ? nullptr : region.locate;
}

// Distance from the oracle in bounds: at most 1 is right. NaN and infinity are right or infinitely wrong.
double error_in_bounds(double value, double reference, double bound) {
  constexpr double kWrong = HUGE_VAL;
  if (std::isnan(reference)) return std::isnan(value) ? 0 : kWrong;
  if (std::isnan(value)) return kWrong;
  if (std::isinf(reference) || std::isinf(value)) return value == reference ? 0 : kWrong;
  const double error = std::fabs(value - reference);
  return error == 0 ? 0 : error / bound;  // a zero bound asks for the exact value
}

struct BoundResult {
  uint64_t compared = 0, outside = 0;
  uint64_t first = 0;
  double worst = 0;
};

BoundResult compare_with_bound(const RegionSpec& region, const RegionReference& reference,
                               const Tensor& tensor) {
  const uint64_t elements = tensor.elements();
  if (reference.value.size() != elements || reference.bound.size() != elements) {
    throw Error(fmt::format("region '{}': the oracle gave {} values and {} bounds for {} elements",
                            region.name, reference.value.size(), reference.bound.size(), elements));
  }
  BoundResult result;
  for (uint64_t i = 0; i < elements; ++i) {
    if (!region.is_written(i)) continue;
    ++result.compared;
    const double error = error_in_bounds(tensor.value(i), reference.value[i], reference.bound[i]);
    result.worst = std::max(result.worst, error);
    if (error <= 1) continue;
    if (result.outside++ == 0) result.first = i;
  }
  return result;
}

std::string bound_report(const std::string& case_name, const RegionSpec& region,
                         const RegionReference& reference, const Tensor& tensor, const BoundResult& result,
                         const std::string& name) {
  const auto index = unravel(tensor.shape, result.first);
  const std::string place = region.locate ? region.locate(index) : "";
  return fmt::format(
      "{}: tensor '{}' {} {}: {} of {} elements of {} are outside the oracle's bound, worst {:.3g} bounds "
      "away\n"
      "  first at element {} {}{}{}\n    {} {}\n    oracle {} +- {}\n",
      case_name, region.name, to_string(tensor.dtype), to_string(tensor.shape), result.outside,
      result.compared, name, result.worst, result.first, position_text(index), place.empty() ? "" : ", ",
      place, name, element_text(tensor.dtype, tensor.bits(result.first)), reference.value[result.first],
      reference.bound[result.first]);
}

struct WholeResult {
  double cosine = 1, relative_l2 = 0;
  bool outside = false;
};

WholeResult compare_whole(const RegionSpec& region, const WholeReference& reference, const Tensor& tensor) {
  if (reference.value.size() != tensor.elements()) {
    throw Error(fmt::format("region '{}': the oracle gave {} values for {} elements", region.name,
                            reference.value.size(), tensor.elements()));
  }
  double dot = 0, own = 0, other = 0, error = 0;
  for (uint64_t i = 0; i < tensor.elements(); ++i) {
    const double a = tensor.value(i), b = reference.value[i];
    dot += a * b;
    own += a * a;
    other += b * b;
    error += (a - b) * (a - b);
  }
  WholeResult result;
  if (error != 0) result = {dot / std::sqrt(own * other), std::sqrt(error / other), false};
  // A NaN is outside.
  result.outside =
      !(result.cosine >= reference.min_cosine && result.relative_l2 <= reference.max_relative_l2);
  return result;
}

std::string hash_report(const std::string& case_name, const std::string& region, const ManifestEntry& entry,
                        const Hash128& now) {
  return fmt::format(
      "{}: tensor '{}' is not the golden from the {}: hash {} recorded, {} now (no full tensor is kept)\n",
      case_name, region, to_string(entry.source), to_string(entry.hash), to_string(now));
}

bool holds_nan(const Tensor& tensor) {
  if (!is_float(tensor.dtype)) return false;
  for (uint64_t i = 0; i < tensor.elements(); ++i) {
    if (is_nan(tensor.dtype, tensor.bits(i))) return true;
  }
  return false;
}

const Tensor& region_tensor(const Tensors& tensors, const RegionSpec& region) {
  const auto found = tensors.find(region.name);
  if (found == tensors.end()) throw Error("the run has no region '" + region.name + "'");
  return found->second;
}

std::string generator_text(const GeneratorId& id) {
  return fmt::format("{}.{}.{}", id.name, id.version, id.seed);
}

// Of the code objects a program launches; "none" where one is not built.
std::string code_object_hash(const Program& program) {
  std::string hashes;
  for (const Launch& launch : program.launches) {
    const auto path = code_object_path(launch.code_object);
    std::error_code code;
    if (!std::filesystem::exists(path, code)) return "none";
    hashes += to_string(hash128(read_bytes(path)));
  }
  return to_string(hash128(hashes));
}

uint64_t included_elements(const RegionSpec& region) {
  const uint64_t elements = element_count(region.shape);
  if (!region.written) return elements;
  uint64_t count = 0;
  for (uint64_t i = 0; i < elements; ++i) count += region.written(i);
  return count;
}

// The kept tensor of a region, if one is kept. Both files are written together: when they disagree, neither
// can be believed.
std::optional<Tensor> kept_tensor(const GoldenStore& store, const std::string& case_name,
                                  const RegionSpec& region, const ManifestEntry& entry) {
  auto kept = store.full_tensor(case_name, region.name);
  if (!kept) return kept;
  const std::string where = store.tensor_path(case_name).string();
  const std::string manifest = store.manifest_path(case_name).string();
  if (kept->dtype != entry.dtype || kept->shape != entry.shape) {
    throw FileError(where,
                    fmt::format("tensor '{}' is {} {}, but {} says {} {}: the two must be recorded together",
                                region.name, to_string(kept->dtype), to_string(kept->shape), manifest,
                                to_string(entry.dtype), to_string(entry.shape)));
  }
  const Hash128 hash = hash128(canonical(*kept, compare_options(region, false)).data);
  if (hash != entry.hash) {
    throw FileError(where,
                    fmt::format("tensor '{}' has the hash {}, but {} says {}: the two must be recorded "
                                "together",
                                region.name, to_string(hash), manifest, to_string(entry.hash)));
  }
  return kept;
}

}  // namespace

CompareOptions compare_options(const RegionSpec& region, bool nan_bits) {
  return {region.comparison, nan_bits, region.written};
}

Judgement judge_against_run(const KernelCase& kernel_case, const char* other_name, const Tensors& other,
                            const std::string& name, const Tensors& regions, bool nan_bits) {
  Judgement judgement;
  uint64_t nans = 0;
  for (const RegionSpec& region : kernel_case.regions()) {
    const Tensor& tensor = region_tensor(regions, region);
    const CompareResult result =
        compare(region_tensor(other, region), tensor, compare_options(region, nan_bits));
    add(judgement, result.compared, result.equal());
    nans += result.nan_differences;
    if (!result.equal()) {
      judgement.report += mismatch_report({kernel_case.name(), region.name, other_name, name}, tensor, result,
                                          locate_of(region));
    }
  }
  judgement.text =
      fmt::format("{} {}", judgement.agreement == Agreement::equal ? "equal to" : "differs from", other_name);
  if (nans != 0) judgement.text += fmt::format(" ({} NaNs with other bits)", nans);
  return judgement;
}

Judgement judge_against_oracle(const KernelCase& kernel_case, const Reference& reference,
                               const std::string& name, const Tensors& regions, bool nan_bits) {
  Judgement judgement;
  double worst = 0;
  bool bounded = false, exact = false;
  std::string unjudged, whole;
  for (const RegionSpec& region : kernel_case.regions()) {
    const Tensor& tensor = region_tensor(regions, region);
    const auto found = reference.find(region.name);
    if (found != reference.end() && found->second.whole) {
      const WholeReference& chain = *found->second.whole;
      const WholeResult result = compare_whole(region, chain, tensor);
      const std::string text = fmt::format("'{}' end to end: cosine {:.6f}, relative L2 {:.2g}", region.name,
                                           result.cosine, result.relative_l2);
      whole += ", " + text;
      if (result.outside) {
        judgement.agreement = Agreement::different;
        judgement.report +=
            fmt::format("{}: {} {}; at least {} and at most {} are asked for\n", kernel_case.name(), name,
                        text, chain.min_cosine, chain.max_relative_l2);
      }
    }
    if (found == reference.end()) {
      unjudged += (unjudged.empty() ? "" : ", ") + region.name;
    } else if (found->second.exact) {
      const CompareResult result = compare(*found->second.exact, tensor, compare_options(region, nan_bits));
      exact = true;
      add(judgement, result.compared, result.equal());
      if (!result.equal()) {
        judgement.report += mismatch_report({kernel_case.name(), region.name, "oracle", name}, tensor, result,
                                            locate_of(region));
      }
    } else {
      const BoundResult result = compare_with_bound(region, found->second, tensor);
      bounded = true;
      worst = std::max(worst, result.worst);
      add(judgement, result.compared, result.outside == 0);
      if (result.outside != 0) {
        judgement.report += bound_report(kernel_case.name(), region, found->second, tensor, result, name);
      }
    }
  }
  if (judgement.agreement == Agreement::not_compared) {
    judgement.text = "no oracle";
  } else if (judgement.agreement == Agreement::different) {
    judgement.text = bounded ? fmt::format("oracle bound exceeded ({:.3g})", worst) : "oracle differs";
  } else {
    judgement.text = exact ? "oracle exact" : "";
    if (bounded) judgement.text += fmt::format("{}oracle within bound {:.2g}", exact ? ", " : "", worst);
  }
  judgement.text += whole;
  if (judgement.agreement != Agreement::not_compared && !unjudged.empty()) {
    judgement.text += " (not judged: " + unjudged + ")";
  }
  return judgement;
}

Judgement judge_against_golden(const KernelCase& kernel_case, GoldenStore& store, const CaseInputs& inputs,
                               const std::string& name, const Tensors& regions, const JudgeOptions& options) {
  Judgement judgement;
  if (!inputs.replaced.empty()) {
    judgement.text = "golden not compared: inputs were replaced";
    return judgement;
  }
  Source weakest = Source::hardware;
  uint64_t regions_compared = 0;
  for (const RegionSpec& region : kernel_case.regions()) {
    const Tensor& tensor = region_tensor(regions, region);
    const ManifestEntry* entry = store.find(kernel_case.name(), region.name);
    if (entry == nullptr) continue;
    // The oracle's exact bits hold under every model; other goldens only under the one they were recorded
    // with.
    if (entry->model != options.model && entry->source == Source::sim) {
      judgement.text = fmt::format("golden not compared: it is for the model {}", entry->model);
      continue;
    }
    if (entry->inputs != inputs.hash) {
      add(judgement, 0, false);
      judgement.report += fmt::format(
          "{}: the inputs are not those the golden was recorded with (generator {}, now {}); a generator "
          "that makes "
          "other data needs a new version\n",
          kernel_case.name(), entry->generator, generator_text(kernel_case.generator()));
      break;
    }
    const auto kept = kept_tensor(store, kernel_case.name(), region, *entry);
    weakest = std::max(weakest, entry->source);
    ++regions_compared;
    const CompareOptions compared = compare_options(region, options.nan_bits);
    const Hash128 hash = hash128(canonical(tensor, compared).data);
    const bool nan_equal = !options.nan_bits || !holds_nan(tensor) || entry->nan_bits == hash128(tensor.data);
    const bool equal =
        entry->dtype == tensor.dtype && entry->shape == tensor.shape && entry->hash == hash && nan_equal;
    add(judgement, included_elements(region), equal);
    if (equal) continue;
    if (kept && kept->dtype == tensor.dtype && kept->shape == tensor.shape) {
      const CompareResult result = compare(*kept, tensor, compared);
      judgement.report += mismatch_report({kernel_case.name(), region.name, "golden", name}, tensor, result,
                                          locate_of(region));
    } else {
      judgement.report += hash_report(kernel_case.name(), region.name, *entry, hash);
    }
  }
  judgement.confirmed_by_hardware = judgement.agreement == Agreement::equal && weakest == Source::hardware &&
                                    regions_compared == regions.size();
  if (judgement.agreement == Agreement::equal) {
    judgement.text = fmt::format("golden ({}) equal", to_string(weakest));
  } else if (judgement.agreement == Agreement::different) {
    judgement.text = "golden differs";
  } else if (judgement.text.empty()) {
    judgement.text = "no golden";
  }
  return judgement;
}

Hash128 hash_regions(const KernelCase& kernel_case, const Tensors& regions) {
  Tensors canonicals;
  for (const RegionSpec& region : kernel_case.regions()) {
    canonicals.emplace(region.name,
                       canonical(region_tensor(regions, region), compare_options(region, false)));
  }
  return hash_tensors(canonicals);
}

Recording make_recording(const KernelCase& kernel_case, const CaseInputs& inputs, const Reference& reference,
                         const RecordedRun& recorded) {
  Recording recording;
  recording.case_name = kernel_case.name();
  recording.source = Source::hardware;
  const bool hardware = recorded.source == Source::hardware;
  const Evidence evidence = hardware ? Evidence::measured : kernel_case.evidence();
  const std::string generator = generator_text(kernel_case.generator());
  for (const RegionSpec& region : kernel_case.regions()) {
    const Tensor& tensor = region_tensor(recorded.run->regions, region);
    const auto judged = reference.find(region.name);
    const bool from_oracle = !hardware && judged != reference.end() && judged->second.exact;
    const Tensor& kept = from_oracle ? *judged->second.exact : tensor;
    ManifestEntry entry;
    entry.role = region.role == Role::output ? "output" : "intermediate";
    entry.dtype = region.dtype;
    entry.shape = region.shape;
    entry.hash = hash128(canonical(kept, compare_options(region, false)).data);
    entry.source = from_oracle ? Source::oracle : recorded.source;
    entry.evidence = evidence;
    entry.model = hardware ? "hardware" : recorded.model;
    entry.generator = generator;
    entry.inputs = inputs.hash;
    if (holds_nan(tensor)) entry.nan_bits = hash128(tensor.data);
    recording.source = std::max(recording.source, entry.source);
    recording.entries.emplace(region.name, entry);
    recording.tensors.emplace(region.name, kept);
  }
  recording.metadata = {{"case", kernel_case.name()},
                        {"backend", recorded.backend},
                        {"source", to_string(recording.source)},
                        {"evidence", wavetwin::to_string(evidence)},
                        {"generator", generator},
                        {"inputs_hash", to_string(inputs.hash)},
                        {"outputs_hash", to_string(hash_regions(kernel_case, recorded.run->regions))},
                        {"model", hardware ? "hardware" : recorded.model},
                        {"code_object_hash", code_object_hash(kernel_case.program(inputs.tensors))},
                        {"wavetwin_version", WAVETWIN_VERSION}};
  return recording;
}

}  // namespace wavetwin::golden
