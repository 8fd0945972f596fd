"""Headers in the C++ reference: what a header declares stands under its name, without a block for each namespace that it opens."""

from breathe.renderer.sphinxrenderer import SphinxRenderer


def visit_namespace(renderer, node):
    """What the namespace holds of this header, with its full names; Breathe would declare the namespace once for every header."""
    found = renderer.compound_parser.parse(node.refid)
    parent = renderer.context.create_child_context(found)
    with_namespace = parent.create_child_context(found.compounddef)
    before, renderer.context = renderer.context, with_namespace
    try:
        return renderer.render(found, parent)
    finally:
        renderer.context = before


def setup(app):
    SphinxRenderer.visit_namespace = visit_namespace
    return {"parallel_read_safe": True, "parallel_write_safe": True}
