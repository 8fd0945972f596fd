"""The page that computes, as a page of the site."""

import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "browser"))

import assemble_page  # noqa: E402

TEXT = """---
hide-toc: true
---

# Try it here

A problem, methods, a run: what the program does, compiled for browsers. Everything happens on your machine; nothing is sent anywhere. The
numbers are the program's to the last digit (of `tan`, `asin`, `acos`, `atan`, `atan2`, `sinh`, `cosh`, `tanh` and powers that are no whole
numbers the last one may differ: these are functions of the C library, which is another one here), and its sentences are the same.

```{raw} html
%s
```

Edit the [problem file](doc/how-to-add-a-problem.md), or choose another of the [library](problem/index.md); "a new one" is a small example to
begin with. Under *Methods* stands what the option `--method` takes, several with commas and with options as in `gauss(stages=3)`:
[all methods](method/index.md). *Step* and *Until* may be expressions, as `pi/100`; *Set* changes any key of the study, as
`parameters.epsilon=0.5` or `run.every=0.5`. What stands on the page is kept in *Link to this*, an edited problem too. *Stop* keeps what was
computed; *Numbers* has the results and saves them, as [the program writes them](doc/results.md). Motions are shown for problems with a
table [`[picture]`](doc/animation.md).

Ensembles, audits, comparisons and all else are in the [program](index.md) and the [Python package](doc/python.md), which are also
faster.
"""


def write(page, target, folder):
    """The page from where it was built: its files into a folder beside the pages, and what shows them. Its text alone where `page` is None."""
    if page is None:
        target.write_text(TEXT % "<!-- The page itself: tool/build_page -->")
        return
    if not (page / "index.html").exists():
        sys.exit(f"{page} is not there; tool/build_page makes it")
    shutil.copytree(page, folder, ignore=shutil.ignore_patterns("index.html"), dirs_exist_ok=True)
    target.write_text(TEXT % assemble_page.body(f"{folder.name}/").strip())
