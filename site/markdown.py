"""Pages of the repository as pages of the site: links, citations and the language of examples."""

import functools
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What begins a line for a shell, in examples without a prompt.
SHELL = re.compile(r"(\S*/)?(dalembert|mpirun|docker|tool/|\./tool/|cmake|ctest|python3|LD_PRELOAD|\.ci/run)\S*( |$)")


@functools.cache
def citation_keys():
    return frozenset(re.findall(r"^@\w+\{(\w+),", (ROOT / "doc/references.bib").read_text(), re.MULTILINE))


def cited(text, brackets=True):
    """Names of the bibliography as citations: in brackets, as pages write them, or bare, as methods name their sources."""
    def cite(found):
        return f"{{cite:t}}`{found[1]}`" if found[1] in citation_keys() else found[0]

    return re.sub(r"\[(\w+\d{4}\w?)\](?!\()" if brackets else r"\b([A-Z]\w+\d{4}[a-z]?)\b", cite, text)


def header_label(path):
    """The place of a header, as dalembert/run/simulate.hpp, in the C++ reference."""
    return "header-" + re.sub(r"\W+", "-", path.removeprefix("dalembert/").removesuffix(".hpp"))


def program_page(path):
    """The page of an example program, by its place in the repository."""
    return "program/" + path.removeprefix("example/").replace("/", "-").replace(".", "-") + ".md"


def site_place(path):
    """Where a page of the repository stands on the site."""
    return "index.md" if path == "README.md" else path


def toctree(names, option=":maxdepth: 1"):
    """The pages below a page."""
    return f"```{{toctree}}\n{option}\n\n" + "\n".join(names) + "\n```\n"


class Links:
    """Where the links of a page lead on the site, and which files they need there."""

    def __init__(self, page, pages):
        self.folder, self.pages, self.files = page.parent, pages, []

    def up(self, path):
        """The place on the site as seen from the page."""
        return os.path.relpath(path, self.folder.relative_to(ROOT))

    def leads_to(self, target):
        if re.match(r"\w+:", target) or target.startswith("#"):
            return target
        name, _, anchor = target.partition("#")
        path = (self.folder / name).resolve().relative_to(ROOT).as_posix()
        if path == "doc/methods.md" and anchor in method_names():
            return self.up(f"method/{anchor}.md")
        if path in self.pages:
            return self.up(site_place(path)) + ("#" + anchor if anchor else "")
        if path == "doc/references.bib":
            return self.up("bibliography.md")
        if path in ("example", "example/python"):
            return self.up("program/index.md")
        if path.startswith("include/"):
            return header_label(path.removeprefix("include/"))
        if path.startswith("problems/") and path.endswith(".toml"):
            return self.up(f"problem/{pathlib.Path(path).stem}.md")
        if path.startswith("example/") and path.endswith((".py", ".cpp", ".hpp")):
            return self.up(program_page(path))
        if path.startswith("doc/picture/"):
            return target
        if not (ROOT / path).is_file():
            raise SystemExit(f"{self.folder}: a link leads to {target}, where there is no page and no file")
        self.files.append(path)
        return target


@functools.cache
def method_names():
    import dalembert
    return frozenset(dalembert.methods())


def fence_language(line, first):
    """An example without a language: a session with a prompt, commands, or text."""
    if line.strip() != "```":
        return line
    if first.startswith("$ "):
        return line + "console"
    return line + ("bash" if SHELL.match(first) else "text")


def without_method_sections(text):
    """The page of methods, without the part that is a page for each of them here."""
    head, _, rest = text.partition("\n## The methods one by one\n")
    assert rest, "doc/methods.md has no section of the methods one by one"
    return head.rstrip() + "\n"


def for_site(page, pages, text=None):
    """The text of a page of the repository, or a part of it, as Sphinx is to read it, and the files that it links to."""
    text = page.read_text() if text is None else text
    links = Links(page, pages)
    if page == ROOT / "doc/methods.md":
        text = without_method_sections(text)
        text = re.sub(r"\]\(#([\w-]+)\)", lambda found: f"](methods.md#{found[1]})" if found[1] in method_names() else found[0], text)
    lines, result, inside = text.split("\n"), [], False
    for number, line in enumerate(lines):
        if line.lstrip().startswith("```"):
            result.append(line if inside else fence_language(line, lines[number + 1].strip()))
            inside = not inside
        elif inside or line.startswith("    "):
            result.append(line)
        else:
            # Pieces between back quotes are code.
            pieces = re.split(r"(`[^`]+`)", line)
            pieces[::2] = map(cited, pieces[::2])
            result.append(re.sub(r"\]\(([^)\s]+)\)", lambda found: f"]({links.leads_to(found[1])})", "".join(pieces)))
    return "\n".join(result), links.files
