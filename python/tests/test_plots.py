"""Plots show the numbers of the results that they are made of, and notebooks show tables."""

from __future__ import annotations

import html
import shutil
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import neurogauge as ng
from neurogauge import _command

pytest.importorskip("matplotlib")

LABELS = ["PixCorr ↑", "SSIM ↑", "AlexNet(2) ↑†", "AlexNet(2) r ↑†"]


@pytest.fixture(autouse=True)
def figures() -> Iterator[None]:
    """Draws without a screen, and closes all figures."""
    import matplotlib.pyplot as plt

    plt.switch_backend("agg")
    yield
    plt.close("all")


def row_labels(axes: Any) -> list[str]:
    return [label.get_text() for label in axes.get_yticklabels()]


def dots(axes: Any) -> dict[float, float]:
    """Positions of dots, by row."""
    lines = [line for line in axes.get_lines() if line.get_marker() == "o"]
    return {float(y): float(x) for line in lines for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)}


def bars(axes: Any) -> dict[float, tuple[float, float]]:
    """Ends of intervals, by row."""
    found = {}
    for line in axes.get_lines():
        x, y = line.get_xdata(), line.get_ydata()
        if len(x) == 2 and y[0] == y[1] and line.get_marker() == "None":
            found[float(y[0])] = (float(x[0]), float(x[1]))
    return found


@pytest.fixture
def runs(tmp_path: Path, stimuli: Any, reconstructions: Any) -> list[ng.Run]:
    options: dict[str, Any] = {
        "metrics": "pixcorr,ssim,psnr,alexnet2,alexnet2_correlation",
        "set": {"pixel_size": 24, "image_models": "placeholder"},
        "progress": False,
    }
    return [
        ng.score(stimuli, recon, out=tmp_path / name, **options)
        for name, recon in (("first", reconstructions), ("<second>", np.roll(reconstructions, 1, axis=0)))
    ]


def test_a_result_shows_every_value_its_mean_its_interval_and_chance(stimuli: Any, reconstructions: Any) -> None:
    found = ng.pixcorr(stimuli, reconstructions, pixel_size=None)
    axes = found.plot()
    assert axes.get_xlabel() == "PixCorr ↑ (−1 to 1)" and axes.get_title(loc="right") == "4 pairs, 2 undefined"
    values, mean = axes.get_lines()[:2]
    np.testing.assert_allclose(
        np.sort(values.get_xdata()), np.sort(found.per_pair[:4]), atol=np.ptp(found.per_pair[:4]) / 30
    )
    assert mean.get_xdata()[0] == found.mean
    low, high = found.interval or (np.nan, np.nan)
    (shade,) = axes.patches
    assert (shade.get_x(), shade.get_x() + shade.get_width()) == pytest.approx((low, high))
    rng = np.random.default_rng(0)
    many = ng.two_way_identification(rng.normal(size=(400, 5)), rng.normal(size=(400, 5)))
    axes = many.plot()
    heights = [patch.get_height() for patch in axes.patches if patch.get_height() > 1]
    assert sum(patch.get_height() for patch in axes.containers[0]) == 400 and len(heights) > 5
    assert [line.get_xdata()[0] for line in axes.get_lines()] == [many.mean, 0.5]
    nothing = ng.pixcorr(stimuli, np.zeros_like(stimuli)).plot()
    assert nothing.get_title(loc="right") == "0 pairs, 6 undefined"


def test_dollars_of_a_label_are_no_formula() -> None:
    axes = ng.register_metric("priced", label="Loss $x_$").of([1, 2, 3]).plot()
    axes.figure.canvas.draw()
    assert axes.get_xlabel().startswith(r"Loss \$x_\$ ↑")


def test_it_draws_on_axes_that_are_given(stimuli: Any, reconstructions: Any, runs: list[ng.Run]) -> None:
    import matplotlib.pyplot as plt

    _, (left, right) = plt.subplots(1, 2)
    assert ng.pixcorr(stimuli, reconstructions).plot(ax=left) is left
    assert runs[0].plot(["ssim", "pixcorr"], ax=right) is right
    assert row_labels(right) == ["SSIM ↑", "PixCorr ↑"] and len(plt.get_fignums()) == 1
    with pytest.raises(
        ng.UsageError, match=r"several scales \(−1 to 1: pixcorr, ssim, alexnet2, alexnet2_correlation; 0 to ∞: psnr\)"
    ):
        runs[0].plot(ax=left)
    with pytest.raises(ng.UsageError, match="no metric 'lpips'"):
        runs[0].plot("lpips")
    with pytest.raises(ng.UsageError, match="nothing to plot"):
        runs[0].plot([])


def test_a_run_shows_means_intervals_chance_and_placeholders(runs: list[ng.Run]) -> None:
    run = runs[0]
    unit, decibel = run.plot()
    assert row_labels(unit) == LABELS and row_labels(decibel) == ["PSNR ↑"]
    shown = [run["pixcorr"], run["ssim"], run["alexnet2"], run["alexnet2_correlation"]]
    assert dots(unit) == {float(row): found.mean for row, found in enumerate(shown)}
    assert bars(unit) == {float(row): found.interval for row, found in enumerate(shown) if found.interval}
    marks = [line for line in unit.get_lines() if line.get_marker() == "|"]
    assert [(list(mark.get_xdata()), list(mark.get_ydata())) for mark in marks] == [([0.5], [2])]
    assert dots(decibel) == {0.0: run["psnr"].mean}
    assert "† rests on a placeholder model" in decibel.get_xlabel()
    assert [text.get_text() for text in unit.texts] == ["−1 to 1", "−1 to 1", "0 to 1", "−1 to 1"]


def test_a_comparison_shows_paired_differences(tmp_path: Path, runs: list[ng.Run]) -> None:
    found = ng.compare(runs, resamples=200)
    assert found.stand_ins == {"alexnet2", "alexnet2_correlation"}
    unit, _ = found.plot()
    assert row_labels(unit) == LABELS
    own = [difference for difference in found.differences if difference["metric"] != "psnr"]
    assert dots(unit) == {float(row): one["difference"] for row, one in enumerate(own)}
    assert bars(unit) == {float(row): tuple(one["interval"]) for row, one in enumerate(own) if one["interval"]}
    filled = [line.get_markerfacecolor() != "white" for line in unit.get_lines() if line.get_marker() == "o"]
    assert filled == [one["p_holm"] is not None and one["p_holm"] < 0.05 for one in own]
    assert all((one["p_holm"] is None) == (one["metric"] in found.stand_ins) for one in own)
    assert found.plot("ssim").get_xlabel() == "first − <second>, 95% interval of the paired difference"
    shutil.copytree(tmp_path / "first", tmp_path / "$third$")
    three = ng.compare([*runs, tmp_path / "$third$"], resamples=200).plot("ssim")
    assert (
        row_labels(three)[:2] == ["SSIM ↑  first − <second>", r"SSIM ↑  first − \$third\$"]
        and len(row_labels(three)) == 3
    )


def test_agreement_shows_metrics_chance_and_the_ceiling() -> None:
    rng = np.random.default_rng(0)
    quality = rng.normal(size=40)
    human = quality[:, None] + rng.normal(size=(40, 4))
    scores = {"none": rng.normal(size=40), "flat": np.zeros(40), "good": -quality}
    found = ng.agreement(human, scores, higher_is_better=["none", "flat"], lower_is_better=["good"], permutations=20)
    axes = found.plot("pearson")
    assert row_labels(axes) == ["good ↓", "none ↑", "flat ↑"]
    assert dots(axes) == {0.0: found.statistic("good", "pearson"), 1.0: found.statistic("none", "pearson")}
    assert bars(axes)[0.0] == found.interval("good", "pearson")
    assert [text.get_text() for text in axes.texts] == ["constant metric"]
    names = axes.get_legend_handles_labels()[1]
    assert names == ["chance", "ceiling"]
    with pytest.raises(ng.UsageError, match="no 'tau'"):
        found.plot("tau")


def test_an_alignment_shows_curves_and_their_null(tmp_path: Path) -> None:
    options = ["--simulate", "miniature", "--null", "3", "--quiet", "--out", str(tmp_path / "found")]
    assert _command.main(["align", *options]) == 0
    found = ng.recovery(tmp_path / "found")
    assert found.sources == ("other subjects", "A trained", "A untrained 42")
    for name, draws in found.null_draws.items():
        np.testing.assert_allclose(draws.mean(axis=0), found.null_curves[name], atol=1e-12)
    # Three target units with two donors each.
    assert found.null_draws["other subjects"].shape == (18, 20) and found.null_draws["A trained"].shape == (9, 20)
    axes = found.plot(["A trained"])
    np.testing.assert_array_equal(axes.get_lines()[0].get_ydata(), found.curves["A trained"])
    (band,) = axes.collections
    draws = found.null_draws["A trained"]
    upper = (draws.mean(axis=0) + draws.std(axis=0)).max()
    assert band.get_paths()[0].vertices[:, 1].max() == pytest.approx(upper)
    assert found.to_pandas().loc["A trained", "corrected"] == found.record["sources"][1]["corrected"]["mean"]
    assert "A untrained 42" in found._repr_html_() and found.headline in html.unescape(found._repr_html_())
    assert "\\" not in found.headline and found.headline.startswith("Chance is not excluded")
    with pytest.raises(ng.UsageError, match="no source 'B'"):
        found.plot("B")
    with pytest.raises(ng.DataError, match=r"align\.json"):
        ng.recovery(tmp_path)
    (tmp_path / "align.json").write_text('{"command": "score"}')
    with pytest.raises(ng.DataError, match="not what `neurogauge align` writes"):
        ng.recovery(tmp_path)


def test_profiles_and_references_are_curves() -> None:
    rng = np.random.default_rng(0)
    ids = np.repeat(np.arange(30), 2)
    target = rng.normal(size=(30, 4))
    reference = ng.align.TargetReference(n_splits=2, progress=False)
    with pytest.raises(ng.UsageError, match="not fitted"):
        reference.plot()
    reference.fit(target[ids] + 0.1 * rng.normal(size=(60, 4)), ids)
    np.testing.assert_array_equal(reference.plot().get_lines()[0].get_ydata(), reference.weights_)
    profile = ng.align.RecoveryProfile(rank=2).fit(target + rng.normal(size=(30, 4)), target)
    with pytest.raises(ng.UsageError, match="call score first"):
        profile.plot()
    profile.score(reference)
    axes = profile.plot(null=[[0.1] * 4, [0.3] * 4], label="mine")
    assert profile.plot(label="again", ax=axes) is axes
    assert axes.get_legend_handles_labels()[1] == ["null of mine", "mine", "again"]
    np.testing.assert_array_equal(axes.get_lines()[1].get_ydata(), profile.profile_)
    assert axes.get_lines()[0].get_color() != axes.get_lines()[1].get_color()
    with pytest.raises(ng.DataError, match=r"null: shape \(1, 3\); expected \(n_draws, 4\)"):
        profile.plot(null=[0.1, 0.2, 0.3])


def test_plots_without_matplotlib_say_what_to_install(monkeypatch: Any, stimuli: Any, reconstructions: Any) -> None:
    found = ng.pixcorr(stimuli, reconstructions)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        found.plot()


class Tags(HTMLParser):
    """Collects tags, and whether all are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_notebooks_show_tables(runs: list[ng.Run], stimuli: Any) -> None:
    found = ng.compare(runs, resamples=200)
    checked = ng.check(stimuli, stimuli, progress=False)
    for shown in (found, runs[0], runs[0]["ssim"], checked):
        parser = Tags()
        parser.feed(shown._repr_html_())
        assert parser.open == [] and parser.seen <= {"table", "thead", "tbody", "tr", "th", "td", "p"}, shown
    page = found._repr_html_()
    assert "&lt;second&gt;" in page and f"{found.means['ssim'][0]:.3f} [" in page and "AlexNet(2) ↑†" in page
    assert page.count("<tr>") == 2 + 2 * len(found.means)
    assert checked.findings[0].message[:20] in checked._repr_html_()
