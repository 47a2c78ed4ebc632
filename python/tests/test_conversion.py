"""Results as numbers, text, dictionaries, tables of text, and parts of one."""

from __future__ import annotations

import csv
import io
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import neurogauge as ng

SET = {"pixel_size": 24, "stack_order": "natural"}
OPTIONS: dict[str, Any] = {"metrics": "pixcorr,ssim", "set": SET, "progress": False}


def test_a_result_is_formatted_as_its_mean(stimuli: Any, reconstructions: Any) -> None:
    found = ng.pixcorr(stimuli, reconstructions, pixel_size=None)
    assert f"{found:.3f}" == f"{found.mean:.3f}" and f"{found:>10.2e}" == f"{found.mean:>10.2e}"
    assert f"{found}" == str(found) == repr(found)
    assert float(found) == found.mean and np.asarray(found).tobytes() == found.per_pair.tobytes()
    with pytest.raises(ValueError, match="format"):
        f"{found:not a format}"
    assert f"{ng.pixcorr(stimuli, np.zeros_like(stimuli)):.2f}" == "nan"


def test_dictionaries_are_json_and_hold_everything(stimuli: Any, reconstructions: Any, tmp_path: Path) -> None:
    found = ng.metrics.psnr(stimuli, np.where(np.arange(6)[:, None, None, None] == 2, stimuli, reconstructions))
    made = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (
        made["mean"] == found.mean and made["range"] == [0.0, None] and made["interval"] == list(found.interval or ())
    )
    assert [np.nan if value is None else value for value in made["per_pair"]] == pytest.approx(
        found.per_pair, nan_ok=True
    )
    assert {int(place): reason for place, reason in made["undefined"].items()} == found.undefined
    undefined = ng.pixcorr(stimuli, np.zeros_like(stimuli)).to_dict()
    assert undefined["mean"] is None and undefined["interval"] is None and undefined["reason"] == "no pair has a value"
    run = ng.score(stimuli, reconstructions, out=tmp_path / "mine", **OPTIONS)
    assert run.to_dict()["ssim"] == run["ssim"].to_dict()
    other = ng.score(stimuli, stimuli[::-1], out=tmp_path / "other", **OPTIONS)
    # Four pairs can show a difference at a level of 80%, but not of 95%.
    compared = ng.compare([run, other], resamples=200, level=0.8)
    made = json.loads(json.dumps(compared.to_dict(), allow_nan=False))
    assert made["means"]["ssim"] == list(compared.means["ssim"]) and made["differences"] == compared.differences
    human = {"a": [1, 2, 3], "b": [1, 3, 3]}
    meta = ng.agreement(human, {"mine": [1.0, 2.0, 3.0]}, higher_is_better=["mine"])
    assert meta.to_dict() == meta.record and meta.to_dict() is not meta.record


def test_tables_of_text_read_back_to_the_same_numbers(stimuli: Any, reconstructions: Any, tmp_path: Path) -> None:
    run = ng.score(stimuli, reconstructions, out=tmp_path / "mine", **OPTIONS)
    assert run.to_csv(tmp_path / "scores.csv") == (tmp_path / "mine" / "scores.csv").read_text()
    assert (tmp_path / "scores.csv").read_bytes() == (tmp_path / "mine" / "scores.csv").read_bytes()
    lines = list(csv.DictReader(io.StringIO(run["pixcorr"].to_csv())))
    assert [line["pair"] for line in lines] == list(run.pairs)
    assert [float(line["pixcorr"] or "nan") for line in lines] == pytest.approx(
        run["pixcorr"].per_pair, nan_ok=True, abs=0
    )
    assert [line["undefined"] for line in lines] == ["", "", "", "", *["constant reconstruction"] * 2]
    other = ng.score(stimuli, stimuli[::-1], out=tmp_path / 'a "b", c', **OPTIONS)
    # Four pairs can show a difference at a level of 80%, but not of 95%.
    compared = ng.compare([run, other], resamples=200, level=0.8)
    lines = list(csv.DictReader(io.StringIO(compared.to_csv())))
    assert [line["subtrahend"] for line in lines] == ['a "b", c'] * 2
    assert [float(line["difference"]) for line in lines] == [one["difference"] for one in compared.differences]
    assert [float(line["low"]) for line in lines] == [one["interval"][0] for one in compared.differences]
    human = {"a": [1, 2, 3], "b": [1, 3, 3]}
    meta = ng.agreement(human, {"mine": [1.0, 2.0, 3.0]}, higher_is_better=["mine"])
    assert len(list(csv.DictReader(io.StringIO(meta.to_csv())))) == len(meta.lines)


def test_a_run_that_was_not_kept_is_a_source_of_meta(stimuli: Any, reconstructions: Any) -> None:
    run = ng.score(stimuli, reconstructions, metrics="ssim", set={"pixel_size": 24}, progress=False)
    human = {"a": [1, 2, 3, 4, 5, 5], "b": [1, 3, 3, 4, 4, 5]}
    ours, same = (ng.agreement(human, one) for one in (run, {"ssim": run["ssim"]}))
    assert ours.statistic("ssim") == same.statistic("ssim")


def test_parts_make_the_whole(stimuli: Any, reconstructions: Any) -> None:
    whole = ng.pixcorr(stimuli, reconstructions, pixel_size=None)
    parts = [
        ng.pixcorr(stimuli[of], reconstructions[of], pixel_size=None) for of in (slice(0, 1), slice(1, 5), slice(5, 6))
    ]
    joined = ng.concat(parts)
    assert joined.to_dict() == whole.to_dict()
    with pytest.warns(ng.NeurogaugeWarning, match="same name"):
        named = ng.concat(parts, keys=["x", "y", "z"], level=0.5)
    assert named.pairs == ("x/0", "y/0", "y/1", "y/2", "y/3", "z/0") and named.level == 0.5
    assert ng.concat([whole]).per_pair.tobytes() == whole.per_pair.tobytes()
    found = [{"labels": ["dog"], "scores": [0.5], "boxes": [[0, 0, 20, 20]]}] * 3
    objects = ng.object_f1(found, found)
    assert ng.concat([objects, objects]).details == [*(objects.details or []), *(objects.details or [])]


def test_what_cannot_be_joined_is_refused(tmp_path: Path, stimuli: Any, reconstructions: Any) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 8, 5))
    two, three = (ng.two_way_identification(x, y, n_way=n_way) for n_way in (2, 3))
    pooled = ng.two_way_identification(x, y, pool=x[::-1] + 1)
    bleu = ng.metrics.bleu(["a dog sat on a mat", "a cat"], ["a dog on a mat", "a cat ran"], n=1)
    retrieved = ng.metrics.retrieval(x, y, candidates=4, repeats=3)
    composite = ng.seed([0.1, 0.2, np.nan], [0.3, 0.4, 0.5], [0.5, 0.5, 0.9])
    shared = ng.score(
        stimuli, reconstructions, metrics="ssim", out=tmp_path / "gt", set={"pixel_size": 16}, progress=False
    )["ssim"]
    for results, keys, message in [
        ([], None, "no result"),
        ([two, three], None, "one metric with one chance level"),
        ([two, pooled], None, "intervals for new stimuli, this pool.*one kind of interval"),
        ([two, shared], None, "one metric"),
        ([bleu, bleu], None, "no mean over its pairs"),
        ([retrieved], None, "no mean over its pairs"),
        ([composite, composite], None, "no mean over its pairs"),
        ([ng.metrics.profile_correlation(x, y)], None, "profile_correlation are of features"),
        ([two, two], ["a"], "expected 2 different names"),
        ([two, two], ["a", "a"], "expected 2 different names"),
        ([two, two], "ab", "expected 2 different names"),
    ]:
        with pytest.raises(ng.UsageError, match=message):
            ng.concat(results, keys=keys)
    mean = float(np.mean(shared.per_pair))
    stems = ng.Result("ssim", (shared.per_pair.copy(), []), (mean, None, None, 6, 0), 0.95, pairs=list("abcdef"))
    with pytest.raises(ng.UsageError, match="pair 'a' is in several results; give keys="):
        ng.concat([stems, stems])


def test_names_that_several_results_share_are_warned_of(stimuli: Any, reconstructions: Any) -> None:
    found = ng.pixcorr(stimuli, reconstructions, pixel_size=None)
    with pytest.warns(ng.NeurogaugeWarning, match=r"same name \(0, 1, 2, ...\); .*ng.compare\(runs, subjects=...\)"):
        ng.concat([found, found], keys=["subj01", "subj02"])
    first, second = (ng.register_metric("rating").of(values) for values in ({"a": 1, "b": 2}, {"c": 3}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ng.concat([first, second], keys=["x", "y"]).pairs == ("x/a", "x/b", "y/c")
        assert len(ng.concat([found, found])) == 12


def test_composites_join_their_parts_by_the_names_of_pairs() -> None:
    mine = ng.register_metric("part")
    f1, sim = mine.of({"p": 0.9, "q": 0.1, "r": np.nan}), mine.of({"q": 0.3, "r": 0.2, "p": 0.8})
    effnet = mine.of([0.2, 0.6, 0.5])
    for made in (ng.seed(f1, sim, effnet), ng.metrics.seed_vlm(f1, sim, effnet), ng.seed(f1, sim, effnet.per_pair)):
        assert made.pairs == ("p", "q", "r") and made.undefined.keys() == {2}
        assert made.per_pair[:2] == pytest.approx([(0.9 + 0.8 + 0.8) / 3, (0.1 + 0.3 + 0.4) / 3])
    assert ng.metrics.sdm(f1, mine.of({"r": 0.1, "q": 0.9, "p": 0.2})).per_pair[0] == 1.0
    both = ng.metrics.basic(sim, f1)
    assert both.pairs == ("q", "r", "p") and both.per_pair[[0, 2]] == pytest.approx([0.2, 0.85])
    assert ng.seed([0.1], [0.2], [0.3]).pairs == ("0",)
    with pytest.raises(ng.DataError, match=r"part is of 3 pairs \(a, q, r\), object_f1 of 3 \(p, q, r\)"):
        ng.seed(f1, mine.of({"a": 0.1, "q": 0.2, "r": 0.3}), effnet)


def test_metrics_are_listed() -> None:
    every = ng.metrics.list()
    assert len(every) > 40 and every[0].id == "pixcorr"
    assert every[0].direction == "higher" and every[0].range == (-1.0, 1.0) and "pixcorr-rgb" in every[0].conventions
    assert len(repr(every).splitlines()) == len(every) and every._repr_html_().count("<tr>") == len(every) + 1
    assert {metric.id for metric in ng.metrics.list("LPIPS")} == {"lpips_alex", "lpips_vgg"}
    assert ng.metrics.list("no such thing") == ()
    pandas = pytest.importorskip("pandas")
    table = every.to_pandas()
    assert isinstance(table, pandas.DataFrame) and table.loc["effnet", "direction"] == "lower"


def test_versions_are_shown(capsys: Any) -> None:
    ng.show_versions()
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert lines["neurogauge"] == ng.__version__ and lines["numpy"] == np.__version__
    assert lines["torch"].strip()
