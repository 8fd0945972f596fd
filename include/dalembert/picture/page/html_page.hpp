#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dalembert::study {

/// Content-Security-Policy of a page: browsers show its own style and pictures, and nothing else; a
/// page with a script adds it.
std::string_view page_policy();

/// The text with the characters that HTML reserves replaced.
std::string html_escape(std::string_view text);

/// One cell of a table.
struct HtmlCell {
  std::string text;        ///< escaped when written
  std::string style = {};  ///< "", or one of "good", "bad", "weak", "quiet", "number"; several with
                           ///< a blank between
  std::string hint = {};   ///< shown while the pointer rests on the cell
  std::string link = {};   ///< target of the text, as "#anchor"
};
using HtmlRow = std::vector<HtmlCell>;

/// A table with one row of headings. Wide tables scroll by themselves on a narrow screen; the first
/// column stays in sight.
struct HtmlTable {
  HtmlRow head;                    ///< headings of the columns
  std::vector<HtmlRow> rows = {};  ///< below the headings
  std::string caption = {};        ///< above the table; "" for none
  bool is_cards = false;  ///< on a narrow screen each row is a card with one cell below the other
};

/// A page that needs nothing but itself: style, tables and pictures (as inline SVG) are in the one
/// file. Readable on a phone and on paper, light or dark.
class HtmlPage {
 public:
  explicit HtmlPage(std::string title);

  /// A heading of level 1 to 4; `anchor` can be linked to. `tag` stands beside it in the style of
  /// a cell.
  void heading(int level, std::string_view text, std::string_view anchor = {},
               const HtmlCell& tag = {});
  /// A paragraph of text, in which formulas may stand.
  void paragraph(std::string_view text);
  /// A list with a dot before each entry.
  void list(const std::vector<std::string>& entries);
  /// A table; its texts may have formulas.
  void table(const HtmlTable& table);
  /// A part that opens when its title is chosen; everything up to end_details lies in it.
  void begin_details(std::string_view title);
  void end_details();  ///< the end of that part
  /// Text that is HTML already.
  void raw(std::string_view html);

  /// The complete page.
  std::string text() const;

 private:
  std::string title_, body_;
};

}  // namespace dalembert::study
