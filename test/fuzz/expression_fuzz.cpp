// Texts of the grammar have the value that an evaluator of their own gives, written here from the
// grammar, in long double and with a bound of the round-off; any other text is refused or read, and
// nothing else.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/tape/compiled_function.hpp"
#include "fuzz.hpp"

namespace {

using namespace dalembert;

constexpr double x_value = 0.7, y_value = 1.3, z_value = -0.6;
constexpr long double unit = std::numeric_limits<double>::epsilon();
constexpr long double unknown_error = std::numeric_limits<long double>::infinity();

/// A value and a bound of what arithmetic in double may add to it.
struct Bounded {
  long double value = 0.0L, error = 0.0L;
};

Bounded rounded(long double value, long double error) {
  // What overflows in double may come back finite, as the zero of 1 / infinity.
  if (!(std::fabs(value) < 1e300L)) return {value, unknown_error};
  // Below the normal numbers round-off is absolute.
  return {value, error + 8.0L * unit * std::fabs(value) + 0x1p-1020L};
}

template <class Function>
Bounded moved(const Bounded& a, const Bounded& b, Function f) {
  const long double value = f(a.value, b.value);
  long double spread = 0.0L;
  for (const long double s : {-1.0L, 1.0L}) {
    for (const long double t : {-1.0L, 1.0L}) {
      const long double change = std::fabs(f(a.value + s * a.error, b.value + t * b.error) - value);
      spread = std::isfinite(change) ? std::max(spread, change) : unknown_error;
      if (spread == unknown_error) return {value, unknown_error};
    }
  }
  return rounded(value, 4.0L * spread);
}

/// Thrown by the evaluator at what it does not know.
struct NotUnderstood {};

class Evaluator {
 public:
  explicit Evaluator(const std::string& text) : text_(text) {}
  Bounded whole() {
    const Bounded result = sum();
    if (peek() != '\0') throw NotUnderstood();
    return result;
  }

 private:
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void want(char c) {
    if (!take(c)) throw NotUnderstood();
  }

  Bounded sum() {
    if (++depth_ > 100) throw NotUnderstood();
    Bounded a = product();
    for (;;) {
      const bool plus = take('+');
      if (!plus && !take('-')) break;
      const Bounded b = product();
      const long double size = std::fabs(a.value) + std::fabs(b.value);
      a = rounded(plus ? a.value + b.value : a.value - b.value,
                  a.error + b.error + 8.0L * unit * size);
    }
    --depth_;
    return a;
  }

  Bounded product() {
    Bounded a = factor();
    for (;;) {
      if (take('*')) {
        const Bounded b = factor();
        a = moved(a, b, [](long double p, long double q) { return p * q; });
      } else if (take('/')) {
        const Bounded b = factor();
        if (!(std::fabs(b.value) > 4.0L * b.error)) throw NotUnderstood();
        a = moved(a, b, [](long double p, long double q) { return p / q; });
      } else {
        return a;
      }
    }
  }

  Bounded factor() {
    bool negative = false;
    for (;;) {
      if (take('-')) {
        negative = !negative;
      } else if (!take('+')) {
        break;
      }
    }
    Bounded a = primary();
    if (take('^')) {
      if (++depth_ > 100) throw NotUnderstood();
      const Bounded b = factor();
      --depth_;
      if (!(std::fabs(a.value) > 4.0L * a.error)) throw NotUnderstood();
      const bool whole = b.value == std::floor(b.value) && std::fabs(b.value) < 64.0L;
      if (a.value < 0.0L && !whole) throw NotUnderstood();
      const Bounded exponent{b.value, whole ? 0.0L : b.error};
      a = moved(a, exponent, [](long double p, long double q) { return std::pow(p, q); });
      a.error += 64.0L * unit * (1.0L + std::fabs(b.value)) * std::fabs(a.value);
    }
    if (negative) a.value = -a.value;
    return a;
  }

  Bounded primary() {
    if (take('(')) {
      const Bounded inside = sum();
      want(')');
      return inside;
    }
    const char c = peek();
    if (c >= '0' && c <= '9') return number();
    std::string name;
    while (at_ < text_.size() && text_[at_] >= 'a' && text_[at_] <= 'z') name += text_[at_++];
    if (at_ < text_.size() && text_[at_] == '(') return call(name);
    if (name == "x") return {x_value, 0.0L};
    if (name == "y") return {y_value, 0.0L};
    if (name == "z") return {z_value, 0.0L};
    if (name == "pi") return rounded(3.14159265358979323846264338327950288L, 0.0L);
    throw NotUnderstood();
  }

  Bounded number() {
    std::size_t end = at_;
    while (end < text_.size() && (std::isdigit(text_[end]) != 0 || text_[end] == '.')) ++end;
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E' || text_[end] == 'x'))
      throw NotUnderstood();
    const std::string digits = text_.substr(at_, end - at_);
    if (digits.size() > 15 || std::count(digits.begin(), digits.end(), '.') > 1)
      throw NotUnderstood();
    at_ = end;
    return {static_cast<long double>(std::stod(digits)), 0.0L};
  }

  Bounded call(const std::string& name) {
    want('(');
    const Bounded a = sum();
    want(')');
    const auto of = [&](auto f) {
      return moved(a, {}, [f](long double p, long double) { return f(p); });
    };
    if (name == "sin") return of([](long double p) { return std::sin(p); });
    if (name == "cos") return of([](long double p) { return std::cos(p); });
    if (name == "atan") return of([](long double p) { return std::atan(p); });
    if (name == "tanh") return of([](long double p) { return std::tanh(p); });
    if (name == "exp") return of([](long double p) { return std::exp(p); });
    if (name == "abs") return of([](long double p) { return std::fabs(p); });
    if (!(a.value > 4.0L * a.error)) throw NotUnderstood();
    if (name == "log") return of([](long double p) { return std::log(p); });
    if (name == "sqrt") return of([](long double p) { return std::sqrt(p); });
    throw NotUnderstood();
  }

  const std::string& text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

std::string generated(fuzz::Bytes& input, int depth) {
  static const char* leaves[] = {"x", "y", "z", "pi", "2", "0.5", "3", "1", "0", "7.25"};
  static const char* functions[] = {"sin", "cos", "atan", "tanh", "exp", "abs", "log", "sqrt"};
  if (depth <= 0 || input.empty()) return leaves[input.next() % std::size(leaves)];
  const unsigned kind = input.next() % 10;
  if (kind == 0) return leaves[input.next() % std::size(leaves)];
  std::string left = generated(input, depth - 1);
  if (kind == 1) return "-" + left;
  if (kind == 2) return "(" + left + ")";
  if (kind <= 4) return functions[input.next() % std::size(functions)] + ("(" + left + ")");
  static const char* operators[] = {"+", "-", "*", "/", "^"};
  left += operators[kind - 5];
  return left + generated(input, depth - 1);
}

void compare(const std::string& text, const Expr& parsed, const Vector& symbols) {
  Bounded expected;
  try {
    expected = Evaluator(text).whole();
  } catch (const NotUnderstood&) {
    return;
  }
  const long double size = std::fabs(expected.value);
  // The bound moves operands by their errors: it holds where these are small and nothing overflows.
  if (!(size < 1e200L) || !(expected.error < 1e-6L * (1.0L + size))) return;
  CompiledFunction compiled(symbols, {parsed});
  const std::vector<double> at{x_value, y_value, z_value};
  const double value = compiled(at)[0];
  // Overflow on the way is the arithmetic's; rewritten sums and products round elsewhere.
  if (!std::isfinite(value)) return;
  if (!(std::fabs(value - expected.value) <= 1000.0L * expected.error))
    fuzz::fail(text + " is " + std::to_string(value) + ", not " + std::to_string(expected.value));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes input(data, size);
  std::string text;
  if (input.next() % 4 != 0) {
    text = generated(input, 7);
  } else {
    while (!input.empty()) text += static_cast<char>(input.next());
  }
  const GraphPointer graph = std::make_shared<Graph>();
  Scope scope;
  Vector symbols;
  for (const char* name : {"x", "y", "z"}) {
    symbols.push_back(make_symbol(graph, name));
    scope.names.emplace(name, symbols.back());
  }
  scope.arrays = {{"w", symbols}};
  try {
    compare(text, parse(text, scope), symbols);
  } catch (const RequestError&) {
    return -1;
  }
  return 0;
}
