"""The pages that go with the program: README and what it links to, with links that lead somewhere from where the pages then are."""
import os
import re
from pathlib import Path

from staging import ROOT, compress, files, install, write

LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
CHANGES = "CHANGELOG.md"


def with_links(text, page, shipped):
    """The text of a page. `shipped`: where things are beside README.md, by where they are in the source; what is not there is named and not linked."""
    def link(found):
        label, target, anchor = found[1], found[2], found[3] or ""
        if re.match(r"[a-z]+:", target):
            return found[0]
        place = shipped.get(os.path.normpath(Path(page).parent / target))
        if place is None:
            return label
        return f"[{label}]({os.path.relpath(place, Path(shipped[page]).parent)}{anchor})"
    return LINK.sub(link, text)


def add(folder, licence):
    """Into the folder of documents. `licence`: where the licence is, seen from there."""
    shipped = {str(page.relative_to(ROOT)): str(page.relative_to(ROOT)) for page in files(ROOT / "docs")}
    shipped |= {page: page for page in ("README.md", "CONTRIBUTING.md", "SECURITY.md")}
    shipped |= {CHANGES: f"{CHANGES}.gz", "LICENSE": licence}
    for page, place in shipped.items():
        if page == CHANGES:
            compress(with_links((ROOT / page).read_text(), page, shipped), folder / place)
        elif page.endswith(".md"):
            write(folder / place, with_links((ROOT / page).read_text(), page, shipped))
        elif page != "LICENSE":
            install(ROOT / page, folder / place)
