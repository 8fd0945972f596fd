#include "tableau_pair.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"

namespace dalembert {
namespace {

/// Coefficients have some 100 bits.
bool are_close(Constant x, Constant y) { return std::fabs((x - y).high) < 1e-24; }

bool are_same(const Tableau::Coefficients& x, const Tableau::Coefficients& y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j)
      if (!are_close(x[i][j], y[i][j])) return false;
  return true;
}

/// The rows of a second tableau: as many as the first has, with its nodes.
Tableau::Coefficients second_rows_of(const std::string& text, const LobattoTableaux& first) {
  const Tableau other = tableau_of_rows(text);
  if (other.stages() != first.b.size())
    throw RequestError("has " + std::to_string(other.stages()) +
                       " rows in its second tableau and " + std::to_string(first.b.size()) +
                       " stages; give as many");
  for (std::size_t i = 0; i < other.stages(); ++i)
    if (!are_close(other.c[i], first.c[i]))
      throw RequestError("has a second tableau whose row " + std::to_string(i + 1) +
                         " does not sum to the node of that stage, " + to_string(first.c[i].high));
  return other.a;
}

/// A tableau by its nodes or its rows.
Tableau own_tableau(const AskedTableaux& asked) {
  if (asked.nodes.empty()) return tableau_of_rows(asked.rows);
  const std::vector<Constant> places = tableau_numbers(asked.nodes);
  if (places.front() != Constant{0.0} || places.back() != Constant{1.0})
    throw RequestError(
        "needs nodes from 0 to 1: the first stage is the old node (H1), the last the new one (H3)");
  return collocation_tableau(places);
}

TableauPair::Kind kind_of(const LobattoTableaux& pair) {
  if (are_same(pair.a_hat, pair.a)) return TableauPair::Kind::same;
  const bool has_conjugate = std::ranges::none_of(pair.b, [](Constant b) { return b.high == 0.0; });
  if (has_conjugate && are_same(pair.a_hat, conjugate_tableau(pair.a, pair.b)))
    return TableauPair::Kind::conjugate;
  return TableauPair::Kind::other;
}

}  // namespace

TableauProperties TableauPair::properties() const {
  return tableau_properties({tableaux.a, tableaux.b, tableaux.c}, tableaux.a_hat);
}

TableauOrders TableauPair::orders() const {
  if (kind != Kind::other) return predicted_orders(properties(), kind == Kind::conjugate);
  const TableauProperties second =
      tableau_properties({tableaux.a_hat, tableaux.b, tableaux.c}, tableaux.a);
  return least_orders(properties(), second.stage);
}

TableauPair tableau_pair(const AskedTableaux& asked) {
  TableauPair pair;
  LobattoTableaux& found = pair.tableaux;
  const bool is_own = !asked.nodes.empty() || !asked.rows.empty();
  if (is_own) {
    const Tableau own = own_tableau(asked);
    found = {own.b, own.c, own.a, {}, {}};
  } else {
    found = lobatto_tableaux(asked.stages);
  }
  if (!asked.second_rows.empty()) {
    found.a_hat = second_rows_of(asked.second_rows, found);
    pair.kind = kind_of(found);
  } else if (asked.is_same) {
    found.a_hat = found.a;
    pair.kind = TableauPair::Kind::same;
  } else if (is_own) {
    found.a_hat = conjugate_tableau(found.a, found.b);
    for (std::vector<Constant>& row : found.a_hat) row.back() = Constant{0.0};  // by H3
  }
  return pair;
}

std::optional<std::string> wrong_tableau(const TableauProperties& properties) {
  if (!properties.starts_at_node)
    return "needs a tableau whose first row is zero (H1): the first stage is the old node";
  if (!properties.ends_at_node || properties.quadrature < 1)
    return "needs a tableau whose last row holds weights with the sum 1 (H3): the last stage is "
           "the new node";
  if (!properties.is_regular)
    return "needs a tableau that is regular without its first row and column (H2): it is solved "
           "for the multipliers";
  return std::nullopt;
}

}  // namespace dalembert
