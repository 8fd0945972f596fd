// Writes the generated parts of documents and of Python: what stands between `<!-- begin NAME -->`
// and
// `<!-- end -->`, or `# begin NAME` and `# end`.
//   pages FILE.md ...          brings the files up to date
//   pages --check FILE.md ...  says which are not, and returns 1 if any
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "dalembert/document/library.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/method/text/describe.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "literature_page.hpp"

namespace {

using namespace dalembert;
using namespace dalembert::study;

const char* yes(bool value) { return value ? "yes" : ""; }

Method with_defaults(const MethodEntry& entry) { return entry.make(MethodSpec{entry.name, {}}); }

std::string method_table() {
  std::string text =
      "| method | order | of lambda | symmetric | reversible | keeps D | exact energy |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const MethodEntry& entry : methods()) {
    const Facts facts = with_defaults(entry).facts();
    text += "| [`" + entry.name + "`](#" + entry.name + ") | " + std::to_string(facts.order.get()) +
            " | " + std::to_string(facts.multiplier_order) + " | " + yes(facts.symmetric) + " | " +
            yes(facts.reversible) + " | " + yes(facts.maps_constraint_set) + " | " +
            yes(facts.exact_energy) + " |\n";
  }
  return text;
}

std::string admissible(const OptionInfo& option) {
  if (!option.form.empty()) return option.form;
  if (takes_numbers(option)) {
    OptionInfo number = option;
    number.choices.clear();
    std::string range = "a " + option_range(number);
    for (const std::string& word : option.choices) range += " or `" + word + "`";
    return range;
  }
  if (!std::holds_alternative<std::string>(option.default_value)) return "a method";
  std::string words;
  for (const std::string& choice : option.choices)
    words += (words.empty() ? "`" : ", `") + choice + "`";
  return words.empty() ? "a text" : words;
}

/// The equations of a step; for a method with a great many of them, where they can be seen.
std::string equations_text(const MethodEntry& entry, const Method& method) {
  constexpr std::size_t most_lines = 24;
  const std::vector<std::string> lines = describe_equations(method);
  if (lines.size() > most_lines)
    return "Its equations are many: `dalembert describe " + entry.name + "` prints them.\n";
  std::string text = "```\n";
  for (const std::string& line : lines) text += line + "\n";
  return text + "```\n";
}

/// Names in the literature, with what they stand for and whose they are.
std::string other_names(const MethodEntry& entry) {
  std::string text;
  for (const Alias& alias : entry.aliases) {
    text += (text.empty() ? "`" : ", `") + alias.name + "`";
    if (!alias.options.empty()) text += " for `" + label({entry.name, alias.options}) + "`";
    if (alias.lagrangian == LagrangianKind::constant_mass) text += " where the mass is constant";
    text += " (" + alias.source + ")";
  }
  return text;
}

std::string method_pages() {
  std::string text;
  for (const MethodEntry& entry : methods()) {
    const Method method = with_defaults(entry);
    text += "### " + entry.name + "\n\nThe " + entry.title + ".\n\n";
    for (const std::string& paragraph : entry.introduction()) text += paragraph + "\n\n";
    text += "Source: " + entry.source +
            ".\nNeeds: " + describe_requirements(method.requirements()) + ".\n\n";
    if (!entry.aliases.empty()) text += "Other names: " + other_names(entry) + ".\n\n";
    for (const OptionInfo& option : entry.options) {
      text += "- `" + option.name + "` (default `" + option_text(option.default_value) +
              "`): " + option.description + "; " + admissible(option) + "\n";
    }
    text += std::string(entry.options.empty() ? "" : "\n") + equations_text(entry, method) + "\n";
  }
  return text;
}

/// Text for a cell of a table: on one line, up to the first full stop.
std::string first_sentence(std::string text) {
  for (char& c : text) c = c == '\n' || c == '|' ? ' ' : c;
  const std::size_t end = text.find(". ");
  if (end != std::string::npos) text.resize(end);
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  return text;
}

/// How many constraints of which kind, for a problem with its sizes as they are by default.
std::string constraint_words(const ProblemFile& problem) {
  const System system = make_system(problem);
  const char* kinds[] = {"", "linear", "affine", "nonlinear"};
  std::string words;
  if (system.nonholonomic_count() > 0) {
    words = std::to_string(system.nonholonomic_count()) + " " +
            kinds[static_cast<int>(system.traits().constraints)];
  }
  if (system.holonomic_count() > 0)
    words += (words.empty() ? "" : ", ") + std::to_string(system.holonomic_count()) + " holonomic";
  return words.empty() ? "none" : words;
}

std::string coordinate_names(const ProblemFile& problem) {
  std::string names;
  for (const CoordinateEntry& entry : problem.coordinates) {
    names += (names.empty() ? "" : ", ") + entry.text();
  }
  return names;
}

std::string problem_table() {
  std::string text =
      "| problem | coordinates | constraints | conserves | starts | what it is |\n"
      "|---|---|---|---|---|---|\n";
  for (const std::string& name : problem_names()) {
    const ProblemFile problem = read_problem_file(find_problem(name));
    std::string starts, integrals = problem.conserves;
    for (const std::string& start : problem.start_names())
      starts += (starts.empty() ? "`" : ", `") + start + "`";
    for (const auto& [integral, item] : problem.integrals)
      integrals += (integrals.empty() ? "`" : ", `") + integral + "`";
    text += "| `" + name + "` | " + coordinate_names(problem) + " | " + constraint_words(problem) +
            " | " + integrals + " | " + starts + " | " + first_sentence(problem.description) +
            " |\n";
  }
  return text;
}

/// A table of the keys of an analysis, which are options of its command and arguments in Python.
std::string key_table(const PageInfo& page) {
  std::string text = "| key of `[" + page.name + "]` | default | what |\n|---|---|---|\n";
  for (const OptionInfo& key : page.keys) {
    const std::string range = is_list(key) && key.form.empty() ? "" : "; " + admissible(key);
    const bool is_empty = is_list(key) || key.default_value == OptionValue(std::string());
    text += "| `" + key.name + "` | " +
            (is_empty ? "" : "`" + option_text(key.default_value) + "`") + " | " + key.description +
            range + " |\n";
  }
  return text;
}

/// The type of an argument in Python.
std::string python_type(const OptionInfo& key) {
  if (!key.form.empty() && !key.whole) return "float | str";
  if (is_list(key)) return "str | Iterable[str]";
  if (is_yes_or_no(key)) return "bool";
  if (!takes_numbers(key)) return "str";
  return std::string(key.whole ? "int" : "float") + (key.choices.empty() ? "" : " | str");
}

/// Whether a key may also be an object in Python, whose function then names it itself.
bool is_wider_in_python(const PageInfo& page, const OptionInfo& key) {
  static const std::set<std::string> wider{"control.by", "control.end", "run.step", "run.at"};
  return wider.contains(page.name + "." + key.name);
}

/// The keyword arguments of runs and analyses, for checkers of types.
std::string python_keys() {
  std::string text;
  for (const PageInfo& page : study_pages()) {
    std::string name = page.name;
    name.front() = static_cast<char>(name.front() - 'a' + 'A');
    text += "\n\nclass " + name + "Keys(TypedDict, total=False):\n    \"\"\"The table [" +
            page.name + "] of a study.\"\"\"\n\n";
    for (const OptionInfo& key : page.keys)
      if (!is_wider_in_python(page, key))
        text += "    " + key.name + ": " + python_type(key) + " | None\n";
  }
  return text;
}

const std::map<std::string, std::function<std::string()>, std::less<>> sections{
    {"run-keys", [] { return key_table(run_page()); }},
    {"plot-keys", [] { return key_table(plot_page()); }},
    {"look-keys", [] { return key_table(look_page()); }},
    {"sensitivity-keys", [] { return key_table(sensitivity_page().info()); }},
    {"lyapunov-keys", [] { return key_table(lyapunov_page().info()); }},
    {"volume-keys", [] { return key_table(volume_page().info()); }},
    {"compare-keys", [] { return key_table(comparison_page().info()); }},
    {"order-keys", [] { return key_table(order_page().info()); }},
    {"control-keys", [] { return key_table(control_page()); }},
    {"modified-keys", [] { return key_table(modified_page().info()); }},
    {"linearise-keys", [] { return key_table(linearisation_page().info()); }},
    {"keys", python_keys},
    {"method-table", method_table},
    {"method-pages", method_pages},
    {"problem-table", problem_table},
    {"literature-methods", pages::literature_methods},
    {"literature-problems", pages::literature_problems},
    {"literature-claims", pages::literature_claims}};

/// Whether a line that began with the word would be an entry of a list, a heading or a table.
bool is_mark(std::string_view word) {
  if (word.find_first_not_of("+-*#>|=") == std::string_view::npos) return true;
  return word.find_first_not_of("0123456789") == word.size() - 1 &&
         (word.back() == '.' || word.back() == ')');
}

/// A line of text in lines of at most 120 letters, the others as far in as its text; code in back
/// quotes stays together.
std::string in_short_lines(const std::string& line) {
  constexpr std::size_t longest = 120;
  const std::size_t indent = std::min(line.find_first_not_of(" -"), line.size());
  std::string text, word;
  std::size_t letters = 0;
  bool in_code = false;
  const auto take = [&] {
    const bool first = letters == 0;
    if (!first && letters + 1 + word.size() > longest && !is_mark(word)) {
      text += "\n" + std::string(indent, ' ');
      letters = indent;
    } else if (!first) {
      text += ' ';
      ++letters;
    }
    text += word;
    letters += word.size();
    word.clear();
  };
  word = line.substr(0, indent);
  for (const char c : line.substr(indent)) {
    if (c == '`') in_code = !in_code;
    if (c == ' ' && !in_code) {
      take();
    } else {
      word += c;
    }
  }
  take();
  return text;
}

/// The text of a part with its paragraphs and lists in short lines; tables and examples stay.
std::string laid_out(const std::string& part) {
  std::istringstream lines(part);
  std::string text;
  bool in_example = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) in_example = !in_example;
    text += (in_example || line.starts_with("|") ? line : in_short_lines(line)) + "\n";
  }
  return text;
}

/// The document with its generated parts made anew.
std::string updated(const std::string& document, bool is_python) {
  const std::string_view begin = is_python ? "# begin " : "<!-- begin ",
                         close = is_python ? "\n" : " -->",
                         end = is_python ? "\n\n# end" : "<!-- end -->";
  std::string result;
  std::size_t position = 0;
  while (true) {
    const std::size_t mark = document.find(begin, position);
    if (mark == std::string::npos) return result + document.substr(position);
    const std::size_t name_end = document.find(close, mark), stop = document.find(end, mark);
    if (stop == std::string::npos) throw std::runtime_error("a generated part has no end");
    const std::string name = document.substr(mark + begin.size(), name_end - mark - begin.size());
    const auto section = sections.find(name);
    if (section == sections.end()) throw std::runtime_error("there is no part " + name);
    result += document.substr(position, name_end + close.size() - position);
    result += is_python ? section->second() : "\n\n" + laid_out(section->second()) + "\n";
    position = stop;
  }
}

std::string read(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

int main(int count, char** arguments) try {
  const bool check = count > 1 && std::string_view(arguments[1]) == "--check";
  int stale = 0;
  for (int i = check ? 2 : 1; i < count; ++i) {
    const std::string document = read(arguments[i]),
                      current = updated(document, std::string_view(arguments[i]).ends_with(".py"));
    if (document == current) continue;
    if (!check) {
      std::ofstream(arguments[i]) << current;
      continue;
    }
    ++stale;
    std::printf("%s is not up to date; run: cmake --build --preset release --target pages\n",
                arguments[i]);
  }
  return stale == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "pages: %s\n", error.what());
  return 2;
}
