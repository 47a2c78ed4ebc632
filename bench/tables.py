"""Writes the tables of README.md and the page of benchmarks from measurements.toml, the only place where measured
numbers are kept.

    python3 bench/tables.py            # writes them
    python3 bench/tables.py --check    # fails if they differ, and says where

A table is below a line `<!-- table: ID -->`, and its date, machine and commit are below the table.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/pages/project/benchmarks.md")
CELL = re.compile(r"\{([\w-]+)/(\d+)/(\d+)\}")
TABLE = re.compile(r"<!-- table: (?P<id>[\w-]+) -->\n(?:\|.*\n)*(?:\n\*Measured .*\*\n)?")


def tables() -> dict[str, dict]:
    """Every table by its id; cells that refer to another table are filled in."""
    read = tomllib.loads((ROOT / "bench" / "measurements.toml").read_text(encoding="utf-8"))["tables"]
    by_id = {table["id"]: table for table in read}
    if len(by_id) != len(read):
        raise SystemExit("bench/measurements.toml: two tables have the same id")
    for table in read:
        for row in table["rows"]:
            if len(row) != len(table["columns"]):
                raise SystemExit(f"bench/measurements.toml: {table['id']}: a row has {len(row)} cells: {row}")
            row[:] = [CELL.sub(lambda cell: by_id[cell[1]]["rows"][int(cell[2])][int(cell[3])], text) for text in row]
    return by_id


def written(table: dict) -> str:
    """The table, with the line about its origin."""
    lines = [table["columns"], ["---"] * len(table["columns"]), *table["rows"]]
    text = "".join(
        "|" + "|".join(f" {cell} " if cell != "---" else cell for cell in row).replace("  ", " ") + "|\n"
        for row in lines
    )
    where = (
        f"\n*Measured {table['measured']}, {table['machine']}; commit {table['commit']}.*\n"
        if "commit" in table
        else ""
    )
    return f"<!-- table: {table['id']} -->\n{text}{where}"


def page(text: str, known: dict[str, dict]) -> tuple[str, set[str]]:
    """A page with up-to-date tables, and their ids."""
    found = set(TABLE.findall(text))
    return TABLE.sub(lambda place: written(known[place["id"]]), text), found


def main() -> None:
    known = tables()
    shown: set[str] = set()
    differing = []
    for name in PAGES:
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        right, found = page(text, known)
        shown |= found
        if right != text:
            differing.append(name)
            if "--check" not in sys.argv:
                path.write_text(right, encoding="utf-8")
    if wrong := {name for name, table in known.items() if table.get("shown", True) != (name in shown)}:
        raise SystemExit(f"bench/measurements.toml: `shown` is wrong of {', '.join(sorted(wrong))}")
    if differing and "--check" in sys.argv:
        raise SystemExit(f"{', '.join(differing)}: not what bench/measurements.toml says; run bench/tables.py")


if __name__ == "__main__":
    main()
