"""Fails if a page of the built site links to a page, a file or an anchor that does not exist. Other addresses are not
checked."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

SITE = Path(__file__).parents[2] / ".docs" / "site"


class Page(HTMLParser):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value and tag != "link":
                self.links.append(value)


def main() -> int:
    pages = {path: Page(path) for path in SITE.rglob("*.html")}
    faults = []
    for path, page in pages.items():
        # The error page is served at any address, so its links are relative to the site's root.
        base = SITE if path.name == "404.html" else path.parent
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = path if not parts.path else (base / unquote(parts.path).lstrip("/")).resolve()
            if target.is_dir():
                target /= "index.html"
            where = path.relative_to(SITE)
            if not target.exists():
                faults.append(f"{where}: {link} leads to nothing")
            elif (
                parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors | {"__top"}
            ):
                faults.append(f"{where}: {link} has no such anchor")
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links, {len(faults)} broken")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
