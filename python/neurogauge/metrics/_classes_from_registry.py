"""Metrics of two images, written from the registry by ``make written``; not to be edited."""

from __future__ import annotations

from ._batched import OfPairs
from ._from_registry import hue_pcc, ms_ssim, pixcorr, psnr, ssim

__all__ = ["HuePcc", "MsSsim", "Pixcorr", "Psnr", "Ssim"]


class HuePcc(OfPairs):
    """:func:`~neurogauge.metrics.hue_pcc`, a batch at a time."""

    function = staticmethod(hue_pcc)


class MsSsim(OfPairs):
    """:func:`~neurogauge.metrics.ms_ssim`, a batch at a time."""

    function = staticmethod(ms_ssim)


class Pixcorr(OfPairs):
    """:func:`~neurogauge.metrics.pixcorr`, a batch at a time."""

    function = staticmethod(pixcorr)


class Psnr(OfPairs):
    """:func:`~neurogauge.metrics.psnr`, a batch at a time."""

    function = staticmethod(psnr)


class Ssim(OfPairs):
    """:func:`~neurogauge.metrics.ssim`, a batch at a time."""

    function = staticmethod(ssim)
