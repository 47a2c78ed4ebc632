"""Errors, by whose fault they are. They match the command line's exit codes."""

from __future__ import annotations

from typing import ClassVar


class NeurogaugeError(Exception):
    """Anything that stops a call.

    ``exit_code`` is the exit code of the command ``neurogauge`` for the same reason.
    """

    exit_code: ClassVar[int] = 3


class DataError(NeurogaugeError, ValueError):
    """The data are at fault: arrays of the wrong type or shape, files that cannot be read, pairs that do not fit."""

    exit_code: ClassVar[int] = 1


class ModelError(DataError):
    """A model's weights are missing or broken, or it cannot process an image."""


class UsageError(NeurogaugeError, ValueError):
    """The call is at fault: an option out of range, a metric or a model that does not exist."""

    exit_code: ClassVar[int] = 2


class InternalError(NeurogaugeError, RuntimeError):
    """We are at fault. Please report it."""


class NeurogaugeWarning(UserWarning):
    """There is a result, but something about it should be known."""


class UndefinedWarning(NeurogaugeWarning):
    """There is no value, and NaN stands for it; the message gives the reason."""
