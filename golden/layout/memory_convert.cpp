// SPDX-License-Identifier: MIT
#include "golden/layout/memory_convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/layout/aiter.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

template <class Use>
void for_each_element(const MemoryLayout& layout, Use use) {
  for (unsigned part = 0; part < layout.parts().size(); ++part) {
    for (uint64_t row = 0; row < layout.parts()[part].rows; ++row) {
      for (uint64_t column = 0; column < layout.parts()[part].columns; ++column) use({part, row, column});
    }
  }
}

unsigned bit_at(const std::vector<std::byte>& bytes, uint64_t bit) {
  return std::to_integer<unsigned>(bytes[bit / 8]) >> bit % 8 & 1;
}

// Packed elements bit by bit, others by bytes.
void copy_bits(const std::vector<std::byte>& from, uint64_t from_bit, std::vector<std::byte>& to,
               uint64_t to_bit, unsigned bits) {
  if (bits % 8 == 0) {
    std::copy_n(from.begin() + static_cast<ptrdiff_t>(from_bit / 8), bits / 8,
                to.begin() + static_cast<ptrdiff_t>(to_bit / 8));
    return;
  }
  for (unsigned i = 0; i < bits; ++i) {
    const uint64_t at = to_bit + i;
    to[at / 8] |= static_cast<std::byte>(bit_at(from, from_bit + i) << at % 8);
  }
}

BufferBytes zero_buffers(const MemoryLayout& layout) {
  BufferBytes bytes;
  for (const MemoryBuffer& buffer : layout.buffers()) bytes.emplace_back(buffer.bytes());
  return bytes;
}

// ---- what a buffer looks like ----

// One candidate: the buffers as it would have them.
struct Candidate {
  std::string name;
  BufferBytes bytes;
};

bool same_sizes(const MemoryLayout& layout, const BufferBytes& bytes) {
  if (layout.buffers().size() != bytes.size()) return false;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (layout.buffers()[i].bytes() != bytes[i].size()) return false;
  }
  return true;
}

std::optional<Candidate> known_candidate(const MemoryLayoutInfo& info, const MemoryShape& shape,
                                         const std::string& name, const MemoryLayout& plain,
                                         const BufferBytes& bytes, const BufferBytes& reference) {
  try {
    const auto layout = make_memory_layout(info, shape);
    check_same_elements(name, *layout, "", plain);
    if (!same_sizes(*layout, bytes)) return std::nullopt;
    return Candidate{name, convert_memory(plain, *layout, reference)};
  } catch (const Error&) {
    return std::nullopt;  // a layout that does not take these matrices
  }
}

// Row major of the transposed matrix.
BufferBytes transposed(const MemoryLayout& plain, const BufferBytes& reference) {
  const MemoryPart& part = plain.parts()[0];
  BufferBytes out{std::vector<std::byte>(reference[0].size())};
  for_each_element(plain, [&](const MemoryElement& e) {
    copy_bits(reference[0], plain.bit(e), out[0], (e.column * part.rows + e.row) * part.bits, part.bits);
  });
  return out;
}

// The matrices one after the other.
BufferBytes concatenated(const BufferBytes& reference, size_t size) {
  BufferBytes out(1);
  for (const auto& part : reference) out[0].insert(out[0].end(), part.begin(), part.end());
  out[0].resize(std::max(size, out[0].size()));
  return out;
}

std::vector<Candidate> candidates(const std::string& claimed, const MemoryShape& shape,
                                  const MemoryLayout& plain, const BufferBytes& bytes,
                                  const BufferBytes& reference) {
  std::vector<Candidate> found;
  const auto add = [&](const MemoryLayoutInfo& info, const MemoryShape& of, const std::string& name) {
    if (name == claimed) return;
    if (auto candidate = known_candidate(info, of, name, plain, bytes, reference))
      found.push_back(std::move(*candidate));
  };
  for (const MemoryLayoutInfo& info : memory_layouts()) {
    MemoryShape of = shape;
    of.rows = plain.parts()[0].rows;
    of.columns = plain.parts()[0].columns;
    add(info, of, info.name);
    if (shape.pad_rows == aiter::kScaleAllocatedRows) continue;
    of.pad_rows = aiter::kScaleAllocatedRows;
    if (info.make == find_memory_layout("aiter_e8m0_shuffle").make)
      add(info, of, fmt::format("{} --pad-rows {}", info.name, of.pad_rows));
  }
  if (bytes.size() != 1) return found;
  if (plain.parts().size() > 1) {
    found.push_back({"its matrices one after the other", concatenated(reference, bytes[0].size())});
  } else if (plain.parts()[0].rows > 1 && plain.parts()[0].columns > 1 &&
             bytes[0].size() == reference[0].size()) {
    found.push_back({"row_major of the transposed matrix", transposed(plain, reference)});
  }
  return found;
}

uint64_t equal_bytes(const BufferBytes& a, const BufferBytes& b) {
  uint64_t equal = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t at = 0; at < std::min(a[i].size(), b[i].size()); ++at) equal += a[i][at] == b[i][at];
  }
  return equal;
}

// What fits better than the claimed layout does, the best first.
std::vector<Likeness> likenesses(const std::string& claimed, const MemoryShape& shape,
                                 const MemoryLayout& plain, const BufferBytes& bytes,
                                 const BufferBytes& reference, const BufferBytes& want) {
  uint64_t total = 0;
  for (const auto& buffer : bytes) total += buffer.size();
  const uint64_t as_claimed = equal_bytes(bytes, want);
  std::vector<Likeness> better;
  for (const Candidate& candidate : candidates(claimed, shape, plain, bytes, reference)) {
    const uint64_t equal = equal_bytes(bytes, candidate.bytes);
    if (equal > as_claimed) better.push_back({candidate.name, equal, total});
  }
  std::stable_sort(better.begin(), better.end(),
                   [](const Likeness& a, const Likeness& b) { return a.equal > b.equal; });
  return better;
}

// ---- lanes ----

// Collects the operands of wrong elements.
class Fed {
 public:
  void add(const MfmaFeed& feed) {
    auto it = std::find_if(all_.begin(), all_.end(), [&](const Entry& entry) {
      return entry.fed.operand == std::string(feed.operand) &&
             entry.fed.instruction == std::string(feed.instruction);
    });
    if (it == all_.end()) it = all_.insert(all_.end(), Entry{{feed.instruction, feed.operand}, {}, {}});
    it->fed.lanes |= uint64_t{1} << feed.place.lane;
    for (unsigned bit = feed.place.bit; bit < feed.place.bit + feed.bits; bit += 4)
      it->fed.vgprs |= uint64_t{1} << bit / 32;
    it->row_tiles.insert(feed.row_tile);
    it->k_steps.insert(feed.k_step);
  }
  // The elements that have one of the bits `wrong` of a byte: more than one where elements are packed.
  void add_byte(const MemoryLayout& layout, unsigned buffer, uint64_t byte, std::byte wrong) {
    for (uint64_t bit = 8 * byte; bit < 8 * (byte + 1); ++bit) {
      if ((std::to_integer<unsigned>(wrong) >> bit % 8 & 1) == 0) continue;
      const MemoryElement element = *layout.element(buffer, bit);
      for (const MfmaFeed& feed : layout.feeds(element)) add(feed);
      const uint64_t end = layout.bit(element) + layout.parts()[element.part].bits;
      bit = std::min(end, 8 * (byte + 1)) - 1;
    }
  }
  std::vector<FedWrongly> result() const {
    std::vector<FedWrongly> fed;
    for (const Entry& entry : all_) {
      fed.push_back(entry.fed);
      fed.back().row_tiles = entry.row_tiles.size();
      fed.back().k_steps = entry.k_steps.size();
    }
    return fed;
  }

 private:
  struct Entry {
    FedWrongly fed;
    std::set<uint64_t> row_tiles, k_steps;
  };
  std::vector<Entry> all_;
};

}  // namespace

void check_same_elements(const std::string& a_name, const MemoryLayout& a, const std::string& b_name,
                         const MemoryLayout& b) {
  bool same = a.parts().size() == b.parts().size();
  for (size_t i = 0; same && i < a.parts().size(); ++i) {
    const MemoryPart &x = a.parts()[i], &y = b.parts()[i];
    same = x.rows == y.rows && x.columns == y.columns && x.bits == y.bits &&
           (a.parts().size() == 1 || x.name == y.name);
  }
  if (same) return;
  throw Error(fmt::format("{} holds {}, but {} holds {}: not the same elements", a_name, parts_text(a),
                          b_name, parts_text(b)));
}

std::vector<PaddingByte> nonzero_padding(const MemoryLayout& layout, const BufferBytes& bytes, size_t most) {
  std::vector<PaddingByte> found;
  for (unsigned buffer = 0; buffer < bytes.size(); ++buffer) {
    for (uint64_t byte = 0; byte < bytes[buffer].size() && found.size() < most; ++byte) {
      if (bytes[buffer][byte] == std::byte{0}) continue;
      if (layout.element(buffer, 8 * byte) || layout.padding(buffer, byte) != Padding::zero) continue;
      found.push_back({buffer, byte, bytes[buffer][byte]});
    }
  }
  return found;
}

BufferBytes convert_memory(const MemoryLayout& from, const MemoryLayout& to, const BufferBytes& bytes) {
  BufferBytes out = zero_buffers(to);
  for_each_element(from, [&](const MemoryElement& e) {
    const MemoryPart &source = from.parts()[e.part], &target = to.parts()[e.part];
    copy_bits(bytes[source.buffer], from.bit(e), out[target.buffer], to.bit(e), source.bits);
  });
  return out;
}

MemoryCheck check_memory(const MemoryLayout& layout, const std::string& name, const MemoryShape& shape,
                         const BufferBytes& bytes, const BufferBytes& reference, size_t list) {
  const auto plain = plain_layout(layout);
  const BufferBytes want = convert_memory(*plain, layout, reference);
  MemoryCheck check;
  Fed fed;
  for (unsigned buffer = 0; buffer < bytes.size(); ++buffer) {
    for (uint64_t byte = 0; byte < bytes[buffer].size(); ++byte) {
      const auto element = layout.element(buffer, 8 * byte);
      if (!element && layout.padding(buffer, byte) == Padding::any) continue;
      check.elements_bytes += element.has_value();
      if (bytes[buffer][byte] == want[buffer][byte]) continue;
      ++check.wrong;
      if (check.first.size() < list)
        check.first.push_back({buffer, byte, bytes[buffer][byte], want[buffer][byte], element});
      if (element) fed.add_byte(layout, buffer, byte, bytes[buffer][byte] ^ want[buffer][byte]);
    }
  }
  check.fed = fed.result();
  if (check.wrong != 0) check.looks_like = likenesses(name, shape, *plain, bytes, reference, want);
  return check;
}

}  // namespace wavetwin::golden
