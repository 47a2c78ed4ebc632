"""Shards over processes, dask and submitit, with the bytes of one call."""

from __future__ import annotations

import concurrent.futures
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import neurogauge as ng
from neurogauge import _shard_archive

Command = Callable[..., "subprocess.CompletedProcess[str]"]
N_IMAGES = 6


class Planned:
    """Images, a run of them in one call, and as many plans of that run as requested."""

    def __init__(self, command: Command, root: Path) -> None:
        self._command, self._root = command, root
        self.images = root / "images.npy"
        np.save(self.images, np.random.default_rng(3).integers(0, 256, (N_IMAGES, 40, 40, 3), dtype=np.uint8))

    def words(self, out: Path) -> list[object]:
        models = ["placeholder:grid4", "placeholder-captioner", "placeholder-detector"]
        return [
            "perceive",
            "--images",
            self.images,
            *(word for model in models for word in ("--with", model)),
            "--out",
            out,
        ]

    def run(self, *words: object, code: int = 0) -> str:
        found = self._command(*words)
        assert found.returncode == code, found.stderr
        return found.stderr

    def plan(self, name: str, *more: object) -> Path:
        out = self._root / name
        self.run("cluster", "plan", *self.words(out), *more)
        return out

    def one_call(self) -> dict[str, bytes]:
        """With an empty cache, so that nothing is reused from another run."""
        shutil.rmtree(self._root / "cache")
        out = self._root / "whole"
        found = self._command("--quiet", *self.words(out))
        assert found.returncode == 0, found.stderr
        return made(out)


def made(run: Path) -> dict[str, bytes]:
    """The results of a run, by name."""
    files = [path for folder in ("features", "detections") for path in (run / folder).rglob("*.npy")]
    files += sorted((run / "detections").glob("*.json")) + [run / "captions.json"]
    return {str(path.relative_to(run)): path.read_bytes() for path in files}


@pytest.fixture
def planned(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Planned:
    monkeypatch.setenv("NEUROGAUGE_CACHE", str(tmp_path / "cache"))
    return Planned(command, tmp_path)


def finished_as_one_call(planned: Planned, run: Path) -> None:
    planned.run("cluster", "finish", run, "--all-shards")
    whole = planned.one_call()
    assert len(whole) == N_IMAGES + 2
    assert made(run) == whole


def test_processes_do_the_shards_and_what_is_done_is_not_submitted_again(planned: Planned) -> None:
    run = planned.plan("run")
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        found = ng.distribute(run, over=pool, shards=3, progress=False)
        assert sorted(found.done) == [0, 1, 2] and not found.failed
        assert [found.done[shard]["n_items"] for shard in range(3)] == [2, 2, 2]
    # The pool is closed, so nothing can be submitted.
    again = ng.distribute(run, over=pool, shards=3)
    assert again.done == found.done
    finished_as_one_call(planned, run)


def poisoned(planned: Planned) -> tuple[Path, bytes]:
    """Images as files, one of them cut short, and its original content."""
    from PIL import Image

    folder = planned.images.parent / "pictures"
    folder.mkdir()
    for place, image in enumerate(np.load(planned.images)):
        Image.fromarray(image).save(folder / f"{place}.png")
    planned.images = folder
    poison = folder / "3.png"
    picture = poison.read_bytes()
    poison.write_bytes(picture[:200])
    return poison, picture


def test_items_that_fail_are_named_and_the_others_are_kept(planned: Planned) -> None:
    poison, picture = poisoned(planned)
    run = planned.plan("run")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = ng.distribute(run, over=pool, shards=3, progress=False)
        assert sorted(found.done) == [0, 2]
        [failed] = found.failed
        assert (failed.shard, failed.code) == (1, 4)
        assert 'images "3"' in failed.log
        poison.write_bytes(picture)
        assert not ng.distribute(run, over=pool, shards=3, progress=False).failed
    finished_as_one_call(planned, run)


def test_what_comes_back_as_bytes_is_what_a_shared_folder_would_hold(planned: Planned) -> None:
    run = planned.plan("run")
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        found = ng.distribute(run, over=pool, shards=3, transport="bytes", progress=False)
    assert sorted(found.done) == [0, 1, 2] and not found.failed
    # Every shard's journal is a separate segment.
    assert len(list((run.parent / "cache" / "captions").glob("*.jsonl"))) == 3
    said = planned.run("--verbose", "cluster", "finish", run, "--all-shards")
    assert "6 of 6 images described, 0 of them seen by the model now" in said
    finished_as_one_call(planned, run)


def test_an_archive_that_names_other_places_is_refused(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    (scratch / "elsewhere").mkdir(parents=True)
    (scratch / "elsewhere" / "file").write_text("x")
    with pytest.raises(ValueError, match="elsewhere/file: not a file of a shard"):
        _shard_archive.take_over(_shard_archive.pack(scratch, set()), tmp_path / "run", tmp_path / "cache")
    assert not (tmp_path / "run").exists()


def test_calls_that_make_no_sense_are_refused(planned: Planned, tmp_path: Path) -> None:
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        with pytest.raises(ng.UsageError, match="no plan.json"):
            ng.distribute(tmp_path, over=pool)
        run = planned.plan("run")
        with pytest.raises(ng.UsageError, match="shards=0"):
            ng.distribute(run, over=pool, shards=0)
        with pytest.raises(ng.UsageError, match="transport='pigeon'"):
            ng.distribute(run, over=pool, transport="pigeon")  # type: ignore[arg-type]
        with pytest.raises(ng.UsageError, match="only a distributed.Client"):
            ng.distribute(run, over=pool, resources={"GPU": 1})


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=3,
        threads_per_worker=1,
        processes=True,
        resources={"GPU": 1},
        dashboard_address=None,
        local_directory=str(tmp_path_factory.mktemp("dask")),
    ) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: Any) -> Iterator[Any]:
    from distributed import Client

    with Client(cluster) as client:
        yield client


def with_cache(client: Any, root: Path) -> None:
    """Workers were started before the test, so their cache is set now."""
    client.run(os.environ.__setitem__, "NEUROGAUGE_CACHE", str(root / "cache"))


def test_dask_does_the_shards_where_there_are_resources(planned: Planned, client: Any, tmp_path: Path) -> None:
    with_cache(client, tmp_path)
    run = planned.plan("run")
    with pytest.raises(ng.UsageError, match="none of the 3 workers has them"):
        ng.distribute(run, over=client, shards=2, resources={"TPU": 1})
    found = ng.distribute(run, over=client, shards=4, resources={"GPU": 1}, progress=False)
    assert sorted(found.done) == [0, 1, 2, 3] and not found.failed
    finished_as_one_call(planned, run)


def test_a_worker_that_is_killed_loses_nothing(planned: Planned, client: Any, cluster: Any, tmp_path: Path) -> None:
    with_cache(client, tmp_path)
    run = planned.plan("run")

    def kill() -> None:
        while not list(run.glob("shards/*-of-6.log")):
            time.sleep(0.01)
        os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    found = ng.distribute(run, over=client, shards=6, progress=False)
    killer.join()
    assert sorted(found.done) == list(range(6)) and not found.failed
    client.wait_for_workers(3, timeout=30)
    finished_as_one_call(planned, run)


def test_a_poisoned_shard_is_named_while_dask_does_the_rest(planned: Planned, client: Any, tmp_path: Path) -> None:
    with_cache(client, tmp_path)
    poison, picture = poisoned(planned)
    # Such a shard ends with an error, and dask tries it again.
    run = planned.plan("run", "--on-failure", "stop")
    found = ng.distribute(run, over=client, shards=3, retries=1, progress=False)
    assert sorted(found.done) == [0, 2]
    [failed] = found.failed
    assert (failed.shard, failed.code) == (1, 1)
    assert "error: " in failed.log and "3.png" in failed.log
    poison.write_bytes(picture)
    assert not ng.distribute(run, over=client, shards=3, progress=False).failed
    finished_as_one_call(planned, run)


def test_submitit_does_the_shards(planned: Planned, tmp_path: Path) -> None:
    submitit = pytest.importorskip("submitit")
    run = planned.plan("run")
    executor = submitit.AutoExecutor(folder=tmp_path / "jobs", cluster="local")
    executor.update_parameters(timeout_min=2)
    found = ng.distribute(run, over=executor, shards=3, progress=False)
    assert sorted(found.done) == [0, 1, 2] and not found.failed
    finished_as_one_call(planned, run)
