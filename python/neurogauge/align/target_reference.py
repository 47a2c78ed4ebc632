"""The reproducible target reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import _arrays, _estimator, _neurogauge, _plots
from .._errors import DataError
from .._progress import Progress
from . import folds

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["TargetReference"]


class TargetReference(_estimator.Estimator):
    """Response dimensions that one half of the trials predicts of the other.

    The repeats of each stimulus are divided into two views, each view predicts the other by a ridge-regularised
    reduced-rank fit with orthonormal target basis Q, and

        TargetRef = 1 / (2 n_splits) sum_b (Q_12 Q_12' + Q_21 Q_21') = U diag(w) U'

    (Section 2.2). It knows no source.

    Args:
        n_splits: split-half partitions of the trials.
        n_inner_folds: folds of the cross-validation that selects rank and alpha of each fit.
        max_rank: the highest rank; fewer where targets or half the stimuli are fewer.
        alphas: candidate regularisations, ascending; None for 10, 100, ..., 10^6.
        fixed_rank: a rank for all fits instead of selected ones (a control).
        seed: of partitions and inner folds that are not given.
        progress: whether tqdm, if it is installed, shows the partitions.

    Attributes:
        weights_: (n_directions,), the reference weights w in descending order, all positive.
        directions_: (n_targets, n_directions), the reference directions u as columns.
        effective_rank_: exp of the entropy of the weights over their sum; NaN without directions.
        consensus_rank_: mean rank of all fits, half rounded to even, at least 1.
        consensus_gap_: weight of the last direction of the consensus less that of the first left out; without a gap
            (1e-10) the consensus is not determined.
        ranks_, alphas_: (n_splits, 2), of the fits of each partition: view 0 to view 1, and back.
        n_features_in_: number of targets (voxels).
        n_stimuli_: number of stimuli.

    Range: weights are between 0 and 1; a direction of weight 1 is found by every fit.

    Conventions: those of ``neurogauge align``. Constant targets count as zeros. Trials are taken as they are unless
    ``sessions`` are given; see :func:`standardise_within`.

    Reference: ``reference/recovery/`` in NumPy, weights to 1e-9; ``neurogauge align`` to the bit.

    >>> rng = np.random.default_rng(0)
    >>> ids = np.repeat(np.arange(40), 3)
    >>> signal = rng.normal(size=(40, 2)) @ rng.normal(size=(2, 9))
    >>> trials = signal[ids] + 0.1 * rng.normal(size=(120, 9))
    >>> reference = TargetReference(n_splits=4, progress=False).fit(trials, ids)
    >>> reference.consensus_rank_, bool((reference.weights_[:2] > 0.99).all())
    (2, True)
    """

    weights_: npt.NDArray[np.float64]
    directions_: npt.NDArray[np.float64]
    effective_rank_: float
    consensus_rank_: int
    consensus_gap_: float
    ranks_: npt.NDArray[np.int64]
    alphas_: npt.NDArray[np.float64]
    n_features_in_: int
    n_stimuli_: int

    def __init__(
        self,
        n_splits: int = 20,
        n_inner_folds: int = 5,
        max_rank: int = 20,
        alphas: Sequence[float] | None = None,
        fixed_rank: int | None = None,
        seed: int = 42,
        progress: bool = True,
    ) -> None:
        self.n_splits = n_splits
        self.n_inner_folds = n_inner_folds
        self.max_rank = max_rank
        self.alphas = alphas
        self.fixed_rank = fixed_rank
        self.seed = seed
        self.progress = progress

    def fit(
        self,
        trials: Any,
        stimulus_ids: Any,
        *,
        sessions: Any = None,
        splits: Any = None,
        inner_folds: Any = None,
    ) -> TargetReference:
        """Makes the reference of these trials.

        Args:
            trials: (n_trials, n_targets), single-trial responses to the held-out stimuli of a fold.
            stimulus_ids: (n_trials,), the stimulus of each trial: numbers or words; at least two trials of each.
            sessions: (n_trials,), numbers of sessions, within which responses are z-scored first.
            splits: (n_splits, n_trials) of 0 and 1, instead of drawn partitions.
            inner_folds: (n_stimuli,), the inner fold of each stimulus in sorted order, instead of drawn ones.

        Raises:
            DataError: for values that are not finite, shapes that do not fit, a trial without a stimulus (NaN, None, a
                masked value), a stimulus with fewer than two trials or a view without one, fewer stimuli than inner
                folds.
            UsageError: for options out of range.
        """
        responses = _estimator.samples("trials", trials, least=2)
        if stimulus_ids is None:
            raise DataError("fit requires y to be passed, but the target y is None: give stimulus_ids")
        positions, n_stimuli = folds.stimulus_positions(stimulus_ids)
        if len(positions) != len(responses):
            raise DataError(f"stimulus_ids: {len(positions)} for {len(responses)} trials; expected one for each")
        if sessions is not None:
            responses = folds.standardise_within(responses, sessions)
        if splits is None:
            splits = folds.split_halves(positions, self.n_splits, self.seed)
        labels = _labels(splits, len(responses))
        if inner_folds is None:
            inner_folds = folds.inner_folds(n_stimuli, self.n_inner_folds, self.seed)
        found = _neurogauge.target_reference(
            responses,
            positions,
            labels,
            _estimator.whole_numbers("inner_folds", inner_folds, n_stimuli, "stimulus"),
            _estimator.count("max_rank", self.max_rank),
            _estimator.alphas("alphas", self.alphas, _neurogauge.default_alphas()[0]),
            None if self.fixed_rank is None else _estimator.count("fixed_rank", self.fixed_rank),
            Progress(self.progress),
        )
        vars(self).update({f"{name}_": value for name, value in found.items()})
        self.ranks_ = self.ranks_.astype(np.int64)
        self.n_stimuli_ = n_stimuli
        self.n_features_in_ = responses.shape[1]
        return self

    def plot(self, label: str = "weights", ax: Axes | None = None) -> Axes:
        """The reference weights in descending order: how many dimensions of the responses are reproducible. Needs
        matplotlib.

        Args:
            label: name of the curve, so that several can be drawn on the same axes.
            ax: where to draw; a new figure if not given.

        Returns:
            The axes.

        Raises:
            UsageError: before ``fit``.
        """
        self._check_fitted()
        axes = _plots.axes(ax, height=3.0)
        _plots.curve(axes, self.weights_, label, len(axes.get_lines()))
        _plots.profile_axes(axes, "direction of the reference", "weight (0 to 1)")
        return axes


def _labels(splits: Any, n_trials: int) -> npt.NDArray[np.uint8]:
    found = _arrays.array("splits", splits)
    if found.ndim != 2 or found.shape[1] != n_trials or not found.shape[0]:
        raise DataError(f"splits: shape {found.shape}; expected (n_splits, {n_trials}), a label for each trial")
    labels = found.astype(np.uint8)
    if (labels != found).any():
        raise DataError("splits: expected 0 and 1 only, which view each trial is in")
    return np.ascontiguousarray(labels)
