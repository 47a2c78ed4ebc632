"""The command line on files and the package on arrays give the same bits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import neurogauge as ng
from neurogauge._result import bootstrap
from neurogauge.metrics import _from_registry
from neurogauge.metrics._seed import combined


def assert_equal(found: ng.Result, expected: ng.Result) -> None:
    assert found.per_pair.tobytes() == expected.per_pair.tobytes()
    assert found.undefined == expected.undefined
    assert (found.n, found.n_undefined, found.level) == (expected.n, expected.n_undefined, expected.level)
    assert np.array([found.mean]).tobytes() == np.array([expected.mean]).tobytes()
    assert found.interval == expected.interval


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        (["--set", "pixel_size=16"], {"pixel_size": 16}),
        (["--set", "pixel_size=40", "--set", "proportions=squashed"], {"pixel_size": 40, "proportions": "squashed"}),
        (["--set", "pixel_size=40", "--set", "filter=bicubic"], {"pixel_size": 40, "filter": "bicubic"}),
        (
            ["--set", "pixel_size=24", "--set", "pixel_arithmetic=eight-bit"],
            {"pixel_size": 24, "arithmetic": "eight_bit"},
        ),
        (
            ["--set", "pixel_size=32", "--set", "first_size=16", "--set", "antialias=on", "--level", 0.8, "--seed", 7],
            {"pixel_size": 32, "first_size": 16, "antialias": True, "level": 0.8, "seed": 7},
        ),
    ],
)
@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64", "float16"])
def test_pixels(
    scored: Any, saved: Any, tmp_path: Path, stimuli: Any, reconstructions: Any, flags: Any, options: Any, dtype: str
) -> None:
    if dtype != "uint8":
        stimuli, reconstructions = (stimuli / 255).astype(dtype), (reconstructions / 255).astype(dtype)
        reconstructions[3, 0, 0, 0] = np.nan
    metrics = _from_registry.__all__
    inputs = saved(gt=stimuli, recon=reconstructions)
    run = scored(tmp_path / "run", *inputs, "--metrics", ",".join(metrics), *flags)
    for metric in metrics:
        assert_equal(getattr(ng.metrics, metric)(stimuli, reconstructions, **options), run[metric])


@pytest.mark.parametrize("flavour", ["grey", "columns", "colour"])
def test_flavours_of_ssim(
    scored: Any, saved: Any, tmp_path: Path, stimuli: Any, reconstructions: Any, flavour: str
) -> None:
    inputs = saved(gt=stimuli, recon=reconstructions)
    run = scored(tmp_path / "run", *inputs, "--metrics", "ssim", "--set", "pixel_size=24", "--set", f"ssim={flavour}")
    assert_equal(ng.metrics.ssim(stimuli, reconstructions, pixel_size=24, flavour=flavour), run["ssim"])


@pytest.mark.parametrize(
    ("net", "dtype", "flags", "options"),
    [
        ("alexnet", "uint8", ["--set", "pixel_size=63"], {"pixel_size": 63}),
        (
            "alexnet",
            "float32",
            [
                "--set",
                "pixel_size=70",
                "--set",
                "first_size=64",
                "--set",
                "filter=bicubic",
                "--set",
                "antialias=on",
                "--device",
                "cpu-f64",
            ],
            {"pixel_size": 70, "first_size": 64, "filter": "bicubic", "antialias": True, "device": "cpu-f64"},
        ),
        (
            "alexnet",
            "float64",
            ["--set", "pixel_size=64", "--weight-precision", "bf16", "--level", 0.8, "--seed", 3],
            {"pixel_size": 64, "weight_precision": "bf16", "level": 0.8, "seed": 3},
        ),
        ("vgg16", "uint8", ["--set", "pixel_size=33"], {"pixel_size": 33}),
    ],
)
def test_lpips(
    scored: Any,
    saved: Any,
    tmp_path: Path,
    patterns: Any,
    network: Any,
    lpips_heads: Any,
    net: str,
    dtype: str,
    flags: Any,
    options: Any,
) -> None:
    gt, recon = patterns()
    if dtype != "uint8":
        gt, recon = (gt / 255).astype(dtype), (recon / 255).astype(dtype)
        recon[1, 2, 3, 0] = np.inf
    heads, checkpoint = lpips_heads(net), network(net)
    metric = {"alexnet": "lpips_alex", "vgg16": "lpips_vgg"}[net]
    models = ["--lpips-heads", heads, "--checkpoint", f"{net}={checkpoint}"]
    run = scored(tmp_path / "run", *saved(gt=gt, recon=recon), "--metrics", metric, *models, *flags)
    found = ng.metrics.lpips(gt, recon, heads=heads, checkpoint=checkpoint, progress=False, **options)
    assert_equal(found, run[metric])
    assert (found.direction, found.stand_in) == ("lower", False)
    if dtype != "uint8":
        assert found.undefined == {1: "non-finite value in the reconstruction"}
        return
    # The noise grows from pair to pair.
    assert 0 < found.per_pair[0] < found.per_pair[1] < found.per_pair[2]
    if net == "alexnet":
        alone = ng.metrics.lpips(recon[1:2], gt[1:2], heads=heads, checkpoint=checkpoint, **options)
        assert alone.per_pair[0] == found.per_pair[1]
        same = ng.metrics.lpips(gt, gt, heads=heads, checkpoint=checkpoint, **options)
        assert same.per_pair.tolist() == [0.0] * 3


def test_features(scored: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    gt = rng.normal(size=(9, 40)).astype(np.float32)
    recon = (gt + 2 * rng.normal(size=gt.shape)).astype(np.float32)
    recon[5] = 1.0
    pool = rng.normal(size=(12, 40)).astype(np.float32)
    ids = json.dumps([str(place) for place in range(9)])
    for side, rows in (("gt", gt), ("recon", recon)):
        folder = tmp_path / side / "features"
        folder.mkdir(parents=True)
        for name in ("efficientnet_b1", "swav_resnet50", "clip"):
            np.save(folder / f"{name}.npy", rows)
        (folder / "ids.json").write_text(ids)
    (tmp_path / "pool").mkdir()
    np.save(tmp_path / "pool" / "clip.npy", pool)
    (tmp_path / "pool" / "ids.json").write_text(json.dumps([f"p{place}" for place in range(12)]))
    wanted = ["--observations", tmp_path, "--metrics", "effnet,swav,clip,clip_correlation,clip_pool"]
    run = scored(tmp_path / "run", *wanted, "--pool", tmp_path / "pool", "--set", "n_way=3")
    assert_equal(ng.metrics.effnet(gt, recon), run["effnet"])
    assert_equal(ng.metrics.swav(gt.astype(np.float64), recon), run["swav"])
    assert_equal(ng.metrics.feature_correlation(gt, recon), run["clip_correlation"])
    assert_equal(ng.two_way_identification(gt, recon, n_way=3), run["clip"])
    assert_equal(ng.two_way_identification(gt, recon, n_way=3, pool=pool), run["clip_pool"])


def detections(rng: np.random.Generator, n_images: int) -> list[dict[str, Any]]:
    found = []
    for _ in range(n_images):
        n = int(rng.integers(0, 8))
        corners = rng.uniform(0, 80, (n, 2))
        boxes = np.concatenate([corners, corners + rng.uniform(1, 20, (n, 2))], axis=1)
        scores = np.sort(rng.uniform(0, 1, n))[::-1]
        found.append({"labels": rng.integers(0, 82, n) % 7 + 14, "scores": scores, "boxes": boxes})
    return found


def files_of(images: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Detections as mmdetection's files have them."""
    names = {"labels": "labels", "scores": "scores", "boxes": "bboxes"}
    return [{names[key]: np.asarray(value).tolist() for key, value in image.items()} for image in images]


@pytest.mark.parametrize("preset", ["official", "paper", "exact"])
@pytest.mark.parametrize("variant", ["existence", "size", "location", "number"])
def test_detections(scored: Any, observed: Any, tmp_path: Path, preset: str, variant: str) -> None:
    rng = np.random.default_rng(4)
    sides = {"gt": detections(rng, 12), "recon": detections(rng, 12)}
    wanted = observed("detections", **{side: files_of(images) for side, images in sides.items()})
    wanted += ["--metrics", "object_f1,object_recall,object_precision,snm", "--labels", "coco"]
    wanted += ["--preset", preset, "--set", f"object_variant={variant}", "--set", "image_size=100x100"]
    run = scored(tmp_path / "run", *wanted)
    options: dict[str, Any] = {"preset": preset, "variant": variant, "image_size": (100, 100)}
    for metric in ("object_f1", "object_recall", "object_precision"):
        assert_equal(getattr(ng.metrics, metric)(sides["gt"], sides["recon"], **options), run[metric])
    assert_equal(ng.metrics.snm(sides["gt"], sides["recon"], labels="coco"), run["snm"])
    with pytest.raises(ng.UsageError, match="numbers without names"):
        ng.metrics.snm(sides["gt"], sides["recon"])


def test_near_misses_of_labels_of_ones_own(scored: Any, observed: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    names, groups = ["apple", "pear", "bowl", "sweet_pea"], {"fruit": ["apple", "pear"], "plant": ["sweet pea"]}
    labels = {"supercategories": groups, "salient": ["apple", "pear"]}
    (tmp_path / "labels.json").write_text(json.dumps({"names": names, **labels}))
    found = {"scores": [0.9, 0.5, 0.2], "boxes": [[0, 0, 20, 20]] * 3}
    gt, recon = ([{"labels": rng.integers(0, 4, 3).tolist(), **found} for _ in range(12)] for _ in range(2))
    wanted = observed("detections", gt=files_of(gt), recon=files_of(recon))
    run = scored(tmp_path / "run", *wanted, "--metrics", "snm", "--labels", tmp_path / "labels.json")
    own = ng.metrics.snm(gt, recon, labels=names, **labels)  # type: ignore[arg-type]
    assert_equal(own, run["snm"])
    assert own.mean is not None and own.mean > 0
    for faulty, message in (
        ({"fruit": ["plum"]}, "'plum' is not in the list of labels"),
        ({**groups, "green": ["pear"]}, "'pear' is in 'fruit' already"),
    ):
        with pytest.raises(ng.UsageError, match=message):
            ng.metrics.snm(gt, recon, labels=names, supercategories=faulty)


def test_captions_and_their_composites(scored: Any, observed: Any, tmp_path: Path) -> None:
    gt = [["a dog on a mat", "a brown dog"], ["two boats"], ["a red car in the rain", "a car"]]
    recon = ["a dog", "a boat on the sea", "a red bus"]
    observations = observed("captions.json", gt=gt, recon=recon)
    for how in ("mean", "max", "first"):
        run = scored(
            tmp_path / f"run-{how}", *observations, "--set", "text_encoder=placeholder", "--set", f"references={how}"
        )
        found = ng.cap_sim(gt, recon, references=how, encoder="placeholder", progress=False)  # type: ignore[arg-type]
        assert_equal(found, run["cap_sim"])
        assert run["cap_sim"].stand_in and found.stand_in
        rows = ng.metrics.embed([text for texts in gt for text in texts], encoder="placeholder", progress=False)
        given = [rows[:2], rows[2:3], rows[3:]]
        decoded = ng.metrics.embed(recon, encoder="placeholder", progress=False)
        assert_equal(ng.cap_sim(given, decoded, references=how), run["cap_sim"])  # type: ignore[arg-type]


def test_seed_is_the_mean_of_the_means_of_its_parts(scored: Any, observed: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    sides = {"gt": detections(rng, 5), "recon": detections(rng, 5)}
    rows = {side: rng.normal(size=(5, 10)).astype(np.float32) for side in sides}
    rows["recon"][2] = 0.0
    for side, images in sides.items():
        observed("detections", **{side: files_of(images)})
        observed("captions.json", **{side: [f"caption {place % 3} {side}" for place in range(5)]})
        (tmp_path / side / "features").mkdir()
        np.save(tmp_path / side / "features" / "efficientnet_b1.npy", rows[side])
        (tmp_path / side / "features" / "ids.json").write_text(json.dumps([str(place) for place in range(5)]))
    flags = ["--set", "text_encoder=placeholder", "--labels", "coco_gender"]
    run = scored(tmp_path / "run", "--observations", tmp_path, *flags)
    parts = [run["object_f1"], run["cap_sim"], ng.metrics.effnet(rows["gt"], rows["recon"])]
    assert_equal(ng.seed(*parts), run["seed"])
    assert_equal(ng.metrics.sdm(parts[0], ng.seed(*parts)), run["sdm"])
    assert run["seed"].n == 4 and run["seed"].stand_in and ng.seed(*parts).stand_in
    assert run["seed"].mean == pytest.approx((parts[0].mean + parts[1].mean + 1 - parts[2].mean) / 3, abs=1e-12)


def test_basic_is_the_mean_of_its_parts_as_they_are_printed() -> None:
    over = bootstrap({"resamples": 100})
    levels = {
        "salient_iou": [0.2, 0.4, 0.9],
        "semantic_iou": [0.1, np.nan, 0.5],
        "instance_iou": [0.3, 0.1, 0.2],
        "part_iou": [np.nan, 0.4, 0.6],
    }
    basic_l = combined("basic_l", levels, {}, over)
    assert basic_l.n == 1 and basic_l.mean == pytest.approx(0.3 * 0.5 + 0.25 * 0.3 + 0.25 * 0.2 + 0.2 * 0.5, abs=1e-12)
    basic = ng.metrics.basic(basic_l, [0.5, 0.25, 0.75])
    assert basic.mean == pytest.approx((basic_l.mean + 0.5) / 2, abs=1e-12)
    assert basic.per_pair[2] == pytest.approx((basic_l.per_pair[2] + 0.75) / 2, abs=1e-12)
    renamed = basic_l._of_pairs(("x", "y", "z"))._of_pairs(("z", "x", "y"))
    assert ng.metrics.basic(renamed, [0.75, 0.5, 0.25]).mean == pytest.approx(basic.mean, abs=1e-12)


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ([], {}),
        (
            ["--metric", "correlation", "--set", "top_k=2", "--set", "identification_ties=half"],
            {"similarity": "correlation", "top_k": 2, "ties": "half"},
        ),
        (["--repeats", 1, "--seed", 9, "--level", 0.9], {"repeats": 1, "seed": 9, "level": 0.9}),
    ],
)
def test_retrieval(command: Any, saved: Any, tmp_path: Path, flags: Any, options: Any) -> None:
    rng = np.random.default_rng(8)
    image = rng.normal(size=(25, 12)).astype(np.float32)
    brain = (image + 2 * rng.normal(size=image.shape)).astype(np.float32)
    brain[3], image[17], image[18] = 0.0, 0.0, image[19]
    files = [*saved(image=image, brain=brain)[1::2], "--out", tmp_path / "out"]
    done = command("score", "embeddings", *files, "--candidates", 10, "--format", "json", *flags)
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    for direction in ("forward", "backward"):
        with pytest.warns(ng.NeurogaugeWarning, match="2 items .* leaves 23: 3, 17"):
            found = ng.metrics.retrieval(image, brain, direction=direction, candidates=10, **options)  # type: ignore[arg-type]
        expected = record[direction]
        assert found.draws.shares.tolist() == expected["repeats"]
        assert (found.draws.mean, found.draws.sd) == (expected["mean"], expected["sd"])
        assert found.draws.interval == (expected["interval"] and tuple(expected["interval"]))
        assert (found.mean, found.interval) == (expected["expected"], tuple(expected["expected_interval"]))
        assert (found.n, found.n_undefined, found.chance) == (record["n_items"], 2, record["chance"])
        reasons = ("empty reconstruction", "empty stimulus")
        if "similarity" in options:
            reasons = ("constant reconstruction", "constant stimulus")
        assert found.undefined == {3: reasons[0], 17: reasons[1]}
        assert np.isnan(found.per_pair[[3, 17]]).all()


@pytest.mark.parametrize("preset", ["official", "paper", "exact"])
@pytest.mark.parametrize("names", ["normalised", "as-written"])
def test_names_of_categories(scored: Any, observed: Any, tmp_path: Path, preset: Any, names: Any) -> None:
    gt = ["Dog, frisbee , grass.", ["traffic_light", "car"], "", ["cat"], "a, b, c"]
    recon = ["grass,dog, dog", ["Traffic  light"], "dog", "", ["c", "b", "B", "d"]]
    flags = ["--metrics", "object_f1_vlm", "--preset", preset, "--set", f"vlm_names={names}"]
    run = scored(tmp_path / "run", *observed("vlm_categories.json", gt=gt, recon=recon), *flags)
    found = ng.metrics.object_f1_vlm(gt, recon, preset=preset, vlm_names=names)  # type: ignore[arg-type]
    assert_equal(found, run["object_f1_vlm"])
    assert (found.n_undefined == 0) == (preset == "official")


def test_metrics_named_after_a_model_compare_its_features(
    scored: Any, saved: Any, tmp_path: Path, network: Any
) -> None:
    rng = np.random.default_rng(9)
    gt = np.kron(rng.integers(0, 256, (4, 5, 5, 3)), np.ones((1, 16, 16, 1))).astype(np.uint8)
    recon = np.clip(gt + rng.normal(scale=60, size=gt.shape), 0, 255).astype(np.uint8)
    others = np.kron(rng.integers(0, 256, (5, 5, 5, 3)), np.ones((1, 16, 16, 1))).astype(np.uint8)
    inputs = saved(gt=gt, recon=recon, pool=others)
    wanted = ["--metrics", "alexnet2,alexnet2_correlation,alexnet2_pool,alexnet5"]
    checkpoint = network("alexnet")
    run = scored(tmp_path / "run", *inputs, *wanted, "--checkpoint", f"alexnet={checkpoint}")
    model = ng.models.load("alexnet", checkpoint=checkpoint, preset="nsd8-mindeye2")
    rows = [model(images, layer="features.4") for images in (gt, recon)]
    assert_equal(ng.two_way_identification(*rows), run["alexnet2"])
    assert_equal(ng.metrics.feature_correlation(*rows), run["alexnet2_correlation"])
    assert_equal(ng.two_way_identification(*rows, pool=model(others, layer="features.4")), run["alexnet2_pool"])
    late = (model(images, layer="features.11") for images in (gt, recon))
    assert_equal(ng.two_way_identification(*late), run["alexnet5"])


def test_masks(scored: Any, observed: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    categories = {
        "foreground_objects": [{"object": "dog", "parts": ["head", "tail"]}, {"object": "cat", "parts": ["head"]}],
        "background_elements": [{"element": "sky"}],
    }
    sides: dict[str, list[dict[str, Any]]] = {"gt": [], "recon": []}
    for side, images in sides.items():
        files = []
        for place in range(4):
            labels = ["dog", "dog", "cat", "sky", "head", "tail"][: 6 if place else 3]
            masks = rng.random((len(labels), 7, 9)) < 0.5
            scores = rng.uniform(0.3, 1, len(labels))
            images.append({"masks": masks, "labels": labels, "scores": scores, "categories": categories})
            annotations = [
                {"class_name": label, "segmentation": {"size": [7, 9], "counts": runs(mask)}, "score": float(score)}
                for label, mask, score in zip(labels, masks, scores, strict=True)
            ]
            files.append({"image_path": "x.png", "annotations": annotations, "img_width": 9, "img_height": 7})
        observed("masks", **{side: files})
    run = scored(
        tmp_path / "run",
        *observed("categories", **{side: [categories] * 4 for side in sides}),
        "--metrics",
        "basic_l_all",
    )
    assert_equal(ng.basic_l(sides["gt"], sides["recon"], progress=False), run["basic_l"])
    for granularity in ("salient", "binary", "semantic", "instance", "part"):
        for kind in ("iou", "ap"):
            compare = getattr(ng.metrics, f"mask_{kind}")
            assert_equal(compare(sides["gt"], sides["recon"], granularity), run[f"{granularity}_{kind}"])


def runs(mask: np.ndarray[Any, np.dtype[np.bool_]]) -> list[int]:
    """COCO's run lengths, columns first, starting with the outside."""
    pixels = np.concatenate([[False], mask.T.ravel(), [not mask.T.ravel()[-1]]])
    edges = np.flatnonzero(np.diff(pixels))
    return np.diff(np.concatenate([[0], edges])).tolist()


GRAPHS = {
    "gt": [
        {"objects": ["boat", "sea"], "attributes": {"boat": ["large", "white"]}, "relations": [["boat", "on", "sea"]]},
        {"objects": ["dog"], "attributes": {}, "relations": []},
    ],
    "recon": [
        {"objects": ["boat", "lake"], "attributes": {"boat": ["white"]}, "relations": [["boat", "in", "lake"]]},
        {"objects": ["cat", "dog house"], "attributes": {"cat": ["black"]}, "relations": []},
    ],
}


def test_scene_graphs(scored: Any, observed: Any, tmp_path: Path) -> None:
    observations = observed("scene_graphs.json", **GRAPHS)
    words = ["--set", "basic_synonyms=off", "--set", "basic_lemmas=off"]
    for preset in ("basic", "capture"):
        flags = ["--metrics", "basic_h_all", "--set", "phrase_encoder=placeholder", "--preset", preset, *words]
        run = scored(tmp_path / f"run-{preset}", *observations, *flags)
        options: dict[str, Any] = {
            "preset": preset,
            "options": {"synonyms": False, "normalise": {"lemmas": False}},
            "encoder": "placeholder",
            "progress": False,
        }
        found = ng.basic_h(GRAPHS["gt"], GRAPHS["recon"], **options)
        assert_equal(found, run["basic_h"])
        assert found.stand_in == run["basic_h"].stand_in
        for part in run:
            assert_equal(ng.basic_h(GRAPHS["gt"], GRAPHS["recon"], part=part, **options), run[part])


def test_decoded_captions(command: Any, tmp_path: Path) -> None:
    gt = [["a dog sat on a mat", "the dog is on the mat"], ["two boats at sea"], ["a red car"]]
    recon = ["a dog on a mat", "boats at sea", "a blue bus"]
    for name, captions in (("gt", gt), ("recon", recon)):
        entries = {str(place): text for place, text in enumerate(captions)}
        (tmp_path / f"{name}.json").write_text(json.dumps(entries))
    files = [tmp_path / "gt.json", tmp_path / "recon.json", "--out", tmp_path / "run"]
    done = command("score", "captions", *files, "--format", "json")
    assert done.returncode == 0, done.stderr
    printed = set(numbers(json.loads(done.stdout)))
    found = [ng.metrics.bleu(gt, recon, n=n) for n in (1, 2, 3, 4)]
    found += [ng.metrics.rouge_l(gt, recon), ng.metrics.cider(gt, recon)]
    for result in found:
        assert result.mean in printed, (result, printed)


def numbers(value: Any) -> list[float]:
    """Every number of a JSON document."""
    if isinstance(value, (dict, list)):
        return [n for entry in (value.values() if isinstance(value, dict) else value) for n in numbers(entry)]
    return [value] if isinstance(value, float) else []


def test_score_is_the_command(scored: Any, saved: Any, tmp_path: Path, stimuli: Any, reconstructions: Any) -> None:
    inputs = saved(gt=stimuli, recon=reconstructions)
    by_command = scored(tmp_path / "a", *inputs, "--metrics", "pixcorr,ssim", "--set", "pixel_size=16")
    options: dict[str, Any] = {"metrics": ["pixcorr", "ssim"], "set": {"pixel_size": 16}, "progress": False}
    by_call = ng.score(inputs[1], inputs[3], out=tmp_path / "b", **options)
    of_arrays = ng.score(stimuli, reconstructions, **options)
    assert list(by_call) == list(by_command) == list(of_arrays) == ["pixcorr", "ssim"]
    for metric, expected in by_command.items():
        assert_equal(by_call[metric], expected)
        assert_equal(of_arrays[metric], expected)
    assert by_call.record["fingerprint"] == by_command.record["fingerprint"]
    assert (by_call.path, of_arrays.path) == (tmp_path / "b", None)
    for summary, form in (("summary.tex", "to_latex"), ("summary.md", "to_markdown")):
        assert getattr(by_call, form)() == (tmp_path / "b" / summary).read_text()
