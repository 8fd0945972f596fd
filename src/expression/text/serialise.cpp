#include "dalembert/expression/text/serialise.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <numeric>
#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/expression/query.hpp"
#include "expression/table/serialised_table.hpp"

namespace dalembert {
namespace {

constexpr std::string_view title = "dalembert";
constexpr int version = 1;
constexpr NodeId largest_order = 100;          // of sinc, sinhc, sinc_root
constexpr std::uint32_t longest_chain = 5000;  // of signs and coefficients, which nest when used
constexpr std::size_t checksum_digits = 16;

constexpr std::pair<Operation, std::string_view> operation_names[] = {
    {Operation::constant, "constant"},
    {Operation::symbol, "symbol"},
    {Operation::negate, "negate"},
    {Operation::add, "add"},
    {Operation::subtract, "subtract"},
    {Operation::multiply, "multiply"},
    {Operation::divide, "divide"},
    {Operation::power, "power"},
    {Operation::atan2, "atan2"},
    {Operation::where_nonnegative, "where_nonnegative"},
    {Operation::where_negative, "where_negative"},
#define DALEMBERT_ROW(name, ...) {Operation::name, #name},
    DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
        {Operation::sinc, "sinc"},
    {Operation::sinhc, "sinhc"},
    {Operation::sinc_root, "sinc_root"},
    {Operation::solve, "solve"},
    {Operation::component, "component"},
    {Operation::table, "table"}};
constexpr std::string_view function_word = "function";

std::string_view name_of(Operation operation) {
  for (const auto& [known, name] : operation_names) {
    if (known == operation) return name;
  }
  return function_word;
}

Operation operation_of(std::string_view word, const SerialReader& reader) {
  if (word == function_word) return Operation::function;
  for (const auto& [operation, name] : operation_names) {
    if (name == word) return operation;
  }
  reader.refuse("there is no operation \"" + std::string(word.substr(0, 40)) + "\"");
}

std::string hexadecimal(std::uint64_t value) {
  std::string digits(checksum_digits, '0');
  for (std::size_t i = checksum_digits; i-- > 0; value >>= 4)
    digits[i] = "0123456789abcdef"[value & 15];
  return digits;
}

/// FNV-1a: finds damage, not malice.
std::uint64_t checksum(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace

SerialWriter::SerialWriter(std::string_view kind) {
  word(title);
  word(kind);
  whole(version);
}

void SerialWriter::word(std::string_view word) {
  text_ += word;
  text_ += ' ';
}

void SerialWriter::whole(std::uint64_t value) { word(std::to_string(value)); }

void SerialWriter::number(double value) { word(hexadecimal(std::bit_cast<std::uint64_t>(value))); }

void SerialWriter::text(std::string_view text) {
  whole(text.size());
  word(text);
}

void SerialWriter::nodes(const Graph& graph, const std::vector<NodeId>& ids) {
  ids_ = ids;
  whole(ids.size());
  for (const NodeId id : ids) {
    text_.back() = '\n';
    node(graph, id);
  }
  text_.back() = '\n';
}

void SerialWriter::node(const Graph& graph, NodeId id) {
  const Node& written = graph.node(id);
  word(name_of(written.operation));
  const auto refer = [this](NodeId to) {
    whole(
        static_cast<std::uint64_t>(std::lower_bound(ids_.begin(), ids_.end(), to) - ids_.begin()));
  };
  switch (written.operation) {
    case Operation::constant:
      number(graph.constant_value(id).high);
      number(graph.constant_value(id).low);
      return;
    case Operation::symbol:
      for (const bool fact : {written.facts.nonzero, written.facts.nonnegative,
                              written.facts.nonpositive, written.steady})
        whole(fact);
      text(graph.name(id));
      return;
    case Operation::solve:
      whole(written.b);
      for (const NodeId operand : graph.solve_operands(id)) refer(operand);
      return;
    case Operation::function:
      refer(written.a);
      text(graph.name(id));
      return;
    case Operation::table: {  // written once, then called by its number
      refer(written.a);
      whole(static_cast<std::uint64_t>(Graph::derivative_of(written)));
      const auto known = std::ranges::find(tables_, graph.table(id));
      whole(static_cast<std::uint64_t>(known - tables_.begin()));
      if (known == tables_.end()) write_table(*tables_.emplace_back(graph.table(id)), *this);
      return;
    }
    case Operation::sinc:
    case Operation::sinhc:
    case Operation::sinc_root:
    case Operation::component:
      refer(written.a);
      whole(written.b);
      return;
    default: {
      std::vector<NodeId> operands;
      graph.operands(id, operands);
      for (const NodeId operand : operands) refer(operand);
    }
  }
}

void SerialWriter::expression(const Expr& expression) {
  if (expression.is_constant()) {
    word("value");
    number(expression.constant().high);
    number(expression.constant().low);
    return;
  }
  const auto found = std::lower_bound(ids_.begin(), ids_.end(), expression.id());
  if (found == ids_.end() || *found != expression.id())
    throw RequestError("an expression to be written is none of the nodes written before");
  word("node");
  whole(static_cast<std::uint64_t>(found - ids_.begin()));
}

void SerialWriter::expressions(const Vector& expressions) {
  whole(expressions.size());
  for (const Expr& entry : expressions) expression(entry);
}

std::string SerialWriter::finish() { return text_ + hexadecimal(checksum(text_)) + "\n"; }

SerialReader::SerialReader(std::string_view text, std::string_view kind)
    : text_(text), kind_(kind) {
  constexpr std::size_t tail = checksum_digits + 1;
  const std::string_view head = std::string(title).size() < text.size() ? text : std::string_view();
  if (head.substr(0, title.size()) != title) refuse("it does not begin as such a text does");
  if (text.size() < tail || text.back() != '\n') refuse("its end is missing");
  text_ = text.substr(0, text.size() - tail);
  if (text.substr(text_.size(), checksum_digits) != hexadecimal(checksum(text_)))
    refuse("it has been changed or cut: its checksum is another");
  word();
  if (const std::string_view found = word(); found != kind)
    refuse("it holds " + std::string(found.substr(0, 40)));
  if (whole(std::numeric_limits<int>::max()) != version)
    refuse("it was written by another version of dalembert");
}

void SerialReader::refuse(const std::string& what) const {
  throw RequestError("the text is no " + std::string(kind_) + " written by dalembert: " + what);
}

std::string_view SerialReader::word() {
  const std::size_t begin = position_, end = text_.find_first_of(" \n", begin);
  if (begin >= text_.size() || end == std::string_view::npos) refuse("its end is missing");
  position_ = end + 1;
  return text_.substr(begin, end - begin);
}

std::uint64_t SerialReader::whole(std::uint64_t largest) {
  const std::string_view digits = word();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value > largest) {
    refuse("\"" + std::string(digits.substr(0, 40)) + "\" is no whole number up to " +
           std::to_string(largest));
  }
  return value;
}

double SerialReader::number() {
  const std::string_view digits = word();
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  if (error != std::errc() || end != digits.data() + digits.size())
    refuse("\"" + std::string(digits.substr(0, 40)) + "\" is no number");
  return std::bit_cast<double>(bits);
}

std::string SerialReader::text() {
  const auto size = static_cast<std::size_t>(whole(text_.size()));
  if (size >= text_.size() - position_) refuse("its end is missing");
  std::string result(text_.substr(position_, size));
  position_ += size + 1;
  return result;
}

std::size_t SerialReader::count() {
  return static_cast<std::size_t>(whole((text_.size() - position_) / 2));
}

void SerialReader::finish() const {
  if (position_ != text_.size()) refuse("there is something after its end");
}

void SerialReader::nodes(GraphPointer graph) {
  graph_ = std::move(graph);
  const std::size_t given = graph_->size(), total = count();
  if (total < given) refuse("symbols are missing");
  ids_.clear();
  for (std::size_t i = 0; i < total; ++i) {
    if (i < given) {
      const Node& known = graph_->node(static_cast<NodeId>(i));
      const bool is_symbol = word() == name_of(Operation::symbol);
      const SignFacts facts{flag(), flag(), flag()};
      const bool steady = flag();
      if (!is_symbol || known.operation != Operation::symbol ||
          facts.nonzero != known.facts.nonzero || facts.nonnegative != known.facts.nonnegative ||
          facts.nonpositive != known.facts.nonpositive || steady != known.steady ||
          text() != graph_->name(static_cast<NodeId>(i)))
        refuse("its symbols are others than its names");
      ids_.push_back(static_cast<NodeId>(i));
    } else {
      ids_.push_back(node());
      if (ids_.back() != i) refuse("a node stands there twice");
    }
    note_chain(ids_.back());
  }
}

/// Signs and coefficients are taken off one by one when an expression is used, so that a long chain
/// of them would exhaust the stack.
void SerialReader::note_chain(NodeId made) {
  const Node& node = graph_->node(made);
  std::uint32_t chain = 0;
  if (node.operation == Operation::negate) chain = 1 + chain_[node.a];
  if (node.operation == Operation::multiply && graph_->node(node.a).steady)
    chain = 1 + std::max(chain_[node.a], chain_[node.b]);
  if (chain > longest_chain) refuse("too many signs and coefficients are nested");
  chain_.resize(std::size_t{made} + 1);
  chain_[made] = chain;
}

NodeId SerialReader::operand(bool is_solve) {
  if (ids_.empty()) refuse("a node has operands that do not stand before it");
  const NodeId id = ids_[static_cast<std::size_t>(whole(ids_.size() - 1))];
  if ((graph_->node(id).operation == Operation::solve) != is_solve)
    refuse("a solution is used where a number is needed, or the other way round");
  return id;
}

NodeId SerialReader::node() {
  const Operation operation = operation_of(word(), *this);
  switch (operation) {
    case Operation::constant:
      return constant();
    case Operation::symbol:
      return symbol();
    case Operation::solve:
      return solve();
    case Operation::component: {
      const NodeId solution = operand(true);
      return graph_->component(solution, static_cast<NodeId>(whole(graph_->node(solution).b - 1)));
    }
    case Operation::function: {
      const NodeId argument = operand();
      return graph_->function(text(), argument);
    }
    case Operation::table:
      return table();
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::power:
    case Operation::atan2:
    case Operation::where_nonnegative:
    case Operation::where_negative:
      return binary(operation);
    default:
      return unary(operation);
  }
}

NodeId SerialReader::symbol() {
  const SignFacts facts{flag(), flag(), flag()};
  const bool steady = flag();
  return graph_->symbol(text(), facts, steady);
}

NodeId SerialReader::constant() {
  const double high = number(), low = number();
  return graph_->constant({high, low});
}

NodeId SerialReader::table() {
  const NodeId argument = operand();
  const std::uint64_t derivative = whole(3), index = whole(tables_.size());
  if (graph_->node(argument).operation == Operation::constant)
    refuse("an operation stands there that would have been carried out");
  if (index == tables_.size()) tables_.push_back(read_table(*this));
  return graph_->look_up(tables_[index], argument, static_cast<int>(derivative));
}

NodeId SerialReader::unary(Operation operation) {
  const NodeId a = operand();
  const auto order = static_cast<NodeId>(has_order(operation) ? whole(largest_order) : 0);
  const Operation inner = graph_->node(a).operation;
  if (inner == Operation::constant || (operation == Operation::negate && inner == operation))
    refuse("an operation stands there that would have been carried out");
  return graph_->unary(operation, a, order);
}

NodeId SerialReader::binary(Operation operation) {
  const NodeId a = operand(), b = operand();
  if (graph_->node(a).operation == Operation::constant &&
      graph_->node(b).operation == Operation::constant)
    refuse("an operation stands there that would have been carried out");
  return graph_->binary(operation, a, b);
}

NodeId SerialReader::solve() {
  const std::uint64_t size = whole(text_.size());
  if (size < 1 || size > (text_.size() - position_) / (2 * (size + 1)))
    refuse("a linear system is larger than the text");
  std::vector<NodeId> operands;
  for (std::uint64_t i = 0; i < size * (size + 1); ++i) operands.push_back(operand());
  return graph_->solve(operands, static_cast<NodeId>(size));
}

Expr SerialReader::expression() {
  const std::string_view kind = word();
  if (kind == "node") return {graph_, operand()};
  if (kind != "value") refuse("an expression is neither a value nor a node");
  const double high = number(), low = number();
  return Constant{high, low};
}

Vector SerialReader::expressions() {
  Vector result(count());
  for (Expr& entry : result) entry = expression();
  return result;
}

std::string serialise(const Vector& expressions) {
  SerialWriter writer("expressions");
  GraphPointer graph = common_graph({expressions});
  if (graph == nullptr) graph = std::make_shared<Graph>();
  std::vector<NodeId> roots;
  for (const Expr& expression : expressions) {
    if (!expression.is_constant()) roots.push_back(expression.id());
  }
  writer.nodes(*graph, reachable(*graph, roots));
  writer.expressions(expressions);
  return writer.finish();
}

Vector deserialise(std::string_view text) {
  SerialReader reader(text, "expressions");
  reader.nodes(std::make_shared<Graph>());
  Vector result = reader.expressions();
  reader.finish();
  return result;
}

}  // namespace dalembert
