"""Pretrained image models, which compute features of images."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _arrays, _neurogauge
from ._errors import DataError, UsageError
from ._options import as_json, folder
from ._progress import Progress

Pooling = Literal["none", "mean", "mean-without-class-token", "class-token"]
Preset = Literal["published", "nsd8-mindeye2", "nsd8-native", "timm", "brain-diffuser"]
Path = str | os.PathLike[str]

__all__ = ["ImageModel", "available", "load"]


def available() -> list[str]:
    """Ids of the models that :func:`load` knows.

    >>> "efficientnet_b1" in available()
    True
    """
    return _neurogauge.image_model_ids()


def load(
    name: str,
    *,
    seed: int | None = None,
    weights: Path | None = None,
    checkpoint: Path | None = None,
    preset: Preset = "published",
    antialias: bool | None = None,
    device: str = "cpu",
    download: bool = False,
    progress: bool = True,
) -> ImageModel:
    """Reads a model into memory.

    Args:
        name: an id of :func:`available`; ``placeholder`` needs no weights, and its numbers mean nothing.
        seed: random weights instead of trained ones, as ``torch.manual_seed(seed)`` and torchvision's constructor
            make them: ``load("resnet50", seed=42)`` is ``load("resnet50-untrained-42")``.
        weights: a folder with the weights, or with a folder ``name`` of them.
        checkpoint: a file of weights of your own for this network (torchvision's, timm's or transformers').
        preset: how images are prepared: as the model's authors publish it, or as in the NSD metrics
            (convention `image-presets`).
        antialias: smooth before shrinking; None for as the preset has it.
        device: "cpu", "cpu-f64", "cuda", "cuda:N", "metal" or "metal:N".
        download: download weights that are missing; without it, they are an error that says their size.
        progress: whether tqdm, if it is installed, shows a download.

    Raises:
        ModelError: weights that are missing (the message says how to get them), cut short, or of another network.
        UsageError: an unknown model, preset or device; a seed beside weights.

    Reference: the command ``neurogauge perceive``, to the bit.

    >>> model = load("placeholder")
    >>> model(np.zeros((2, 32, 32, 3), np.uint8), layer="grid4").shape
    (2, 48)
    """
    if seed is not None:
        if weights is not None or checkpoint is not None:
            raise UsageError("seed stands for random weights; leave weights and checkpoint out, or the seed")
        name = f"{name}-untrained-{seed}"
    found = _neurogauge.load_image_model(
        name, folder(weights), folder(checkpoint), preset, antialias, device, Progress(progress, download)
    )
    return ImageModel(found)


class ImageModel:
    """A model in memory, made by :func:`load`; call it with images.

    Attributes:
        name: its id, with ``-custom`` behind it where the weights are your own.
        revision, sha256: which weights these are; empty where there are none.
        stand_in: True if it only stands in for a model, so that its numbers mean nothing.
        layers: the layers that can be asked for, in the order of the forward pass, under the reference library's names.
    """

    def __init__(self, loaded: _neurogauge.LoadedModel) -> None:
        self._loaded = loaded
        self.name, self.revision, self.sha256 = loaded.identity
        self.stand_in: bool = loaded.stand_in
        self.layers: list[str] = loaded.layers

    def __repr__(self) -> str:
        return f"<{self.name}, {len(self.layers)} layers{', a placeholder' if self.stand_in else ''}>"

    def __call__(
        self,
        images: Any,
        layer: str | None = None,
        *,
        pooling: Pooling = "none",
        layout: _arrays.Layout = "auto",
        values: _arrays.FloatScale | None = None,
        alpha: Literal["white", "black", "as-stored"] | None = None,
        progress: bool = True,
    ) -> npt.NDArray[np.float32]:
        """Features of images, one row for each.

        Args:
            images: (n_images, height, width, 3) or (n_images, 3, height, width), uint8 or floats between 0 and 1; a
                path of a folder of images, an ``.npy`` stack or a ``.pt`` file; or a list of paths of image files.
            layer: which; the last one if not given.
            pooling: over the positions of the layer (places of a map, tokens): all of them one after the other, their
                mean with or without the class token, or the class token alone.
            layout: where the channels are, if the shape does not say.
            values, alpha: what floats outside 0 to 1 are, and what transparent pixels of files lie on, as for
                :func:`neurogauge.score`.
            progress: whether tqdm, if it is installed, shows the images.

        Returns:
            (n_images, n_features), 32-bit floats, positions in the order of the reference library's tensor. The row
            of an image does not depend on the others.

        Raises:
            DataError: arrays of another shape or type, files that cannot be read, floats far outside 0 to 1 and hidden
                colours without ``values`` or ``alpha``, images of which the model makes features of different lengths,
                or that are not finite.
            ModelError: an image that the model cannot take.
            UsageError: an unknown layer or pooling.
        """
        reading = as_json({"values": values, "alpha": alpha})
        return self._loaded.features(_pictures(images, layout, values), layer, pooling, reading, Progress(progress))

    def recipe(self, layer: str | None = None, pooling: Pooling = "none") -> dict[str, Any]:
        """Everything that determines the features of a layer except the images: weights, preprocessing, layer, device.

        ``neurogauge perceive`` writes it beside a matrix.
        """
        found: dict[str, Any] = json.loads(self._loaded.recipe(layer, pooling))
        return found


def _pictures(images: Any, layout: _arrays.Layout, values: _arrays.FloatScale | None) -> Any:
    if isinstance(images, (str, os.PathLike)):
        return os.fspath(images)
    if isinstance(images, Sequence) and images and all(isinstance(one, (str, os.PathLike)) for one in images):
        return [os.fspath(one) for one in images]
    found = _arrays.unit_images("images", images, layout, values)
    if not len(found):
        raise DataError("images: none; a model needs at least one")
    return found
