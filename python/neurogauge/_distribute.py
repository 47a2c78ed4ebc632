"""Shards of a planned run, over any object with ``submit``."""

from __future__ import annotations

import concurrent.futures
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any, Literal

from . import _shard_archive
from ._errors import NeurogaugeError, UsageError
from ._progress import Progress
from ._run import Path

# Plans of an alignment, then plans of other commands.
_PLANS = ("request.json", "plan.json")
_LOG_LINES = 20
_POLL_S = 0.2
_ITEMS_FAILED = 4
# Exit codes after which another try would fail in the same way: a wrong command line, failed items, another plan.
_FINAL_CODES = (0, 2, _ITEMS_FAILED, 5)


@dataclass(frozen=True)
class FailedShard:
    """A shard that was not done, or not all of it."""

    #: Its place, from 0.
    shard: int
    #: The command's exit code: 4 where only some items failed, negative for a signal; None where it never ended.
    code: int | None
    #: The last lines of its log, or the executor's error.
    log: str


@dataclass
class Distributed:
    """The result of distributing the shards of a run."""

    #: ``shard.json`` of each shard that is done, by its place.
    done: dict[int, dict[str, Any]] = field(default_factory=dict)
    #: The others, by their place.
    failed: list[FailedShard] = field(default_factory=list)


class ShardError(NeurogaugeError):
    """The command ended before its shard was done. It comes from a worker, where it lets the executor try again."""

    def __init__(self, code: int, log: str) -> None:
        super().__init__(code, log)
        self.code, self.log = code, log

    def __str__(self) -> str:
        return f"exit code {self.code}: {self.log}"


def distribute(
    run: Path,
    over: Any,
    shards: int = 64,
    *,
    threads: int | None = None,
    retries: int = 2,
    resources: dict[str, float] | None = None,
    transport: Literal["shared", "bytes"] = "shared",
    download: bool = False,
    progress: bool = True,
) -> Distributed:
    """Runs the shards of a planned run, each as a separate process, and waits for all of them.

    A shard that fails does not affect the others. Finished shards are not submitted, so the same call runs the missing
    ones; afterwards ``neurogauge cluster finish RUN`` puts the run together.

    Args:
        run: the folder that ``neurogauge cluster plan`` wrote.
        over: a ``concurrent.futures.Executor``, a ``distributed.Client``, a ``submitit.AutoExecutor``, or anything else
            whose ``submit(function, *arguments)`` returns an object with ``done()`` and ``result()``. Workers must have
            this package, and see the images under the same paths.
        shards: into how many shards the run is divided.
        threads: of each shard. By default the processors of this machine are shared out among the workers of a
            ``concurrent.futures`` executor; others take what their job has (cgroups, ``SLURM_CPUS_PER_TASK``).
        retries: how often a shard is tried again that crashed or was killed.
        resources: of dask, such as ``{"GPU": 1}``, for each shard. If no worker has them, that is an error at once.
        transport: "shared": workers see ``run`` and the cache. "bytes": they see neither; each shard comes back as an
            archive, which is copied into ``run`` and into the cache of this machine.
        download: workers download weights that are missing; ``neurogauge models fetch RUN`` fetches them once, before.
        progress: show a bar if tqdm is installed.

    Raises:
        UsageError: there is no plan in ``run``; an option is out of range; no worker has the resources.

    Example:
        >>> from concurrent.futures import ProcessPoolExecutor
        >>> with ProcessPoolExecutor(4) as pool:                           # doctest: +SKIP
        ...     found = ng.distribute("runs/mine", over=pool, shards=16)
        >>> [(shard.shard, shard.log) for shard in found.failed]           # doctest: +SKIP
        []
    """
    run = FilePath(run).absolute()
    plan = _plan_of(run)
    if shards < 1 or retries < 0 or (threads is not None and threads < 1):
        raise UsageError(
            f"shards={shards}, retries={retries}, threads={threads}: expected shards and threads from 1, retries from 0"
        )
    if transport not in ("shared", "bytes"):
        raise UsageError(f'transport={transport!r}: expected "shared" or "bytes"')
    is_dask = hasattr(over, "scheduler_info")
    if resources:
        _check_resources(over, resources, is_dask)
    if threads is None and isinstance(over, concurrent.futures.Executor):
        threads = max(1, _n_processors() // getattr(over, "_max_workers", 1))
    options = [*(["--threads", str(threads)] if threads else []), "--yes" if download else "--offline"]
    found = Distributed()
    missing = []
    for shard in range(shards):
        record = _record(run, shard, shards, plan)
        if record is not None and not record["failed"]:
            found.done[shard] = record
        else:
            missing.append(shard)
    cache = _cache() if transport == "bytes" else None
    files = _shard_archive.plan_files(run) if transport == "bytes" else None
    # Dask retries by itself, possibly on another machine.
    tries = 1 if is_dask else 1 + retries
    # If a key has failed before, dask returns the same failure, so each call has new keys.
    call = uuid.uuid4().hex[:8]
    futures: dict[Any, int] = {}
    bar = Progress(progress)
    bar.start("shards", shards, len(found.done))
    try:
        with over.batch() if hasattr(over, "batch") and missing else nullcontext():
            for shard in missing:
                keywords: dict[str, Any] = {}
                if is_dask:
                    key = f"neurogauge-{plan[:16]}-{shard}-of-{shards}-{call}"
                    keywords = {"key": key, "resources": resources, "retries": retries, "pure": False}
                futures[over.submit(_work, str(run), files, shard, shards, options, tries, **keywords)] = shard
        for n_over, future in enumerate(_as_completed(list(futures), is_dask), len(found.done) + 1):
            shard = futures[future]
            try:
                code, log, record, archive = future.result()
            except Exception as error:
                code, log = (
                    (error.code, error.log)
                    if isinstance(error, ShardError)
                    else (None, _unended(run, shard, shards, error))
                )
                record = archive = None
            if archive is not None and cache is not None:
                _shard_archive.take_over(archive, run, cache)
            if code == 0 and record is not None:
                found.done[shard] = record
            else:
                found.failed.append(FailedShard(shard, code, log))
            bar.show(n_over, n_over == shards)
    except BaseException:
        for future in futures:
            getattr(future, "cancel", lambda: None)()
        raise
    found.failed.sort(key=lambda failed: failed.shard)
    return found


def _plan_of(run: FilePath) -> str:
    """SHA-256 of the file with the plan, as in ``shard.json``."""
    for name in _PLANS:
        if (run / name).exists():
            return hashlib.sha256((run / name).read_bytes()).hexdigest()
    raise UsageError(f"{run}: no plan.json, which `neurogauge cluster plan` writes")


def _record(run: FilePath, shard: int, shards: int, plan: str | None = None) -> dict[str, Any] | None:
    """``shard.json`` of a shard of this plan, if it exists."""
    try:
        record: dict[str, Any] = json.loads(
            (run / "shards" / f"{shard}-of-{shards}" / "shard.json").read_text(encoding="utf-8")
        )
    except (OSError, ValueError):
        return None
    return record if plan is None or record.get("plan") == plan else None


def _check_resources(over: Any, resources: dict[str, float], is_dask: bool) -> None:
    """Checks resources, since dask would wait forever for a worker that never comes."""
    if not is_dask:
        raise UsageError(f"resources={resources}: only a distributed.Client knows resources of workers")
    workers = over.scheduler_info(n_workers=-1)["workers"].values()
    offered = [worker.get("resources") or {} for worker in workers]
    if not any(all(of.get(name, 0) >= amount for name, amount in resources.items()) for of in offered):
        raise UsageError(
            f"resources={resources}: none of the {len(offered)} workers has them; start workers with "
            f'`dask worker --resources "{" ".join(f"{name}={amount:g}" for name, amount in resources.items())}"`'
        )


def _n_processors() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _cache() -> FilePath:
    """Where this machine keeps observations."""
    words = [sys.executable, "-m", "neurogauge._command", "cache", "dir"]
    found = subprocess.run(words, capture_output=True, text=True, check=False)
    if found.returncode:
        raise UsageError(found.stderr.strip())
    return FilePath(found.stdout.strip())


def _as_completed(futures: list[Any], is_dask: bool) -> Iterator[Any]:
    if is_dask:
        import distributed

        completed: Iterator[Any] = distributed.as_completed(futures)  # type: ignore[no-untyped-call, unused-ignore]
        yield from completed
    elif all(isinstance(future, concurrent.futures.Future) for future in futures):
        yield from concurrent.futures.as_completed(futures)
    else:
        waiting = futures
        while waiting:
            over = [future for future in waiting if future.done()]
            yield from over
            waiting = [future for future in waiting if future not in over]
            if waiting and not over:
                time.sleep(_POLL_S)


def _unended(run: FilePath, shard: int, shards: int, error: Exception) -> str:
    """What is known about a shard whose worker does not answer: the executor's error and the end of the log."""
    log = _end_of(run / "shards" / f"{shard}-of-{shards}.log")
    return f"{type(error).__name__}: {error}" + (f"\n{log}" if log else "")


def _end_of(log: FilePath) -> str:
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return "\n".join([line for line in lines if line.strip()][-_LOG_LINES:])


_Outcome = tuple[int, str, "dict[str, Any] | None", "bytes | None"]


def _work(
    run: str, files: dict[str, bytes] | None, shard: int, shards: int, options: list[str], tries: int
) -> _Outcome:
    """On a worker: runs a shard as a separate process, so that its end does not end the worker.

    Returns the exit code, the end of the log, ``shard.json`` and, if the plan came as ``files``, an archive of the
    results.

    Raises:
        ShardError: the process ended in a way that another try may fix.
    """
    if files is None:
        code, log = _tried(FilePath(run), shard, shards, options, tries)
        return code, log, _record(FilePath(run), shard, shards), None
    with tempfile.TemporaryDirectory(prefix="neurogauge-") as scratch:
        own, cache = FilePath(scratch, "run"), FilePath(scratch, "cache")
        own.mkdir()
        for name, content in files.items():
            (own / name).write_bytes(content)
        code, log = _tried(own, shard, shards, [*options, "--cache", str(cache)], tries)
        return code, log, _record(own, shard, shards), _shard_archive.pack(FilePath(scratch), set(files))


def _tried(run: FilePath, shard: int, shards: int, options: list[str], tries: int) -> tuple[int, str]:
    log = run / "shards" / f"{shard}-of-{shards}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, "-m", "neurogauge._command", "cluster", "work", str(run), "--shard", f"{shard}/{shards}"]
    code = 0
    for _ in range(tries):
        with log.open("wb") as file:
            # Progress is printed as lines, since bars would not be visible.
            code = subprocess.run(
                [*words, *options, "--progress", "plain"], stdout=file, stderr=file, check=False
            ).returncode
        if code in _FINAL_CODES:
            return code, _end_of(log)
    raise ShardError(code, _end_of(log))
