"""Images that are not arrays: Pillow images and files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _neurogauge
from ._errors import DataError

# Modes whose values Pillow would clip when it converts them to 8 bits.
_DEEP_MODES = ("I", "F", "I;16", "I;16B", "I;16L", "I;16N")


def rgb(name: str, value: Any) -> list[npt.NDArray[np.uint8]] | None:
    """(height, width, 3) of each image: of Pillow's, the path of an image file, or a list of either; None for all else.

    A column of a data set of Hugging Face's counts as a list. Files are read as ``neurogauge score`` reads them. Grey
    is replicated and alpha dropped (convention `image-unit`).

    Raises:
        DataError: for a file that is no image, or an image of more than 8 bits.
    """
    ones = list(value) if _is_list(value) else [value]
    if not ones or not all(_is_path(one) or _is_pillow(one) for one in ones):
        return None
    paths = [place for place, one in enumerate(ones) if _is_path(one)]
    try:
        read = _neurogauge.read_images([os.fspath(ones[place]) for place in paths])
    except DataError as error:
        raise DataError(f"{name}: {error}") from error
    for place, image in zip(paths, read, strict=True):
        ones[place] = image
    return [_of_pillow(name, one) if _is_pillow(one) else one for one in ones]


def _is_list(value: Any) -> bool:
    """Is it a sequence, but neither a text nor an array?"""
    if isinstance(value, (str, bytes, Mapping)) or hasattr(value, "__array__") or hasattr(value, "__dlpack__"):
        return False
    return hasattr(value, "__len__") and hasattr(value, "__getitem__")


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def _is_pillow(value: Any) -> bool:
    return hasattr(value, "mode") and hasattr(value, "convert") and hasattr(value, "getbands")


def _of_pillow(name: str, image: Any) -> npt.NDArray[np.uint8]:
    if image.mode in _DEEP_MODES:
        raise DataError(
            f"{name}: an image of mode {image.mode!r}; expected 8 bits for each channel, as in modes L, P and RGB"
        )
    return np.asarray(image.convert("RGB"), dtype=np.uint8)
