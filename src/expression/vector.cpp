#include "dalembert/expression/vector.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include "dalembert/error.hpp"

namespace dalembert {
namespace {

const Vector& entries_of(const Vector& x) { return x; }
const Vector& entries_of(const Matrix& a) { return a.entries(); }

bool is_closed(const Vector& x) {
  return std::all_of(x.begin(), x.end(), [](const Expr& entry) {
    return entry.is_constant() || entry.graph()->is_frozen();
  });
}

/// Operates entry by entry. Operands of a frozen graph are brought into one new overlay first, so
/// that the entries of the result can be combined.
template <class X, class Y, class Operate>
auto together(const X& x, const Y& y, Operate operate) {
  if (!is_closed(entries_of(x)) || !is_closed(entries_of(y))) return operate(x, y);
  const GraphPointer graph = common_graph({entries_of(x), entries_of(y)});
  return operate(in_graph(x, graph), in_graph(y, graph));
}

std::string size_text(const Matrix& a) {
  return std::to_string(a.rows()) + " x " + std::to_string(a.columns());
}
std::string size_text(const Vector& x) {
  return std::to_string(x.size()) + (x.size() == 1 ? " entry" : " entries");
}

template <class X, class Y>
void require_fit(const char* operation, bool fit, const X& x, const Y& y) {
  if (fit) return;
  throw RequestError(std::string(operation) + ": the sizes do not fit: " + size_text(x) + " and " +
                     size_text(y));
}

}  // namespace

void require_size(const char* what, std::size_t found, std::size_t wanted) {
  if (found == wanted) return;
  throw RequestError(std::string(what) + " has " + std::to_string(found) +
                     (found == 1 ? " entry" : " entries") + " where " + std::to_string(wanted) +
                     (wanted == 1 ? " is" : " are") + " needed");
}

Vector in_graph(const Vector& x, const GraphPointer& graph) {
  Vector result;
  result.reserve(x.size());
  for (const Expr& entry : x) result.push_back(in_graph(entry, graph));
  return result;
}

Matrix in_graph(const Matrix& a, const GraphPointer& graph) {
  Matrix result = a;
  result.entries() = in_graph(a.entries(), graph);
  return result;
}

Matrix Matrix::identity(std::size_t size) {
  Matrix result(size, size);
  for (std::size_t i = 0; i < size; ++i) result(i, i) = 1.0;
  return result;
}

Vector Matrix::row(std::size_t index) const { return slice(entries_, index * columns_, columns_); }

Vector Matrix::column(std::size_t index) const {
  Vector result(rows_);
  for (std::size_t i = 0; i < rows_; ++i) result[i] = (*this)(i, index);
  return result;
}

namespace {

template <class Operate>
Vector entry_by_entry(const Vector& x, const Vector& y, Operate operate) {
  return together(x, y, [&](const Vector& a, const Vector& b) {
    Vector result(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) result[i] = operate(a[i], b[i]);
    return result;
  });
}

Expr sum_of_products(std::span<const Expr> x, const Vector& y) {
  Expr sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!x[i].is_constant(0.0) && !y[i].is_constant(0.0)) sum += x[i] * y[i];
  return sum;
}

bool has_fewer(const std::vector<std::size_t>& x, const std::vector<std::size_t>& y) {
  return x.size() < y.size();
}

}  // namespace

Vector operator+(const Vector& x, const Vector& y) {
  require_fit("a sum of vectors", x.size() == y.size(), x, y);
  return entry_by_entry(x, y, std::plus<>{});
}

Vector operator-(const Vector& x, const Vector& y) {
  require_fit("a difference of vectors", x.size() == y.size(), x, y);
  return entry_by_entry(x, y, std::minus<>{});
}

Vector operator-(const Vector& x) { return Expr(-1.0) * x; }

Vector operator*(const Expr& factor, const Vector& x) {
  return together(Vector{factor}, x, [](const Vector& by, const Vector& entries) {
    Vector result(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) result[i] = by.front() * entries[i];
    return result;
  });
}

Vector operator*(const Matrix& a, const Vector& x) {
  require_fit("a product of a matrix and a vector", a.columns() == x.size(), a, x);
  return together(a, x, [](const Matrix& rows, const Vector& column) {
    Vector result(rows.rows());
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const std::span<const Expr> entries = rows.entries();
      result[i] = sum_of_products(entries.subspan(i * rows.columns(), rows.columns()), column);
    }
    return result;
  });
}

Matrix operator*(const Matrix& a, const Matrix& b) {
  require_fit("a product of matrices", a.columns() == b.rows(), a, b);
  return together(a, b, [](const Matrix& left, const Matrix& right) {
    Matrix result(left.rows(), right.columns());
    std::vector<std::vector<std::size_t>> in_row(left.rows()), in_column(right.columns());
    for (std::size_t k = 0; k < right.rows(); ++k) {
      for (std::size_t i = 0; i < left.rows(); ++i)
        if (!left(i, k).is_constant(0.0)) in_row[i].push_back(k);
      for (std::size_t j = 0; j < right.columns(); ++j)
        if (!right(k, j).is_constant(0.0)) in_column[j].push_back(k);
    }
    for (std::size_t i = 0; i < left.rows(); ++i) {
      for (std::size_t j = 0; j < right.columns(); ++j) {
        Expr sum = 0.0;
        for (const std::size_t k : std::min(in_row[i], in_column[j], has_fewer))
          if (!left(i, k).is_constant(0.0) && !right(k, j).is_constant(0.0))
            sum += left(i, k) * right(k, j);
        result(i, j) = std::move(sum);
      }
    }
    return result;
  });
}

Matrix operator*(const Expr& factor, const Matrix& a) {
  Matrix result = a;
  result.entries() = factor * a.entries();
  return result;
}

Matrix operator+(const Matrix& a, const Matrix& b) {
  require_fit("a sum of matrices", a.rows() == b.rows() && a.columns() == b.columns(), a, b);
  Matrix result = a;
  result.entries() = a.entries() + b.entries();
  return result;
}

Matrix operator-(const Matrix& a, const Matrix& b) { return a + Expr(-1.0) * b; }

Matrix transpose(const Matrix& a) {
  Matrix result(a.columns(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) result(j, i) = a(i, j);
  }
  return result;
}

Expr dot(const Vector& x, const Vector& y) {
  require_fit("a product of vectors", x.size() == y.size(), x, y);
  return together(x, y, sum_of_products);
}

Vector concatenate(std::span<const Vector> parts) {
  Vector result;
  for (const Vector& part : parts) result.insert(result.end(), part.begin(), part.end());
  return result;
}

Vector slice(const Vector& x, std::size_t offset, std::size_t count) {
  if (offset > x.size() || count > x.size() - offset) {
    throw RequestError("slice: entries " + std::to_string(offset + 1) + " to " +
                       std::to_string(offset + count) + " of " + size_text(x));
  }
  const auto begin = x.begin() + static_cast<std::ptrdiff_t>(offset);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace dalembert
