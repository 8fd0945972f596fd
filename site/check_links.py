"""Follows every link of the pages of a folder: to pages, to places within them, to pictures and files. Addresses elsewhere are not asked for.

    site/check_links.py FOLDER
"""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The places of a page that can be linked to, and what it links to."""

    def __init__(self, path):
        super().__init__()
        self.places, self.links = set(), set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key == "id" or (key == "name" and tag == "a"):
                self.places.add(value)
            elif key in ("href", "src") and value:
                self.links.add(value)


def broken_links(folder):
    """Pages with the links on them that lead nowhere, and the number of links followed."""
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    wrong, followed = [], 0
    for path, page in pages.items():
        for link in sorted(page.links):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            followed += 1
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target = target / "index.html"
            if not target.exists():
                wrong.append((path, link, "there is no such page or file"))
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].places:
                wrong.append((path, link, "the page has no such place"))
    return wrong, followed


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    wrong, followed = broken_links(folder)
    for path, link, reason in wrong:
        print(f"{path.relative_to(folder)}: {link}: {reason}")
    print(f"{followed} links followed, {len(wrong)} lead nowhere")
    return 1 if wrong or not followed else 0


if __name__ == "__main__":
    sys.exit(main())
