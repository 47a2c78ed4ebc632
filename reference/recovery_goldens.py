"""Reference values for target-space recovery profiles (arXiv:2605.20127v1), in golden/recovery/.

Reference: the direct NumPy 2.4.6 / SciPy 1.17.1 version in recovery/, written from the paper and
independent of the Rust crate. Run from this folder; about a minute on one thread. Every stored number
moves by less than 1e-11 when the inputs move by 1e-14 (recovery/checks.py).

Common to all files
- Inputs are recipes (recovery/inputs.py says how a recipe becomes a matrix); folds, labels and
  permutations are lists of integers. Images count from 0. Pools are sorted by image; inner folds list
  positions in the pool: the outer-training images of a fit, the test images of a reference.
- selection: k, alpha, threshold (best mean - SE) and margin, the distance to another choice: the smallest
  difference between the threshold and a mean at or below rank k, or between the chosen mean and the next
  kept one at rank k. `mean` and `se`, where listed, are [rank - 1][position in the subspace grid].
- projector: rank, and P in full where it is at most 12 wide (`full`, rows), else its `diagonal` and
  `probe` = P w with w[i] = (i + 1) / size. No sign or rotation of a basis is stored anywhere. `matrix`
  of a reference is stored in the same two ways.
- K of profile means, brain_ref_score and shape_dist: 5, 10, 20 in this order.
- null: there is no value.

constants.json   grids, caps, tolerances, K, accuracy limits.
hand.json        case: the 6 x 3 case derived in recovery/hand.py (x, y, alpha, two projectors that make the
                 reference; rank_1, rank_2: strengths, target, effective_rank, dir_cov, top_k_cov,
                 profile_mean_3, full_ref_cov, block_use of one-feature blocks, accuracy_alpha_1: the readout
                 at alpha 1 on its own training rows; stability between the two). table, tied_table:
                 scores[k - 1][alpha][fold], grid -> selection.
fits.json        name -> source_recipe, target_recipe, training, reserved, test (images), inner_folds ->
                 selection with mean and se; strengths; target (projector of Q), source (of Q^{X,z}), original
                 (of Q^X); blocks [first, end) and block_use; effective_rank of the source;
                 fixed_rank: 2 and 3 -> k, alpha, target;
                 readout: alpha, scores over the readout grid, margin (best minus next lower score);
                 accuracy on `test`;
                 auxiliary: selection with ranks to 32; full, subspace, source_pca -> alpha, reserved (scores
                 over the readout grid on `reserved`), test; retained = subspace / full.
                 `tied` has four equal strengths, of which k = 4 are chosen. It lacks what depends on the
                 directions inside the subspace: readout, accuracy, fixed_rank, auxiliary.
references.json  name -> trials_recipe, labels[split][trial], pool, inner_folds ->
                 first_selection (split 0, 1->2, with mean and se); selections [k, alpha, rank kept] for
                 split 0 1->2, split 0 2->1, split 1 1->2, ...; margin (the smallest); matrix; weights (all q,
                 descending); smallest_gap between neighbouring weights above 1e-10; consensus
                 (projector); effective_rank; convergence for m = 1..n_splits: consensus_rank, gap (between
                 the weights on either side of the cut), coverage, purity, rank_ratio; half_similarity: of
                 the first half of the splits to all;
                 axes: how span(e_1, e_2) of the voxel space covers the reference: dir_cov (where the weight
                 is above 1e-10), top_k_cov (all q), profile_means, full_ref_cov.
                 `noise_free` has three weights of 1 and `dead` none above 0; of their axes only what is
                 determined is stored.
study.json       one target unit with five outer folds. inputs: target and sources (recipes; those with stimuli
                 are donors' trials, session-z-scored and averaged per image), blocks (features of a
                 model; a donor is one block), chunks, inner_folds[fold], reference_inner_folds[fold],
                 labels[split][trial], null_permutations[draw][fold], response_permutations[fold];
                 random directions: columns of u("random/<fold>", (q, q)), seed 20.
                 image_means: row sums of the image-level responses.
                 references: fold -> as above, and normalized (weights / sum).
                 source_<name>: folds (selection, rank kept, target, strengths, readout_alpha, readout_margin,
                 accuracy, dir_cov where the weight is above 1e-10, top_k_cov, full_ref_cov,
                 directional_prediction, effective_rank, block_use, auxiliary as above); accuracy (mean over
                 folds); same_fold, next_fold and fixed_rank 2 and 3: fold-averaged curve, its
                 profile_means, full (FullRefCov); stability for fold pairs (0,1), (0,2), ..., (3,4) and its median;
                 brain_ref_score and shape_dist against all four donors.
                 null_<name>: rank and alpha kept; null_select_<name>: selected again. chosen [k, alpha] for
                 draw 0 fold 0, draw 0 fold 1, ...; draws: profile means for 5, 10, 20 and FullRefCov;
                 curve, profile_means, full: observed, mean, sd, p, corrected.
                 control_<name>: pca_1, pca_2, pca_matched, random, response_permutation_<source>.
                 human_band: of the donors' curves. directional_donors: DirCov against direction-wise
                 prediction over all donors, folds, directions. accuracy_and_profile: over the six
                 sources, K = 10.
aggregates.json  inputs: (accuracy, profile mean) of donors[unit][donor], of pretrained[unit][pair] and random,
                 and indices[resample] -> matched: limit -> n_donor_pairs, human_threshold, n, mean, positive,
                 beyond, beyond_in_favour (shares), bootstrap interval of the mean;
                 paired_difference: all pairs' profile difference with its interval; correlations: of
                 accuracy and profile over all models; null: summaries of the observed values 0.7 and 0.5
                 against (0.25, 0.5, 0.75, 0.5), and of 1 against (1, 1, 1).

Readings of what neither the paper nor the project's list of decisions settles
 1  z-scores: the mean does not skip NaN, so a NaN among the training rows makes the whole column 0; a NaN
    elsewhere becomes 0 by itself, before any correlation. Session z-scores follow the same rules, over
    all trials of the session, and trials without sessions are one session.
 2  Constant: a column whose deviations from its mean have a norm of at most 1e-10 (after z-scoring).
 3  One-SE rule: means within 1e-12 are equal everywhere, as for readouts. So a source of one feature,
    for which alpha changes nothing, gets the smallest alpha. The best of equal means, whose SE counts, is
    that of the smallest k, then of the smallest alpha.
 4  Eigenvalues of C'W at or below 1e-20 are dropped too: a source without a single live column has an
    empty basis (rank 0, k = 1, alpha = 10), accuracy 0, coverage 0 and undefined source diagnostics.
 5  Ranks above the number of kept coordinates are candidates that equal the highest rank there is.
 6  A readout's responses are z-scored from the raw ones in each inner-training set; its coordinates
    come from the outer fit's z-scored source.
 7  consensus rank: mean of the ranks kept, which differ from those selected only where some were dropped.
 8  Inner folds of a reference are the same for all splits and both directions.
 9  Convergence: the estimate of m partitions is that of the first m of the list.
10  ProfileMean(K) with q < K is the mean over all q prefixes; with zero weights the prefix stays constant.
11  DirCov is determined only where the weight is above 1e-10; direction-wise held-out prediction uses the
    first 20 of those ("stable" is not defined; the counts of Table 3 are 20 per fold). Responses are
    z-scored by the outer-training rows, predictions come from the readout that gives the accuracy.
    Its contrast: DirCov at or above the 75th minus at or below the 25th percentile.
12  Auxiliary comparison: all three readouts fit on the outer-training images alone, also after alpha
    is chosen on the reserved chunk; the source PCA has the rank of the subspace (chosen up to 32).
13  Source strengths for the effective rank: at the selected alpha, outer-training rows.
14  Stability of a source: median over the unordered pairs of folds, in original coordinates.
15  Fixed rank 2 and 3: alpha by the highest mean at that rank (ties: the smaller); rank at most k_max. The
    references stay those of the adaptive rule, donors are refitted like models.
16  Response permutation: rows of the target permuted in the training pool, selection done again with the
    same inner folds. Random directions: as many as the consensus rank of the fold.
17  Null: training row i gets source row permutation[i] (positions in the sorted pool); each fold has its own
    permutation, a draw is one fold-averaged profile; sd has ddof 1; a draw within 1e-12 of the
    observed value counts for p; corrected is undefined where the null's mean is within 1e-12 of 1.
18  Human threshold: |difference| over unordered donor pairs within a target unit, pooled over units, at the
    same accuracy limit as the model pairs; percentiles interpolated linearly.
19  Human band: quartiles (linear), range and SEM over the donors of a target unit.
20  Bootstrap: the mean over all entries of the sampled units, not of unit means; percentile interval.
21  Similarity of two references: soft tr(R R') / (|R| |R'|), hard tr(P P') / tr(P) of the consensus.
22  The readout z-scores coordinates, so it depends on the orientation of the source basis: that of the
    QR decomposition of A_sub with columns in descending order of strength (signs do not matter).
23  Convergence: where the consensus cuts a tie (within 1e-10; one split with ranks that differ by two or
    more always has one at 1/2), coverage and purity have no value.
24  BrainRefScore and ShapeDist are undefined where a divisor is 0.
"""

import json
from pathlib import Path

import numpy as np
import scipy.linalg

from recovery import controls, hand, intervals, null, profile, source_side, study, subspace
from recovery import inputs, readout
from recovery import target_reference as reference
from recovery.standardize import SMALLEST_NORM, SMALLEST_SD, standardize, standardize_sessions

GOLDEN = Path("golden/recovery")
SEED = 20


def plain(value):
    """Arrays and NumPy scalars as JSON has them."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(one) for one in value]
    if isinstance(value, np.generic):
        return value.item()
    return value


def write(name, content):
    """One line per key of the second level, so that changes can be read."""
    lines = []
    for key, value in plain(content).items():
        if isinstance(value, dict):
            inner = ",\n  ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
            lines.append(f"{json.dumps(key)}: {{\n  {inner}\n}}")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value)}")
    (GOLDEN / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def symmetric(P):
    if len(P) <= 12:
        return {"full": P}
    return {"diagonal": np.diag(P), "probe": P @ (np.arange(1, len(P) + 1) / len(P))}


def projector(Q):
    return {"rank": Q.shape[1], **symmetric(Q @ Q.T)}


def selection_of(one, tables=False):
    found = {"k": one.k, "alpha": one.alpha, "threshold": one.threshold, "margin": one.margin}
    return {**found, "mean": one.mean, "se": one.se} if tables else found


def auxiliary_of(one):
    return {**one, "selection": selection_of(one["selection"])}


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
    """Asserts what recovery/hand.py derives, and writes it."""
    matrix, U, weights = reference.from_projectors(hand.PROJECTORS)
    found = {"x": hand.X, "y": hand.Y, "alpha": 10.0, "projectors": hand.PROJECTORS}
    found |= {"weights": weights, "erank": reference.entropy_rank(weights)}
    bases = []
    for k in (1, 2):
        fit = subspace.fit(hand.X, hand.Y, k, 10.0)
        Z = standardize(hand.X) @ fit.source_basis
        original = source_side.original_basis(hand.X, fit.source_basis)
        bases.append(original)
        curve = profile.top_k_coverage(fit.target_basis, U, weights)
        found[f"rank_{k}"] = {
            "strengths": fit.strengths,
            "target": projector(fit.target_basis),
            "effective_rank": source_side.effective_rank(fit.strengths),
            "dir_cov": profile.direction_coverage(fit.target_basis, U),
            "top_k_cov": curve,
            "profile_mean_3": profile.profile_mean(curve, 3),
            "full_ref_cov": np.trace(fit.target_basis @ fit.target_basis.T @ matrix) / 1.5,
            "block_use": source_side.block_use(original, [[0, 1], [1, 2]]),
            "accuracy_alpha_1": readout.accuracy(Z, hand.Y, 1.0, Z, hand.Y),
        }
    found["stability"] = source_side.stability(*bases)
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


def features(name, n_stimuli, n_columns, gains, noise_gain, **broken):
    return {
        "name": name,
        "seed": SEED,
        "n_stimuli": n_stimuli,
        "n_columns": n_columns,
        "gains": gains,
        "noise_gain": noise_gain,
        **broken,
    }


def hadamard_case():
    """X of four orthogonal +-1 columns and Y whose z-scores load on them with orthogonal, equal rows.

    All four eigenvalues of C'W are equal on all 32 images (and k = 4 is chosen), not in inner folds.
    """
    H = scipy.linalg.hadamard(32).astype(float)
    X = H[:, [1, 2, 4, 8]]
    loadings = scipy.linalg.hadamard(8)[[1, 2, 4, 7]].astype(float)
    return X, X @ loadings + 2 * H[:, 16:24]


def fit_cases():
    n = 50
    chunks = inputs.chunks(inputs.permutation("order", SEED, n), 5)
    folds = {n: study.outer_folds([np.array(chunk) for chunk in chunks])[0]}
    chunks = inputs.chunks(inputs.permutation("order", SEED, 47), 5)
    folds[47] = study.outer_folds([np.array(chunk) for chunk in chunks])[2]
    seen, unseen = int(folds[n].training[3]), int(folds[n].test[2])
    four = [8, 8, 8, 4]
    target = features("target", n, 10, four, 2)
    cases = {
        "plain": (features("source", n, 12, four, 1), target),
        "wide": (features("source", 47, 60, four, 2), features("target", 47, 12, four, 2)),
        "few_features": (features("source", n, 4, four, 0.5), target),
        "few_voxels": (features("source", n, 20, four, 1), features("target", n, 3, four, 1)),
        "one_feature": (features("source", n, 1, four, 0.5), target),
        "one_dimension": (features("source", n, 12, [16], 1), features("target", n, 10, [8], 1)),
        "broken_voxels": (
            features("source", n, 12, four, 1),
            features(
                "target", n, 10, four, 2, constant=[[2, 1.5]], nan=[[seen, 5], [unseen, 7]]
            ),
        ),
        "dead_columns": (
            features(
                "source", n, 12, four, 2, constant=[[0, 0.0], [7, -2.5]], nan=[[seen, 3], [unseen, 4]]
            ),
            target,
        ),
        "dead_source": (
            features("source", n, 6, four, 2, constant=[[c, 1.5] for c in range(6)]),
            target,
        ),
        "noise": (features("source", n, 12, [0, 0, 0, 0], 1), target),
        "many_voxels": (features("source", n, 24, four, 2), features("target", n, 40, four, 4)),
        "tied": tuple({"values": values} for values in hadamard_case()),
    }
    found = {}
    for name, (source, target) in cases.items():
        X, Y = inputs.matrix(source), inputs.matrix(target)
        if name == "tied":
            everything = np.arange(32)
            fold = study.OuterFold(everything, np.arange(8), np.arange(8, 32))
        else:
            fold = folds[len(X)]
        order = inputs.permutation("inner", SEED, len(fold.training))
        found[name] = fit_case(source, target, X, Y, fold, inputs.chunks(order, 5), name != "tied")
    return found


def fit_case(source, target, X, Y, fold, inner, determined):
    """Without determined directions inside the subspace, what depends on them is left out."""
    Xt, Yt = X[fold.training], Y[fold.training]
    scores = subspace.score_candidates(Xt, Yt, inner)
    selection = subspace.one_standard_error(scores)
    fit = subspace.fit(Xt, Yt, selection.k, selection.alpha)
    Xz, Xe = standardize(Xt, X[fold.test])
    Z, Z_test = Xz @ fit.source_basis, Xe @ fit.source_basis
    chosen = readout.select_readout(Z, Yt, inner)
    original = source_side.original_basis(Xt, fit.source_basis)
    half = X.shape[1] // 2
    fixed = {}
    for rank in (2, 3):
        k, alpha = subspace.at_fixed_rank(scores, rank)
        fixed[rank] = {"k": k, "alpha": alpha}
        fixed[rank]["target"] = projector(subspace.fit(Xt, Yt, k, alpha).target_basis)
    blocks = [[0, half], [half, X.shape[1]]]
    auxiliary = readout.auxiliary_comparison(X, Y, fold.training, fold.reserved, fold.test, inner)
    scored = {
        "readout": {"alpha": chosen.alpha, "scores": chosen.scores, "margin": chosen.margin},
        "accuracy": readout.accuracy(Z, Yt, chosen.alpha, Z_test, Y[fold.test]),
        "auxiliary": auxiliary_of(auxiliary),
    }
    return {
        "source_recipe": source,
        "target_recipe": target,
        "training": fold.training,
        "reserved": fold.reserved,
        "test": fold.test,
        "inner_folds": inner,
        "selection": selection_of(selection, tables=True),
        "strengths": fit.strengths,
        "target": projector(fit.target_basis),
        "source": projector(fit.source_basis),
        "original": projector(original),
        "blocks": blocks,
        "block_use": source_side.block_use(original, blocks),
        "effective_rank": source_side.effective_rank(fit.strengths),
        "fixed_rank": fixed if determined else None,
        **(scored if determined else {}),
    }


def repeated(name, n_stimuli, n_columns, gains, noise_gain, repeats, n_sessions, **broken):
    stimuli = inputs.ragged_repeats("trials/" + name, SEED, n_stimuli, repeats)
    recipe = features(name, n_stimuli, n_columns, gains, noise_gain, **broken)
    recipe["stimuli"] = stimuli
    recipe["sessions"] = inputs.balanced_sessions(stimuli, n_sessions)
    return recipe


def z_trials(recipe):
    sessions = np.array(recipe["sessions"])
    return standardize_sessions(inputs.matrix(recipe), sessions), np.array(recipe["stimuli"])


def smallest_gap(weights):
    positive = weights[weights > profile.SMALLEST_WEIGHT]
    return float((positive[:-1] - positive[1:]).min()) if len(positive) > 1 else None


def reference_cases():
    two = [8, 8]
    cases = {
        "ragged": repeated("ragged", 40, 10, [8, 8, 4], 4, [2, 3, 4], 2),
        "few_voxels": repeated("few_voxels", 30, 4, two, 2, [3], 1),
        "many_voxels": repeated("many_voxels", 45, 24, [8, 8, 8, 4, 4], 4, [3], 3),
        "broken_voxels": repeated(
            "broken", 30, 8, two, 2, [3], 2, constant=[[1, 2.5]], nan=[[7, 3], [8, 3]]
        ),
        "one_dimension": repeated("one", 30, 12, [16], 2, [2], 1),
        "noise_free": repeated("noise_free", 30, 8, [4, 4, 2], 0, [2, 3], 1),
        "noise": repeated("noise", 30, 10, [0], 1, [3], 1),
        "dead": repeated("dead", 20, 3, [8], 1, [2], 1, constant=[[c, 1.5] for c in range(3)]),
    }
    found = {}
    for name, recipe in cases.items():
        trials, stimuli = z_trials(recipe)
        labels = inputs.split_labels("labels/" + name, SEED, recipe["stimuli"], 4)
        pool = np.arange(recipe["n_stimuli"])
        inner = inputs.chunks(inputs.permutation("inner", SEED, len(pool)), 5)
        one = reference.target_reference(trials, stimuli, np.array(labels), pool, inner)
        half, cut = one.of_first(2), reference.consensus_gap(one)
        found[name] = {
            "trials_recipe": recipe,
            "labels": labels,
            "pool": pool,
            "inner_folds": inner,
            "first_selection": selection_of(one.selections[0], tables=True),
            "selections": [[s.k, s.alpha, f.rank] for s, f in zip(one.selections, one.fits)],
            "margin": min(s.margin for s in one.selections),
            "matrix": symmetric(one.matrix),
            "weights": one.weights,
            "smallest_gap": smallest_gap(one.weights),
            "consensus": projector(one.consensus_basis) if cut > 1e-10 else None,
            "effective_rank": one.effective_rank,
            "convergence": [reference.convergence(one, m) for m in range(1, 5)],
            "half_similarity": reference.reference_similarity(half, one),
            "axes": axes(one),
        }
    return found


def axes(one):
    """Coverage of one reference by the first two voxel axes, as far as it is determined."""
    found = study.coverage(np.eye(len(one.matrix))[:, :2], one)
    if not (smallest_gap(one.weights) or 0) > 1e-10:
        return {"full_ref_cov": found.full}
    return {
        "dir_cov": found.dir_cov[: profile.n_positive(one.weights)],
        "top_k_cov": found.curve,
        "profile_means": [profile.profile_mean(found.curve, K) for K in profile.SUMMARIES],
        "full_ref_cov": found.full,
    }


def study_case():
    n, q = 75, 24
    chunks = inputs.chunks(inputs.permutation("order", SEED, n), 5)
    folds = study.outer_folds([np.array(chunk) for chunk in chunks])
    seeds = range(5)
    inner = [inputs.chunks(inputs.permutation(f"inner/{f}", SEED, 45), 5) for f in seeds]
    reference_inner = [
        inputs.chunks(inputs.permutation(f"reference/{f}", SEED, 15), 5) for f in seeds
    ]
    target = repeated("target", n, q, [8, 8, 8, 8, 4, 2], 4, [2, 3, 4], 2, constant=[[4, 0.5]])
    labels = inputs.split_labels("labels", SEED, target["stimuli"], 3)
    recipes = {
        "donor_1": repeated("donor_1", n, 9, [8, 8, 8, 8, 4, 2], 2, [3], 2),
        "donor_2": repeated("donor_2", n, 26, [8, 8, 8, 0, 4, 2], 4, [2, 3], 2),
        "donor_3": repeated("donor_3", n, 7, [8, 2, 8, 4, 0, 0], 2, [3], 1),
        "donor_4": repeated("donor_4", n, 30, [4, 8, 8, 8, 4, 4], 4, [3], 1),
        "model": features("model", n, 60, [8, 8, 0, 0, 4, 0], 2),
        "noise": features("noise", n, 16, [0, 0, 0, 0, 0, 0], 1),
    }
    blocks = {"model": [[0, 20], [20, 60]], "noise": [[0, 16]]}
    permutations = [
        [inputs.permutation(f"null/{draw}/{f}", SEED, 45) for f in seeds] for draw in range(5)
    ]
    response_permutations = [inputs.permutation(f"response/{f}", SEED, 45) for f in seeds]

    trials, stimuli = z_trials(target)
    Y = reference.image_means(trials, stimuli, range(n))
    refs = study.references(trials, stimuli, np.array(labels), folds, reference_inner)
    X = {}
    for name, recipe in recipes.items():
        if "stimuli" in recipe:
            X[name] = reference.image_means(*z_trials(recipe), range(n))
        else:
            X[name] = inputs.matrix(recipe)
    found = {
        name: study.source_study(
            X[name], Y, folds, inner, refs, blocks.get(name, [[0, X[name].shape[1]]])
        )
        for name in recipes
    }
    donors = [one for name, one in found.items() if name.startswith("donor")]
    human = profile.human_reference([one["same_fold"]["curve"] for one in donors])
    typical = [[one["same_fold"]["profile_means"][i] for one in donors] for i in range(3)]
    draws = [inputs.centred(f"random/{f}", SEED, (q, q)) for f in seeds]
    result = {
        "inputs": {
            "target": target,
            "sources": recipes,
            "blocks": blocks,
            "chunks": chunks,
            "inner_folds": inner,
            "reference_inner_folds": reference_inner,
            "labels": labels,
            "null_permutations": permutations,
            "response_permutations": response_permutations,
        },
        "image_means": {
            "target": Y.sum(axis=1),
            **{name: x.sum(axis=1) for name, x in X.items() if name.startswith("donor")},
        },
        "references": {
            f: {
                "selections": [[s.k, s.alpha, t.rank] for s, t in zip(one.selections, one.fits)],
                "margin": min(s.margin for s in one.selections),
                "matrix": symmetric(one.matrix),
                "smallest_gap": smallest_gap(one.weights),
                "consensus": projector(one.consensus_basis),
                **study.reference_summary(one),
            }
            for f, one in enumerate(refs)
        },
    }
    for name, one in found.items():
        result["source_" + name] = source_of(one, refs, human, typical)
    for name in ("donor_3", "model", "noise"):
        for reselect in (False, True):
            key = "null_select_" if reselect else "null_"
            result[key + name] = study.source_null(
                X[name], Y, folds, inner, refs, found[name], permutations, reselect
            )
    for key, one in study.target_controls(Y, folds, refs, draws).items():
        result["control_" + key] = one
    for name in ("donor_3", "model"):
        result["control_response_permutation_" + name] = study.response_permutation(
            X[name], Y, folds, inner, refs, response_permutations
        )
    curves = [one["same_fold"]["curve"] for one in donors]
    result["human_band"] = profile.human_band(curves)
    coverages = np.concatenate(
        [one["coverage"].dir_cov[: len(one["directional"])] for d in donors for one in d["folds"]]
    )
    directional = np.concatenate([one["directional"] for d in donors for one in d["folds"]])
    result["directional_donors"] = profile.quartile_contrast(coverages, directional)
    names = list(found)
    result["accuracy_and_profile"] = intervals.accuracy_profile_correlation(
        [found[name]["accuracy"] for name in names],
        [found[name]["same_fold"]["profile_means"][1] for name in names],
    )
    return result


def source_of(one, refs, human, typical):
    """What is stored of one source: each fold, then the averages."""
    per_fold = []
    for fold, ref in zip(one["folds"], refs):
        positive = profile.n_positive(ref.weights)
        per_fold.append({
            "selection": selection_of(fold["selection"]),
            "rank": fold["fit"].rank,
            "target": projector(fold["fit"].target_basis),
            "strengths": fold["fit"].strengths,
            "readout_alpha": fold["readout"].alpha,
            "readout_margin": fold["readout"].margin,
            "accuracy": fold["accuracy"],
            "dir_cov": fold["coverage"].dir_cov[:positive],
            "top_k_cov": fold["coverage"].curve,
            "full_ref_cov": fold["coverage"].full,
            "directional_prediction": fold["directional"],
            "effective_rank": fold["effective_rank"],
            "block_use": fold["block_use"],
            "auxiliary": auxiliary_of(fold["auxiliary"]),
        })
    same = one["same_fold"]
    scores = {
        "brain_ref_score": [
            profile.brain_reference_score(mean, typical[i])
            for i, mean in enumerate(same["profile_means"])
        ],
        "shape_dist": [
            profile.shape_distance(same["curve"], human, K) for K in profile.SUMMARIES
        ],
    }
    rest = ("accuracy", "same_fold", "next_fold", "fixed_rank", "stability", "median_stability")
    return {"folds": per_fold, **{key: one[key] for key in rest}, **scores}


def aggregates():
    """Units of four donors and three pretrained-random pairs, uniform numbers throughout."""
    n_units = 8
    donors = inputs.centred("donors", SEED, (n_units, 4, 2)) * [0.0625, 0.125] + [0.3, 0.8]
    pretrained = inputs.centred("pretrained", SEED, (n_units, 3, 2)) * [0.0625, 0.25] + [0.3, 0.75]
    random = inputs.centred("random", SEED, (n_units, 3, 2)) * [0.0625, 0.25] + [0.3, 0.625]
    units = [[tuple(pair) for pair in unit] for unit in donors]
    pairs = [(u, pretrained[u, i], random[u, i]) for u in range(n_units) for i in range(3)]
    indices = [
        [int(b % np.uint64(n_units)) for b in inputs.bits(f"resample/{r}", SEED, n_units)]
        for r in range(40)
    ]
    matched = {}
    for limit in controls.THRESHOLDS:
        threshold, n_donor_pairs = controls.human_threshold(units, limit)
        differences = controls.matched_pairs(pairs, limit)
        blocks = [[d for unit, d in differences if unit == u] for u in range(n_units)]
        matched[limit] = {
            "n_donor_pairs": n_donor_pairs,
            "human_threshold": threshold,
            **controls.matched_summary(differences, threshold),
            "interval": intervals.block_bootstrap(blocks, indices),
        }
    both = np.concatenate([pretrained.reshape(-1, 2), random.reshape(-1, 2)])
    blocks = [(pretrained[u, :, 1] - random[u, :, 1]).tolist() for u in range(n_units)]
    return {
        "inputs": {
            "donors": donors,
            "pretrained": pretrained,
            "random": random,
            "indices": indices,
        },
        "matched": matched,
        "paired_difference": intervals.block_bootstrap(blocks, indices),
        "correlations": intervals.accuracy_profile_correlation(both[:, 0], both[:, 1]),
        "null": {
            "above": null.summarize(0.7, [0.25, 0.5, 0.75, 0.5]),
            "tied": null.summarize(0.5, [0.25, 0.5, 0.75, 0.5]),
            "saturated": null.summarize(1.0, [1.0, 1.0, 1.0]),
        },
    }


def main():
    GOLDEN.mkdir(parents=True, exist_ok=True)
    write("constants", constants())
    write("hand", hand_case())
    write("fits", fit_cases())
    write("references", reference_cases())
    write("study", study_case())
    write("aggregates", aggregates())


if __name__ == "__main__":
    main()
