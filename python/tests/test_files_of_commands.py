"""``ng.audit``, ``ng.report``, ``ng.gallery``, ``ng.multiverse``, ``ng.study`` and ``ng.survey`` write the same files
as the commands of these names."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import neurogauge as ng


@pytest.fixture
def runs(tmp_path: Path, stimuli: Any, reconstructions: Any) -> tuple[ng.Run, ng.Run]:
    """Runs of two systems on the same stimuli."""
    options: dict[str, Any] = {"metrics": "pixcorr", "set": {"pixel_size": 16}, "progress": False}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ng.NeurogaugeWarning)
        mine = ng.score(stimuli, reconstructions, out=tmp_path / "mine", **options)
        return mine, ng.score(stimuli, reconstructions[::-1], out=tmp_path / "other", **options)


def test_a_report_is_the_commands(tmp_path: Path, runs: Any, command: Any) -> None:
    done = command(
        "report", tmp_path / "mine", tmp_path / "other", "--title", "Two", "--no-images", "--out", tmp_path / "two.html"
    )
    assert done.returncode == 0, done.stderr
    theirs = (tmp_path / "two.html").read_bytes()
    page = ng.report(runs, out=tmp_path / "two.html", title="Two", no_images=True, overwrite=True, progress=False)
    assert page == tmp_path / "two.html" and page.read_bytes() == theirs
    of_folder = ng.report(tmp_path / "mine", out=tmp_path / "one.html", thumbnail_size=32, progress=False).read_bytes()
    of_run = ng.report(runs[0], out=tmp_path / "one.html", thumbnail_size=32, overwrite=True, progress=False)
    assert of_run.read_bytes() == of_folder


def test_a_gallery_is_the_commands(tmp_path: Path, runs: Any, command: Any) -> None:
    words = [
        "--recon",
        f"mine={tmp_path / 'mine'}",
        f"other={tmp_path / 'other'}",
        "--pick",
        "best,worst:2",
        "--metric",
        "pixcorr",
    ]
    done = command(
        "gallery", *words, "--figure-width", "single", "--stimuli-in-column", "--out", tmp_path / "theirs.svg"
    )
    assert done.returncode == 0, done.stderr
    figure = ng.gallery(
        {"mine": runs[0], "other": tmp_path / "other"},
        pick=["best", "worst:2"],
        metric="pixcorr",
        figure_width="single",
        stimuli_in_column=True,
        out=tmp_path / "ours.svg",
    )
    assert figure == tmp_path / "ours.svg" and figure.read_bytes() == (tmp_path / "theirs.svg").read_bytes()


def test_a_study_is_the_commands(tmp_path: Path, runs: Any, command: Any, capfd: Any) -> None:
    words = ["--run", f"mine={tmp_path / 'mine'}", "--run", f"other={tmp_path / 'other'}", "--metrics", "pixcorr"]
    done = command("study", *words, "--figure-format", "svg", "--out", tmp_path / "theirs")
    assert done.returncode == 0, done.stderr
    options: dict[str, Any] = {
        "run": {"mine": runs[0], "other": tmp_path / "other"},
        "metrics": ["pixcorr"],
        "figure_format": "svg",
    }
    folder = ng.study(out=tmp_path / "ours", progress=False, **options)
    assert folder == tmp_path / "ours" and capfd.readouterr() == ("", "")
    theirs = {path.relative_to(tmp_path / "theirs") for path in (tmp_path / "theirs").rglob("*")}
    assert {path.relative_to(folder) for path in folder.rglob("*")} == theirs
    ours, written = ((place / "study.md").read_text(encoding="utf-8") for place in (folder, tmp_path / "theirs"))
    assert ours.replace('human="NAME=FILE"', "--human NAME=FILE") == written
    # Its progress notes are not warnings.
    ng.study(out=tmp_path / "shown", **options)
    shown = capfd.readouterr()
    assert "system 2 of 2: other" in shown.err and not shown.out


def test_a_multiverse_is_the_commands(tmp_path: Path, stimuli: Any, reconstructions: Any, command: Any) -> None:
    np.save(tmp_path / "gt.npy", stimuli)
    np.save(tmp_path / "mine.npy", reconstructions)
    words = [tmp_path / "gt.npy", f"mine={tmp_path / 'mine.npy'}", "--metrics", "pixcorr", "--published", "0.25"]
    done = command("multiverse", *words, "--out", tmp_path / "theirs")
    assert done.returncode == 0, done.stderr
    found = ng.multiverse(
        tmp_path / "gt.npy",
        {"mine": tmp_path / "mine.npy"},
        metrics="pixcorr",
        published=0.25,
        out=tmp_path / "ours",
        progress=False,
    )
    assert (found.path / "multiverse.md").read_bytes() == (tmp_path / "theirs" / "multiverse.md").read_bytes()
    table = found.to_pandas()
    conventions = {name for names in table["convention"] for name in names.split(", ")}
    assert conventions == {
        "no preset",
        "mindeye1",
        "mindeye2",
        "atm",
        "mindbridge",
        "neuropictor",
        "brain-diffuser",
        "mirage",
    }
    ours = table.set_index("convention")["value"]
    through_256 = next(value for name, value in ours.items() if "mindeye2" in name)
    run = ng.score(
        tmp_path / "gt.npy",
        tmp_path / "mine.npy",
        metrics="pixcorr",
        preset="mindeye2",
        out=tmp_path / "one",
        progress=False,
    )
    assert through_256 == run["pixcorr"].mean
    assert found.figure("pixcorr").suffix == ".png"
    with pytest.raises(KeyError):
        found.figure("ssim")


def test_a_survey_is_the_commands(tmp_path: Path, stimuli: Any, reconstructions: Any, command: Any) -> None:
    np.save(tmp_path / "gt.npy", stimuli)
    np.save(tmp_path / "mine.npy", reconstructions)
    words = ["--gt", tmp_path / "gt.npy", "--recon", f"mine={tmp_path / 'mine.npy'}", "--raters", 2, "--repeats", 1]
    done = command("survey", "make", *words, "--out", tmp_path / "theirs")
    assert done.returncode == 0, done.stderr
    with pytest.warns(ng.NeurogaugeWarning, match="6 pairs give wide intervals"):
        made = ng.survey.make(
            tmp_path / "gt.npy",
            {"mine": tmp_path / "mine.npy"},
            raters=2,
            repeats=1,
            out=tmp_path / "ours",
            progress=False,
        )
    pages = sorted(path.name for path in (made / "pages").iterdir())
    assert pages and pages == sorted(path.name for path in (tmp_path / "theirs" / "pages").iterdir())
    assert (made / "assignments.csv").read_bytes() == (tmp_path / "theirs" / "assignments.csv").read_bytes()
    (tmp_path / "answers").mkdir()
    done = command("survey", "read", tmp_path / "answers", "--survey", made, "--out", tmp_path / "read")
    with pytest.raises(ng.NeurogaugeError) as raised:
        ng.survey.read(tmp_path / "answers", survey=made, out=tmp_path / "read")
    assert done.returncode == raised.value.exit_code and str(raised.value) in done.stderr


def test_the_power_of_a_survey_is_the_commands(command: Any) -> None:
    words = ["--pairs", "20,30", "--raters", 3, "--correlation=-0.5", "--simulations", 2]
    done = command("survey", "power", *words, "--format", "json")
    found = ng.survey.power(pairs=[20, 30], raters=3, correlation=-0.5, simulations=2, progress=False)
    assert found == json.loads(done.stdout)


def test_what_makes_no_sense_is_refused_by_its_name(tmp_path: Path, runs: Any, stimuli: Any) -> None:
    mine, _ = runs
    scratch = ng.score(stimuli, stimuli[:, ::-1], metrics="pixcorr", set={"pixel_size": 16}, progress=False)
    page, figure = tmp_path / "page.html", tmp_path / "figure.svg"
    calls: list[tuple[Any, type[Exception], str]] = [
        (lambda: ng.report([], out=page), ng.UsageError, "which run"),
        (lambda: ng.report(scratch, out=page), ng.UsageError, "runs: a run of arrays that was not kept has no folder"),
        (lambda: ng.report(tmp_path / "none", out=page), ng.DataError, "none/run.json: not found"),
        (
            lambda: ng.report(mine, out=page, linked=True, no_images=True),
            ng.UsageError,
            "'linked' cannot be used with 'no_images'",
        ),
        (
            lambda: ng.report(mine, out=page, thumbnail_size=0),
            ng.UsageError,
            "invalid value '0' for 'thumbnail_size': .* from 1 to",
        ),
        (
            lambda: ng.gallery({"mine": mine}, pick="best:x", out=figure),
            ng.UsageError,
            "invalid value 'best:x' for 'pick': [^\n]*$",
        ),
        (
            lambda: ng.gallery({"mine": tmp_path}, pick="best", out=figure),
            ng.UsageError,
            "no stimuli: none of the systems",
        ),
        (lambda: ng.gallery({"mine": scratch}, pick="best", out=figure), ng.UsageError, "recon: a run of arrays"),
        (lambda: ng.study(out=tmp_path / "study"), ng.UsageError, "which systems"),
        (
            lambda: ng.study(out=tmp_path / "study", run={"mine": tmp_path / "none"}),
            ng.DataError,
            '^system "mine": run: .*none: no such',
        ),
        (lambda: ng.study(out=tmp_path / "study", run={"a=b": mine}), ng.UsageError, "run: the name 'a=b' has a '='"),
        (lambda: ng.gallery({"a=b": mine}, pick="best", out=figure), ng.UsageError, "recon: the name 'a=b' has a '='"),
        (
            lambda: ng.survey.make(page, {"a=b": page}, out=tmp_path / "s"),
            ng.UsageError,
            "recon: the name 'a=b' has a '='; expected",
        ),
        (
            lambda: ng.multiverse(page, {"a=b": page}, out=tmp_path / "m"),
            ng.UsageError,
            "recon: the name 'a=b' has a '='; expected",
        ),
        (lambda: ng.survey.power(pairs=0), ng.UsageError, "invalid value '0' for 'pairs'"),
        (lambda: ng.survey.power(pairs=object()), ng.UsageError, "pairs is <object"),  # type: ignore[arg-type]
    ]
    for call, error, message in calls:
        with pytest.raises(error, match=message):
            call()
    assert not page.exists() and not figure.exists()
    page.write_text("mine")
    with pytest.raises(ng.UsageError, match="overwrite"):
        ng.report(mine, out=page, no_images=True, progress=False)
    assert (
        ng.report(mine, out=page, no_images=True, overwrite=True, progress=False).read_text(encoding="utf-8") != "mine"
    )


def test_metrics_that_python_joined_are_missed_aloud(tmp_path: Path, runs: Any) -> None:
    joined = runs[0].with_results(ng.register_metric("files_rating").of([1, 2, 3, 4, 5, 6]))
    with pytest.warns(ng.NeurogaugeWarning, match="mine: without files_rating") as found:
        ng.report(joined, out=tmp_path / "page.html", no_images=True, progress=False)
    assert found[0].filename == __file__
