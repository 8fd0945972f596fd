"""The gallery: motions that play and pictures, each with the commands that made it; these commands are run here."""

import os
import pathlib
import shlex
import shutil
import subprocess
import tomllib

import markdown

ROOT = pathlib.Path(__file__).resolve().parent.parent


def carry_out(program, command, folder, believed=True):
    """A command as a user types it; unless `believed` is False, nothing may be wrong with what it shows."""
    words = shlex.split(command)
    assert words[0] == "dalembert", command
    done = subprocess.run([program, *words[1:]], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    # A motion that the program warns of is none to show.
    if done.returncode != 0 or believed and "warning" in done.stderr:
        raise SystemExit(f"gallery: {command}\n{done.stderr}")


def figure(page, picture, title):
    return (f'<figure><a href="{page}"><img src="{picture}" alt="{title}" loading="lazy"></a>'
            f'<figcaption><a href="{page}">{title}</a></figcaption></figure>')


def make_motion(program, name, run, made):
    """The page `name`.html on which a problem moves; gives the commands that made it."""
    commands = [f"dalembert run {name} {run} --out {name}.h5", f"dalembert animate {name}.h5 --out {name}.html"]
    for command in commands:
        carry_out(program, command, made)
    return commands


def motion_text(name, title, commands):
    """A motion that plays, and its commands, on a page one folder below the top."""
    shown = "\n".join("$ " + command for command in commands)
    return (f'```{{raw}} html\n<iframe class="motion" src="../made/{name}.html" title="{title}" loading="lazy"></iframe>\n```\n\n'
            f"```console\n{shown}\n```\n")


def motions():
    """The motions of the gallery, by problem."""
    return {entry["problem"]: entry for entry in tomllib.loads((ROOT / "site/gallery.toml").read_text())["motion"]}


def write_motion(program, entry, folder, made):
    """The page of a motion; gives its figure for the index."""
    name = entry["problem"]
    commands = make_motion(program, name, entry["run"], made)
    carry_out(program, f"dalembert animate {name}.h5 --out {name}.gif --size 320x220 --seconds 6", made)
    (made / f"{name}.h5").unlink()
    (folder / f"motion-{name}.md").write_text(f"""# {entry['title']}

{entry['text']}

{motion_text(name, entry['title'], commands)}

The problem: [`{name}`](../problem/{name}.md). What can be done with such a page: [Motions on the screen](../doc/animation.md).
""")
    return f"motion-{name}", figure(f"motion-{name}.html", f"../made/{name}.gif", entry["title"])


def write_picture(program, entry, folder, made):
    if "kept" in entry:
        picture = pathlib.Path(entry["kept"]).name
        shutil.copyfile(ROOT / entry["kept"], made / picture)
    else:
        picture = entry["picture"]
        carry_out(program, entry["command"], made)
        assert (made / picture).exists(), f"gallery: {entry['command']} leaves no {picture}"
    if "program" in entry:
        source = f"Made by [{entry['program']}](../{markdown.program_page(entry['program'])})."
    else:
        source = f"```console\n$ {entry['command']}\n```"
    name = "picture-" + pathlib.Path(picture).stem
    image = f'<img class="picture" src="../made/{picture}" alt="{entry["title"]}">'
    (folder / f"{name}.md").write_text(f"# {entry['title']}\n\n{entry['text']}\n\n```{{raw}} html\n{image}\n```\n\n{source}\n")
    return name, figure(name + ".html", f"../made/{picture}", entry["title"])


def write(program, folder, made):
    """The pages of the gallery in the folder; what they show goes to made."""
    folder.mkdir()
    entries = tomllib.loads((ROOT / "site/gallery.toml").read_text())
    parts, pages = ["# Gallery", "Each with the program that made it."], []
    for title, kind, write_page in (("Motions", "motion", write_motion), ("Pictures", "picture", write_picture)):
        found = [write_page(program, entry, folder, made) for entry in entries[kind]]
        pages += [name for name, _ in found]
        parts += [f"## {title}", "```{raw} html\n<div class=\"gallery\">\n" + "\n".join(shown for _, shown in found) + "\n</div>\n```"]
    parts.append(markdown.toctree(pages, ":hidden:"))
    (folder / "index.md").write_text("\n\n".join(parts))
