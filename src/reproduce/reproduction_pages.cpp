// The pages of a reproduction: the claims table, a page per paper, pictures with their data.
#include "reproduce/reproduction_pages.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "dalembert/claims/paper_file.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/picture/page/html_page.hpp"
#include "dalembert/picture/picture.hpp"
#include "evidence_text.hpp"
#include "picture/page/mathematics.hpp"
#include "picture/page/picture_html.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/reproduce.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

namespace fs = std::filesystem;

const char* verdict_style(Verdict verdict) {
  return verdict == Verdict::holds ? "good" : verdict == Verdict::fails ? "bad" : "weak";
}

std::string page_name(const Paper& paper) { return paper.name + ".html"; }

/// "modin-verdier-2020" as "Modin Verdier 2020".
std::string short_name(const Paper& paper) {
  std::string text = paper.name;
  bool begins = true;
  for (char& c : text) {
    if (begins) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (c == '-') c = ' ';
    begins = c == ' ';
  }
  return text;
}

/// The number of a claim without that of its paper.
std::string number_in_paper(const ClaimRow& row) {
  const std::size_t end = row.record.id.find('-');
  return end == std::string::npos ? row.record.id : row.record.id.substr(end + 1);
}

/// The number that tells most, and how many stand beside it on the paper's page.
std::string numbers_text(const ClaimRow& row) {
  const std::size_t index = decisive_evidence(row.evidence);
  if (index == row.evidence.size()) return "";
  const Evidence& evidence = row.evidence[index];
  const std::string text = evidence.what + ": " + measured_text(evidence);
  const std::size_t others = row.evidence.size() - 1;
  return others == 0 ? text : fmt::format("{} (and {} more)", text, others);
}

HtmlCell verdict_cell(const ClaimRow& row) {
  HtmlCell cell{verdict_text(row.verdict), verdict_style(row.verdict)};
  if (!row.is_as_recorded()) cell.text += " (recorded: " + verdict_text(row.expected()) + ")";
  return cell;
}

/// Every claim in a row: number, statement, verdict, numbers.
void add_claims_table(HtmlPage& page, const std::vector<Reproduced>& results) {
  HtmlTable table{.head = {{"claim"}, {"statement"}, {"verdict"}, {"measured"}, {"qualification"}},
                  .is_cards = true};
  for (const Reproduced& result : results) {
    for (const ClaimRow& row : result.claims) {
      table.rows.push_back(
          {{short_name(*result.choice.paper) + ", " + number_in_paper(row), "",
            row.record.id + " in studies/" + result.choice.paper->name + "/paper.toml",
            page_name(*result.choice.paper) + "#" + row.record.id},
           {row.record.statement + " (" + row.record.source + ")"},
           verdict_cell(row),
           {numbers_text(row)},
           {row.qualification(), "quiet"}});
    }
  }
  page.table(table);
}

void add_claim(HtmlPage& page, const ClaimRow& row) {
  page.heading(4, "Claim " + number_in_paper(row), row.record.id, verdict_cell(row));
  page.paragraph(row.record.statement + " (" + row.record.source + ")");
  if (const std::string text = row.qualification(); !text.empty()) page.paragraph(text);
  HtmlTable table{{{"number"}, {"measured"}, {"bounds"}}, {}};
  for (const Evidence& evidence : row.evidence) {
    const bool decides = evidence.role != EvidenceRole::shown;
    const char* style = !decides               ? "number"
                        : evidence.is_met()    ? "number good"
                        : evidence.is_missed() ? "number bad"
                                               : "number weak";
    table.rows.push_back(
        {{evidence.what}, {measured_text(evidence), style}, {bounds_text(evidence), "quiet"}});
  }
  page.table(table);
}

void add_table(HtmlPage& page, const ResultTable& source) {
  HtmlTable table{{}, {}, source.title};
  for (const std::string& text : source.head) table.head.push_back({text});
  for (const auto& row : source.rows) {
    table.rows.emplace_back();
    for (const std::string& text : row) table.rows.back().push_back({text, "number"});
  }
  page.table(table);
}

void add_picture(HtmlPage& page, const Picture& picture, const std::string& files) {
  page.raw("<figure>" + panels_begin(picture_columns(picture)) + panels_html(picture, files) +
           "</div>\n" + legend_html(picture) + "<figcaption>" +
           html_with_mathematics(picture.title));
  for (const std::string& note : picture.notes) page.raw("; " + html_with_mathematics(note));
  page.raw(
      fmt::format(". <a href=\"{0}.svg\">picture</a>, <a href=\"{0}.csv\">data</a>"
                  "</figcaption></figure>\n",
                  html_escape(files)));
}

std::string csv_cell(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// The points of every curve as drawn.
std::string picture_csv(const Picture& picture) {
  std::string text = "panel,curve,x,y\n";
  for (const PicturePanel& panel : picture.panels) {
    for (const PictureCurve& drawn : panel.curves) {
      const std::string head =
          csv_cell(panel.title) + "," + csv_cell(picture.legend[drawn.entry].label);
      for (std::size_t i = 0; i < drawn.curve.t.size(); ++i)
        text += fmt::format("{},{},{}\n", head, drawn.curve.t[i], drawn.curve.values[i]);
    }
  }
  return text;
}

/// Base names of the pictures of an experiment, relative to the directory.
std::vector<std::string> write_pictures(const fs::path& directory, const Reproduced& result) {
  std::vector<std::string> names;
  const fs::path folder = directory / result.choice.paper->name;
  fs::create_directories(folder);
  for (std::size_t i = 0; i < result.pictures.size(); ++i) {
    const std::string name =
        result.choice.experiment->name + (i == 0 ? "" : "-" + std::to_string(i + 1));
    write_picture(folder / (name + ".svg"), result.pictures[i]);
    OutputFile(folder / (name + ".csv")).write(picture_csv(result.pictures[i]));
    names.push_back(result.choice.paper->name + "/" + name);
  }
  return names;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

/// The tables of an experiment as Markdown, for documents.
void write_tables(const fs::path& directory, const Reproduced& result) {
  if (result.tables.empty()) return;
  const fs::path folder = directory / result.choice.paper->name;
  fs::create_directories(folder);
  std::string text;
  for (const ResultTable& table : result.tables) {
    text += table.title + "\n\n" + markdown_row(table.head);
    text += markdown_row(std::vector<std::string>(table.head.size(), "---"));
    for (const auto& row : table.rows) text += markdown_row(row);
    text += "\n";
  }
  OutputFile(folder / (result.choice.experiment->name + ".md")).write(text);
}

void add_misprints(HtmlPage& page, const ClaimLibrary& library, const std::string& paper) {
  std::vector<std::string> entries;
  for (const Misprint& misprint : library.misprints) {
    if (misprint.paper == paper) entries.push_back(misprint.where + ": " + misprint.text);
  }
  if (entries.empty()) return;
  page.heading(2, "Misprints and slips", "misprints");
  page.list(entries);
}

void write_paper(const fs::path& directory, const Paper& paper,
                 const std::vector<Reproduced>& results, const ClaimLibrary& library) {
  HtmlPage page(paper.citation);
  page.raw(picture_style);
  page.raw("<p><a href=\"index.html\">all papers</a></p>\n");
  page.heading(1, paper.citation);
  for (const Reproduced& result : results) {
    if (result.choice.paper != &paper) continue;
    const Experiment& experiment = *result.choice.experiment;
    page.heading(2, experiment.source + ": " + experiment.title, experiment.name);
    page.paragraph(experiment.caption);
    const std::vector<std::string> files = write_pictures(directory, result);
    for (std::size_t i = 0; i < files.size(); ++i) add_picture(page, result.pictures[i], files[i]);
    for (const ResultTable& table : result.tables) add_table(page, table);
    write_tables(directory, result);
    for (const ClaimRow& row : result.claims) add_claim(page, row);
  }
  add_misprints(page, library, paper.name);
  OutputFile(directory / page_name(paper)).write(page.text());
}

std::string summary_of(const std::vector<Reproduced>& results) {
  std::size_t counts[5] = {0, 0, 0, 0, 0}, different = 0;
  for (const Reproduced& result : results) {
    for (const ClaimRow& row : result.claims) {
      ++counts[static_cast<std::size_t>(row.verdict)];
      different += row.is_as_recorded() ? 0 : 1;
    }
  }
  return fmt::format(
      "{} statements hold as published, {} hold with a qualification, {} fail; for {} the runs are "
      "too short to decide, {} cannot be decided. {} verdicts differ from the recorded ones.",
      counts[0], counts[1], counts[2], counts[3], counts[4], different);
}

/// How claims are numbered, for who meets a number in files or in results.
std::string claim_numbers_text(const std::vector<const Paper*>& papers) {
  std::string text =
      "A claim is named by its paper, a letter for its subject and a part. Files and JSON write "
      "the "
      "paper as a number:";
  for (const Paper* paper : papers)
    text += (paper == papers.front() ? " " : ", ") + paper->number + " is " + short_name(*paper);
  return text + ".";
}

void write_index(const fs::path& directory, const std::vector<Reproduced>& results,
                 const std::vector<const Paper*>& papers, const ClaimLibrary& library, bool quick) {
  HtmlPage page("Published claims about nonholonomic integrators, measured");
  page.heading(1, "Published claims about nonholonomic integrators, measured");
  page.paragraph(
      "Each experiment was rerun with the published data by the program dalembert. A verdict is "
      "what "
      "the numbers beside it say: a number counts with its whole uncertainty.");
  if (quick)
    page.paragraph(
        "Computed with --quick: shorter runs with bounds of their own. Verdicts about long times "
        "need the full length.");
  page.paragraph(summary_of(results));
  for (const Paper* paper : papers) {
    page.raw("<p><a href=\"" + page_name(*paper) + "\">" + html_escape(paper->citation) +
             "</a></p>\n");
  }
  page.heading(2, "Claims", "claims");
  page.paragraph(claim_numbers_text(papers));
  add_claims_table(page, results);
  page.heading(2, "Misprints and slips", "misprints");
  for (const Paper* paper : papers) {
    std::vector<std::string> entries;
    for (const Misprint& misprint : library.misprints) {
      if (misprint.paper == paper->name) entries.push_back(misprint.where + ": " + misprint.text);
    }
    if (entries.empty()) continue;
    page.heading(3, paper->citation);
    page.list(entries);
  }
  OutputFile(directory / "index.html").write(page.text());
}

}  // namespace

void write_reproduction(const fs::path& directory, const std::vector<Reproduced>& results,
                        const ClaimLibrary& library, bool quick) {
  std::vector<const Paper*> papers;
  for (const Reproduced& result : results) {
    if (std::find(papers.begin(), papers.end(), result.choice.paper) == papers.end())
      papers.push_back(result.choice.paper);
  }
  for (const Paper* paper : papers) write_paper(directory, *paper, results, library);
  write_index(directory, results, papers, library, quick);
}

}  // namespace dalembert::reproduce
