"""Errors have the command line's messages, as exceptions that correspond to its exit codes."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import neurogauge as ng
from neurogauge import _errors, _neurogauge


def test_every_fault_has_its_exception_with_the_commands_exit_code() -> None:
    faults = _neurogauge.exceptions()
    assert faults == [("DataError", 1), ("ModelError", 1), ("UsageError", 2), ("InternalError", 3)]
    for name, code in faults:
        exception = getattr(ng, name)
        assert exception is getattr(_errors, name) and exception.exit_code == code
        assert issubclass(exception, ng.NeurogaugeError)
    # scikit-learn's checks and others expect these base classes.
    assert issubclass(ng.DataError, ValueError) and issubclass(ng.UsageError, ValueError)


@pytest.mark.parametrize(
    ("options", "exception"),
    [
        ({"gt": "nowhere", "recon": "nowhere"}, ng.DataError),
        ({"gt": "{gt}", "recon": "{gt}", "metrics": "none_such"}, ng.UsageError),
        ({"gt": "{gt}", "recon": "{gt}", "level": 2}, ng.UsageError),
        ({"gt": "{gt}", "recon": "{gt}", "set": {"filter": "nearest"}}, ng.UsageError),
        ({"gt": "{gt}", "recon": "{short}"}, ng.DataError),
        ({"gt": "{gt}", "recon": "{gt}", "metrics": "effnet", "weights": "."}, ng.DataError),
        ({"gt": "{flat}", "recon": "{gt}", "metrics": "pixcorr"}, ng.DataError),
        ({}, ng.UsageError),
    ],
)
def test_the_commands_errors(
    command: Any, tmp_path: Path, monkeypatch: Any, options: dict[str, Any], exception: Any
) -> None:
    monkeypatch.setenv("NEUROGAUGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    paths = {name: tmp_path / f"{name}.npy" for name in ("gt", "short", "flat")}
    np.save(paths["gt"], np.zeros((3, 16, 16, 3), np.uint8))
    np.save(paths["short"], np.zeros((2, 16, 16, 3), np.uint8))
    np.save(paths["flat"], np.zeros((3, 16), np.uint8))
    options = {name: value.format(**paths) if isinstance(value, str) else value for name, value in options.items()}
    given = {**options, **{f"set={name}": value for name, value in options.get("set", {}).items()}}
    given.pop("set", None)
    flags = [f"--{name}" if value is True else f"--{name}={value}" for name, value in given.items()]
    done = command("score", f"--out={tmp_path / 'run'}", *flags)
    with pytest.raises(exception) as raised:
        ng.score(out=tmp_path / "run", progress=False, **options)
    assert done.returncode == raised.value.exit_code, done.stderr
    # The command line refuses a value in its own words, and calls options by flags.
    assert flags_for_keywords(str(raised.value)) in done.stderr or set(options) & {"level", "set"}


def flags_for_keywords(message: str) -> str:
    """A message in the command line's words: ``--gt`` instead of ``gt=``."""

    def flag(found: re.Match[str]) -> str:
        return f"--{found[1].replace('_', '-')} {found[3]}".rstrip()

    return re.sub(r'\b([a-z][a-z_]*)=("?)([\w.-]*)\2', flag, message)


def test_options_of_score_are_named() -> None:
    for options, message in [
        ({"set": {"pixel_size": 0}}, 'pixel_size is "0": .*from 1 to'),
        ({"set": {"basic_weights": (1, 2)}}, "basic_weights is"),
        ({"from_run": "run.json", "set": {"n_way": 3}}, "from_run and set exclude each other"),
        ({"preset": ["paper", "none_such"]}, "preset is .*none_such"),
        ({"set": {"frames": "middle"}}, "is about the parts of items; say with parts= what these are"),
        ({"set": {"on_missing": "skip"}}, "on_missing.*is about the parts"),
        ({"set": {"odd_frames": "drop-last"}}, "odd_frames.*is about the parts"),
    ]:
        with pytest.raises(ng.UsageError, match=message):
            ng.score("gt", "recon", progress=False, **options)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="no_such_option"):
        ng.score("gt", "recon", no_such_option=1)  # type: ignore[call-arg]


def test_pairs_are_named_by_their_place() -> None:
    x = np.zeros((2, 8, 8, 3))
    with pytest.raises(ng.DataError, match='pair "0", ssim: .*11 px window'):
        ng.ssim(x, x, pixel_size=None)
    with pytest.raises(ng.DataError, match="3 images and reconstruction 2"):
        ng.pixcorr(np.zeros((3, 8, 8, 3)), x)


def test_images_of_other_numbers_say_what_to_pass() -> None:
    x = np.zeros((2, 16, 16, 3), np.uint8)
    wide = np.full((2, 16, 16, 3), 40_000)
    for images, what in [
        (x.astype(np.int64), r"its values are 0 to 0, so pass {name}.astype\(numpy.uint8\)"),
        (wide.astype(np.uint16), "its values are 40000 to 40000; of images of 16 bits, pass {name} / 65535"),
        (wide, "its values are 40000 to 40000; scale them first"),
        (x > 0, r"pass {name}.astype\(numpy.float32\), in which True is white"),
    ]:
        found = f"{{name}}: {images.dtype} values; expected uint8, or floats between 0 and 1: {what}"
        with pytest.raises(ng.DataError, match=found.format(name="reconstruction")):
            ng.ssim(x, images)
        with pytest.raises(ng.DataError, match=found.format(name="gt")):
            ng.score(images, x, progress=False)


def test_sides_of_two_sizes_say_which_and_what_to_do() -> None:
    x, y = np.zeros((2, 64, 48, 3)), np.zeros((2, 32, 32, 3))
    for metric in (ng.ssim, ng.metrics.ms_ssim, partial(ng.metrics.lpips, heads="placeholder")):
        with pytest.raises(
            ng.DataError,
            match="images of 48 x 64 px and reconstruction of 32 x 32 px, and pixel_size is None.* give a pixel_size",
        ):
            metric(x, y, pixel_size=None)
    rows = np.eye(3)
    for compared in (
        ng.two_way_identification,
        ng.metrics.feature_correlation,
        ng.metrics.n_way_accuracy,
        ng.metrics.retrieval,
    ):
        with pytest.raises(
            ng.DataError, match=r"reference has shape \(3, 3\) and reconstruction \(3, 2\); expected the same"
        ):
            compared(rows, rows[:, :2])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"resamples": -1}, "resamples is -1"),
        ({"resamples": 0}, "resamples is 0"),
        ({"resamples": 2.5}, "resamples is 2.5"),
        ({"level": 1.5}, "level is 1.5"),
        ({"level": "high"}, "level is 'high'"),
        ({"seed": -3}, "seed is -3"),
        ({"pixel_size": 0}, "pixel_size is 0"),
        ({"pixel_size": None, "first_size": 8}, "first_size is 8"),
        ({"pixel_size": None, "proportions": "squashed"}, "proportions is 'squashed'"),
        ({"proportions": "stretched"}, "stretched"),
        ({"filter": "nearest"}, "nearest"),
        ({"layout": "HWC"}, "layout is 'HWC'"),
    ],
)
def test_options_are_checked(options: Any, message: str) -> None:
    x = np.zeros((2, 8, 8, 3))
    with pytest.raises(ng.UsageError, match=message):
        ng.pixcorr(x, x, **options)


def image(**changes: Any) -> list[Any]:
    return [{"labels": ["dog"], "scores": [0.5], "boxes": [[0, 0, 20, 20]], **changes}]


@pytest.mark.parametrize(
    ("detections", "exception", "message"),
    [
        (image(labels=["unicorn"]), ng.DataError, "unicorn"),
        (image(labels=[-1]), ng.DataError, "label 0 is -1"),
        (
            image(labels=[82]),
            ng.DataError,
            r"reference\[0\]\['labels'\]: label 0 is 82, but the list of labels has 82 names \(0 to 81\)",
        ),
        (image(labels=[0.5]), ng.DataError, "indices or names"),
        (image(scores=[1.5]), ng.DataError, "score 1.5"),
        (image(scores=[0.5, 0.5]), ng.DataError, "2 scores"),
        (image(boxes=[[0, 0, 20]]), ng.DataError, r"\(1, 3\)"),
        (image()[0], ng.DataError, "one mapping"),
        ([{"labels": []}], ng.DataError, "no 'scores'"),
        ([7], ng.DataError, "expected a mapping"),
    ],
)
def test_detections_are_checked(detections: Any, exception: Any, message: str) -> None:
    for metric in (ng.object_f1, ng.metrics.object_precision, ng.metrics.snm):
        with pytest.raises(exception, match=message):
            metric(detections, image())


def test_boxes_of_labels_beyond_the_list_are_refused() -> None:
    for labels, n_names in (("coco", 80), (["dog", "cat"], 2)):
        with pytest.raises(ng.DataError, match=rf"reconstruction\[0\]\['labels'\]: label 0 is 999, .*{n_names} names"):
            ng.metrics.grounding_iou(image(), image(labels=[999]), labels=labels)


def test_other_words_than_those_of_an_option_are_refused() -> None:
    for call, message in (
        (lambda: ng.compare(["a", "b"], holm="al"), 'holm is "al"; expected "metric" or "all"'),  # type: ignore[arg-type]
        (lambda: ng.compare(["a", "b"], test="foo"), 'test is "foo"; expected "sign-flip" or "studentized"'),  # type: ignore[arg-type]
        (
            lambda: ng.metrics.frame_consistency(np.ones((1, 2, 3)), pairs="al"),  # type: ignore[arg-type]
            'pairs is "al"; expected "adjacent" or "all"',
        ),
        (lambda: ng.metrics.frame_consistency(np.ones((1, 2, 3)), pairs=None), "pairs is None"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ng.UsageError, match=message):
            call()


def test_options_of_detections_are_checked() -> None:
    for options, message in (
        ({"preset": "mine"}, "mine"),
        ({"variant": "size"}, "size of the stimulus image is not known"),
        ({"labels": "imagenet"}, "imagenet"),
        ({"min_box_area": -1.0}, "min_area_px2"),
        ({"min_box_area": float("nan")}, "JSON"),
    ):
        with pytest.raises(ng.UsageError, match=message):
            ng.object_f1(image(), image(), **options)  # type: ignore[arg-type]


def test_unordered_scores_are_said() -> None:
    box = [0, 0, 20, 20]
    unordered = [{"labels": [16, 17], "scores": [0.2, 0.9], "boxes": [box, box]}]
    with pytest.warns(ng.NeurogaugeWarning, match="not in descending order"):
        ng.object_f1(unordered, unordered)
    ng.object_f1(unordered, unordered, score_order="any")


def test_graphs_masks_and_captions_are_checked(tmp_path: Path) -> None:
    with pytest.raises(ng.DataError, match=r"reference\[0\].*objcts"):
        ng.basic_h([{"objcts": []}], [{}], options={"soft": "off"}, wordnet=tmp_path)
    with pytest.raises(ng.DataError, match="WordNet"):
        ng.basic_h([{}], [{}], options={"soft": "off"}, wordnet=tmp_path / "nowhere")
    with pytest.raises(ng.UsageError, match="sofd"):
        ng.basic_h([{}], [{}], options={"sofd": "off"})
    with pytest.raises(ng.DataError, match=r"\(2, 2\)"):
        ng.basic_l([{"masks": [[1, 0], [0, 1]], "labels": ["dog"]}], [])
    with pytest.raises(ng.DataError, match="2 labels"):
        ng.basic_l([{"masks": [[[1, 0]]], "labels": ["dog", "cat"]}], [{"masks": [[[1, 0]]], "labels": ["dog"]}])
    with pytest.raises(ng.UsageError, match="granularity"):
        ng.metrics.mask_iou([], [], "pixel")  # type: ignore[arg-type]
    with pytest.raises(ng.UsageError, match="no-such-encoder"):
        ng.cap_sim(["a"], ["b"], encoder="no-such-encoder")
    with pytest.raises(ng.ModelError):
        ng.cap_sim(["a"], ["b"], weights=tmp_path)
    with pytest.raises(ng.DataError, match="one text"):
        ng.cap_sim("a dog", ["a dog"], encoder="placeholder")
    with pytest.raises(ng.UsageError, match="median"):
        ng.cap_sim([[1.0]], [[1.0]], references="median")  # type: ignore[arg-type]


def test_captions_are_looked_at_before_weights_are_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def fetched(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr("neurogauge._neurogauge.embed", fetched)
    with pytest.raises(ng.DataError, match="reference has 2 captions and reconstruction 1"):
        ng.cap_sim(["a", "b"], ["c"], download=True)
    with pytest.raises(ng.UsageError, match="median"):
        ng.cap_sim(["a"], ["b"], references="median", download=True)  # type: ignore[arg-type]


def test_undefined_statistics_are_nan_and_say_why() -> None:
    with pytest.warns(ng.UndefinedWarning, match="constant y"):
        assert np.isnan(ng.stats.kendall_tau_b([1, 2, 3], [1, 1, 1]))
    with pytest.warns(ng.UndefinedWarning, match="constant human"):
        assert np.isnan(ng.stats.pairwise_accuracy([1, 2, 3], [1, 1, 1]))
    with pytest.warns(ng.UndefinedWarning):
        assert ng.stats.icc(np.ones((4, 3))) == {}
    with pytest.raises(ng.DataError, match="2 values are paired with 3"):
        ng.stats.spearman([1, 2], [1, 2, 3])


def test_undefined_statistics_name_the_callers_line() -> None:
    for call in (
        lambda: ng.stats.kendall_tau_b([1, 2], [1, 1]),
        lambda: ng.stats.pairwise_accuracy([1, 2, 3], [1, 1, 1]),
        lambda: ng.stats.krippendorff_alpha([[1, 1], [1, 1]]),
    ):
        with pytest.warns(ng.UndefinedWarning) as warned:
            assert np.isnan(call())
        assert (warned[0].filename, warned[0].lineno) == (__file__, call.__code__.co_firstlineno)


def test_messages_name_keywords_also_after_the_command_was_run_in_this_process(tmp_path: Path) -> None:
    from neurogauge import _command

    _command.main(["score", str(tmp_path), "--metrics"])
    with pytest.raises(ng.UsageError, match="weights=: nowhere: no such folder") as caught:
        ng.score(tmp_path, tmp_path, metrics="effnet", weights="nowhere")
    assert "--" not in str(caught.value)
