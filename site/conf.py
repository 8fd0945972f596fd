"""How Sphinx makes the site of the pages that assemble.py has laid out; see tool/build_site."""

import pathlib
import sys

from sphinx.ext.autodoc import preserve_defaults

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "site/extension"))

project = "dalembert"
author = "The dalembert developers"
copyright = "the dalembert developers"
extensions = ["myst_parser", "nbsphinx", "breathe", "sphinx.ext.autodoc", "sphinxcontrib.bibtex", "sphinx_copybutton", "bibliography", "headers",
              "mathml", "theme"]

myst_enable_extensions = ["dollarmath", "attrs_image"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
html_math_renderer = "mathml"

breathe_projects = {"dalembert": str(ROOT / "build/site/xml")}
breathe_default_project = "dalembert"
breathe_show_include = False

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
_update_defaults = preserve_defaults.update_defvalue


def update_defaults(app, function, bound_method):
    """Defaults as their source has them, but for functions whose arguments come from elsewhere, too: the source lacks those."""
    if "__signature__" not in getattr(function, "__dict__", {}):
        _update_defaults(app, function, bound_method)


preserve_defaults.update_defvalue = update_defaults
autodoc_type_aliases = {name: name for name in (
    "Array", "ComplexArray", "EventFunction", "Expressions", "MethodChoice", "MethodLike", "Named", "ProblemLike", "ProgressChoice",
    "Scalar", "StepEquations", "Vector", "npt.ArrayLike")}
python_use_unqualified_type_names = True

bibtex_bibfiles = ["doc/references.bib"]
bibtex_default_style = "plain"

nbsphinx_execute = "always"
nbsphinx_prompt_width = "0"
nbsphinx_timeout = 120
nbsphinx_requirejs_path = ""

copybutton_exclude = ".linenos, .gp, .go"
copybutton_prompt_text = "$ "

html_theme = "furo"
html_title = "dalembert"
html_static_path = [str(ROOT / "site/static"), "/usr/share/texmf/fonts/opentype/public/lm-math/latinmodern-math.otf"]
html_css_files = ["site.css"]
html_extra_path = [str(ROOT / "build/site/extra")]
html_copy_source = False
html_show_sourcelink = False
pygments_style = "friendly"
pygments_dark_style = "native"
