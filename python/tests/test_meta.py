"""Meta-evaluation: arrays, mappings, data frames and files give the same results as the command line."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest

import neurogauge as ng
from neurogauge import _command

QUICK = {"resamples": 50, "permutations": 20, "seed": 7}


def survey(n_items=24, n_raters=5):
    rng = np.random.default_rng(11)
    quality = rng.normal(size=n_items)
    ratings = np.clip(np.round(3 + quality[:, None] + rng.normal(size=(n_items, n_raters))), 1, 5)
    ratings[3, 2] = np.nan
    scores = {"good": quality + 0.3 * rng.normal(size=n_items), "effnet": -quality, "noise": rng.normal(size=n_items)}
    scores["good"][5] = np.nan
    return ratings, scores


def evaluate(human, metrics, **options):
    with pytest.warns(ng.NeurogaugeWarning):
        return ng.agreement(human, metrics, **QUICK, **options)


def write(folder, ratings, scores):
    np.save(folder / "ratings.npy", ratings)
    np.savez(folder / "scores.npz", **scores)
    return folder / "ratings.npy", folder / "scores.npz"


def test_arrays_have_the_numbers_of_the_command_line(tmp_path):
    ratings, scores = survey()
    human, metrics = write(tmp_path, ratings, scores)
    arguments = ["meta", "--human", human, "--metrics", metrics, "--out", tmp_path / "out", "--no-figures"]
    options = ["--resamples", "50", "--permutations", "20", "--seed", "7", "--bootstrap", "both"]
    assert _command.main([str(one) for one in arguments] + options) == 0
    record = json.loads((tmp_path / "out/meta.json").read_text())
    held = evaluate(ratings, scores, bootstrap="both")
    files = evaluate(human, metrics, bootstrap="both")
    for found in (held, files):
        assert found.record["result"] == record["result"]
        assert found.record["combinations"] == record["combinations"]
        assert found.record["worst_cases"] == record["worst_cases"]
    assert [entry["role"] for entry in files.record["inputs"]] == ["human", "metrics"]
    assert held.record["inputs"] == []
    assert (tmp_path / "out/meta.csv").read_text() == held._found["csv"]
    # Notes name options as Python keywords here, and as shell options there.
    keyword = r"([a-z]+(?:\\_[a-z]+)*)=(?:''([a-z]+)''|([A-Z]+))?"

    def option(found):
        return " ".join(filter(None, ["--" + found[1].replace(r"\_", "-"), found[2] or found[3]]))

    latex = re.sub(keyword, option, held.to_latex())
    # Columns are a choice in tables only.
    latex = latex.replace("human: 5 columns are taken as raters: 0, 1, 2 and 2 more. ", "")
    # Arrays have no path.
    latex = latex.replace("human: each item", str(human).replace("_", r"\_") + ": each item")
    assert latex == (tmp_path / "out/meta.tex").read_text()
    # The calls wrote no files.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "ratings.npy", "scores.npz"]


def test_results_can_be_asked_for_single_figures():
    ratings, scores = survey()
    found = evaluate(ratings, scores)
    human = np.nanmean(ratings, axis=1)
    rated = ~np.isnan(scores["good"])
    expected = np.corrcoef(scores["good"][rated], human[rated])[0, 1]
    assert found.statistic("good", "pearson") == pytest.approx(expected, abs=1e-12)
    # The registry knows that a lower EffNet is better.
    assert found.statistic("effnet", "spearman") > 0.5
    low, high = found.interval("good", "pearson")
    assert low < found.statistic("good", "pearson") < high
    assert found.metrics == ["good", "effnet", "noise"]
    assert (found.n_items, found.n_raters) == (24, 5)
    assert "good" in found._repr_html_() and "good" in str(found) and "good" in found.to_markdown()
    assert found.headline and str(found).startswith(found.headline.partition(". ")[0])
    lines = list(csv.DictReader(io.StringIO(found._found["csv"])))
    assert len(lines) == len(found.lines)
    with pytest.raises(ng.UsageError, match="kendall_tau_b"):
        found.statistic("good", "tau")
    with pytest.raises(ng.UsageError, match="noise"):
        found.statistic("better")


def test_mappings_of_raters_with_ids_join_by_id():
    ratings, scores = survey()
    items = [f"img{place:02}" for place in range(24)]
    found = evaluate({f"rater {i}": column for i, column in enumerate(ratings.T)}, scores, items=items)
    assert found.record["result"] == evaluate(ratings, scores).record["result"]
    assert found.record["raters"][0] == "rater 0"
    with pytest.raises(ng.DataError, match="24 values for 3 items"):
        ng.agreement(ratings, scores, items=["a", "b", "c"])


def test_questions_of_one_title_are_about_items_in_order(tmp_path):
    ratings, scores = survey()
    forms = [",".join(["Timestamp", *["How alike?"] * 24])]
    forms += [f"2026/01/{rater + 1:02}," + ",".join(map(str, column)) for rater, column in enumerate(ratings.T)]
    (tmp_path / "forms.csv").write_text("\n".join(forms))
    ids = [f"img{place:02}" for place in range(24)]
    (tmp_path / "ids.txt").write_text("\n".join(ids))
    named = {name: dict(zip(ids, of, strict=True)) for name, of in scores.items()}
    pd = pytest.importorskip("pandas")
    metrics = pd.DataFrame(named).rename_axis("item").reset_index()
    found = [evaluate(tmp_path / "forms.csv", metrics, items=items) for items in (ids, tmp_path / "ids.txt")]
    assert found[0].record["result"] == found[1].record["result"] == evaluate(ratings, scores).record["result"]
    with pytest.raises(ng.DataError, match="items=FILE"):
        ng.agreement(tmp_path / "forms.csv", metrics)


def test_ids_that_differ_join_as_asked():
    ratings, scores = survey()
    raters = {f"rater {i}": column for i, column in enumerate(ratings.T)}
    addresses = [f"https://x.org/gt/img{place:02}.png" for place in range(24)]
    tables = ({"item": addresses, **raters}, {"item": range(24), **scores})
    pd = pytest.importorskip("pandas")
    human, metrics = (pd.DataFrame(table) for table in tables)
    taken = evaluate(human, metrics)
    assert taken.record["result"] == evaluate(ratings, scores).record["result"]
    assert any(finding["code"] == "taken_for" for finding in taken.record["findings"])
    other = human.assign(item=[f"s1_{place}" for place in range(24)])
    with pytest.raises(ng.DataError, match="would join 24 of the 24 rated items"):
        ng.agreement(other, metrics)
    found = evaluate(human, metrics, join="number")
    assert found.record["result"] == evaluate(ratings, scores).record["result"]
    assert found.record["request"]["join"] == "number"


def test_columns_of_a_mapping_join_by_their_own_names():
    mine, other = (ng.register_metric(name, range=(0, 10)) for name in ("mine", "other"))
    by_name = {"v": 1.0, "w": 3.0, "x": 2.0, "y": 5.0, "z": 4.0}
    first, backwards = mine.of(by_name), other.of(dict(reversed(by_name.items())))
    human = ng.register_metric("rated", range=(0, 10)).of({"z": 5, "y": 4, "x": 3, "w": 2, "v": 1})
    asked = {"permutations": 5}
    found = ng.agreement({"a": human}, {"mine": first, "other": backwards}, **asked)
    assert found.statistic("mine", "pearson") == found.statistic("other", "pearson") > 0
    separate = ng.agreement({"a": human}, [{"mine": first}, {"other": backwards}], **asked)
    assert found.record["result"] == separate.record["result"]
    # Results without names are in the order of the first one with names.
    placed = ng.agreement(
        {"a": human}, {"mine": first, "other": [*by_name.values()]}, higher_is_better=["other"], **asked
    )
    assert placed.record["result"] == found.record["result"]
    named = ng.agreement({"a": human}, {"mine": first, "other": backwards}, items=list("zyxwv"), **asked)
    assert named.record["result"] == found.record["result"]
    strangers = other.of({"q1": 1, "q2": 2, "q3": 3, "q4": 4, "q5": 5})
    for metrics, options, message in [
        (
            {"mine": first, "other": strangers},
            {},
            r"metrics\['other'\] is of 5 items \(q1, q2, q3, ...\), metrics\['mine'\] of 5 \(v, w, x, ...\)",
        ),
        ({"mine": first, "other": other.of({"v": 1})}, {}, "only one of them has 'w'"),
        ({"mine": first}, {"items": list("abcde")}, "items of 5"),
        ({"mine": first, "other": [1, 2, 3]}, {}, "3 values for 5 items"),
    ]:
        with pytest.raises(ng.DataError, match=message):
            ng.agreement({"a": human}, metrics, **options, **asked)


def test_series_in_a_mapping_join_by_their_index():
    pd = pytest.importorskip("pandas")
    ratings, scores = survey()
    expected = evaluate(ratings, scores).record["result"]
    backwards = {name: pd.Series(column).iloc[::-1] for name, column in scores.items()}
    assert evaluate(ratings, backwards).record["result"] == expected
    assert evaluate(ratings, {**scores, "noise": backwards["noise"]}).record["result"] == expected
    raters = {
        f"r{i}": pd.Series(column, index=[f"img{place}" for place in range(24)]) for i, column in enumerate(ratings.T)
    }
    shuffled = {
        name: pd.Series(column, index=[f"img{place}" for place in range(24)]).sample(frac=1)
        for name, column in scores.items()
    }
    assert evaluate(raters, shuffled).record["result"] == expected


def test_data_frames_wide_and_long():
    pd = pytest.importorskip("pandas")
    ratings, scores = survey()
    expected = evaluate(ratings, scores).record["result"]
    wide = pd.DataFrame(ratings, columns=[f"r{i}" for i in range(5)])
    wide.insert(0, "item", range(24))
    long = wide.melt(id_vars="item", var_name="rater", value_name="value").sample(frac=1, random_state=0)
    frame = pd.DataFrame(scores, index=pd.Index(range(24), name="item"))
    for human in (wide, long, wide.set_index("item")):
        found = evaluate(human, frame)
        assert found.record["result"] == expected
    table = found.to_pandas()
    assert len(table) == len(found.lines)
    chosen = table[(table.metric == "good") & (table.statistic == "pearson") & (table.kind == "metric")]
    assert chosen.value.item() == found.statistic("good", "pearson")


def test_faults_name_the_place():
    ratings, scores = survey()
    for match, human, metrics, options in [
        ("n_items, n_raters", ratings[:, 0], scores, {}),
        ("expected a mapping", ratings, scores["good"], {}),
        ("empty", ratings, {}, {}),
        ("one number for each item", ratings, {"good": ratings}, {}),
        ("metrics:2: column", ratings, {"good": np.full(24, np.inf)}, {}),
        ("scale|outside|lowest", ratings, scores, {"scale": (2, 5)}),
        ("No such file|nowhere", "nowhere.csv", scores, {}),
    ]:
        with pytest.raises(ng.DataError, match=match):
            ng.agreement(human, metrics, **QUICK, **options)
    for match, options in [
        ("resamples", {"resamples": -1}),
        ("invalid value .median. for .human_score.", {"human_score": "median"}),
        ("not a metric here", {"lower_is_better": ["best"]}),
        ("list of names", {"lower_is_better": "good"}),
        ("interval", {"interval": "bca", "bootstrap": "both"}),
    ]:
        with pytest.raises(ng.UsageError, match=match):
            ng.agreement(ratings, scores, **options)


def test_questions_are_evaluated_one_after_the_other():
    human = {"sem_1": [1, 2, 3, 4, 5], "sem_2": [1, 3, 2, 4, 5], "perc_1": [5, 4, 3, 2, 1], "perc_2": [4, 4, 3, 1, 2]}
    scores = {"mine": [0.1, 0.3, 0.2, 0.4, 0.9]}
    asked = {"rater_columns": ["sem_*", "likeness=perc_*"], "higher_is_better": ["mine"], "permutations": 20}
    found = ng.agreement_by_question(human, scores, **asked)
    assert list(found) == ["sem", "likeness"]
    assert found["sem"].statistic("mine", "kendall_tau_b") > 0 > found["likeness"].statistic("mine", "kendall_tau_b")
    with pytest.raises(ng.UsageError, match="2 questions"):
        ng.agreement(human, scores, **asked)
    with pytest.warns(ng.NeurogaugeWarning, match="fall into groups"):
        ng.agreement(human, scores, higher_is_better=["mine"], permutations=20)


def test_codes_that_are_no_ratings():
    rng = np.random.default_rng(0)
    human = rng.integers(1, 6, size=(20, 4)).astype(float)
    human[3, 1] = np.nan
    scores = {"mine": rng.normal(size=20)}
    options = {"higher_is_better": ["mine"], "permutations": 20, "worst": 0}
    expected = ng.agreement(human, scores, **options).statistic("mine", "pearson")
    coded = np.where(np.isnan(human), 99, human)
    with pytest.raises(ng.DataError, match=r"99, and all others go from 1 to 5.*missing="):
        ng.agreement(coded, scores, **options)
    assert ng.agreement(coded, scores, missing=[99], **options).statistic("mine", "pearson") == expected
    assert ng.agreement(coded, scores, missing="none", **options).statistic("mine", "pearson") != expected
