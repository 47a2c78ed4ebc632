"""Features of double precision keep their values: beside an offset that single precision rounds away, NumPy's numbers
come out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import neurogauge as ng

N, WIDTH = 8, 6
OFFSET = 1e9
random = np.random.default_rng(5)
# In single precision, all values with the offset are equal.
GT = OFFSET + random.normal(size=(N, WIDTH))
RECON = GT + 0.5 * random.normal(size=(N, WIDTH))


def correlations() -> Any:
    return np.corrcoef(GT, RECON)[:N, N:]


def cosines(first: Any, second: Any) -> Any:
    """Cosines of centred rows, so that the offset does not hide differences."""
    return np.sum(first * second, axis=-1) / np.linalg.norm(first, axis=-1) / np.linalg.norm(second, axis=-1)


def identified() -> Any:
    r = correlations()
    return np.array([np.mean(np.delete(r[:, j], j) < r[j, j]) for j in range(N)])


def two_way_classes() -> Any:
    """For one right class: the share of other classes that are less probable."""
    right = np.argmax(GT, axis=1)
    return np.array([np.mean(np.delete(row, of) < row[of]) for row, of in zip(RECON, right, strict=True)])


CASES: dict[str, tuple[Callable[..., Any], Callable[[], Any]]] = {
    "correlation distance": (lambda a, b: ng.metrics.correlation_distance(a, b), lambda: 1 - np.diag(correlations())),
    "feature correlation": (lambda a, b: ng.metrics.feature_correlation(a, b), lambda: np.diag(correlations())),
    "identification": (lambda a, b: ng.metrics.two_way_identification(a, b), identified),
    "profile": (
        lambda a, b: ng.metrics.profile_correlation(a, b),
        lambda: np.array([np.corrcoef(GT[:, f], RECON[:, f])[0, 1] for f in range(WIDTH)]),
    ),
    "n way": (lambda a, b: ng.metrics.n_way_accuracy(a, b, n_way=2, right_classes=1), two_way_classes),
}


@pytest.mark.parametrize("name", CASES)
def test_values_beside_an_offset_are_those_of_numpy(name: str) -> None:
    compute, expected = CASES[name]
    np.testing.assert_allclose(compute(GT, RECON).per_pair, expected(), atol=1e-6)
    # A side in single precision does not reduce the other's precision.
    small = (GT - OFFSET).astype(np.float32)
    np.testing.assert_allclose(
        compute(small, RECON).per_pair, compute(small.astype(np.float64), RECON).per_pair, rtol=0, atol=0
    )


def test_embeddings_beyond_single_precision_have_their_cosine() -> None:
    images, captions = np.array([[3e100, 0.0]]), np.array([[3e60, 4e60]])
    assert ng.metrics.clip_s(images, captions).mean == pytest.approx(2.5 * 0.6)
    assert ng.cap_sim(images[:, None], captions).mean == pytest.approx(0.6)
    assert ng.metrics.frame_consistency([[[3e100, 0.0], [3e60, 4e60]]]).mean == pytest.approx(0.6)
    assert ng.metrics.retrieval(
        [[1e60, 0.0], [0.0, 1e60]], [[1e-60, 0.0], [1e-60, 2e-60]], candidates=2
    ).per_pair.tolist() == [1.0, 1.0]


def test_files_of_features_keep_their_precision(tmp_path: Path) -> None:
    for side, rows in (("gt", GT), ("recon", RECON)):
        folder = tmp_path / side / "features"
        folder.mkdir(parents=True)
        np.save(folder / "effnet.npy", rows)
        (folder / "ids.json").write_text(json.dumps([str(place) for place in range(N)]))
    run = ng.score(observations=tmp_path, metrics="effnet", progress=False)
    np.testing.assert_allclose(run["effnet"].per_pair, 1 - np.diag(correlations()), atol=1e-6)
