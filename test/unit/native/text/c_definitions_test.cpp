#include "native/text/c_definitions.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "native/arithmetic_text.hpp"

using namespace dalembert;

namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t i = text.find(part); i != std::string::npos; i = text.find(part, i + 1)) ++count;
  return count;
}

std::string all_of(const std::vector<ArithmeticText>& texts) {
  std::string everything;
  for (const ArithmeticText& text : texts)
    for (const std::string_view file : text.files) everything += file;
  return everything;
}

}  // namespace

TEST_CASE("Words are replaced, numbers and comments are not") {
  const std::string text = "p = 0x1.8p-3 + pp*1e5 /* p stays p */ - q3p;";
  const std::string replaced =
      replace_words(text, [](const std::string& word) { return "<" + word + ">"; });
  CHECK(replaced == "<p> = 0x1.8p-3 + <pp>*1e5 /* p stays p */ - <q3p>;");
}

TEST_CASE("A text gets the definitions that it needs, each after those that it uses") {
  const CDefinitions definitions("my");
  const std::string nothing = definitions.needed_by("x1 = x2 + x3;");
  CHECK(nothing.empty());
  const std::string root = definitions.needed_by("x1 = pack_abs(x2);");
  CHECK(occurrences(root, "static inline double my_pack_abs(double x)") == 1);
  CHECK(occurrences(root, "my_sin") == 0);
  CHECK(root.find("my_to_bits(double x)") < root.find("my_pack_abs(double x)"));
  const std::string sine = definitions.needed_by("x1 = sin(x2);");
  for (const char* name : {"my_subtract_few_half_pis", "my_near_sin_cos", "my_largest_sin_cos"}) {
    CAPTURE(name);
    CHECK(occurrences(sine, std::string(name) + "(double") == 1);
  }
  CHECK(occurrences(sine, "my_pack_exp") == 0);
}

TEST_CASE("Nothing of the common language is left in C") {
  const CDefinitions definitions("my");
  // Every name of the texts is asked for.
  const std::string everything = all_of(scalar_arithmetic());
  const std::string c = definitions.needed_by(everything);
  for (const char* word :
       {"DALEMBERT", "Number", "Mask", "mask_of", "WordOf", "BitsOf", "template"}) {
    CAPTURE(word);
    CHECK(occurrences(c, word) == 0);
  }
  // Those that are inline, and those that are called.
  std::size_t functions = occurrences(c, "\nstatic inline") + occurrences(c, "\nmy_inlined");
  for (const char* kind : {"RARE", "RARE_PACK", "LONG", "DOUBLE"})
    functions += occurrences(everything, "DALEMBERT_" + std::string(kind) + "_FUNCTION\n");
  CHECK(functions == occurrences(everything, "FUNCTION\n"));
  CHECK(occurrences(c, "  my_unrolled\n") == occurrences(everything, "DALEMBERT_UNROLLED\n"));
  CHECK(occurrences(c, "my_my_") == 0);
}

TEST_CASE("On packs nothing of the common language is left but the types, tables are of doubles") {
  const NumberForm packs{8, 2};
  const CDefinitions definitions("my", packs);
  const std::string everything = all_of(pack_arithmetic());
  const std::string c = definitions.needed_by(everything);
  for (const char* word : {"DALEMBERT", "mask_of", "WordOf", "BitsOf", "template", "Number("}) {
    CAPTURE(word);
    CHECK(occurrences(c, word) == 0);
  }
  CHECK(occurrences(
            c, "double my_table_value_at(const my_TableView* table, int order, double x)") == 1);
  CHECK(occurrences(c, "Number my_near_sin_cos(Number x)") +
            occurrences(c, "my_SinCos my_near_sin_cos(Number x)") ==
        1);
  CHECK(occurrences(c, "my_broadcast(0.5)") > 0);
  CHECK(occurrences(definitions.types(), "vector_size(64)") == 3);
  CHECK(CDefinitions("my").types().empty());
}

TEST_CASE("A statement is there once for each pack") {
  const NumberForm packs{4, 2}, one;
  const std::string two_lines = "  x1 = x2 + stage_x3;\n  {\n    Number next = s->q[0];\n  }\n";
  CHECK(packs.each(two_lines) ==
        "  x1_0 = x2_0 + stage_x3_0;\n  x1_1 = x2_1 + stage_x3_1;\n"
        "  {\n    Number next = s_0->q[0];\n  }\n  {\n    Number next = s_1->q[0];\n  }\n");
  CHECK(one.each(two_lines) == two_lines);
  // A declaration over two lines stays whole.
  CHECK(packs.each("Number x1,\n    x2;\n") ==
        "Number x1_0,\n    x2_0;\nNumber x1_1,\n    x2_1;\n");
  CHECK(packs.any("active") == "any(active_0 | active_1)");
  CHECK(packs.all("accept") == "all(accept_0 & accept_1)");
  CHECK(one.any("active") == "any(active)");
  CHECK(packs.constant("1.0") == "broadcast(1.0)");
  CHECK(one.constant("1.0") == "1.0");
}

TEST_CASE("Elimination is there for the size of a small system, and as loops for any size") {
  const CDefinitions definitions("my");
  const std::string small = definitions.needed_by("solve_linear_system(3, a, pivot, b)"),
                    any = definitions.needed_by("any_solve_linear_system(20, a, pivot, b)");
  CHECK(occurrences(small, "my_inlined void my_solve_linear_system(") == 1);
  CHECK(occurrences(small, "any_") == 0);
  CHECK(occurrences(any, "static inline void my_any_solve_linear_system(") == 1);
  CHECK(occurrences(any, "my_any_lu_factor_column(n, k, a, pivot)") == 1);
  CHECK(occurrences(any, "inlined") + occurrences(any, "unrolled") == 0);
}

TEST_CASE("A step's own names have the prefix, functions of the C library have none") {
  const CDefinitions definitions("my");
  CHECK(definitions.in_c("Number PREFIX_energy(Mask m);") == "double my_energy(int m);");
  const std::string tan = definitions.needed_by("pack_tan(x1)");
  CHECK(occurrences(tan, " memcpy(&bits, &x, sizeof bits);") > 0);
  CHECK(occurrences(tan, "my_memcpy") == 0);
  CHECK(occurrences(tan, "double my_pack_tan(double x)") == 1);
}
