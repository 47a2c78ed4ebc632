"""The recovery profile of a source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import _arrays, _estimator, _neurogauge, _plots
from .._errors import DataError, UsageError
from . import curves, folds
from .target_reference import TargetReference

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["RecoveryProfile"]


class RecoveryProfile(_estimator.Estimator):
    """Which directions of a target reference the prediction from a source recovers.

    A ridge-regularised reduced-rank fit of the z-scored target on the z-scored source gives an orthonormal basis Q of
    the response patterns that are predicted (Section 2.1). Held against a reference with directions u and weights w,

        DirCov_j = |Q' u_j|^2,    TopKCov_k = sum_{j<=k} w_j DirCov_j / sum_{j<=k} w_j,    k = 1, 2, ...

    is the recovery profile (Section 2.3). Rank and alpha are selected by cross-validation: of all pairs within one
    standard error of the best mean correlation the smallest rank, then the highest mean, then the smallest alpha.

    Args:
        max_rank: the highest rank; fewer where features, targets or half the samples are fewer.
        alphas: candidate regularisations, ascending; None for 10, 100, ..., 10^6.
        readout_alphas: those of the readout that ``predict`` uses; None for 10^-6 to 10^6.
        rank: a fixed rank instead of a selected one (a control).
        n_inner_folds: folds of the cross-validation.
        n_prefixes: length of the profile; no longer than there are targets.
        k: up to which k ``score`` averages the profile.
        seed: of inner folds that are not given.

    Attributes:
        rank_: dimensions of the fit; fewer than ``selected_rank_`` where it has no more, 0 where nothing is predicted.
        selected_rank_, alpha_: chosen by cross-validation.
        cv_score_, best_cv_score_, standard_error_: mean validation r of the selected pair and of the best one, and
            the latter's standard error over folds.
        basis_: (n_targets, rank), Q.
        strengths_: (rank,), predictive strengths in descending order.
        effective_rank_: exp of the entropy of the strengths over their sum; NaN for rank 0.
        readout_alpha_: regularisation of the readout.
        mean_, scale_: (n_features,), by which features are z-scored.
        source_directions_: (n_features, rank), orthonormal directions of the z-scored features.
        coef_: (rank, n_targets), from source coordinates to responses.
        intercept_: (n_targets,).
        n_features_in_, n_targets_: numbers of features and of targets.
        profile_: (n_prefixes,), TopKCov of the reference last scored.
        directional_coverage_: DirCov of each of its directions.
        full_coverage_: TopKCov over all of them.

    Range: coverage is between 0 and 1, higher means more recovered. It has no zero floor: the basis lies in the
    target's own response space, so a source of noise recovers something; hold it against such a source.

    Undefined: a reference without directions (a target without variance): NaN, with a warning.

    Reference: ``reference/recovery/`` in NumPy, 1e-9; ``neurogauge align`` on the same folds to the bit.

    >>> rng = np.random.default_rng(0)
    >>> latents = rng.normal(size=(60, 2))
    >>> source = latents @ rng.normal(size=(2, 30)) + 0.1 * rng.normal(size=(60, 30))
    >>> target = latents @ rng.normal(size=(2, 8)) + 0.1 * rng.normal(size=(60, 8))
    >>> found = RecoveryProfile(rank=2).fit(source, target)
    >>> found.rank_, found.basis_.shape
    (2, (8, 2))
    """

    rank_: int
    selected_rank_: int
    alpha_: float
    cv_score_: float
    best_cv_score_: float
    standard_error_: float
    basis_: npt.NDArray[np.float64]
    strengths_: npt.NDArray[np.float64]
    effective_rank_: float
    readout_alpha_: float
    mean_: npt.NDArray[np.float64]
    scale_: npt.NDArray[np.float64]
    source_directions_: npt.NDArray[np.float64]
    coef_: npt.NDArray[np.float64]
    intercept_: npt.NDArray[np.float64]
    n_features_in_: int
    n_targets_: int
    profile_: npt.NDArray[np.float64]
    directional_coverage_: npt.NDArray[np.float64]
    full_coverage_: float

    def __init__(
        self,
        max_rank: int = 20,
        alphas: Sequence[float] | None = None,
        readout_alphas: Sequence[float] | None = None,
        rank: int | None = None,
        n_inner_folds: int = 5,
        n_prefixes: int = 20,
        k: int = 10,
        seed: int = 42,
    ) -> None:
        self.max_rank = max_rank
        self.alphas = alphas
        self.readout_alphas = readout_alphas
        self.rank = rank
        self.n_inner_folds = n_inner_folds
        self.n_prefixes = n_prefixes
        self.k = k
        self.seed = seed

    def fit(self, source: Any, target: Any, *, inner_folds: Any = None) -> RecoveryProfile:
        """Fits a source to a target.

        Args:
            source: (n_samples, n_features), features or another brain's responses to the training stimuli.
            target: (n_samples, n_targets), the target's responses to them, averaged over repeats; or (n_samples,).
            inner_folds: (n_samples,), the inner fold of each sample, from 0, instead of drawn ones.

        Raises:
            DataError: for values that are not finite, shapes that do not fit, fewer samples than inner folds.
            UsageError: for options out of range.
        """
        features = _estimator.samples("source", source, least=2)
        if target is None:
            raise DataError("fit requires y to be passed, but the target y is None")
        responses = _estimator.numbers("target", target)
        is_single = responses.ndim == 1
        responses = _estimator.samples("target", responses[:, None] if is_single else responses)
        n_samples = len(features)
        if len(responses) != n_samples:
            raise DataError(
                f"source has {n_samples} samples and target {len(responses)}; both must be of the same stimuli"
            )
        if inner_folds is None:
            inner_folds = folds.inner_folds(n_samples, self.n_inner_folds, self.seed)
        subspace_alphas, readout_alphas = _neurogauge.default_alphas()
        found = _neurogauge.fit_recovery(
            features,
            responses,
            _estimator.whole_numbers("inner_folds", inner_folds, n_samples, "sample"),
            _estimator.count("max_rank", self.max_rank),
            _estimator.alphas("alphas", self.alphas, subspace_alphas),
            _estimator.alphas("readout_alphas", self.readout_alphas, readout_alphas),
            None if self.rank is None else _estimator.count("rank", self.rank),
        )
        # The profile of an earlier fit does not belong to this one.
        for name in ("profile_", "directional_coverage_", "full_coverage_"):
            self.__dict__.pop(name, None)
        self._is_single = is_single
        vars(self).update({f"{name}_": value for name, value in found.items()})
        self.n_features_in_, self.n_targets_ = features.shape[1], responses.shape[1]
        return self

    def predict(self, source: Any) -> npt.NDArray[np.float64]:
        """The target's responses to other stimuli, (n_samples, n_targets), in the units of the training responses.

        ((x - mean_) / scale_) @ source_directions_ @ coef_ + intercept_: a ridge readout of the selected source
        coordinates, with a separate alpha. (n_samples,) where the target was that.

        Raises:
            DataError: for another number of features than in ``fit``, or values that are not finite.
            UsageError: before ``fit``.
        """
        self._check_fitted()
        features = _estimator.samples("source", source)
        if features.shape[1] != self.n_features_in_:
            raise DataError(
                f"X has {features.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input"
            )
        predicted = _neurogauge.predict(
            features, self.mean_, self.scale_, self.source_directions_, self.coef_, self.intercept_
        )
        return predicted[:, 0] if self._is_single else predicted

    def accuracy(self, source: Any, target: Any) -> float:
        """Mean over targets of Pearson's r between predicted and measured responses; constant ones count as 0.

        Args:
            source: (n_samples, n_features) of test stimuli.
            target: (n_samples, n_targets), the responses to them.

        Reference: the accuracy of ``neurogauge align`` on the same test set, to 1e-9.

        Raises:
            DataError: as ``predict``, and for a target of another shape.
        """
        predicted = self.predict(source)
        measured = _estimator.finite("target", _estimator.numbers("target", target))
        if measured.shape != predicted.shape:
            raise DataError(f"target: shape {measured.shape}; expected {predicted.shape}, as is predicted")
        return float(np.mean(_correlations(predicted, measured)))

    def score(self, reference: TargetReference) -> float:
        """ProfileMean(``k``) of the profile against a fitted reference; keeps the profile in ``profile_``.

        Raises:
            DataError: for a reference of another target.
            UsageError: before ``fit``, or for a reference that is not fitted.
        """
        self._check_fitted()
        if not hasattr(reference, "directions_"):
            raise UsageError("score takes a fitted TargetReference; for the accuracy of predictions call accuracy")
        coverage, reason = _neurogauge.recovery_profile(
            reference.weights_, reference.directions_, self.basis_, self.n_prefixes
        )
        if coverage is None:
            length = min(self.n_prefixes, self.n_targets_)
            self.directional_coverage_, self.full_coverage_ = np.empty(0), np.nan
            self.profile_ = np.full(length, np.nan)
            return curves.undefined("the recovery profile", reason, stacklevel=3)
        self.directional_coverage_, self.profile_, self.full_coverage_ = coverage
        return curves.profile_mean(self.profile_, self.k)

    def plot(self, null: Any = None, label: str = "TopKCov", ax: Axes | None = None) -> Axes:
        """The profile that ``score`` kept, and the null as a band: mean ± SD over its curves. Needs matplotlib.

        Args:
            null: (n_draws, n_prefixes), profiles of sources that know nothing, such as this one with permuted stimuli.
            label: name of the curve, so that several can be drawn on the same axes.
            ax: where to draw; a new figure if not given.

        Returns:
            The axes.

        Raises:
            UsageError: before ``score``.
            DataError: for a null of another length.

        Example:
            >>> rng = np.random.default_rng(0)
            >>> ids, target = np.repeat(np.arange(40), 2), rng.normal(size=(40, 6))
            >>> trials = target[ids] + 0.1 * rng.normal(size=(80, 6))
            >>> reference = TargetReference(n_splits=2, progress=False).fit(trials, ids)
            >>> found = RecoveryProfile(rank=2).fit(target + rng.normal(size=(40, 6)), target)
            >>> _ = found.score(reference)
            >>> found.plot().get_xlabel()
            'k, leading directions of the reference'
        """
        if not hasattr(self, "profile_"):
            raise UsageError(f"this {type(self).__name__} has no profile yet; call score first")
        axes = _plots.axes(ax, height=3.4)
        place = len(axes.get_lines())
        if null is not None:
            draws = np.atleast_2d(np.asarray(_arrays.array("null", null), dtype=np.float64))
            if draws.ndim != 2 or draws.shape[1] != len(self.profile_):
                raise DataError(f"null: shape {draws.shape}; expected (n_draws, {len(self.profile_)})")
            _plots.band(axes, draws, "null" if label == "TopKCov" else f"null of {label}", place)
        _plots.curve(axes, self.profile_, label, place)
        _plots.profile_axes(axes)
        return axes


def _correlations(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Pearson's r of each column; 0 if one of the two is constant."""
    x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    norms = np.sqrt((x * x).sum(axis=0) * (y * y).sum(axis=0))
    is_constant = (np.ptp(x, axis=0) == 0) | (np.ptp(y, axis=0) == 0) | (norms == 0)
    return np.asarray(np.where(is_constant, 0.0, (x * y).sum(axis=0) / np.where(is_constant, 1.0, norms)))
