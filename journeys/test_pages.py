"""Tests that every command and every piece of Python in README and the documentation does what the page says."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from pathlib import Path

import pytest

from inputs import PAGES, prepare
from pages import Reader, agrees, environment, faults, steps
from terminal import pipe

ROOT = Path(__file__).parents[1]
# With NEUROGAUGE_WRITE=1, outputs that pages show in full are updated. Read the difference before you commit it.
WRITE = os.environ.get("NEUROGAUGE_WRITE") == "1"

EVERY_PAGE = sorted(
    str(path.relative_to(ROOT))
    for path in [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/pages/**/*.md"),
        *ROOT.glob("*/README.md"),
        ROOT / "crates/cli/README.md",
    ]
    if steps(path.read_text(encoding="utf-8"))
)


@pytest.mark.parametrize("name", EVERY_PAGE)
def test_a_page_does_what_it_says(name: str, tmp_path: Path, binary: Path, demo: Path) -> None:
    page = ROOT / name
    text = page.read_text(encoding="utf-8")
    folder = tmp_path / "here"
    folder.mkdir()
    variables = environment(binary, tmp_path)
    prepare(name, folder, demo, binary, variables)
    reader = Reader(folder, variables)
    wrong, right = faults(text, reader, WRITE)
    if WRITE and right != text:
        page.write_text(right, encoding="utf-8")
    assert not wrong, "\n\n".join([name, *wrong])


# The site has a page for each metric, generated from the registry, which ends in this command.
METRICS = [metric["id"] for metric in json.loads((ROOT / "docs" / "metrics.json").read_text(encoding="utf-8"))]


def test_the_command_on_the_page_of_each_metric_is_understood(tmp_path: Path, binary: Path, demo: Path) -> None:
    variables = environment(binary, tmp_path)
    prepare("", tmp_path, demo, binary, variables)
    # Metrics of captions or masks need more than images, and some need weights; the answer says so.
    needs = re.compile(r"needs|missing weights|weights of|give|--observations|placeholder|--parts frame", re.IGNORECASE)
    for metric in METRICS:
        words = ["score", "stimuli", "decoded", "--metrics", metric, "--out", f"runs/{metric}", "--dry-run"]
        shown = pipe([str(binary), *words], tmp_path, variables)
        assert shown.code == 0 or (shown.code in (1, 2) and needs.search(shown.text)), shown.text


def test_inputs_are_prepared_for_pages_that_there_are() -> None:
    assert set(PAGES) <= set(EVERY_PAGE)


def test_what_is_not_run_has_a_reason_that_tests_cannot_meet() -> None:
    every = [step for name in EVERY_PAGE for step in steps((ROOT / name).read_text(encoding="utf-8"))]
    reasons = Counter(step.reason for step in every if step.reason)
    kinds = (
        "needs a network",
        "needs a GPU",
        "needs a server",
        "needs a cluster",
        "needs NSD",
        "needs a compiler",
        "needs a browser",
    )
    assert all(reason.startswith(kinds) for reason in reasons), reasons
    # Shown by `pytest -rA`, or by a failure.
    print(f"{len(every)} commands and pieces of Python, {sum(reasons.values())} of them not run: {dict(reasons)}")


def test_pages_are_read_as_their_readers_read_them() -> None:
    first, second, third = steps(
        "```console\n$ a \\\n    b   # needs a GPU\n$ c\nerror: no ...\n```\n\n```python\nx = 1\n```\n"
    )
    assert (first.source, first.reason, first.shown) == ("a \\\n    b   # needs a GPU", "needs a GPU", "")
    assert (second.source, second.reason, second.shown) == ("c", None, "error: no ...")
    assert (third.language, third.source, third.shown) == ("python", "x = 1", "")
    assert (
        agrees("a\n...\nd", "a\nb\nc\nd\n") and agrees("in ... s", "in 0.23 s") and not agrees("mean 0.61", "mean 0.62")
    )
