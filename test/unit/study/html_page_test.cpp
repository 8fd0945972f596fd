#include "dalembert/study/html_page.hpp"

#include <doctest/doctest.h>

using namespace dalembert;

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

TEST_CASE("A picture is put in without the head of its file, and the page needs nothing outside") {
  HtmlPage page("picture");
  page.figure("<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg width=\"1\"></svg>", "what it shows");
  const std::string text = page.text();
  CHECK(!contains(text, "<?xml"));
  CHECK(contains(text, "<figure><div><svg width=\"1\"></svg></div>"));
  CHECK(contains(text, "<figcaption>what it shows</figcaption>"));
  CHECK(!contains(text, "http"));
  CHECK(contains(text, "width=device-width"));
}
