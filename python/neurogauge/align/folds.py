"""Folds of stimuli and split halves of trials, drawn as by the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _estimator, _neurogauge
from .._errors import DataError, UsageError

__all__ = ["OuterFold", "inner_folds", "outer_folds", "split_halves", "standardise_within"]


Positions = npt.NDArray[np.int64]


@dataclass(frozen=True)
class OuterFold:
    """Which stimuli a fit is trained on and tested on: positions in the list of stimuli, ascending.

    Attributes:
        training: the data that sources are fitted to.
        reserved: the test set of the next fold; neither trained on nor tested on.
        test: the stimuli whose repeated responses make the target reference.
        inner_folds: the inner fold, from 0, of each training stimulus: ``RecoveryProfile.fit(..., inner_folds=...)``.
        reference_inner_folds: that of each test stimulus: ``TargetReference.fit(..., inner_folds=...)``.
    """

    training: Positions
    reserved: Positions
    test: Positions
    inner_folds: Positions
    reference_inner_folds: Positions


def outer_folds(n_stimuli: int, n_folds: int = 5, n_inner_folds: int = 5, seed: int = 42) -> list[OuterFold]:
    """The folds that ``neurogauge align`` draws for so many stimuli and this seed.

    Chunk f tests in fold f, chunk f + 1 (cyclic) is reserved, and the others train.

    Raises:
        UsageError: for fewer than 3 folds, or fewer than 2 inner ones.
        DataError: for fewer stimuli than folds.

    >>> fold = outer_folds(515)[0]
    >>> len(fold.training), len(fold.reserved), len(fold.test)
    (309, 103, 103)
    """
    drawn = _neurogauge.draw_outer_folds(_estimator.count("n_stimuli", n_stimuli), n_folds, n_inner_folds, seed)
    return [OuterFold(**{name: np.asarray(part, dtype=np.int64) for name, part in fold.items()}) for fold in drawn]


def inner_folds(n_stimuli: int, n_folds: int = 5, seed: int = 42) -> Positions:
    """The inner fold, from 0, of each stimulus of a pool; their sizes differ by one at most.

    Raises:
        UsageError: for fewer than 2 folds.
        DataError: for fewer stimuli than folds.

    >>> np.bincount(inner_folds(11))
    array([3, 2, 2, 2, 2])
    """
    drawn = _neurogauge.draw_inner_folds(_estimator.count("n_stimuli", n_stimuli), n_folds, seed)
    return np.asarray(drawn, dtype=np.int64)


def split_halves(stimulus_ids: Any, n_splits: int = 20, seed: int = 42) -> npt.NDArray[np.uint8]:
    """Split-half partitions of repeated trials: a label 0 or 1 for each trial, shape (n_splits, n_trials).

    In each partition half of a stimulus' trials, drawn without replacement, go to view 0 and half to view 1. If a
    stimulus has an odd number of trials, a coin flip decides which half gets the extra one.

    Args:
        stimulus_ids: (n_trials,), the stimulus of each trial: numbers or words.

    Raises:
        DataError: for a trial without a stimulus (NaN, None, a masked value).
        UsageError: for other than one axis, or fewer than one partition.

    >>> labels = split_halves(["a", "b", "a", "b"], n_splits=3)
    >>> labels[:, 0] + labels[:, 2]
    array([1, 1, 1], dtype=uint8)
    """
    stimuli, n_stimuli = stimulus_positions(stimulus_ids)
    return _neurogauge.draw_partitions(stimuli, n_stimuli, _estimator.count("n_splits", n_splits), seed)


def standardise_within(trials: Any, sessions: Any) -> npt.NDArray[np.float64]:
    """Z-scores of single-trial responses, each target (voxel) within each session, as ``neurogauge align`` makes them.

    The standard deviation has divisor n; one below 1e-8 counts as 1.

    Args:
        trials: (n_trials, n_targets).
        sessions: (n_trials,), the number of each trial's session.

    Raises:
        DataError: for values that are not finite, and sessions that are not one whole number for each trial.
        UsageError: for trials of other than two axes.

    >>> standardise_within([[1.0], [10.0], [3.0], [30.0]], [1, 2, 1, 2]).ravel()
    array([-1., -1.,  1.,  1.])
    """
    values = _estimator.numbers("trials", trials)
    if values.ndim != 2:
        raise UsageError(f"trials: shape {values.shape}; expected (n_trials, n_targets)")
    labels = _estimator.whole_numbers("sessions", sessions, len(values), "trial")
    return _neurogauge.standardise(_estimator.finite("trials", values), labels)


def stimulus_positions(stimulus_ids: Any) -> tuple[list[int], int]:
    """The position of each trial's stimulus in the sorted list of stimuli, and their number.

    Raises:
        DataError: for a trial without a stimulus.
        UsageError: for other than one axis.
    """
    ids = np.asarray(stimulus_ids)
    if ids.ndim != 1:
        raise UsageError(f"stimulus_ids: shape {ids.shape}; expected (n_trials,), what each trial showed")
    # In the array of a list, a NaN among words becomes a word, and the array of a masked array loses its mask.
    given = stimulus_ids if isinstance(stimulus_ids, (Sequence, np.ma.MaskedArray)) else ids
    for trial, stimulus in enumerate(given):
        if _is_missing(stimulus):
            raise DataError(f"stimulus_ids: trial {trial} has no stimulus ({stimulus}); leave such trials out")
    unique, positions = np.unique(ids, return_inverse=True)
    return [int(position) for position in positions], len(unique)


def _is_missing(stimulus: Any) -> bool:
    """None, a masked value, or one that does not equal itself: NaN, NaT, or pandas' NA, which says neither yes nor
    no."""
    if stimulus is None or stimulus is np.ma.masked:
        return True
    try:
        return bool(stimulus != stimulus)
    except TypeError:
        return True
