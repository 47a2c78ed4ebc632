"""Tests what is reported about images before they are scored, and stems that differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import neurogauge as ng


def save(folder: Path, stems: list[str], images: Any) -> Path:
    """A folder with a file for each image."""
    folder.mkdir()
    for stem, image in zip(stems, images, strict=True):
        Image.fromarray(image).save(folder / f"{stem}.bmp")
    return folder


def test_parts_are_scored_and_items_summed_up(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    stimuli = rng.integers(0, 256, (4, 16, 16, 3), dtype=np.uint8)
    samples = rng.integers(0, 256, (4, 3, 16, 16, 3), dtype=np.uint8)
    assert ng.check(stimuli, samples[:, 0], progress=False).n_items == 4
    checked = ng.check(stimuli, samples, parts="sample", progress=False)
    assert (checked.n_pairs, checked.n_items) == (12, 4)
    options: ng.ScoreOptions = {"metrics": "pixcorr", "set": {"pixel_size": 16}, "parts": "sample"}
    run = ng.score(stimuli, samples, out=tmp_path / "run", progress=False, **options)
    alone = [ng.pixcorr(stimuli, samples[:, sample], pixel_size=16).per_pair for sample in range(3)]
    assert run.pairs == ("0", "1", "2", "3") and run.record["n_pairs"] == 12
    np.testing.assert_allclose(run["pixcorr"].per_pair, np.mean(alone, axis=0), rtol=0, atol=1e-12)
    options["set"] = {"pixel_size": 16, "samples": "best:3"}
    best = ng.score(stimuli, samples, out=tmp_path / "best", progress=False, **options)
    np.testing.assert_allclose(best["pixcorr"].per_pair, np.max(alone, axis=0), rtol=0, atol=1e-12)


def test_samples_of_several_frames_are_scored() -> None:
    rng = np.random.default_rng(5)
    clips = rng.integers(0, 256, (6, 2, 16, 16, 3), dtype=np.uint8)
    samples = rng.integers(0, 256, (6, 3, 2, 16, 16, 3), dtype=np.uint8)
    parts = "{item}/{sample}/{frame}"
    run = ng.score(clips, samples, metrics="pixcorr", parts=parts, set={"pixel_size": 16}, progress=False)
    table = run.parts_to_pandas()["pixcorr"]
    assert table.index.names == ["item", "sample", "frame"]
    of_each = [
        ng.pixcorr(clips[:, frame], samples[:, sample, frame], pixel_size=16).per_pair
        for sample in range(3)
        for frame in range(2)
    ]
    np.testing.assert_allclose(table.to_numpy().reshape(6, 6), np.stack(of_each, axis=1), rtol=0, atol=1e-12)
    np.testing.assert_allclose(run.to_pandas()["pixcorr"], np.mean(of_each, axis=0), rtol=0, atol=1e-12)


def test_clips_are_scored_shown_and_rated(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    clips = rng.integers(0, 256, (5, 4, 16, 16, 3), dtype=np.uint8)
    decoded = rng.integers(0, 256, (5, 6, 16, 16, 3), dtype=np.uint8)
    with pytest.warns(ng.NeurogaugeWarning, match="each of them counts as an item"):
        frames_alone = ng.score(clips, clips, metrics="pixcorr", set={"pixel_size": 16}, progress=False)
    assert len(frames_alone.pairs) == 20
    with pytest.raises(ng.UsageError, match="one image each"):
        frames_alone.parts_to_pandas()
    run = ng.score(
        clips,
        decoded,
        metrics="pixcorr,ssim",
        parts="frame",
        set={"pixel_size": 16},
        out=tmp_path / "run",
        progress=False,
    )
    assert repr(run) == "<run run: 5 items, pixcorr, ssim>"
    for read in (run, ng.load_run(tmp_path / "run")):
        frames = read.parts_to_pandas()
        assert frames.index.names == ["item", "frame"] and frames.shape == (20, 2)
        means = frames.groupby(level="item", sort=False).mean()
        np.testing.assert_allclose(means.to_numpy(), read.to_pandas().to_numpy(), rtol=0, atol=1e-12)
    # Each frame is beside the one that the reconstruction shows at the same time.
    nearest = decoded[:, [0, 2, 3, 5]].reshape(20, 16, 16, 3)
    alone = ng.pixcorr(clips.reshape(20, 16, 16, 3), nearest, pixel_size=16).per_pair
    np.testing.assert_allclose(frames["pixcorr"], alone, rtol=0, atol=1e-12)
    page = ng.report(run, out=tmp_path / "page.html", progress=False)
    assert page.stat().st_size > 100_000
    assert ng.gallery({"decoded": run}, pick="best", metric="ssim", out=tmp_path / "figure.png").exists()
    np.save(tmp_path / "clips.npy", clips)
    np.save(tmp_path / "decoded.npy", decoded)
    made = ng.survey.make(
        tmp_path / "clips.npy",
        {"decoded": tmp_path / "decoded.npy"},
        parts="frame",
        clip_frames=2,
        clip_seconds=1.0,
        raters=1,
        out=tmp_path / "survey",
        progress=False,
    )
    assert '"ms":[500,500]' in (made / "pages" / "p1.html").read_text(encoding="utf-8")


def test_a_check_says_what_the_command_says(stimuli: Any, reconstructions: Any) -> None:
    found = ng.check(stimuli, reconstructions, progress=False)
    assert found.ok and found.n_pairs == 6
    codes = [finding.code for finding in found.findings]
    assert codes == ["repeated_images", "constant_images", "taken_for"]
    constant = found.findings[1]
    assert (constant.severity, constant.subject) == ("warning", "recon images")
    assert str(constant) in repr(found) and "<check of 6 pairs>" in repr(found)
    summary = found.to_dict()
    assert summary["gt"]["sizes_px"] == [[[32, 24], 6]] and summary["recon"]["n_constant"] == 2
    fine = ng.check(stimuli[:3], reconstructions[:3], progress=False)
    assert [finding.severity for finding in fine.findings] == ["read"] and "no problems found" in repr(fine)


def test_a_finding_in_words_has_all_of_it() -> None:
    finding = ng.Finding(
        "warning", "box_units", "boxes", "taken as pixels", "the largest is 412", "shares", "say which"
    )
    assert str(finding) == "warning: boxes: taken as pixels (the largest is 412); they could also be shares; say which"


def test_problems_are_findings_and_no_exceptions(stimuli: Any) -> None:
    found = ng.check(stimuli, stimuli[:4, :, :20], progress=False)
    assert not found.ok and {f.code for f in found.findings if f.severity == "problem"} == {"stems", "shapes_differ"}
    assert "scores the 4 on both sides" in found.findings[0].advice
    with pytest.raises(ng.DataError, match="not found"):
        ng.check("nowhere", stimuli, progress=False)
    with pytest.raises(ng.UsageError, match="recon"):
        ng.check(stimuli, stimuli, match="recon", progress=False)
    with pytest.raises(ng.UsageError, match="frames=.*is about the parts of items"):
        ng.check(stimuli, stimuli, set={"frames": "middle"}, progress=False)
    with pytest.raises(ng.UsageError, match="on_missing=.*is about the parts of items"):
        ng.check(stimuli, stimuli, set={"on_missing": "skip"}, progress=False)


def test_stems_pair_as_they_are_told_to(tmp_path: Path, stimuli: Any, reconstructions: Any) -> None:
    options: dict[str, Any] = {"metrics": "pixcorr", "set": {"pixel_size": 24}, "progress": False}
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


def test_a_common_mistake_is_explained():
    rng = np.random.default_rng(0)
    stimuli = np.kron(rng.random((10, 4, 4, 3)), np.ones((1, 8, 8, 1)))
    decoded = 0.7 * stimuli + 0.3 * rng.random(stimuli.shape)
    found = ng.check(stimuli, decoded[..., ::-1], explain=["pixcorr"], progress=False)
    assert found.explanation is not None
    as_it_is, *others = found.explanation["suppositions"]
    shown = [other for other in others if other["shown"] is not None]
    assert as_it_is["mistakes"] == [] and ["(BGR)" in one["mistakes"][0] for one in shown] == [True]
    # Undone, PixCorr is that of the reconstructions in RGB.
    right = ng.metrics.pixcorr(stimuli, decoded)
    assert shown[0]["values"][0][0] == pytest.approx(right.mean, abs=1e-5)
    assert ng.check(stimuli, decoded, progress=False).explanation is None
    models = {"image_models": "placeholder"}
    told = ng.check(stimuli, decoded, explain=["effnet=0.4"], set=models, progress=False).explanation
    assert told is not None and told["metrics"] == [{"id": "effnet", "published": 0.4}]
    assert 0 < told["suppositions"][0]["values"][0][0] < 1
    with pytest.raises(ng.UsageError, match="expected the id of a metric"):
        ng.check(stimuli, decoded, explain=["clips"], progress=False)
