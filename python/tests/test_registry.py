"""Every metric of the command line is a function of the package, or features of a model that a function compares."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import neurogauge as ng
from neurogauge import _neurogauge

RNG = np.random.default_rng(0)
IMAGES = RNG.integers(0, 256, (2, 3, 64, 64, 3), dtype=np.uint8)
ROWS = RNG.normal(size=(2, 3, 5))
FOUND = [{"labels": ["dog"], "scores": [0.5], "boxes": [[0, 0, 20, 20]]}] * 3
PARTS = {"foreground_objects": [{"object": "dog", "parts": ["head"]}], "background_elements": [{"element": "sky"}]}
MASKS = [{"masks": RNG.random((3, 4, 5)) < 0.6, "labels": ["dog", "head", "sky"], "categories": PARTS}] * 3
GRAPHS = [{"objects": ["boat", "sea"], "attributes": {"boat": ["red"]}, "relations": [["boat", "on", "sea"]]}] * 3
WORDS: dict[str, Any] = {"options": {"soft": "off", "synonyms": False, "normalise": {"lemmas": False}}}
CAPTIONS = ([["a red dog", "one dog"], ["two boats on a lake"], ["a cat"]], ["the dogs", "boats on a sea", "a train"])
SHARES = RNG.random((3, 3))
METRICS = ng.metrics

# By id of the registry, all but those of two images alone, which need no line here.
FUNCTIONS: dict[str, Callable[[], ng.Result]] = {
    "lpips_alex": lambda: METRICS.lpips(*IMAGES, heads="placeholder", pixel_size=None),
    "effnet": lambda: METRICS.effnet(*ROWS),
    "swav": lambda: METRICS.swav(*ROWS),
    "dreamsim": lambda: METRICS.dreamsim(*ROWS),
    "dreamsim_dino": lambda: METRICS.dreamsim(*ROWS, form="dino"),
    "dreamsim_clip": lambda: METRICS.dreamsim(*ROWS, form="clip"),
    "dreamsim_open_clip": lambda: METRICS.dreamsim(*ROWS, form="open_clip"),
    "object_recall": lambda: METRICS.object_recall(FOUND, FOUND),
    "object_precision": lambda: METRICS.object_precision(FOUND, FOUND),
    "object_f1": lambda: METRICS.object_f1(FOUND, FOUND),
    "object_f1_vlm": lambda: METRICS.object_f1_vlm(["dog"] * 3, ["dog, cat"] * 3),
    "vqa_score": lambda: METRICS.vqa_score([{"Yes": -0.1, "No": -2.5}] * 3),
    "cap_sim": lambda: METRICS.cap_sim(*ROWS),
    "seed": lambda: METRICS.seed(*SHARES),
    "text_recall": lambda: METRICS.text_recall(["Stop"] * 3, [["stop", "go"]] * 3),
    "seed_vlm": lambda: METRICS.seed_vlm(*SHARES),
    "snm": lambda: METRICS.snm(FOUND, FOUND),
    "sdm": lambda: METRICS.sdm(*SHARES[:2]),
    "basic_h": lambda: METRICS.basic_h(GRAPHS, GRAPHS, **WORDS),
    "basic_l": lambda: METRICS.basic_l(MASKS, MASKS),
    "mask_matching_ratio": lambda: METRICS.mask_matching_ratio(MASKS, MASKS),
    "basic": lambda: METRICS.basic(*SHARES[:2]),
    "grounding_accuracy": lambda: METRICS.grounding_accuracy(FOUND, FOUND),
    "grounding_iou": lambda: METRICS.grounding_iou(FOUND, FOUND),
    "meteor": lambda: METRICS.meteor(*CAPTIONS, wordnet=os.environ["NEUROGAUGE_TEST_WORDNET"]),
    "rouge_1": lambda: METRICS.rouge(*CAPTIONS),
    "rouge_2": lambda: METRICS.rouge(*CAPTIONS, n=2),
    "rouge_l_f1": lambda: METRICS.rouge(*CAPTIONS, n="l", stemming=True),
    "rouge_l": lambda: METRICS.rouge_l(*CAPTIONS),
    "cider": lambda: METRICS.cider(*CAPTIONS),
    "clip_s": lambda: METRICS.clip_s(*ROWS),
    "ref_clip_s": lambda: METRICS.clip_s(*ROWS, reference_captions=ROWS[0]),
    "scene_graph_f1": lambda: METRICS.basic_h(GRAPHS, GRAPHS, part="scene_graph_f1", **WORDS),
}
for kind in ("object", "attribute", "relation"):
    for figure in ("precision", "recall", "f1"):
        part = f"basic_{kind}_{figure}"
        FUNCTIONS[part] = lambda part=part: METRICS.basic_h(GRAPHS, GRAPHS, part=part, **WORDS)  # type: ignore[misc]
for n_words in range(1, 5):
    FUNCTIONS[f"bleu_{n_words}"] = lambda n=n_words: METRICS.bleu(*CAPTIONS, n=n)  # type: ignore[misc]
for granularity in ("salient", "binary", "semantic", "instance", "part"):
    FUNCTIONS[f"{granularity}_iou"] = lambda g=granularity: METRICS.mask_iou(MASKS, MASKS, g)  # type: ignore[misc]
    FUNCTIONS[f"{granularity}_ap"] = lambda g=granularity: METRICS.mask_ap(MASKS, MASKS, g)  # type: ignore[misc]

# Those that take a file: LPIPS of whichever network the heads belong to (python/tests/test_perceptual.py).
BY_FILE = {"lpips_vgg": METRICS.lpips}

# Those that compare features of a model, as the documentation of neurogauge.metrics has it: model, layer.
OF_MODELS = {
    "alexnet2": ("alexnet", "features.4"),
    "alexnet5": ("alexnet", "features.11"),
    "inception": ("inception_v3", "avgpool"),
    "clip": ("clip_vit_l_14", "image_embeds"),
}
ALONE = {"effnet": ("efficientnet_b1", "avgpool"), "swav": ("swav_resnet50", "avgpool")}
COMPARISONS: dict[str, Callable[[], ng.Result]] = {
    "": lambda: METRICS.two_way_identification(*ROWS),
    "_correlation": lambda: METRICS.feature_correlation(*ROWS),
    "_pool": lambda: METRICS.two_way_identification(*ROWS, pool=ROWS[0]),
}
# Those of a classifier's probabilities: one function for every number of ways.
OF_CLASSES = {f"n_way_accuracy_{n_way}": n_way for n_way in (2, 10, 40, 50)}
OF_CLASSES |= {f"video_n_way_accuracy_{n_way}": n_way for n_way in (2, 50)}
# Those of the frames of a clip: which are compared.
OF_FRAMES = {
    f"{side}frame_consistency{ending}": pairs
    for side in ("", "stimulus_")
    for ending, pairs in (("", "adjacent"), ("_all", "all"))
}
# The function of another metric, of features of images that were prepared otherwise.
PREPARED_OTHERWISE = {"effnet_official": "effnet"}
# Those of one model whose only layer they compare.
OF_EMBEDDINGS = {
    "dreamsim": "dreamsim",
    "dreamsim_dino": "dreamsim_dino_vit_b_16",
    "dreamsim_clip": "dreamsim_clip_vit_b_32",
    "dreamsim_open_clip": "dreamsim_open_clip_vit_b_32",
}
COMBINED = {f"{name}{ending}": model for name, model in OF_MODELS.items() for ending in COMPARISONS}

OF_IMAGES = [
    metric
    for metric in _neurogauge.metric_ids()
    if metric not in {*FUNCTIONS, *BY_FILE, *COMBINED, *OF_CLASSES, *OF_FRAMES, *PREPARED_OTHERWISE}
    and hasattr(METRICS, metric)
]
for metric in OF_IMAGES:
    FUNCTIONS[metric] = lambda metric=metric: getattr(METRICS, metric)(*IMAGES)  # type: ignore[misc]


def test_every_metric_of_the_registry_can_be_had_from_python() -> None:
    known = {*FUNCTIONS, *BY_FILE, *COMBINED, *OF_CLASSES, *OF_FRAMES, *PREPARED_OTHERWISE}
    registry = set(_neurogauge.metric_ids())
    assert registry - known == set(), (
        "metrics without a function: `make written`, or one by hand and a line in this file"
    )
    assert {"pixcorr", "ssim", "psnr", "ms_ssim"} <= set(OF_IMAGES)
    assert known - registry == set(), "metrics that the registry lacks"


@pytest.mark.parametrize("metric", FUNCTIONS)
def test_the_function_gives_that_metric(metric: str) -> None:
    found = FUNCTIONS[metric]()
    assert found.metric == metric and len(found) == 3 and not np.isnan(found.per_pair).any(), found.undefined
    low, high = found.range
    assert ((low <= found.per_pair) & (found.per_pair <= high)).all()


@pytest.mark.parametrize("metric", OF_CLASSES)
def test_classification_accuracy_has_the_chance_level_of_the_registry(metric: str) -> None:
    classes = RNG.random((2, 3, 100))
    found = METRICS.n_way_accuracy(*classes, n_way=OF_CLASSES[metric])
    spec = _neurogauge.metric_spec(metric)
    assert found.chance == pytest.approx(spec["chance"], abs=1e-15)
    layer = "videomae_vit_b_16.classifier" if metric.startswith("video_") else "vit_b_16.heads.head"
    assert spec["features"] == layer and metric in (METRICS.__doc__ or "")
    assert ((found.per_pair >= 0) & (found.per_pair <= 1)).all()


@pytest.mark.parametrize("metric", OF_FRAMES)
def test_consistency_of_frames_is_of_the_registrys_layer(metric: str) -> None:
    frames = RNG.normal(size=(3, 4, 5))
    found = METRICS.frame_consistency(frames, pairs=OF_FRAMES[metric])
    unit = frames / np.linalg.norm(frames, axis=2, keepdims=True)
    cosines = unit @ unit.transpose(0, 2, 1)
    compared = np.eye(4, k=1) if OF_FRAMES[metric] == "adjacent" else 1 - np.eye(4)
    expected = (cosines * compared).sum(axis=(1, 2)) / compared.sum()
    np.testing.assert_allclose(found.per_pair, expected, atol=1e-6)
    spec = _neurogauge.metric_spec(metric)
    assert spec["features"] == "clip_vit_l_14.image_embeds" and metric in (METRICS.__doc__ or "")
    assert found.metric == metric.removeprefix("stimulus_")


@pytest.mark.parametrize("metric", [*COMBINED, *ALONE])
def test_models_and_layers_are_those_of_the_registry(metric: str) -> None:
    model, layer = {**COMBINED, **ALONE}[metric]
    assert _neurogauge.metric_spec(metric)["features"] == f"{model}.{layer}"
    assert model in ng.models.available()
    documented = METRICS.__doc__ or ""
    assert f'"{layer}"' in documented and model in documented and metric.split("_")[0] in documented


@pytest.mark.parametrize("metric", PREPARED_OTHERWISE)
def test_metrics_of_images_that_were_prepared_otherwise_compare_the_same_layer(metric: str) -> None:
    of, same = (_neurogauge.metric_spec(name)["features"] for name in (metric, PREPARED_OTHERWISE[metric]))
    assert of == f"{same}.official" and metric in (METRICS.__doc__ or "")


@pytest.mark.parametrize("metric", OF_EMBEDDINGS)
def test_dreamsim_is_of_the_embedding_of_its_model(metric: str) -> None:
    model = OF_EMBEDDINGS[metric]
    assert _neurogauge.metric_spec(metric)["features"] == f"{model}.embedding"
    assert model in ng.models.available()


def test_no_other_metric_compares_features() -> None:
    for metric in _neurogauge.metric_ids():
        features = _neurogauge.metric_spec(metric)["features"]
        is_known = metric in {**COMBINED, **ALONE, **OF_CLASSES, **OF_FRAMES, **PREPARED_OTHERWISE, **OF_EMBEDDINGS}
        assert (features is not None) == is_known, metric


def test_comparisons_of_features_give_results() -> None:
    for compare in COMPARISONS.values():
        assert len(compare()) == 3


def test_every_function_is_said_to_be_one() -> None:
    for name in METRICS.__all__:
        assert (getattr(METRICS, name).__doc__ or "").strip(), name
