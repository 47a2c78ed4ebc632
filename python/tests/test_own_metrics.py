"""Metrics of the user's own: functions and columns that join intervals, tables, comparisons, plots and meta."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import neurogauge as ng

OPTIONS: dict[str, Any] = {"metrics": "pixcorr,ssim", "set": {"pixel_size": 24}, "progress": False}


def red_error(stimulus: Any, reconstruction: Any) -> float | None:
    """Mean difference of red; None of grey reconstructions."""
    if np.ptp(reconstruction) == 0:
        return None
    return float(np.abs(stimulus[..., 0].astype(float) - reconstruction[..., 0]).mean())


@pytest.fixture
def red() -> ng.OwnMetric:
    about = "mean absolute difference of red"
    return ng.register_metric(
        "red_error", red_error, label="Red error", about=about, direction="lower", range=(0, 255), chance=85
    )


def test_a_function_gives_a_result_with_interval_and_tables(red: Any, stimuli: Any, reconstructions: Any) -> None:
    found = red(stimuli, reconstructions)
    expected = [red_error(x, y) for x, y in zip(stimuli, reconstructions, strict=True)]
    assert found.per_pair[:4].tolist() == expected[:4] and found.undefined == {4: "no value", 5: "no value"}
    assert (found.metric, found.label, found.direction, found.range, found.chance) == (
        "red_error",
        "Red error",
        "lower",
        (0, 255),
        85,
    )
    assert found.interval == ng.stats.bootstrap(found.per_pair).interval
    assert repr(found).startswith(f"<Red error ↓: {found.mean:.3f} [") and f"{found.mean:.3f}" in found.to_markdown()
    assert "Red error" in found.to_latex() and json.loads(json.dumps(found.to_dict()))["conventions"] == []
    column = red.of(found.per_pair, level=0.5)
    assert column.mean == found.mean and column.interval != found.interval
    assert red.of({"a": 1.0, "b": 2.0}).pairs == ("a", "b")
    assert (ng.metrics.list("red")[-1].about, ng.metrics.list("red")[-1].group) == (
        "mean absolute difference of red",
        "Own",
    )


def test_a_decorator_registers_a_function() -> None:
    @ng.register_metric("same", range=(0, 1), decimals=1)
    def same(one: Any, other: Any) -> float:
        return float(one == other)

    found = same([1, 2, 3], [1, 2, 4])
    assert found.per_pair.tolist() == [1, 1, 0] and repr(found).startswith("<same ↑: 0.7 [")
    low, high = found.interval
    assert 0 <= low <= high <= 1
    again = ng.register_metric("same", lambda one, other: one - other)
    assert again([1], [3]).per_pair.tolist() == [-2.0]


def test_it_joins_runs_comparisons_plots_and_meta(red: Any, stimuli: Any, reconstructions: Any, tmp_path: Path) -> None:
    runs = []
    for name, recon in (("mine", reconstructions), ("other", np.roll(reconstructions, 1, axis=0))):
        run = ng.score(stimuli, recon, out=tmp_path / name, **OPTIONS)
        runs.append(run.with_results(red(stimuli, recon), ng.metrics.psnr(stimuli, recon, pixel_size=24)))
    mine = runs[0]
    assert list(mine) == ["pixcorr", "ssim", "red_error", "psnr"] and mine["red_error"].pairs == mine.pairs
    for text in (str(mine), mine.to_markdown(), mine.to_latex()):
        assert "Red error" in text and "Own" in text and "SSIM" in text and f"{mine['red_error'].mean:.3f}" in text
    assert mine.to_csv().splitlines()[0] == "pair,pixcorr,ssim,red_error,psnr" and mine._repr_html_().count("<tr>") == 5
    assert list(ng.load_run(tmp_path / "mine")) == ["pixcorr", "ssim"]

    plain = ng.compare([tmp_path / "mine", tmp_path / "other"], holm="metric")
    found = ng.compare(runs, holm="metric")
    assert list(found.means) == ["pixcorr", "ssim", "red_error", "psnr"]
    # PSNR that is joined equals PSNR that was scored.
    scored = [
        ng.score(stimuli, recon, out=tmp_path / f"psnr-{name}", **{**OPTIONS, "metrics": "pixcorr,ssim,psnr"})
        for name, recon in (("mine", reconstructions), ("other", np.roll(reconstructions, 1, axis=0)))
    ]
    same = ng.compare([run.with_results(of["red_error"]) for run, of in zip(scored, runs, strict=True)], holm="metric")
    for ours in ("means", "intervals", "ranks"):
        assert {name: getattr(found, ours)[name] for name in found.means} == {
            name: getattr(same, ours)[name] for name in found.means
        }
    figures = [
        {one["metric"]: (one["difference"], one["interval"], one["p_value"], one["p_holm"]) for one in each.differences}
        for each in (found, same)
    ]
    assert {name: figures[0][name] for name in sorted(figures[0])} == {
        name: figures[1][name] for name in sorted(figures[1])
    }
    assert plain.means["ssim"] == found.means["ssim"] and plain.differences == found.differences[:2]
    # Over all metrics, the default, joined ones also count.
    over_all = ng.compare(runs)
    assert all(
        many["p_holm"] >= one["p_holm"] for one, many in zip(found.differences, over_all.differences, strict=True)
    )
    assert over_all.differences != found.differences and "all 4 differences" in " ".join(over_all.notes)
    # Six pairs cannot decide one of four differences, however large.
    assert {one["verdict"] for one in over_all.differences} == {
        "not_decidable"
    } and "not decidable" in over_all._repr_html_()
    assert ",not_decidable,false,3,sign-flip test," in over_all.to_csv().splitlines()[1]
    joined, scored_here = (next(one for one in each.differences if one["metric"] == "psnr") for each in (found, same))
    assert [joined[name] for name in ("test", "d_z", "share_better")] == [
        scored_here[name] for name in ("test", "d_z", "share_better")
    ]
    with pytest.raises(ng.UsageError, match="equivalence is tested of metrics in run folders"):
        ng.compare(runs, equivalence=0.1)
    studentized = ng.compare(runs, test="studentized")
    assert [one["p_value"] for one in studentized.differences] != [one["p_value"] for one in found.differences]
    for one in [*found.differences, *studentized.differences]:
        assert 2 <= one["n"] <= 6 and one["smallest_p"] <= one["p_value"]
        if one["interval"] is not None:
            assert (one["interval"][0] <= 0 <= one["interval"][1]) == (one["p_value"] > 0.05)
    with pytest.raises(ng.UsageError, match="sign-flip"):
        ng.compare(runs, test="t")  # type: ignore[arg-type]
    shared = [place for place in range(6) if all(np.isfinite(run["red_error"].per_pair[place]) for run in runs)]
    difference = next(one for one in found.differences if one["metric"] == "red_error")
    values = [run["red_error"].per_pair[shared].mean() for run in runs]
    assert difference["difference"] == pytest.approx(values[0] - values[1])
    assert found.ranks["red_error"] == ((1.0, 2.0) if values[0] < values[1] else (2.0, 1.0))
    assert "Red error" in str(found) and "Red error ↓" in found._repr_html_()

    human = {"a": [1, 2, 3, 4, 5, 5], "b": [1, 3, 3, 4, 4, 5]}
    for source in (mine, {"red_error": mine["red_error"], "ssim": mine["ssim"]}):
        meta = ng.agreement(human, source, permutations=10)
        assert {"red_error", "ssim"} <= set(meta.metrics)
        directions = {metric["name"]: metric["direction"] for metric in meta.record["result"]["metrics"]}
        assert directions["red_error"] == "lower" and directions["ssim"] == "higher"
    pytest.importorskip("matplotlib")
    import matplotlib.pyplot as plt

    plt.switch_backend("agg")
    axes = mine.plot("red_error")
    assert axes.get_yticklabels()[0].get_text() == "Red error ↓"
    plt.close("all")


@pytest.fixture
def pair_of_runs(stimuli: Any, reconstructions: Any, tmp_path: Path) -> list[ng.Run]:
    sides = {"mine": reconstructions, "other": stimuli[:, ::-1]}
    return [ng.score(stimuli, side, out=tmp_path / name, **OPTIONS) for name, side in sides.items()]


def test_joined_results_that_pairs_do_not_make_or_of_other_options_are_not_compared(pair_of_runs: list[ng.Run]) -> None:
    captions = ["a dog sat on a mat", "a cat", "two men walk home", "a red car", "blue sky", "snow"]
    bleu = [ng.metrics.bleu(captions, captions[shift:] + captions[:shift], n=1) for shift in (0, 1)]
    rows, decoded = np.random.default_rng(0).normal(size=(2, 6, 5))
    two, four = (ng.two_way_identification(rows, decoded, n_way=n_way) for n_way in (2, 4))
    pooled = ng.two_way_identification(rows, decoded, pool=rows[::-1] + 1)
    few, many = (ng.metrics.retrieval(rows, decoded, candidates=candidates) for candidates in (2, 5))
    profile = ng.metrics.profile_correlation(np.c_[rows, rows[:, 0]], np.c_[decoded, decoded[:, 0]])
    parts = [0.1, 0.2, np.nan, 0.3, 0.2, 0.1], [0.3, 0.4, 0.5, 0.1, 0.2, 0.3]
    composites = [ng.seed(*parts, [0.5, 0.5, effnet, 0.4, 0.4, 0.4]) for effnet in (0.9, 0.1)]
    for results, message in [
        (
            bleu,
            "the mean of this bleu_1 is no mean over its pairs, so joined results of it cannot be compared; name others in metrics",
        ),
        (composites, "the mean of this seed is no mean over its pairs"),
        ([profile, profile], "the values of profile_correlation are of features"),
        (
            [two, four],
            r"\(chance 0.5, .*\) and of two_way_identification \(chance 0.25, .*one metric with one chance level and one kind",
        ),
        (
            [two, pooled],
            r"intervals for new stimuli and new distractors\) and of .*intervals for new stimuli, this pool\)",
        ),
        ([few, many], r"results of forward_retrieval \(chance 0.5, .* \(chance 0.2, "),
    ]:
        joined = [run.with_results(found) for run, found in zip(pair_of_runs, results, strict=True)]
        with pytest.raises(ng.UsageError, match=message):
            ng.compare(joined)
        assert list(ng.compare(joined, metrics="ssim").means) == ["ssim"]
    same = ng.compare([run.with_results(few) for run in pair_of_runs])
    assert same.means["forward_retrieval"] == (few.mean, few.mean)


def test_joined_results_of_placeholders_are_not_tested(
    pair_of_runs: list[ng.Run], stimuli: Any, reconstructions: Any
) -> None:
    settings = {**OPTIONS["set"], "image_models": "placeholder"}
    asked: dict[str, Any] = {**OPTIONS, "metrics": "alexnet2", "set": settings}
    scored = [ng.score(stimuli, side, **asked)["alexnet2"] for side in (reconstructions, stimuli[:, ::-1])]
    rating = ng.register_metric("rating")
    ratings = [rating.of([1, 2, 3, 4, 5, 6]), rating.of([6, 5, 5, 2, 1, 1])]
    plain = [run.with_results(of) for run, of in zip(pair_of_runs, ratings, strict=True)]
    joined = [run.with_results(of) for run, of in zip(plain, scored, strict=True)]
    for holm in ("metric", "all"):
        found, without = (ng.compare(runs, holm=holm) for runs in (joined, plain))
        (placeholder,) = (one for one in found.differences if one["metric"] == "alexnet2")
        assert placeholder["difference"] is not None and "alexnet2" in found.stand_ins
        assert [placeholder[name] for name in ("p_value", "smallest_p", "p_holm", "verdict")] == [None] * 4
        # Holm's correction does not count it.
        assert [one for one in found.differences if one["metric"] != "alexnet2"] == without.differences
    (alone,) = ng.compare(joined, metrics="alexnet2", holm="all").differences
    assert alone["p_value"] is None and alone["verdict"] is None


def test_metrics_of_a_comparison_are_chosen_among_those_of_folders_and_joined_ones(pair_of_runs: list[ng.Run]) -> None:
    rating = ng.register_metric("rating", label="Rating")
    columns = ([1, 2, 3, 4, 5, 6], [6, 5, 5, 2, 1, 1])
    joined = [run.with_results(rating.of(column)) for run, column in zip(pair_of_runs, columns, strict=True)]
    for metrics in ("pixcorr", ["ssim"]):
        assert (
            ng.compare(joined, metrics=metrics, holm="all").to_dict()
            == ng.compare(pair_of_runs, metrics=metrics, holm="all").to_dict()
        )
    both = ng.compare(joined, metrics="rating, pixcorr", holm="all")
    assert list(both.means) == ["pixcorr", "rating"] and len(both.differences) == 2
    assert "SSIM" not in str(both) and "Rating" in str(both)
    alone = ng.compare(joined, metrics=["rating"], holm="all")
    assert list(alone.means) == ["rating"] and alone.means["rating"] == (3.5, pytest.approx(10 / 3))
    (difference,) = alone.differences
    assert difference["p_holm"] == difference["p_value"]
    for text in (str(alone), alone.to_markdown(), alone.to_latex(), " ".join(alone.notes)):
        assert "PixCorr" not in text and "SSIM" not in text and "p (Holm)" not in text
    assert "Rating" in str(alone)
    with pytest.raises(ng.UsageError, match="unheard_of"):
        ng.compare(joined, metrics="rating,unheard_of")


def test_a_series_joins_by_its_index(pair_of_runs: list[ng.Run]) -> None:
    pandas = pytest.importorskip("pandas")
    rating = ng.register_metric("rating")
    named = pandas.Series({"5": 6.0, "4": 5.0, "3": 4.0, "2": 3.0, "1": 2.0, "0": 1.0})
    run = pair_of_runs[0]
    assert run.with_results(rating.of(named))["rating"].per_pair.tolist() == [1, 2, 3, 4, 5, 6]
    assert rating.of(pandas.Series([1.0, 2.0])).pairs == ("0", "1")
    assert rating.of(pandas.Series([1.0, 2.0]), pairs=["a", "b"]).pairs == ("a", "b")
    with pytest.raises(ng.DataError, match=r"rating is of 2 pairs \(a, b\)"):
        run.with_results(rating.of(pandas.Series({"a": 1.0, "b": 2.0})))
    for values in (named, {"a": 1, "b": 2}):
        with pytest.raises(ng.UsageError, match="pairs is given, and the values of rating have names of their own"):
            rating.of(values, pairs=["x", "y"])


def test_intervals_of_several_levels_have_them_in_their_lines(pair_of_runs: list[ng.Run]) -> None:
    half, most = ng.register_metric("half"), ng.register_metric("most")
    column = [1, 2, 3, 4, 5, 6]
    run = pair_of_runs[0]
    same = run.with_results(half.of(column))
    assert "<th>95 % interval</th>" in same._repr_html_() and " %)" not in same._repr_html_()
    joined = run.with_results(half.of(column, level=0.5), most.of(column, level=0.9))
    shown = joined._repr_html_()
    assert "<th>interval</th>" in shown and "% interval</th>" not in shown
    for metric, level in (("ssim", 95), ("half", 50), ("most", 90)):
        low, high = joined[metric].interval or (0, 0)
        assert f"[{low:.3f}, {high:.3f}] ({level} %)" in shown
    # Each level has its own table.
    tables = str(joined).split("joined in Python")[1:]
    assert ["50%" in table and "half" in table for table in tables] == [True, False]
    assert ["90%" in table and "most" in table for table in tables] == [False, True]
    pytest.importorskip("matplotlib")
    import matplotlib.pyplot as plt

    plt.switch_backend("agg")
    axes = joined.plot(["half", "most"])
    assert [label.get_text() for label in axes.get_yticklabels()] == ["half ↑, 50% interval", "most ↑, 90% interval"]
    assert (
        axes.get_xlabel() == "mean over pairs, interval"
        and same.plot("ssim").get_xlabel() == "mean over pairs, 95% interval"
    )
    plt.close("all")


def test_score_computes_a_function_by_its_id(red: Any, stimuli: Any, reconstructions: Any, tmp_path: Path) -> None:
    run = ng.score(
        stimuli, reconstructions, out=tmp_path / "run", **{**OPTIONS, "metrics": ["red_error", "pixcorr"]}, level=0.9
    )
    direct = red(stimuli, reconstructions, level=0.9)
    assert list(run) == ["pixcorr", "red_error"] and run["red_error"].undefined == {4: "no value", 5: "no value"}
    np.testing.assert_array_equal(run["red_error"].per_pair, direct.per_pair)
    assert (run["red_error"].interval, run["red_error"].level) == (direct.interval, 0.9)
    assert "Red error" in str(run) and "red_error" in run.to_csv() and not any("failed" in one for one in run.warnings)
    assert list(ng.load_run(tmp_path / "run")) == ["pixcorr"]
    # Of folders, another one's files and numbers: images as they are stored, of any size.
    from PIL import Image

    for side, images in (("gt", stimuli), ("recon", reconstructions[:, :12, :16])):
        (tmp_path / side).mkdir()
        for name, image in zip("dcab", images, strict=False):
            Image.fromarray(image).save(tmp_path / side / f"{name}{'_recon' if side == 'recon' else ''}.png")
    ng.register_metric("heights", lambda one, other: one.shape[0] / other.shape[0] + int(one[0, 0, 0]))
    files = ng.score(
        tmp_path / "gt", tmp_path / "recon", match="{stem}_recon", **{**OPTIONS, "metrics": "pixcorr, heights"}
    )
    assert files.pairs == ("a", "b", "c", "d")
    assert files["heights"].per_pair.tolist() == [2 + int(stimuli[place, 0, 0, 0]) for place in (2, 3, 1, 0)]
    # Floats stay floats.
    ng.register_metric("largest", lambda one, other: one.max())
    halves = ng.score(stimuli / 512.0, reconstructions, **{**OPTIONS, "metrics": ["pixcorr", "largest"]})
    np.testing.assert_allclose(halves["largest"].per_pair, (stimuli / 512.0).max(axis=(1, 2, 3)), rtol=1e-6)


def test_a_function_that_fails_costs_its_own_pairs_alone(
    red: Any, stimuli: Any, reconstructions: Any, tmp_path: Path
) -> None:
    @ng.register_metric("moody", range=(0, 1))
    def moody(one: Any, other: Any) -> float:
        if np.array_equal(one, stimuli[1]):
            raise KeyError("no mood")
        if np.array_equal(one, stimuli[2]):
            one[:] = 0
        return 2.0 if np.array_equal(one, stimuli[3]) else 0.5

    asked = {**OPTIONS, "metrics": ["pixcorr", "moody", "red_error"]}
    with pytest.warns(ng.NeurogaugeWarning, match=r"moody failed on 3 of 6 pairs, first on '1': KeyError: 'no mood'"):
        run = ng.score(stimuli, reconstructions, **asked)
    assert run["moody"].undefined == {
        1: "KeyError: 'no mood'",
        2: "ValueError: assignment destination is read-only",
        3: "gave 2.0; its range is 0 to 1",
    }
    assert (run["moody"].n, run["moody"].mean, run["pixcorr"].n, run["red_error"].n) == (3, 0.5, 4, 4)
    with pytest.raises(ng.DataError, match="moody of pair '1': KeyError: 'no mood'") as stopped:
        ng.score(stimuli, reconstructions, out=tmp_path / "run", on_failure="stop", **asked)
    assert isinstance(stopped.value.__cause__, KeyError)
    assert ng.load_run(tmp_path / "run")["pixcorr"].mean == run["pixcorr"].mean

    ng.register_metric("column")
    for metrics, message in [
        (["pixcorr", "column"], r"without a function; join its column: run\.with_results\(column\.of\(values\)\)"),
        ("moody", 'one beside moody, such as "pixcorr"'),
        (["pixcorr", "unheard_of"], "unheard_of"),
    ]:
        with pytest.raises(ng.UsageError, match=message):
            ng.score(stimuli, reconstructions, **{**OPTIONS, "metrics": metrics})
    for side in ("gt", "recon"):
        folder = tmp_path / "observations" / side / "detections"
        folder.mkdir(parents=True)
        (folder / "a.json").write_text(json.dumps({"labels": [0], "scores": [0.9], "bboxes": [[0, 0, 5, 5]]}))
    with pytest.raises(ng.DataError, match="the run has no images"):
        ng.score(observations=tmp_path / "observations", metrics=["object_f1", "moody"], progress=False)


def test_results_join_by_the_names_of_their_pairs(tmp_path: Path, stimuli: Any) -> None:
    for side in ("gt", "recon"):
        folder = tmp_path / side
        folder.mkdir()
        for name, image in zip("cab", stimuli, strict=False):
            from PIL import Image

            Image.fromarray(image if side == "gt" else 255 - image).save(folder / f"{name}.png")
    run = ng.score(tmp_path / "gt", tmp_path / "recon", **OPTIONS)
    assert run.pairs == ("a", "b", "c")
    rating = ng.register_metric("rating", range=(1, 5))
    joined = run.with_results(rating.of({"c": 3, "a": np.nan, "b": 2}))
    np.testing.assert_array_equal(joined["rating"].per_pair, [np.nan, 2, 3])
    assert joined["rating"].undefined == {0: "no value"} and joined["rating"].pairs == run.pairs
    assert run.with_results(rating.of([1, 2, 3]))["rating"].per_pair.tolist() == [1, 2, 3]
    for wrong in (rating.of([1, 2]), rating.of({"a": 1, "b": 2, "d": 3})):
        with pytest.raises(ng.DataError, match=r"rating is of \d pairs \(.*\), the run of 3 \(a, b, c\)"):
            run.with_results(wrong)
    with pytest.raises(ng.UsageError, match="has 'rating' already"):
        joined.with_results(rating.of([1, 2, 3]))


def test_what_makes_no_sense_is_refused() -> None:
    for arguments, message in [
        ({"id": "ssim"}, "of Neurogauge's own"),
        ({"id": "bleu_4"}, "of Neurogauge's own"),
        ({"id": "My metric"}, "small letters"),
        ({"id": "mine", "direction": "up"}, "expected 'higher' or 'lower'"),
        ({"id": "mine", "range": (1, 1)}, "smallest and the largest"),
        ({"id": "mine", "range": (np.nan, 1)}, "smallest and the largest"),
        ({"id": "mine", "decimals": -1}, "whole number from 0 to 15"),
    ]:
        with pytest.raises(ng.UsageError, match=message):
            ng.register_metric(**arguments)
    mine = ng.register_metric("mine", range=(0, 1))
    with pytest.raises(ng.DataError, match="mine of pair 1 is 2.0; its range is 0 to 1"):
        mine.of([0.5, 2])
    with pytest.raises(ng.DataError, match="mine of pair 0 is inf"):
        mine.of([np.inf])
    with pytest.raises(ng.DataError, match="1 names of pairs and 2 values"):
        mine.of([0.5, 1], pairs=["a"])
    with pytest.raises(ng.UsageError, match=r"without a function; mine\.of\(values\)"):
        mine([1], [2])
    function = ng.register_metric("mine", lambda one, other: 0.0)
    with pytest.raises(ng.DataError, match="reference has 2 items and reconstruction 1"):
        function([1, 2], [1])
    with pytest.raises(ng.DataError, match="a text"):
        function("ab", "ab")
