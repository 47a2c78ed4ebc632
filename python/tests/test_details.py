"""The matched, missed and invented details of each pair."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import neurogauge as ng

BOX = [0, 0, 20, 20]


def found(*objects: tuple[str, float]) -> dict[str, Any]:
    return {
        "labels": [name for name, _ in objects],
        "scores": [score for _, score in objects],
        "boxes": [BOX] * len(objects),
    }


def test_results_say_what_was_matched_missed_and_invented() -> None:
    seen = [found(("dog", 0.75), ("person", 0.5)), found(("car", 0.5))]
    decoded = [found(("dog", 0.375), ("cat", 0.25)), found(("car", 0.5))]
    recall = ng.metrics.object_recall(seen, decoded)
    first, second = recall.details or []
    lists = first["categories"]
    assert lists["matched"] == [{"reference": "dog", "reconstruction": "dog", "threshold": 0.375}]
    assert lists["missed"] == [{"reference": "person", "threshold": 0.5}, {"reference": "dog", "threshold": 0.75}]
    assert lists["invented"] == [{"reconstruction": "cat", "threshold": 0.25}]
    assert second["categories"]["missed"] == []
    table = recall.details_frame()
    assert table["kind"].tolist() == ["matched", "missed", "missed", "invented", "matched"]
    assert table["stem"].tolist() == ["0"] * 4 + ["1"] and set(table["metric"]) == {"object_f1"}

    words = {"soft": "off", "synonyms": False, "normalise": {"lemmas": False}}
    graphs = [{"objects": ["boat", "sea"]}], [{"objects": ["boat", "tree"]}]
    by_words = ng.metrics.basic_h(*graphs, part="basic_object_f1", options=words).details or []
    about = {"reference_dimension": "object", "reconstruction_dimension": "object"}
    assert by_words[0]["objects"]["matched"] == [
        {"reference": "boat", "reconstruction": "boat", "how": "exact", **about}
    ]
    image = {"masks": [[[1, 1, 0]]], "labels": ["dog"]}
    masks = ng.metrics.mask_iou([image], [image], "instance").details or []
    assert masks[0]["instance"]["matched"][0]["similarity"] == 1.0
    named = ng.metrics.object_f1_vlm(["dog, grass"], ["Dog"]).details or []
    assert named[0]["categories"]["missed"] == [{"reference": "grass"}]
    classes = ng.metrics.n_way_accuracy([[0.5, 0.2, 0.3]], [[0.1, 0.2, 0.7]], n_way=2, right_classes=1).details or []
    assert classes[0]["classes"]["invented"] == [{"reconstruction": "class 2"}]
    assert ng.metrics.mask_ap([image], [image], "instance").details is None


def test_runs_keep_them(tmp_path: Path) -> None:
    for side, names in (("gt", ["dog, grass", "cat"]), ("recon", ["dog", "cat, sky"])):
        (tmp_path / side).mkdir()
        (tmp_path / side / "vlm_categories.json").write_text(json.dumps(dict(zip("ab", names, strict=True))))
    run = ng.score(observations=tmp_path, out=tmp_path / "run", progress=False)
    assert [pair["stem"] for pair in run.details] == ["a", "b"]
    assert run.details[1]["object_f1_vlm"]["categories"]["invented"] == [{"reconstruction": "sky"}]
    of_metric = run["object_f1_vlm"].details or []
    assert of_metric[0]["categories"]["missed"] == [{"reference": "grass"}]
    lines = (tmp_path / "run" / "details.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == run.details == ng.load_run(tmp_path / "run").details
    table = run.details_frame()
    parquet = pytest.importorskip("pyarrow.parquet").read_table(tmp_path / "run" / "details.parquet").to_pandas()
    assert list(parquet.columns) == list(table.columns)
    assert parquet["reconstruction"].fillna("").tolist() == table["reconstruction"].fillna("").tolist()


def test_basic_h_by_dimension(tmp_path: Path) -> None:
    for side, colour in (("gt", "red"), ("recon", "blue")):
        (tmp_path / side).mkdir()
        graph = {"objects": ["boat"], "attributes": {"boat": [colour, "large"]}, "relations": []}
        (tmp_path / side / "scene_graphs.json").write_text(json.dumps({"a": graph}))
    run = ng.score(
        observations=tmp_path,
        metrics="basic_h",
        set={"basic_soft": "off", "basic_synonyms": "off", "basic_lemmas": "off"},
        out=tmp_path / "run",
        progress=False,
    )
    found = {one["dimension"]: (one["n_reference"], one["recall"], one["f1"]) for one in run.dimensions}
    assert found == {"object": (1, 1.0, 1.0), "colour": (1, 0.0, 0.0), "size": (1, 1.0, 1.0)}
    assert run.dimensions_frame()["dimension"].tolist() == ["object", "colour", "size"]
    assert ng.load_run(tmp_path / "run").dimensions == run.dimensions
    assert set(run.details_frame()["reference_dimension"].dropna()) == {"object", "colour", "size"}


def test_what_matches_nothing_has_none(stimuli: Any, reconstructions: Any) -> None:
    run = ng.score(stimuli, reconstructions, metrics="pixcorr", set={"pixel_size": 16}, progress=False)
    assert run.details == [] and run["pixcorr"].details is None and len(run.details_frame()) == 0
    assert run.dimensions == []
    assert np.isfinite(run["pixcorr"].mean)


def test_pairs_with_a_value_of_nothing_are_counted() -> None:
    box, nothing = found(("dog", 0.9)), found()
    with pytest.warns(
        ng.NeurogaugeWarning, match="Object F1: 2 of 3 pairs have nothing on either side and count 1"
    ) as warned:
        result = ng.metrics.object_f1([box, nothing, nothing], [box, nothing, nothing])
    assert result.per_pair.tolist() == [1.0, 1.0, 1.0] and warned[0].filename == __file__
    with pytest.warns(
        ng.NeurogaugeWarning, match="ROUGE-L: 1 of 2 pairs have nothing in the reconstruction and count 0"
    ) as warned:
        ng.metrics.rouge_l(["a dog", "a cat"], ["a dog", " "])
    assert warned[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ng.metrics.object_f1([box], [box])
        ng.metrics.rouge_l(["a dog"], ["a cat"])
