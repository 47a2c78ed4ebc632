"""Target-space recovery profiles, written out directly from the paper (arXiv:2605.20127v1).

Section numbers and appendices in docstrings are the paper's. Every matrix it names (W, C, the q x q
matrices) is formed as it stands, for every rank and alpha anew; nothing is shared, cached or rearranged for speed,
so that a line can be held against its equation. What the paper leaves open is decided in the places
where it matters; `recovery_goldens.py` lists these decisions.

Shapes: X (n_stimuli, n_features), Y (n_stimuli, n_voxels), bases (n_features or n_voxels, rank).
"""
