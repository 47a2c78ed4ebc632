"""Small inputs for every command that is tortured: drawn here, seeded, without a library."""

import random
import struct
import zlib
from array import array
from pathlib import Path

N_PAIRS = 6
WORDS = "a the man dog cat red blue rides holds near street beach bicycle horse two small".split()


def write_inputs(work: Path) -> None:
    """Images of two systems, captions, ratings, and responses with a model's features."""
    for folder, seed in (("gt", 1), ("near", 2), ("far", 3)):
        (work / folder).mkdir()
        draws = random.Random(seed)
        for stem in range(N_PAIRS):
            (work / folder / f"{stem}.png").write_bytes(png(draws, 24))
    draws = random.Random(4)
    rows = (f"{stem},{rater},{draws.randint(1, 5)}" for stem in range(N_PAIRS) for rater in "abc")
    (work / "ratings.csv").write_text("\n".join(["item,rater,value", *rows]) + "\n")
    rows = (f"{stem},{draws.random()!r},{draws.random()!r}" for stem in range(N_PAIRS))
    (work / "metrics.csv").write_text("\n".join(["item,one,other", *rows]) + "\n")
    write_alignment(work / "align")


def png(draws: random.Random, side_px: int) -> bytes:
    """A coloured picture of noise."""
    rows = b"".join(b"\0" + draws.randbytes(3 * side_px) for _ in range(side_px))

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", side_px, side_px, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


def npy(path: Path, shape: tuple[int, ...], values: list[float]) -> None:
    """A NumPy array of f64."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape!r}, }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + array("d", values).tobytes())


def write_alignment(folder: Path, n_stimuli: int = 60, n_repeats: int = 4, n_voxels: int = 6) -> None:
    """Two subjects who see the same stimuli, a model, and a configuration of few folds and draws."""
    folder.mkdir()
    draws = random.Random(5)
    signal = [[draws.gauss(0, 1) for _ in range(n_voxels)] for _ in range(n_stimuli)]
    config = ""
    for subject in ("a", "b"):
        order = [stimulus for _ in range(n_repeats) for stimulus in range(n_stimuli)]
        trials = [value + draws.gauss(0, 0.5) for stimulus in order for value in signal[stimulus]]
        npy(folder / f"{subject}_trials.npy", (len(order), n_voxels), trials)
        npy(folder / f"{subject}_stimuli.npy", (len(order),), [float(10 + stimulus) for stimulus in order])
        sessions = [float(repeat) for repeat in range(n_repeats) for _ in range(n_stimuli)]
        npy(folder / f"{subject}_sessions.npy", (len(order),), sessions)
        config += f'[[targets]]\nsubject = "{subject}"\nhemisphere = "lh"\nroi = "V1"\n'
        config += "".join(f'{what} = "{subject}_{what}.npy"\n' for what in ("trials", "stimuli", "sessions"))
    (folder / "early").mkdir()
    npy(folder / "early/early.npy", (n_stimuli, n_voxels), [value for row in signal for value in row])
    ids = ", ".join(f'"{10 + stimulus}"' for stimulus in range(n_stimuli))
    (folder / "early/ids.json").write_text(f"[{ids}]")
    config += '[[sources]]\nname = "model"\nfeatures = ["early/early.npy"]\n'
    config += "[settings]\nouter_folds = 3\ninner_folds = 2\npartitions = 3\nnull = 2\nresamples = 50\n"
    (folder / "align.toml").write_text(config)
