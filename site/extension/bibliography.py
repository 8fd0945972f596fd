"""The list of the bibliography begins as docutils 0.19 closes it, which takes the last entry for the one before the first."""

from docutils import nodes


def begin_lists(app, tree, name):
    for entry in list(tree.findall(nodes.citation)):
        if entry.parent.index(entry) == 0:
            entry.parent.insert(0, nodes.comment())


def setup(app):
    app.connect("doctree-resolved", begin_lists)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
