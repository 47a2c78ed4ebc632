"""Tests that every relative link of README and of the documentation works on GitHub: to a file of the
repository and to a heading in it.

The built site is checked by `docs/build/check_links.py`. Links to pages that only the site has (made by
`docs/build/stage.py` and `docs/build/notebooks.py`) point to the files that they are made from; the site's build turns
them into links to the pages."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = (
    ".github",
    "bench",
    "crates",
    "pages",
    "docs",
    "examples",
    "fuzz",
    "journeys",
    "python",
    "reference",
    "release",
    "torture",
)
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/pages/**/*.md"), *ROOT.glob("*/README.md")])

CODE = re.compile(r"^( *)```.*?^\1```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
FENCED = re.compile(r"^( *)```.*?^\1```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6} +(.*?) *(?:\{ *#(?P<id>[\w-]+) *\})?$", re.MULTILINE)
ANCHOR = re.compile(r"""<a [^>]*(?:id|name)=["']([^"']+)""")


def anchors(text: str) -> set[str]:
    """The fragments of headings: GitHub's, which are made from the words, and ids that a page defines."""
    found: dict[str, int] = {}
    ids = set(ANCHOR.findall(text))
    for heading in HEADING.finditer(FENCED.sub("", text)):
        if heading["id"]:
            ids.add(heading["id"])
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
        slug = re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")
        again = found.get(slug, 0)
        found[slug] = again + 1
        ids.add(f"{slug}-{again}" if again else slug)
    return ids


def faults(page: Path, root: Path) -> list[str]:
    """The broken links of a page."""
    wrong = []
    for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        if not (target.exists() and target.is_relative_to(root)):
            wrong.append(f"{link}: no such file in the repository")
        elif (
            parts.fragment
            and target.suffix == ".md"
            and unquote(parts.fragment) not in anchors(target.read_text(encoding="utf-8"))
        ):
            wrong.append(f"{link}: no such heading")
    return wrong


@pytest.mark.parametrize("name", [path.relative_to(ROOT).as_posix() for path in PAGES])
def test_links_lead_somewhere_on_github(name: str) -> None:
    assert not faults(ROOT / name, ROOT)


NAMED = re.compile(r"`([\w./-]+(?:\.(?:rs|py|ts|toml|tsv)|/))`")
MAPS = [
    ROOT / "ARCHITECTURE.md",
    ROOT / "crates/README.md",
    ROOT / "docs/pages/project/decisions.md",
]


@pytest.mark.parametrize("page", MAPS, ids=lambda page: page.stem)
def test_files_that_the_architecture_names_exist(page: Path) -> None:
    named = sorted(set(NAMED.findall(page.read_text(encoding="utf-8"))))
    assert not [name for name in named if not exists([part for part in name.split("/") if part])]


@cache
def sources() -> list[tuple[str, ...]]:
    paths = [path for folder in SOURCES for path in (ROOT / folder, *(ROOT / folder).rglob("*"))]
    return [path.relative_to(ROOT).parts for path in paths if "node_modules" not in path.parts]


def exists(parts: list[str]) -> bool:
    """Does such a path exist? It may be shortened: `formats/budget.rs` is crates/formats/src/budget.rs."""
    return any(in_order(parts, path) for path in sources())


def in_order(parts: list[str], path: tuple[str, ...]) -> bool:
    """Does a path contain these parts in this order, possibly with others in between, and end in the last?"""
    rest = iter(path)
    return path[-1] == parts[-1] and all(part in rest for part in parts)


def test_a_file_that_does_not_exist_is_found() -> None:
    assert exists(["formats", "budget.rs"]) and exists(["crates", "core"])
    assert not exists(["budget.rs", "formats"]) and not exists(["formats", "thrift.rs"])


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text(
        "# What a *run* is: `run.json`\n\n```console\n# No heading\n```\n\n## Again\n\n## Again\n\n## Score {#score}\n"
    )
    links = [
        "there.md",
        "there.md#what-a-run-is-runjson",
        "there.md#again-1",
        "there.md#score",
        "https://example.org/nothing",
        "mailto:a@b.c",
    ]
    dead = ["missing.md", "there.md#no-heading", "there.md#again-2", "../outside.md", "#nowhere"]
    page = tmp_path / "page.md"
    page.write_text(
        "# Page\n\n" + " ".join(f"[x]({link})" for link in [*links, *dead]) + " [y](#page) `[z](nothing.md)`\n"
    )
    assert [fault.split(": ")[0] for fault in faults(page, tmp_path)] == dead
