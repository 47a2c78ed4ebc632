"""Which reproducible response dimensions of a brain does a source recover? (Target-space recovery.)

A source is another brain's responses to the same stimuli, or a model's features of them. Fits are trained on some
stimuli, references made of repeated responses to others::

    fold = ng.align.outer_folds(n_stimuli)[0]
    reference = ng.align.TargetReference().fit(trials_of(fold.test), stimulus_ids_of(fold.test))
    profile = ng.align.RecoveryProfile().fit(features[fold.training], responses[fold.training])
    profile.score(reference)

Numbers are those of :func:`neurogauge.recovery`, which does a whole study, on the same folds, to the bit.
"""

from __future__ import annotations

from .curves import brain_reference_score, profile_mean, shape_distance
from .folds import OuterFold, inner_folds, outer_folds, split_halves, standardise_within
from .recovery_profile import RecoveryProfile
from .target_reference import TargetReference

__all__ = [
    "OuterFold",
    "RecoveryProfile",
    "TargetReference",
    "brain_reference_score",
    "inner_folds",
    "outer_folds",
    "profile_mean",
    "shape_distance",
    "split_halves",
    "standardise_within",
]
