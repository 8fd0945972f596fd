#include "dalembert/picture/page/html_page.hpp"

#include <doctest/doctest.h>

using namespace dalembert;
using namespace dalembert::study;

namespace {
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
}  // namespace

TEST_CASE("Text on a page is escaped, HTML is not") {
  CHECK(html_escape("a < b & \"c\" > d") == "a &lt; b &amp; &quot;c&quot; &gt; d");
  HtmlPage page("x < y");
  page.heading(2, "A & B", "part");
  page.paragraph("1 < 2");
  page.raw("<hr>");
  const std::string text = page.text();
  CHECK(contains(text, "<title>x &lt; y</title>"));
  CHECK(contains(text, "<h2 id=\"part\">A &amp; B</h2>"));
  CHECK(contains(text, "<p>1 &lt; 2</p>"));
  CHECK(contains(text, "<hr>"));
}

TEST_CASE("A table has its heading, styles, hints and links") {
  HtmlPage page("table");
  page.table({.head = {{"method"}, {"order"}},
              .rows = {{{"dla", "", "", "#dla"}, {"2.00", "good number", "measured"}}},
              .caption = "orders"});
  const std::string text = page.text();
  CHECK(contains(text, "<thead><tr><th>method</th><th>order</th></tr>"));
  CHECK(contains(text, "<td><a href=\"#dla\">dla</a></td>"));
  CHECK(contains(text, "<td class=\"good number\" title=\"measured\">2.00</td>"));
  CHECK(contains(text, "<caption>orders</caption>"));
}

TEST_CASE("The page needs nothing outside itself") {
  HtmlPage page("picture");
  page.raw("<figure><svg width=\"1\"></svg></figure>");
  const std::string text = page.text();
  CHECK(contains(text, "<figure><svg width=\"1\"></svg></figure>"));
  CHECK(!contains(text, "://"));
  CHECK(contains(text, "width=device-width"));
}

TEST_CASE("A heading has its tag beside it, and rows can be cards") {
  HtmlPage page("tags");
  page.heading(4, "000-A.1", "000-A.1", {"holds & more", "good"});
  page.heading(2, "plain");
  page.table({.head = {{"claim"}}, .rows = {{{"a"}}}, .is_cards = true});
  page.table({.head = {{"claim"}}, .rows = {{{"a"}}}});
  const std::string text = page.text();
  CHECK(contains(
      text, "<h4 id=\"000-A.1\">000-A.1 <span class=\"tag good\">holds &amp; more</span></h4>"));
  CHECK(contains(text, "<h2>plain</h2>"));
  CHECK(contains(text, "<table class=\"cards\">"));
  CHECK(contains(text, "<table>"));
}
