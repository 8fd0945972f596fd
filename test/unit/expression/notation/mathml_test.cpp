#include "dalembert/expression/notation/mathml.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/parser.hpp"

using namespace dalembert;

namespace {

std::string mathml(const std::string& text) {
  const GraphPointer graph = std::make_shared<Graph>();
  Scope scope;
  for (const char* name : {"x", "y", "theta"}) scope.names.emplace(name, make_symbol(graph, name));
  return to_mathml(parse(text, scope));
}

}  // namespace

TEST_CASE("Names in MathML") {
  CHECK(mathml_name("x") == "<mi>x</mi>");
  CHECK(mathml_name("theta") == "<mi>θ</mi>");
  CHECK(mathml_name("x_1") == "<msub><mi>x</mi><mn>1</mn></msub>");
  CHECK(mathml_name("theta_dot") == "<mover accent=\"true\"><mi>θ</mi><mo>˙</mo></mover>");
  CHECK(mathml_name("R[1,2]") ==
        "<msub><mi>R</mi><mrow><mn>1</mn><mo>,</mo><mn>2</mn></mrow></msub>");
  CHECK(mathml_name("V'") == "<msup><mi>V</mi><mo>′</mo></msup>");
  CHECK(mathml_name("heading") == "<mi>heading</mi>");
}

TEST_CASE("Expressions in MathML") {
  CHECK(mathml("x - y") == "<mrow><mi>x</mi><mo>−</mo><mi>y</mi></mrow>");
  CHECK(mathml("x/y") == "<mfrac><mi>x</mi><mi>y</mi></mfrac>");
  CHECK(mathml("-x") == "<mrow><mo>−</mo><mi>x</mi></mrow>");
  CHECK(mathml("sqrt(x)") == "<msqrt><mi>x</mi></msqrt>");
  CHECK(mathml("x^2/2") ==
        "<mrow><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>\u2062</mo><msup><mi>x</mi><mn>2</mn></"
        "msup></mrow>");
  CHECK(mathml("sin(theta)^2") ==
        "<mrow><msup><mi>sin</mi><mn>2</mn></msup><mo>\u2061</mo><mi>θ</mi></mrow>");
  CHECK(mathml("x*(x + y)") ==
        "<mrow><mi>x</mi><mo>\u2062</mo><mrow><mo>(</mo><mrow><mi>x</mi><mo>+</mo><mi>y</mi></"
        "mrow><mo>)</mo></mrow></mrow>");
  CHECK(mathml("abs(x)") == "<mrow><mo>|</mo><mi>x</mi><mo>|</mo></mrow>");
  CHECK(mathml("max(x, y)") ==
        "<mrow><mi>max</mi><mo>\u2061</mo><mrow><mo>(</mo><mi>x</mi><mo>,</mo><mi>y</mi><mo>)</"
        "mo></mrow></mrow>");
  CHECK(mathml("piecewise(x, y >= 1, 0)") ==
        "<mrow><mo>{</mo><mtable><mtr><mtd><mi>x</mi></mtd><mtd><mtext>if "
        "</mtext><mrow><mi>y</mi><mo>≥</mo><mn>1</mn></mrow></mtd></mtr><mtr><mtd><mn>0</mn></"
        "mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>");
  CHECK(mathml("1e-10") == "<msup><mn>10</mn><mrow><mo>−</mo><mn>10</mn></mrow></msup>");
  CHECK(math_element("<mi>x</mi>") ==
        "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mi>x</mi></math>");
  CHECK(math_element("<mi>x</mi>", true) ==
        "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"block\"><mi>x</mi></math>");
}
