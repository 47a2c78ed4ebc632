"""What the responses of one target unit show about its stimuli: noise ceilings, scores on reproducible directions, and
how much of its own reference is recovered from one half of its trials."""

import numpy as np
import scipy.stats

from .profile import full_coverage, profile_mean, top_k_coverage
from .readout import auxiliary_comparison
from .standardize import standardize
from .subspace import fit, select
from .target_reference import image_means, target_reference, two_views


def reliability(one, other):
    """Reliability of the mean of both halves (Spearman-Brown); None if it is not defined."""
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    r = scipy.stats.pearsonr(one, other).statistic
    return 2 * r / (1 + r)


def noise_ceiling(trials, stimuli, labels, everyone):
    """Mean over voxels of the root of the reliability, which is averaged over partitions and at least 0."""
    views = [two_views(trials, stimuli, split, everyone) for split in labels]
    found = []
    for voxel in range(trials.shape[1]):
        own = [reliability(one[:, voxel], other[:, voxel]) for one, other in views]
        found.append(max(np.mean([r for r in own if r is not None]), 0.0) ** 0.5)
    return float(np.mean(found))


def directions(trials, stimuli, labels, everyone, chunks, n):
    """The first directions of the reference of all stimuli, whose inner folds are the outer chunks; the largest
    component of each is positive. Each has a weight, a reliability, and a score for each stimulus."""
    reference = target_reference(trials, stimuli, labels, everyone, chunks)
    responses = standardize(image_means(trials, stimuli, everyone))
    views = [[standardize(view) for view in two_views(trials, stimuli, split, everyone)] for split in labels]
    found = []
    for place in range(n):
        direction = reference.directions[:, place]
        direction = direction * np.sign(direction[np.abs(direction).argmax()])
        halves = [reliability(one @ direction, other @ direction) for one, other in views]
        found.append([float(reference.weights[place]), float(np.mean(halves)), responses @ direction])
    return found


def itself(trials, stimuli, labels, everyone, folds, inner, reference_inner, length):
    """One half of the trials as a source for the other half, in each fold: ProfileMean and FullRefCov with the run's
    references, averaged over folds and partitions, and the accuracy of the subspace relative to that of all voxels."""
    references = [
        target_reference(trials, stimuli, labels, fold.test, own) for fold, own in zip(folds, reference_inner)
    ]
    means, full, kept, all_voxels = [], [], [], []
    for split in labels:
        one, other = two_views(trials, stimuli, split, everyone)
        for place, fold in enumerate(folds):
            source, target = one[fold.training], other[fold.training]
            selection = select(source, target, inner[place])
            basis = fit(source, target, selection.k, selection.alpha).target_basis
            reference = references[place]
            curve = top_k_coverage(basis, reference.directions, reference.weights)
            means.append(profile_mean(curve, length))
            full.append(full_coverage(basis, reference))
            compared = auxiliary_comparison(one, other, fold.training, fold.reserved, fold.test, inner[place])
            kept.append(compared["subspace"]["test"])
            all_voxels.append(compared["full"]["test"])
    return {
        "profile_mean": float(np.mean(means)),
        "full": float(np.mean(full)),
        "retention": float(np.mean(kept) / np.mean(all_voxels)),
    }
