#include "dalembert/picture/page/html_page.hpp"

#include <algorithm>

#include "dalembert/document/own_output.hpp"
#include "mathematics.hpp"

namespace dalembert::study {
namespace {

constexpr std::string_view style_sheet = R"css(
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #ffffff; --line: #d5d5d5; --shade: #f4f4f4;
  --good: #0b6b3a; --good-back: #e3f4ea; --bad: #a01919; --bad-back: #fbe4e4; --weak: #7a5200;
  --weak-back: #fdf2d9; --quiet: #6a6a6a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --paper: #151515; --line: #3d3d3d; --shade: #222222; --good: #7fd6a4;
    --good-back: #123323; --bad: #ff9d9d; --bad-back: #401818; --weak: #f0c870; --weak-back: #3a2d0c;
    --quiet: #a0a0a0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 120rem; padding: 1rem clamp(.6rem, 2vw, 3rem); color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.2; } h2 { font-size: 1.3rem; margin-top: 2.2rem; }
h3 { font-size: 1.1rem; margin-top: 1.6rem; } h4 { font-size: 1rem; }
a { color: inherit; } p, li { max-width: 72rem; }
sup, sub { line-height: 0; font-size: .75em; }
.scroll { overflow-x: auto; margin: 1rem 0; border: 1px solid var(--line); }
table { border-collapse: collapse; font-size: .85rem; line-height: 1.35; width: 100%; }
caption { text-align: left; padding: .4rem .6rem; color: var(--quiet); }
th, td { padding: .3rem .55rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
th { background: var(--shade); }
tr > :first-child { position: sticky; left: 0; background: var(--paper); font-weight: 600; }
thead tr > :first-child { background: var(--shade); }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
td.good, .tag.good { color: var(--good); background: var(--good-back); }
td.bad, .tag.bad { color: var(--bad); background: var(--bad-back); font-weight: 600; }
td.weak, .tag.weak { color: var(--weak); background: var(--weak-back); }
.tag { padding: .1rem .5rem; border-radius: .3rem; margin-left: .4rem; font-weight: 600; }
.quiet { color: var(--quiet); }
figure { margin: 1.2rem 0; } figure > div { background: #ffffff; }
figure svg { width: 100%; height: auto; display: block; }
figcaption { color: var(--quiet); font-size: .9rem; max-width: 72rem; }
summary { cursor: pointer; font-weight: 600; padding: .3rem 0; }
@media (max-width: 40rem) { body { padding: .6rem; } table { font-size: .78rem; }
  th, td { padding: .25rem .4rem; }
  .cards thead { display: none; } .cards tr { display: block; border-bottom: 2px solid var(--line); }
  .cards td { display: block; position: static; border: 0; } .cards td:empty { display: none; } }
@media print { .scroll { overflow: visible; border: 0; } }
)css";

std::string attribute(std::string_view name, std::string_view value) {
  if (value.empty()) return "";
  return " " + std::string(name) + "=\"" + html_escape(value) + "\"";
}

std::string cell_text(const HtmlCell& cell, std::string_view element) {
  const std::string text = html_with_mathematics(cell.text);
  const std::string content =
      cell.link.empty() ? text : "<a" + attribute("href", cell.link) + ">" + text + "</a>";
  return "<" + std::string(element) + attribute("class", cell.style) +
         attribute("title", cell.hint) + ">" + content + "</" + std::string(element) + ">";
}

std::string row_text(const HtmlRow& row, std::string_view element) {
  std::string text = "<tr>";
  for (const HtmlCell& cell : row) text += cell_text(cell, element);
  return text + "</tr>\n";
}

}  // namespace

std::string_view page_policy() {
  return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
         "form-action 'none';";
}

std::string html_escape(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

HtmlPage::HtmlPage(std::string title) : title_(std::move(title)) {}

void HtmlPage::heading(int level, std::string_view text, std::string_view anchor,
                       const HtmlCell& tag_cell) {
  const std::string tag = "h" + std::to_string(std::clamp(level, 1, 4));
  body_ += "<" + tag + attribute("id", anchor) + ">" + html_with_mathematics(text);
  if (!tag_cell.text.empty())
    body_ += " <span" + attribute("class", "tag " + tag_cell.style) + ">" +
             html_escape(tag_cell.text) + "</span>";
  body_ += "</" + tag + ">\n";
}

void HtmlPage::paragraph(std::string_view text) {
  body_ += "<p>" + html_with_mathematics(text) + "</p>\n";
}

void HtmlPage::list(const std::vector<std::string>& entries) {
  body_ += "<ul>\n";
  for (const std::string& entry : entries)
    body_ += "<li>" + html_with_mathematics(entry) + "</li>\n";
  body_ += "</ul>\n";
}

void HtmlPage::table(const HtmlTable& table) {
  body_ +=
      "<div class=\"scroll\"><table" + attribute("class", table.is_cards ? "cards" : "") + ">\n";
  if (!table.caption.empty())
    body_ += "<caption>" + html_with_mathematics(table.caption) + "</caption>\n";
  body_ += "<thead>" + row_text(table.head, "th") + "</thead>\n<tbody>\n";
  for (const HtmlRow& row : table.rows) body_ += row_text(row, "td");
  body_ += "</tbody></table></div>\n";
}

void HtmlPage::begin_details(std::string_view title) {
  body_ += "<details><summary>" + html_escape(title) + "</summary>\n";
}
void HtmlPage::end_details() { body_ += "</details>\n"; }
void HtmlPage::raw(std::string_view html) { body_ += html; }

std::string HtmlPage::text() const {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
         std::string(page_policy()) + "\">\n" + std::string(page_mark) +
         "\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         html_escape(title_) + "</title>\n<style>" + std::string(style_sheet) +
         "</style>\n</head>\n<body>\n" + body_ + "</body>\n</html>\n";
}

}  // namespace dalembert::study
