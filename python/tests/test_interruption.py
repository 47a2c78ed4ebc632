"""Ctrl-C stops long calls wherever they are, and every call has its own threads."""

from __future__ import annotations

import _thread
import multiprocessing
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from textwrap import dedent

import numpy as np
import pytest

import neurogauge as ng


@pytest.fixture(autouse=True)
def heard() -> Iterator[None]:
    """Programs that a shell starts in the background ignore Ctrl-C, and so would these tests; this restores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


# The input and a call that would take hours.
LONG = {
    "identification": """
        x, y = rng.normal(size=(2, 400, 60))
        started()
        ng.two_way_identification(x, y, n_way=50, draws=10_000_000)
    """,
    "the bootstrap": """
        x = rng.normal(size=1_000_000)
        started()
        ng.stats.bootstrap(x, resamples=5_000_000)
    """,
    "a fit": """
        x, y = rng.normal(size=(2, 2500, 2500))
        started()
        ng.align.RecoveryProfile(max_rank=500, alphas=np.geomspace(1e-3, 1e6, 400)).fit(x, y)
    """,
    "meta-evaluation": """
        human = rng.integers(1, 6, (3000, 8))
        metrics = {f"m{place}": rng.normal(size=3000) for place in range(20)}
        started()
        ng.agreement(human, metrics, resamples=10_000_000)
    """,
}


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for another process")
@pytest.mark.parametrize("what", LONG)
def test_ctrl_c_stops_a_call_that_would_take_hours(what: str) -> None:
    start = """
        import signal
        import numpy as np
        import neurogauge as ng
        signal.signal(signal.SIGINT, signal.default_int_handler)
        rng = np.random.default_rng(0)
        started = lambda: print("started", flush=True)
    """
    code = dedent(start) + dedent(LONG[what])
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as call:
        assert call.stdout is not None
        assert call.stdout.readline() == "started\n"
        time.sleep(0.25)
        call.send_signal(signal.SIGINT)
        try:
            _, errors = call.communicate(timeout=200)
        finally:
            call.kill()
    assert errors.rstrip().endswith("KeyboardInterrupt"), errors


def test_calls_after_an_interrupted_one_are_whole() -> None:
    x = np.random.default_rng(0).random((1000, 64, 64, 3), dtype=np.float32)
    before = ng.pixcorr(x[:9], x[1:10], pixel_size=None)
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ng.ssim(x, x, pixel_size=400)
    timer.join()
    assert ng.pixcorr(x[:9], x[1:10], pixel_size=None).per_pair.tobytes() == before.per_pair.tobytes()


def correlations(seed: int) -> bytes:
    x, y = np.random.default_rng(seed).random((2, 20, 16, 16, 3), dtype=np.float32)
    return ng.pixcorr(x, y, pixel_size=None).per_pair.tobytes()


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_processes_can_call_too() -> None:
    expected = [correlations(seed) for seed in range(4)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(correlations, range(4)).get(timeout=200) == expected


def test_calls_side_by_side_do_not_stop_one_another() -> None:
    expected = correlations(7)
    found: list[bytes] = []
    interrupted = threading.Event()

    def call() -> None:
        while not interrupted.is_set():
            found.append(correlations(7))
        found.append(correlations(7))

    other = threading.Thread(target=call)
    x = np.random.default_rng(0).random((1000, 64, 64, 3), dtype=np.float32)
    timer = threading.Timer(0.2, _thread.interrupt_main)
    other.start()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ng.ssim(x, x, pixel_size=400)
    timer.join()
    interrupted.set()
    other.join()
    assert len(found) > 1 and set(found) == {expected}
