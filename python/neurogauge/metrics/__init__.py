"""Metrics of a stimulus and its reconstruction: arrays in, a :class:`~neurogauge.Result` out.

Each takes the stimuli first and the reconstructions second, entry i of both being pair i, and gives the numbers that
the command ``neurogauge score`` gives, to the bit.
"""

from __future__ import annotations

from ._captioning import bleu, cider, clip_s, rouge_l
from ._captions import cap_sim, embed
from ._composites import sdm, seed
from ._detections import object_f1, object_precision, object_recall, snm
from ._features import correlation_distance, effnet, feature_correlation, swav, two_way_identification
from ._masks import basic_l, mask_ap, mask_iou
from ._pixels import pixcorr, psnr, ssim
from ._scene_graphs import basic_h

__all__ = [
    "basic_h",
    "basic_l",
    "bleu",
    "cap_sim",
    "cider",
    "clip_s",
    "correlation_distance",
    "effnet",
    "embed",
    "feature_correlation",
    "mask_ap",
    "mask_iou",
    "object_f1",
    "object_precision",
    "object_recall",
    "pixcorr",
    "psnr",
    "rouge_l",
    "sdm",
    "seed",
    "snm",
    "ssim",
    "swav",
    "two_way_identification",
]
