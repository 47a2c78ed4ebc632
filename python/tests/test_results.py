"""Representations of results, runs and comparisons."""

from __future__ import annotations

import gc
import json
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import neurogauge as ng
from neurogauge import _progress


def test_a_result_is_pandas_latex_and_html(stimuli: Any, reconstructions: Any) -> None:
    found = ng.pixcorr(stimuli, reconstructions, pixel_size=None)
    table = found.to_pandas()
    np.testing.assert_array_equal(table["pixcorr"].to_numpy(), found.per_pair)
    assert (
        table["undefined"].tolist()[3:] == [None, *["constant reconstruction"] * 2]
        or table["undefined"].isna().sum() == 4
    )
    assert (found.n, found.n_undefined, found.direction) == (4, 2, "higher")
    assert found.mean == pytest.approx(np.nanmean(found.per_pair), abs=1e-15)
    low, high = found.interval or (np.nan, np.nan)
    assert low <= found.mean <= high
    for text in (found.to_latex("mine"), found.to_markdown("mine"), found._repr_html_()):
        assert f"{found.mean:.3f}" in text and "PixCorr" in text
    assert r"\toprule" in found.to_latex()
    assert r"$\pm$" in found.to_latex(style="pm") and r"\scriptsize" not in found.to_latex(style="none")
    assert "S[table-format=1.3]" in found.to_latex(siunitx=True)
    with pytest.raises(ValueError, match="expected intervals, pm or none"):
        found.to_latex(style="sd")  # type: ignore[arg-type]
    assert repr(found) == f"<PixCorr ↑: {found.mean:.3f} [{low:.3f}, {high:.3f}], 4 pairs, 2 undefined>"
    assert found._repr_html_().endswith("<p>95% interval for new stimuli</p>")
    rows = np.random.default_rng(0).random((8, 4))
    assert ng.two_way_identification(rows, rows**2).population == "new stimuli and new distractors"
    assert ng.two_way_identification(rows, rows**2, pool=rows[:4] + 1).population == "new stimuli, this pool"
    assert np.asarray(found).shape == (6,) and float(found) == found.mean
    with pytest.raises(ValueError, match="read-only"):
        found.per_pair[0] = 1.0


def test_a_metric_that_a_run_does_not_have_is_said_with_the_one_that_was_meant(
    stimuli: Any, reconstructions: Any
) -> None:
    run = ng.score(stimuli, reconstructions, metrics="pixcorr,ssim", progress=False)
    with pytest.raises(KeyError) as raised:
        run["ssmi"]
    # The text of a plain KeyError would be quoted.
    assert str(raised.value) == "the run has no 'ssmi'; it has pixcorr, ssim; did you mean 'ssim'?"
    with pytest.raises(KeyError, match="the run has no 'vqa_score'; it has pixcorr, ssim$"):
        run["vqa_score"]
    assert "ssmi" not in run and run.get("ssmi") is None and "ssim" in run


def test_runs_are_mappings(tmp_path: Path, stimuli: Any, reconstructions: Any) -> None:
    options: dict[str, Any] = {"metrics": "pixcorr,ssim", "set": {"pixel_size": 24}, "progress": False}
    run = ng.score(stimuli, reconstructions, out=tmp_path / "mine", **options)
    assert run.path == tmp_path / "mine" and run.record["n_pairs"] == 6
    assert run.pairs == ("0", "1", "2", "3", "4", "5") and "ssim" in run
    assert list(run.to_pandas().columns) == ["pixcorr", "ssim"]
    assert "PixCorr" in str(run) and run._repr_html_().count("<tr>") == 3
    assert "<p>95% intervals for new stimuli (studentised bootstrap over pairs" in run._repr_html_()
    again = ng.load_run(tmp_path / "mine")
    for style in ("intervals", "pm", "none"):
        assert again.to_latex(style=style, siunitx=True) == run.to_latex(style=style, siunitx=True) != run.to_latex()
    assert again.to_latex() == run.to_latex() and again.record == run.record

    ng.score(stimuli, stimuli, out=tmp_path / "perfect", **options)
    options["set"] = {"pixel_size": 16}
    with pytest.raises(ng.DataError, match=r"options\.options\.pixels\.size_px: 24 then, 16 now"):
        ng.score(stimuli, reconstructions, out=tmp_path / "mine", **options)
    ng.score(stimuli, reconstructions, out=tmp_path / "mine", **options, overwrite=True)
    ng.score(stimuli, stimuli, out=tmp_path / "perfect", **options, overwrite=True)
    found = ng.compare([tmp_path / "mine", tmp_path / "perfect"], resamples=200)
    assert found.systems == ("mine", "perfect") and found.means["ssim"][1] == pytest.approx(1.0)
    assert found.ranks["ssim"] == (2.0, 1.0)
    assert {difference["metric"] for difference in found.differences} == {"pixcorr", "ssim"}
    assert list(found.to_pandas().index) == ["mine", "perfect"]
    with pytest.raises(ng.UsageError, match="at least two"):
        ng.compare([tmp_path / "mine"])
    with pytest.raises(ng.DataError, match=r"run\.json"):
        ng.load_run(tmp_path)


def test_runs_in_memory_are_compared_by_names(tmp_path: Path, stimuli: Any, reconstructions: Any) -> None:
    options: dict[str, Any] = {"metrics": "pixcorr,ssim", "set": {"pixel_size": 24}, "progress": False}
    mine = ng.score(stimuli, reconstructions, **options)
    other = ng.score(stimuli, stimuli[:, ::-1], **options)
    kept = ng.score(stimuli, reconstructions, out=tmp_path / "kept", **options)
    assert mine.path is None and mine._ipython_key_completions_() == ["pixcorr", "ssim"]
    named = ng.compare({"A": mine, "B": other}, resamples=200, seed=3)
    assert named.systems == ("A", "B") and "| A " in named.to_markdown()
    assert ng.compare(A=mine, B=other, resamples=200, seed=3).to_dict() == named.to_dict()
    assert ng.compare([mine, other]).systems == ("run 1", "run 2")
    assert ng.compare([kept, other]).systems == ("kept", "run 2")
    mixed = ng.compare(A=tmp_path / "kept", B=other, resamples=200, seed=3)
    assert mixed.differences == named.differences
    with pytest.raises(ng.UsageError, match="given twice"):
        ng.compare(A=mine, B=mine)
    with pytest.raises(TypeError, match=r"compare\(\) got levels=0\.8; expected a run"):
        ng.compare([mine, other], levels=0.8)  # type: ignore[arg-type]
    joined = mine.with_results(ng.register_metric("rated").of(range(6)))
    folder = mine._folder
    del mine, named
    gc.collect()
    assert ng.compare(A=joined, B=other).systems == ("A", "B")
    del joined
    gc.collect()
    assert not folder.exists() and not folder.parent.exists()


def test_arrays_of_unequal_length_are_counted(tmp_path: Path, stimuli: Any, reconstructions: Any) -> None:
    options: dict[str, Any] = {"metrics": "pixcorr", "set": {"pixel_size": 24}, "progress": False}
    for out in (None, tmp_path / "run"):
        with pytest.raises(ng.DataError, match=r"^6 stimuli, 5 reconstructions: entry i of both arrays is pair i"):
            ng.score(stimuli, reconstructions[:5], out=out, **options)
    assert not list(tmp_path.iterdir())
    assert len(ng.score(stimuli, reconstructions[:5], pairs="shared", **options).pairs) == 5
    with pytest.raises(ng.DataError) as raised:
        ng.score(stimuli, tmp_path, **options)
    assert ".npy" not in str(raised.value)


def test_arrays_of_a_finished_run_stay_as_they_are(tmp_path: Path, stimuli: Any, reconstructions: Any) -> None:
    options: dict[str, Any] = {"metrics": "pixcorr", "set": {"pixel_size": 24}, "progress": False}
    run, arrays = tmp_path / "run", tmp_path / "run.arrays"

    def content() -> dict[str, tuple[bytes, int]]:
        return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in arrays.iterdir()}

    with pytest.raises(ng.UsageError, match="pixcor"):
        ng.score(stimuli, reconstructions, out=run, **{**options, "metrics": "pixcor"})
    assert not arrays.exists()
    first = ng.score(stimuli, reconstructions, out=run, **options)
    kept = content()
    assert sorted(name.split("-")[0] for name in kept) == ["gt", "recon"]
    other = stimuli[::-1]
    for error, metrics in ((ng.UsageError, "pixcor"), (ng.DataError, "pixcorr")):
        with pytest.raises(error):
            ng.score(other, other, out=run, **{**options, "metrics": metrics})
        assert content() == kept
    with pytest.raises(ng.DataError, match="recon"):
        ng.score(other, np.zeros((6, 3)), out=run, **options)
    assert ng.score(stimuli, reconstructions, out=run, **options).to_dict() == first.to_dict() and content() == kept
    assert ng.score(from_run=run, out=tmp_path / "again", progress=False).to_dict() == first.to_dict()
    # A run that repeats the replaced one still needs its arrays.
    ng.score(other, reconstructions, out=run, overwrite=True, **options)
    assert kept.items() <= content().items() and len(content()) == 3
    assert ng.score(from_run=tmp_path / "again", progress=False).to_dict() == first.to_dict()
    shutil.rmtree(tmp_path / "again")
    ng.score(other, other, out=run, overwrite=True, **options)
    assert not {name for name in kept if name.startswith("recon")} & content().keys()
    assert ng.score(from_run=run, progress=False)["pixcorr"].mean == pytest.approx(1)


def test_an_unfinished_run_keeps_its_arrays_and_is_resumed(tmp_path: Path, stimuli: Any, reconstructions: Any) -> None:
    options: dict[str, Any] = {"metrics": ["pixcorr", "ssim"], "set": {"pixel_size": 24}, "progress": False}
    run = tmp_path / "run"
    expected = ng.score(stimuli, reconstructions, out=run, **options)
    record = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**record, "complete": False}))
    assert ng.score(stimuli, reconstructions, out=run, **options).to_dict() == expected.to_dict()
    # As a run was kept before arrays were called by their content.
    for side in ("gt", "recon"):
        own = Path(record["request"]["inputs"][side])
        own.rename(own.with_name(f"{side}.npy"))
        record["request"]["inputs"][side] = str(own.with_name(f"{side}.npy"))
    (run / "run.json").write_text(json.dumps(record))
    assert ng.score(stimuli, reconstructions, out=run, **options).to_dict() == expected.to_dict()
    assert sorted(path.name for path in (tmp_path / "run.arrays").iterdir()) == ["gt.npy", "recon.npy"]


def test_a_run_is_cited_as_the_command_cites_it(
    command: Any, tmp_path: Path, stimuli: Any, reconstructions: Any
) -> None:
    options: dict[str, Any] = {"set": {"pixel_size": 24}, "progress": False}
    kept = ng.score(stimuli, reconstructions, metrics="ssim", out=tmp_path / "mine", **options)
    passing = ng.score(stimuli, reconstructions, metrics="psnr", **options)
    printed = command("cite", tmp_path / "mine")
    assert printed.returncode == 0, printed.stderr
    assert ng.cite(kept) == ng.cite(tmp_path / "mine") == ng.cite(str(tmp_path / "mine"), kept) == printed.stdout
    assert "@article{wang2004image," in printed.stdout and "wang2004image" not in ng.cite(passing)
    both = [line for line in ng.cite(passing, tmp_path / "mine").splitlines() if line.startswith("@")]
    methods = command("cite", "--methods", tmp_path / "mine").stdout
    assert ng.cite(kept, methods=True) + "\n" == methods and "SSIM (Wang et al. 2004)" in methods
    assert both[0] == "@software{neurogauge," and len(set(both)) == len(both) and "@article{wang2004image," in both
    with pytest.raises(ng.DataError, match="no record of a result"):
        ng.cite(tmp_path)
    with pytest.raises(ng.UsageError, match="which run"):
        ng.cite()


def test_other_threads_run_during_a_call() -> None:
    x = np.random.default_rng(0).random((40, 64, 64, 3), dtype=np.float32)
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    ng.ssim(x, x, pixel_size=425)
    done.set()
    thread.join()
    assert counted > 3


def test_progress_is_drawn_by_tqdm_on_terminals_after_a_second(capsys: Any, monkeypatch: Any) -> None:
    pytest.importorskip("tqdm")
    x = np.random.default_rng(0).random((60, 64, 64, 3), dtype=np.float32)
    monkeypatch.setattr(_progress, "_SILENT_S", 0.0)
    ng.ssim(x, x, pixel_size=425)
    assert capsys.readouterr().err == "", "a pipe"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    ng.ssim(x, x, pixel_size=425)
    assert "comparing pixels, ssim" in capsys.readouterr().err
    monkeypatch.setattr(_progress, "_SILENT_S", 60.0)
    ng.ssim(x, x, pixel_size=425)
    assert capsys.readouterr().err == "", "over soon"


def test_the_command_comes_along(capfd: Any) -> None:
    from neurogauge import _command

    assert _command.main(["--version"]) == 0
    assert capfd.readouterr().out.strip() == f"neurogauge {ng.__version__}"
    assert _command.main(["score"]) == 2
    assert "--out" in capfd.readouterr().err


def test_tables_without_pandas_say_what_to_install(monkeypatch: Any, stimuli: Any, reconstructions: Any) -> None:
    found = ng.pixcorr(stimuli, reconstructions)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        found.to_pandas()


def test_the_features_of_any_model_are_a_metric(tmp_path: Path) -> None:
    images = np.random.default_rng(3).integers(0, 256, size=(4, 40, 40, 3)).astype(np.uint8)
    metrics = ["resnet18-untrained-0:avgpool", "resnet18-untrained-0:avgpool:correlation"]
    run = ng.score(images, images, metrics=metrics, out=tmp_path / "run", progress=False)
    assert list(run) == metrics
    np.testing.assert_allclose(run[metrics[1]].per_pair, 1, atol=1e-12)
    assert run[metrics[0]].mean == 1
    assert ng.load_run(tmp_path / "run")[metrics[0]].chance == 0.5


def test_several_subjects_of_a_system(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    stimuli = rng.integers(0, 256, (8, 16, 16, 3), dtype=np.uint8)
    runs = []
    for system, noise in (("fine", 30), ("coarse", 120)):
        for subject in "1257":
            grain = rng.integers(-noise, noise + 1, stimuli.shape)
            decoded = np.clip(stimuli + grain, 0, 255).astype(np.uint8)
            out = tmp_path / f"{system}_s{subject}"
            runs.append(ng.score(stimuli, decoded, metrics="pixcorr", set={"pixel_size": 16}, out=out, progress=False))
    found = ng.compare(runs, subjects="{system}_s{subject}")
    assert found.systems == ("fine", "coarse") and found.subjects == {"fine": tuple("1257"), "coarse": tuple("1257")}
    of_subjects = found.subject_means["pixcorr"]["fine"]
    assert of_subjects == tuple(run["pixcorr"].mean for run in runs[:4])
    assert found.means["pixcorr"][0] == pytest.approx(np.mean(of_subjects), abs=1e-12)
    # Averaged over subjects within a stimulus: the standard error is that of eight means.
    averaged = np.mean([run["pixcorr"].per_pair for run in runs[:4]], axis=0)
    low, high = found.intervals["pixcorr"][0] or (0, 0)
    assert high - low >= 2 * 2.3646 * averaged.std(ddof=1) / np.sqrt(8) * 0.9999
    assert found.differences[0]["p_value"] == 2 / 256 and len(found.differences) == 1
    assert "these subjects" in found._repr_html_() and "fine, subject 5" in str(found)
    kept = found.to_dict()["subjects"]["coarse"]
    assert kept["names"] == list("1257") and len(kept["intervals"]["pixcorr"]) == 4
    new = ng.compare(runs, subjects="{system}_s{subject}", new_subjects=True)
    assert new.intervals["pixcorr"] == (None, None) and "no interval or test for new subjects" in " ".join(new.notes)
    with pytest.raises(ng.UsageError, match="one subject"):
        ng.compare(runs[:1] + runs[4:5], subjects="{system}_s{subject}")
    with pytest.raises(ng.UsageError, match="new_subjects is about means over subjects"):
        ng.compare(runs, new_subjects=True)
