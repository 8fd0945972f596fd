"""A page for each method and each problem, from what the program says of it: the formulas are those of `dalembert describe NAME --html`."""

import html
import pathlib
import re
import subprocess

import dalembert
import markdown

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The pieces of a page of the program, and what else there is of it, which is left out.
PIECE = re.compile(r"<h(?P<level>[12])>(?P<heading>.*?)</h\d>|<p>(?P<paragraph>.*?)</p>|<ul>(?P<list>.*?)</ul>"
                   r"|(?P<raw><div class=\"scroll\">.*?</div>|<p class=\"words\">.*?</p>)", re.DOTALL)
FRAME = re.compile(r"\s*<!DOCTYPE html>.*?<body>\s*<style>.*?</style>\s*|\s*<p class=\"quiet\">[^<]*</p>\s*</body>\s*</html>\s*", re.DOTALL)


def said(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def plain(text):
    """Text of HTML as text of Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#|$])", r"\\\1", html.unescape(text))


def raw(text):
    return "```{raw} html\n" + text.strip() + "\n```"


def formula_page(program, name):
    """The page in parts: a part per heading, each with its title and its text; the first is the page's own."""
    parts, text = [], FRAME.sub("", said(program, "describe", name, "--html"))
    lost = PIECE.sub("", text).strip()
    assert not lost, f"describe {name} --html: this has no place on the site: {lost[:200]}"
    for piece in PIECE.finditer(text):
        if piece["heading"] is not None:
            parts.append([plain(piece["heading"]), []])
        elif piece["paragraph"] is not None:
            words = piece["paragraph"]
            parts[-1][1].append(raw(f"<p>{words}</p>") if "<" in words else markdown.cited(plain(words), brackets=False))
        elif piece["list"] is not None:
            entries = re.findall(r"<li>(.*?)</li>", piece["list"], re.DOTALL)
            parts[-1][1].append("\n".join("- " + plain(entry) for entry in entries))
        else:
            parts[-1][1].append(raw(piece["raw"]))
    return parts


def sections(text):
    """What the program says under each heading of a page in plain text."""
    found = {}
    for block in re.split(r"\n(?=[A-Z])", text):
        title, _, rest = block.partition("\n")
        if rest.startswith("  "):
            found[title.split(" (")[0]] = rest.rstrip()
    return found


def audit_rows():
    """The rows of the table of measured properties, and its head."""
    rows = [line for line in (ROOT / "doc/audit.md").read_text().split("\n") if line.startswith("|")]
    head = next(number for number, line in enumerate(rows) if line.startswith("| method | q | v |"))
    table = {}
    for line in rows[head + 2:]:
        name = re.match(r"\| `([\w-]+)` \|", line)
        if not name:
            break
        table[name[1]] = [cell.strip() for cell in line.strip("|").split("|")[1:]]
    return [cell.strip() for cell in rows[head].strip("|").split("|")[1:]], table


def method_page(program, name, head, row):
    parts = formula_page(program, name)
    (title, text), rest = parts[0], parts[1:]
    page = [f"# {title}", *text]
    for heading, lines in rest:
        page += [f"## {heading}", *lines]
    page += ["## Measured", "Orders, properties and long runs as the [audit](../doc/audit.md) has measured them with the default options:",
             "| " + " | ".join(head) + " |\n|" + "---|" * len(head) + "\n| " + " | ".join(row) + " |",
             f"```console\n$ dalembert audit {name}\n$ dalembert describe {name} --with pendulum-cvt   # does it fit, and if not, why\n```"]
    return "\n\n".join(page) + "\n"


def write_methods(program, folder):
    folder.mkdir()
    head, rows = audit_rows()
    names = list(dalembert.methods())
    assert set(names) == set(rows), "the table of doc/audit.md has other methods than the library"
    for name in names:
        (folder / f"{name}.md").write_text(method_page(program, name, head, rows[name]))
    table = ["| method | " + " | ".join(head) + " |", "|---" * (len(head) + 1) + "|"]
    table += [f"| [`{name}`]({name}.md) | " + " | ".join(rows[name]) + " |" for name in names]
    text = ("Each method with the equations of its step as the program has them, what it promises, what it needs and what was measured. "
            "What they promise in one table, their other names, and what is special about families of them: [Methods](../doc/methods.md). "
            "What the [audit](../doc/audit.md) has measured:\n\n" + "\n".join(table))
    (folder / "index.md").write_text(f"# The methods one by one\n\n{text}\n\n" + markdown.toctree(names))


def problem_page(program, name):
    parts = formula_page(program, name)
    (title, text), rest = parts[0], parts[1:]
    page = [f"# {title}", *text]
    for heading, lines in rest:
        page += [f"## {heading}", *lines]
    found = sections(said(program, "describe", name))
    for heading in ("Units", "Starts", "Kind", "Conserved quantities"):
        if heading in found:
            page += [f"## {heading}", f"```text\n{found[heading]}\n```"]
    if "Methods that fit" in found:
        fitting = re.findall(r"[\w-]+", found["Methods that fit"])
        page += ["## Methods that fit", ", ".join(f"[`{method}`](../method/{method}.md)" for method in fitting) + ". Where to begin:"]
    if "Where to begin" in found:
        page.append(f"```text\n{found['Where to begin']}\n```")
    page += ["## Its file", "To be copied, changed and run as `./" + name + ".toml` ([how](../doc/how-to-add-a-problem.md)):",
             "```toml\n" + (ROOT / f"problems/{name}.toml").read_text().rstrip() + "\n```"]
    return "\n\n".join(page) + "\n"


def write_problems(program, folder):
    folder.mkdir()
    names = dalembert.problems()
    for name in names:
        (folder / f"{name}.md").write_text(problem_page(program, name))
    text = ("Each problem with its Lagrangian, constraints and integrals, its starts, the methods that fit, and the file that it is. "
            "All of them in one table: [Problems](../doc/problems.md).")
    (folder / "index.md").write_text(f"# The problems one by one\n\n{text}\n\n" + markdown.toctree(names))
