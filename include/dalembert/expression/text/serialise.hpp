#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dalembert/expression/table/table.hpp"
#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// Writes values, nodes and expressions as words of a text that reads back to the same bits. The
/// text ends with a checksum, so that damage is found.
class SerialWriter {
 public:
  /// `kind` says what the text holds: the reader asks for it.
  explicit SerialWriter(std::string_view kind);

  void word(std::string_view word);  ///< writes a word without blanks and ends of lines
  void whole(std::uint64_t value);   ///< writes decimal digits
  /// Writes all bits of a double.
  void number(double value);
  /// Writes any characters, after their number.
  void text(std::string_view text);
  /// Writes these nodes of a graph, ascending, with all their operands among them. Expressions
  /// written from now on refer to them.
  void nodes(const Graph& graph, const std::vector<NodeId>& ids);
  /// Writes a constant, or one of the nodes; RequestError for another node.
  void expression(const Expr& expression);
  /// Writes the number of expressions, then each.
  void expressions(const Vector& expressions);

  /// The whole text.
  std::string finish();

 private:
  void node(const Graph& graph, NodeId id);

  std::string text_;
  std::vector<NodeId> ids_;
  std::vector<TablePointer> tables_;  // those written
};

/// Reads what a SerialWriter has written. Every function throws RequestError where the text is
/// damaged or something else: each number, index and operation is checked, so that no text does
/// harm.
class SerialReader {
 public:
  /// The text must outlive the reader.
  SerialReader(std::string_view text, std::string_view kind);

  /// Reads a word, which is valid as long as the text.
  std::string_view word();
  /// Reads a whole number up to `largest`.
  std::uint64_t whole(std::uint64_t largest);
  /// Reads a double with all its bits.
  double number();
  /// Reads characters that `SerialWriter::text` has written.
  std::string text();
  bool flag() { return whole(1) == 1; }  ///< reads 0 or 1
  /// Reads the number of entries that follow, each of at least two characters.
  std::size_t count();
  /// Reads the nodes, in the same order, without simplifying them anew. The graph may hold symbols:
  /// then these must be the first nodes.
  void nodes(GraphPointer graph);
  /// Reads a constant, or one of the nodes read before.
  Expr expression();
  /// Reads expressions, with their number before them.
  Vector expressions();
  bool is_at_end() const { return position_ == text_.size(); }  ///< true if nothing is left
  /// Checks that nothing is left.
  void finish() const;

  /// Throws RequestError: the text is not of its kind, for the reason `what`.
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  NodeId operand(bool is_solve = false);
  NodeId node();
  NodeId symbol();
  NodeId constant();
  NodeId solve();
  NodeId table();
  NodeId unary(Operation operation);
  NodeId binary(Operation operation);
  void note_chain(NodeId made);

  std::string_view text_, kind_;
  std::size_t position_ = 0;
  GraphPointer graph_;
  std::vector<NodeId> ids_;
  std::vector<TablePointer> tables_;
  std::vector<std::uint32_t> chain_;  // of nested signs and coefficients, by node
};

/// Expressions as text: nodes, operands, constants with all their bits, symbols with names and
/// facts. What a printed formula loses, the order of terms, is kept. RequestError for expressions
/// of two graphs.
std::string serialise(const Vector& expressions);
/// Expressions read from text, in a new graph of their own, with the same nodes in the same order.
/// RequestError where the text is damaged or no such text.
Vector deserialise(std::string_view text);

}  // namespace dalembert
