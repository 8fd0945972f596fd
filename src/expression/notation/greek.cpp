#include "dalembert/expression/notation/greek.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace dalembert {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 31> greek_letters{
    {{"alpha", "α"}, {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"},
     {"zeta", "ζ"},  {"eta", "η"},   {"theta", "θ"}, {"kappa", "κ"}, {"lambda", "λ"},
     {"mu", "μ"},    {"nu", "ν"},    {"xi", "ξ"},    {"pi", "π"},    {"rho", "ρ"},
     {"sigma", "σ"}, {"tau", "τ"},   {"phi", "φ"},   {"chi", "χ"},   {"psi", "ψ"},
     {"omega", "ω"}, {"Gamma", "Γ"}, {"Delta", "Δ"}, {"Theta", "Θ"}, {"Lambda", "Λ"},
     {"Xi", "Ξ"},    {"Sigma", "Σ"}, {"Phi", "Φ"},   {"Psi", "Ψ"},   {"Omega", "Ω"},
     {"Pi", "Π"}}};

}  // namespace

std::string_view greek_letter(std::string_view name) {
  const auto* const found =
      std::ranges::find(greek_letters, name, &std::pair<std::string_view, std::string_view>::first);
  return found == greek_letters.end() ? std::string_view() : found->second;
}

}  // namespace dalembert
