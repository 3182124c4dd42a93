// SPDX-License-Identifier: MIT
// Calls of the host by way of packets: printf, assert, device memory, and requests that are none.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "tests/isa/foreign/printed.h"
#include "tests/isa/foreign/run_object.h"

namespace wavetwin::isa {
namespace {

// Every line that `print` writes, in groups of 128 work-items.
std::vector<std::string> expected_lines(uint32_t groups, uint64_t out) {
  std::vector<std::string> lines;
  for (uint32_t group = 0; group < groups; ++group) {
    for (uint32_t item = 0; item < 128; ++item) {
      lines.push_back(
          host_printf("%u.%02d: %-5.2f|%s|%c|%#llx|%p\n", group, item, item * 0.5,
                      item % 2 ? "odd" : "an even number, which is a text of more than fifty-six bytes",
                      'a' + static_cast<int>(item) % 26, 1ull << item % 64, reinterpret_cast<void*>(out)));
      if (item % 3 == 0 && group == 1) lines.push_back("three divides " + std::to_string(item) + "\n");
      if (item == 5) lines.push_back("five");
    }
  }
  return lines;
}

using Call = std::array<uint64_t, 9>;  // a service, and eight words

// Their address, as the kernel `call` takes it.
uint64_t list_of(Machine& machine, const std::vector<Call>& calls) {
  static int number = 0;
  const uint64_t bytes = calls.size() * sizeof(Call);
  const uint64_t words = machine.poisoned("calls " + std::to_string(number++), bytes);
  machine.memory().write(words, calls.data(), bytes);
  return words;
}

// Lane 0 of one wave makes these calls; gives the words with the answers in place.
std::vector<Call> made(Machine& machine, const std::vector<Call>& calls, const ExecuteOptions& options = {}) {
  const uint64_t words = list_of(machine, calls);
  machine.run("call", 1, 1, {words, calls.size()}, options);
  std::vector<Call> answers(calls.size());
  machine.memory().read(words, answers.data(), calls.size() * sizeof(Call));
  return answers;
}

std::string error_of_calls(const std::vector<Call>& calls) {
  Machine machine(foreign("host_calls"));
  try {
    made(machine, calls);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

uint64_t text_word(const char* text) {
  uint64_t word = 0;
  std::memcpy(&word, text, std::min<size_t>(std::strlen(text), 8));
  return word;
}

constexpr uint64_t kWhole = 3;  // a message's descriptor that begins and ends it
uint64_t descriptor(uint64_t flags, uint64_t words) { return flags | words << 5; }

}  // namespace

TEST_CASE("printf prints every work-item's line once, and gives the bytes it wrote") {
  constexpr uint32_t kGroups = 5;
  Machine machine(foreign("host_calls"));
  const uint64_t out = machine.zeroed("out", 4 * 128 * kGroups);
  Printed seen;
  const ExecuteReport report = machine.run("print", kGroups, 128, {out}, seen.options());
  CHECK(report.dispatch.findings.total() == 0);
  std::vector<std::string> lines, expected = expected_lines(kGroups, out);
  for (const HostText& text : report.printed) lines.push_back(text.text);
  CHECK(seen.out == printed_by(report).out);
  CHECK(seen.err.empty());
  std::sort(lines.begin(), lines.end());
  std::sort(expected.begin(), expected.end());
  CHECK(lines == expected);
  const auto counts = machine.words(out, 128 * kGroups);
  for (uint32_t item = 0; item < 128; ++item) {
    CAPTURE(item);
    REQUIRE(counts[item] ==
            host_printf("0.%02d: %-5.2f|%s|c|%#llx|%p\n", item, item * 0.5,
                        item % 2 ? "odd" : "an even number, which is a text of more than fifty-six bytes",
                        1ull << item % 64, reinterpret_cast<void*>(out))
                .size());
  }
}

TEST_CASE("printf prints in the order of lanes, and the same on any number of threads") {
  std::vector<std::string> outputs;
  for (const unsigned threads : {1u, 2u, 5u}) {
    Machine machine(foreign("host_calls"));
    const uint64_t out = machine.zeroed("out", 4 * 128 * 40);
    ExecuteOptions options;
    options.output = [](const HostText&) {};
    options.dispatch.threads = threads;
    options.dispatch.oversubscribe = true;
    outputs.push_back(printed_by(machine.run("print", 40, 128, {out}, options)).out);
  }
  CHECK(outputs[0].size() > 40 * 128 * 30);
  CHECK(outputs[0] == outputs[1]);
  CHECK(outputs[0] == outputs[2]);
  CHECK(outputs[0].starts_with("0.00: "));
  CHECK(outputs[0].find("0.00: ") < outputs[0].find("0.01: "));
  CHECK(outputs[0].find("0.01: ") < outputs[0].find("0.63: "));
}

TEST_CASE("printf prints every line under any schedule, with fewer packets than waves of the grid") {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed);
    Machine machine(foreign("host_calls"));
    const uint64_t out = machine.zeroed("out", 4 * 128 * 12);
    ExecuteOptions options;
    options.output = [](const HostText&) {};
    options.dispatch.schedule_seed = seed;
    options.dispatch.resident = 3;
    const ExecuteReport report = machine.run("print", 12, 128, {out}, options);
    CHECK(report.dispatch.findings.total() == 0);
    std::vector<std::string> lines, expected = expected_lines(12, out);
    for (const HostText& text : report.printed) lines.push_back(text.text);
    std::sort(lines.begin(), lines.end());
    std::sort(expected.begin(), expected.end());
    CHECK(lines == expected);
  }
}

TEST_CASE("an assert prints each lane that fails to stderr and ends the run at its trap") {
  Machine machine(foreign("host_calls"));
  const uint64_t out = machine.zeroed("out", 4 * 64);
  machine.run("check", 1, 64, {out});
  CHECK(machine.words(out, 64) == std::vector<uint32_t>(64, 7));
  machine.memory().fill(out, 4 * 64, 0);
  machine.memory().fill(out + 4 * 17, 8, 9);
  Printed printed;
  const std::string text = machine.error_of("check", 1, 64, {out}, printed.options());
  CHECK(contains(text, "kernel 'check', workgroup 0, wave 0"));
  CHECK(contains(text, "s_trap 2 (the program called abort or __builtin_trap)"));
  const std::string line = "host_calls.hip:17: Device-side assertion `out[item] < 5' failed.\n";
  CHECK(printed.err == line + line);
  CHECK(printed.out.empty());
}

TEST_CASE("device memory is allocated to each lane, outlives the launch, and is freed by another kernel") {
  constexpr uint32_t kItems = 128;
  constexpr uint64_t kBytes = 400;
  Machine machine(foreign("host_calls"));
  const uint64_t blocks = machine.zeroed("blocks", 8 * kItems), sums = machine.zeroed("sums", 8 * kItems);
  CHECK(machine.run("allocate", 2, 64, {blocks, kBytes}).dispatch.findings.total() == 0);
  std::vector<uint64_t> address(kItems), sum(kItems);
  machine.memory().read(blocks, address.data(), 8 * kItems);
  for (const uint64_t a : address) {
    CHECK(a % (2u << 20) == 0);  // slabs find their start so
    CHECK(machine.memory().find(a)->size() == kBytes);
  }
  std::sort(address.begin(), address.end());
  CHECK(std::adjacent_find(address.begin(), address.end()) == address.end());
  CHECK(machine.run("sum_and_free", 2, 64, {blocks, kBytes, sums}).dispatch.findings.total() == 0);
  machine.memory().read(sums, sum.data(), 8 * kItems);
  for (uint32_t item = 0; item < kItems; ++item) {
    CAPTURE(item);
    CHECK(sum[item] == 100u * 1000 * item + 99 * 50);
  }
  for (const uint64_t a : address) CHECK(machine.memory().find(a) == nullptr);
  CHECK(contains(machine.error_of("sum_and_free", 1, 64, {blocks, 0, sums}), "which is no allocated block"));
}

TEST_CASE("an access of freed device memory is out of bounds, in the launch that freed it too") {
  Machine machine(foreign("host_calls"));
  const uint64_t out = machine.zeroed("out", 4);
  const std::string text = machine.error_of("use_after_free", 1, 1, {out});
  CAPTURE(text);
  CHECK(contains(text, "load of 4 bytes"));
  CHECK(contains(text, "out of bounds"));
}

TEST_CASE("device memory that a workgroup frees is out of bounds for another one that was reading it") {
  Machine machine(foreign("host_calls"));
  const uint64_t place = machine.zeroed("place", 8);
  const std::string text = machine.error_of("watch", 2, 1, {place});
  CAPTURE(text);
  CHECK(contains(text, "workgroup 1"));
  CHECK(contains(text, "out of bounds"));
}

TEST_CASE("device memory beyond the part's is null, and nonsense is refused by what it asked") {
  Machine machine(foreign("host_calls"));
  CHECK(made(machine, {{3, 0, uint64_t{289} << 30}})[0][1] == 0);
  const uint64_t most = made(machine, {{3, 0, uint64_t{200} << 30}})[0][1];
  CHECK(most != 0);
  CHECK(made(machine, {{3, 0, uint64_t{100} << 30}, {3, most, 0}, {3, 0, uint64_t{100} << 30}})[0][1] == 0);
  CHECK(made(machine, {{3, 0, uint64_t{188} << 30}})[0][1] != 0);
  Machine other(foreign("host_calls"));
  const uint64_t block = made(other, {{3, 0, 4096}})[0][1];
  const std::string inside = other.error_of("call", 1, 1, {list_of(other, {{3, block + 256, 0}}), 1});
  CHECK(contains(inside, "which is no allocated block (device heap block"));
  CHECK(contains(error_of_calls({{3, 0, 0}}), "device memory of 0 bytes"));
  CHECK(contains(error_of_calls({{3, 4096, 0}}), "free of 0x1000, which is no allocated block"));
  CHECK(contains(error_of_calls({{3, 0x7f04'0000'0000, 0}}), "no allocated block (hidden_hostcall_buffer"));
}

TEST_CASE("the state of the heap begins as zeros and is there for the next launch") {
  Machine machine(foreign("host_calls"));
  const uint64_t out = machine.zeroed("out", 8);
  machine.run("heap_words", 1, 1, {out});
  CHECK(machine.words(out, 2) == std::vector<uint32_t>{0, 0});
  machine.memory().fill(0x7f05'0000'0000 + 128 * 1024 - 8, 8, 0xab);
  machine.run("heap_words", 1, 1, {out});
  CHECK(machine.words(out, 2) == std::vector<uint32_t>{0xabababab, 0xabababab});
}

TEST_CASE("services that are not there are refused by name, with the lane that asked") {
  const std::string function = error_of_calls({{1, 0xabc0}});
  CHECK(contains(function, "kernel 'call', workgroup 0, wave 0, lane 0: call of the host: service 1"));
  CHECK(contains(function, "a call of the host function at 0xabc0, is not simulated"));
  CHECK(contains(error_of_calls({{4}}), "service 4, reports of sanitised kernels, is not simulated"));
  CHECK(contains(error_of_calls({{0}}), "there is no service 0"));
  CHECK(contains(error_of_calls({{77}}), "there is no service 77"));
}

TEST_CASE("messages in pieces are put together, several at a time, and their ids are used again") {
  Machine machine(foreign("host_calls"));
  Printed printed;
  const std::vector<Call> calls = made(machine,
                                       {{2, descriptor(1, 1), 0},                           // message 0
                                        {2, descriptor(1, 2), 1, text_word("b%d%s")},       // message 1
                                        {2, descriptor(0, 1), text_word("a%d")},            // of message 0
                                        {2, descriptor(2, 2) | 1 << 8, 5, text_word("x")},  // ends message 1
                                        {2, descriptor(2, 1), 7},                           // ends message 0
                                        {2, descriptor(kWhole, 2), 0, text_word("c")},
                                        {2, descriptor(1, 1), 0}},  // message 0 again
                                       printed.options());
  CHECK(printed.err == "b5x");
  CHECK(printed.out == "a7c");
  CHECK((calls[0][1] >> 8) == 0);
  CHECK((calls[1][1] >> 8) == 1);
  CHECK(calls[3][1] == 3);  // bytes
  CHECK(calls[4][1] == 2);
  CHECK((calls[6][1] >> 8) == 0);
}

TEST_CASE("messages that are none are errors") {
  const auto message = [](uint64_t flags, std::initializer_list<uint64_t> words) {
    Call call{2, descriptor(flags, words.size())};
    std::copy(words.begin(), words.end(), call.begin() + 2);
    return error_of_calls({call});
  };
  CHECK(contains(message(kWhole | 4, {0, text_word("a")}), "has reserved bits"));
  CHECK(contains(message(2, {0, text_word("a")}), "names message 0, which was not begun"));
  CHECK(contains(message(2 | uint64_t{1} << 63, {0}), "which was not begun"));
  CHECK(contains(message(kWhole, {}), "more conversions than there are arguments"));
  CHECK(contains(message(kWhole, {2, text_word("a")}), "the control word 0x2 is neither 0 nor 1"));
  CHECK(contains(message(kWhole, {0}), "more conversions than there are arguments"));
  CHECK(contains(message(kWhole, {0, ~uint64_t{0}}), "a string without an end"));
  CHECK(contains(message(kWhole, {0, text_word("%d")}), "more conversions than there are arguments"));
  CHECK(contains(message(kWhole, {0, text_word("%s"), ~uint64_t{0}}), "a string without an end"));
  CHECK(contains(message(kWhole, {0, text_word("%y"), 0}), "no conversion at byte 0 of the format '%y'"));
}

TEST_CASE("a ready stack that is none ends the run") {
  Machine machine(foreign("host_calls"));
  const auto error_of_poke = [&](std::initializer_list<uint64_t> words) {
    static int number = 0;
    const uint64_t list = machine.poisoned("poke " + std::to_string(number++), 8 * words.size());
    machine.memory().write(list, std::data(words), 8 * words.size());
    return machine.error_of("poke", 1, 1, {list, words.size() / 2});
  };
  // The head's ready stack is at 32, the headers of 24 bytes begin at 192: a packet whose next is itself.
  const std::string endless = error_of_poke({192, 2, 200, 0, 32, 2});
  CHECK(contains(endless, "hidden_hostcall_buffer: the ready stack does not end after its 2 packets"));
  const std::string wild = error_of_poke({192, 0, 200, 1, 208, 0x1'0000'00ff, 32, ~uint64_t{1}});
  CHECK(contains(wild, "there is no service 255"));
  // Packet 0 was pushed first, packet 1 above it.
  const uint64_t ready = uint64_t{1} << 32;
  const std::string first =
      error_of_poke({192, 0, 200, 1, 208, ready | 77, 216, 2, 224, 1, 232, ready | 78, 32, 3});
  CHECK(contains(first, "there is no service 77"));
}

}  // namespace wavetwin::isa
