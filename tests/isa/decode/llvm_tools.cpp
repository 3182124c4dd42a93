// SPDX-License-Identifier: MIT
#include "tests/isa/decode/llvm_tools.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <sstream>
#include <stdexcept>

namespace wavetwin::llvm_tools {
namespace {

constexpr const char* kTarget = "-triple=amdgcn-amd-amdhsa -mcpu=gfx950";
constexpr size_t kChunk = 400;  // small, since a crash loses the chunk

struct Output {
  int status = 0;
  std::string out, err;
};

std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Runs `command` with `input` on its standard input.
Output run(const std::string& tool, const char* name, const std::string& arguments,
           const std::string& input) {
  if (tool.empty() || !std::filesystem::exists(tool)) {
    throw std::runtime_error(
        fmt::format("{} not found: install the package llvm-22 (scripts/setup does)", name));
  }
  static std::atomic<int> count = 0;
  const auto base =
      std::filesystem::temp_directory_path() / fmt::format("wavetwin-{}-{}", ::getpid(), count++);
  const std::string in = base.string() + ".in", out = base.string() + ".out", err = base.string() + ".err";
  std::ofstream(in, std::ios::binary) << input;
  const std::string command =
      fmt::format("LLVM_DISABLE_SYMBOLIZATION=1 LLVM_DISABLE_CRASH_REPORT=1 '{}' {} <'{}' >'{}' 2>'{}'", tool,
                  arguments, in, out, err);
  Output result;
  result.status = std::system(command.c_str());
  result.out = slurp(out);
  result.err = slurp(err);
  for (const std::string& path : {in, out, err}) std::filesystem::remove(path);
  return result;
}

std::string trimmed(const std::string& s) {
  const size_t first = s.find_first_not_of(" \t\r"), last = s.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : s.substr(first, last - first + 1);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    line = trimmed(line);
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

std::string bytes_line(const Words& words) {
  std::string line;
  for (const uint32_t w : words) {
    for (unsigned b = 0; b < 4; ++b)
      line += fmt::format("{}{:#04x}", line.empty() ? "" : ",", w >> 8 * b & 0xff);
  }
  return line + "\n";
}

// Numbers of the input lines (from 0) that have a diagnostic in column `column`, or in any when it is 0.
std::set<size_t> diagnosed_lines(const std::string& err, unsigned column) {
  std::set<size_t> lines;
  for (const std::string& line : lines_of(err)) {
    size_t number = 0;
    unsigned at = 0;
    if (std::sscanf(line.c_str(), "<stdin>:%zu:%u:", &number, &at) != 2) continue;
    if (column == 0 || at == column) lines.insert(number - 1);
  }
  return lines;
}

std::string marker(size_t i) { return fmt::format("s_endpgm {}", i + 1); }

// Items with padding, each followed by a marker that tells where its output ends.
void disassemble_chunk(const Words* const* begin, const Words* const* end, std::vector<Verdict>& verdicts) {
  const size_t count = static_cast<size_t>(end - begin);
  std::string input;
  for (size_t i = 0; i < count; ++i) {
    Words padded = *begin[i];
    padded.insert(padded.end(), 4, 0xbf800000);  // s_nop 0
    input += bytes_line(padded) + bytes_line({static_cast<uint32_t>(0xbf810001 + i)});
  }
  const Output output = run(LLVM_MC, "llvm-mc", fmt::format("{} --disassemble", kTarget), input);
  if (output.status != 0) {
    if (count == 1) {
      verdicts.push_back({.crashed = true, .text = {}});
      return;
    }
    disassemble_chunk(begin, begin + count / 2, verdicts);
    disassemble_chunk(begin + count / 2, end, verdicts);
    return;
  }
  const std::set<size_t> refused = diagnosed_lines(output.err, 1);
  const std::vector<std::string> lines = lines_of(output.out);
  size_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    Verdict verdict;
    if (refused.count(2 * i) == 0) verdict.text = lines.at(at);
    verdicts.push_back(verdict);
    while (lines.at(at) != marker(i)) ++at;
    ++at;
  }
}

// "text ; encoding: [0x01,...]" -> the words.
std::optional<Words> encoding_of(const std::string& line) {
  size_t at = line.find("encoding: [");
  if (at == std::string::npos) return {};
  Words words;
  unsigned byte = 0, n = 0;
  for (at += 11; std::sscanf(line.c_str() + at, "0x%x", &byte) == 1; at += 5) {
    if (n % 4 == 0) words.push_back(0);
    words.back() |= byte << 8 * (n++ % 4);
  }
  return words;
}

}  // namespace

std::vector<Verdict> disassemble(const std::vector<Words>& items) {
  std::vector<const Words*> pointers;
  for (const Words& item : items) pointers.push_back(&item);
  // One process a chunk, two at a time: most of the time is theirs.
  std::vector<std::vector<Verdict>> chunks((pointers.size() + kChunk - 1) / kChunk);
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t c = next++; c < chunks.size(); c = next++) {
      const Words* const* const first = pointers.data() + c * kChunk;
      disassemble_chunk(first, first + std::min(kChunk, pointers.size() - c * kChunk), chunks[c]);
    }
  };
  std::future<void> other = std::async(std::launch::async, work);
  work();
  other.get();
  std::vector<Verdict> verdicts;
  for (const std::vector<Verdict>& chunk : chunks)
    verdicts.insert(verdicts.end(), chunk.begin(), chunk.end());
  return verdicts;
}

std::vector<std::optional<Words>> assemble(const std::vector<std::string>& lines) {
  std::vector<std::optional<Words>> result;
  constexpr size_t kLines = 20000;  // markers are 16 bits
  for (size_t first = 0; first < lines.size(); first += kLines) {
    const size_t count = std::min(kLines, lines.size() - first);
    std::string input;
    for (size_t i = 0; i < count; ++i) input += lines[first + i] + "\n" + marker(i) + "\n";
    const Output output = run(LLVM_MC, "llvm-mc", fmt::format("{} -show-encoding", kTarget), input);
    const std::set<size_t> refused = diagnosed_lines(output.err, 0);
    std::vector<std::string> out = lines_of(output.out);
    std::erase_if(out, [](const std::string& line) { return line[0] == '.'; });  // the target directive
    size_t at = 0;
    for (size_t i = 0; i < count; ++i) {
      result.push_back(refused.count(2 * i) ? std::nullopt : encoding_of(out.at(at)));
      if (!refused.count(2 * i)) ++at;
      while (!out.at(at).starts_with(marker(i) + " ")) ++at;
      ++at;
    }
  }
  return result;
}

std::vector<Line> objdump(const std::string& file) {
  const Output output = run(LLVM_OBJDUMP, "llvm-objdump", fmt::format("-d '{}'", file), "");
  if (output.status != 0) throw std::runtime_error("llvm-objdump failed: " + output.err);
  std::vector<Line> lines;
  for (const std::string& text : lines_of(output.out)) {
    // "v_nop   // 000000001900: 7E000000 <label>"
    const size_t comment = text.find("// ");
    if (comment == std::string::npos) continue;
    Line line;
    line.text = trimmed(text.substr(0, comment));
    line.pc = std::stoull(text.substr(comment + 3, 12), nullptr, 16);
    std::istringstream words(text.substr(comment + 16));
    for (std::string word; words >> word && word[0] != '<';) {
      line.words.push_back(static_cast<uint32_t>(std::stoul(word, nullptr, 16)));
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace wavetwin::llvm_tools
