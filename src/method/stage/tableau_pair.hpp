#pragma once
// The two tableaux of a Lobatto method as they are asked for. Only for the sources of this room.

#include <optional>
#include <string>

#include "dalembert/method/stage/lobatto_tableaux.hpp"
#include "dalembert/method/stage/tableau.hpp"

namespace dalembert {

/// A tableau for positions with a second one, of the same weights, for forces.
struct TableauPair {
  enum class Kind { conjugate, same, other };
  LobattoTableaux tableaux;
  Kind kind = Kind::conjugate;  ///< what the second is to the first, however it was given

  TableauProperties properties() const;
  /// Predicted for the first two kinds, at least so high for others.
  TableauOrders orders() const;
};

/// What is asked for, as texts; empty ones are not.
struct AskedTableaux {
  int stages;  ///< of Lobatto's own
  std::string nodes, rows;
  bool is_same;             ///< the second as the first, else its conjugate …
  std::string second_rows;  ///< … or instead
};
/// RequestError, in words that begin with a verb.
TableauPair tableau_pair(const AskedTableaux& asked);

/// What keeps a tableau from being one of a Lobatto method; nothing if it is.
std::optional<std::string> wrong_tableau(const TableauProperties& properties);

}  // namespace dalembert
