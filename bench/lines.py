#!/usr/bin/env python3
"""Counts the lines of each idea in lines.csv: how much there is to read in each crate and each folder beside the
crates. Documentation is counted in words.

`bench/lines.py` writes the table. `bench/lines.py --check` fails if the table differs from the tree, and if an idea has
grown by more than 1% since the branch began, unless its row gives a reason in the column `why`. It also fails if a
number in `guards.csv`, which the architecture tests compare with the code, is larger than at that time. Past numbers
are those that were committed then; without git or its history, the committed tables are compared with themselves."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINES, GUARDS = "bench/lines.csv", "bench/guards.csv"
COLUMNS = ["idea", "source", "inline_tests", "tests", "why"]
# How much an idea may grow without a reason.
GROWTH = 0.01
CODE = {".py", ".pyi", ".rs", ".sh", ".ts", ".css", ".html", ".mjs", ".c"}
NOT_OURS = {"node_modules", "dist", ".build", "target", "__pycache__", "corpus", "artifacts", "golden"}
# Written by `make written`.
WRITTEN = re.compile(r"_from_registry\.py$|/command-line\.md$")
# Ideas that are not crates: their folders, and where their tests are.
FOLDERS: dict[str, tuple[list[str], list[str]]] = {
    "examples": (["examples", "crates/*/examples"], []),
    "pages": (["pages", "crates/*/page"], ["crates/*/page/tests"]),
    "python": (["python"], ["python/tests"]),
    "docs": (["docs/pages"], []),
    "docs build": (["docs/build"], []),
    "reference": (["reference"], ["reference/checks"]),
    "bench": (["bench"], []),
    "run of the tests": (["tests"], []),
    "journeys": (["journeys"], []),
    "release": (["release"], []),
    "fuzz and torture": (["fuzz", "torture"], []),
}
TEST_MODULE = re.compile(r"^( *)#\[cfg\(test\)\]\n(?: *#\[.*\]\n)*( *)(?:pub(?:\(crate\))? )?mod (\w+)( \{|;)\n", re.M)


def files(folders: list[str], endings: set[str]) -> set[Path]:
    """The files in some folders, without those that programs write."""
    found = (
        path
        for pattern in folders
        for folder in ROOT.glob(pattern)
        for path in folder.rglob("*")
        if path.suffix in endings
    )
    return {
        path
        for path in found
        if path.is_file() and not NOT_OURS & set(path.relative_to(ROOT).parts) and not WRITTEN.search(path.as_posix())
    }


def n_lines(paths: set[Path]) -> int:
    """Number of lines in all files."""
    return sum(path.read_text(encoding="utf-8").count("\n") for path in paths)


def inline_tests(path: Path) -> tuple[int, set[Path]]:
    """Number of lines in a Rust file's test modules, and the paths of those that are separate files."""
    text, n, apart = path.read_text(encoding="utf-8"), 0, set()
    for found in TEST_MODULE.finditer(text):
        _, indent, name, opening = found.groups()
        n += found.group().count("\n")
        if opening == ";":
            folder = path.parent if path.name in ("mod.rs", "lib.rs", "main.rs") else path.with_suffix("")
            apart |= {folder / f"{name}.rs"} & files([str(folder.relative_to(ROOT))], {".rs"})
            apart |= files([str((folder / name).relative_to(ROOT))], {".rs"})
        else:
            n += text[found.end() :].split(f"\n{indent}}}\n")[0].count("\n") + 2
    return n, apart


def crate(folder: Path) -> tuple[int, int, int]:
    """Source, inline tests and tests of a crate."""
    place = folder.relative_to(ROOT).as_posix()
    source = files([f"{place}/src"], {".rs"})
    found = {path: inline_tests(path) for path in source}
    apart = set().union(*(others for _, others in found.values()))
    inline = n_lines(apart) + sum(n for path, (n, _) in found.items() if path not in apart)
    return n_lines(source) - inline, inline, n_lines(files([f"{place}/tests"], {".rs", ".c"}))


def counted() -> dict[str, tuple[int, int, int]]:
    """Source, inline tests and tests of each idea in the tree."""
    crates = sorted(path.parent for path in ROOT.glob("crates/*/Cargo.toml"))
    ideas = {folder.name: crate(folder) for folder in crates}
    # The extension module's crate and the package's folder have the same name.
    ideas["python extension"] = ideas.pop("python")
    for idea, (folders, of_tests) in FOLDERS.items():
        if idea == "docs":
            words = sum(len(path.read_text(encoding="utf-8").split()) for path in files(folders, {".md"}))
            ideas[idea] = (words, 0, 0)
            continue
        tests = files(of_tests, CODE)
        ideas[idea] = (n_lines(files(folders, CODE) - tests), 0, n_lines(tests))
    return ideas


def git(*arguments: str) -> str | None:
    """The output of git; None if it fails."""
    try:
        run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return run.stdout if run.returncode == 0 else None


def base() -> str:
    """The commit at which this branch began. If the branch has no commits of its own, it is HEAD if something has
    changed since, otherwise the commit before."""
    head = git("rev-parse", "HEAD")
    found = (git("merge-base", "HEAD", main) for main in ("origin/main", "main"))
    without = "HEAD" if git("status", "--porcelain") else "HEAD~1"
    return next((commit.strip() for commit in found if commit and commit != head), without)


def then(table: str) -> list[dict[str, str]]:
    """The rows of a table at the base, or the present ones if history does not have it."""
    text = git("show", f"{base()}:{table}")
    return rows(table) if text is None else list(csv.DictReader(io.StringIO(text)))


def rows(table: str) -> list[dict[str, str]]:
    """The rows of a committed table; empty if it is new."""
    path = ROOT / table
    return list(csv.DictReader(path.open(encoding="utf-8", newline=""))) if path.exists() else []


def grown(before: dict[str, str] | None, now: tuple[int, int, int]) -> list[str]:
    """A sentence if an idea has grown by more than is allowed."""
    before = before or {}
    of_then = [int(before.get(column) or 0) for column in COLUMNS[1:4]]
    parts = [("source", of_then[0], now[0]), ("tests", sum(of_then[1:]), sum(now[1:]))]
    return [f"{name} from {was} to {found}" for name, was, found in parts if found > was * (1 + GROWTH)]


def table() -> list[dict[str, str]]:
    """The table for the tree. A reason stays with the growth that it explains."""
    before = {row["idea"]: row for row in then(LINES)}
    reasons = {row["idea"]: row["why"] for row in rows(LINES)}
    return [
        dict(
            zip(
                COLUMNS,
                [idea, *map(str, now), reasons.get(idea, "") if grown(before.get(idea), now) else ""],
                strict=True,
            )
        )
        for idea, now in counted().items()
    ]


def faults() -> list[str]:
    """What is wrong with the committed tables."""
    found, before = [], {row["idea"]: row for row in then(LINES)}
    known = {row["idea"]: row for row in rows(LINES)}
    if [[row[column] for column in COLUMNS[:4]] for row in known.values()] != [
        [row[column] for column in COLUMNS[:4]] for row in table()
    ]:
        found.append(f"{LINES} is not that of the tree: write it with `make written` (or {Path(__file__).name} alone)")
    for idea, now in counted().items():
        was, why = before.get(idea), known.get(idea, {}).get("why", "")
        # A reason that was there before belongs to an earlier growth.
        if not why or why == (was or {}).get("why"):
            found += [
                f"{LINES}: {idea} has grown, {what}; make it smaller, or say what for in the column `why` of its row"
                for what in grown(was, now)
            ]
    allowed = {row["guard"]: int(row["n"]) for row in then(GUARDS)}
    for row in rows(GUARDS):
        if int(row["n"]) > allowed.get(row["guard"], 0):
            found.append(
                f"{GUARDS}: {row['guard']} is {row['n']} and was {allowed.get(row['guard'], 0)}; it may only shrink"
            )
    return found


def main() -> None:
    """Writes the table, or checks both."""
    if sys.argv[1:] == ["--check"]:
        sys.exit("\n".join(faults()) or 0)
    if sys.argv[1:]:
        sys.exit(f"usage: {sys.argv[0]} [--check]")
    written = table()
    with (ROOT / LINES).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(written)


if __name__ == "__main__":
    main()
