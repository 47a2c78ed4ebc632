"""Z-scores, per-session z-scores and the correlation on which every score is based."""

import numpy as np

SMALLEST_SD = 1e-8
SMALLEST_NORM = 1e-10


def statistics(training):
    """Mean and population sd of each column; an sd that is not finite or near zero becomes 1."""
    with np.errstate(invalid="ignore"):
        mean, sd = training.mean(axis=0), training.std(axis=0)
    return mean, np.where(np.isfinite(sd) & (sd >= SMALLEST_SD), sd, 1.0)


def standardize(training, *others):
    """(x - mean) / sd with the training rows' statistics (Appendix B); values that are not finite become 0.

    The mean does not skip NaN: one NaN in the training rows makes the whole column 0.
    """
    mean, sd = statistics(training)
    with np.errstate(invalid="ignore"):
        scores = [(rows - mean) / sd for rows in (training, *others)]
    scores = [np.where(np.isfinite(z), z, 0.0) for z in scores]
    return scores if others else scores[0]


def standardize_sessions(trials, sessions):
    """Each voxel z-scored over all trials of a session, with the same rules (Appendix A)."""
    z = np.empty(trials.shape)
    for session in np.unique(sessions):
        rows = sessions == session
        z[rows] = standardize(trials[rows])
    return z


def correlations(a, b):
    """Pearson r of each column of a with that of b; 0 if either is constant.

    Constant: its deviations from its mean have a norm of at most 1e-10.
    """
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    norm_a, norm_b = np.linalg.norm(a, axis=0), np.linalg.norm(b, axis=0)
    varies = (norm_a > SMALLEST_NORM) & (norm_b > SMALLEST_NORM)
    return np.where(varies, (a * b).sum(axis=0) / np.where(varies, norm_a * norm_b, 1.0), 0.0)


def mean_correlation(observed, predicted):
    """Prediction accuracy: the mean of `correlations` over voxels, constant ones included as 0."""
    return float(correlations(observed, predicted).mean())
