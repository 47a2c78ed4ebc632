"""Small inputs for every command that is tortured: drawn here, seeded, without a library."""

import random
import shutil
import struct
import subprocess
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
    for folder, seed in (("gt", 6), ("near", 7)):
        write_several(work, folder, random.Random(seed))


def write_several(work: Path, side: str, draws: random.Random) -> None:
    """Files with several pictures, and clips whose frames change their size, for the stimuli or a system."""
    for kind in ("gifs", "frames", "pages", "pairs", "videos"):
        (work / kind / side).mkdir(parents=True)
    for item, side_px in enumerate((16, 24, 20)):
        (work / f"gifs/{side}/{item}.gif").write_bytes(gif(draws, side_px, 2 + item))
        (work / f"frames/{side}/{item}").mkdir()
        for frame, frame_px in enumerate((side_px, 18, 26)):
            (work / f"frames/{side}/{item}/{frame}.png").write_bytes(png(draws, frame_px))
        (work / f"pages/{side}/{item}.tiff").write_bytes(tiff(draws, side_px, 3))
        (work / f"pages/{side}/{3 + item}.png").write_bytes(png(draws, side_px, n_pictures=3))
        (work / f"pairs/{side}/{item}.png").write_bytes(png(draws, (32, 16)))
    n_values = 4 * 2 * 12 * 12 * 3
    npy(work / f"{side}.npy", (4, 2, 12, 12, 3), [draws.random() for _ in range(n_values)])
    if shutil.which("ffmpeg"):
        for item, side_px in enumerate((32, 48, 64)):
            (work / f"videos/{side}/{item}.mp4").write_bytes(video(draws, side_px, 4))


def png(draws: random.Random, size_px: int | tuple[int, int], n_pictures: int = 1) -> bytes:
    """A coloured picture of noise, or an animation of several."""
    width_px, height_px = size_px if isinstance(size_px, tuple) else (size_px, size_px)

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    def pixels() -> bytes:
        rows = b"".join(b"\0" + draws.randbytes(3 * width_px) for _ in range(height_px))
        return zlib.compress(rows, 1)

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width_px, height_px, 8, 2, 0, 0, 0))
    if n_pictures == 1:
        content = chunk(b"IDAT", pixels())
    else:
        content = chunk(b"acTL", struct.pack(">II", n_pictures, 0))
        for number in range(n_pictures):
            frame = struct.pack(">IIIIIHHBB", max(2 * number - 1, 0), width_px, height_px, 0, 0, 1, 10, 0, 0)
            content += chunk(b"fcTL", frame)
            content += chunk(b"fdAT", struct.pack(">I", 2 * number) + pixels()) if number else chunk(b"IDAT", pixels())
    return b"\x89PNG\r\n\x1a\n" + header + content + chunk(b"IEND", b"")


def gif(draws: random.Random, side_px: int, n_frames: int) -> bytes:
    """An animation of noise, whose later frames cover parts of the picture of several sizes."""
    whole = b"GIF89a" + struct.pack("<HHBBB", side_px, side_px, 0xF6, 0, 0) + draws.randbytes(3 * 128)
    for frame in range(n_frames):
        width_px, height_px = (side_px, side_px) if frame == 0 else (side_px - 3 * frame, 5 + frame)
        whole += b"\x21\xf9\x04" + struct.pack("<BHBB", 4, 10 + frame, 0, 0)
        whole += b"\x2c" + struct.pack("<HHHHB", frame, frame, width_px, height_px, 0) + b"\x07"
        colours = bytes(draws.randrange(128) for _ in range(width_px * height_px))
        # Codes have eight bits as long as the table is cleared before it has 256 of them.
        codes = b"".join(b"\x80" + colours[at : at + 100] for at in range(0, len(colours), 100)) + b"\x81"
        for at in range(0, len(codes), 255):
            block = codes[at : at + 255]
            whole += bytes([len(block)]) + block
        whole += b"\0"
    return whole + b"\x3b"


def tiff(draws: random.Random, side_px: int, n_pages: int) -> bytes:
    """Pages of noise, each smaller than the one before."""
    whole = b"II\x2a\0\x08\0\0\0"
    for page in range(n_pages):
        page_px = side_px - 2 * page
        n_bytes = 3 * page_px * page_px
        bits_at = len(whole) + 2 + 10 * 12 + 4
        end = bits_at + 6 + n_bytes
        shorts = {256: page_px, 257: page_px, 259: 1, 262: 2, 277: 3, 278: page_px, 284: 1}
        entries = [(tag, 3, 1, value) for tag, value in shorts.items()]
        entries += [(258, 3, 3, bits_at), (273, 4, 1, bits_at + 6), (279, 4, 1, n_bytes)]
        whole += struct.pack("<H", len(entries))
        whole += b"".join(struct.pack("<HHII", *entry) for entry in sorted(entries))
        whole += struct.pack("<I", end if page + 1 < n_pages else 0)
        whole += struct.pack("<HHH", 8, 8, 8) + draws.randbytes(n_bytes)
    return whole


def video(draws: random.Random, side_px: int, n_frames: int) -> bytes:
    """A clip of noise in MP4, by the user's ffmpeg."""
    pixels = b"".join(draws.randbytes(3 * side_px * side_px) for _ in range(n_frames))
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{side_px}x{side_px}", "-r", "5", "-i", "pipe:0"]
    coded = ["-c:v", "mpeg4", "-q:v", "2", "-flags", "+bitexact", "-fflags", "+bitexact"]
    fragments = ["-movflags", "+frag_keyframe+empty_moov", "-f", "mp4", "pipe:1"]
    ffmpeg = ["ffmpeg", "-v", "error", *raw, *coded, *fragments]
    return subprocess.run(ffmpeg, input=pixels, capture_output=True, check=True).stdout


def npy(path: Path, shape: tuple[int, ...], values: list[float]) -> None:
    """A NumPy array of f64."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape!r}, }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + array("d", values).tobytes())


def write_alignment(folder: Path, n_stimuli: int = 36, n_repeats: int = 2, n_voxels: int = 6) -> None:
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
