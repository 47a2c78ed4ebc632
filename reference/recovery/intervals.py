"""Aggregates over target units and their block bootstrap (Appendix B, uncertainty estimates)."""

import numpy as np
import scipy.stats


def pooled_mean(blocks, units):
    """Mean over all entries of the units, each unit as often as it is listed; None without entries."""
    entries = [value for unit in units for value in blocks[unit]]
    return float(np.mean(entries)) if entries else None


def block_bootstrap(blocks, indices, level=0.95):
    """Percentile interval (linear quantiles) of the pooled mean over given resamples of units.

    blocks: the values of all entries of each target unit. A resample without entries is left out.
    """
    values = [pooled_mean(blocks, units) for units in indices]
    values = [value for value in values if value is not None]
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    estimate = pooled_mean(blocks, range(len(blocks)))
    return {"estimate": estimate, "low": float(low), "high": float(high), "n": len(values)}


def accuracy_profile_correlation(accuracy, profile):
    """Pearson and Spearman (mean ranks for ties) over entries."""
    return {
        "pearson": float(scipy.stats.pearsonr(accuracy, profile).statistic),
        "spearman": float(scipy.stats.spearmanr(accuracy, profile).statistic),
    }
