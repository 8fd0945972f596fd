#include "picture/page/mathematics.hpp"

#include <doctest/doctest.h>

using namespace dalembert::study;

TEST_CASE("Formulas on a page look as in a paper") {
  CHECK(html_with_mathematics("DLA^{1/2} and DLA^alpha") ==
        "DLA<sup>1/2</sup> and DLA<sup>α</sup>");
  CHECK(html_with_mathematics("2 +- 8e-05") == "2 ± 8·10<sup>−5</sup>");
  CHECK(html_with_mathematics("1e-9, 1.5e+10") == "10<sup>−9</sup>, 1.5·10<sup>10</sup>");
  CHECK(html_with_mathematics("x_1, lambda_12, p_{i}, h^-1, T^*Q") ==
        "x<sub>1</sub>, λ<sub>12</sub>, p<sub>i</sub>, h<sup>−1</sup>, T<sup>*</sup>Q");
  CHECK(html_with_mathematics("epsilon = 0.5, a -> b <= c") == "ε = 0.5, a → b ≤ c");
}

TEST_CASE("What a user types, and what is no formula, stays as it is") {
  for (const char* text : {"dla(alpha=0.4)", "energy_error", "xi_dot", "q_0_a", "beta_prime",
                           "witness-constant-mass", "2e5x", "000-A.1", "x^", "^2", "alphabet"})
    CHECK(html_with_mathematics(text) == text);
  CHECK(html_with_mathematics("x < \"y\" & z") == "x &lt; &quot;y&quot; &amp; z");
  CHECK(html_with_mathematics("<b>x^{<i>}") == "&lt;b&gt;x<sup>&lt;i&gt;</sup>");
  CHECK(html_with_mathematics("x^{a") == "x^{a");
}
