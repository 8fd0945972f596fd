"""Lays out the pages of the site, for Sphinx: those of the repository, and those that the program and the package write themselves.

    site/assemble.py PROGRAM FOLDER [COMPUTING]

The program is asked for formulas and help, and runs the commands of the gallery. COMPUTING is the folder of the page that computes, of which
the text alone is there without it.

A page of the repository keeps its place, so that links between pages stay as they are; links to sources lead to the page that shows them.
"""

import json
import os
import pathlib
import shutil
import sys

import computing_page
import gallery
import library_pages
import markdown
import reference_pages

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Pages of the repository, where they stand; those of doc are all taken.
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md"]


def notebook_for_site(page, pages):
    """A notebook with the links of its text."""
    notebook, files = json.loads(page.read_text()), []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            text, more = markdown.for_site(page, pages, "".join(cell["source"]))
            cell["source"] = text.splitlines(keepends=True)
            files += more
    return json.dumps(notebook), files


def lay_out_pages(target):
    """The pages and notebooks of the repository with their links, and what these links lead to."""
    pages = [ROOT / page for page in PAGES] + sorted((ROOT / "doc").glob("*.md")) + sorted((ROOT / "example/notebook").glob("*.ipynb"))
    names = {page.relative_to(ROOT).as_posix() for page in pages}
    for page in pages:
        place = target / markdown.site_place(page.relative_to(ROOT).as_posix())
        place.parent.mkdir(parents=True, exist_ok=True)
        text, files = (notebook_for_site if page.suffix == ".ipynb" else markdown.for_site)(page, names)
        # The home page is the README, with the table of contents behind it.
        contents = (ROOT / "site/page/contents.md").read_text() if page == ROOT / "README.md" else ""
        place.write_text(text + contents)
        for file in files:
            (target / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / file, target / file)
    shutil.copytree(ROOT / "doc/picture", target / "doc/picture")
    shutil.copyfile(ROOT / "doc/references.bib", target / "doc/references.bib")


def lay_out(program, target, computing=None):
    if target.exists():
        shutil.rmtree(target)
    target.mkdir(parents=True)
    shutil.copyfile(ROOT / "site/page/bibliography.md", target / "bibliography.md")
    lay_out_pages(target)
    # Motions and figures, beside the pages.
    made = target.parent / "extra/made"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    library_pages.write_methods(program, target / "method", made)
    library_pages.write_problems(program, target / "problem", made)
    reference_pages.write_programs(target / "program")
    reference_pages.write_command_line(program, target / "command-line.md")
    reference_pages.write_python(target / "python")
    reference_pages.write_headers(target / "cpp")
    gallery.write(program, target / "gallery", made)
    computing_page.write(computing, target / "try.md", target.parent / "extra/computing")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    os.environ["DALEMBERT_DATA"] = str(ROOT)
    lay_out(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), ROOT / sys.argv[3] if len(sys.argv) == 4 else None)
