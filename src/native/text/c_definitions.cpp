#include "c_definitions.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <string_view>

#include "native/arithmetic_text.hpp"

namespace dalembert {
namespace {

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_word(char c) {
  return begins_word(c) || std::isdigit(static_cast<unsigned char>(c));
}

/// Where a number that begins at `from` ends: 0x1.8p-3 has a sign in it.
std::size_t end_of_number(const std::string& text, std::size_t from) {
  std::size_t i = from;
  while (i < text.size() && (continues_word(text[i]) || text[i] == '.' ||
                             ((text[i] == '+' || text[i] == '-') && i > from &&
                              (text[i - 1] == 'p' || text[i - 1] == 'P'))))
    ++i;
  return i;
}

using NamesInC = std::map<std::string, std::string>;

/// Functions on lanes that call, for each pack, what C on one double or one pack calls at once.
const NamesInC& names_of_functions() {
  static const NamesInC names{{"WordOf", "Word"},
                              {"BitsOf", "Bits"},
                              {"mask_of", "Mask"},
                              {"abs", "pack_abs"},
                              {"sqrt", "pack_sqrt"},
                              {"floor", "pack_floor"},
                              {"round_to_nearest", "pack_round"},
                              {"exp", "pack_exp"},
                              {"normal_log", "pack_log"},
                              {"sin_cos_of_near", "near_sin_cos"},
                              {"sin_cos_of_far", "far_sin_cos"},
                              {"without_half_pis", "subtract_half_pis"},
                              {"sin_cos_of_largest", "largest_sin_cos"},
                              {"log_of_subnormal", "pack_log_of_subnormal"},
                              {"sinh", "pack_sinh"},
                              {"cosh", "pack_cosh"}};
  return names;
}

/// What the types of the common language are where numbers are doubles.
const NamesInC& types_of_doubles() {
  static const NamesInC words{
      {"Number", "double"}, {"Mask", "int"}, {"Word", "long long"}, {"Bits", "unsigned long long"}};
  return words;
}

/// So many packs side by side are those of longer steps, whose code would leave the instruction
/// cache if every sine in them were inlined.
constexpr int most_inlined = 2;

/// What the words of the common language are in C.
NamesInC words_of_c(const NumberForm& form) {
  NamesInC words{{"DALEMBERT_PACK_FUNCTION", "static inline"},
                 {"DALEMBERT_FUNCTION", "static inline"},
                 {"DALEMBERT_RARE_FUNCTION", "static"},
                 {"DALEMBERT_RARE_PACK_FUNCTION", "static"},
                 {"DALEMBERT_LONG_FUNCTION", "static"},
                 {"DALEMBERT_DOUBLE_FUNCTION", "static"},
                 {"DALEMBERT_GENERIC_FUNCTION", "static inline"},
                 {"DALEMBERT_LOOP_FUNCTION", "static inline"},
                 {"DALEMBERT_INLINED_FUNCTION", "PREFIX_inlined"},
                 {"DALEMBERT_UNROLLED", "PREFIX_unrolled"},
                 {"DALEMBERT_CONSTANT", "static const"},
                 {"DALEMBERT_INFINITY", "HUGE_VAL"},
                 {"DALEMBERT_NAN", "NAN"},
                 {"DALEMBERT_PACK_WIDTH", std::to_string(form.width)}};
  if (form.is_one()) {
    words.insert(types_of_doubles().begin(), types_of_doubles().end());
  } else {
    // A call with a vector may go through memory.
    const std::string inlined = "static inline __attribute__((always_inline))";
    words["DALEMBERT_PACK_FUNCTION"] = inlined;
    if (form.packs > most_inlined)
      words["DALEMBERT_FUNCTION"] = words["DALEMBERT_GENERIC_FUNCTION"] = inlined;
    words["DALEMBERT_RARE_FUNCTION"] = words["DALEMBERT_RARE_PACK_FUNCTION"] =
        "static __attribute__((noinline, cold))";
    words["DALEMBERT_LONG_FUNCTION"] = "static __attribute__((noinline))";
  }
  return words;
}

/// The beginning of words that stand for functions of the C library.
constexpr std::string_view of_library = "DALEMBERT_LIBRARY_";
/// The beginning of names that belong to one step.
constexpr std::string_view of_step = "PREFIX_";

/// What the words mean that are no C. clang unrolls by itself where sizes are known.
constexpr const char* words_for_loops =
    R"c(#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 8
#define PREFIX_inlined static inline __attribute__((always_inline))
#define PREFIX_unrolled _Pragma("GCC unroll 8")
#else
#define PREFIX_inlined static inline
#define PREFIX_unrolled
#endif

)c";

/// The beginning of names of functions that are not inlined.
const std::string of_loops = "any_";

/// A pattern, the words without which it is nowhere, and what takes its place. To look for the
/// words takes a hundredth of the time.
struct Replacement {
  std::string_view words;
  std::regex pattern;
  const char* by;
};

/// Types and casts without templates; a structure becomes a type.
std::string without_templates(std::string text, const NumberForm& form) {
  // The C library's own functions are words of their own; a cast to a double is none.
  static const Replacement replacements[] = {
      {"DALEMBERT_TYPE(", std::regex(R"(DALEMBERT_TYPE\((\w+)\))"), "$1"},
      {"DALEMBERT_LIBRARY(", std::regex(R"(DALEMBERT_LIBRARY\((\w+)\))"), "DALEMBERT_LIBRARY_$1"},
      {"DALEMBERT_STRUCT(", std::regex(R"(^DALEMBERT_STRUCT\((\w+)\)\s*(\{[^}]*\});)"),
       "typedef struct $2 $1;"}};
  static const std::regex cast(R"(\bNumber\()");
  for (const Replacement& each : replacements)
    if (text.find(each.words) != std::string::npos)
      text = std::regex_replace(text, each.pattern, each.by);
  // The kind of a function stands in a line of its own.
  const std::size_t line = std::min(text.find('\n'), text.size());
  if (text.starts_with("DALEMBERT_") &&
      std::string_view(text).substr(0, line).ends_with("FUNCTION"))
    text.replace(line, 1, " ");
  if (text.find("Number(") == std::string::npos) return text;
  return std::regex_replace(text, cast, form.is_one() ? "(" : "broadcast(");
}

/// The word before the first parenthesis that has one; empty if none has.
std::string first_function(const std::string& text) {
  for (std::size_t at = text.find('('); at != std::string::npos; at = text.find('(', at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && continues_word(text[begin - 1])) --begin;
    if (begin < at) return text.substr(begin, at - begin);
  }
  return {};
}

/// The names that a definition without its comment defines.
std::vector<std::string> names_defined(const std::string& text) {
  static const std::regex structure(R"(^typedef struct [^}]*\} (\w+);)"), constant(R"((\w+) = )");
  std::smatch match;
  if (text.find("typedef struct ") != std::string::npos &&
      std::regex_search(text, match, structure))
    return {match[1]};
  std::vector<std::string> names;
  if (text.starts_with("DALEMBERT_CONSTANT")) {
    for (std::sregex_iterator i(text.begin(), text.end(), constant), end; i != end; ++i)
      names.push_back((*i)[1]);
  } else if (const std::string function = first_function(text); !function.empty()) {
    names.push_back(function);
  }
  return names;
}

std::vector<std::string> paragraphs(std::string_view text) {
  std::vector<std::string> result;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", from), text.size());
    result.emplace_back(text.substr(from, end - from));
    from = std::min(text.find_first_not_of('\n', end), text.size());
  }
  return result;
}

}  // namespace

std::string replace_words(const std::string& text,
                          const std::function<std::string(const std::string&)>& word) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text.compare(i, 2, "/*") == 0) {
      end = text.find("*/", i) + 2;
    } else if (std::isdigit(static_cast<unsigned char>(text[i])) != 0) {
      end = end_of_number(text, i);
    } else if (begins_word(text[i])) {
      while (end < text.size() && continues_word(text[end])) ++end;
      result += word(text.substr(i, end - i));
      i = end;
      continue;
    }
    result.append(text, i, end - i);
    i = end;
  }
  return result;
}

CDefinitions::Definition CDefinitions::definition(const std::string& paragraph,
                                                  const NumberForm& as) {
  const NamesInC& names = names_of_functions();
  Definition result;
  const std::size_t end = paragraph.starts_with("/*") ? paragraph.find("*/") + 2 : 0;
  result.comment = paragraph.substr(0, end);
  const std::size_t code = paragraph.find_first_not_of('\n', end);
  if (code == std::string::npos) return result;
  // On one number some functions are others by another name.
  result.text =
      replace_words(without_templates(paragraph.substr(code), as), [&](const std::string& w) {
        const auto found = names.find(w);
        return found == names.end() ? w : found->second;
      });
  result.names = names_defined(result.text);
  replace_words(result.text, [&](const std::string& w) {
    result.uses.insert(w);
    return w;
  });
  return result;
}

void CDefinitions::add_loops() {
  static const std::regex unrolled(" *DALEMBERT_UNROLLED\n");
  std::set<std::string> names;
  std::vector<Definition> loops;
  for (const Definition& inlined : definitions_) {
    if (!inlined.uses.contains("DALEMBERT_INLINED_FUNCTION")) continue;
    names.insert(inlined.names.begin(), inlined.names.end());
    const std::string text = replace_words(inlined.text, [&](const std::string& w) {
      if (w == "DALEMBERT_INLINED_FUNCTION") return std::string("DALEMBERT_LOOP_FUNCTION");
      return names.contains(w) ? of_loops + w : w;
    });
    loops.push_back(definition(std::regex_replace(text, unrolled, ""), form_));
  }
  for (Definition& loop : loops) {
    names_.insert(loop.names.begin(), loop.names.end());
    definitions_.push_back(std::move(loop));
  }
}

CDefinitions::CDefinitions(std::string prefix, const NumberForm& form)
    : prefix_(std::move(prefix)), form_(form), words_(words_of_c(form)) {
  for (const auto& [on, files] : form.is_one() ? scalar_arithmetic() : pack_arithmetic()) {
    const bool is_on_doubles = on == ArithmeticText::On::doubles;
    for (const std::string_view text : files) {
      for (const std::string& paragraph : paragraphs(text)) {
        Definition made = definition(paragraph, is_on_doubles ? NumberForm{} : form);
        if (made.text.empty()) continue;
        if (is_on_doubles) {
          made.text = replace_words(made.text, [](const std::string& w) {
            const auto type = types_of_doubles().find(w);
            return type == types_of_doubles().end() ? w : type->second;
          });
        }
        names_.insert(made.names.begin(), made.names.end());
        definitions_.push_back(std::move(made));
      }
    }
  }
  add_loops();
}

std::string CDefinitions::types() const {
  if (form_.is_one()) return {};
  const std::string vector =
      " __attribute__((vector_size(" + std::to_string(8 * form_.width) + ")));\n";
  return "typedef double Number" + vector + "typedef long long Word" + vector +
         "typedef unsigned long long Bits" + vector + "typedef Word Mask;\n\n";
}

std::string CDefinitions::in_c(const std::string& text) const {
  return replace_words(text, [this](const std::string& word) {
    const auto known = words_.find(word);
    const std::string& c = known == words_.end() ? word : known->second;
    if (c.starts_with(of_step)) return prefix_ + c.substr(of_step.size() - 1);
    if (known != words_.end()) return c;
    if (word.starts_with(of_library)) return word.substr(of_library.size());
    return names_.contains(word) ? prefix_ + "_" + word : word;
  });
}

std::string CDefinitions::needed_by(const std::string& text) const {
  std::set<std::string> needed;
  replace_words(text, [&](const std::string& word) {
    needed.insert(word);
    return word;
  });
  // Backwards: a definition needs those before it.
  std::vector<const Definition*> chosen;
  for (auto i = definitions_.rbegin(); i != definitions_.rend(); ++i) {
    const bool is_needed = std::any_of(i->names.begin(), i->names.end(),
                                       [&](const std::string& n) { return needed.contains(n); });
    if (!is_needed) continue;
    needed.insert(i->uses.begin(), i->uses.end());
    chosen.push_back(&*i);
  }
  std::string result = needed.contains("DALEMBERT_UNROLLED") ? in_c(words_for_loops) : "";
  for (auto i = chosen.rbegin(); i != chosen.rend(); ++i) {
    const Definition& made = **i;
    result += (made.comment.empty() ? "" : made.comment + "\n") + in_c(made.text) + "\n\n";
  }
  return result;
}

}  // namespace dalembert
