#include "picture_html.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "dalembert/picture/page/html_page.hpp"
#include "dalembert/picture/picture.hpp"
#include "mathematics.hpp"

namespace dalembert::study {

const char* const picture_style =
    "<style>.panels{display:grid;gap:.4rem;grid-template-columns:repeat(var(--columns),1fr);"
    "max-width:calc(var(--columns)*46rem)}"
    ".panels svg{width:100%;height:auto}.legend "
    "span{display:inline-block;max-width:100%;margin-right:1.2rem}"
    ".panels{background:none}.panels svg,.legend{background:#ffffff}"
    ".legend{color:#1b1b1b;margin:0;padding:.2rem .4rem;max-width:none}"
    ".legend i{display:inline-block;width:1.8rem;border-top:3px solid var(--entry);"
    "vertical-align:middle;margin-right:.4rem}.legend b{color:var(--entry);margin-right:.4rem}"
    "@media(max-width:44rem){.panels{grid-template-columns:1fr}}</style>\n";

std::size_t picture_columns(const Picture& picture) {
  std::size_t columns = 1;
  for (const PicturePanel& panel : picture.panels) columns = std::max(columns, panel.column + 1);
  return columns;
}

std::string panels_begin(std::size_t columns) {
  return fmt::format("<div class=\"panels\" style=\"--columns:{}\">", columns);
}

std::string panels_html(const Picture& picture, const std::string& name) {
  std::string html;
  for (std::string svg : panel_svgs(picture, name)) {
    const std::size_t begin = svg.find("<svg");  // what comes before is for files of their own
    if (begin != std::string::npos) svg.erase(0, begin);
    html += "<div>" + svg + "</div>\n";
  }
  return html;
}

std::string legend_html(const Picture& picture) {
  if (picture.legend.size() < 2) return "";
  std::string html = "<p class=\"legend\">";
  for (std::size_t i = 0; i < picture.legend.size(); ++i) {
    const LegendMark mark = legend_mark(picture, i);
    const bool reference = picture.legend[i].reference;
    const char* line = mark == LegendMark::points ? "none" : reference ? "dashed" : "solid";
    html += fmt::format(
        "<span style=\"--entry:{}\"><i style=\"border-top-style:{}\"></i><b>{}</b>{}</span> ",
        legend_colour(picture, i), line, mark == LegendMark::line ? "" : legend_symbol(i),
        html_with_mathematics(picture.legend[i].label));
  }
  return html + "</p>\n";
}

}  // namespace dalembert::study
