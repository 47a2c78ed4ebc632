"""The pairwise hinge loss by PyTorch's operations and automatic gradient."""

from __future__ import annotations

import itertools
from importlib.util import find_spec

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


def test_the_loss_of_whole_numbers_is_no_whole_number():
    torch = pytest.importorskip("torch")
    from neurogauge import _torch_losses

    predicted, true = torch.tensor([[1, 0], [0, 1], [3, 2]]), torch.tensor([[1, 0], [3, 2], [0, 1]])
    for normalise in ("sum", "ordered"):
        value = ng.losses.pairwise_hinge(predicted.numpy(), true.numpy(), normalise=normalise)
        options = ("predicted", "predicted", True, normalise)
        for loss in (
            ng.losses.pairwise_hinge(predicted, true, normalise=normalise),
            _torch_losses.hinge_by_torch(predicted, true, options),
        ):
            assert loss.dtype == torch.get_default_dtype() and loss.item() == pytest.approx(value, rel=1e-6)
    with pytest.warns(ng.UndefinedWarning):
        assert torch.isnan(_torch_losses.hinge_by_torch(predicted[:0], true[:0], options))


def test_an_undefined_loss_names_the_callers_line():
    rows = np.zeros((3, 2), dtype=np.float32)
    calls = [lambda: ng.losses.pairwise_hinge(rows, rows)]
    if find_spec("torch"):
        import torch

        tensor = torch.from_numpy(rows)
        calls += [
            lambda: ng.losses.pairwise_hinge(tensor, tensor),
            lambda: ng.losses.PairwiseHingeLoss()(tensor, tensor),
        ]
    for call in calls:
        with pytest.warns(ng.UndefinedWarning, match="pairwise_hinge is undefined") as warned:
            assert np.isnan(float(call()))
        assert (warned[0].filename, warned[0].lineno) == (__file__, call.__code__.co_firstlineno)


@pytest.mark.parametrize("options", OPTIONS)
def test_torchs_operations_equal_the_compiled_function_with_ties_and_pass_gradcheck(options):
    torch = pytest.importorskip("torch")
    from neurogauge import _torch_losses

    chosen = tuple(options[name] for name in ("anchor", "neighbours", "include_self", "normalise"))
    generator = torch.Generator().manual_seed(6)
    for n, n_features in ((3, 3), (5, 2), (16, 9), (33, 40)):
        true, predicted = torch.randn(2, n, n_features, dtype=torch.float64, generator=generator)
        true[n // 2] = true[0]  # equal true similarities around every anchor
        predicted.requires_grad_()
        loss = _torch_losses.hinge_by_torch(predicted, true, chosen)
        loss.backward()
        value, gradient = ng.losses.pairwise_hinge(
            predicted.detach().numpy(), true.numpy(), return_gradient=True, **options
        )
        assert loss.item() == pytest.approx(value, rel=1e-12, abs=1e-12)
        np.testing.assert_allclose(
            predicted.grad.numpy(), gradient, rtol=0, atol=1e-12 * max(1.0, np.abs(gradient).max())
        )
    true, predicted = torch.randn(2, 6, 5, dtype=torch.float64, generator=generator)
    predicted.requires_grad_()
    loss = lambda rows: _torch_losses.hinge_by_torch(rows, true, chosen)  # noqa: E731
    assert torch.autograd.gradcheck(loss, (predicted,))
    assert torch.autograd.gradgradcheck(loss, (predicted,))


@pytest.mark.parametrize("options", OPTIONS)
def test_losses_of_tensors_on_a_gpu_are_computed_there_and_equal_the_processors(options):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no NVIDIA GPU")
    generator = torch.Generator().manual_seed(8)
    for n, n_features in ((5, 2), (64, 33), (300, 512)):
        true, predicted = torch.randn(2, n, n_features, generator=generator)
        true[n // 2] = true[0]
        for loss in (ng.losses.PairwiseHingeLoss(**options), ng.losses.SoftClipLoss()):
            found = []
            for place in ("cpu", "cuda"):
                rows = predicted.detach().to(place).requires_grad_()
                value = loss(rows, true.to(place))
                value.backward()
                assert value.device.type == rows.grad.device.type == place
                found.append((value.item(), rows.grad.cpu().numpy()))
            (value, gradient), (of_gpu, gradient_of_gpu) = found
            assert of_gpu == pytest.approx(value, rel=1e-6)
            np.testing.assert_allclose(gradient_of_gpu, gradient, rtol=0, atol=1e-5 * max(1e-3, np.abs(gradient).max()))


def test_torchs_operations_keep_the_type_and_give_nan_where_there_is_no_loss():
    torch = pytest.importorskip("torch")
    from neurogauge import _torch_losses

    options = ("predicted", "predicted", True, "ordered")
    true, predicted = torch.randn(2, 40, 12, generator=torch.Generator().manual_seed(7))
    single = _torch_losses.hinge_by_torch(predicted, true, options)
    value = ng.losses.pairwise_hinge(predicted.numpy(), true.numpy(), normalise="ordered")
    assert single.dtype == torch.float32
    assert single.item() == pytest.approx(value, rel=1e-6)
    for side, hole in itertools.product((0, 1), (0.0, torch.nan, torch.inf)):
        rows = [predicted.clone(), true.clone()]
        rows[side][3] = hole
        assert torch.isnan(_torch_losses.hinge_by_torch(*rows, options))
    alone = torch.ones(1, 3)
    assert torch.isnan(_torch_losses.hinge_by_torch(alone, alone, ("predicted", "predicted", False, "ordered")))
    with pytest.warns(ng.UndefinedWarning, match="empty"):
        assert torch.isnan(_torch_losses.hinge_by_torch(predicted[:0], true[:0], options))
    with pytest.raises(ng.UsageError, match="normalise"):
        _torch_losses.hinge_by_torch(predicted, true, ("predicted", "predicted", True, "mean"))


def test_soft_clip_is_its_equation_and_is_least_where_predictions_are_the_targets():
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(8)
    true, predicted = rng.normal(size=(2, 9, 5))
    t, p = unit(true), unit(predicted)

    def softmax(rows):
        shares = np.exp(rows - rows.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    expected = 0.0
    for i, j in itertools.product(range(9), repeat=2):
        label = softmax(t @ t.T / 0.1)[i, j]
        expected -= label * (np.log(softmax(p @ t.T / 0.1)[i, j]) + np.log(softmax(t @ p.T / 0.1)[i, j])) / 18
    tensors = [torch.from_numpy(rows) for rows in (predicted, true)]
    tensors[0].requires_grad_()
    assert ng.losses.soft_clip(*tensors, temperature=0.1).item() == pytest.approx(expected, rel=1e-12)
    assert torch.autograd.gradcheck(ng.losses.SoftClipLoss(0.1), tensors)
    labels = softmax(t @ t.T / 0.1)
    entropy = -(labels * np.log(labels)).sum(axis=1).mean()
    at_target = ng.losses.soft_clip(tensors[1], tensors[1], temperature=0.1)
    assert at_target.item() == pytest.approx(entropy, rel=1e-12) and at_target < expected
    assert torch.isnan(ng.losses.soft_clip(torch.zeros(2, 2), torch.eye(2)))
    with pytest.raises(ng.UsageError, match="temperature"):
        ng.losses.soft_clip(*tensors, temperature=0)
    with pytest.raises(ng.DataError, match="torch tensor"):
        ng.losses.soft_clip(predicted, true)
    with pytest.raises(ng.DataError, match="expected the same"):
        ng.losses.soft_clip(tensors[0], tensors[1][:4])


def test_a_schedule_sets_in_rises_and_stops():
    schedule = ng.losses.LossSchedule(3.0, first_epoch=2, ramp=3, last_epoch=8)
    assert [schedule(epoch) for epoch in (0, 1.9, 2, 3, 5, 7.9, 8)] == [0, 0, 0, 1, 3, 3, 0]
    for faulty in ({"first_epoch": -1}, {"ramp": -1}, {"first_epoch": 3, "last_epoch": 3}):
        with pytest.raises(ng.UsageError, match="expected"):
            ng.losses.LossSchedule(1.0, **faulty)
