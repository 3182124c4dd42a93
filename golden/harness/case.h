// SPDX-License-Identifier: MIT
// What a kernel hands to the harness: inputs, launches, the regions to compare, and an oracle.
//
// One KernelCase object is one case, named kernel/shape/seed. It describes; it does not run anything. Every
// backend (sim, isa, hip) executes the same Program with the same kernarg bytes; only the addresses in it
// differ.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/evidence.h"
#include "golden/io/tensor.h"

namespace wavetwin {
class Wave;
class WaveTask;
}  // namespace wavetwin

namespace wavetwin::golden {

// ---- inputs ----

// Some elements of an input that a kernel handles by themselves (the keys of a cache that holds values, too).
struct InputPart {
  std::string name;
  std::function<bool(uint64_t index)> holds;  // row major
};

// A generated input, replaceable by a user's tensor of the same dtype and shape.
struct InputSpec {
  std::string name;
  DType dtype;
  Shape shape;
  // The kernel's contract on the data: returns what is wrong ("scale byte 255 (NaN) at [3,1]"), or "".
  std::function<std::string(const Tensor&)> contract;
  // The first dimension may be any but 0 (pages of a cache, rows of a table); `shape` is what is generated.
  bool any_rows = false;
  std::vector<InputPart> parts = {};  // for mismatch reports: a mistake may be made in one of them alone
};

// Inputs are a pure function of these three; a change of what `generate` makes is a new version.
struct GeneratorId {
  std::string name;
  uint32_t version = 1;
  uint64_t seed = 0;
};

// ---- the program: buffers and launches ----

// What bytes hold before the first launch unless `initial` covers them.
enum class Fill : uint8_t { poison, zero };

// What the harness asserts about bytes outside the regions after the run.
enum class Guard : uint8_t {
  unchanged,  // nothing but the regions' expected elements may be written (inputs and outputs)
  scratch     // the kernel may write anywhere (and what it writes is not looked at)
};

struct BufferPiece {
  uint64_t offset = 0;  // bytes from the start of the buffer
  std::vector<std::byte> data;
};

// One allocation of device memory.
struct BufferSpec {
  std::string name;
  uint64_t bytes = 0;
  std::vector<BufferPiece> initial;
  Fill fill = Fill::poison;
  Guard guard = Guard::unchanged;
  // For reading only, without a region, and larger than a host should hold: only `initial` exists, the rest
  // is never-written.
  bool sparse = false;
};

// Device addresses of the buffers of one run, asked for by name.
class Addresses {
 public:
  virtual ~Addresses() = default;
  // Throws Error for a name that is no buffer of the program.
  virtual uint64_t of(std::string_view buffer) const = 0;
};

// The simulated kernel. The kernarg bytes live as long as the launch, so the coroutine may keep a copy of its
// struct.
using SimEntry = std::function<WaveTask(Wave&, std::span<const std::byte> kernarg)>;

struct Launch {
  std::string code_object;  // stem: "gemv" is share/wavetwin/code_objects/gemv.co (gemv.O0.co ...)
  std::string symbol;       // kernel name inside it
  std::array<uint32_t, 3> grid{1, 1, 1};    // workgroups
  std::array<uint32_t, 3> block{64, 1, 1};  // threads
  uint32_t static_lds_bytes = 0;            // what the kernel declares; the code object must agree
  uint32_t dynamic_lds_bytes = 0;
  std::function<std::vector<std::byte>(const Addresses&)>
      kernarg;  // the explicit arguments, in the HIP ABI's layout
  SimEntry sim;
};

// Launches run in order on the same buffers, each to its end.
struct Program {
  std::vector<BufferSpec> buffers;
  std::vector<Launch> launches;
};

// ---- what is compared ----

enum class Comparison : uint8_t {
  automatic,  // float dtypes: a NaN matches a NaN; everything else: bits
  bits,       // bits, also for float dtypes
  unordered   // same elements in any order (results that depend on the ticket order of atomics)
};

enum class Role : uint8_t { output, intermediate };

// A tensor inside a buffer after the run.
struct RegionSpec {
  std::string name;
  DType dtype;
  Shape shape;
  std::string buffer;
  uint64_t offset = 0;            // bytes from the start of the buffer to element 0
  std::vector<uint64_t> strides;  // bytes per step of each dimension; empty: dense row major
  Role role = Role::output;
  Comparison comparison = Comparison::automatic;
  // Which elements the kernel must write (by row-major index); empty: all of them. The others must stay
  // untouched and are not compared.
  std::function<bool(uint64_t index)> written;

  bool is_written(uint64_t index) const { return !written || written(index); }
  // Who produced the element, for mismatch reports: "tile 3, wave 2, lane 17, v1". May be empty.
  std::function<std::string(std::span<const uint64_t> index)> locate;
};

// ---- the oracle ----

// A whole tensor by its meaning, looser and wider than element bounds: what a chain of stages leaves.
struct WholeReference {
  std::vector<double> value;  // one an element
  double min_cosine = 1, max_relative_l2 = 0;
};

// The meaning of one region, from plain fp64 arithmetic or exact integers. Either `exact`, or `value` with
// `bound`.
struct RegionReference {
  // Exactness-conditioned data and words: the region must hold these elements (NaN rule of its comparison).
  std::optional<Tensor> exact;
  // One per element: |element - value| <= bound. A NaN value asks for a NaN, an infinite one for that
  // infinity.
  std::vector<double> value;
  std::vector<double> bound;
  // In addition to either.
  std::optional<WholeReference> whole = {};
};

// By region name. A region without a reference is reported as not judged by the oracle.
using Reference = std::map<std::string, RegionReference>;

// ---- the case ----

class KernelCase {
 public:
  virtual ~KernelCase() = default;

  virtual std::string name() const = 0;  // "gemv/wqkv-t6-model/0"
  // For `check --label`. "run": scripts/run; "test": scripts/test; "slow": only when asked for; "small": a
  // second or less on every backend; "opt": also run from the -O0 and -O1 code objects; "exact": the oracle
  // fixes every bit; "full": its tensors are kept in golden/data.
  virtual std::vector<std::string> labels() const = 0;
  virtual GeneratorId generator() const = 0;
  virtual std::vector<InputSpec> inputs() const = 0;
  virtual Tensors generate() const = 0;  // exactly the tensors of inputs()
  virtual std::vector<RegionSpec> regions() const = 0;
  virtual Program program(const Tensors& inputs) const = 0;
  // `produced` holds the regions of the run that is judged, for oracles that check a stage on its actual
  // input.
  virtual Reference reference(const Tensors& inputs, const Tensors& produced) const = 0;
  // What stands behind the bits when the default model runs.
  virtual Evidence evidence() const = 0;
};

using CaseList = std::vector<std::unique_ptr<KernelCase>>;

}  // namespace wavetwin::golden
