"""How much the frames of a clip resemble each other."""

from __future__ import annotations

from typing import Any, Literal

from .. import _neurogauge
from .._arrays import array, matrix
from .._errors import DataError
from .._options import Unpack, word
from .._result import IntervalOptions, Result, bootstrap, summed_up


def frame_consistency(
    frames: Any,
    *,
    pairs: Literal["adjacent", "all"] = "adjacent",
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Consistency of the frames of clips, the field's "CLIP-pcc": the mean cosine of the embeddings of a clip's frames.

    With e_1, ..., e_F the embeddings of F frames, it is the mean of cos(e_i, e_(i+1)), or, with ``pairs="all"``, that
    of cos(e_i, e_j) over all ordered pairs of different frames.

    Shapes: (n_clips, n_frames, n_features), of one side: of the reconstructions, or, to compare with, of the stimuli.

    Range: -1 to 1, higher is more consistent; 1 for a still.

    Conventions: `frame-consistency`.

    Undefined: a clip of a single frame; an embedding that is all zeros or not finite.

    Args:
        frames: embeddings of the frames in their order; the command uses clip_vit_l_14's "image_embeds".
        pairs: which frames are compared: adjacent ones, or all.
        intervals: the bootstrap over clips.

    Raises:
        DataError: for another number of axes.
        UsageError: for another word for ``pairs``.

    Reference: ``sklearn.metrics.pairwise.cosine_similarity`` 1.9 in 64 bits, to 1e-12.

    Example:
        >>> import neurogauge as ng
        >>> ng.metrics.frame_consistency([[[1, 0], [1, 0], [0, 1]]]).mean
        0.5
    """
    word("pairs", pairs, ("adjacent", "all"))
    clips = array("frames", frames)
    if clips.ndim != 3:
        raise DataError(f"frames: shape {clips.shape}; expected three axes, (n_clips, n_frames, n_features)")
    rows = matrix("frames", clips.reshape(-1, clips.shape[2]))
    scored = _neurogauge.frame_consistencies(rows, clips.shape[1], pairs == "all")
    metric = "frame_consistency_all" if pairs == "all" else "frame_consistency"
    return summed_up(metric, scored, bootstrap(intervals))
