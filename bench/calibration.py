"""Writes the table of docs/pages/project/calibration.md from the simulations in bench/calibration/, in which every line is a cell.

    python3 bench/calibration.py            # writes it
    python3 bench/calibration.py --check    # fails if it differs

For each statistic it has the lowest and the highest rate by number of pairs, from ten on, and the case that is furthest from what it should be.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "pages" / "project" / "calibration.md"
MARKS = re.compile(
    r"(<!-- calibration: written from bench/calibration -->\n).*?(<!-- end of calibration -->\n)", re.DOTALL
)
# The sentence that counts all of them; its number of cases, and how many of a hundred have sound intervals.
COUNTED = re.compile(r"(of )\d+( simulated cases.*?known, )\d+(% have)", re.DOTALL)
# From these numbers of pairs on.
BINS = (10, 30, 100, 500)
# What the page calls it, the file, how the title of its table begins, and a pattern of cases that are left out.
COVERED = (
    ("[means](#means-over-pairs)", "means", "Default", ""),
    ("[strongly skewed scores](#strongly-skewed-scores)", "skewed-means", "95%", ""),
    ("[differences](#differences-of-systems)", "differences", "95% intervals of the difference", ""),
    ("[shares of boxes](#shares-of-boxes)", "shares", "95%", ""),
    ("[identification](#identification)", "identification", "95%", ""),
    ("[retrieval](#retrieval)", "retrieval", "95%", ""),
    ("[distances of sets](#distances-of-sets)", "sets", "95%", ""),
    ("[similarity of dissimilarities](#dissimilarities-and-voxels)", "rsa", "95%", ""),
    ("[explainable variance](#dissimilarities-and-voxels)", "encoding", "95% intervals of explainable", ""),
    ("[R² over it](#dissimilarities-and-voxels)", "encoding", "95% intervals of R²", ""),
    ("[trials](#trials)", "trials", "95%", "over trials"),
    ("[audits](#audits)", "audit", "95% intervals of audits", ""),
    ("[BLEU](#bleu)", "bleu", "95%", ""),
    ("[alike stimuli](#stimuli-that-are-alike), independent", "alike-means", "Intervals", "--set cluster"),
    ("the same, `--set cluster`", "alike-means", "Intervals", "independent"),
    ("[several subjects](#several-subjects)", "subjects", "95% intervals of the mean over four", "pooled"),
    ("the same, pooled", "subjects", "95% intervals of the mean over four", "averaged"),
    ("[missing by chance](#values-that-are-missing)", "missing", "95% intervals of the mean", ""),
    ("missing because low", "failures", "How often", ""),
    ("[metrics against people](#metrics-against-people)", "meta", "Coverage of the intervals of single", ""),
    (
        "the same, [several systems](#metrics-against-people-several-systems)",
        "stimuli",
        "Coverage of the intervals of six",
        "items taken",
    ),
    ("[strengths from choices](#strengths-from-choices)", "strengths", "95%", "independent"),
    ("the same, choices as independent", "strengths", "95%", "items$|each$|taste$"),
)
REJECTED = (
    ("tests of differences", "differences", "Tests of two systems with equal means", ""),
    ("[tables of several metrics](#tables-of-several-metrics)", "families", "Tables", "--holm|uncorrected"),
    ("the same, `--holm metric`", "families", "Tables", "default|uncorrected"),
    ("tests of identification", "identification", "Tests", ""),
    ("tests of distances of sets", "sets", "Tests", ""),
    ("[similarity](#dissimilarities-and-voxels) of noise", "rsa", "Sources", ""),
    ("[voxels](#dissimilarities-and-voxels) predicted by noise", "encoding", "Sources", ""),
    ("sources that know equally much", "encoding", "Differences", ""),
    ("worse sources that are called better", "encoding", "Worse", ""),
    ("[trials](#trials) of noise above chance", "trials", "Claims", "over trials"),
    ("tests of several subjects", "subjects", "Sign-flip", "pooled"),
    ("missing because low", "failures", "Tests", ""),
    ("tests of metrics against people", "meta", "Size", ""),
)


def rates(file: str, title: str, without: str) -> list[tuple[str, int, float]]:
    """Case, number of pairs and rate of each cell of the first table whose title begins like this; the lowest and the
    highest of a range."""
    lines = (ROOT / "bench" / "calibration" / f"{file}.tsv").read_text(encoding="utf-8").splitlines()[1:]
    cells = [line.split("\t") for line in lines]
    first = next(cell[0] for cell in cells if cell[0].startswith(title))
    found = []
    for name, case, at, result in cells:
        if name == first and at.startswith("n = ") and not (without and re.search(without, case)):
            numbers = re.findall(r"\d+\.\d+", result)[: 2 if " to " in result else 1]
            found += [(case, int(at.removeprefix("n = ")), float(number)) for number in numbers]
    return [cell for cell in found if cell[1] >= BINS[0]]


def row(name: str, cells: list[tuple[str, int, float]], sound: tuple[float, float]) -> str:
    """A row of the page; the worst case is named if it is outside."""
    shown = []
    for low, high in zip(BINS, [*BINS[1:], sys.maxsize], strict=True):
        those = [rate for _, n, rate in cells if low <= n < high]
        ends = (min(those), max(those)) if those else ()
        shown.append("–".join(f"{end:.1f}" for end in dict.fromkeys(ends)) or "-")
    case, n, rate = max(cells, key=lambda cell: max(sound[0] - cell[2], cell[2] - sound[1]))
    worst = "" if sound[0] <= rate <= sound[1] else f"{rate:.1f}: {case}, n = {n}"
    return f"| {name} | {' | '.join(shown)} | {worst} |\n"


def table() -> str:
    heads = " | ".join(f"from n = {n}" for n in BINS)
    parts = (
        ("intervals that hold the truth, %", COVERED, (93.0, 97.0)),
        ("wrong rejections at 5%, %", REJECTED, (0.0, 6.0)),
    )
    text = ""
    for what, tables, sound in parts:
        text += f"\n| {what} | {heads} | furthest outside {sound[0]:g} to {sound[1]:g} |\n|{'---|' * (len(BINS) + 2)}\n"
        text += "".join(row(name, rates(file, title, without), sound) for name, file, title, without in tables)
    return text + "\n"


def main() -> None:
    text = PAGE.read_text(encoding="utf-8")
    covered = [rate for _, file, title, without in COVERED for _, _, rate in rates(file, title, without)]
    sound = round(100 * sum(rate >= 93 for rate in covered) / len(covered))
    right = MARKS.sub(lambda found: found[1] + table() + found[2], text)
    right = COUNTED.sub(lambda found: f"{found[1]}{len(covered)}{found[2]}{sound}{found[3]}", right)
    if right != text and "--check" in sys.argv:
        raise SystemExit(f"{PAGE.name}: not what bench/calibration says; run bench/calibration.py")
    PAGE.write_text(right, encoding="utf-8")


if __name__ == "__main__":
    main()
