#pragma once
// What C++20 has and the standard library of Emscripten 3.1 (libc++ 13) lacks, as far as dalembert
// uses it; every unit of the browser's build includes it first. It can go when that library has it.

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#if _LIBCPP_VERSION >= 15000
#error "this standard library may have what is added here; try without"
#endif

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

from_chars_result from_chars(const char* first, const char* last, double& value);
/// The shortest digits that read back as the value, in the shorter of the forms 123 and 1.23e+02.
to_chars_result to_chars(char* first, char* last, double value);
/// The format hex only.
to_chars_result to_chars(char* first, char* last, double value, chars_format format);

namespace ranges {

template <class R, class Value, class P = identity>
constexpr auto find(R&& r, const Value& value, P p = {}) {
  return std::find_if(std::begin(r), std::end(r),
                      [&](auto&& x) { return std::invoke(p, x) == value; });
}
template <class R, class Test, class P = identity>
constexpr auto find_if(R&& r, Test test, P p = {}) {
  return std::find_if(std::begin(r), std::end(r),
                      [&](auto&& x) { return std::invoke(test, std::invoke(p, x)); });
}
template <class R, class Test, class P = identity>
constexpr bool any_of(R&& r, Test test, P p = {}) {
  return ranges::find_if(r, test, p) != std::end(r);
}
template <class R, class Test, class P = identity>
constexpr bool none_of(R&& r, Test test, P p = {}) {
  return !ranges::any_of(r, test, p);
}
template <class R, class Test, class P = identity>
constexpr bool all_of(R&& r, Test test, P p = {}) {
  return std::all_of(std::begin(r), std::end(r),
                     [&](auto&& x) { return std::invoke(test, std::invoke(p, x)); });
}
template <class R, class Value, class P = identity>
constexpr auto count(R&& r, const Value& value, P p = {}) {
  return std::count_if(std::begin(r), std::end(r),
                       [&](auto&& x) { return std::invoke(p, x) == value; });
}
template <class R, class Out>
constexpr auto copy(R&& r, Out out) {
  return std::copy(std::begin(r), std::end(r), out);
}
template <class R, class Out, class Test>
constexpr auto copy_if(R&& r, Out out, Test test) {
  return std::copy_if(std::begin(r), std::end(r), out,
                      [&](auto&& x) { return std::invoke(test, x); });
}
template <class R, class Out>
constexpr auto move(R&& r, Out out) {
  return std::move(std::begin(r), std::end(r), out);
}
template <class R, class Value>
constexpr void fill(R&& r, const Value& value) {
  std::fill(std::begin(r), std::end(r), value);
}
template <class Order, class P>
constexpr auto projected(Order& order, P& p) {
  return
      [&](auto&& a, auto&& b) { return std::invoke(order, std::invoke(p, a), std::invoke(p, b)); };
}
template <class R, class Order = ranges::less, class P = identity>
constexpr void sort(R&& r, Order order = {}, P p = {}) {
  std::sort(std::begin(r), std::end(r), ranges::projected(order, p));
}
template <class R, class Order = ranges::less, class P = identity>
constexpr void stable_sort(R&& r, Order order = {}, P p = {}) {
  std::stable_sort(std::begin(r), std::end(r), ranges::projected(order, p));
}
template <class R, class Order = ranges::less>
constexpr bool is_sorted(R&& r, Order order = {}) {
  return std::is_sorted(std::begin(r), std::end(r), order);
}
template <class R, class Value, class Order = ranges::less, class P = identity>
constexpr auto lower_bound(R&& r, const Value& value, Order order = {}, P p = {}) {
  return std::lower_bound(std::begin(r), std::end(r), value, [&](auto&& x, const Value& y) {
    return std::invoke(order, std::invoke(p, x), y);
  });
}
template <class R, class Value, class Order = ranges::less, class P = identity>
constexpr auto upper_bound(R&& r, const Value& value, Order order = {}, P p = {}) {
  return std::upper_bound(std::begin(r), std::end(r), value, [&](const Value& y, auto&& x) {
    return std::invoke(order, y, std::invoke(p, x));
  });
}
template <class R, class Value>
constexpr bool binary_search(R&& r, const Value& value) {
  return std::binary_search(std::begin(r), std::end(r), value);
}
template <class R, class Value>
constexpr void replace(R&& r, const Value& before, const Value& after) {
  std::replace(std::begin(r), std::end(r), before, after);
}
template <class R, class Test, class Value>
constexpr void replace_if(R&& r, Test test, const Value& after) {
  std::replace_if(std::begin(r), std::end(r), test, after);
}
template <class R, class S, class Same = ranges::equal_to>
constexpr bool equal(R&& r, S&& s, Same same = {}) {
  return std::equal(std::begin(r), std::end(r), std::begin(s), std::end(s), same);
}
template <class R, class S>
constexpr void swap_ranges(R&& r, S&& s) {
  std::swap_ranges(std::begin(r), std::end(r), std::begin(s));
}
template <class R, class S, class Out>
constexpr auto set_difference(R&& r, S&& s, Out out) {
  return std::set_difference(std::begin(r), std::end(r), std::begin(s), std::end(s), out);
}
template <class R>
constexpr auto max(R&& r) {
  return *std::max_element(std::begin(r), std::end(r));
}
template <class I>
constexpr auto distance(I first, I last) {
  return std::distance(first, last);
}

}  // namespace ranges
}  // namespace std
