"""Converts any container of numbers to the arrays that the extension module reads.

Data in the right layout is not copied. These are copied: floats that are not 32 bits wide, byte orders of other
machines, unaligned values, and matrices whose rows are not contiguous.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _neurogauge, _pictures
from ._errors import DataError, NeurogaugeWarning, UsageError
from ._options import word

ImageArray = npt.NDArray[np.uint8] | npt.NDArray[np.float32]
Layout = Literal["auto", "NHWC", "NCHW"]
FloatScale = Literal["0..255", "-1..1", "clip", "as-they-are"]


def array(name: str, value: Any) -> npt.NDArray[Any]:
    """``value`` as a NumPy array: arrays unchanged, tensors by DLPack or ``__array__``, lists by conversion.

    Args:
        name: the argument's name, for messages.
        value: anything that NumPy or DLPack can read. Tensors that require a gradient are read without it.

    Raises:
        DataError: if it is not an array, or an array of objects, words or complex numbers.
    """
    try:
        # A torch tensor that requires a gradient cannot be read; its values are enough.
        detach = getattr(value, "detach", None)
        if callable(detach) and not isinstance(value, np.ndarray):
            value = detach()
            cpu = getattr(value, "cpu", None)
            value = cpu() if callable(cpu) else value
            # NumPy has no such type; 32 bits represent each of its numbers exactly.
            if str(getattr(value, "dtype", "")).endswith("bfloat16"):
                value = value.float()
        found = np.asarray(value)
        if found.dtype.name == "bfloat16":
            found = found.astype(np.float32)
        if found.dtype == object and not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__"):
            found = np.from_dlpack(value)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise DataError(f"{name}: not an array ({error})") from error
    if found.dtype.kind not in "fiub":
        raise DataError(f"{name}: {found.dtype} values; expected numbers")
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise DataError(f"{name}: some values are masked; fill them, with NaN where there is none")
    if not found.dtype.isnative:
        return found.astype(found.dtype.newbyteorder("="))
    return found if found.flags.aligned else found.copy()


def images(name: str, value: Any, layout: Layout = "auto") -> ImageArray:
    """Images as (n_images, height, width, 3), 8-bit or 32-bit floats; a view if possible.

    Args:
        name: the argument's name.
        value: as for :func:`pictures`, of one size. Grey is copied to three channels, and alpha is dropped where no pixel
            is transparent (convention `image-transparency`).
        layout: as for :func:`pictures`.

    Raises:
        DataError: for another shape or type, images of several sizes, or transparent pixels that hide colours.
        UsageError: for another layout.
    """
    found = pictures(name, value, layout)
    if isinstance(found, list):
        place = next(place for place, one in enumerate(found) if one.shape != found[0].shape)
        raise DataError(
            f"{name}[{place}]: shape {found[place].shape}, and {name}[0] has {found[0].shape}; an array holds images of one size: "
            "resize them, or give ng.score the list, whose images may differ"
        )
    if found.ndim != 4:
        raise DataError(f"{name}: shape {found.shape}; expected (n_images, height, width, 3), without axes of parts")
    if found.shape[3] == 4:
        levels: npt.NDArray[Any] = found
        if found.dtype != np.uint8:
            levels = (np.clip(found, 0, 1) * 255).round().astype(np.uint8)
        hiding = _neurogauge.n_hiding_colours(levels)
        if hiding:
            raise DataError(
                f"{name}: transparent pixels hide colours in {hiding} of {len(found)} images; expected opaque images: put floats on "
                "white with x[..., :3] * x[..., 3:] + 1 - x[..., 3:]"
            )
        return found[..., :3]
    grey: npt.NDArray[Any] = found
    return np.broadcast_to(grey, (*grey.shape[:3], 3)) if grey.shape[3] == 1 else found


def pictures(name: str, value: Any, layout: Layout = "auto") -> ImageArray | list[ImageArray]:
    """Images with their channels in the last axis, 8-bit or 32-bit floats; a list of them if their sizes differ.

    Args:
        name: the argument's name.
        value: (N, H, W, 3) or (N, 3, H, W), uint8 or floats nominally within [0, 1], grey pictures (N, H, W), (N, 1, H, W)
            or (N, H, W, 1), or (N, H, W, 4) with alpha, as files have them; with axes of parts after the first; one
            image without the first axis; a list of such images or batches, of Pillow images, or of paths of image files.
        layout: where the channels are; "auto" goes by the axis of length 3, and where both have it, arrays are
            taken as (N, H, W, 3) and torch tensors as (N, 3, H, W) (convention `image-unit`).

    Raises:
        DataError: for another shape or type.
        UsageError: for another layout.
    """
    if layout not in ("auto", "NHWC", "NCHW"):
        raise UsageError(f"layout is {layout!r}; expected 'auto', 'NHWC' or 'NCHW'")
    ones: Sequence[npt.NDArray[Any]] | None = _pictures.rgb(name, value)
    own = list(value) if isinstance(value, (list, tuple)) else [value]
    if ones is None and isinstance(value, (list, tuple)) and own and all(hasattr(one, "shape") for one in own):
        ones = [array(f"{name}[{place}]", one) for place, one in enumerate(own)]
    prefers_first = layout == "NCHW" or (layout == "auto" and all(_is_tensor(one) for one in own))

    def channels_last(name: str, found: npt.NDArray[Any]) -> ImageArray:
        # No pair is an answer, too.
        axis = _neurogauge.channel_axis(name, (*(n or 1 for n in found.shape[:1]), *found.shape[1:]), prefers_first)
        if layout != "auto" and axis not in ("none", {"NHWC": "last", "NCHW": "first"}[layout]):
            raise DataError(f"{name}: shape {found.shape} with layout {layout}, which has the channels elsewhere")
        if axis == "none":
            found = found[..., None]
        return np.moveaxis(_numbers(name, found), -3, -1) if axis == "first" else _numbers(name, found)

    if ones is None:
        found = array(name, value)
    elif ones[0].ndim == 4 and all(one.shape[1:] == ones[0].shape[1:] for one in ones):
        found = np.concatenate(ones)
    elif all(one.shape == ones[0].shape for one in ones):
        found = np.stack(ones)
    else:
        return [channels_last(f"{name}[{place}]", one[None])[0] for place, one in enumerate(ones)]
    if found.ndim == 3 and (found.shape[0] == 3 or found.shape[2] in (1, 3, 4)):
        found = found[None]
    return channels_last(name, found)


def _is_tensor(value: Any) -> bool:
    return not isinstance(value, np.ndarray) and hasattr(value, "detach")


def _numbers(name: str, found: npt.NDArray[Any]) -> ImageArray:
    """Pixels as 8-bit numbers or 32-bit floats.

    Raises:
        DataError: for other numbers, with what converts them.
    """
    if found.dtype == np.uint8:
        return found
    if found.dtype.kind != "f":
        raise DataError(
            f"{name}: {found.dtype} values; expected uint8, or floats between 0 and 1: {_conversion(name, found)}"
        )
    with np.errstate(over="ignore"):
        return found.astype(np.float32, copy=False)


def _conversion(name: str, found: npt.NDArray[Any]) -> str:
    """Turns integers or truth values into images."""
    if found.dtype == bool:
        return f"pass {name}.astype(numpy.float32), in which True is white"
    low, high = (int(found.min()), int(found.max())) if found.size else (0, 0)
    if 0 <= low and high <= 255:
        return f"its values are {low} to {high}, so pass {name}.astype(numpy.uint8)"
    if found.dtype == np.uint16:
        return f"its values are {low} to {high}; of images of 16 bits, pass {name} / 65535"
    return f"its values are {low} to {high}; scale them first"


def one_size(reference: ImageArray, reconstruction: ImageArray) -> None:
    """Checks that images have the same size on both sides, if nothing resizes them.

    Raises:
        DataError: if the sizes differ.
    """
    sizes = [f"{side.shape[2]} x {side.shape[1]} px" for side in (reference, reconstruction)]
    if sizes[0] != sizes[1]:
        raise DataError(
            f"reference has images of {sizes[0]} and reconstruction of {sizes[1]}, and pixel_size is None, which resizes nothing; "
            "give a pixel_size, such as 425, or resize one of them"
        )


def unit_images(
    name: str, value: Any, layout: Layout = "auto", values: FloatScale | None = None, stacklevel: int = 4
) -> ImageArray:
    """:func:`images` for a comparison or a model, with floats within 0 to 1.

    Args:
        name: the argument's name.
        value: as for :func:`images`.
        layout: as for :func:`images`.
        values: what floats outside 0 to 1 are.
        stacklevel: how many frames up the user's call is, for the warning.

    Raises:
        DataError: for values far outside 0 to 1, unless ``values`` says what they are (convention `image-unit`).
        UsageError: for an unknown scale.

    Warns:
        NeurogaugeWarning: for values slightly outside, which are used unchanged.
    """
    found = images(name, value, layout)
    outside = _neurogauge.out_of_range(found)
    if values is not None:
        scale = word("values", values, list(_TO_UNIT))
        return found if outside is None else _TO_UNIT[scale](found)
    if outside is not None:
        words, remedy, is_other_scale = outside
        if is_other_scale:
            raise DataError(f'{name}: {words}; {remedy}, or say what they are, such as values="as-they-are"')
        warnings.warn(
            f"{name}: {words}, which are compared as they are; {remedy}", NeurogaugeWarning, stacklevel=stacklevel
        )
    return found


_TO_UNIT: dict[str, Callable[[Any], Any]] = {
    "0..255": lambda found: found / np.float32(255),
    "-1..1": lambda found: (found + np.float32(1)) / np.float32(2),
    "clip": lambda found: np.clip(found, 0, 1),
    "as-they-are": lambda found: found,
}


Floats = npt.NDArray[np.float32] | npt.NDArray[np.float64]


def matrix(name: str, value: Any) -> Floats:
    """A matrix (n_rows, n_features) of floats, with contiguous rows: 32 bits if that is exact, otherwise 64.

    Axes after the first are flattened, such as (n, channels, height, width) of a layer.

    Raises:
        DataError: for fewer than two axes, or values that are not numbers.
    """
    found = array(name, value)
    if found.ndim < 2:
        raise DataError(f"{name}: shape {found.shape}; expected (n, n_features)")
    flat = found.reshape(found.shape[0], int(np.prod(found.shape[1:])))
    if flat.dtype in (np.float16, np.float32):
        return np.ascontiguousarray(flat, dtype=np.float32)
    return np.ascontiguousarray(flat, dtype=np.float64)


def rows_of_pairs(reference: Any, reconstruction: Any) -> tuple[Floats, Floats]:
    """Features of both sides, each a :func:`matrix`, row i of both being pair i.

    Raises:
        DataError: for another number of rows or of features on the two sides.
    """
    rows = matrix("reference", reference), matrix("reconstruction", reconstruction)
    if rows[0].shape != rows[1].shape:
        raise DataError(
            f"reference has shape {rows[0].shape} and reconstruction {rows[1].shape}; expected the same (n_pairs, n_features), row i "
            "of both for pair i"
        )
    return rows


def vector(name: str, value: Any) -> npt.NDArray[np.float64]:
    """A vector of 64-bit floats.

    Raises:
        DataError: for any other number of axes, or values that are not numbers.
    """
    found = array(name, value)
    if found.ndim != 1:
        raise DataError(f"{name}: shape {found.shape}; expected one axis")
    return np.ascontiguousarray(found, dtype=np.float64)


def texts(name: str, value: Sequence[str] | npt.NDArray[np.str_]) -> list[str]:
    """A list of texts.

    Raises:
        DataError: if an item is not a text, or if a single text was given instead of a list.
    """
    if isinstance(value, str):
        raise DataError(f"{name}: one text; expected a list with one for each pair")
    try:
        found = list(value)
    except TypeError as error:
        raise DataError(f"{name}: {type(value).__name__}; expected a list of texts") from error
    for index, text in enumerate(found):
        if not isinstance(text, str):
            raise DataError(f"{name}[{index}]: {type(text).__name__}; expected a text")
    return [str(text) for text in found]
