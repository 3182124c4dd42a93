// SPDX-License-Identifier: MIT
// swap_rows TABLES OUT PARITY: writes copies of the vector tables in which neighbouring rows have exchanged
// their expressions, and OUT/swapped.txt with the names of these rows. Only rows whose operand types agree
// are exchanged, so that the copy compiles; PARITY 0 or 1 says which neighbours.
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace {

struct Line {
  std::string head, name, types, expression;  // head: everything before the expression
  bool swappable = false;
};

// ROW(opcode, NAME, (dst), (src), traits, evidence, "source", expression)
Line parse(const std::string& text) {
  Line line{text, "", "", "", false};
  if (text.rfind("ROW(", 0) != 0) return line;
  const auto name_at = text.find(", ") + 2;
  const auto name_end = text.find(',', name_at);
  const auto types_at = text.find('(', name_end);
  const auto types_end = text.find(')', text.find('(', types_at + 1)) + 1;
  const auto quote = text.find('"', text.find('"') + 1);
  const auto expression_at = quote + 3;
  line.name = text.substr(name_at, name_end - name_at);
  for (char c : text.substr(types_at, types_end - types_at))
    if (c != ' ') line.types += c;
  if (text.find("TIED") != std::string::npos) line.types += " tied";
  line.head = text.substr(0, expression_at);
  line.expression = text.substr(expression_at, text.size() - expression_at - 1);
  line.swappable = line.expression.rfind("MISSING(", 0) != 0 && line.expression.rfind("exec_", 0) != 0;
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::cerr << "usage: swap_rows TABLES OUT PARITY\n", 2;
  const std::string tables = argv[1], out = argv[2];
  const size_t parity = std::stoul(argv[3]);
  std::ofstream names(out + "/swapped.txt");
  for (const char* table : {"vop1", "vop2", "vopc", "vop3", "vop3p"}) {
    std::ifstream in(tables + "/" + table + ".inc");
    if (!in) return std::cerr << "cannot read " << table << "\n", 2;
    std::vector<Line> lines;
    for (std::string text; std::getline(in, text);) lines.push_back(parse(text));
    std::map<std::string, std::vector<size_t>> alike;
    for (size_t i = 0; i < lines.size(); ++i)
      if (lines[i].swappable) alike[lines[i].types].push_back(i);
    for (const auto& [types, rows] : alike) {
      for (size_t i = parity; i + 1 < rows.size(); i += 2) {
        Line &a = lines[rows[i]], &b = lines[rows[i + 1]];
        if (a.expression == b.expression) continue;
        std::swap(a.expression, b.expression);
        names << a.name << "\n" << b.name << "\n";
      }
    }
    std::ofstream file(out + "/" + table + ".inc");
    for (const Line& line : lines)
      file << line.head << line.expression << (line.expression.empty() ? "\n" : ")\n");
  }
}
