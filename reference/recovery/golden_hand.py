"""The constants and the case computed by hand."""

import numpy as np

from . import controls, hand, profile, readout, source_subspace, subspace
from . import target_reference as reference
from .golden_layout import projector, selection_of
from .standardize import SMALLEST_NORM, SMALLEST_SD, standardize


def constants():
    return {
        "subspace_grid": subspace.SUBSPACE_GRID,
        "readout_grid": readout.READOUT_GRID,
        "largest_rank": subspace.LARGEST_RANK,
        "largest_rank_auxiliary": 32,
        "smallest_sd": SMALLEST_SD,
        "smallest_norm": SMALLEST_NORM,
        "tie": subspace.TIE,
        "summaries": profile.SUMMARIES,
        "accuracy_limits": controls.THRESHOLDS,
    }


def hand_case():
    """Asserts what recovery/hand.py derives, and returns it."""
    matrix, U, weights = reference.from_projectors(hand.PROJECTORS)
    found = {"x": hand.X, "y": hand.Y, "alpha": 10.0, "projectors": hand.PROJECTORS}
    found |= {"weights": weights, "erank": reference.entropy_rank(weights)}
    bases = []
    for k in (1, 2):
        fit = subspace.fit(hand.X, hand.Y, k, 10.0)
        Z = standardize(hand.X) @ fit.source_basis
        original = source_subspace.original_basis(hand.X, fit.source_basis)
        bases.append(original)
        curve = profile.top_k_coverage(fit.target_basis, U, weights)
        found[f"rank_{k}"] = {
            "strengths": fit.strengths,
            "target": projector(fit.target_basis),
            "effective_rank": source_subspace.effective_rank(fit.strengths),
            "dir_cov": profile.direction_coverage(fit.target_basis, U),
            "top_k_cov": curve,
            "profile_mean_3": profile.profile_mean(curve, 3),
            "full_ref_cov": np.trace(fit.target_basis @ fit.target_basis.T @ matrix) / 1.5,
            "block_use": source_subspace.block_use(original, [[0, 1], [1, 2]]),
            "accuracy_alpha_1": readout.accuracy(Z, hand.Y, 1.0, Z, hand.Y),
        }
    found["stability"] = source_subspace.stability(*bases)
    one, two = found["rank_1"], found["rank_2"]
    np.testing.assert_allclose(two["strengths"], [3, 2.25], atol=1e-14)
    np.testing.assert_allclose(one["dir_cov"], [3 / 4, 0, 1 / 4], atol=1e-14)
    np.testing.assert_allclose(one["top_k_cov"], [3 / 4, 1 / 2, 1 / 2], atol=1e-14)
    np.testing.assert_allclose(two["top_k_cov"], [3 / 4, 5 / 6, 5 / 6], atol=1e-14)
    np.testing.assert_allclose(one["accuracy_alpha_1"], (1 + 1 / np.sqrt(3)) / 3, atol=1e-14)
    np.testing.assert_allclose(found["stability"], 1 / np.sqrt(2), atol=1e-14)
    tables = {}
    for name, table, choice in (
        ("table", hand.TABLE, hand.TABLE_CHOICE),
        ("tied_table", hand.TIED_TABLE, hand.TIED_CHOICE),
    ):
        grid = [10.0, 100.0]
        chosen = subspace.one_standard_error(np.array(table), grid)
        assert (chosen.k, chosen.alpha) == (choice[0], grid[choice[1]])
        tables[name] = {"scores": table, "grid": grid, **selection_of(chosen)}
    return {"case": found, **tables}
