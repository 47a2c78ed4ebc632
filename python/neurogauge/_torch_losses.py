"""The losses for PyTorch tensors. Imported only if torch is installed."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import torch
from torch.autograd.function import once_differentiable
from torch.nn.functional import pad

from . import losses
from ._errors import DataError, UndefinedWarning, UsageError

Options = tuple[str, str, bool, str]


def pairwise_hinge(predicted: Any, true: Any, options: Options, stacklevel: int = 4) -> Any:
    """:func:`neurogauge.losses.pairwise_hinge` of tensors: on the CPU the compiled function, on any other device
    :func:`hinge_by_torch` there. The caller who gave the tensors is ``stacklevel`` frames up, for warnings."""
    if getattr(true, "requires_grad", False):
        raise UsageError("true requires a gradient, and none goes there: pass true.detach()")
    if predicted.device.type == "cpu":
        own = losses._rows("predicted", _array(predicted)), losses._rows("true", _array(true))
        return PairwiseHingeFunction.apply(predicted, *losses.value_and_gradient(*own, options, stacklevel))
    return hinge_by_torch(predicted, torch.as_tensor(true, device=predicted.device), options, stacklevel)


class PairwiseHingeFunction(torch.autograd.Function):
    """The compiled function with its gradient; piecewise linear in the similarities, so that it is differentiable
    once."""

    @staticmethod
    def forward(ctx: Any, predicted: Any, value: float, gradient: Any) -> Any:
        """Computes the value; the gradient is kept for ``backward``."""
        ctx.save_for_backward(torch.from_numpy(gradient).to(dtype=_type_of_loss(predicted)))
        return torch.tensor(value, dtype=_type_of_loss(predicted))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, upstream: Any) -> Any:
        """The chain rule: one number times the gradient."""
        (gradient,) = ctx.saved_tensors
        return upstream * gradient, None, None


def hinge_by_torch(predicted: Any, true: Any, options: Options, stacklevel: int = 2) -> Any:
    """The pairwise hinge loss by torch's operations on the device of ``predicted``: nothing is copied to the CPU, and
    nothing waits for it.

    In double precision, single where the device has no double (Apple's). An undefined loss is NaN without a warning,
    since a warning would have to wait for the device.
    """
    losses.check_shapes(predicted.shape, true.shape)
    losses.check_options(options)
    anchor, neighbours, include_self, normalise = options
    n = len(predicted)
    if n == 0:
        warnings.warn("pairwise_hinge is undefined: the batch is empty", UndefinedWarning, stacklevel=stacklevel)
        return (predicted.sum() + torch.nan).to(_type_of_loss(predicted))
    wide = torch.float32 if predicted.device.type == "mps" else torch.float64
    with torch.no_grad():
        # Items with equal embeddings must have equal similarities, however a matrix product rounds.
        distinct, place = torch.unique(true.to(wide), dim=0, return_inverse=True)
        units = {"true": _unit(true.to(wide))}
        distinct = _unit(distinct)
        truth = (distinct @ distinct.T)[place][:, place]
    units["predicted"] = _unit(predicted.to(wide))
    similarities = units[anchor] @ units[neighbours].T
    if not include_self:
        others = ~torch.eye(n, dtype=torch.bool, device=predicted.device)
        truth, similarities = (rows[others].view(n, n - 1) for rows in (truth, similarities))
    total = (_inversions(truth, similarities.detach()) * similarities).sum()
    rising = truth.sort(dim=1).values
    n_ordered = torch.searchsorted(rising, truth.contiguous()).sum()
    divisor = {"sum": 1, "ordered": n_ordered, "all": n**3}[normalise]
    # NaN among the true similarities makes the loss NaN; NaN among the predicted ones has done so already.
    return (total / divisor + 0 * truth.sum()).to(_type_of_loss(predicted))


def _type_of_loss(predicted: Any) -> Any:
    """The type of a tensor's loss: its own, torch's default for whole numbers."""
    return predicted.dtype if predicted.is_floating_point() else torch.get_default_dtype()


def _inversions(truth: Any, predicted: Any) -> Any:
    """The derivative of each row's loss by its predicted similarities, whole numbers: of the items that are truly less
    similar, how many are predicted to be more so, taken off the number of the reverse.

    A merge sort of all rows at once, from blocks of one item to one block: O(n^2 log^2 n) time, O(n^2) memory.
    """
    n_rows, n = truth.shape
    # Ascending in truth; of equal ones ascending in the prediction, where none is an inversion.
    by_predicted = predicted.argsort(dim=1, stable=True)
    order = by_predicted.gather(1, truth.gather(1, by_predicted).argsort(dim=1, stable=True))
    size = 1 << max(n - 1, 0).bit_length()
    sequence = pad(predicted.gather(1, order), (0, size - n), value=torch.inf)
    balance = torch.zeros_like(sequence, dtype=torch.int64)
    width = 1
    while width < size:
        left, right = (half.contiguous() for half in sequence.view(n_rows, -1, 2, width).unbind(2))
        smaller_later = torch.searchsorted(right.sort(dim=2).values, left)
        larger_earlier = width - torch.searchsorted(left.sort(dim=2).values, right, right=True)
        balance += torch.stack([smaller_later, -larger_earlier], dim=2).view(n_rows, size)
        width *= 2
    return torch.zeros_like(predicted).scatter(1, order, balance[:, :n].to(predicted.dtype))


def soft_clip(predicted: Any, true: Any, temperature: float) -> Any:
    """:func:`neurogauge.losses.soft_clip`."""
    for name, value in (("predicted", predicted), ("true", true)):
        if not isinstance(value, torch.Tensor) or value.ndim != 2:
            found = f"shape {tuple(value.shape)}" if isinstance(value, torch.Tensor) else type(value).__name__
            raise DataError(f"{name}: {found}; expected a torch tensor (n, n_features), one embedding for each item")
    losses.check_shapes(predicted.shape, true.shape)
    if not temperature > 0:
        raise UsageError(f"temperature is {temperature}; expected a number above 0")
    p, t = _unit(predicted), _unit(true)
    wanted = (t @ t.T / temperature).softmax(dim=1)
    logits = p @ t.T / temperature
    rows, columns = (-(one.log_softmax(dim=1) * wanted).sum(dim=1).mean() for one in (logits, logits.T))
    return (rows + columns) / 2


def _unit(rows: Any) -> Any:
    """Rows of length 1; a row of zeros has no direction and becomes NaN."""
    return rows / torch.linalg.vector_norm(rows, dim=1, keepdim=True)


class PairwiseHingeLoss(torch.nn.Module):
    """:func:`neurogauge.losses.pairwise_hinge` as a module, with the same options.

    >>> import torch
    >>> loss = PairwiseHingeLoss(normalise="ordered")
    >>> predicted = torch.eye(3, requires_grad=True)
    >>> loss(predicted, torch.eye(3)).backward()
    >>> predicted.grad.abs().sum().item()
    0.0
    """

    def __init__(
        self,
        anchor: losses.Side = "predicted",
        neighbours: losses.Side = "predicted",
        include_self: bool = True,
        normalise: losses.Normalisation = "sum",
    ) -> None:
        super().__init__()
        self.options: Options = (anchor, neighbours, include_self, normalise)

    def forward(self, predicted: Any, true: Any) -> Any:
        """The loss of a batch, a scalar tensor.

        Args:
            predicted: (n, n_features), the decoder's embeddings.
            true: (n, n_features), the stimuli's embeddings.
        """
        # Two of torch's frames are between the caller and this function.
        return pairwise_hinge(predicted, true, self.options, stacklevel=6)

    def extra_repr(self) -> str:
        """The options."""
        names = ("anchor", "neighbours", "include_self", "normalise")
        return ", ".join(f"{name}={value!r}" for name, value in zip(names, self.options))


class SoftClipLoss(torch.nn.Module):
    """:func:`neurogauge.losses.soft_clip` as a module. The temperature is an attribute, since MindEye raises it in the
    course of training.

    >>> loss = SoftClipLoss(temperature=0.5)
    >>> round(loss(torch.eye(2), torch.eye(2)).item(), 5)
    0.36533
    """

    def __init__(self, temperature: float = losses.SOFT_CLIP_TEMPERATURE) -> None:
        super().__init__()
        self.temperature = temperature

    def forward(self, predicted: Any, true: Any) -> Any:
        """The loss of a batch, a scalar tensor.

        Args:
            predicted: (n, n_features), the decoder's embeddings.
            true: (n, n_features), the stimuli's embeddings.
        """
        return soft_clip(predicted, true, self.temperature)

    def extra_repr(self) -> str:
        """The temperature."""
        return f"temperature={self.temperature!r}"


def _array(values: Any) -> Any:
    """A tensor's numbers without a copy, if NumPy can read them; half precision in single."""
    if not isinstance(values, torch.Tensor):
        return values
    held = values.detach().cpu()
    if held.dtype not in (torch.float32, torch.float64):
        held = held.float() if held.is_floating_point() else held
    return np.asarray(held)
