#include "notation.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "conditions.hpp"
#include "constant_form.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/table/table.hpp"
#include "terms_and_factors.hpp"

namespace dalembert {
namespace {

/// One side of a fraction: a whole number, and factors with their places in a product.
struct FractionSide {
  std::int64_t number = 1;
  std::vector<std::pair<int, Written>> factors = {};
};

/// Writes products: a coefficient, then matrices, then names, then what is longer, functions
/// without brackets last.
class ProductWriter {
 public:
  explicit ProductWriter(const Notation& notation) : notation_(notation) {}

  void flip() { negative_ = !negative_; }
  void multiply(const Written& factor, bool is_steady, long exponent) {
    add(over_, factor, is_steady, exponent);
  }
  void divide_by(const Written& factor, bool is_steady, long exponent) {
    add(under_, factor, is_steady, exponent);
  }
  void multiply(const Constant& value, long exponent) { add(over_, under_, value, exponent); }
  void divide_by(const Constant& value, long exponent) { add(under_, over_, value, exponent); }

  Written result() {
    const std::int64_t common = std::gcd(over_.number, under_.number);
    if (common > 1) over_.number /= common, under_.number /= common;
    Written written = quotient();
    written.negative = negative_;
    return written;
  }

 private:
  enum Place { numbers, steady_names, matrices, names, others, sums, open_functions };

  static Place place_of(const Written& factor, bool is_steady) {
    if (factor.is_number) return numbers;
    if (factor.is_open) return open_functions;
    if (factor.is_opaque) return matrices;
    if (factor.is_symbol) return is_steady ? steady_names : names;
    return factor.negative || factor.binding == Binding::sum ? sums : others;
  }
  void add(FractionSide& side, const Written& factor, bool is_steady, long exponent) const {
    side.factors.emplace_back(
        place_of(factor, is_steady),
        exponent == 1 ? factor
                      : notation_.power(factor, notation_.number(std::to_string(exponent))));
  }
  void add(FractionSide& side, FractionSide& other, const Constant& value, long exponent) {
    const ConstantForm form = form_of_constant(value);
    for (long i = 0; i < exponent; ++i) {
      if (form.negative) flip();
      if (!form.decimals.empty()) {
        add(side, notation_.number(form.decimals), true, 1);
        continue;
      }
      multiply_number(side, form.over);
      multiply_number(other, form.under);
      if (form.has_pi) add(side, notation_.pi(), true, 1);
    }
  }
  /// A product that would be out of range stays one of two numbers.
  void multiply_number(FractionSide& side, std::int64_t factor) {
    constexpr std::int64_t most = 1'000'000'000'000'000;
    if (factor == 0 || side.number <= most / factor) {
      side.number *= factor;
    } else {
      add(side, notation_.number(std::to_string(factor)), true, 1);
    }
  }
  Written quotient() {
    if (under_.factors.empty() && under_.number > 1) {
      if (over_.factors.empty()) return notation_.quotient(over_.number, under_.number);
      Written coefficient = notation_.quotient(over_.number, under_.number);
      over_.number = 1;
      over_.factors.emplace_back(numbers, std::move(coefficient));
      return product(over_);
    }
    if (under_.factors.empty()) return product(over_);
    return notation_.fraction(product(over_), product(under_));
  }
  Written product(FractionSide& side) const {
    if (side.number != 1 || side.factors.empty())
      side.factors.emplace(side.factors.begin(), numbers,
                           notation_.number(std::to_string(side.number)));
    std::ranges::stable_sort(side.factors, {}, &std::pair<int, Written>::first);
    if (side.factors.size() == 1) return side.factors.front().second;
    std::vector<Written> factors;
    for (auto& [place, factor] : side.factors) {
      if (factor.negative || factor.binding == Binding::sum)
        factor = {notation_.enclosed(notation_.with_sign(factor))};
      factors.push_back(std::move(factor));
    }
    return notation_.product(factors);
  }

  const Notation& notation_;
  bool negative_ = false;
  FractionSide over_, under_;
};

/// Writes what a root needs, operands before users. Nodes whose users take them apart are not
/// written themselves.
constexpr std::size_t most_characters = 1'000'000;

class FormulaWriter {
 public:
  FormulaWriter(const Graph& graph, const Notation& notation)
      : graph_(graph), notation_(notation) {}

  Written written(NodeId root) {
    const std::vector<NodeId> all = reachable(graph_, {root});
    std::unordered_set<NodeId> needed{root};
    for (auto id = all.rbegin(); id != all.rend(); ++id) {
      if (!needed.contains(*id)) continue;
      const std::vector<NodeId> parts = parts_of(*id);
      needed.insert(parts.begin(), parts.end());
    }
    for (const NodeId id : all) {
      if (!needed.contains(id)) continue;
      const Written& made = written_.emplace(id, write(id)).first->second;
      // A text that repeats what is shared may be as long as 2^nodes.
      if (made.text.size() > most_characters)
        throw RequestError(
            "an expression takes more than a million characters to write; name its parts");
    }
    return at(root);
  }

 private:
  const Written& at(NodeId id) const { return written_.at(id); }

  std::vector<NodeId> parts_of(NodeId id) const {
    std::vector<NodeId> parts;
    if (const std::optional<Pieces> pieces = read_pieces(graph_, id)) return pieces->parts();
    if (is_written_as_sum(graph_, id)) {
      for (const auto& [term, negative] : sum_terms(graph_, id)) parts.push_back(term);
    } else if (is_written_as_product(graph_, id)) {
      const ProductFactors factors = product_factors(graph_, id);
      for (const auto& side : {factors.over, factors.under})
        for (const auto& [factor, exponent] : side) parts.push_back(factor);
      std::erase(parts, id);  // a constant
    } else {
      graph_.operands(id, parts);
    }
    return parts;
  }
  Written write(NodeId id) const {
    if (const std::optional<Pieces> pieces = read_pieces(graph_, id)) return pieces_of(*pieces);
    if (is_written_as_sum(graph_, id)) return sum_of(id);
    if (is_written_as_product(graph_, id)) return product_of(id);
    const Node& node = graph_.node(id);
    switch (node.operation) {
      case Operation::symbol:
        return notation_.symbol(graph_.name(id));
      case Operation::power:
        return notation_.power(at(node.a), at(node.b));
      case Operation::atan2:
        return notation_.atan2(at(node.a), at(node.b));
      case Operation::sinc:
      case Operation::sinhc:
        return notation_.quotient_function(node.operation, static_cast<int>(node.b), at(node.a));
      case Operation::sinc_root:
        return notation_.quotient_function(node.operation, static_cast<int>(node.b) - 1,
                                           at(node.a));
      case Operation::solve:
        return solution_of(id, node.b);
      case Operation::component:
        return notation_.entry(at(node.a), node.b);
      case Operation::table:
        return notation_.named_function(graph_.table(id)->name(Graph::derivative_of(node)),
                                        at(node.a));
      case Operation::function:
        return opaque_function_of(graph_.name(id), at(node.a));
      default:
        return notation_.function(node.operation, at(node.a));
    }
  }
  /// Before what it multiplies, as a matrix; transposed where its name ends so.
  Written opaque_function_of(std::string_view name, const Written& argument) const {
    const std::string_view matrix = name.substr(0, name.find(transposed_ending));
    Written written = notation_.named_function(matrix, argument);
    if (matrix != name) written = notation_.transposed(written);
    written.is_opaque = true;
    return written;
  }
  Written sum_of(NodeId id) const {
    std::vector<SignedTerm> terms;
    for (const auto& [term, subtracted] : sum_terms(graph_, id)) {
      const Written& part = at(term);
      const bool needs_brackets = part.binding == Binding::sum;
      terms.push_back({subtracted != part.negative,
                       needs_brackets ? notation_.enclosed(part.text) : part.text});
    }
    return {notation_.sum(terms), Binding::sum};
  }
  Written product_of(NodeId id) const {
    const ProductFactors factors = product_factors(graph_, id);
    ProductWriter product(notation_);
    if (factors.negative) product.flip();
    for (const auto& [factor, exponent] : factors.over) {
      const Node& node = graph_.node(factor);
      if (node.operation == Operation::constant) {
        product.multiply(graph_.constant_value(factor), exponent);
      } else {
        product.multiply(at(factor), node.steady, exponent);
      }
    }
    for (const auto& [factor, exponent] : factors.under) {
      const Node& node = graph_.node(factor);
      if (node.operation == Operation::constant) {
        product.divide_by(graph_.constant_value(factor), exponent);
      } else {
        product.divide_by(at(factor), node.steady, exponent);
      }
    }
    return product.result();
  }
  Written side(const std::optional<NodeId>& id) const {
    return id ? at(*id) : notation_.number("0");
  }
  std::string condition_of(const std::vector<ConditionStep>& steps) const {
    std::string text;
    // From the last one, to which each before it is linked.
    for (std::size_t i = steps.size(); i-- > 0;) {
      const Comparison& comparison = steps[i].comparison;
      const std::string own =
          notation_.comparison(side(comparison.left), side(comparison.right), comparison.negative);
      if (steps[i].link == ConditionLink::last) {
        text = own;
        continue;
      }
      const ConditionLink next = steps[i + 1].link;
      if (next != ConditionLink::last && next != steps[i].link) text = notation_.enclosed(text);
      text = steps[i].link == ConditionLink::both ? notation_.both(own, text)
                                                  : notation_.either(own, text);
    }
    return text;
  }
  /// Also a choice between the two numbers that its condition compares, as min(x, 0) makes it.
  static Pieces::Kind kind_of(const Pieces& pieces) {
    if (pieces.condition.size() != 1 || pieces.condition.front().comparison.negative)
      return pieces.kind;
    const auto& [left, right, negative] = pieces.condition.front().comparison;
    if (pieces.first == left && pieces.second == right) return Pieces::Kind::maximum;
    if (pieces.first == right && pieces.second == left) return Pieces::Kind::minimum;
    return pieces.kind;
  }
  Written pieces_of(const Pieces& pieces) const {
    const Written first = side(pieces.first), second = side(pieces.second);
    const auto kind = kind_of(pieces);
    if (kind == Pieces::Kind::maximum) return notation_.maximum(first, second);
    if (kind == Pieces::Kind::minimum) return notation_.minimum(first, second);
    std::vector<Case> cases{{notation_.with_sign(first), condition_of(pieces.condition)}};
    if (!second.cases.empty() && !second.negative) {
      cases.insert(cases.end(), second.cases.begin(), second.cases.end());
    } else {
      cases.push_back({notation_.with_sign(second), ""});
    }
    Written written = notation_.pieces(cases);
    written.cases = std::move(cases);
    return written;
  }
  Written solution_of(NodeId id, std::size_t size) const {
    const auto operands = graph_.solve_operands(id);
    std::vector<std::vector<Written>> rows(size + 1);
    for (std::size_t i = 0; i < operands.size(); ++i)
      rows[std::min(i / size, size)].push_back(at(operands[i]));
    return notation_.solution(rows);
  }

  const Graph& graph_;
  const Notation& notation_;
  std::unordered_map<NodeId, Written> written_;
};

}  // namespace

std::string Notation::with_sign(const Written& part) const {
  return part.negative ? negative(part.text) : part.text;
}

std::string Notation::at_least(Binding least, const Written& part) const {
  const Binding own = part.negative ? Binding::sum : part.binding;
  return own < least ? enclosed(with_sign(part)) : with_sign(part);
}

std::string write_formula(const Expr& expression, const Notation& notation) {
  if (!expression.is_constant())
    return notation.with_sign(
        FormulaWriter(*expression.graph(), notation).written(expression.id()));
  ProductWriter number(notation);
  number.multiply(expression.constant(), 1);
  return notation.with_sign(number.result());
}

}  // namespace dalembert
