"""Features of several trials of an image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from .._arrays import Floats, array, matrix, rows_of_pairs
from .._errors import DataError, UsageError
from .._options import whole

Trials = Literal["repeats"] | Sequence[int] | None
# Which image each row is a trial of, how many are averaged, and the seed of subsets.
Averaged = tuple[list[int], int, int] | None


def rows_of_trials(
    reference: Any, reconstruction: Any, trials: Trials, averaged: int | None, seed: int
) -> tuple[tuple[Floats, Floats], Averaged]:
    """Features of both sides: row i of both for pair i, or all rows of both if trials are averaged, as the second entry
    then says.

    Raises:
        DataError: for rows that do not fit.
        UsageError: for a number of trials that fewer than two images have.
    """
    if trials is None:
        if averaged is not None:
            raise UsageError("averaged needs trials: the row of reference that each row of reconstruction shows")
        return rows_of_pairs(reference, reconstruction), None
    images = matrix("reference", reference)
    decoded = array("reconstruction", reconstruction)
    if isinstance(trials, str):
        if trials != "repeats":
            raise UsageError(f"trials is {trials!r}; expected 'repeats', or a row of reference for each row")
        if decoded.ndim < 3 or len(decoded) != len(images):
            raise DataError(
                f"reconstruction has shape {decoded.shape}; expected (n_images, n_repeats, n_features) for "
                f"trials='repeats', of {len(images)} images"
            )
        shown = np.repeat(np.arange(len(images)), decoded.shape[1])
        decoded = decoded.reshape(len(shown), -1)
    else:
        shown = np.asarray(trials)
        if shown.shape != (len(decoded),) or shown.dtype.kind not in "iu":
            raise DataError(f"trials has shape {shown.shape}; expected a whole number for each of {len(decoded)} rows")
        outside = shown[(shown < 0) | (shown >= len(images))]
        if len(outside):
            raise DataError(f"trials names row {outside[0]} of reference, which has {len(images)}")
    rows = matrix("reconstruction", decoded)
    if rows.shape[1] != images.shape[1]:
        raise DataError(
            f"reference has {images.shape[1]} features and reconstruction {rows.shape[1]}; expected as many"
        )
    if averaged is None:
        return rows_of_pairs(images[shown], rows), None
    counts = np.bincount(shown, minlength=len(images))
    n_trials = whole("averaged", averaged, 1, int(counts.max()))
    if (counts >= n_trials).sum() < 2:
        raise UsageError(f"averaged is {n_trials}, and fewer than two images have as many trials")
    return (images, rows), (shown.tolist(), n_trials, seed)
