"""Images that are looked at before they are scored, and stems that are not the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import neurogauge as ng


def save(folder: Path, stems: list[str], images: Any) -> Path:
    """A folder with a file for each image."""
    folder.mkdir()
    for stem, image in zip(stems, images, strict=True):
        (folder / f"{stem}.bmp").write_bytes(bmp(image))
    return folder


def bmp(image: Any) -> bytes:
    """An image of bytes as an uncompressed file, rows from below, padded to 4 bytes."""
    height, width, _ = image.shape
    rows = np.zeros((height, (3 * width + 3) // 4 * 4), np.uint8)
    rows[:, : 3 * width] = image[::-1, :, ::-1].reshape(height, -1)
    header = np.array([40, width, height, 1 | 24 << 16, 0, rows.size, 2835, 2835, 0, 0], "<u4").tobytes()
    return b"BM" + np.array([54 + rows.size, 0, 54], "<u4").tobytes() + header + rows.tobytes()


def test_parts_are_scored_and_items_summed_up(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    stimuli = rng.integers(0, 256, (4, 16, 16, 3), dtype=np.uint8)
    samples = rng.integers(0, 256, (4, 3, 16, 16, 3), dtype=np.uint8)
    assert ng.check(stimuli, samples[:, 0], progress=False).n_items == 4
    checked = ng.check(stimuli, samples, parts="sample", progress=False)
    assert (checked.n_pairs, checked.n_items) == (12, 4)
    options: ng.ScoreOptions = {"metrics": "pixcorr", "pixel_size": 16, "parts": "sample"}
    run = ng.score(stimuli, samples, out=tmp_path / "run", progress=False, **options)
    alone = [ng.pixcorr(stimuli, samples[:, sample], pixel_size=16).per_pair for sample in range(3)]
    assert run.pairs == ("0", "1", "2", "3") and run.record["n_pairs"] == 12
    np.testing.assert_allclose(run["pixcorr"].per_pair, np.mean(alone, axis=0), rtol=0, atol=1e-12)
    best = ng.score(stimuli, samples, out=tmp_path / "best", progress=False, samples="best:3", **options)
    np.testing.assert_allclose(best["pixcorr"].per_pair, np.max(alone, axis=0), rtol=0, atol=1e-12)


def test_a_check_says_what_the_command_says(stimuli: Any, reconstructions: Any) -> None:
    found = ng.check(stimuli, reconstructions, progress=False)
    assert found.ok and found.n_pairs == 6
    codes = [finding.code for finding in found.findings]
    assert codes == ["repeated_images", "constant_images"]
    constant = found.findings[1]
    assert (constant.severity, constant.subject) == ("warning", "recon images")
    assert str(constant) in repr(found) and "<check of 6 pairs>" in repr(found)
    summary = found.to_dict()
    assert summary["gt"]["sizes_px"] == [[[32, 24], 6]] and summary["recon"]["n_constant"] == 2
    assert ng.check(stimuli[:3], reconstructions[:3], progress=False).findings == ()


def test_problems_are_findings_and_no_exceptions(stimuli: Any) -> None:
    found = ng.check(stimuli, stimuli[:4, :, :20], progress=False)
    assert not found.ok and {f.code for f in found.findings if f.severity == "problem"} == {"stems", "shapes_differ"}
    assert "scores the 4 on both sides" in found.findings[0].advice
    with pytest.raises(ng.DataError, match="not found"):
        ng.check("nowhere", stimuli, progress=False)
    with pytest.raises(ng.UsageError, match="recon"):
        ng.check(stimuli, stimuli, match="recon", progress=False)


def test_stems_pair_as_they_are_told_to(tmp_path: Path, stimuli: Any, reconstructions: Any) -> None:
    options: dict[str, Any] = {"metrics": "pixcorr", "pixel_size": 24, "progress": False}
    gt = save(tmp_path / "gt", ["0", "1", "2"], stimuli[:3])
    recon = save(tmp_path / "recon", ["000_r", "001_r"], reconstructions[:2])
    with pytest.raises(ng.DataError, match=r'recon "000_r"; .*\{number\}_r. pairs 2'):
        ng.score(gt, recon, **options)
    with pytest.warns(ng.NeurogaugeWarning, match="are left out: 2"):
        run = ng.score(gt, recon, pairs="shared", match="{number}_r", **options)
    assert run.pairs == ("0", "1") and any("are left out: 2" in warning for warning in run.warnings)
    expected = ng.pixcorr(stimuli[:2], reconstructions[:2], pixel_size=24)
    np.testing.assert_array_equal(run["pixcorr"].per_pair, expected.per_pair)
    assert ng.check(gt, recon, pairs="shared", match="{number}_r", progress=False).ok
    with pytest.raises(ng.UsageError, match="such as {stem}_recon"):
        ng.score(gt, recon, match="{stem}{stem}", **options)
