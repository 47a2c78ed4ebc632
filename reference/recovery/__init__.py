"""Target-space recovery profiles, written out directly from the paper (arXiv:2605.20127v1).

Section numbers and appendices in docstrings are the paper's. Every matrix it names (W, C, the q x q matrices) is
computed literally, again for every rank and alpha; nothing is shared, cached or rearranged for speed, so that a line
can be compared with its equation. `recovery_goldens.py` lists decisions about what the paper leaves open.

Shapes: X (n_stimuli, n_features), Y (n_stimuli, n_voxels), bases (n_features or n_voxels, rank).
"""
