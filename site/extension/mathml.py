"""Formulas as MathML, by pandoc while the pages are made: nothing is loaded or run when they are read."""

import functools
import subprocess

from docutils import nodes
from sphinx.util import logging

logger = logging.getLogger(__name__)


@functools.lru_cache(maxsize=None)
def mathml(text, display):
    """The formula as an element of HTML; what pandoc does not understand is a warning."""
    quotes = "$$" if display else "$"
    text = text.strip().removeprefix("$$").removesuffix("$$")  # outputs of notebooks have them still
    made = subprocess.run(["pandoc", "--from=latex", "--to=html", "--mathml"], input=quotes + text + quotes,
                          capture_output=True, text=True, check=True)
    if made.stderr or "<math" not in made.stdout:
        logger.warning("pandoc makes no formula of %s: %s", text, made.stderr.strip())
    formula = made.stdout.strip().removeprefix("<p>").removesuffix("</p>")
    # Pandoc lets all parentheses grow; LaTeX only those that ask for it.
    return formula if r"\left" in text else formula.replace('stretchy="true"', 'stretchy="false"')


def write_inline(writer, node):
    writer.body.append(mathml(node.astext(), False))
    raise nodes.SkipNode


def write_display(writer, node):
    writer.body.append(writer.starttag(node, "div", CLASS="formula") + mathml(node.astext(), True) + "</div>\n")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (write_inline, None), (write_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
