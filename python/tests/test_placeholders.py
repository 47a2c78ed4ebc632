"""Every writer of numbers marks those of a placeholder model: for readers with a dagger, for programs with a column of
its own."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import neurogauge as ng

LABEL = "AlexNet(2)"


@pytest.fixture
def runs(tmp_path: Path, stimuli: Any, reconstructions: Any) -> list[ng.Run]:
    options: dict[str, Any] = {
        "metrics": "ssim,alexnet2",
        "set": {"pixel_size": 24, "stack_order": "natural", "image_models": "placeholder"},
        "progress": False,
    }
    sides = {"one": reconstructions, "two": stimuli[::-1]}
    return [ng.score(stimuli, side, out=tmp_path / name, **options) for name, side in sides.items()]


def test_every_text_for_readers_has_a_dagger(runs: list[ng.Run]) -> None:
    run, found = runs[0], ng.compare(runs, resamples=200)
    result = run["alexnet2"]
    written = [
        str(run),
        run._repr_html_(),
        run.to_markdown(),
        run.to_latex(),
        str(found),
        found._repr_html_(),
        found.to_markdown(),
    ]
    written += [
        found.to_latex(),
        repr(result),
        str(result),
        result._repr_html_(),
        result.to_markdown(),
        result.to_latex(),
    ]
    for text in written:
        # Cells and rows of HTML and LaTeX are lines here.
        lines = re.sub(r"<tr>|</tr>|<p>", "\n", text).splitlines()
        named = [line for line in lines if LABEL in line and re.search(r"[↑↓]|uparrow|downarrow", line)]
        assert named and all("†" in line or "dagger" in line for line in named), text
    ssim = [run["ssim"]._repr_html_(), repr(run["ssim"]), run["ssim"].to_markdown()]
    assert not any("†" in text for text in ssim)


def test_every_table_for_programs_has_a_column_or_a_field(runs: list[ng.Run], tmp_path: Path) -> None:
    run, found = runs[0], ng.compare(runs, resamples=200)
    assert run.to_csv() == (tmp_path / "one" / "scores.csv").read_text(encoding="utf-8")
    ids = {metric for metric, result in run.items() if result.stand_in}
    assert "alexnet2" in ids and "ssim" not in ids
    for line in csv.DictReader(io.StringIO(run.to_csv())):
        assert set(line["stand_in"].split()) == ids
    assert {line["stand_in"] for line in csv.DictReader(io.StringIO(run["alexnet2"].to_csv()))} == {"alexnet2"}
    assert run["ssim"].to_csv().splitlines()[0] == "pair,ssim,undefined"
    for line in csv.DictReader(io.StringIO(found.to_csv())):
        assert line["stand_in"] == str(line["metric"] in ids).lower()
    assert {name for name, one in run.to_dict().items() if one["stand_in"]} == ids
    assert set(found.to_dict()["stand_ins"]) == ids


def test_agreement_with_people_marks_combinations_too(runs: list[ng.Run], tmp_path: Path) -> None:
    items = list(runs[0]["ssim"].pairs)
    human = {item: [place % 4, (place * 3) % 5] for place, item in enumerate(items)}
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("item,a,b\n" + "".join(f"{item},{one},{two}\n" for item, (one, two) in human.items()))
    options: dict[str, Any] = {"permutations": 5, "resamples": 20, "composites": {"both": ["ssim", "alexnet2"]}}
    found = ng.agreement(ratings, tmp_path / "one", **options)
    for text in (str(found), found._repr_html_(), found.to_markdown(), found.to_latex()):
        lines = re.sub(r"<tr>|</tr>|<p>|[|&]", "\n", text).splitlines()
        named = [line for line in lines if re.match(r"(<th>)?\s*(alexnet2|both)\b(?!:)", line)]
        assert named and all("†" in line or "dagger" in line for line in named), text
    marks = {(line["kind"], line["metric"]): line["stand_in"] for line in csv.DictReader(io.StringIO(found.to_csv()))}
    assert marks["metric", "both"] == marks["composite", "both"] == marks["equal_weights", ""] == "true"
    assert marks["metric", "ssim"] == "false"


def test_rows_of_an_audit_and_of_a_multiverse_say_it(stimuli: Any, reconstructions: Any, tmp_path: Path) -> None:
    for name, side in {"gt": stimuli, "recon": reconstructions}.items():
        (tmp_path / name).mkdir()
        for place, image in enumerate(side):
            Image.fromarray(image).save(tmp_path / name / f"{place}.png")
    gt, recon = tmp_path / "gt", tmp_path / "recon"
    audit = ng.audit(
        test=gt, train=recon, recon=recon, features="placeholder", clusters=2, no_figures=True, out=tmp_path / "audit"
    )
    assert all(row["stand_in"] for row in audit.rows()) and list(audit.rows())
    universe = ng.multiverse(
        gt,
        {"one": recon},
        metrics="pixcorr,alexnet2",
        set={"image_models": "placeholder"},
        no_figures=True,
        out=tmp_path / "universe",
    )
    assert {row["stand_in"] for row in universe.rows() if row["metric"] == "alexnet2"} == {True}
    assert {row["stand_in"] for row in universe.rows() if row["metric"] == "pixcorr"} == {False}
