"""The losses as functions of PyTorch's automatic gradient. Imported only where torch is."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.autograd.function import once_differentiable

from . import losses
from ._errors import UsageError

Options = tuple[str, str, bool, str]


class PairwiseHingeFunction(torch.autograd.Function):
    """:func:`neurogauge.losses.pairwise_hinge` with its gradient; piecewise linear in the similarities, so that it is
    differentiable once."""

    @staticmethod
    def forward(ctx: Any, predicted: Any, true: Any, options: Options) -> Any:
        """Value and gradient at once; the gradient waits for ``backward``."""
        if getattr(true, "requires_grad", False):
            raise UsageError("true requires a gradient, and none goes there: pass true.detach()")
        value, gradient = losses.value_and_gradient(
            losses._rows("predicted", _array(predicted)), losses._rows("true", _array(true)), options
        )
        ctx.save_for_backward(torch.from_numpy(gradient).to(device=predicted.device, dtype=predicted.dtype))
        return torch.tensor(value, device=predicted.device, dtype=predicted.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, upstream: Any) -> Any:
        """The chain rule: one number times the gradient."""
        (gradient,) = ctx.saved_tensors
        return upstream * gradient, None, None


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
        return PairwiseHingeFunction.apply(predicted, true, self.options)

    def extra_repr(self) -> str:
        """The options."""
        names = ("anchor", "neighbours", "include_self", "normalise")
        return ", ".join(f"{name}={value!r}" for name, value in zip(names, self.options))


def _array(values: Any) -> Any:
    """A tensor's numbers without a copy, if NumPy can read them; half precision in single."""
    if not isinstance(values, torch.Tensor):
        return values
    held = values.detach().cpu()
    if held.dtype not in (torch.float32, torch.float64):
        held = held.float() if held.is_floating_point() else held
    return np.asarray(held)
