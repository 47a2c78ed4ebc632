"""A 6 x 3 case and the one-standard-error rule, computed by hand.

Source, six stimuli, two features; orthogonal, means 0:

    x1 = (1, 1, 1, -1, -1, -1)           sd 1          z1 = x1
    x2 = (1, -1, 0, 1, -1, 0)            sd sqrt(2/3)  z2 = sqrt(3/2) x2
    n1 = (1, 1, -2, 1, 1, -2)            orthogonal to both, sd sqrt 2

Target: y1 = x1, y2 = 2 x2 + 5, y3 = x1 + n1 (sd sqrt 3). Z'Z = 6 I, and with z-scored responses

    C = [6 0 6/sqrt3; 0 6 0],  R = 16 I at alpha = 10,  W = C / 16.

Rows of C are orthogonal with squared norms 36 + 12 = 48 and 36, so C'W = C'C / 16 has eigenvalues
48/16 = 3 and 36/16 = 2.25 with eigenvectors v1 = (sqrt3/2, 0, 1/2) and v2 = (0, 1, 0).

Rank 1: W v1 is along the first feature, Q^{X,z} = (1, 0), Z = x1, B = (6, 0, 6/sqrt3) / 16, so
Q = v1 and P = [3/4 0 sqrt3/4; 0 0 0; sqrt3/4 0 1/4]. Rank 2: Q^{X,z} = I and P adds v2 v2'.
Strengths 3 and 2.25 are shares 4/7 and 3/7: effective rank exp(-(4/7 ln 4/7 + 3/7 ln 3/7)) = 1.97962...

Readout at rank 1, alpha_read = 1: predictions are multiples of x1, r with y1 is 1, with y3 1/sqrt3,
and 0 with y2, whose prediction is constant: accuracy (1 + 0 + 1/sqrt3) / 3 = 0.52578...

Reference of two projectors, onto span(e1, e2) and span(e1): TargetRef = diag(1, 1/2, 0), weights
(1, 1/2, 0), consensus rank round(3/2) = 2, effective rank exp(2/3 ln 3/2 + 1/3 ln 3) = 1.88988...
Rank 1 covers the directions by DirCov = (3/4, 0, 1/4), so TopKCov = (3/4, (3/4)/(3/2), (3/4)/(3/2))
= (3/4, 1/2, 1/2), ProfileMean(3) = 7/12, FullRefCov = (3/4)/(3/2) = 1/2.
Rank 2: DirCov (3/4, 1, 1/4), TopKCov (3/4, 5/6, 5/6), ProfileMean(3) = 29/36, FullRefCov 5/6.

D_X = diag(1, sqrt(2/3)): the original-coordinate basis of rank 2 spans everything, BlockUse (1/2, 1/2)
for one-feature blocks; of rank 1 it is (1, 0), BlockUse (1, 0). Their overlap, as if of two folds, is
SourceStability 1 / sqrt(1 * 2).
"""

import numpy as np

X = np.array([[1, 1], [1, -1], [1, 0], [-1, 1], [-1, -1], [-1, 0]], dtype=np.float64)
N1 = np.array([1, 1, -2, 1, 1, -2], dtype=np.float64)
Y = np.column_stack([X[:, 0], 2 * X[:, 1] + 5, X[:, 0] + N1])
PROJECTORS = [np.diag([1.0, 1.0, 0.0]), np.diag([1.0, 0.0, 0.0])]

# Scores (k, alpha, fold) for two alphas and four folds, and the rule's choice by hand: the best mean is 0.52 (k = 3,
# alpha = 100) with folds 0.42, 0.52, 0.52, 0.62: sd sqrt(0.02 / 3), SE 0.0408; so the limit is 0.4792. k = 1 is below
# it; at k = 2 both alphas pass, and 0.50 > 0.49.
TABLE = [
    [[0.40, 0.40, 0.40, 0.40], [0.45, 0.46, 0.47, 0.46]],
    [[0.45, 0.50, 0.50, 0.51], [0.50, 0.48, 0.50, 0.52]],
    [[0.50, 0.50, 0.50, 0.52], [0.42, 0.52, 0.52, 0.62]],
]
TABLE_CHOICE = (2, 1)

# Equal means at the smallest rank, so the smaller alpha is chosen.
TIED_TABLE = [
    [[0.50, 0.30, 0.40, 0.40], [0.30, 0.50, 0.40, 0.40]],
    [[0.40, 0.40, 0.40, 0.40], [0.20, 0.20, 0.20, 0.20]],
]
TIED_CHOICE = (1, 0)
