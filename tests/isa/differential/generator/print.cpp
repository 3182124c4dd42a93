// SPDX-License-Identifier: MIT
#include "tests/isa/differential/generator/print.h"

#include <cctype>
#include <sstream>

namespace wavetwin::differential {
namespace {

// Indents lines by the braces in them.
class Writer {
 public:
  void line(const std::string& text) {
    if (!text.empty() && text[0] == '}') --depth_;
    out_ << std::string(static_cast<size_t>(2 * depth_), ' ') << text << '\n';
    if (!text.empty() && text.back() == '{') ++depth_;
  }
  std::string text() const { return out_.str(); }

 private:
  std::ostringstream out_;
  int depth_ = 0;
};

enum class Side { device, host };

class Printer {
 public:
  Printer(Side side, Writer& out) : side_(side), out_(out) {}

  void kernel(const Kernel& k) {
    out_.line("// seed " + std::to_string(k.seed));
    for (const std::string& text : k.functions) out_.line(text);
    side_ == Side::device ? device_head(k) : host_head(k);
    for (const std::string& text : k.uniforms) out_.line(text);
    for (const Statement& s : k.body) statement(s);
    results(k);
    out_.line("}");
    out_.line("");
  }

 private:
  void device_head(const Kernel& k) {
    out_.line("KERNEL(" + k.name + ", " + std::to_string(k.threads) + ") {");
    out_.line("const u32 t = __builtin_amdgcn_workitem_id_x(), group = __builtin_amdgcn_workgroup_id_x();");
    out_.line("const u32 id = group * " + std::to_string(k.threads) + " + t;");
    for (const SharedArray& s : k.shared) {
      out_.line("__shared__ " + std::string(name_of(s.type)) + " " + s.name + "[" + std::to_string(s.size) +
                "];");
    }
    for (size_t v = 0; v < k.variables.size(); ++v) {
      out_.line(std::string(name_of(k.variables[v])) + " v" + std::to_string(v) + "{};");
    }
  }

  void host_head(const Kernel& k) {
    out_.line("static void " + k.name + "(const Arguments& a, u32 group) {");
    out_.line("const u32 first = group * " + std::to_string(k.threads) + ";");
    out_.line("const Active active(" + std::to_string(k.threads) + ");");
    for (const SharedArray& s : k.shared) {
      out_.line(std::string(name_of(s.type)) + " " + s.name + "[" + std::to_string(s.size) + "]{};");
    }
    for (size_t v = 0; v < k.variables.size(); ++v) {
      out_.line("Threads<" + std::string(name_of(k.variables[v])) + "> v" + std::to_string(v) + "{};");
    }
  }

  void results(const Kernel& k) {
    std::vector<std::string> lines;
    for (size_t v = 0; v < k.variables.size(); ++v) {
      lines.push_back("store_result(a.out, " + std::to_string(v) + ", $id, $" + std::to_string(v) + ");");
    }
    threads(lines);
  }

  void statement(const Statement& s) {
    switch (s.kind) {
      case Statement::Kind::threads:
        return threads(s.text);
      case Statement::Kind::uniform:
        return out_.line(s.text[0]);
      case Statement::Kind::barrier:
        // On the host each statement runs for all threads before the next one starts.
        return side_ == Side::device ? out_.line("barrier();") : void();
      case Statement::Kind::cross:
        return cross(s.text);
      case Statement::Kind::uniform_if:
        return branches(s, "if (" + s.text[0] + ") {", "} else {");
      case Statement::Kind::uniform_loop:
        return branches(s, loop_head(s.text[0], s.text[1]), "");
      case Statement::Kind::thread_if:
        return side_ == Side::device ? branches(s, "if (" + spelled(s.text[0]) + ") {", "} else {")
                                     : host_if(s);
      case Statement::Kind::thread_loop:
        return side_ == Side::device ? branches(s, loop_head(s.text[0], spelled(s.text[1])), "")
                                     : host_loop(s);
    }
  }

  static std::string loop_head(const std::string& i, const std::string& trips) {
    return "for (u32 " + i + " = 0, end_" + i + " = " + trips + "; " + i + " < end_" + i + "; ++" + i + ") {";
  }

  void threads(const std::vector<std::string>& lines) {
    if (side_ == Side::host) out_.line("FOR_THREADS(" + active() + ") {");
    if (side_ == Side::device) out_.line("{");
    for (const std::string& text : lines) out_.line(spelled(text));
    out_.line("}");
  }

  void cross(const std::vector<std::string>& text) {
    std::string operands;
    for (size_t i = 2; i < text.size(); ++i) {
      if (side_ == Side::host) {
        operands += ", [&](u32 t) { return " + spelled(text[i]) + "; }";
      } else {
        operands += (i > 2 ? ", " : "") + spelled(text[i]);
      }
    }
    const std::string variable = "v" + text[0].substr(1);
    out_.line(side_ == Side::host ? text[1] + "(" + variable + ", " + active() + operands + ");"
                                  : variable + " = " + text[1] + "(" + operands + ");");
  }

  void branches(const Statement& s, const std::string& head, const std::string& middle) {
    out_.line(head);
    for (const Statement& inner : s.body) statement(inner);
    if (!s.otherwise.empty()) {
      out_.line(middle);
      for (const Statement& inner : s.otherwise) statement(inner);
    }
    out_.line("}");
  }

  // The condition is taken once, before either side runs.
  void host_if(const Statement& s) {
    const std::string outer = active(), inner = next_active();
    out_.line("{");
    out_.line("const Active " + inner + " = " + outer + ".where([&](u32 t) { return " + spelled(s.text[0]) +
              "; });");
    out_.line("const Active not_" + inner + " = " + outer + ".where([&](u32 t) { return !" + inner +
              ".on[t]; });");
    active_.push_back(inner);
    for (const Statement& body : s.body) statement(body);
    active_.back() = "not_" + inner;
    for (const Statement& body : s.otherwise) statement(body);
    active_.pop_back();
    out_.line("}");
  }

  void host_loop(const Statement& s) {
    const std::string outer = active(), inner = next_active(), &i = s.text[0];
    out_.line("{");
    out_.line("Threads<u32> end_" + i + "{};");
    out_.line("assign(end_" + i + ", " + outer + ", [&](u32 t) { return " + spelled(s.text[1]) + "; });");
    out_.line("for (u32 " + i + " = 0;; ++" + i + ") {");
    out_.line("const Active " + inner + " = " + outer + ".where([&](u32 t) { return " + i + " < end_" + i +
              "[t]; });");
    out_.line("if (!" + inner + ".any()) break;");
    active_.push_back(inner);
    for (const Statement& body : s.body) statement(body);
    active_.pop_back();
    out_.line("}");
    out_.line("}");
  }

  const std::string& active() const { return active_.back(); }
  std::string next_active() { return "active" + std::to_string(++sets_); }

  std::string spelled(const std::string& text) const {
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '$') {
        result += text[i];
      } else if (text.compare(i, 3, "$id") == 0) {
        result += side_ == Side::device ? "id" : "(first + t)";
        i += 2;
      } else {
        result += 'v';
        while (i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1])))
          result += text[++i];
        if (side_ == Side::host) result += "[t]";
      }
    }
    return result;
  }

  Side side_;
  Writer& out_;
  std::vector<std::string> active_{"active"};
  unsigned sets_ = 0;
};

}  // namespace

std::string device_source(std::span<const Kernel> kernels) {
  Writer out;
  out.line("#include \"tests/isa/differential/census_words.h\"");
  out.line("using namespace wavetwin;");
  out.line("using namespace wavetwin::differential;");
  out.line("");
  for (const Kernel& k : kernels) Printer(Side::device, out).kernel(k);
  return out.text();
}

std::string host_source(std::span<const Kernel> kernels, const std::string& table) {
  Writer out;
  out.line("#include \"tests/isa/differential/corpus_table.h\"");
  out.line("#include \"tests/isa/differential/census_words.h\"");
  out.line("");
  out.line("namespace wavetwin::differential {");
  for (const Kernel& k : kernels) Printer(Side::host, out).kernel(k);
  out.line("extern const KernelEntry " + table + "[] = {");
  for (const Kernel& k : kernels) {
    std::string types;
    for (const Type type : k.variables) types += std::string(types.empty() ? "" : " ") + name_of(type);
    out.line("{\"" + k.name + "\", " + std::to_string(k.group) + ", " + std::to_string(k.seed) + "u, " +
             std::to_string(k.threads) + ", " + std::to_string(k.n0) + "u, " + std::to_string(k.n1) +
             "u, \"" + types + "\", " + k.name + "},");
  }
  out.line("};");
  out.line("}  // namespace wavetwin::differential");
  return out.text();
}

}  // namespace wavetwin::differential
