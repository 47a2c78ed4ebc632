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
                 null_<name>: rank and alpha kept; null_select_<name>: selected again, the responses permuted
                 so that inner folds stay with the source's rows. chosen [k, alpha] for
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
paper.json       models -> architecture, trained, seed; units: results of target units as a run keeps them, drawn at
random;
                 seeds: rows of Table 4 (pretrained, mean, sd, lowest, highest, gap, sd / gap); categories at 0.01:
                 kinds of both -> n, mean difference, share beyond human_threshold, share in favour; matched_case: unit,
                 both sources; high_accuracy: threshold, kind -> n, mean, quartiles of BrainRefScore; next_fold:
                 Pearson's r, mean ratio; cumulative: share of the first k directions, cumulative_by_region;
                 shape_distances: kind -> n, mean, quartiles, and mean by architecture and kind; median_ranks:
                 effective, consensus; penalties.
stimuli.json     trials of one unit, stimuli of trials, labels (a text for each split), chunks, inner_folds and
reference_inner_folds ->
                 noise_ceiling; directions of the reference of all stimuli: weight, reliability, scores; itself: one
                 half of the trials as source of the other (ProfileMean(10), FullRefCov, accuracy of the subspace over
                 that of all voxels).
noiseless.json   name -> features_recipe, labels[split][stimulus], pool, inner_folds and what references.json has; each
half of the
                 stimuli predicts itself (ours, recovery/target_reference.py:noiseless_reference).
source_parts.json  a source of three blocks, a target and its reference in one fold. attribution: for each of
`directions`
                 weights, shares, correlations; fits of all sets of blocks and `permuted` (the training rows of one
                 block in `order`): k, alpha, accuracy, dir_cov and prediction of the first 10 directions, variance
                 (r |r|, by their weight), profile_mean; shapley: of the variance (ours, recovery/source_parts.py).

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
17  Null: training row i gets source row permutation[i] (positions in the sorted pool); here each fold has its
    own permutation. Where rank and alpha are selected again, inner folds stay with the source's rows: the responses
    move, by the inverse permutation. A draw is one fold-averaged profile; sd has ddof 1; a draw within 1e-12 of the
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
24  BrainRefScore and ShapeDist are undefined where a divisor is 0. A reference without a weight above 1e-10
    has no coverage, effective rank or similarity.
25  How session- and run-balanced partitions were chosen is not said: labels are given, whatever made them.
26  A readout's alpha grid starts at 1e-6, where normal equations lose half of the digits: ridge below alpha = 1
    is solved as a least-squares problem on [Z; sqrt(alpha) I].
"""

from recovery.golden_aggregates import aggregates
from recovery.golden_fits import fit_cases
from recovery.golden_hand import constants, hand_case
from recovery.golden_layout import GOLDEN, write
from recovery.golden_paper import paper_case
from recovery.golden_parts import noiseless_cases, source_parts_case
from recovery.golden_references import reference_cases
from recovery.golden_stimuli import stimuli_case
from recovery.golden_study import study_case

if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    write("constants", constants())
    write("hand", hand_case())
    write("fits", fit_cases())
    write("references", reference_cases())
    write("study", study_case())
    write("aggregates", aggregates())
    write("paper", paper_case())
    write("stimuli", stimuli_case())
    write("noiseless", noiseless_cases())
    write("source_parts", source_parts_case())
