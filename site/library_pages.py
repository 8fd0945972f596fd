"""A page for each method and each problem, from what the program says of it: the formulas are those of `dalembert describe NAME --html`."""

import html
import pathlib
import re
import subprocess
import tomllib

import dalembert
import gallery
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


# Motions on which a method is shown, the first one that it runs on: driven, on a Lie group, with constraints on positions. Beside it
# stands a method for comparison.
SHOWN_ON = [("pendulum-cvt", "--start rotating --set parameters.epsilon=0.5"), ("suslov-so3", ""), ("spherical-pendulum", "")]
ON_GROUPS = {"lie-lobatto", "lie-newmark", "lie-midpoint", "chart", "moser-veselov"}


def method_figure(program, name, made):
    """The energy error of a method over time: the figure's file and the command that made it."""
    beside = "lobatto" if name == "runge-kutta-4" else "runge-kutta-4"
    for problem, choice in SHOWN_ON[1:] if name in ON_GROUPS else SHOWN_ON:
        if "can be used" not in said(program, "describe", name, "--with", problem):
            continue
        command = (f"dalembert run {problem} {choice} --method {name} --method {beside} --step 0.1 --until 300 "
                   f"--quantity energy --error --plot {name}.svg").replace("  ", " ")
        gallery.carry_out(program, command, made, believed=False)
        return f"{name}.svg", command
    raise SystemExit(f"no motion to show {name} on: {SHOWN_ON}")


def method_page(program, name, head, row, made):
    parts = formula_page(program, name)
    (title, text), rest = parts[0], parts[1:]
    figure, command = method_figure(program, name, made)
    # When to use it, when not, then the figure.
    page = [f"# {title}", *text[:2], raw(f'<img class="picture" src="../made/{figure}" alt="Energy error over time" loading="lazy">'),
            f"```console\n$ {command}\n```", *text[2:]]
    for heading, lines in rest:
        page += [f"## {heading}", *lines]
    page += ["## Measured", "Orders, properties and long runs as the [audit](../doc/audit.md) has measured them with the default options:",
             "| " + " | ".join(head) + " |\n|" + "---|" * len(head) + "\n| " + " | ".join(row) + " |",
             f"```console\n$ dalembert audit {name}\n$ dalembert describe {name} --with pendulum-cvt   # does it fit, and if not, why\n```"]
    return "\n\n".join(page) + "\n"


def write_methods(program, folder, made):
    folder.mkdir()
    head, rows = audit_rows()
    names = list(dalembert.methods())
    assert set(names) == set(rows), "the table of doc/audit.md has other methods than the library"
    for name in names:
        (folder / f"{name}.md").write_text(method_page(program, name, head, rows[name], made))
    table = ["| method | " + " | ".join(head) + " |", "|---" * (len(head) + 1) + "|"]
    table += [f"| [`{name}`]({name}.md) | " + " | ".join(rows[name]) + " |" for name in names]
    text = ("Each method with the equations of its step as the program has them, what it promises, what it needs and what was measured. "
            "What they promise in one table, their other names, and what is special about families of them: [Methods](../doc/methods.md). "
            "What the [audit](../doc/audit.md) has measured:\n\n" + "\n".join(table))
    (folder / "index.md").write_text(f"# The methods one by one\n\n{text}\n\n" + markdown.toctree(names))


# How a problem is shown whose motion is not in the gallery, and those that need another run.
USUAL_RUN = "--tolerance 1e-8 --until 20 --every 0.04"
RUNS = {"roller-racer": USUAL_RUN.replace("20", "7"),  # then its constraints become dependent
        "veselova-4": "--method lobatto --step 0.02 --until 20"}


def problem_motion(program, name, made):
    """The motion of a problem, as it plays, or, where the problem does not say how it looks, its coordinates over time."""
    problem = tomllib.loads((ROOT / f"problems/{name}.toml").read_text())
    shown = gallery.motions().get(name)
    run = shown["run"] if shown else RUNS.get(name, USUAL_RUN)
    if "picture" in problem:
        return gallery.motion_text(name, f"Motion of {name}", gallery.make_motion(program, name, run, made))
    quantities = " ".join(f"--quantity {one}" for one in dalembert.load(name).positions[:3])
    command = f"dalembert run {name} {run} {quantities} --plot {name}.svg"
    gallery.carry_out(program, command, made)
    return raw(f'<img class="picture" src="../made/{name}.svg" alt="Coordinates over time" loading="lazy">') + f"\n\n```console\n$ {command}\n```"


def problem_page(program, name, made):
    parts = formula_page(program, name)
    (title, text), rest = parts[0], parts[1:]
    page = [f"# {title}", text[0], problem_motion(program, name, made), *text[1:]]
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


def write_problems(program, folder, made):
    folder.mkdir()
    names = dalembert.problems()
    for name in names:
        (folder / f"{name}.md").write_text(problem_page(program, name, made))
    text = ("Each problem with its Lagrangian, constraints and integrals, its starts, the methods that fit, and the file that it is. "
            "All of them in one table: [Problems](../doc/problems.md).")
    (folder / "index.md").write_text(f"# The problems one by one\n\n{text}\n\n" + markdown.toctree(names))
