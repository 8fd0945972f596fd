"""Puts the page that computes into a folder, beside the libraries that are there.

    browser/assemble_page.py COMPUTATION FOLDER     COMPUTATION is the script that Emscripten has made
"""

import base64
import hashlib
import json
import pathlib
import sys

PAGE = pathlib.Path(__file__).resolve().parent / "page"
STYLES = ["dygraph.min.css", "codemirror.css", "page.css"]
SCRIPTS = ["dygraph.min.js", "codemirror.js", "toml.js", "worker-text.js", "computation.js", "curves.js", "page.js"]


def body(place=""):
    """What the page shows, with its styles and scripts from a folder."""
    styles = "".join(f'<link rel="stylesheet" href="{place}{name}">\n' for name in STYLES)
    scripts = "".join(f'<script src="{place}{name}"></script>\n' for name in SCRIPTS)
    return styles + (PAGE / "fragment.html").read_text() + scripts


def policy():
    """What the page may do: run its own scripts, that of motions, and what is compiled; ask nobody for anything."""
    player = (PAGE.parents[1] / "src/picture/motion/player.js").read_bytes()
    motions = base64.b64encode(hashlib.sha256(player).digest()).decode()
    return (f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'sha256-{motions}'; worker-src blob:; connect-src data:; "
            "style-src 'self' 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'")


def assemble(computation, folder):
    for file in PAGE.iterdir():
        if file.name in STYLES + SCRIPTS:
            (folder / file.name).write_text(file.read_text())
    worker = computation.read_text() + "\n" + (PAGE / "worker.js").read_text()
    (folder / "worker-text.js").write_text(f"const dalembertComputation = {json.dumps(worker)};\n")
    (folder / "index.html").write_text(
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy()}">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<title>dalembert in the browser</title>\n<style>body { margin: 1rem; font: 16px/1.5 system-ui, sans-serif; }</style>\n</head>\n<body>\n"
        f"<h1>dalembert in the browser</h1>\n{body()}</body>\n</html>\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    assemble(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
