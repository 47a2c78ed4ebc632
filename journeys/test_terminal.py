"""Tests what every command shows in terminals of several widths, with and without colour, and in a pipe.

No escape code shows as text, no number is broken by the edge of the terminal, and there are colours only if they are
wanted. Each command is run for its normal output; commands that warn, fail, draw a progress bar or are interrupted have
separate cases."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from inputs import PAGES, prepare
from pages import environment
from responses import write_responses
from terminal import AS_TEXT, Shown, pipe, run

WIDTHS = (40, 80, 200)

# The command lines, and a word in the output of each. Those in WARNS also print a warning.
NORMAL = {
    "score": ("score stimuli decoded --metrics pixcorr,ssim", "SSIM"),
    "score dry run": ("score stimuli decoded --observations obs --dry-run", "compare"),
    "score observations": ("score --observations obs --metrics object_f1,snm", "ObjectF1"),
    "check": ("check stimuli decoded", "pairsofimages"),
    "compare": ("compare runs/mine runs/blurred", "system"),
    "meta": ("meta --human ratings.csv --metrics mine.csv --higher-is-better mine --resamples 50 --out meta", "mine"),
    "audit": ("audit --test clip.npy --recon decoded.npy --clusters 5 --resamples 50 --no-figures --out a", "cluster"),
    "multiverse": ("multiverse stimuli mine=decoded --metrics pixcorr --no-figures --out u", "conventions"),
    "list": ("list metrics", "SSIM"),
    "list presets": ("list presets", "mindeye2"),
    "list protocols": ("list protocols", "nsd-982"),
    "list conventions": ("list conventions", "pixel-size"),
    "list models": ("list models", "alexnet"),
    "list prompts": ("list prompts", "prompt"),
    "board": ("board --help", "Usage:"),
    "score shapes": ("score shapes --help", "Usage:"),
    "score sets": ("score sets clip.npy decoded.npy --out sets", "KID"),
    "score embeddings": ("score embeddings clip.npy decoded.npy --candidates 50 --out retrieval", "forward"),
    "score captions": ("score captions coco.json decoded.json --out caption", "BLEU"),
    "perceive": ("perceive --images stimuli --with placeholder --out features", "mean-colours"),
    "gallery": ("gallery --recon a=runs/mine --pick best,worst --metric ssim --out g.png", "g.png"),
    "report": ("report runs/mine runs/blurred --out page.html", "page.html"),
    "study": ("study --gt stimuli --recon mine=decoded --metrics pixcorr,ssim --out study", "study"),
    "survey": ("survey make --gt stimuli --recon A=recons/a --raters 2 --out survey", "survey"),
    "survey power": ("survey power --pairs 20 --raters 3 --correlation 0.5 --simulations 5", "0.5"),
    "cluster plan": ("cluster plan score stimuli decoded --metrics pixcorr --out planned", "planned"),
    "demo": ("demo --out drawn", "neurogauge"),
    "list metrics ssim": ("list metrics ssim", "SSIM"),
    "models": ("models --help", "fetch"),
    "doctor": ("doctor", "cache"),
    "cache": ("cache size", "inall"),
    "cite": ("cite runs/mine", "@"),
    "align": ("align --config align.toml --out aligned", "BrainRefScore"),
    "score boxes": ("score boxes boxes.json decoded-boxes.json --out ground", "IoU"),
    "score masks": ("score masks instances.json results.json", "AP"),
    "cluster work": ("cluster work planned-run --shard 0/2", ""),
    "cluster finish": ("cluster finish planned-run", "PixCorr"),
    "cluster status": ("cluster status planned-run --shards 4", "waiting"),
    "completions": ("help --completions fish", "neurogauge"),
    "man": ("help --man", "neurogauge"),
    "help": ("--help", "score"),
    "help of score": ("score -h", "--metrics"),
    "help of study": ("study -h", "--config"),
}
# Things to keep in mind appear as `warning: ...` before the table.
WARNS = {
    "score": "score stimuli stimuli --metrics ssim",
    "meta": "meta --human ratings-by-question.csv --metrics mine.csv --resamples 50 --out m",
    "survey": "survey make --gt stimuli --recon A=recons/a --raters 2 --out survey",
    "report": "report gone --out page.html",
}
FAILS = {
    "no file": ("score stimuli nowhere", "nowhere"),
    "no metric": ("score stimuli decoded --metrics ssmi", "ssim"),
    "no option": ("score stimuli decoded --metric ssim", "--metrics"),
    "no pairs": ("score stimuli renamed", "partner"),
    "no ratings": ("meta --human nothing.csv --metrics mine.csv --out m", "nothing.csv"),
    "no weights": ("score stimuli decoded --metrics clip --offline", "clip"),
}


ALIGN = """
[[targets]]
subject = ["s1", "s2"]
roi = "V1"
trials = "{subject}_trials.npy"
stimuli = "{subject}_stimuli.npy"
[[sources]]
name = "my model"
features = "features.npy"
[settings]
outer_folds = 3
inner_folds = 2
null = 2
resamples = 50
"""


def coco_files() -> dict[str, object]:
    """Writes one image with one square, and a result that is slightly to the right of it."""

    def square(left: int) -> dict[str, object]:
        return {"image_id": 1, "category_id": 1, "segmentation": [[left, 10, left + 40, 10, left + 40, 50, left, 50]]}

    annotation = {**square(10), "id": 1, "iscrowd": 0, "area": 1600, "bbox": [10, 10, 40, 40]}
    image = {"id": 1, "width": 100, "height": 100, "file_name": "1.png"}
    truth = {"images": [image], "categories": [{"id": 1, "name": "dog"}], "annotations": [annotation]}
    return {"instances.json": truth, "results.json": [{**square(14), "score": 0.9}]}


def test_every_command_is_looked_at(binary: Path, tmp_path: Path) -> None:
    groups = pipe([str(binary), "-h"], tmp_path, environment(binary, tmp_path)).text.split("Options:")[0]
    commands = set(re.findall(r"^  ([a-z]+) ", groups, re.MULTILINE)) - {"help"}
    assert len(commands) == 20
    assert commands - {line.split(" ")[0] for line, _ in NORMAL.values()} == set()


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory, binary: Path, demo: Path) -> Iterator[Path]:
    """A folder with all files that the commands above read."""
    folder = tmp_path_factory.mktemp("terminal") / "here"
    folder.mkdir()
    pages = [f"docs/pages/how-to/{name}.md" for name in ("python", "captions-detections-masks", "your-files")]
    prepare(pages[0], folder, demo, binary, environment(binary, folder.parent))
    for preparation in [made for page in pages[1:] for made in PAGES[page]]:
        preparation(folder, lambda *_: None)
    # `demo --out drawn` need not align again.
    shutil.copytree(demo / "recovery", folder / "drawn" / "recovery")
    write_responses(folder)
    for name in ("clip", "decoded"):
        np.save(folder / f"{name}.npy", np.load(folder / f"{name}.npy")[:80])
    (folder / "align.toml").write_text(ALIGN)
    for name, content in coco_files().items():
        (folder / name).write_text(json.dumps(content))
    plan = ["cluster", "plan", "score", "stimuli", "decoded", "--metrics", "pixcorr", "--out", "planned-run"]
    assert pipe([str(binary), *plan], folder, environment(binary, folder.parent)).code == 0
    shutil.copytree(folder / "decoded", folder / "renamed")
    for path in (folder / "renamed").iterdir():
        path.rename(path.with_stem(f"s1_{path.stem}"))
    before = states(folder)
    yield folder
    # No command may write into a file that it was given; the copies below are links to these.
    assert states(folder) == before


def states(folder: Path) -> dict[Path, tuple[int, int]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in files}


def copied(here: Path, fresh: Path) -> None:
    """A copy of the folder, made of links, except for the plan's, into which `work` and `finish` write."""

    def copy(path: str, to: str) -> object:
        return shutil.copy2(path, to) if "planned-run" in path else os.link(path, to)

    shutil.copytree(here, fresh, copy_function=copy)


@pytest.mark.parametrize("command", WARNS)
def test_warnings_are_coloured_words(command: str, here: Path, binary: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "here"
    copied(here, fresh)
    if command == "report":
        # A run whose images no longer exist.
        pipe(words(binary, "score stimuli decoded --metrics ssim --out gone"), fresh, environment(binary, tmp_path))
        shutil.rmtree(fresh / "decoded")
    shown = run(words(binary, WARNS[command]), fresh, environment(binary, tmp_path), 80)
    looked_at(shown, "warning:")
    if command == "score":
        assert "".join(shown.text.split()).count("everyimageiscomparedwithitself") == 1, shown.text
    assert "\x1b[1m\x1b[33mwarning:" in shown.raw or "\x1b[1;33mwarning:" in shown.raw, shown.raw


def words(binary: Path, line: str) -> list[str]:
    return [str(binary), *line.split(" ")]


def looked_at(shown: Shown, expected: str) -> None:
    """Checks that apply to everything that a person sees."""
    assert AS_TEXT.search(shown.text) is None, shown.text
    # The terminal may break a path that is wider than it at any place.
    assert expected.lower() in "".join(shown.text.lower().split()), shown.text
    # A script is for a shell, so its lines are not wrapped.
    is_script = "complete -c neurogauge" in shown.text
    # Nor are those of manual pages, for man, and of BibTeX.
    is_source = is_script or ".TH neurogauge" in shown.text or shown.text.lstrip().startswith("@")
    assert is_source or not shown.wide_lines(), "\n\n".join(shown.wide_lines())
    assert is_script or not shown.broken_numbers(), "\n\n".join(shown.broken_numbers())


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("case", [*NORMAL, *FAILS])
def test_a_terminal_shows_words_and_no_codes(case: str, columns: int, here: Path, binary: Path, tmp_path: Path) -> None:
    line, expected = (NORMAL | FAILS)[case]
    fresh = tmp_path / "here"
    copied(here, fresh)
    shown = run(words(binary, line), fresh, environment(binary, tmp_path), columns)
    assert (shown.code == 0) == (case in NORMAL), shown.text
    looked_at(shown, expected if columns > 40 else "")
    if case in FAILS:
        assert shown.colours, shown.raw


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("command", sorted({line.split(" ")[0] for line, _ in NORMAL.values()} - {"--help"}))
def test_every_command_refuses_in_words(command: str, columns: int, binary: Path, tmp_path: Path) -> None:
    shown = run([str(binary), command, "--no-such-option"], tmp_path, environment(binary, tmp_path), columns)
    assert shown.code == 2 and shown.colours, shown.text
    looked_at(shown, "error:")


def test_what_a_file_name_commands_is_written_out(here: Path, binary: Path, tmp_path: Path) -> None:
    shown = run([str(binary), "score", "stimuli", "\x1b[31mred\x1b[2J"], here, environment(binary, tmp_path), 200)
    assert shown.code == 1
    assert r"\u{1b}[31mred\u{1b}[2J: not found" in shown.text
    assert "\x1b[2J" not in shown.raw and "\x1b[31mred" not in shown.raw


@pytest.mark.parametrize("case", [*NORMAL, *FAILS])
def test_without_a_terminal_or_with_no_color_there_is_no_colour(
    case: str, here: Path, binary: Path, tmp_path: Path
) -> None:
    line, expected = (NORMAL | FAILS)[case]
    for place, show in {
        "pipe": lambda folder: pipe(words(binary, line), folder, environment(binary, tmp_path)),
        "no-color": lambda folder: run(
            words(binary, line), folder, {**environment(binary, tmp_path), "NO_COLOR": "1"}, 80
        ),
    }.items():
        fresh = tmp_path / place
        copied(here, fresh)
        shown = show(fresh)
        assert not shown.colours, shown.raw
        if place == "pipe":
            assert "\x1b" not in shown.raw, shown.raw
        looked_at(shown, expected)


# Long enough for a bar, which appears after a second.
LONG = "survey power --pairs 300,1000 --raters 3,10 --correlation 0.5,0.8"


@pytest.mark.parametrize("columns", WIDTHS)
def test_a_bar_stays_in_its_line_and_an_interrupt_says_what_is_kept(columns: int, binary: Path, tmp_path: Path) -> None:
    shown = run(words(binary, LONG), tmp_path, environment(binary, tmp_path), columns, {"left": "\x03"})
    assert shown.code == 130, shown.text
    assert AS_TEXT.search(shown.text) is None, shown.text
    assert "stopped; nothing was kept" in " ".join(shown.text.split()), shown.text
    # A single bar was redrawn in one line; afterwards only the message about the interrupt is left.
    assert len(shown.lines) <= 4, shown.text


def test_plain_progress_has_no_bar(binary: Path, tmp_path: Path) -> None:
    line = "survey power --pairs 40 --raters 3 --correlation 0.5 --progress plain"
    shown = run(words(binary, line), tmp_path, environment(binary, tmp_path), 80)
    assert shown.code == 0 and "█" not in shown.raw, shown.raw
