"""Losses for training decoders, with their gradients, and schedules of a loss's weight."""

from __future__ import annotations

import math
import sys
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

import numpy as np
import numpy.typing as npt

from . import _arrays, _neurogauge
from ._errors import DataError, UndefinedWarning, UsageError

if TYPE_CHECKING:
    from ._torch_losses import PairwiseHingeLoss, SoftClipLoss

Side = Literal["predicted", "true"]
Normalisation = Literal["sum", "ordered", "all"]
Gradient = npt.NDArray[np.floating[Any]]

# The default of MindEye's released function; its training uses 0.004 to 0.0075.
SOFT_CLIP_TEMPERATURE = 0.125

__all__ = ["LossSchedule", "PairwiseHingeLoss", "SoftClipLoss", "pairwise_hinge", "soft_clip"]


@overload
def pairwise_hinge(
    predicted: Any,
    true: Any,
    *,
    anchor: Side = ...,
    neighbours: Side = ...,
    include_self: bool = ...,
    normalise: Normalisation = ...,
    return_gradient: Literal[False] = ...,
) -> Any: ...


@overload
def pairwise_hinge(
    predicted: Any,
    true: Any,
    *,
    anchor: Side = ...,
    neighbours: Side = ...,
    include_self: bool = ...,
    normalise: Normalisation = ...,
    return_gradient: Literal[True],
) -> tuple[float, Gradient]: ...


def pairwise_hinge(
    predicted: Any,
    true: Any,
    *,
    anchor: Side = "predicted",
    neighbours: Side = "predicted",
    include_self: bool = True,
    normalise: Normalisation = "sum",
    return_gradient: bool = False,
) -> Any:
    """The amount by which predicted embeddings reverse the order of similarities of the true ones.

    With s_ij = cos(e_i, e_j) of the true embeddings and p_ij of the predicted ones (SEED, arXiv v1, Eq. 8),

        L = sum_i sum_{j, k : s_ij > s_ik} max(0, p_ik - p_ij).

    Each row is sorted by its true similarities and its inversions counted by a merge sort: O(n^2 log n) time and
    O(n^2) memory, where the plain sum takes O(n^3).

    Args:
        predicted: (n, n_features), the decoder's output. A torch tensor gives a torch scalar that ``backward`` goes
            through; anything else a float. A tensor on a GPU is computed there by torch's operations, and nothing is
            copied.
        true: (n, n_features), its target. No gradient goes there.
        anchor: whose embedding of i is in p_ij. "predicted", the default, follows the paper's wording: the order among
            the true embeddings must not be violated *in the predicted ones*, so p_ij = cos(p_i, p_j), and the loss
            depends only on geometry: rotating all predictions together does not change it. With "true" the order of
            predictions around a true embedding counts.
        neighbours: whose embeddings of j and k. "true", with a predicted anchor, asks that a prediction ranks the
            true embeddings rightly, as retrieval does. Not both "true": nothing would be predicted.
        include_self: whether j and k may be i. As the default is, the sum runs over all triples as printed; with
            predicted anchors and neighbours these add nothing, since p_ii is 1. With one of them true they ask that
            a prediction is nearest to its own target.
        normalise: "sum", the equation as printed; "ordered", divided by the number of triples that the true
            embeddings order, so that the weight of the loss need not change with the batch; "all", divided by n^3.
            The sum is the default because published weights (lambda) belong to it.
        return_gradient: also return dL / d predicted (arrays only).

    Returns:
        The loss, and the gradient in the shape and type of ``predicted``. Computed in double precision. The loss of a
        torch tensor has its type, that of whole numbers torch's default type.

    Range: 0 to infinity, lower is better; 0 when no order is reversed. Equal similarities are not reversed.

    Conventions: `pairwise-hinge-anchor`, `pairwise-hinge-normalisation`.

    Undefined (NaN, with a warning): an embedding that is all zeros, or holds NaN or an infinity; an empty batch; a
    mean over ordered triples where there is none. On a GPU the warning is left out, as it would have to wait for the
    device.

    Raises:
        DataError: for shapes that do not fit.
        UsageError: for options that do not exist, or ``true`` with a gradient.

    Reference: the triple loop in NumPy and PyTorch with its automatic gradient, 1e-12; torch's operations agree with
    the compiled function to 1e-12 in double precision.

    >>> s, h = 0.75**0.5, 0.5
    >>> true = [[1, 0], [s, h], [0, 1]]  # at 0, 30 and 90 degrees
    >>> predicted = [[1, 0], [0, 1], [s, h]]  # the last two exchanged
    >>> round(pairwise_hinge(predicted, true), 12) == round(2 * s, 12)
    True
    """
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(predicted, torch.Tensor):
        if return_gradient:
            raise UsageError("return_gradient is for arrays; a torch tensor gets its gradient by backward()")
        return _torch_losses().pairwise_hinge(predicted, true, (anchor, neighbours, include_self, normalise))
    own = _rows("predicted", predicted)
    value, gradient = value_and_gradient(own, _rows("true", true), (anchor, neighbours, include_self, normalise))
    if not return_gradient:
        return value
    dtype = own.dtype if own.dtype.kind == "f" else np.dtype(np.float64)
    return value, gradient.astype(dtype, copy=False)


def value_and_gradient(
    predicted: npt.NDArray[Any], true: npt.NDArray[Any], options: tuple[str, str, bool, str], stacklevel: int = 3
) -> tuple[float, npt.NDArray[np.float64]]:
    """The loss of two arrays in double precision; NaN with a warning where it is undefined. The caller who gave the
    arrays is ``stacklevel`` frames up."""
    check_shapes(predicted.shape, true.shape)
    check_options(options)
    anchor, neighbours, include_self, normalise = options
    found, reason = _neurogauge.pairwise_hinge(
        predicted.astype(np.float64, copy=False),
        true.astype(np.float64, copy=False),
        anchor,
        neighbours,
        include_self,
        normalise,
    )
    if found is not None:
        value, gradient, _, _ = found
        return value, gradient
    warnings.warn(
        f"pairwise_hinge is undefined: {reason}{_place(predicted, true)}", UndefinedWarning, stacklevel=stacklevel
    )
    return math.nan, np.full(predicted.shape, np.nan)


def soft_clip(predicted: Any, true: Any, *, temperature: float = SOFT_CLIP_TEMPERATURE) -> Any:
    """SoftCLIP: the contrastive loss whose targets are the similarities of the true embeddings (MindEye, arXiv
    2305.18274, Eq. 3; SEED, arXiv v1, Section 5, names it as what decoders are trained with).

    With unit vectors p_i and t_i and the temperature T,

        L = -1/(2n) sum_ij softmax_j(t_i . t_j / T) [log softmax_j(p_i . t_j / T) + log softmax_j(p_j . t_i / T)]

    which is contrastive learning with soft labels: a stimulus that is like the target is less wrong than any other.

    Args:
        predicted: (n, n_features), a torch tensor, the decoder's output.
        true: (n, n_features), a torch tensor on the same device, its target.
        temperature: above 0. The default is that of MindEye's released function; its training raises it from 0.004
            to 0.0075.

    Returns:
        A torch scalar in the type and on the device of the tensors. Its lowest value is not 0 but the entropy of the
        soft labels.

    Undefined (NaN): an embedding that is all zeros, or holds NaN or an infinity; an empty batch.

    Raises:
        DataError: for arrays that are no tensors, and shapes that do not fit.
        UsageError: for a temperature of 0 or below.

    Reference: the equation in NumPy, 1e-12.

    >>> import torch  # doctest: +SKIP
    >>> round(soft_clip(torch.eye(2), torch.eye(2), temperature=0.5).item(), 5)  # doctest: +SKIP
    0.36533
    """
    return _torch_losses().soft_clip(predicted, true, temperature)


@dataclass(frozen=True)
class LossSchedule:
    """The weight of a loss in the course of training: 0 before ``first_epoch``, then a straight rise over ``ramp``
    epochs, then ``weight``, and 0 from ``last_epoch`` on.

    SEED's training (arXiv v1, Section 5) has two numbers: the weight of the pairwise hinge loss, and the number of
    epochs from the beginning for which it is applied, ``LossSchedule(weight, last_epoch=n)``.

    Attributes:
        weight: the full weight.
        first_epoch: the epoch, from 0, at which the loss sets in.
        ramp: over how many epochs it rises; 0 for at once.
        last_epoch: the epoch at which it stops; None for never.

    Raises:
        UsageError: for a negative epoch or ramp, and a last epoch that is not after the first.

    >>> schedule = LossSchedule(2.0, first_epoch=10, ramp=4)
    >>> [schedule(epoch) for epoch in (9, 10, 11, 12.5, 14, 100)]
    [0.0, 0.0, 0.5, 1.25, 2.0, 2.0]
    >>> [LossSchedule(1.0, last_epoch=3)(epoch) for epoch in range(5)]
    [1.0, 1.0, 1.0, 0.0, 0.0]
    """

    weight: float
    first_epoch: float = 0
    ramp: float = 0
    last_epoch: float | None = None

    def __post_init__(self) -> None:
        for name in ("first_epoch", "ramp"):
            if not getattr(self, name) >= 0:
                raise UsageError(f"{name} is {getattr(self, name)}; expected 0 or more")
        if self.last_epoch is not None and not self.last_epoch > self.first_epoch:
            raise UsageError(f"last_epoch is {self.last_epoch}; expected one after first_epoch, {self.first_epoch}")

    def __call__(self, epoch: float) -> float:
        """The weight at an epoch, counted from 0; fractions lie within an epoch."""
        since = epoch - self.first_epoch
        if since < 0 or (self.last_epoch is not None and epoch >= self.last_epoch):
            return 0.0
        return float(self.weight * (min(since / self.ramp, 1.0) if self.ramp else 1.0))


def check_shapes(predicted: tuple[int, ...], true: tuple[int, ...]) -> None:
    """Refuses batches that do not belong together."""
    if tuple(predicted) != tuple(true):
        raise DataError(
            f"predicted has shape {tuple(predicted)} and true {tuple(true)}; expected the same, row i of both "
            "for item i"
        )


def check_options(options: tuple[str, str, bool, str]) -> None:
    """Refuses options of the hinge loss that do not exist, or with which nothing is predicted."""
    anchor, neighbours, _, normalise = options
    known = {
        "anchor": (anchor, get_args(Side)),
        "neighbours": (neighbours, get_args(Side)),
        "normalise": (normalise, get_args(Normalisation)),
    }
    for name, (found, expected) in known.items():
        if found not in expected:
            raise UsageError(f"{name} is {found!r}; expected one of {', '.join(map(repr, expected))}")
    if anchor == neighbours == "true":
        raise UsageError("anchor and neighbours are both 'true', so nothing is predicted; expected 'predicted' for one")


def _rows(name: str, value: Any) -> npt.NDArray[Any]:
    found = _arrays.array(name, value)
    if found.ndim != 2:
        raise DataError(f"{name}: shape {found.shape}; expected (n, n_features), one embedding for each item")
    return found


def _place(predicted: npt.NDArray[Any], true: npt.NDArray[Any]) -> str:
    """Says which embedding has no direction."""
    for name, rows in (("true", true), ("predicted", predicted)):
        faulty = np.flatnonzero(~np.isfinite(rows).all(axis=1) | (rows == 0).all(axis=1))
        if faulty.size:
            return f" (first in row {faulty[0]} of {name})"
    return ""


def _torch_losses() -> Any:
    try:
        from . import _torch_losses
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "this loss of neurogauge.losses needs PyTorch: pip install torch. pairwise_hinge takes NumPy arrays without it"
        ) from error
    return _torch_losses


def __getattr__(name: str) -> Any:
    # Torch is optional, and a subclass of its classes cannot exist without it.
    if name in ("PairwiseHingeLoss", "SoftClipLoss"):
        return getattr(_torch_losses(), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
