"""Losses for the training of decoders, with their gradients."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
import numpy.typing as npt

from . import _arrays, _neurogauge
from ._errors import DataError, UndefinedWarning, UsageError

if TYPE_CHECKING:
    from ._torch_losses import PairwiseHingeLoss

Side = Literal["predicted", "true"]
Normalisation = Literal["sum", "ordered", "all"]
Gradient = npt.NDArray[np.floating[Any]]

__all__ = ["PairwiseHingeLoss", "pairwise_hinge"]


def __dir__() -> Iterable[str]:
    return __all__


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
            through; anything else a float.
        true: (n, n_features), its target. No gradient goes there.
        anchor: whose embedding of i is in p_ij. "predicted", the default, follows the paper's wording: the order among
            the true embeddings must not be violated *in the predicted ones*, so p_ij = cos(p_i, p_j), and the loss depends only
            on geometry: rotating all predictions together does not change it. With "true" the order of predictions around a true
            embedding counts.
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
        The loss, and the gradient in the shape and type of ``predicted``. Computed in double precision.

    Range: 0 to infinity, lower is better; 0 when no order is reversed. Equal similarities are not reversed.

    Conventions: `pairwise-hinge-anchor`, `pairwise-hinge-normalisation`.

    Undefined (NaN, with a warning): an embedding that is all zeros, or holds NaN or an infinity; an empty batch; a
    mean over ordered triples where there is none.

    Raises:
        DataError: for shapes that do not fit.
        UsageError: for options that do not exist, or ``true`` with a gradient.

    Reference: the triple loop in NumPy and PyTorch with its automatic gradient, 1e-12.

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
        from . import _torch_losses

        options = (anchor, neighbours, include_self, normalise)
        return _torch_losses.PairwiseHingeFunction.apply(predicted, true, options)
    own = _rows("predicted", predicted)
    value, gradient = value_and_gradient(own, _rows("true", true), (anchor, neighbours, include_self, normalise))
    if not return_gradient:
        return value
    dtype = own.dtype if own.dtype.kind == "f" else np.dtype(np.float64)
    return value, gradient.astype(dtype, copy=False)


def value_and_gradient(
    predicted: npt.NDArray[Any], true: npt.NDArray[Any], options: tuple[str, str, bool, str]
) -> tuple[float, npt.NDArray[np.float64]]:
    """The loss of two arrays in double precision; NaN with a warning where it is undefined."""
    if predicted.shape != true.shape:
        raise DataError(f"predicted has shape {predicted.shape} and true {true.shape}; expected the same, row i of both "
                        "for item i")
    anchor, neighbours, include_self, normalise = options
    if anchor == neighbours == "true":
        raise UsageError("anchor and neighbours are both 'true', so nothing is predicted; expected 'predicted' for one")
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
        f"pairwise_hinge is undefined: {reason}{_place(predicted, true)}", UndefinedWarning, stacklevel=3
    )
    return math.nan, np.full(predicted.shape, np.nan)


def _rows(name: str, value: Any) -> npt.NDArray[Any]:
    found = _arrays.array(name, value)
    if found.ndim != 2:
        raise DataError(f"{name}: shape {found.shape}; expected (n, n_features), one embedding for each item")
    return found


def _place(predicted: npt.NDArray[Any], true: npt.NDArray[Any]) -> str:
    """Which embedding has no direction."""
    for name, rows in (("true", true), ("predicted", predicted)):
        faulty = np.flatnonzero(~np.isfinite(rows).all(axis=1) | (rows == 0).all(axis=1))
        if faulty.size:
            return f" (first in row {faulty[0]} of {name})"
    return ""


def __getattr__(name: str) -> Any:
    # Torch is optional, and a class that derives from it cannot exist without it.
    if name == "PairwiseHingeLoss":
        try:
            from ._torch_losses import PairwiseHingeLoss
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                "neurogauge.losses.PairwiseHingeLoss needs PyTorch: pip install torch. pairwise_hinge takes NumPy arrays "
                "without it"
            ) from error
        return PairwiseHingeLoss
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
