"""Names the project's repository wherever a registry or a reader looks for it: name_repository.py URL.

That is every crate, the Python package and the citation. It is run once, when there is a repository, and what it writes
is committed; the release workflow refuses to publish what does not name the repository that it runs in."""

import argparse
import re
from pathlib import Path

LICENSE_LINE = "license.workspace = true\n"
REPOSITORY_LINE = "repository.workspace = true\n"
URLS = re.compile(r"\[project\.urls\]\n(?:[^\[\n].*\n)*\n")


def replaced(path: Path, pattern: str, line: str, behind: str) -> None:
    """Puts the line in place of the one that the pattern finds, or behind the first one that `behind` finds."""
    text = re.sub(pattern, "", path.read_text(), flags=re.MULTILINE)
    found = re.search(behind, text, flags=re.MULTILINE)
    if found is None:
        raise SystemExit(f"{path}: no line is like {behind!r}")
    path.write_text(text[: found.end()] + line + text[found.end() :])


def name_repository(root: Path, url: str) -> None:
    """Writes the address into all files below `root` that say it."""
    replaced(root / "Cargo.toml", r"^repository = .*\n", f'repository = "{url}"\n', r'^license = "MIT.*\n')
    for manifest in sorted(root.glob("crates/*/Cargo.toml")):
        replaced(manifest, r"^repository\.workspace.*\n", REPOSITORY_LINE, rf"^{re.escape(LICENSE_LINE)}")
    project = root / "pyproject.toml"
    urls = (
        f'[project.urls]\nRepository = "{url}"\nIssues = "{url}/issues"\nChangelog = "{url}/blob/main/CHANGELOG.md"\n\n'
    )
    text = URLS.sub("", project.read_text())
    project.write_text(text.replace("[project.scripts]\n", f"{urls}[project.scripts]\n", 1))
    for citation in (root / "CITATION.cff", root / "crates/guide/CITATION.cff"):
        replaced(citation, r"^repository-code: .*\n", f'repository-code: "{url}"\n', r"^version: .*\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="such as https://host/owner/neurogauge")
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1], help="the checkout to write into")
    arguments = parser.parse_args()
    if not re.fullmatch(r"https://[^\s\"]+[^\s\"/]", arguments.url):
        raise SystemExit(f"{arguments.url} is no address; expected https://... without a slash at the end")
    name_repository(arguments.root, arguments.url)
