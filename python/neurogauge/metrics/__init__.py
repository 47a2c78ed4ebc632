"""Metrics of a stimulus and its reconstruction: arrays in, a :class:`~neurogauge.Result` out.

Each takes the stimuli first and the reconstructions second, entry i of both being pair i, and gives the numbers that
the command ``neurogauge score`` gives, to the bit.

Metrics of the command that are named after a model compare its features, which :func:`neurogauge.models.load` makes::

    model = ng.models.load("alexnet", preset="nsd8-mindeye2")
    rows = [model(images, layer="features.4") for images in (stimuli, reconstructions)]
    ng.metrics.two_way_identification(*rows)          # alexnet2
    ng.metrics.feature_correlation(*rows)             # alexnet2_correlation
    ng.metrics.two_way_identification(*rows, pool=model(others, layer="features.4"))  # alexnet2_pool

and so ``alexnet5`` of layer "features.11", ``inception`` of inception_v3's "avgpool" and ``clip`` of clip_vit_l_14's
"image_embeds"; :func:`effnet` is of efficientnet_b1's "avgpool" (effnet_official: with ``preset="nsd8-native"``, as
SEED's released code prepares images), :func:`swav` of swav_resnet50's "avgpool", and :func:`dreamsim` (dreamsim_dino,
dreamsim_clip, dreamsim_open_clip) of the "embedding" of DreamSim's networks.

:func:`n_way_accuracy` (n_way_accuracy_2, n_way_accuracy_10, n_way_accuracy_40, n_way_accuracy_50) is of the classes of
any classifier; the command uses vit_b_16's "heads.head", and for clips (video_n_way_accuracy_2,
video_n_way_accuracy_50) videomae_vit_b_16's "classifier". :func:`frame_consistency` (frame_consistency_all,
stimulus_frame_consistency, stimulus_frame_consistency_all) is of the embeddings of a clip's frames, by clip_vit_l_14's
"image_embeds".

:mod:`neurogauge.metrics.classes` has those of images and features as objects with ``update``, ``compute`` and
``reset``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _from_registry
from ._basic import basic
from ._basic_h import basic_h
from ._basic_l import basic_l, mask_ap, mask_iou
from ._cap_sim import cap_sim, embed
from ._captioning import bleu, cider, clip_s, meteor, rouge, rouge_l
from ._dreamsim import dreamsim
from ._feature_accuracy import pattern_correlation, profile_correlation
from ._feature_correlation import feature_correlation
from ._feature_distance import correlation_distance, effnet, swav
from ._frame_consistency import frame_consistency
from ._from_registry import *
from ._grounding import grounding_accuracy, grounding_iou
from ._identification import two_way_identification
from ._list import MetricInfo, MetricList, list
from ._lpips import lpips
from ._mask_matching_ratio import mask_matching_ratio
from ._n_way_accuracy import n_way_accuracy
from ._near_miss import snm
from ._objects import object_f1, object_precision, object_recall
from ._point_clouds import chamfer_distance, earth_movers_distance
from ._retrieval import Draws, RetrievalResult, retrieval
from ._seed import sdm, seed, seed_vlm
from ._set_distances import FrechetDistance, KernelDistance, SetDistances, set_distances
from ._text_recall import text_recall
from ._vlm_objects import object_f1_vlm
from ._vqa_score import vqa_score

if TYPE_CHECKING:
    from . import classes

__all__ = [
    "Draws",
    "FrechetDistance",
    "KernelDistance",
    "MetricInfo",
    "MetricList",
    "RetrievalResult",
    "SetDistances",
    "basic",
    "basic_h",
    "basic_l",
    "bleu",
    "cap_sim",
    "chamfer_distance",
    "cider",
    "classes",
    "clip_s",
    "correlation_distance",
    "dreamsim",
    "earth_movers_distance",
    "effnet",
    "embed",
    "feature_correlation",
    "frame_consistency",
    "grounding_accuracy",
    "grounding_iou",
    "list",
    "lpips",
    "mask_ap",
    "mask_iou",
    "mask_matching_ratio",
    "meteor",
    "n_way_accuracy",
    "object_f1",
    "object_f1_vlm",
    "object_precision",
    "object_recall",
    "pattern_correlation",
    "profile_correlation",
    "retrieval",
    "rouge",
    "rouge_l",
    "sdm",
    "seed",
    "seed_vlm",
    "set_distances",
    "snm",
    "swav",
    "text_recall",
    "two_way_identification",
    "vqa_score",
]
__all__ += _from_registry.__all__


def __getattr__(name: str) -> Any:
    # Its classes are torchmetrics' where that is installed, and neurogauge does not import PyTorch before it is needed.
    if name == "classes":
        import importlib

        return importlib.import_module(".classes", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
