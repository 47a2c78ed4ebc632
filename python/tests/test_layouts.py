"""Arrays of every layout and type: the right answer or a clear exception, never a crash."""

from __future__ import annotations

import functools
import os
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import neurogauge as ng

Array = npt.NDArray[Any]


def fortran(array: Array) -> Array:
    return np.asfortranarray(array)


def strided(array: Array) -> Array:
    if array.ndim == 1:
        return np.repeat(array, 2)[::2]
    wide = np.zeros((2 * array.shape[0], *array.shape[1:-1], 2 * array.shape[-1]), dtype=array.dtype)
    wide[::2, ..., ::2] = array
    return wide[::2, ..., ::2]


def reversed_twice(array: Array) -> Array:
    return array[::-1].copy()[::-1]


def read_only(array: Array) -> Array:
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def swapped_bytes(array: Array) -> Array:
    return array.astype(array.dtype.newbyteorder("S"))


def unaligned(array: Array) -> Array:
    raw = np.empty(array.nbytes + 1, dtype=np.uint8)
    view = raw[1:].view(array.dtype).reshape(array.shape)
    view[...] = array
    return view


def nested_lists(array: Array) -> Any:
    return array.tolist()


LAYOUTS = [fortran, strided, reversed_twice, read_only, swapped_bytes, unaligned]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.float64, np.float16])
def test_images_may_lie_in_any_way(layout: Any, dtype: Any) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 256, (2, 3, 13, 12, 3)).astype(np.uint8)
    if dtype is not np.uint8:
        x, y = (x / 255).astype(dtype), (y / 255).astype(dtype)
    for metric in (ng.pixcorr, ng.ssim, ng.metrics.psnr):
        plain = metric(x, y, pixel_size=20)
        odd = metric(layout(x), layout(y), pixel_size=20)
        assert odd.per_pair.tobytes() == plain.per_pair.tobytes()
        channels_first = metric(layout(np.moveaxis(x, 3, 1).copy()), np.moveaxis(y, 3, 1), pixel_size=20)
        assert channels_first.per_pair.tobytes() == plain.per_pair.tobytes()


@pytest.mark.parametrize("layout", [*LAYOUTS, nested_lists])
def test_matrices_may_lie_in_any_way(layout: Any) -> None:
    x, y = np.random.default_rng(1).normal(size=(2, 6, 9)).astype(np.float32)
    retrieval = functools.partial(ng.metrics.retrieval, candidates=3)
    for metric in (ng.two_way_identification, ng.metrics.effnet, ng.metrics.feature_correlation, ng.cap_sim, retrieval):
        assert metric(layout(x), layout(y)).per_pair.tobytes() == metric(x, y).per_pair.tobytes()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_vectors_may_lie_in_any_way(layout: Any) -> None:
    x, y = np.random.default_rng(2).normal(size=(2, 30))
    assert ng.stats.kendall_tau_b(layout(x), layout(y)) == ng.stats.kendall_tau_b(x, y)
    assert ng.stats.bootstrap(layout(x)) == ng.stats.bootstrap(x)


def test_inputs_are_left_as_they_are() -> None:
    x = np.random.default_rng(3).random((2, 8, 8, 3))
    before = x.copy()
    ng.pixcorr(x, x, pixel_size=None)
    np.testing.assert_array_equal(x, before)
    assert x.flags.writeable


def test_no_pairs_give_no_mean() -> None:
    nothing = np.zeros((0, 4, 4, 3), np.uint8)
    found = ng.pixcorr(nothing, nothing)
    assert (len(found), found.n, found.reason, found.interval) == (0, 0, "no pair has a value", None)
    assert np.isnan(found.mean)
    for metric in (ng.two_way_identification, ng.metrics.effnet):
        assert len(metric(np.zeros((0, 3)), np.zeros((0, 3)))) == 0
    assert len(ng.object_f1([], [])) == 0
    assert len(ng.cap_sim([], [], encoder="placeholder")) == 0


class Protocol:
    """Has only the attributes that NumPy asks for."""

    def __init__(self, array: Array) -> None:
        self.array = array

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        return self.array


class DlPack:
    """Has only the methods that DLPack asks for."""

    def __init__(self, array: Array) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


@pytest.mark.parametrize("wrap", [Protocol, DlPack])
def test_array_protocols(wrap: Any) -> None:
    x, y = np.random.default_rng(4).random((2, 3, 8, 8, 3), dtype=np.float32)
    assert ng.pixcorr(wrap(x), wrap(y)).mean == ng.pixcorr(x, y).mean


WRONG = [
    (np.zeros((2, 8, 8, 3), complex), "complex128"),
    (np.zeros((2, 8, 8, 3), np.int64), "int64"),
    (np.zeros((2, 8, 8, 3), bool), "bool"),
    (np.full((2, 8, 8, 3), "a"), "<U1"),
    (np.full((2, 8, 8, 3), None), "object"),
    (np.zeros((8, 8), np.uint8), r"\[8, 8\]; expected .*x\[None\]"),
    (np.zeros((8, 3), np.uint8), r"\[8, 3\]"),
    (np.zeros((2, 8, 8, 5), np.uint8), r"\[2, 8, 8, 5\]"),
    (np.zeros((2, 4, 8, 8), np.uint8), "latents of a diffusion model"),
    (np.zeros((2, 2, 8, 8, 3), np.uint8), "without axes of parts"),
    (np.zeros((2, 0, 8, 3), np.uint8), r"\[2, 0, 8, 3\]"),
    ([[1], [1, 2]], "not an array"),
    ("no/such/image.png", r"no/such/image\.png"),
    (["no/such/image.png", "another.png"], r"no/such/image\.png"),
    (None, "object"),
    (np.ma.masked_less(np.full((2, 8, 8, 3), 0.5), 0.6), "masked"),
]


@pytest.mark.parametrize(("images", "message"), WRONG)
def test_what_is_no_stack_of_images_is_refused(images: Any, message: str) -> None:
    with pytest.raises(ng.DataError, match=f"reference.*{message}"):
        ng.pixcorr(images, np.zeros((2, 8, 8, 3), np.uint8))


KINDS = st.sampled_from(["u1", "i4", "f2", "f4", "f8", ">f4", "c8", "?", "O", "U3"])
SHAPES = hnp.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=4)
# `make test-long` tries all of them.
EXAMPLES = 150 if os.environ.get("NEUROGAUGE_LONG") else 40
SLACK = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def arrays(draw: Any) -> Array:
    shape = draw(
        st.one_of(SHAPES, st.tuples(*[st.integers(0, 4)] * 3, st.just(3)), st.tuples(*[st.integers(0, 4)] * 2))
    )
    kind = draw(KINDS)
    if kind == "O":
        array = np.full(shape, None)
    elif kind == "U3":
        array = np.full(shape, "abc")
    else:
        array = draw(hnp.arrays(np.dtype(kind), shape))
    if draw(st.booleans()):
        array = np.asfortranarray(array)
    if array.ndim and draw(st.booleans()):
        array = array[::-1]
    return array


@SLACK
@pytest.mark.filterwarnings("ignore::neurogauge.NeurogaugeWarning")
@given(arrays(), arrays())
def test_any_array_gives_a_result_or_an_exception_of_ours(x: Array, y: Array) -> None:
    calls = [
        lambda: ng.pixcorr(x, y, pixel_size=None),
        lambda: ng.ssim(x, y, pixel_size=12),
        lambda: ng.two_way_identification(x, y),
        lambda: ng.metrics.effnet(x, y),
        lambda: ng.cap_sim(x, y),
        lambda: ng.metrics.clip_s(x, y),
        lambda: ng.seed(x, y, x),
        lambda: ng.metrics.retrieval(x, y, candidates=2, repeats=2),
        lambda: ng.metrics.object_f1_vlm(x, y),
    ]
    with np.errstate(all="ignore"):
        for call in calls:
            try:
                found = call()
            except (ng.DataError, ng.UsageError):
                continue
            values = found.per_pair
            assert np.isfinite(values[~np.isnan(values)]).all()
            assert set(np.flatnonzero(np.isnan(values))) == set(found.undefined)


@SLACK
@pytest.mark.filterwarnings("ignore::neurogauge.UndefinedWarning")
@given(arrays(), arrays())
def test_any_array_gives_a_statistic_or_an_exception_of_ours(x: Array, y: Array) -> None:
    names = ("kendall_tau_b", "kendall_tau_c", "spearman", "pearson", "pairwise_accuracy")
    calls = [lambda name=name: getattr(ng.stats, name)(x, y) for name in names]
    calls += [lambda: ng.stats.icc(x), lambda: ng.stats.krippendorff_alpha(x), lambda: ng.stats.bootstrap(x)]
    for call in calls:
        try:
            call()
        except (ng.DataError, ng.UsageError):
            continue


@SLACK
@given(hnp.arrays(np.float32, (4, 3, 3, 3), elements=st.floats(width=32, allow_nan=True, allow_infinity=True)))
def test_what_is_not_finite_has_no_value(images: Array) -> None:
    found = ng.pixcorr(images, np.roll(images, 1, axis=0), pixel_size=None, values="as-they-are")
    for place in range(4):
        if not (np.isfinite(images[place]).all() and np.isfinite(images[place - 1]).all()):
            assert "non-finite" in found.undefined[place]


@pytest.mark.parametrize(
    ("scale", "shift", "advice", "values"),
    [
        (255, 0, "divide by 255", "0..255"),
        (2, -1, r"take \(x \+ 1\) / 2", "-1..1"),
        (9, -4, "bring them", "as-they-are"),
    ],
)
def test_floats_on_another_scale_than_images_are_refused(
    stimuli: Any, reconstructions: Any, scale: float, shift: float, advice: str, values: Any
) -> None:
    x = stimuli.astype(np.float32) / 255
    unit = reconstructions.astype(np.float32) / 255
    y = unit * scale + shift
    with pytest.raises(ng.DataError, match=f"^reconstruction: [46] of 6 images .*{advice}"):
        ng.metrics.psnr(x, y, pixel_size=None)
    found = ng.metrics.psnr(x, y, pixel_size=None, values=values)
    with pytest.raises(ng.DataError, match=f'[46] of 6 images .*values="{values}"'):
        ng.score(x, y, metrics="psnr", set={"pixel_size": "own"}, progress=False)
    run = ng.score(x, y, metrics="psnr", set={"pixel_size": "own", "values": values}, progress=False)
    assert run["psnr"].mean == pytest.approx(found.mean, abs=1e-5)
    if values != "as-they-are":
        # The rounding of x * scale + shift is that of single precision.
        assert found.mean == pytest.approx(ng.metrics.psnr(x, unit, pixel_size=None).mean, abs=1e-3)


def test_overshoot_is_remarked_and_bytes_are_let_pass(stimuli: Any, reconstructions: Any) -> None:
    x = stimuli.astype(np.float32) / 255
    with pytest.warns(ng.NeurogaugeWarning, match="clip them if they are a decoder's overshoot"):
        ng.ssim(x, x * 1.4 - 0.2, pixel_size=None)
    clipped = ng.ssim(x, x * 1.4 - 0.2, pixel_size=None, values="clip")
    assert clipped.mean == ng.ssim(x, np.clip(x * 1.4 - 0.2, 0, 1), pixel_size=None).mean
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ng.ssim(stimuli, reconstructions, pixel_size=None)
        ng.ssim(x, np.full_like(x, np.nan), pixel_size=None)
