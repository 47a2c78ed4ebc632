"""DreamSim, from the embeddings of its networks."""

from __future__ import annotations

from typing import Any, Literal

from .._errors import UsageError
from .._options import Unpack, nearest
from .._result import IntervalOptions, Result, bootstrap
from ._features import compared_rows

_FORMS = {"ensemble": "dreamsim", "dino": "dreamsim_dino", "clip": "dreamsim_clip", "open_clip": "dreamsim_open_clip"}


def dreamsim(
    reference: Any,
    reconstruction: Any,
    *,
    form: Literal["ensemble", "dino", "clip", "open_clip"] = "ensemble",
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """DreamSim (Fu et al. 2023): one minus the cosine of the embeddings of a pair, which are the features of one or
    three adapted vision transformers, minus their mean.

    d = 1 - cos(e - ē, e' - ē'), ē being the mean over the features of e. ``ng.models.load("dreamsim")`` makes
    embeddings, its layer "embedding".

    Shapes: (n_pairs, n_features): 1792 for the ensemble, 768 for DINO alone, 512 for CLIP or OpenCLIP alone.

    Range: 0 to 2, lower is better, 0 for equal images.

    Conventions: `dreamsim-form`, `dreamsim-adapter`, `features-precision`.

    Undefined: a row that is empty, constant or not finite.

    Args:
        reference: embeddings of the stimuli.
        reconstruction: embeddings of the decoded images; row i belongs to stimulus i.
        form: the networks that made them, which the result is named after.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for rows of different lengths, or another number of rows on the two sides.
        UsageError: for another form.

    Reference: the package ``dreamsim`` 0.2.1 to 1e-5 (it computes in 32 bits).

    Example:
        >>> import neurogauge as ng
        >>> ng.metrics.dreamsim([[1, 2, 3]], [[1, 3, 2]])
        <DreamSim ↓: 0.500, 1 pair>
    """
    over = bootstrap(intervals)
    if form not in _FORMS:
        raise UsageError(f"form is {form!r}; expected {', '.join(_FORMS)}{nearest(str(form), _FORMS)}")
    return compared_rows(_FORMS[form], reference, reconstruction, over)
