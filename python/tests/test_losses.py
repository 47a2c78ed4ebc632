"""The pairwise hinge loss against the plain triple loop, and PyTorch's automatic gradient."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import neurogauge as ng

SIDES = [("predicted", "predicted"), ("true", "predicted"), ("predicted", "true")]
OPTIONS = [
    {"anchor": anchor, "neighbours": neighbours, "include_self": include_self, "normalise": normalise}
    for (anchor, neighbours), include_self, normalise in itertools.product(
        SIDES, (True, False), ("sum", "ordered", "all")
    )
]


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def plain(predicted, true, anchor, neighbours, include_self, normalise):
    """Every triple, one after the other, and the gradient by the chain rule."""
    n = len(true)
    p, t = unit(predicted), unit(true)
    a = p if anchor == "predicted" else t
    b = p if neighbours == "predicted" else t
    value, n_ordered, toward = 0.0, 0, np.zeros_like(p)
    for i, j, k in itertools.product(range(n), repeat=3):
        if not include_self and i in (j, k):
            continue
        if t[i] @ t[j] > t[i] @ t[k]:
            n_ordered += 1
            if a[i] @ b[k] > a[i] @ b[j]:
                value += a[i] @ b[k] - a[i] @ b[j]
                if anchor == "predicted":
                    toward[i] += b[k] - b[j]
                if neighbours == "predicted":
                    toward[k] += a[i]
                    toward[j] -= a[i]
    divisor = {"sum": 1, "ordered": n_ordered, "all": n**3}[normalise]
    along = (toward * p).sum(axis=1, keepdims=True)
    gradient = (toward - along * p) / np.linalg.norm(predicted, axis=1, keepdims=True)
    return value / divisor, gradient / divisor


@pytest.mark.parametrize("options", OPTIONS)
def test_value_and_gradient_equal_the_plain_triple_loop(options):
    rng = np.random.default_rng(5)
    for n, n_features in ((3, 2), (9, 4), (14, 30)):
        true, predicted = rng.normal(size=(2, n, n_features))
        value, gradient = ng.losses.pairwise_hinge(predicted, true, return_gradient=True, **options)
        expected, slope = plain(predicted, true, **options)
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-12)
        np.testing.assert_allclose(gradient, slope, rtol=0, atol=1e-12 * max(1.0, np.abs(slope).max()))


def test_single_precision_and_any_layout_give_the_numbers_of_double_precision():
    rng = np.random.default_rng(1)
    true, predicted = rng.normal(size=(2, 20, 6)).astype(np.float32)
    value, gradient = ng.losses.pairwise_hinge(predicted, true, return_gradient=True)
    doubles = ng.losses.pairwise_hinge(predicted.astype(np.float64), true.astype(np.float64), return_gradient=True)
    assert value == doubles[0] and gradient.dtype == np.float32
    np.testing.assert_array_equal(gradient, doubles[1].astype(np.float32))
    strided = np.asfortranarray(np.repeat(predicted, 2, axis=0))[::2]
    strided.flags.writeable = False
    assert ng.losses.pairwise_hinge(strided, true.tolist()) == value


def test_a_right_order_loses_nothing_and_a_turn_changes_nothing():
    rng = np.random.default_rng(2)
    true, predicted = rng.normal(size=(2, 15, 4))
    assert ng.losses.pairwise_hinge(3 * true, true) == 0.0
    turn = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    assert ng.losses.pairwise_hinge(predicted @ turn, true) == pytest.approx(ng.losses.pairwise_hinge(predicted, true))


@pytest.mark.parametrize("value", [np.nan, np.inf, 0.0])
def test_an_embedding_without_direction_has_no_loss(value):
    true = np.eye(3)
    predicted = np.eye(3)
    predicted[1] = value
    with pytest.warns(ng.UndefinedWarning, match="row 1 of predicted"):
        loss, gradient = ng.losses.pairwise_hinge(predicted, true, return_gradient=True)
    assert np.isnan(loss) and np.isnan(gradient).all() and gradient.shape == (3, 3)


def test_empty_batches_are_undefined_and_bad_calls_are_refused():
    empty = np.empty((0, 4))
    with pytest.warns(ng.UndefinedWarning, match="empty"):
        assert np.isnan(ng.losses.pairwise_hinge(empty, empty))
    two = np.eye(2)
    with pytest.warns(ng.UndefinedWarning):
        assert np.isnan(ng.losses.pairwise_hinge(two, two, normalise="ordered", include_self=False))
    for error, match, arguments, options in [
        (ng.DataError, "same", (np.eye(3), np.eye(2)), {}),
        (ng.DataError, "n_features", (np.ones(3), np.ones(3)), {}),
        (ng.UsageError, "nothing is predicted", (two, two), {"anchor": "true", "neighbours": "true"}),
        (ng.UsageError, "normalise", (two, two), {"normalise": "mean"}),
        (ng.UsageError, "anchor", (two, two), {"anchor": "both"}),
    ]:
        with pytest.raises(error, match=match):
            ng.losses.pairwise_hinge(*arguments, **options)


def test_torch_is_optional():
    try:
        import torch  # noqa: F401
    except ModuleNotFoundError:
        with pytest.raises(ModuleNotFoundError, match="pip install torch"):
            _ = ng.losses.PairwiseHingeLoss


@pytest.mark.parametrize("options", OPTIONS)
def test_torch_gradients_pass_gradcheck(options):
    torch = pytest.importorskip("torch")
    generator = torch.Generator().manual_seed(3)
    true, predicted = torch.randn(2, 6, 5, dtype=torch.float64, generator=generator)
    predicted.requires_grad_()
    loss = ng.losses.PairwiseHingeLoss(**options)
    assert torch.autograd.gradcheck(lambda rows: loss(rows, true), (predicted,))


def test_torch_agrees_with_numpy_and_keeps_type_and_device():
    torch = pytest.importorskip("torch")
    true, predicted = torch.randn(2, 12, 7, generator=torch.Generator().manual_seed(4))
    predicted.requires_grad_()
    loss = ng.losses.pairwise_hinge(predicted, true)
    (2 * loss).backward()
    value, gradient = ng.losses.pairwise_hinge(predicted.detach().numpy(), true.numpy(), return_gradient=True)
    assert loss.dtype == predicted.grad.dtype == torch.float32
    assert loss.item() == np.float32(value)
    np.testing.assert_array_equal(predicted.grad.numpy(), 2 * gradient)
    half = predicted.detach().half().requires_grad_()
    ng.losses.pairwise_hinge(half, true.half(), normalise="ordered").backward()
    assert half.grad.dtype == torch.float16
    with pytest.raises(ng.UsageError, match="detach"):
        ng.losses.pairwise_hinge(predicted, true.requires_grad_())
