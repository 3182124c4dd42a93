// SPDX-License-Identifier: MIT
#include "sim/isa/compressed_bundle.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <string>
#include <utility>

namespace wavetwin::isa {
namespace {

constexpr uint64_t kMaxUncompressedBytes = uint64_t{1} << 30;
constexpr uint16_t kZlib = 0, kZstd = 1;

// Magic, u16 version, u16 method, [u32 or u64 file size and] uncompressed size, u64 hash, data.
struct Header {
  uint16_t method = 0;
  uint64_t size = 0;  // uncompressed
  uint64_t data = 0;  // offset of the compressed bytes
  uint64_t end = 0;   // of the bundle, of the file where the header does not say
  bool has_end = false;
};

Header read_header(const ByteReader& in) {
  const auto version = in.read<uint16_t>(4, "compressed bundle version");
  Header header;
  header.method = in.read<uint16_t>(6, "compressed bundle method");
  if (version < 1 || version > 3)
    in.fail(4, "compressed offload bundle of unknown version " + std::to_string(version));
  if (header.method > kZstd)
    in.fail(6, "offload bundle compressed with unknown method " + std::to_string(header.method));
  const uint64_t size_offset = version == 1 ? 8 : version == 2 ? 12 : 16;
  header.data = version == 1 ? 20 : version == 2 ? 24 : 32;
  header.size = version == 3 ? in.read<uint64_t>(size_offset, "uncompressed size")
                             : in.read<uint32_t>(size_offset, "uncompressed size");
  if (header.size > kMaxUncompressedBytes)
    in.fail(size_offset, "offload bundle claims to hold more than 1 GiB");
  header.has_end = version != 1;
  header.end = version == 1   ? in.size()
               : version == 2 ? in.read<uint32_t>(8, "bundle size")
                              : in.read<uint64_t>(8, "bundle size");
  if (header.end < header.data)
    in.fail(header.has_end ? 8 : 0, "compressed offload bundle is shorter than its header");
  return header;
}

[[noreturn]] void fail_size(const ByteReader& in, const Header& header, const char* what) {
  in.fail(header.data, std::string("compressed offload bundle: the ") + what + " does not hold the stated " +
                           std::to_string(header.size) + " bytes");
}

// The frame states its own content size: no size that it does not confirm is trusted before allocating.
PlainBundle by_zstd(const ByteReader& in, const Header& header, std::span<const uint8_t> data) {
  uint64_t used = data.size();
  if (!header.has_end) {
    const size_t frame = ZSTD_findFrameCompressedSize(data.data(), data.size());
    if (!ZSTD_isError(frame)) used = frame;
  }
  if (ZSTD_getFrameContentSize(data.data(), used) != header.size) fail_size(in, header, "zstd frame");
  std::vector<uint8_t> out(header.size);
  const size_t got = ZSTD_decompress(out.data(), out.size(), data.data(), used);
  if (ZSTD_isError(got)) in.fail(header.data, std::string("zstd: ") + ZSTD_getErrorName(got));
  if (got != header.size) fail_size(in, header, "zstd frame");
  return {std::move(out), header.data + used};
}

// A zlib stream states no size: what it gives is kept piece by piece, up to the stated size and one byte.
PlainBundle by_zlib(const ByteReader& in, const Header& header, std::span<const uint8_t> data) {
  constexpr size_t kPiece = size_t{1} << 20;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) in.fail(header.data, "zlib cannot be started");
  std::vector<uint8_t> out, piece(kPiece);
  int state = Z_OK;
  uint64_t fed = 0;
  while (state == Z_OK && out.size() <= header.size) {
    if (stream.avail_in == 0) {
      const auto next = data.subspan(fed, std::min<uint64_t>(kPiece, data.size() - fed));
      if (next.empty()) break;
      stream.next_in = const_cast<Bytef*>(next.data());  // zlib's interface; it only reads
      stream.avail_in = static_cast<uInt>(next.size());
      fed += next.size();
    }
    stream.next_out = piece.data();
    stream.avail_out = static_cast<uInt>(piece.size());
    state = inflate(&stream, Z_NO_FLUSH);
    out.insert(out.end(), piece.data(), stream.next_out);
  }
  const std::string message = stream.msg != nullptr ? stream.msg : "the data end too early";
  const uint64_t used = fed - stream.avail_in;
  inflateEnd(&stream);
  if (out.size() > header.size) fail_size(in, header, "zlib stream");
  if (state != Z_STREAM_END) in.fail(header.data + used, "zlib: " + message);
  if (out.size() != header.size) fail_size(in, header, "zlib stream");
  return {std::move(out), header.data + used};
}

}  // namespace

PlainBundle decompress_bundle(const ByteReader& in) {
  const Header header = read_header(in);
  const auto data = in.slice(header.data, header.end - header.data, "compressed offload bundle");
  PlainBundle plain = header.method == kZlib ? by_zlib(in, header, data) : by_zstd(in, header, data);
  if (header.has_end) plain.end = header.end;
  return plain;
}

}  // namespace wavetwin::isa
