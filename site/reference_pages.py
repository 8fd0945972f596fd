"""Reference: the command line from its help, the Python package from its docstrings, the headers from their comments, example programs."""

import ast
import os
import pathlib
import re
import subprocess

import dalembert
import markdown

ROOT = pathlib.Path(__file__).resolve().parent.parent


# Programs

def opening(path):
    """What a program says of itself: its docstring, or the comment that it begins with; one paragraph."""
    text = path.read_text()
    if path.suffix == ".py":
        return (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0].replace("\n", " ")
    lines = []
    for line in text.split("\n"):
        if not line.startswith("//"):
            break
        lines.append(line.removeprefix("///").removeprefix("//").strip())
    return " ".join(lines).strip()


def write_programs(folder):
    folder.mkdir()
    groups = {"In Python": sorted((ROOT / "example/python").glob("*.py")),
              "In C++": sorted([*(ROOT / "example").glob("*.cpp"), *(ROOT / "example").glob("*.hpp")])}
    index = ["# Example programs", "Each is run by a test, those in Python with their types checked."]
    for title, programs in groups.items():
        names = []
        for path in programs:
            place = path.relative_to(ROOT).as_posix()
            page = pathlib.Path(markdown.program_page(place)).name
            language = "python" if path.suffix == ".py" else "cpp"
            code = path.read_text().rstrip()
            (folder / page).write_text(f"# {path.name}\n\n{opening(path)}\n\n```{language}\n{code}\n```\n")
            names.append(f"{path.name} <{page.removesuffix('.md')}>")
        index += [f"## {title}", markdown.toctree(names)]
    (folder / "index.md").write_text("\n\n".join(index))


# Command line

def help_of(program, *command):
    return subprocess.run([program, *command, "--help"], check=True, capture_output=True, text=True,
                          env=os.environ | {"COLUMNS": "100"}).stdout.rstrip()


def write_command_line(program, path):
    overview = help_of(program)
    listed = re.search(r"^(?:Subcommands|Commands):\n(.*?)(?=^\S|\Z)", overview, re.MULTILINE | re.DOTALL)
    commands = re.findall(r"^  ([a-z]+) ", listed[1], re.MULTILINE)
    page = ["# The command line", "What `dalembert --help` and the help of every command say; `man dalembert` has the same text.",
            f"```text\n{overview}\n```"]
    for command in commands:
        page += [f"## dalembert {command}", f"```text\n{help_of(program, command)}\n```"]
    path.write_text("\n\n".join(page) + "\n")


# Python

def write_python(folder):
    """A page for each module that defines public names, with all of them."""
    folder.mkdir()
    modules, home = {}, homes()
    for name in dalembert.__all__:
        if not name.startswith("__"):
            modules.setdefault(home[name], []).append((name, getattr(dalembert, name)))
    pages = []
    for module, members in sorted(modules.items()):
        title = module.replace("_", " ").capitalize()
        page = [f"# {title}", module_text(module)]
        for name, thing in sorted(members, key=lambda one: one[0].lower()):
            page.append(entry_of(name, thing))
        (folder / f"{module}.md").write_text("\n\n".join(page) + "\n")
        pages.append(module)
    text = ("Everything that `import dalembert as dal` offers, by the module that defines it; each name is called as `dal.name`. "
            "To learn it, read [In Python](../doc/python.md) first.\n\nIn signatures a `ProblemLike` is a `Problem`, or the name or path of one; a `MethodLike` "
            "or `MethodChoice` a `Method`, its text as `\"gauss(stages=3)\"`, or a mapping with `name` and options; a `ProgressChoice` True for a line, or a "
            "function of stage, steps done and all steps; a `Scalar` an expression or a number; a `Vector` a sequence or array of these.")
    (folder / "index.md").write_text(f"# Python reference\n\n{text}\n\n" + markdown.toctree(pages))


def homes():
    """The module from which the package takes each of its names; those that it makes itself are there under another name."""
    tree = ast.parse((ROOT / "python/dalembert/__init__.py").read_text())
    found = {name.asname or name.name: line.module for line in tree.body if isinstance(line, ast.ImportFrom) for name in line.names}
    return found | {node.targets[0].id: found[node.value.id] for node in tree.body
                    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name)}


def module_text(module):
    path = ROOT / f"python/dalembert/{module}.py"
    return ast.get_docstring(ast.parse(path.read_text())) or ""


def entry_of(name, thing):
    if isinstance(thing, type):
        kind, options = "autoclass", ":members:\n:undoc-members:\n"
        if any(base.__module__ == "dalembert.outcomes" for base in thing.__mro__):
            options += ":inherited-members: object\n"
        if issubclass(thing, Exception):
            options += ":show-inheritance:\n"
    elif callable(thing):
        kind, options = "autofunction", ""
    else:
        kind, options = "autodata", ":no-value:\n"
    return f"```{{eval-rst}}\n.. {kind}:: dalembert.{name}\n" + "".join(f"   {line}\n" for line in options.splitlines()) + "```"


# C++

def rooms():
    """Rooms in their order with what they hold, as the architecture lists them."""
    found = {}
    for line in (ROOT / "doc/architecture.md").read_text().split("\n"):
        row = re.match(r"\| *(?:`[\w]+`)? *\| `(\w+)` \| (.*) \|$", line)
        if row:
            found[row[1]] = row[2]
    return found


def write_headers(folder):
    folder.mkdir()
    root = ROOT / "include/dalembert"
    described, pages = rooms(), []
    places = {"": sorted(root.glob("*.hpp"))}
    for room in described:
        places[room] = [path for path in sorted((root / room).rglob("*.hpp")) if "detail" not in path.parts]
    missing = {path.name for path in root.iterdir() if path.is_dir()} - set(described)
    assert not missing, f"doc/architecture.md has no row for {missing}"
    for room, headers in places.items():
        if not headers:
            continue
        name = room or "dalembert"
        page = [f"# {name}" if room else "# What programs include", described.get(room, "")]
        for header in headers:
            path = "dalembert/" + header.relative_to(root).as_posix()
            page += [f"({markdown.header_label(path)})=\n## {path}",
                     f"```{{doxygenfile}} {path}\n:sections: briefdescription detaileddescription innernamespace innerclass "
                     "func var typedef enum public-func public-attrib public-type public-static-func public-static-attrib\n```"]
        (folder / f"{name}.md").write_text("\n\n".join(page) + "\n")
        pages.append(name)
    text = ("Every public header by its room, in the order of the [architecture](../doc/architecture.md): a room includes those above it. "
            "Programs include `dalembert/dalembert.hpp`, or `dalembert/study.hpp` to read problems from files, and link "
            "`dalembert::dalembert` or `dalembert::study`. Names are in the namespace `dalembert` unless another is written.")
    (folder / "index.md").write_text(f"# C++ reference\n\n{text}\n\n" + markdown.toctree(pages))
