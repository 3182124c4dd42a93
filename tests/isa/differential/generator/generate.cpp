// SPDX-License-Identifier: MIT
// differential_generator DIR FILES...   writes corpus_00.hip, corpus_00.cpp, ... into DIR, and for each
// number of
//                                       files corpus_table_<FILES>.cpp, which lists the kernels of the first
//                                       ones
// differential_generator --kernel NAME [--host] [--statements N]   prints one kernel, or its first N
// statements
//
// The same arguments always give the same text: kernel i of the corpus follows from i alone.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "tests/isa/differential/generator/census.h"
#include "tests/isa/differential/generator/print.h"
#include "tests/isa/differential/generator/workgroup_code.h"

namespace wavetwin::differential {
namespace {

constexpr int kStatements = 6;

Kernel make_kernel(unsigned number) {
  Kernel kernel;
  char name[16];
  std::snprintf(name, sizeof name, "k%04u", number);
  kernel.name = name;
  kernel.seed = 0x5eed0000 + number;
  kernel.group = number % profiles().size();
  test::Random random(kernel.seed);
  static constexpr uint32_t kThreads[] = {64, 128, 192, 100};  // the last one has a wave of 36 lanes
  kernel.threads = kThreads[random.below(4)];
  kernel.n0 = static_cast<uint32_t>(random());
  kernel.n1 = static_cast<uint32_t>(random());
  WorkgroupCode(random, profiles()[kernel.group], kernel).generate(kStatements);
  return kernel;
}

std::vector<Kernel> make_file(unsigned file) {
  const auto size = static_cast<unsigned>(profiles().size());  // one kernel of each group
  std::vector<Kernel> kernels;
  for (unsigned i = 0; i < size; ++i) kernels.push_back(make_kernel(file * size + i));
  return kernels;
}

// Untouched when the text is the same, so that nothing is built again.
void write(const std::filesystem::path& path, const std::string& text) {
  std::ifstream old(path);
  if (old && std::string(std::istreambuf_iterator<char>(old), {}) == text) return;
  std::ofstream out(path);
  out << text;
  out.flush();
  if (!out) throw std::runtime_error("cannot write " + path.string());
}

std::string file_name(unsigned file) {
  return std::string("corpus_") + (file < 10 ? "0" : "") + std::to_string(file);
}

// The files of a corpus: random kernels, then those written by hand.
struct File {
  std::string name;
  std::vector<Kernel> kernels;
};
std::vector<File> make_corpus(unsigned files) {
  std::vector<File> corpus;
  for (unsigned f = 0; f < files; ++f) corpus.push_back({file_name(f), make_file(f)});
  corpus.push_back({"corpus_census", census_kernels(profiles().size())});
  return corpus;
}

std::string table_source(const std::vector<File>& corpus) {
  std::string declarations, list, names;
  for (const auto& [name, kernels] : corpus) {
    declarations += "extern const KernelEntry " + name + "[" + std::to_string(kernels.size()) + "];\n";
    list += "      {\"" + name + "\", " + name + "},\n";
  }
  for (const Profile& p : profiles()) names += "\"" + p.name + "\", ";
  names += "\"single instructions\"";
  return "#include \"tests/isa/differential/corpus_table.h\"\n\nnamespace wavetwin::differential {\n" +
         declarations +
         "std::span<const CorpusFile> corpus_files() {\n  static const CorpusFile kFiles[] = {\n" + list +
         "  };\n  return kFiles;\n}\nstd::span<const char* const> group_names() {\n"
         "  static const char* const kNames[] = {" +
         names + "};\n  return kNames;\n}\n}  // namespace wavetwin::differential\n";
}

void write_corpus(const std::filesystem::path& dir, const std::vector<unsigned>& sizes) {
  std::filesystem::create_directories(dir);
  for (const auto& [name, kernels] : make_corpus(*std::max_element(sizes.begin(), sizes.end()))) {
    write(dir / (name + ".hip"), device_source(kernels));
    write(dir / (name + ".cpp"), host_source(kernels, name));
  }
  for (const unsigned size : sizes) {
    write(dir / ("corpus_table_" + std::to_string(size) + ".cpp"), table_source(make_corpus(size)));
  }
}

// k0123 is random kernel 123, c0003 the third one written by hand.
Kernel named_kernel(const std::string& name) {
  const unsigned long number = std::stoul(name.substr(1));
  return name[0] == 'c' ? census_kernels(profiles().size()).at(number)
                        : make_kernel(static_cast<unsigned>(number));
}

int print_kernel(int argc, char** argv) {
  Kernel kernel = named_kernel(argv[2]);
  bool host = false;
  for (int i = 3; i < argc; ++i) {
    if (std::strcmp(argv[i], "--host") == 0) host = true;
    if (std::strcmp(argv[i], "--statements") == 0 && i + 1 < argc) {
      kernel.body.resize(std::min<size_t>(kernel.body.size(), std::stoul(argv[i + 1])));
    }
  }
  const std::span<const Kernel> one(&kernel, 1);
  std::cout << (host ? host_source(one, "corpus_00") : device_source(one));
  return 0;
}

}  // namespace
}  // namespace wavetwin::differential

int main(int argc, char** argv) {
  using namespace wavetwin::differential;
  if (argc >= 3 && std::strcmp(argv[1], "--kernel") == 0) return print_kernel(argc, argv);
  if (argc >= 3) {
    std::vector<unsigned> sizes;
    for (int i = 2; i < argc; ++i) sizes.push_back(static_cast<unsigned>(std::stoul(argv[i])));
    write_corpus(argv[1], sizes);
    return 0;
  }
  std::cerr << "usage: differential_generator DIR FILES... | --kernel NAME [--host] [--statements N]\n";
  return 2;
}
