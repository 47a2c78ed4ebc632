"""What scikit-learn expects of an estimator, without scikit-learn."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._errors import DataError, UsageError

Matrix = npt.NDArray[np.float64]
Self = TypeVar("Self", bound="Estimator")


class Estimator:
    """Parameters are the constructor's arguments, kept as they were given; fitted attributes end in an underscore."""

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The constructor's arguments by name. ``deep`` changes nothing: no parameter is an estimator."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self: Self, **params: Any) -> Self:
        """Changes parameters by name.

        Raises:
            UsageError: for a name that is no parameter.
        """
        known = self._parameter_names()
        for name, value in params.items():
            if name not in known:
                raise UsageError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(known)}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if not _is_same(value, defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags  # type: ignore[import-not-found, import-untyped, unused-ignore]

        target = TargetTags(required=True, multi_output=True)
        return Tags(estimator_type=None, target_tags=target, input_tags=InputTags())

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_in_")

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise UsageError(f"this {type(self).__name__} is not fitted yet; call fit first")


def samples(name: str, value: Any, least: int = 1) -> Matrix:
    """A matrix (n_samples, n_features) of finite numbers, in double precision.

    Raises:
        DataError: for another shape, fewer samples than ``least``, or values that are not finite numbers.
    """
    if hasattr(value, "toarray"):
        raise DataError(f"{name}: a sparse matrix; convert it with {name}.toarray()")
    found = numbers(name, value)
    if found.ndim != 2:
        raise DataError(
            f"{name}: expected a 2D array (n_samples, n_features), got shape {found.shape}. Reshape your data: "
            f"{name}.reshape(-1, 1) if it has a single feature, {name}.reshape(1, -1) if it is a single sample"
        )
    if found.shape[1] == 0:
        raise DataError(f"{name}: 0 feature(s) (shape={found.shape}) while a minimum of 1 is required.")
    if found.shape[0] < least:
        raise DataError(f"{name}: n_samples={found.shape[0]}; expected at least {least}")
    return finite(name, found)


def numbers(name: str, value: Any) -> Matrix:
    """Any array of numbers in double precision, including numbers in an array of objects."""
    if isinstance(value, np.ndarray) and value.dtype == object:
        try:
            value = value.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise DataError(f"{name}: {error}") from error
    if np.iscomplexobj(value):
        raise DataError(f"{name}: Complex data not supported; give real and imaginary parts as features of their own")
    return np.ascontiguousarray(_arrays.array(name, value), dtype=np.float64)


def finite(name: str, values: Matrix) -> Matrix:
    """The same values, none of which may be NaN or infinite."""
    if not np.isfinite(values).all():
        place = tuple(int(i) for i in np.argwhere(~np.isfinite(values))[0])
        what = "NaN" if np.isnan(values[place]) else "infinity"
        n_rows = len(np.unique(np.argwhere(~np.isfinite(values))[:, 0]))
        raise DataError(
            f"{name}: Input contains {what} (first at {list(place)}), in {n_rows} of {len(values)} rows; leave such rows or columns out"
        )
    return values


def whole_numbers(name: str, value: Any, n: int, what: str) -> list[int]:
    """``n`` numbers from 0 upwards.

    Raises:
        DataError: for another count, or values that are not whole numbers.
    """
    found = _arrays.array(name, value)
    if found.shape != (n,):
        raise DataError(f"{name}: shape {found.shape}; expected ({n},), one number for each {what}")
    with np.errstate(invalid="ignore"):
        whole = found.astype(np.int64)
    if (whole != found).any() or (whole < 0).any():
        raise DataError(f"{name}: expected whole numbers, 0 or more")
    return [int(number) for number in whole]


def count(name: str, value: Any) -> int:
    """A whole number from 1 upwards.

    Raises:
        UsageError: for anything else.
    """
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise UsageError(f"{name} is {value!r}; expected a whole number, at least 1")
    return int(value)


def alphas(name: str, value: Sequence[float] | None, default: list[float]) -> list[float]:
    """Regularisations, as a list."""
    return default if value is None else [float(alpha) for alpha in value]


def _is_same(value: Any, default: Any) -> bool:
    try:
        return bool(value is default or value == default)
    except ValueError:
        return False
