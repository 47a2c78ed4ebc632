"""The share of the words written in stimuli that reconstructions show."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from .. import _neurogauge
from .._options import Unpack, as_json
from .._result import IntervalOptions, Result, bootstrap, summed_up
from ._vlm_objects import lists_of_words

Texts = Sequence[str | Sequence[str]]


def text_recall(
    reference: Texts,
    reconstruction: Texts,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """The share of the words written in a stimulus that are also written in its reconstruction (the definition is
    ours).

    Recall = Σ_w min(n_w, m_w) / Σ_w n_w over the words w, with n_w of them in the texts of the stimulus and m_w in
    those of the reconstruction. Words are the longest runs of letters and digits, in lower case.

    Shapes: for each image a text, or a list of texts.

    Range: 0 to 1, higher is better; chance depends on the images.

    Conventions: `image-texts`.

    Undefined: a stimulus without words.

    Args:
        reference: texts that are written in the stimuli.
        reconstruction: texts that are written in the reconstructions.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for something that is no text or list of texts, or another number of images on the two sides.

    Reference: ``collections.Counter`` of Python's words, to 1e-15; the bits of ``neurogauge score``.

    Example:
        >>> import neurogauge as ng
        >>> ng.metrics.text_recall([["Main St.", "STOP"]], [["Stop", "St Mary"]]).mean.__round__(4)
        0.6667
    """
    over = bootstrap(intervals)
    texts = partial(lists_of_words, "texts", lambda text: [text])
    sides = texts("reference", reference), texts("reconstruction", reconstruction)
    scored, _ = _neurogauge.category_names("text_recall", *sides, as_json({}))
    return summed_up("text_recall", scored, over)
